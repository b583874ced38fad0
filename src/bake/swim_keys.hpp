// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bake/toml_table.hpp"

#include "supple/core/suggest.hpp"
#include "supple/core/units.hpp"
#include "supple/swim/water.hpp"

#include <fmt/format.h>

#include <Eigen/Core>

#include <cmath>
#include <span>
#include <string>
#include <string_view>

/// What the readers of swimmers' files share.
namespace supple::bake::detail {

/// A number that is one: TOML has inf and nan.
bool read_finite(TomlTable& table, std::string_view key, double& value);
bool read_vector(TomlTable& table, std::string_view key, Eigen::Vector3d& value);

/// A word among some; an error offers them.
template <class Enum>
void read_word(TomlTable& table, std::string_view key, std::span<const std::string_view> words,
               Enum& value) {
  std::string word;
  if (!table.text(key, word)) return;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == word) {
      value = static_cast<Enum>(i);
      return;
    }
  }
  const std::vector<std::string> known(words.begin(), words.end());
  table.fail_at(key, bad_input(fmt::format("{} is \"{}\"{}; it must be one of {}", key, word,
                                           did_you_mean(word, known), fmt::join(known, ", "))));
}

/// The key whose value alone makes `valid` fail like this; "" if only several together do. `read`
/// makes the settings of a table.
template <class Read>
std::string culprit(const TomlTable& table, const Error& error, Read read) {
  for (const std::string& key : table.keys()) {
    const auto valid = table.alone(key, read).validate();
    if (!valid.ok() && valid.error().describe() == error.describe()) return key;
  }
  return {};
}

/// All keys of a water table but its flow.
swim::WaterSettings read_still_water(TomlTable& table);
/// As lines of TOML, without the table's head.
std::string still_water_text(const swim::WaterSettings& water);

}  // namespace supple::bake::detail
