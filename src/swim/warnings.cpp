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

}  // namespace

std::string surface_warning(const WaterSettings& water) {
  if (!water.surface || water.gravity > 0) return {};
  return "the water has a surface but no gravity: a swimmer that leaves the water never falls "
         "back; set gravity = 9.81 next to 'surface' in the water's file, or omit 'surface'";
}

std::string course_warning(const Recording& recording, const Course& course) {
  constexpr std::size_t kNamed = 3;
  constexpr double kAlmost =
      3;  // times the reach: for targets missed by this little, suggest a larger reach
  std::size_t missed = 0;
  bool close = false;
  std::string names;
  for (std::size_t i = 0; i < std::min(course.targets.size(), recording.targets.size()); ++i) {
    const TargetOutcome& outcome = recording.targets[i];
    if (outcome.reached > 0) continue;
    close = close || outcome.nearest < kAlmost * course.targets[i].reach;
    if (missed++ < kNamed) {
      names += (names.empty() ? "" : ", ") + missed_target(course.targets[i], outcome, i + 1);
    }
  }
  if (missed == 0) return {};
  if (missed > kNamed) names += fmt::format(" and {} more", missed - kNamed);
  return fmt::format("not reached in {:.4g} s: {}; {}allow more 'seconds'", recording.duration(),
                     names, close ? "give a larger 'reach' in the course's file, or " : "");
}

std::vector<std::string> body_warnings(const Body& body, const WaterSettings& water) {
  std::vector<std::string> warnings{wrong_size(body)};
  if (water.gravity > 0) warnings.push_back(wrong_density(body));
  std::erase(warnings, std::string());
  return warnings;
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
