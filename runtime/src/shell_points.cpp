// SPDX-License-Identifier: Apache-2.0
// Forces along a shell, at its force points.
#include "shell.hpp"
#include "size.hpp"
#include "warp.hpp"

#include <cstring>

namespace supple::player {
namespace {

Vec3 row3(const float* row) {
  return {row[0], row[format::kBlock], row[2 * format::kBlock]};
}

/// The first number of a point in its block.
const float* point_row(const ShellState& shell, std::size_t point) {
  const std::size_t rows = format::kPointRows + format::kRows * shell.mode_count;
  return shell.rows + point / format::kBlock * rows * format::kBlock + point % format::kBlock;
}

/// The displacement of a point by a mode, and its turn.
Vec3 displacement_of(const float* row, std::size_t mode) {
  return row3(row + (format::kPointRows + format::kRows * mode) * format::kBlock);
}
Vec3 turn_of(const float* row, std::size_t mode) {
  return row3(row + (format::kPointRows + format::kRows * mode + 3) * format::kBlock);
}

/// Where the mass is, and how fast each mode moves the points across their surface.
SUPPLE_FOR_SIZE void survey_surface(ShellState& shell) {
  constexpr std::size_t kBlock = format::kBlock;
  const std::size_t count = shell.points();
  const MediumRows& rows = shell.in_medium;
  double mass = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const float* row = point_row(shell, i);
    const Vec3 area = row3(row + 4 * kBlock);
    const double size = length(area);
    rows.areas[i] = static_cast<float>(size);
    mass += row[3 * kBlock];
    shell.centre = shell.centre + row[3 * kBlock] * row3(row);
    for (std::size_t k = 0; k < shell.mode_count; ++k) {
      const double across = dot(area, displacement_of(row, k));
      rows.across[k * count + i] = size > 0 ? static_cast<float>(across / size) : 0.0F;
    }
  }
  if (mass > 0) shell.centre = (1 / mass) * shell.centre;
}

/// a . R(w) c has no second derivative above |a| |c| |dw|^2: per m/s^2 the modes' stiffness is
/// below G = sum over points of |c| Psi^T Psi, and that of one mode below its row's sum of sizes.
SUPPLE_FOR_SIZE void survey_sway(ShellState& shell) {
  for (std::size_t k = 0; k < shell.mode_count; ++k) {
    for (std::size_t l = 0; l <= k; ++l) {
      double sum = 0;
      for (std::size_t i = 0; i < shell.points(); ++i) {
        const float* row = point_row(shell, i);
        sum += length(row3(row + 7 * format::kBlock)) * dot(turn_of(row, k), turn_of(row, l));
      }
      if (sum < 0) sum = -sum;
      shell.sway[k] += sum;
      if (l < k) shell.sway[l] += sum;
    }
  }
}

Vec3 load_vector(const double* from) {
  return {from[0], from[1], from[2]};
}
void store_vector(double* to, Vec3 v) {
  to[0] = v.x;
  to[1] = v.y;
  to[2] = v.z;
}

/// Points one by one, in the program's world, for a function of the program's.
class FieldForces {
 public:
  FieldForces(supple_player& player, std::size_t object, const FrameMotion& motion)
      : m_player(player),
        m_settings(player.objects[object].settings),
        m_world(player.asset->world),
        m_shell(shell_state(player, object)),
        m_rows(m_shell.field),
        m_motion(motion),
        m_count(m_shell.file->point_count) {}

  /// The acceleration of the whole shell, in its frame, that is in the forces.
  SUPPLE_FOR_SIZE Vec3 find() {
    for (std::size_t i = 0; i < m_count; ++i) place(i);
    std::memset(m_rows.forces, 0, 3 * m_count * sizeof(double));
    m_player.field(m_player.field_context, m_player.time, m_shell.file->object,
                   static_cast<std::uint32_t>(m_count), m_rows.positions, m_rows.velocities,
                   m_rows.masses, m_rows.forces);
    Vec3 sum{};
    double mass = 0;
    for (std::size_t i = 0; i < m_count; ++i) {
      const Vec3 force = read_force(m_rows.forces + 3 * i);
      store_vector(m_rows.forces + 3 * i, force);
      sum = sum + force;
      mass += m_rows.masses[i];
    }
    if (mass > 0) m_mean = (1 / mass) * sum;
    return m_mean;
  }

  /// What the points' levers do not have of them: the mean at rest, the others as the shell turns.
  SUPPLE_FOR_SIZE void add() {
    for (std::size_t i = 0; i < m_count; ++i) collect(i);
  }

