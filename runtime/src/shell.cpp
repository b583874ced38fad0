// SPDX-License-Identifier: Apache-2.0
#include "shell.hpp"

#include "shapes.hpp"
#include "size.hpp"
#include "warp.hpp"

#include <cstring>

namespace supple::player {
namespace {

/// Numbers of a force field's point: position, velocity, mass, force.
constexpr std::size_t kFieldNumbers = 10;

Rotation rotation_by(Vec3 w) {
  const ExactWarp f = exact_warp(0.5 * w);  // A of half the angle is sin(th / 2) / (th / 2)
  const Vec3 v = (0.5 * f.a) * w;
  const double cosine = 1 - f.b * dot(0.5 * w, 0.5 * w);
  return {v.x, v.y, v.z, cosine};
}

Vec3 row3(const float* row) {
  return {row[0], row[format::kBlock], row[2 * format::kBlock]};
}

/// The first number of a point in its block.
const float* point_row(const ShellState& shell, std::size_t point) {
  const std::size_t rows = format::kPointRows + format::kRows * shell.modes;
  return shell.rows + point / format::kBlock * rows * format::kBlock + point % format::kBlock;
}

/// The turn of a point by a mode.
Vec3 turn_of(const float* row, std::size_t mode) {
  return row3(row + (format::kPointRows + format::kRows * mode + 3) * format::kBlock);
}

/// What all points say together: where the mass is, and how fast each mode moves them across their
/// surface.
SUPPLE_FOR_SIZE void survey_points(ShellState& shell) {
  constexpr std::size_t kBlock = format::kBlock;
  const std::size_t count = shell.points();
  double mass = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const float* row = point_row(shell, i);
    const Vec3 area = row3(row + 4 * kBlock);
    const double size = length(area);
    shell.areas()[i] = static_cast<float>(size);
    mass += row[3 * kBlock];
    shell.centre = shell.centre + row[3 * kBlock] * row3(row);
    for (std::size_t k = 0; k < shell.modes; ++k) {
      const Vec3 phi = row3(row + (format::kPointRows + format::kRows * k) * kBlock);
      shell.across[k * count + i] = size > 0 ? static_cast<float>(dot(area, phi) / size) : 0.0F;
    }
  }
  if (mass > 0) shell.centre = (1 / mass) * shell.centre;
}

/// a . R(w) c has no second derivative above |a| |c| |dw|^2: per m/s^2 the modes' stiffness is
/// below G = sum over points of |c| Psi^T Psi, and that of one mode below its row's sum of sizes.
SUPPLE_FOR_SIZE void survey_sway(ShellState& shell) {
  for (std::size_t k = 0; k < shell.modes; ++k) {
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

/// Points one by one, in the world, for a function of the program's.
class FieldForces {
 public:
  FieldForces(supple_player& player, ObjectState& o, const FrameMotion& motion)
      : m_player(player),
        m_object(o),
        m_shell(*o.shell),
        m_motion(motion),
        m_count(m_shell.file->point_count),
        m_positions(m_shell.field),
        m_velocities(m_positions + 3 * m_count),
        m_masses(m_velocities + 3 * m_count),
        m_forces(m_masses + m_count) {}

  /// The acceleration of the whole shell, in its frame, that is in the forces.
  SUPPLE_FOR_SIZE Vec3 find() {
    for (std::size_t i = 0; i < m_count; ++i) place(i);
    std::memset(m_forces, 0, 3 * m_count * sizeof(double));
    m_player.field(m_player.field_context, m_player.time, m_shell.file->object,
                   static_cast<std::uint32_t>(m_count), m_positions, m_velocities, m_masses,
                   m_forces);
    Vec3 sum{};
    double mass = 0;
    for (std::size_t i = 0; i < m_count; ++i) {
      Vec3 force{m_forces[3 * i], m_forces[3 * i + 1], m_forces[3 * i + 2]};
      const double size = dot(force, force);
      if (!(size - size == 0)) {
        ++m_player.diagnostics.bad_forces;
        force = {};
      }
      force = to_frame(m_motion.pose.rotation, force);
      store(m_forces + 3 * i, force);
      sum = sum + force;
      mass += m_masses[i];
    }
    if (mass > 0) m_mean = (1 / mass) * sum;
    return m_mean;
  }

  /// What the points' levers do not have of them: the mean at rest, the others as the shell turns.
  SUPPLE_FOR_SIZE void add() {
    for (std::size_t i = 0; i < m_count; ++i) collect(i);
  }

 private:
  [[nodiscard]] Vec3 phi(std::size_t point, std::size_t k) const {
    const float* row = point_row(m_shell, point);
    return row3(row + (format::kPointRows + format::kRows * k) * format::kBlock);
  }
  /// Sum of turns; none where the shell is not to be warped.
  [[nodiscard]] Vec3 turn(std::size_t point) const {
    Vec3 w{};
    if (m_object.settings.warp == 0) return w;
    for (std::size_t k = 0; k < m_object.settings.modes; ++k) {
      w = w + m_shell.q[k] * turn_of(point_row(m_shell, point), k);
    }
    return w;
  }

  void place(std::size_t i) {
    const Vec3 w = turn(i);
    Vec3 p{};
    Vec3 v{};
    for (std::size_t k = 0; k < m_object.settings.modes; ++k) {
      p = p + m_shell.q[k] * phi(i, k);
      v = v + m_shell.q_dot[k] * phi(i, k);
    }
    const ExactWarp f = exact_warp(w);
    const Pose& pose = m_motion.pose;
    const float* row = point_row(m_shell, i);
    const Vec3 local = row3(row) + turned(w, f.b, f.c, p);
    const Vec3 moving = turned(w, f.a, f.b, v) + cross(m_motion.spin, local);
    store(m_positions + 3 * i, pose.position + to_world(pose.rotation, local));
    store(m_velocities + 3 * i, m_motion.velocity + to_world(pose.rotation, moving));
    m_masses[i] = row[3 * format::kBlock];
  }

  void collect(std::size_t i) {
    const Vec3 force{m_forces[3 * i], m_forces[3 * i + 1], m_forces[3 * i + 2]};
    const Vec3 mean = m_masses[i] * m_mean;
    const Vec3 w = turn(i);
    const ExactWarp f = exact_warp(w);
    const Vec3 back = mean + turned(-1.0 * w, f.a, f.b, force - mean);
    for (std::size_t k = 0; k < m_object.settings.modes; ++k) {
      m_shell.point_force[k] += dot(phi(i, k), back);
    }
  }

  static void store(double* to, Vec3 v) {
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
  }

  supple_player& m_player;
  ObjectState& m_object;
  ShellState& m_shell;
  const FrameMotion& m_motion;
  std::size_t m_count;
  double* m_positions;
  double* m_velocities;
  double* m_masses;
  double* m_forces;
  Vec3 m_mean{};
};

void lay_out_shell(Arena& arena, const supple_asset& asset, const format::Shell& file,
                   ShellState& shell) {
  const std::size_t lanes = asset.lanes(file.object);
  shell.blocks = (file.point_count + format::kBlock - 1) / format::kBlock;
  for (float** row : {&shell.q, &shell.q_dot, &shell.force}) *row = arena.take<float>(lanes);
  shell.point_force = arena.take<double>(lanes);
  shell.sway = arena.take<double>(lanes);
  shell.scratch = arena.take<float>(6 * format::kBlock * shell.blocks);
  shell.across = arena.take<float>((asset.objects[file.object].mode_count + kMediumRows) *
                                   format::kBlock * shell.blocks);
  shell.modes = asset.objects[file.object].mode_count;
  shell.drift = arena.take<double>(lanes);
  shell.field = arena.take<double>(kFieldNumbers * file.point_count);
  if (file.strain == format::kNone) return;
  const std::size_t nodes = strain_view(asset, file).nodes;
  shell.displacements = arena.take<float>(3 * nodes);
  shell.solution = arena.take<double>(3 * nodes);
}

void prepare_attachment(const supple_asset& asset, std::uint32_t index, Handle& handle) {
  const format::Attachment& file = asset.attachments[index];
  handle.object = asset.shell_with(index).object;
  handle.components = file.components;
  handle.stiffness = file.stiffness;
  handle.rest = {file.rest[0], file.rest[1], file.rest[2]};
  fill_rows(asset, *entry_of(asset, file.vertex, handle.object), file.vertex, handle);
}

}  // namespace

std::size_t most_lanes(const supple_asset& asset) {
  std::size_t most = 0;
  for (std::uint32_t i = 0; i < asset.shell_count; ++i) {
    const std::size_t lanes = asset.lanes(asset.shells[i].object);
    if (lanes > most) most = lanes;
  }
  return most;
}

void lay_out_rows(Arena& arena, std::size_t lanes, std::size_t count, Handle* handles) {
  for (std::size_t i = 0; i < count; ++i) {
    Handle unused{};
    Handle& handle = handles == nullptr ? unused : handles[i];
    handle.displacements = arena.take<double>(3 * lanes);
    handle.turns = arena.take<double>(3 * lanes);
  }
}

void lay_out_shells(Arena& arena, const supple_asset& asset, supple_player& placed) {
  placed.bends = arena.take<Bend>(asset.summary->object_count);
  if (asset.shell_count == 0) return;
  placed.shells = arena.take<ShellState>(asset.shell_count);
  for (std::uint32_t i = 0; i < asset.shell_count; ++i) {
    ShellState unused{};
    lay_out_shell(arena, asset, asset.shells[i],
                  placed.shells == nullptr ? unused : placed.shells[i]);
  }
  const std::size_t most = most_lanes(asset);
  placed.attachments = arena.take<Handle>(asset.attachment_count);
  placed.handles = arena.take<Handle>(kFirstSlots);
  placed.handle_count = kFirstSlots;
  lay_out_rows(arena, most, asset.attachment_count, placed.attachments);
  lay_out_rows(arena, most, kFirstSlots, placed.handles);
  placed.handle_rows = arena.take<double>(most * most + 9 * most);  // see HandleSolver
}

void prepare_shells(supple_player& player) {
  const supple_asset& asset = *player.asset;
  for (std::uint32_t i = 0; i < asset.shell_count; ++i) {
    ShellState& shell = player.shells[i];
    shell.file = &asset.shells[i];
    shell.medium = asset.media != nullptr ? asset.media[i] : format::Medium{0, 1};
    shell.rows = asset.point_rows + std::size_t{shell.file->first_point_row} * format::kBlock;
    survey_points(shell);
    survey_sway(shell);
    player.objects[shell.file->object].shell = &shell;
    player.bends[shell.file->object] = Bend::Warped;
  }
  for (std::uint32_t i = 0; i < asset.attachment_count; ++i) {
    prepare_attachment(asset, i, player.attachments[i]);
  }
}

Rotation bind_rotation(const format::Object& object, double& scale) {
  const std::array<double, 12>& m = object.frame_from_bind;
  const Vec3 columns[3] = {{m[0], m[4], m[8]}, {m[1], m[5], m[9]}, {m[2], m[6], m[10]}};
  scale = length(columns[0]);
  Rotation rotation{0, 0, 0, 1};
  (void)rotation_of(columns, rotation);  // the reader saw that it is one
  return rotation;
}

Vec3 from_bind(const format::Object& object, Vec3 v) {
  const std::array<double, 12>& m = object.frame_from_bind;
  return {m[0] * v.x + m[1] * v.y + m[2] * v.z + m[3], m[4] * v.x + m[5] * v.y + m[6] * v.z + m[7],
          m[8] * v.x + m[9] * v.y + m[10] * v.z + m[11]};
}

Pose frame_of(const supple_player& player, std::uint32_t object) {
  const ObjectState& o = player.objects[object];
  if (o.has_pose) return o.pose;
  return {{}, rest_rotation(player.asset->objects[object])};
}

void fill_rows(const supple_asset& asset, const format::Entry& entry, std::uint32_t vertex,
               Handle& handle) {
  const format::Object& file = asset.objects[entry.object];
  double scale = 1;
  const Rotation turn = bind_rotation(file, scale);
  for (std::size_t k = 0; k < file.mode_count; ++k) {
    const VertexShape shape = vertex_shape(asset, entry, k, vertex % format::kBlock);
    const Vec3 u = scale * to_world(turn, {shape.displacement[0], shape.displacement[1],
                                           shape.displacement[2]});
    const Vec3 w = to_world(turn, {shape.normal[0], shape.normal[1], shape.normal[2]});
    const double numbers[6] = {u.x, u.y, u.z, w.x, w.y, w.z};
    std::memcpy(handle.displacements + 3 * k, numbers, 3 * sizeof(double));
    std::memcpy(handle.turns + 3 * k, numbers + 3, 3 * sizeof(double));
  }
}

bool find_vertex(const supple_player& player, std::uint32_t vertex, Vec3 rest, VertexPlace& place) {
  const supple_asset& asset = *player.asset;
  const format::Entry* entry = shell_entry_of(asset, vertex);
  if (entry == nullptr) return false;
  const format::Object& file = asset.objects[entry->object];
  const VertexSum sum = vertex_sum(asset, *entry, vertex % format::kBlock,
                                   player.coefficients + file.first_mode, file.mode_count);
  const Vec3 w = player.bends[entry->object] == Bend::Linear ? Vec3{} : sum.second;
  const ExactWarp f = exact_warp(w);
  double scale = 1;
  const Rotation bind = bind_rotation(file, scale);
  const Pose pose = frame_of(player, entry->object);
  const Vec3 local = from_bind(file, rest + turned(w, f.b, f.c, sum.displacement));
  const Vec3 world = pose.position + to_world(pose.rotation, local);
  place.position = (1 / asset.summary->metres_per_unit) * world;
  place.orientation = product(product(pose.rotation, bind), rotation_by(w));
  return true;
}

void find_point_forces(supple_player& player, ObjectState& o, const FrameMotion& motion,
                       const double* q, const double* q_dot) {
  ShellState& shell = *o.shell;
  const format::Object& file = player.asset->objects[shell.file->object];
  for (std::size_t k = 0; k < o.settings.modes; ++k) {
    shell.q[k] = static_cast<float>(q[k]);
    shell.q_dot[k] = static_cast<float>(q_dot[k]);
  }
  PointJob job{};
  job.rows = shell.rows;
  job.blocks = shell.blocks;
  job.modes = file.mode_count;
  job.used = o.settings.modes;
  job.q = shell.q;
  job.warp = o.settings.warp != 0;
  job.scratch = shell.scratch;
  job.still = shell.still();
  job.force = shell.force;
  float largest = 0;
  job.largest_turn = &largest;
  const Vec3 spinning = cross(motion.spin, cross(motion.spin, shell.centre));
  Vec3 acceleration = motion.acceleration - cross(motion.alpha, shell.centre) - spinning;
  FieldForces field(player, o, motion);
  if (player.field != nullptr) acceleration = acceleration + field.find();
  set(job.field.acceleration, acceleration);
  set(job.field.centre, shell.centre);
  set(job.field.alpha, motion.alpha);
  set(job.field.spin, motion.spin);
  set_medium(player, shell, motion, job.field);
  shell.load = length(acceleration) +
               shell.file->size * (length(motion.alpha) + dot(motion.spin, motion.spin));
  player.points->forces(job);
  shell.largest_turn = __builtin_sqrt(static_cast<double>(largest));
  for (std::size_t k = 0; k < o.lanes; ++k) {
    shell.point_force[k] = k < o.settings.modes ? static_cast<double>(shell.force[k]) : 0.0;
  }
  if (player.field != nullptr) field.add();
}

}  // namespace supple::player
