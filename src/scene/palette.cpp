// SPDX-License-Identifier: Apache-2.0
#include "supple/scene/palette.hpp"

#include "supple/core/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace supple::scene {
namespace {

/// As many as fit into the bits of a rule in the player's file.
constexpr std::size_t kMostEntries = 64;

Result<void> check_strengths(const Entry& entry) {
  if (entry.strengths.empty()) {
    return bad_input(fmt::format("entry '{}' has no strength; give at least one", entry.name));
  }
  double last = 0;
  for (const double strength : entry.strengths) {
    if (!std::isfinite(strength) || strength <= last) {
      return bad_input(
          fmt::format("entry '{}': strengths must be above 0 and ascend, and {} comes after {}",
                      entry.name, strength, last));
    }
    last = strength;
  }
  return {};
}

Result<void> check_names(const std::vector<Entry>& entries) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].name.empty()) return bad_input(fmt::format("entry {} has no name", i + 1));
    for (std::size_t j = 0; j < i; ++j) {
      if (entries[i].name == entries[j].name) {
        return bad_input(fmt::format("two entries are called '{}'", entries[i].name));
      }
      if (!entries[i].key.empty() && entries[i].key == entries[j].key) {
        return bad_input(fmt::format("entries '{}' and '{}' have the same key, '{}'",
                                     entries[j].name, entries[i].name, entries[i].key));
      }
    }
  }
  return {};
}

Result<std::size_t> entry_called(const std::vector<Entry>& entries, const std::string& name,
                                 const std::string& asked_by) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].name == name) return i;
    names.push_back(entries[i].name);
  }
  return bad_input(fmt::format("entry '{}' is to be followed by '{}', which does not exist{}",
                               asked_by, name, did_you_mean(name, names)));
}

}  // namespace

Result<Palette> Palette::create(std::vector<Entry> entries) {
  if (entries.empty()) {
    return bad_input("the palette is empty: a scene needs at least one entry to be played with");
  }
  if (entries.size() > kMostEntries) {
    return bad_input(
        fmt::format("the palette has {} entries; at most {}", entries.size(), kMostEntries));
  }
  SUPPLE_TRY_VOID(check_names(entries));
  Palette palette;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    SUPPLE_TRY_VOID(check_strengths(entries[i]));
    std::vector<std::size_t> after;
    for (const std::string& name : entries[i].followed_by) {
      SUPPLE_TRY(const std::size_t next, entry_called(entries, name, entries[i].name));
      after.push_back(next);
    }
    if (after.empty()) {
      for (std::size_t j = 0; j < entries.size(); ++j) after.push_back(j);
    }
    std::sort(after.begin(), after.end());
    after.erase(std::unique(after.begin(), after.end()), after.end());
    palette.m_after.push_back(std::move(after));
    if (entries[i].from_rest) palette.m_first.push_back(i);
  }
  if (palette.m_first.empty()) {
    return bad_input("no entry may be the first; set from_rest = true on at least one");
  }
  std::vector<std::size_t> reached = palette.m_first;
  for (std::size_t k = 0; k < reached.size(); ++k) {
    for (const std::size_t next : palette.m_after[reached[k]]) {
      if (std::find(reached.begin(), reached.end(), next) == reached.end()) reached.push_back(next);
    }
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (std::find(reached.begin(), reached.end(), i) != reached.end()) continue;
    return bad_input(fmt::format(
        "entry '{}' can never act: it may not be the first, and no entry before it allows it in "
        "followed_by",
        entries[i].name));
  }
  palette.m_entries = std::move(entries);
  return palette;
}

bool Palette::may_follow(std::size_t entry, std::size_t next) const {
  return std::binary_search(m_after[entry].begin(), m_after[entry].end(), next);
}

bool Palette::alike(std::size_t entry, std::size_t other) const {
  if (entry == other) return true;
  return m_entries[entry].free && m_entries[other].free && m_after[entry] == m_after[other];
}

std::vector<std::size_t> Palette::steps_to(std::size_t goal) const {
  std::vector<std::size_t> steps(size(), size() + 1);
  for (std::size_t round = 1; round <= size(); ++round) {
    for (std::size_t e = 0; e < size(); ++e) {
      if (steps[e] <= size()) continue;
      const bool leads = std::any_of(m_after[e].begin(), m_after[e].end(), [&](std::size_t next) {
        return round == 1 ? next == goal : steps[next] == round - 1;
      });
      if (leads) steps[e] = round;
    }
  }
  return steps;
}

}  // namespace supple::scene
