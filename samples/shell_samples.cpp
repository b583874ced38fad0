// SPDX-License-Identifier: Apache-2.0
#include "samples/shell_samples.hpp"

#include "samples/shell_beams.hpp"
#include "samples/shell_dancer.hpp"
#include "samples/shell_dinosaur.hpp"
#include "samples/shell_leaf.hpp"
#include "samples/shell_paper.hpp"

#include "supple/core/suggest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace supple::samples {
namespace {

/// A row of the table: description and constructor of a sample.
struct Entry {
  ShellSample sample;
  io::SkinnedModel (*make)();
  std::string (*settings)();
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all{
      {{"beams",
        "flat and V-shaped strips of three stiffnesses, each held at one end",
        {"flat-1", "v-1", "flat-10", "v-10", "flat-100", "v-100"}},
       shell_beams,
       shell_beams_toml},
      {{"v-beam", "a strip folded along its middle, held at one end", {"v-beam"}},
       shell_v_beam,
       shell_v_beam_toml},
      {{"leaf", "a leaf with stiff veins, held by its stalk", {"leaf"}},
       shell_leaf,
       shell_leaf_toml},
      {{"paper", "a sheet of A4, held along a short edge", {"paper"}},
       shell_paper,
       shell_paper_toml},
      {{"dinosaur", "a crested dinosaur of 26,000 triangles, held at its feet", {"dinosaur"}},
       shell_dinosaur,
       shell_dinosaur_toml},
      {{"dancer",
        "a dancer whose hat, coat and trouser legs are shells that bones hold",
        {"hat", "coat", "left-leg", "right-leg"}},
       shell_dancer,
       shell_dancer_toml},
  };
  return all;
}

Result<const Entry*> find_entry(std::string_view name) {
  std::vector<std::string> names;
  names.reserve(entries().size());
  for (const Entry& entry : entries()) {
    if (entry.sample.name == name) return &entry;
    names.push_back(entry.sample.name);
  }
  return Error(ErrorCode::Usage, fmt::format("unknown sample '{}'{}; known are {}", name,
                                             did_you_mean(name, names), fmt::join(names, ", ")));
}

}  // namespace

const std::vector<ShellSample>& shell_samples() {
  static const std::vector<ShellSample> samples = [] {
    std::vector<ShellSample> result;
    result.reserve(entries().size());
    for (const Entry& entry : entries()) result.push_back(entry.sample);
    return result;
  }();
  return samples;
}

Result<void> check_shell_sample(std::string_view name) {
  SUPPLE_TRY([[maybe_unused]] const Entry* entry, find_entry(name));
  return {};
}

const ShellSample* find_shell_sample(std::string_view name) {
  for (const ShellSample& sample : shell_samples()) {
    if (sample.name == name) return &sample;
  }
  return nullptr;
}

Result<std::string> shell_sample_settings(std::string_view name) {
  SUPPLE_TRY(const Entry* entry, find_entry(name));
  return entry->settings();
}

Result<ShellSampleModel> make_shell_sample(std::string_view name) {
  SUPPLE_TRY(const Entry* entry, find_entry(name));
  return ShellSampleModel{entry->make(), entry->settings()};
}

}  // namespace supple::samples
