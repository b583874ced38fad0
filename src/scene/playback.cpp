// SPDX-License-Identifier: Apache-2.0
#include "supple/scene/playback.hpp"

#include "scene/half_life.hpp"

#include "supple/core/check.hpp"
#include "supple/core/random.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace supple::scene {

Playback::Playback(const soft::SceneTraits& scene, Blend blend)
    : m_scene(scene),
      m_blend(blend),
      m_size(scene.q.size() > 0 ? std::sqrt(scene.q.colwise().squaredNorm().maxCoeff()) : 0) {
  std::size_t first = 0;
  for (const soft::SceneResponse& response : scene.responses) {
    m_first_state.push_back(first);
    first += response.states;
  }
  reset();
}

void Playback::reset() {
  m_track = {};
  m_frame = 0;
  m_offset = m_offset_velocity = Eigen::VectorXd::Zero(m_scene.q.rows());
}

void Playback::place(std::uint32_t response, std::uint32_t frame) {
  reset();
  m_track.response = response;
  m_frame = frame;
}

std::uint32_t Playback::last(std::uint32_t response) const {
  return m_scene.responses[response].states - 1;
}

/// Slopes of the second order, per frame: central ones inside, one-sided at both ends.
Playback::Point Playback::knot(std::uint32_t response, std::uint32_t frame) const {
  const std::uint32_t end = last(response);
  const auto at = [&](std::uint32_t f) {
    return m_scene.q.col(static_cast<Eigen::Index>(m_first_state[response] + f));
  };
  if (end < 2) return {at(frame), at(1) - at(0)};
  if (frame == 0) return {at(0), 2 * at(1) - 1.5 * at(0) - 0.5 * at(2)};
  if (frame == end) return {at(end), 1.5 * at(end) - 2 * at(end - 1) + 0.5 * at(end - 2)};
  return {at(frame), 0.5 * (at(frame + 1) - at(frame - 1))};
}

/// Cubic between states; beyond its end a response stays there.
Playback::Point Playback::curve_of(std::uint32_t response, double frame) const {
  const std::uint32_t end = last(response);
  const double per_second = 1 / m_scene.frame_seconds;
  if (frame >= end) {
    Point point = knot(response, end);
    point.v *= m_scene.responses[response].rests ? 0 : per_second;
    return point;
  }
  const auto whole = static_cast<std::uint32_t>(frame);
  const double t = frame - whole;
  const Point a = knot(response, whole);
  const Point b = knot(response, whole + 1);
  const Eigen::VectorXd rise = b.q - a.q;
  const Eigen::VectorXd c2 = 3 * rise - 2 * a.v - b.v;
  const Eigen::VectorXd c3 = a.v + b.v - 2 * rise;
  return {a.q + t * (a.v + t * (c2 + t * c3)), per_second * (a.v + t * (2 * c2 + 3 * t * c3))};
}

Playback::Point Playback::curve(const Track& track, double frame) const {
  if (track.response == kNone) {
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(m_scene.q.rows());
    return {zero, zero};
  }
  Point point = curve_of(track.response, frame);
  if (track.stronger != kNone) {
    const Point other = curve_of(track.stronger, frame);
    point.q += track.weight * (other.q - point.q);
    point.v += track.weight * (other.v - point.v);
  }
  return point;
}

Playback::Track Playback::track_of(std::uint32_t group, double strength) const {
  Track track{group, kNone, 0};
  for (auto next = m_scene.responses[group].stronger; next;
       next = m_scene.responses[*next].stronger) {
    const double low = m_scene.responses[track.response].strength;
    const double high = m_scene.responses[*next].strength;
    if (strength <= low) break;
    if (strength < high) {
      track.stronger = *next;
      track.weight = (strength - low) / (high - low);
      break;
    }
    track.response = *next;
  }
  return track;
}

std::size_t Playback::row() const {
  if (m_track.response == kNone) return static_cast<std::size_t>(m_scene.q.cols());
  return m_first_state[m_track.response] + nearest_frame();
}

std::uint32_t Playback::nearest_frame() const {
  if (m_track.response == kNone) return 0;
  return static_cast<std::uint32_t>(
      std::min<double>(last(m_track.response), std::floor(m_frame + 0.5)));
}

std::vector<std::uint32_t> Playback::allowed() const {
  std::vector<std::uint32_t> entries;
  for (std::uint32_t e = 0; e < m_scene.palette.size(); ++e) {
    if (m_scene.next[row() * m_scene.palette.size() + e]) entries.push_back(e);
  }
  return entries;
}

