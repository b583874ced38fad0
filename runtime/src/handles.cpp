// SPDX-License-Identifier: Apache-2.0
#include "shell.hpp"
#include "warp.hpp"

#include <cstring>

namespace supple::player {
namespace {

constexpr double kTwoPi = 6.283185307179586476925;
/// Of the trace of A Gamma A^T: how soft a hard handle is within one iteration. Much smaller blows
/// up where handles fight each other, much larger needs more iterations.
constexpr double kSoftness = 1e-4;
/// A hard handle that is nearer than this to its target, as part of the shell's size, adds part of
/// what is missing to the target of the next step: then it arrives, however soft it is.
constexpr double kNear = 1e-3;
constexpr double kCorrection = 0.3;
/// Radians that a vertex may turn in one iteration: the rows are linear.
constexpr double kLongestTurn = 0.7;

/// All that hold an object: the program's own, then those of bones.
template <class F>
void each_handle(supple_player& player, std::size_t object, const F& f) {
  for (std::uint32_t i = 0; i < player.handle_count; ++i) {
    Handle& handle = player.handles[i];
    if (handle.active && handle.object == object) f(handle);
  }
  const format::Shell& file = *player.objects[object].shell->file;
  for (std::uint32_t i = 0; i < file.attachment_count; ++i) {
    Handle& handle = player.attachments[file.first_attachment + i];
    if (handle.active) f(handle);
  }
}

/// What a handle asks of q near the present one, in world axes: three rows of each kind.
struct Gap {
  Vec3 position;  ///< metres to go
  Vec3 turn;      ///< radians
};

Vec3 component(const double* rows, std::size_t mode) {
  return {rows[3 * mode], rows[3 * mode + 1], rows[3 * mode + 2]};
}

double axis(Vec3 v, int i) {
  return i == 0 ? v.x : i == 1 ? v.y : v.z;
}

/// One vertex where q takes it.
struct Held {
  Vec3 p, w;
  ExactWarp warp;
};

Held held_at(const Handle& handle, const double* q, std::size_t modes, bool warped) {
  Held at{};
  for (std::size_t k = 0; k < modes; ++k) {
    at.p = at.p + q[k] * component(handle.displacements, k);
    at.w = at.w + q[k] * component(handle.turns, k);
  }
  at.warp = exact_warp(warped ? at.w : Vec3{});
  return at;
}

/// The same turn, counted so that it is nearest to the present one.
Vec3 nearest_turn(Vec3 wanted, Vec3 now) {
  const double size = length(wanted);
  if (size < 1e-9) return wanted;
  const Vec3 whole = (kTwoPi / size) * wanted;
  Vec3 best = wanted;
  for (const double turns : {-1.0, 1.0}) {
    const Vec3 other = wanted + turns * whole;
    if (length(other - now) < length(best - now)) best = other;
  }
  return best;
}

/// Handles and modes of one object in one step: the q that is least |q - free|^2 in the metric of
/// 1 / Gamma, plus W |gap(q)|^2, W the handle's own spring or, for a hard one, a spring as stiff as
/// kSoftness allows. By Gauss and Newton,
///   (1 / Gamma + A^T W A) dq = A^T W gap - (q - free) / Gamma,
/// solved for dq / sqrt(Gamma). That is Gamma A^T (A Gamma A^T + 1 / W)^-1 gap, but has the size of
/// the modes, however many handles there are.
class HandleSolver {
 public:
  HandleSolver(supple_player& player, std::size_t object, const Pose& pose, const double* gamma)
      : m_player(player),
        m_object(object),
        m_state(player.objects[object]),
        m_shell(*m_state.shell),
        m_pose(pose),
        m_gamma(gamma),
        m_modes(m_state.settings.modes),
        m_lever(m_shell.file->size / 2),
        m_matrix(player.handle_rows),
        m_vector(m_matrix + m_state.lanes * m_state.lanes),
        m_root(m_vector + m_state.lanes),
        m_rows(m_root + m_state.lanes) {
    for (std::size_t k = 0; k < m_modes; ++k) m_root[k] = __builtin_sqrt(gamma[k]);
  }

