// SPDX-License-Identifier: Apache-2.0
#include "supple/swim/warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace supple::swim {
namespace {

/// kg/m^3, mass over displaced water. People have 940 to 1100, depending on lungs and build.
constexpr double kLeastDensity = 900;
constexpr double kMostDensity = 1100;

/// kg/m^3, mass over the boxes around the segments, which are larger than the body: ours, 1.73 m
/// and 75 kg, has 770. The limits are about the thinnest and the heaviest people of that height, 40
/// and 190 kg.
constexpr double kLeastPacked = 400;
constexpr double kUsualPacked = 770;
constexpr double kMostPacked = 2000;

/// Body lengths per second. The paper's stroke, the slowest known to us, has 0.05.
constexpr double kLeastLengths = 0.02;
constexpr double kUpright = 45;  ///< degrees of the trunk: beyond this the swimmer treads water

std::string wrong_size(const Body& body) {
  double room = 0;
  for (const Segment& segment : body.segments) room += segment.size.prod();
  const double density = body.mass() / room;
  if (density >= kLeastPacked && density <= kMostPacked) return {};
  const double fitting = kUsualPacked * room;
  return fmt::format(
      "the body has {:.4g} kg in segments with boxes of {:.3g} litres, {:.0f} kg/m3, whereas "
      "people have {:g} to {:g}: {}; give {:.{}f} kg for this size, or {:.2g} times the height for "
      "this mass",
      body.mass(), 1000 * room, density, kLeastPacked, kMostPacked,
      density > kMostPacked ? "its hands and feet are too small to push such a mass"
                            : "the water stops such a light body at once",
      fitting, fitting < 10 ? 2 : 0, std::cbrt(density / kUsualPacked));
}

std::string wrong_density(const Body& body) {
  double displaced = 0;
  for (const Segment& segment : body.segments) displaced += segment.volume;
  const bool sinks = body.mass() > kMostDensity * displaced;
  if (!sinks && body.mass() >= kLeastDensity * displaced) return {};
  const std::string density = displaced > 0 ? fmt::format("{:.4g} kg/m3", body.mass() / displaced)
                                            : std::string("no volume that displaces water");
  return fmt::format(
      "the body has {}, whereas people have {:g} to {:g} kg/m3: it {}; give a 'buoyancy' near 1 in "
      "the body's file",
      density, kLeastDensity, kMostDensity, sinks ? "sinks like a stone" : "floats like a cork");
}

/// "target 2 at (0, -2, 8) (nearest 0.62 m, reach 0.5 m)"
std::string missed_target(const Target& target, const TargetOutcome& outcome, std::size_t number) {
  const Eigen::Vector3d& p = target.position;
  std::string text = fmt::format("target {} at ({:g}, {:g}, {:g})", number, p.x(), p.y(), p.z());
  if (!std::isfinite(outcome.nearest)) return text + " (not attempted)";
  const bool turned = outcome.nearest <= target.reach;
  return text + fmt::format(" (nearest {:.2f} m, reach {:g} m{})", outcome.nearest, target.reach,
                            turned ? ", but with the wrong heading" : "");
}

/// m/s, mean over the run of the water at the centre of mass.
Eigen::Vector3d mean_current(const Recording& recording, const WaterSettings& water) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  if (!water.flow || recording.frames.empty()) return sum;
  for (const Recording::Frame& frame : recording.frames) {
    sum += water.flow->velocity(frame.centre, frame.time);
  }
  return sum / static_cast<double>(recording.frames.size());
}

std::string faster_river(double current, double own_speed) {
  return fmt::format("the water flows at {:.2f} m/s and the swimmer swims at {:.2f} m/s", current,
                     std::max(0.0, own_speed));
}

}  // namespace

std::string surface_warning(const WaterSettings& water) {
  if (!water.surface || water.gravity > 0) return {};
  return "the water has a surface but no gravity: a swimmer that leaves the water never falls "
         "back; set gravity = 9.81 next to 'surface' in the water's file, or omit 'surface'";
}

