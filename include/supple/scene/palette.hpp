// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace supple::scene {

/// One thing that a user can do to a scene: an impulse, and the forcing that lasts from then until
/// the next one [JF03 section 3.1]. What both are is the simulator's business; here they have a
/// name and a number.
struct Entry {
  std::string name;
  std::string key = {};  ///< on a keyboard, one character; "": none
  /// Strengths at which it is sampled, ascending and above 0; play interpolates between them.
  std::vector<double> strengths = {1};
  /// Names of the entries that may follow it; empty: all.
  std::vector<std::string> followed_by = {};
  bool from_rest = true;  ///< whether it may be the first
  bool free = false;      ///< nothing acts after its impulse
};

/// All entries, with their rules as numbers.
class Palette {
 public:
  /// Refuses an empty palette, names or keys that repeat, strengths that make no sense, rules that
  /// name unknown entries, and entries that can never be reached.
  [[nodiscard]] static Result<Palette> create(std::vector<Entry> entries);

  [[nodiscard]] const std::vector<Entry>& entries() const { return m_entries; }
  [[nodiscard]] std::size_t size() const { return m_entries.size(); }
  /// Numbers of the entries that may follow `entry`, ascending.
  [[nodiscard]] const std::vector<std::size_t>& after(std::size_t entry) const {
    return m_after[entry];
  }
  /// Numbers of the entries that may be the first, ascending.
  [[nodiscard]] const std::vector<std::size_t>& first() const { return m_first; }
  [[nodiscard]] bool may_follow(std::size_t entry, std::size_t next) const;
  /// Whether both are the same once their impulses are over: what acts then, and what may follow.
  [[nodiscard]] bool alike(std::size_t entry, std::size_t other) const;
  /// Per entry: how many entries have to act after it until `goal` does; 1: it may follow. Where no
  /// way leads there, more than there are entries.
  [[nodiscard]] std::vector<std::size_t> steps_to(std::size_t goal) const;

 private:
  std::vector<Entry> m_entries;
  std::vector<std::vector<std::size_t>> m_after;
  std::vector<std::size_t> m_first;
};

}  // namespace supple::scene