  void solve(const double* free, double* q, int iterations) {
    double trace = 0;
    each([&](const Handle& handle) { trace += rest_trace(handle); });
    if (!(trace > 0)) return;
    m_stiffness = 1 / (kSoftness * trace);
    for (int i = 0; i < iterations; ++i) iterate(free, q);
    measure(q);
  }

 private:
  template <class F>
  void each(const F& f) {
    each_handle(m_player, m_object, f);
  }

  [[nodiscard]] bool warped() const { return m_state.settings.warp != 0; }

  /// Of the handle's part of A Gamma A^T, with the rows at rest.
  [[nodiscard]] double rest_trace(const Handle& handle) const {
    double sum = 0;
    for (std::size_t k = 0; k < m_modes; ++k) {
      const Vec3 phi = component(handle.displacements, k);
      const Vec3 psi = component(handle.turns, k);
      if ((handle.components & format::kHandlePosition) != 0) sum += m_gamma[k] * dot(phi, phi);
      if ((handle.components & format::kHandleOrientation) != 0) {
        sum += m_gamma[k] * m_lever * m_lever * dot(psi, psi);
      }
    }
    return sum;
  }

  [[nodiscard]] Gap gap(const Handle& handle, const Held& at) const {
    const Vec3 place = handle.rest + turned(warped() ? at.w : Vec3{}, at.warp.b, at.warp.c, at.p);
    const Vec3 world = m_pose.position + to_world(m_pose.rotation, place);
    const Vec3 wanted = turn_between(m_pose.rotation, handle.orientation);
    return {handle.target - world, to_world(m_pose.rotation, nearest_turn(wanted, at.w) - at.w)};
  }

  /// Metres that a row has to go; a radian counts as m_lever of them.
  [[nodiscard]] double row_gap(const Gap& gap, int row) const {
    return row < 3 ? axis(gap.position, row) : m_lever * axis(gap.turn, row - 3);
  }

  /// One row and what it asks for, into the matrix.
  void add_row(const double* row, double gap, double weight) {
    for (std::size_t i = 0; i < m_modes; ++i) {
      const double left = weight * row[i];
      for (std::size_t j = 0; j <= i; ++j) m_matrix[i * m_modes + j] += left * row[j];
      m_vector[i] += left * gap;
    }
  }

  void add(const Handle& handle, const double* q) {
    const Held at = held_at(handle, q, m_modes, warped());
    const Gap to_go = gap(handle, at);
    double* rows = m_rows;  // six, of m_modes numbers each
    for (std::size_t k = 0; k < m_modes; ++k) {
      const Vec3 phi = component(handle.displacements, k);
      const Vec3 psi = component(handle.turns, k);
      const Vec3 change =
          to_world(m_pose.rotation, warped() ? warped_change(at.w, at.p, at.warp, phi, psi) : phi);
      const Vec3 turn = m_lever * to_world(m_pose.rotation, psi);
      for (int i = 0; i < 3; ++i) {
        rows[static_cast<std::size_t>(i) * m_modes + k] = m_root[k] * axis(change, i);
        rows[static_cast<std::size_t>(i + 3) * m_modes + k] = m_root[k] * axis(turn, i);
      }
    }
    for (int i = 0; i < 6; ++i) {
      if ((handle.components >> i & 1U) == 0) continue;
      const double error = row_gap(to_go, i) + handle.bias[i];
      const double weight = handle.stiffness > 0 ? handle.stiffness : m_stiffness;
      add_row(rows + static_cast<std::size_t>(i) * m_modes, error, weight);
    }
  }