double Playback::rate() const {
  return (m_blend == Blend::Smooth ? kHalfOfCritical : std::log(2.0)) / m_scene.half_life;
}

void Playback::go_over(const Track& track, double frame, const Eigen::VectorXd* before,
                       std::uint32_t entry) {
  Passage passage;
  passage.response = m_track.response;
  passage.frame = nearest_frame();
  passage.entry = entry;
  const Point from = curve(m_track, m_frame);
  const Point to = curve(track, frame);
  const Eigen::VectorXd& stands_for = before != nullptr ? *before : to.v;
  const Eigen::VectorXd velocity_before = velocity();
  m_offset += from.q - to.q;
  m_offset_velocity += from.v - stands_for;
  m_track = track;
  m_frame = frame;
  passage.blend = off();
  const double speed = m_scene.beta > 0 ? m_size / std::sqrt(m_scene.beta) : 0;
  const double change = (velocity() - velocity_before - (to.v - stands_for)).norm();
  passage.jump = speed > 0 ? change / speed : 0;
  m_passages.push_back(passage);
}

void Playback::trigger(std::uint32_t entry, double strength) {
  const std::optional<std::uint32_t> group = m_scene.next[row() * m_scene.palette.size() + entry];
  SUPPLE_CHECK(group.has_value());
  answer(*group, strength);
}

void Playback::answer(std::uint32_t group, double strength) {
  const soft::SceneResponse& response = m_scene.responses[group];
  go_over(track_of(group, strength), 0, &response.origin_velocity, response.entry);
}

void Playback::advance(double seconds) {
  if (m_track.response != kNone) m_frame += seconds / m_scene.frame_seconds;
  for (std::size_t hops = 0; hops <= m_scene.responses.size(); ++hops) {
    if (m_track.response == kNone) break;
    const auto& onward = m_scene.responses[m_track.response].onward;
    const double beyond = m_frame - last(m_track.response);
    if (beyond <= 0 || !onward) break;
    m_frame = last(m_track.response);
    go_over({(*onward)[0], kNone, 0}, (*onward)[1], nullptr, kNone);
    m_frame += beyond;
  }
  fade(seconds);
}

/// o'' + 2 l o' + l^2 o = 0, exactly, or [JF03 eq. 12].
void Playback::fade(double seconds) {
  const double decay = std::exp(-rate() * seconds);
  if (m_blend == Blend::Paper) {
    m_offset *= decay;
    m_offset_velocity = -rate() * m_offset;
    return;
  }
  const Eigen::VectorXd slope = m_offset_velocity + rate() * m_offset;
  m_offset = decay * (m_offset + seconds * slope);
  m_offset_velocity = decay * (m_offset_velocity - rate() * seconds * slope);
}

Eigen::VectorXd Playback::sample() const {
  return curve(m_track, m_frame).q;
}

Eigen::VectorXd Playback::position() const {
  return sample() + m_offset;
}

Eigen::VectorXd Playback::velocity() const {
  const Eigen::VectorXd track = curve(m_track, m_frame).v;
  // The paper's offset has the slope of its own curve, whatever the velocities were.
  if (m_blend == Blend::Paper) return track - rate() * m_offset;
  return track + m_offset_velocity;
}

double Playback::off() const {
  const double squared = m_offset.squaredNorm() + m_scene.beta * m_offset_velocity.squaredNorm();
  return m_size > 0 ? std::sqrt(squared) / m_size : 0;
}

bool Playback::at_rest() const {
  if (m_track.response == kNone) return true;
  return m_scene.responses[m_track.response].rests && m_frame >= last(m_track.response);
}

PlayFigures play_at_random(const soft::SceneTraits& scene, Blend blend,
                           const RandomPlay& settings) {
  Playback playback(scene, blend);
  Random random(settings.seed);
  PlayFigures figures;
  for (std::size_t i = 0; i < settings.triggers; ++i) {
    if (settings.sequence > 0 && i % settings.sequence == 0) playback.reset();
    const std::vector<std::uint32_t> allowed = playback.allowed();
    if (allowed.empty()) break;  // the rules lead to an end
    const std::uint32_t entry = allowed[random.below(allowed.size())];
    const soft::PaletteEntry& record = scene.palette[entry];
    playback.trigger(entry, random.uniform(record.weakest, record.strongest));
    const std::size_t frames =
        settings.shortest + random.below(settings.longest - settings.shortest + 1);
    for (std::size_t f = 0; f < frames; ++f) {
      playback.advance(scene.frame_seconds);
      figures.off.push_back(playback.off());
    }
  }
  figures.passages = playback.passages();
  return figures;
}

}  // namespace supple::scene