 private:
  /// Of the program's, in the frame and newtons; one that is not finite is dropped.
  [[nodiscard]] Vec3 read_force(const double* from) const {
    const Vec3 force = load_vector(from);
    const double size = dot(force, force);
    if (!(size - size == 0)) {
      ++m_player.diagnostics.bad_forces;
      return {};
    }
    return to_frame(m_motion.pose.rotation, m_world.physical_metres * m_world.in(force));
  }

  /// Sum of turns; none where the shell is not to be warped.
  [[nodiscard]] Vec3 turn(std::size_t point) const {
    Vec3 w{};
    if (m_settings.warp == 0) return w;
    for (std::size_t k = 0; k < m_settings.modes; ++k) {
      w = w + m_shell.point_q[k] * turn_of(point_row(m_shell, point), k);
    }
    return w;
  }

  void place(std::size_t i) {
    const float* row = point_row(m_shell, i);
    const Vec3 w = turn(i);
    Vec3 p{};
    Vec3 v{};
    for (std::size_t k = 0; k < m_settings.modes; ++k) {
      p = p + m_shell.point_q[k] * displacement_of(row, k);
      v = v + m_shell.point_q_dot[k] * displacement_of(row, k);
    }
    const ExactWarp f = exact_warp(w);
    const Pose& pose = m_motion.pose;
    const Vec3 local = row3(row) + turned(w, f.b, f.c, p);
    const Vec3 moving = turned(w, f.a, f.b, v) + cross(m_motion.spin, local);
    const double units = 1 / m_world.physical_metres;
    store_vector(m_rows.positions + 3 * i,
                 units * m_world.out(pose.position + to_world(pose.rotation, local)));
    store_vector(m_rows.velocities + 3 * i,
                 units * m_world.out(m_motion.velocity + to_world(pose.rotation, moving)));
    m_rows.masses[i] = row[3 * format::kBlock];
  }

  void collect(std::size_t i) {
    const float* row = point_row(m_shell, i);
    const Vec3 force = load_vector(m_rows.forces + 3 * i);
    const Vec3 mean = m_rows.masses[i] * m_mean;
    const Vec3 w = turn(i);
    const ExactWarp f = exact_warp(w);
    const Vec3 back = mean + turned(-1.0 * w, f.a, f.b, force - mean);
    for (std::size_t k = 0; k < m_settings.modes; ++k) {
      m_shell.point_force[k] += dot(displacement_of(row, k), back);
    }
  }

  supple_player& m_player;
  const supple_object_settings& m_settings;
  const World& m_world;
  ShellState& m_shell;
  const FieldRows& m_rows;
  const FrameMotion& m_motion;
  std::size_t m_count;
  Vec3 m_mean{};
};

}  // namespace

void survey_points(ShellState& shell) {
  survey_surface(shell);
  survey_sway(shell);
}

void find_point_forces(supple_player& player, std::size_t object, const FrameMotion& motion,
                       const double* q, const double* q_dot) {
  ShellState& shell = shell_state(player, object);
  const supple_object_settings& settings = player.objects[object].settings;
  for (std::size_t k = 0; k < settings.modes; ++k) {
    shell.point_q[k] = static_cast<float>(q[k]);
    shell.point_q_dot[k] = static_cast<float>(q_dot[k]);
  }
  PointJob job{};
  job.rows = shell.rows;
  job.blocks = shell.blocks;
  job.modes = shell.mode_count;
  job.used = settings.modes;
  job.q = shell.point_q;
  job.warp = settings.warp != 0;
  job.scratch = shell.turned;
  job.still = shell.in_medium.still;
  job.force = shell.force;
  float largest = 0;
  job.largest_turn = &largest;
  const Vec3 spinning = cross(motion.spin, cross(motion.spin, shell.centre));
  Vec3 acceleration = motion.acceleration - cross(motion.alpha, shell.centre) - spinning;
  FieldForces field(player, object, motion);
  if (has_field(player)) acceleration = acceleration + field.find();
  set(job.field.acceleration, acceleration);
  set(job.field.centre, shell.centre);
  set(job.field.alpha, motion.alpha);
  set(job.field.spin, motion.spin);
  set_medium(player, shell, motion, job.field);
  shell.load = length(acceleration) +
               shell.file->size * (length(motion.alpha) + dot(motion.spin, motion.spin));
  player.points->forces(job);
  shell.largest_turn = __builtin_sqrt(static_cast<double>(largest));
  for (std::size_t k = 0; k < shell.lanes; ++k) {
    shell.point_force[k] = k < settings.modes ? static_cast<double>(shell.force[k]) : 0.0;
  }
  if (has_field(player)) field.add();
}

}  // namespace supple::player