  void iterate(const double* free, double* q) {
    const std::size_t n = m_modes;
    std::memset(m_matrix, 0, n * n * sizeof(double));
    for (std::size_t k = 0; k < n; ++k) {
      m_matrix[k * n + k] = 1;
      m_vector[k] = m_root[k] > 0 ? (free[k] - q[k]) / m_root[k] : 0.0;
    }
    each([&](const Handle& handle) { add(handle, q); });
    factorise_and_solve();
    const double scale = step_scale();
    for (std::size_t k = 0; k < n; ++k) q[k] += scale * m_root[k] * m_vector[k];
  }

  /// Cholesky in place, of the lower triangle: the identity is in it, so every pivot is above 1.
  void factorise_and_solve() {
    const std::size_t n = m_modes;
    double* a = m_matrix;
    double* x = m_vector;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = a[i * n + j];
        for (std::size_t k = 0; k < j; ++k) sum -= a[i * n + k] * a[j * n + k];
        a[i * n + j] = i == j ? __builtin_sqrt(sum > 1e-9 ? sum : 1e-9) : sum / a[j * n + j];
      }
      for (std::size_t k = 0; k < i; ++k) x[i] -= a[i * n + k] * x[k];
      x[i] /= a[i * n + i];
    }
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t k = i + 1; k < n; ++k) x[i] -= a[k * n + i] * x[k];
      x[i] /= a[i * n + i];
    }
  }

  /// 1, or less so that no held vertex turns too far at once.
  double step_scale() {
    double largest = 0;
    each([&](const Handle& handle) {
      Vec3 turn{};
      for (std::size_t k = 0; k < m_modes; ++k) {
        turn = turn + (m_root[k] * m_vector[k]) * component(handle.turns, k);
      }
      const double size = length(turn);
      if (size > largest) largest = size;
    });
    return largest > kLongestTurn ? kLongestTurn / largest : 1.0;
  }

  /// What is left after the last iteration.
  void measure(const double* q) {
    double square = 0;
    std::size_t rows = 0;
    each([&](Handle& handle) {
      const Gap left = gap(handle, held_at(handle, q, m_modes, warped()));
      double squares[2] = {0, 0};
      for (int i = 0; i < 6; ++i) {
        if ((handle.components >> i & 1U) == 0) continue;
        const double error = row_gap(left, i);
        squares[i / 3] += error * error;
        ++rows;
        correct(handle, i, error);
      }
      handle.position_error = __builtin_sqrt(squares[0]);
      handle.turn_error = __builtin_sqrt(squares[1]) / m_lever;
      square += squares[0] + squares[1];
    });
    m_shell.residual = rows > 0 ? __builtin_sqrt(square / static_cast<double>(rows)) : 0.0;
  }

  void correct(Handle& handle, int row, double error) {
    const double near = kNear * m_shell.file->size;
    double& bias = handle.bias[row];
    if (handle.stiffness > 0 || !(error > -near && error < near)) {
      bias = 0;
      return;
    }
    bias += kCorrection * error;
    bias = bias > near ? near : bias < -near ? -near : bias;
  }

  supple_player& m_player;
  std::size_t m_object;
  ObjectState& m_state;
  ShellState& m_shell;
  const Pose& m_pose;
  const double* m_gamma;
  std::size_t m_modes;
  double m_lever;          ///< metres a radian stands for
  double m_stiffness = 0;  ///< of hard handles within an iteration
  double* m_matrix;
  double* m_vector;
  double* m_root;
  double* m_rows;
};

bool finite(double x) {
  return x - x == 0;
}

bool finite(const double* numbers, std::size_t count) {
  bool good = true;
  for (std::size_t i = 0; i < count; ++i) good &= finite(numbers[i]);
  return good;
}

void set_active(supple_player& player, Handle& handle, bool active) {
  if (handle.active == active) return;
  handle.active = active;
  ShellState& shell = *player.objects[handle.object].shell;
  shell.held = active ? shell.held + 1 : shell.held - 1;
  if (shell.held == 0) shell.residual = 0;
}

