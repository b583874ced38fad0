// SPDX-License-Identifier: Apache-2.0
#include "shell.hpp"

namespace supple::player {
namespace {

constexpr double kAir = 1.2;  // kg/m^3: what blows where nothing was said
constexpr int kBrakeIterations = 2;

/// Ten whole turns do not matter (the second wave of gusts makes 27 of them), and a float would
/// lose the rest of many.
double reduced(double phase) {
  const double tens = phase / (10 * kTwoPi);
  if (!(tens > -1e15 && tens < 1e15)) return 0;
  return 10 * kTwoPi * (tens - static_cast<double>(static_cast<std::int64_t>(tens)));
}

double density_of(const supple_wind& wind, double baked, bool blows) {
  if (wind.density >= 0) return wind.density;
  if (baked > 0) return baked;
  return blows ? kAir : 0;
}

}  // namespace

void set_medium(const supple_player& player, ShellState& shell, const FrameMotion& motion,
                PointField& field) {
  const supple_wind& wind = player.wind;
  const Vec3 velocity{wind.velocity[0], wind.velocity[1], wind.velocity[2]};
  const double speed = length(velocity);
  const bool blows = speed > 0;
  field.density = shell.density = static_cast<float>(density_of(wind, shell.medium.density, blows));
  if (!(shell.density > 0)) return;
  const Rotation turn = motion.pose.rotation;
  set(field.wind, to_frame(turn, velocity - motion.velocity));
  if (!blows) return;
  const Vec3 along = (kTwoPi / (wind.gust_size * speed)) * velocity;  // phase per metre
  set(field.ground, to_frame(turn, velocity));
  set(field.gust_direction, to_frame(turn, along));
  field.gust_phase = static_cast<float>(
      reduced(dot(along, motion.pose.position) - kTwoPi * speed / wind.gust_size * player.time));
  field.gusts = static_cast<float>(wind.gusts);
}

/// f = -D v of the mean speed v = speed + gain f. Over the step f is constant, so that its work is
/// f . v times the step's length: never above 0, whatever the step. D belongs to a speed itself;
/// taking the mean with the last one keeps heavy braking from going to and fro between two of them.
void brake(supple_player& player, std::size_t object) {
  ShellState& shell = shell_state(player, object);
  const std::size_t n = player.objects[object].settings.modes;
  const BrakeRows& rows = shell.commons->brake;
  const MediumRows& medium = shell.in_medium;
  double* matrix = shell.commons->matrix;
  double* x = rows.force;
  for (std::size_t k = 0; k < n; ++k) rows.gain[k] = __builtin_sqrt(rows.gain[k]);
  for (int i = 0; i < kBrakeIterations; ++i) {
    for (std::size_t k = 0; k < n; ++k) shell.point_q_dot[k] = static_cast<float>(shell.drift[k]);
    player.points->brakes({medium.across, medium.areas, medium.still, shell.points(), n,
                           shell.point_q_dot, shell.density, medium.weights, matrix});
    // (1 + g D g) x = speed / g with g the root of the gain, and v = g x.
    for (std::size_t k = 0; k < n; ++k) {
      const double g = rows.gain[k];
      for (std::size_t l = 0; l <= k; ++l) matrix[k * n + l] *= g * rows.gain[l];
      rows.share[k] = matrix[k * n + k] / (1 + matrix[k * n + k]);
      matrix[k * n + k] += 1;
      x[k] = g > 0 ? rows.speed[k] / g : 0;
    }
    factorise_and_solve(n, matrix, x);
    for (std::size_t k = 0; k < n; ++k) {
      shell.drift[k] = 0.5 * (shell.drift[k] + rows.gain[k] * x[k]);
    }
  }
  for (std::size_t k = 0; k < n; ++k) {
    const double g = rows.gain[k];
    const double v = g * x[k];
    rows.force[k] = g > 0 ? (v - rows.speed[k]) / (g * g) : 0;
    rows.speed[k] = v;
  }
}

}  // namespace supple::player
