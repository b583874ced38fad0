// SPDX-License-Identifier: Apache-2.0
#include "bake/play/tables.hpp"

#include <fmt/format.h>
#include <supple.h>

namespace supple::bake {
namespace detail {
namespace {

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::vector<ModeName> name_modes(const BakedFile& file) {
  std::vector<ModeName> names;
  supple_asset_info info{};
  (void)supple_asset_describe(file.asset(), &info);
  for (std::uint32_t o = 0; o < info.object_count; ++o) {
    supple_object_info object{};
    (void)supple_asset_object(file.asset(), o, &object);
    for (std::uint32_t m = 0; m < object.mode_count; ++m) {
      supple_mode_info mode{};
      (void)supple_asset_mode(file.asset(), object.first_mode + m, &mode);
      names.push_back({object.name, m + 1, mode.frequency_hz});
    }
  }
  return names;
}

std::string csv_text(const std::vector<ModeName>& modes, const Tracks& tracks) {
  std::string text = "time";
  for (const ModeName& mode : modes) text += "," + csv_field(mode.text());
  text += "\n";
  for (Eigen::Index f = 0; f < tracks.values.rows(); ++f) {
    text += fmt::format("{:.9g}", tracks.time(f));
    for (const double value : tracks.values.row(f)) text += fmt::format(",{:.9g}", value);
    text += "\n";
  }
  return text;
}

}  // namespace detail

std::string ModeName::text() const {
  return fmt::format("{} {}", object, number);
}

}  // namespace supple::bake