void tell(const Handle& handle, supple_handle_state& state) {
  state.active = handle.active ? 1 : 0;
  state.position_error = handle.active ? handle.position_error : 0;
  state.turn_error = handle.active ? handle.turn_error : 0;
}

}  // namespace

void hold(supple_player& player, std::size_t object, const Pose& pose, const double* gamma,
          const double* free, double* q, int iterations) {
  HandleSolver(player, object, pose, gamma).solve(free, q, iterations);
}

void limit_turning(supple_player& player, std::size_t object, double fastest, double* q_dot) {
  const std::size_t modes = player.objects[object].settings.modes;
  double rate = 0;
  each_handle(player, object, [&](const Handle& handle) {
    Vec3 turning{};
    for (std::size_t k = 0; k < modes; ++k) {
      turning = turning + q_dot[k] * component(handle.turns, k);
    }
    const double size = length(turning);
    if (size > rate) rate = size;
  });
  if (!(fastest > 0) || rate <= fastest) return;
  for (std::size_t k = 0; k < modes; ++k) q_dot[k] *= fastest / rate;
}

}  // namespace supple::player

using namespace supple;

extern "C" {

supple_status supple_player_set_handle(supple_player* player, uint32_t slot,
                                       const supple_handle* handle) {
  if (player == nullptr || handle == nullptr || slot >= player->handle_count ||
      handle->vertex >= player->asset->summary->vertex_count) {
    return SUPPLE_BAD_ARGUMENT;
  }
  constexpr uint32_t kAll = SUPPLE_HANDLE_POSITION | SUPPLE_HANDLE_ORIENTATION;
  const double rest[3] = {handle->rest[0], handle->rest[1], handle->rest[2]};
  const bool holds_position = (handle->components & SUPPLE_HANDLE_POSITION) != 0;
  const bool holds_turn = (handle->components & SUPPLE_HANDLE_ORIENTATION) != 0;
  if ((!holds_position && !holds_turn) || (handle->components & ~kAll) != 0 ||
      !player::finite(handle->stiffness) || handle->stiffness < 0 || !player::finite(rest, 3)) {
    return SUPPLE_BAD_ARGUMENT;
  }
  if (holds_position && !player::finite(handle->position, 3)) return SUPPLE_BAD_ARGUMENT;
  player::Rotation turn{handle->orientation[0], handle->orientation[1], handle->orientation[2],
                        handle->orientation[3]};
  const bool turned = player::normalise(turn);
  if (holds_turn && !turned) return SUPPLE_BAD_ARGUMENT;
  player::Handle& to = player->handles[slot];
  const bool same = to.active && to.vertex == handle->vertex;
  if (!same) {
    player::set_active(*player, to, false);
    std::memset(to.bias, 0, sizeof to.bias);
    if (!player::find_rows(*player->asset, handle->vertex, to.object, to.displacements, to.turns)) {
      return SUPPLE_BAD_ARGUMENT;
    }
  }
  to.vertex = handle->vertex;
  const format::Object& object = player->asset->objects[to.object];
  double scale = 1;
  const player::Rotation bind = player::bind_rotation(object, scale);
  const double metres = player->asset->summary->metres_per_unit;
  to.components = handle->components;
  to.stiffness = handle->stiffness;
  to.rest = player::from_bind(object, {rest[0], rest[1], rest[2]});
  to.target = {metres * handle->position[0], metres * handle->position[1],
               metres * handle->position[2]};
  if (!holds_position) to.target = {};
  to.orientation =
      turned ? player::product(turn, player::inverse(bind)) : player::Rotation{0, 0, 0, 1};
  player::set_active(*player, to, true);
  return SUPPLE_OK;
}

supple_status supple_player_remove_handle(supple_player* player, uint32_t slot) {
  if (player == nullptr || slot >= player->handle_count) return SUPPLE_BAD_ARGUMENT;
  player::set_active(*player, player->handles[slot], false);
  return SUPPLE_OK;
}

supple_status supple_player_reserve_handles(supple_player* player, uint32_t slots) {
  if (player == nullptr || player->handle_count == 0) return SUPPLE_BAD_ARGUMENT;
  if (slots <= player->handle_count) return SUPPLE_OK;
  size_t most = 0;
  for (uint32_t i = 0; i < player->asset->shell_count; ++i) {
    const size_t lanes = player->asset->lanes(player->asset->shells[i].object);
    if (lanes > most) most = lanes;
  }
  const auto place = [&](player::Arena& arena) {
    auto* handles = arena.take<player::Handle>(slots);
    for (uint32_t i = 0; i < slots; ++i) {
      auto* rows = arena.take<double>(6 * most);
      if (handles == nullptr) continue;
      player::Handle& to = handles[i];
      if (i < player->handle_count) {
        const player::Handle& from = player->handles[i];
        to = from;
        std::memcpy(rows, from.displacements, 3 * most * sizeof(double));
        std::memcpy(rows + 3 * most, from.turns, 3 * most * sizeof(double));
      }
      to.displacements = rows;
      to.turns = rows + 3 * most;
    }
    return handles;
  };
  player::Arena measure;
  place(measure);
  void* block = measure.overflow() ? nullptr : player::allocate(measure.size());
  if (block == nullptr) return SUPPLE_OUT_OF_MEMORY;
  player::Arena arena(block);
  player->handles = place(arena);
  player->handle_count = slots;
  player::release(player->handle_memory);
  player->handle_memory = block;
  return SUPPLE_OK;
}

supple_status supple_player_set_attachment_matrix(supple_player* player, uint32_t attachment,
                                                  const float m[16]) {
  if (player == nullptr || m == nullptr || attachment >= player->asset->attachment_count) {
    return SUPPLE_BAD_ARGUMENT;
  }
  const format::Attachment& file = player->asset->attachments[attachment];
  const player::Vec3 columns[3] = {{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}};
  player::Rotation bone{};
  const double place[3] = {m[12], m[13], m[14]};
  if (!player::rotation_of(columns, bone) || !player::finite(place, 3)) {
    ++player->diagnostics.bad_transforms;
    return SUPPLE_BAD_TRANSFORM;
  }
  const std::array<double, 12>& r = file.bone_from_frame;
  const player::Vec3 axes[3] = {{r[0], r[4], r[8]}, {r[1], r[5], r[9]}, {r[2], r[6], r[10]}};
  player::Rotation within{0, 0, 0, 1};
  (void)player::rotation_of(axes, within);  // the reader saw that it is one
  player::Handle& to = player->attachments[attachment];
  const player::Vec3 offset{r[3], r[7], r[11]};
  const double metres = player->asset->summary->metres_per_unit;
  to.target = metres * player::Vec3{place[0], place[1], place[2]} +
              player::to_world(bone, player::to_world(within, to.rest) + offset);
  to.orientation = player::product(bone, within);
  player::set_active(*player, to, true);
  return SUPPLE_OK;
}

supple_status supple_player_release_attachment(supple_player* player, uint32_t attachment) {
  if (player == nullptr || attachment >= player->asset->attachment_count) {
    return SUPPLE_BAD_ARGUMENT;
  }
  player::set_active(*player, player->attachments[attachment], false);
  return SUPPLE_OK;
}

supple_status supple_player_handle_state(const supple_player* player, uint32_t slot,
                                         supple_handle_state* state) {
  if (player == nullptr || state == nullptr || slot >= player->handle_count) {
    return SUPPLE_BAD_ARGUMENT;
  }
  player::tell(player->handles[slot], *state);
  return SUPPLE_OK;
}

supple_status supple_player_attachment_state(const supple_player* player, uint32_t attachment,
                                             supple_handle_state* state) {
  if (player == nullptr || state == nullptr || attachment >= player->asset->attachment_count) {
    return SUPPLE_BAD_ARGUMENT;
  }
  player::tell(player->attachments[attachment], *state);
  return SUPPLE_OK;
}

}  // extern "C"