std::string course_warning(const Recording& recording, const Course& course,
                           const WaterSettings& water, double own_speed) {
  constexpr std::size_t kNamed = 3;
  constexpr double kAlmost =
      3;  // times the reach: for targets missed by this little, suggest a larger reach
  std::size_t missed = 0;
  bool close = false;
  bool carried_off = false;
  const Eigen::Vector3d current = mean_current(recording, water);
  std::string names;
  for (std::size_t i = 0; i < std::min(course.targets.size(), recording.targets.size()); ++i) {
    const TargetOutcome& outcome = recording.targets[i];
    if (outcome.reached > 0) continue;
    close = close || outcome.nearest < kAlmost * course.targets[i].reach;
    const Eigen::Vector3d way = course.targets[i].position - recording.frames.back().centre;
    carried_off = carried_off || (std::isfinite(outcome.nearest) && current.norm() > own_speed &&
                                  cross_current(way.normalized(), current, own_speed).speed <= 0);
    if (missed++ < kNamed) {
      names += (names.empty() ? "" : ", ") + missed_target(course.targets[i], outcome, i + 1);
    }
  }
  if (missed == 0) return {};
  if (missed > kNamed) names += fmt::format(" and {} more", missed - kNamed);
  if (carried_off) {
    return fmt::format(
        "the river is faster than the swimmer, which cannot get to {}: {}; choose a faster stroke, "
        "a slower flow or targets downstream",
        names, faster_river(current.norm(), own_speed));
  }
  return fmt::format("not reached in {:.4g} s: {}; {}allow more 'seconds'", recording.duration(),
                     names, close ? "give a larger 'reach' in the course's file, or " : "");
}

std::vector<std::string> body_warnings(const Body& body, const WaterSettings& water) {
  std::vector<std::string> warnings{wrong_size(body)};
  if (water.gravity > 0) warnings.push_back(wrong_density(body));
  std::erase(warnings, std::string());
  return warnings;
}

std::string obstacle_warning(const Recording& recording, const Body& body) {
  const double wanted = body.width() / 2;
  std::string names;
  for (std::size_t k = 0; k < recording.clearances.size(); ++k) {
    const double least = recording.clearances[k];
    if (least >= wanted) continue;
    names += fmt::format("{}obstacle {} {}", names.empty() ? "" : ", ", k + 1,
                         least > 0 ? fmt::format("at {:.2f} m", least) : "touching it");
  }
  if (names.empty()) return {};
  return fmt::format(
      "the swimmer passes {}, nearer than half its width ({:.2f} m): move the start or the targets "
      "farther away, or choose a stroke that turns faster",
      names, wanted);
}

std::string current_warning(const Recording& recording, const WaterSettings& water,
                            const SwimReport& report) {
  const double current = mean_current(recording, water).norm();
  if (report.mean_speed_mps <= 0 || current <= report.mean_speed_mps) return {};
  const bool back = report.ahead_m < 0;
  const bool aside = std::abs(report.right_m) > std::abs(report.ahead_m);
  if (!back && !aside) return {};
  return fmt::format(
      "the river is faster than the swimmer and carries it {}: {}; choose a faster "
      "stroke or a slower flow",
      back ? "back" : "aside", faster_river(current, report.mean_speed_mps));
}

std::string drift_warning(const SwimReport& report, double seconds, bool steered, bool steers) {
  // Held courses stay within these, and so do straight strokes.
  constexpr double kFar = 1;      // m
  constexpr double kTurned = 30;  // degrees
  const double off = std::max(std::abs(report.right_m), std::abs(report.up_m));
  const bool lies = std::abs(report.pitch_deg) < kUpright;
  if (off < kFar && !(lies && std::abs(report.turned_deg) > kTurned)) return {};
  const char* remedy = "shorten the run, or check the body and the water";
  if (!steers) {
    remedy =
        "it cannot be steered; 'supple swim turns' finds perturbations with which it holds "
        "course and depth";
  } else if (!steered) {
    remedy = "let it hold course and depth instead of swimming free";
  }
  return fmt::format(
      "the swimmer drifts: {:.1f} m to the {} and {:.1f} m {} in {:.4g} s, turned by {:.0f} "
      "degrees; "
      "{}",
      std::abs(report.right_m), report.right_m < 0 ? "left" : "right", std::abs(report.up_m),
      report.up_m < 0 ? "down" : "up", seconds, std::abs(report.turned_deg), remedy);
}

std::string slower_warning(double speed, double made_for_speed, const std::string& tuning) {
  constexpr double kAlike = 0.95;
  if (!(made_for_speed > 0) || speed >= kAlike * made_for_speed) return {};
  return fmt::format(
      "this body swims the stroke at {:.2f} m/s, {:.0f} % slower than the body it was made for "
      "({:.2f} m/s); tune it with '{}'",
      speed, 100 * (1 - speed / made_for_speed), made_for_speed, tuning);
}

std::string progress_warning(const SwimReport& report, double height) {
  const bool whole_cycles = report.strokes_per_min > 0;
  if (!whole_cycles || std::abs(report.pitch_deg) > kUpright) return {};
  const double lengths = report.mean_speed_mps / height;
  if (lengths >= kLeastLengths) return {};
  return fmt::format(
      "the swimmer {}: {:.2g} m/s is {:.2g} body lengths per second, and swimming takes at least "
      "{:g}; check the stroke ('supple swim optimise' finds better ones), the body and the water",
      lengths < -kLeastLengths ? "goes backwards" : "makes no headway", report.mean_speed_mps,
      lengths, kLeastLengths);
}

}  // namespace supple::swim
