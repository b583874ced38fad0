// SPDX-License-Identifier: Apache-2.0
#include "samples/shell_dancer_clip.hpp"

#include "samples/curves.hpp"
#include "samples/shell_parts.hpp"

#include <Eigen/Geometry>

#include <cmath>

namespace supple::samples::dancer {
namespace {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using geometry::Vec3;

constexpr double kSeconds = 8;

const Vec3 kHips{0, 0.86, 0};
const Vec3 kChest{0, 1.16, 0};
const Vec3 kHead{0, 1.42, 0};
const Vec3 kFoot{0.125, 0.09, 0};  ///< the left ankle

double sine_wave(double cycles, double phase = 0) {
  return std::sin(kTwoPi * (cycles + phase));
}

/// 1 between the two times with soft flanks of `soft` seconds.
double during(double t, double from, double to, double soft) {
  return smooth_step(from, from + soft, t) * smooth_step(to, to - soft, t);
}

Quaterniond turn(double pitch, double yaw, double roll) {
  return AngleAxisd(yaw, Vec3::UnitY()) * AngleAxisd(pitch, Vec3::UnitX()) *
         AngleAxisd(roll, Vec3::UnitZ());
}

/// The dancer's state in the dance. Beats last half a second; the weight shifts from side to side
/// every second beat.
struct Moment {
  explicit Moment(double time)
      : t(time),
        spin(during(time, 4.0, 6.0, 0.4)),
        side(sine_wave(time / 2)),
        bounce(0.5 - 0.5 * std::cos(kTwoPi * 2 * time)),
        bow(during(time, 6.1, 7.9, 0.5)) {}
  double t;
  double spin;    ///< 1 while turning on the spot
  double side;    ///< weight: 1 on the left foot, -1 on the right
  double bounce;  ///< 0 on the beat, 1 between beats
  double bow;     ///< 1 in the bow at the end
};

Vec3 hips_shift(const Moment& m) {
  return {0.075 * (1 - m.spin) * m.side, -0.025 - 0.045 * m.bounce * (1 - 0.5 * m.spin),
          0.02 * sine_wave(m.t / 4) - 0.07 * m.bow};
}

/// A foot, 0 the left: it steps out while the weight is on the other.
void add_foot(const Moment& m, int foot, io::SkinnedTrack& track) {
  const double own = foot == 0 ? 1 : -1;
  const double free = smooth_step(0.15, 0.85, -own * m.side) * (1 - m.spin);
  const double tap = free * (0.055 + 0.045 * sine_wave(m.t, 0.25));
  // On the spot the feet tread in turn.
  const double tread = m.spin * 0.075 * std::max(0.0, sine_wave(m.t * 2, foot == 0 ? 0 : 0.5));
  Vec3 at(own * kFoot.x() + own * 0.070 * free, kFoot.y() + tap + tread,
          0.10 * free * (m.t > 2 && m.t < 4 ? 1 : 0.35) * sine_wave(m.t / 2, 0.1));
  track.translations.push_back(at);
  track.rotations.push_back(turn(0.35 * free + 1.6 * tread, own * (0.25 + 0.25 * free), 0));
}

}  // namespace

std::vector<io::SkinnedBone> skeleton() {
  const Quaterniond none = Quaterniond::Identity();
  const Vec3 right(-kFoot.x(), kFoot.y(), kFoot.z());
  return {{"Root", {}, Vec3::Zero(), none},      {"Hips", Root, kHips, none},
          {"Chest", Hips, kChest - kHips, none}, {"Head", Chest, kHead - kChest, none},
          {"LeftFoot", Root, kFoot, none},       {"RightFoot", Root, right, none}};
}

io::SkinnedClip dance() {
  return make_shell_clip(
      "dance", kSeconds, {Root, Hips, Chest, Head, LeftFoot, RightFoot},
      [](double t, io::SkinnedClip& clip) {
        const Moment m(t);
        const double bow = m.bow;
        // One whole turn; at its end the dancer looks ahead again.
        const double yaw = kTwoPi * smooth_step(4.1, 5.9, t);
        clip.tracks[Root].rotations.push_back(turn(0, yaw, 0));
        clip.tracks[Root].translations.emplace_back(0.12 * sine_wave(t / 8), 0,
                                                    0.08 * sine_wave(t / 4));
        clip.tracks[Hips].translations.push_back(kHips + hips_shift(m));
        clip.tracks[Hips].rotations.push_back(
            turn(0.30 * bow, 0.30 * sine_wave(t / 2, 0.06) * (1 - m.spin), -0.11 * m.side));
        clip.tracks[Chest].translations.push_back(kChest - kHips);
        clip.tracks[Chest].rotations.push_back(turn(0.03 + 0.03 * sine_wave(2 * t) + 0.10 * bow,
                                                    -0.16 * sine_wave(t / 2, 0.02) * (1 - m.spin),
                                                    0.09 * m.side));
        clip.tracks[Head].translations.push_back(kHead - kChest);
        clip.tracks[Head].rotations.push_back(turn(0.07 * sine_wave(2 * t, 0.2) + 0.25 * bow,
                                                   0.35 * sine_wave(t / 4),
                                                   -0.20 * sine_wave(t / 2, 0.1)));
        add_foot(m, 0, clip.tracks[LeftFoot]);
        add_foot(m, 1, clip.tracks[RightFoot]);
      });
}

}  // namespace supple::samples::dancer
