// SPDX-License-Identifier: Apache-2.0
#include "gallery/bake_progress.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace supple::gallery {
namespace {

// Shares of the bar, from bakes of our samples.
constexpr double kRead = 0.03;
constexpr double kBaked = 0.9;
/// Seconds per element until a part is finished: on two cores of 2020.
constexpr double kUsualPace = 3e-4;

double seconds_between(BakeProgress::Clock::time_point begin, BakeProgress::Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

/// Grows with time and slows down before the end: a part may take longer than expected.
double expected_share(double seconds, double expected) {
  constexpr double kEven = 0.8;
  const double share = seconds / std::max(expected, 1e-9);
  if (share < kEven) return share;
  return 1 - (1 - kEven) * (1 - kEven) / (share - kEven + 1 - kEven);
}

double share_of(const ProgressState& stage) {
  return stage.total > 0 ? std::clamp(stage.done / stage.total, 0.0, 1.0) : 0.0;
}

}  // namespace

void BakeProgress::add(const ProgressState& state, Clock::time_point now) {
  const auto known =
      std::find_if(m_stages.begin(), m_stages.end(),
                   [&](const ProgressState& stage) { return stage.stage == state.stage; });
  if (state.finished) {
    if (known == m_stages.end()) return;
    m_baked |= known == m_stages.begin();
    m_stages.erase(known, m_stages.end());
    return;
  }
  if (known == m_stages.end()) {
    if (m_stages.empty()) m_stage_began = m_part_began = now;
    m_stages.push_back(state);
    return;
  }
  *known = state;
  if (known == m_stages.begin()) note_part(state, now);
}

void BakeProgress::note_part(const ProgressState& stage, Clock::time_point now) {
  if (m_baked || stage.done <= m_finished) return;
  m_finished = stage.done;
  m_part_began = now;
}

BakeOutlook BakeProgress::look(Clock::time_point now) {
  BakeOutlook outlook;
  if (m_stages.empty()) {
    outlook.stage = m_baked ? "writing" : "reading";
    outlook.done = m_baked ? kBaked : 0;
  } else if (!m_baked && !m_parts.empty()) {
    outlook = look_at_parts(m_stages.front(), now);
    outlook.done = kRead + (kBaked - kRead) * outlook.done;
  } else {
    const ProgressState& stage = m_stages.front();
    outlook.stage = stage.stage;
    outlook.seconds_left = stage.seconds_left;
    outlook.done = m_baked ? kBaked + (1 - kBaked) * share_of(stage)
                           : kRead + (kBaked - kRead) * share_of(stage);
  }
  m_shown = std::max(m_shown, outlook.done);
  outlook.done = m_shown;
  return outlook;
}

BakeOutlook BakeProgress::look_at_parts(const ProgressState& stage, Clock::time_point now) const {
  double total = 0;
  std::size_t current = 0;
  for (const BakePart& part : m_parts) {
    total += part.elements;
    if (total <= m_finished + 0.5) ++current;
  }
  current = std::min(current, m_parts.size() - 1);
  const BakePart& part = m_parts[current];
  const double pace =
      m_finished > 0 ? seconds_between(m_stage_began, m_part_began) / m_finished : kUsualPace;
  const double passed = seconds_between(m_part_began, now);
  const double expected = pace * part.elements;
  const double share = expected_share(passed, expected);
  const double left = std::max(total - m_finished - part.elements, 0.0);
  BakeOutlook outlook;
  outlook.stage = fmt::format("{}: {}", stage.stage, part.name);
  outlook.part = current + 1;
  outlook.parts = m_parts.size();
  outlook.done = std::min((m_finished + share * part.elements) / std::max(total, 1.0), 1.0);
  // A part that takes longer than expected says the same of those after it.
  const double likely = std::max(pace, passed / std::max(part.elements, 1.0));
  outlook.seconds_left = likely * left + (1 - share) * std::max(expected, passed);
  return outlook;
}

}  // namespace supple::gallery
