// SPDX-License-Identifier: Apache-2.0
#include "modes/output.hpp"

#include "cli/usage_error.hpp"

#include "supple/core/output.hpp"
#include "supple/pictures/studio.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

namespace supple::app {
namespace {

constexpr std::array<std::string_view, 4> kFormats{"vtu", "glb", "txt", "png"};

bool contains(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

Result<std::vector<std::string>> parse_formats(std::string_view list) {
  std::vector<std::string> wanted;
  while (true) {
    const std::size_t comma = list.find(',');
    const std::string_view word = list.substr(0, comma);
    if (std::find(kFormats.begin(), kFormats.end(), word) == kFormats.end()) {
      return usage_error(
          fmt::format("--write: '{}' is not one of {}", word, fmt::join(kFormats, ", ")));
    }
    wanted.emplace_back(word);
    if (comma == std::string_view::npos) break;
    list.remove_prefix(comma + 1);
  }
  std::vector<std::string> ordered;
  for (const std::string_view format : kFormats) {
    if (contains(wanted, format)) ordered.emplace_back(format);
  }
  return ordered;
}

}  // namespace

Result<pictures::ModesFiles> plan_output(const std::string& prefix, const std::string& formats) {
  pictures::ModesFiles plan;
  if (prefix.empty()) {
    if (!formats.empty()) return usage_error("--write needs -o PREFIX");
    return plan;
  }
  plan.prefix = prefix;
  const std::filesystem::path path(prefix);
  if (path.filename().empty() || std::filesystem::is_directory(path)) {
    return usage_error(fmt::format("-o '{}' is a directory; give a prefix such as '{}'", prefix,
                                   (path / "modes").lexically_normal().string()));
  }
  const std::string extension = path.extension().string();
  if (!extension.empty() &&
      std::find(kFormats.begin(), kFormats.end(), extension.substr(1)) != kFormats.end()) {
    if (!formats.empty() && formats != extension.substr(1)) {
      return usage_error(
          fmt::format("-o '{}' names one file, but --write {} names others", prefix, formats));
    }
    plan.prefix = prefix.substr(0, prefix.size() - extension.size());
    plan.formats = {extension.substr(1)};
    return plan;
  }
  if (formats.empty()) {
    plan.formats.assign(kFormats.begin(), kFormats.end());
  } else {
    SUPPLE_TRY(plan.formats, parse_formats(formats));
  }
  return plan;
}

Result<void> check_plan(const pictures::ModesFiles& plan) {
  std::vector<std::string> paths;
  for (const std::string& format : plan.formats) paths.push_back(plan.path(format));
  SUPPLE_TRY_VOID(check_writable(paths));
  if (!contains(plan.formats, "png")) return {};
  const auto studio = pictures::Studio::create();
  if (studio.ok()) return {};
  return Error(studio.error())
      .during(fmt::format("making '{}' (--write vtu,glb,txt skips the picture)", plan.path("png")));
}

}  // namespace supple::app
