// SPDX-License-Identifier: Apache-2.0
// How a scene moves through its portrait [JF03 section 5], with offsets that keep velocities too.
#include "scene.hpp"

#include "elementary.hpp"

namespace supple::player {
namespace {

/// (1 + x) exp(-x) = 1/2.
constexpr double kHalfOfCritical = 1.6783469900166605;
constexpr double kLn2 = 0.69314718055994531;

/// q of a state, and its slope per frame.
struct Knot {
  double q, slope;
};

/// Differences of the second order: central ones inside, one-sided at both ends.
Knot knot(const SceneView& view, std::uint32_t response, std::uint32_t frame, std::uint32_t mode) {
  const std::uint32_t last = view.last(response);
  const double scale = view.scales[mode];
  const auto at = [&](std::uint32_t f) {
    return static_cast<double>(view.state(response, f)[mode]);
  };
  double slope = 0;
  if (last < 2) {
    slope = at(1) - at(0);
  } else if (frame == 0) {
    slope = 2 * at(1) - 1.5 * at(0) - 0.5 * at(2);
  } else if (frame == last) {
    slope = 1.5 * at(last) - 2 * at(last - 1) + 0.5 * at(last - 2);
  } else {
    slope = 0.5 * (at(frame + 1) - at(frame - 1));
  }
  return {scale * at(frame), scale * slope};
}

/// One response; beyond its end it stays there.
CurvePoint curve_of(const SceneView& view, std::uint32_t response, double frame,
                    std::uint32_t mode) {
  const std::uint32_t last = view.last(response);
  const double rate = 1 / view.scene->frame_seconds;
  if (frame >= last) {
    const Knot end = knot(view, response, last, mode);
    return {end.q, view.responses[response].rests != 0 ? 0.0 : rate * end.slope};
  }
  const auto whole = static_cast<std::uint32_t>(frame);
  const double t = frame - whole;
  const Knot a = knot(view, response, whole, mode);
  const Knot b = knot(view, response, whole + 1, mode);
  const double rise = b.q - a.q;
  const double c2 = 3 * rise - 2 * a.slope - b.slope;
  const double c3 = a.slope + b.slope - 2 * rise;
  return {a.q + t * (a.slope + t * (c2 + t * c3)), rate * (a.slope + t * (2 * c2 + 3 * t * c3))};
}

/// Where in the table of next responses the scene is: the nearest state.
std::size_t row_of(const SceneState& state) {
  const SceneView& view = state.view;
  if (state.track.response == format::kNone) return view.scene->state_count;
  const std::uint32_t last = view.last(state.track.response);
  const double rounded = state.frame + 0.5;
  const std::uint32_t frame = rounded >= last ? last : static_cast<std::uint32_t>(rounded);
  return view.responses[state.track.response].first_state + frame;
}

/// The responses on both sides of a strength, from the weakest of a group on.
Track track_of(const SceneView& view, std::uint32_t group, double strength) {
  Track track{group, format::kNone, 0};
  for (std::uint32_t next = view.responses[group].stronger; next != format::kNone;
       next = view.responses[next].stronger) {
    const double low = view.responses[track.response].strength;
    const double high = view.responses[next].strength;
    if (strength <= low) break;
    if (strength < high) {
      track.stronger = next;
      track.weight = (strength - low) / (high - low);
      break;
    }
    track.response = next;
  }
  return track;
}

/// Squared distance in phase space of what an offset of this position and velocity is.
double squared(const SceneView& view, double q, double v) {
  return q * q + view.scene->beta * v * v;
}

}  // namespace

CurvePoint curve(const SceneView& view, const Track& track, double frame, std::uint32_t mode) {
  if (track.response == format::kNone) return {};
  CurvePoint point = curve_of(view, track.response, frame, mode);
  if (track.stronger != format::kNone) {
    const CurvePoint other = curve_of(view, track.stronger, frame, mode);
    point.q += track.weight * (other.q - point.q);
    point.v += track.weight * (other.v - point.v);
  }
  return point;
}

std::uint64_t allowed_entries(const SceneState& state) {
  const std::uint16_t* next = state.view.next + row_of(state) * state.view.scene->entry_count;
  std::uint64_t bits = 0;
  for (std::uint32_t e = 0; e < state.view.scene->entry_count; ++e) {
    if (next[e] != format::kNoResponse) bits |= std::uint64_t{1} << e;
  }
  return bits;
}

bool at_rest(const SceneState& state) {
  const std::uint32_t response = state.track.response;
  if (response == format::kNone) return true;
  return state.view.responses[response].rests != 0 && state.frame >= state.view.last(response);
}

double distance_off(const SceneState& state) {
  double sum = 0;
  for (std::uint32_t k = 0; k < state.view.modes; ++k) {
    sum += squared(state.view, state.offset[k], state.offset_velocity[k]);
  }
  return state.view.scene->size > 0 ? __builtin_sqrt(sum) / state.view.scene->size : 0;
}

void go_over(SceneState& state, const Track& track, double frame, const float* before) {
  const SceneView& view = state.view;
  for (std::uint32_t k = 0; k < view.modes; ++k) {
    const CurvePoint from = curve(view, state.track, state.frame, k);
    const CurvePoint to = curve(view, track, frame, k);
    state.offset[k] += from.q - to.q;
    state.offset_velocity[k] += from.v - (before != nullptr ? before[k] : to.v);
  }
  state.track = track;
  state.frame = frame;
  state.last_blend = distance_off(state);
  ++state.transitions;
}

void trigger(SceneState& state, std::uint32_t entry, double strength) {
  const SceneView& view = state.view;
  const std::uint16_t group = view.next[row_of(state) * view.scene->entry_count + entry];
  const float* before = view.origin_velocities + std::size_t{group} * view.modes;
  go_over(state, track_of(view, group, strength), 0, before);
  state.entry = entry;
}

/// Offsets follow o'' + 2 l o' + l^2 o = 0 exactly: o = (o0 + (o0' + l o0) t) exp(-l t), so that
/// nothing depends on the frame rate. [JF03 eq. 12] is o0 exp(-l t).
void advance(SceneState& state, double dt) {
  const SceneView& view = state.view;
  if (state.track.response != format::kNone) state.frame += dt / view.scene->frame_seconds;
  // A frame of many seconds may pass several responses; each has at least one frame.
  for (std::uint32_t hops = 0; hops <= view.scene->response_count; ++hops) {
    const std::uint32_t response = state.track.response;
    if (response == format::kNone) break;
    const double beyond = state.frame - view.last(response);
    const format::Response& file = view.responses[response];
    if (beyond <= 0 || file.onward == format::kNone) break;
    state.frame = view.last(response);
    go_over(state, {file.onward, format::kNone, 0}, file.onward_frame, nullptr);
    state.frame += beyond;
  }
  const bool smooth = state.settings.blend == SUPPLE_BLEND_SMOOTH;
  const double rate = (smooth ? kHalfOfCritical : kLn2) / state.settings.half_life;
  // Beyond that nothing is left but rounding, and products of the largest steps overflow.
  constexpr double kGone = 700;
  if (!(rate * dt < kGone)) {
    for (std::uint32_t k = 0; k < view.modes; ++k) state.offset[k] = state.offset_velocity[k] = 0;
    return;
  }
  const double decay = exp_of_negative(-rate * dt);
  for (std::uint32_t k = 0; k < view.modes; ++k) {
    const double o = state.offset[k];
    const double slope = state.offset_velocity[k] + rate * o;
    state.offset[k] = smooth ? decay * (o + slope * dt) : decay * o;
    state.offset_velocity[k] =
        smooth ? decay * (state.offset_velocity[k] - rate * slope * dt) : -rate * decay * o;
  }
}

}  // namespace supple::player
