// SPDX-License-Identifier: Apache-2.0
#include "rotation_strain.hpp"
#include "shell.hpp"
#include "shell_bound.hpp"
#include "warp.hpp"

#include <cstring>

namespace supple::player {
namespace {

/// Of the trace of A Gamma A^T: how soft a hard handle is within one iteration. Much smaller blows
/// up where handles fight each other, much larger needs more iterations.
constexpr double kSoftness = 1e-4;
/// A hard handle that is nearer than this to its target, as part of the shell's size, adds part of
/// what is missing to the target of the next step: then it arrives, however soft it is.
constexpr double kNear = 1e-3;
constexpr double kCorrection = 0.3;
/// A step that makes things worse is halved so many times, then left out.
constexpr int kMostHalvings = 5;
/// Radians that a vertex may turn in one iteration: the rows are linear.
constexpr double kLongestTurn = 0.7;

/// What a step may be beyond the bound by before the last word, and how stiff the bound's own row
/// is against the others together.
constexpr double kOnBound = 0.02;
constexpr double kNearBound = 0.8;
constexpr double kHardHands = 6;
constexpr double kStiffBound = 1e3;

/// All that hold an object: the program's own, then those of bones.
template <class F>
void each_handle(const ShellState& shell, const F& f) {
  const ShellCommons& commons = *shell.commons;
  const format::Shell& file = *shell.file;
  for (std::uint32_t i = 0; i < commons.handle_count; ++i) {
    Handle& handle = commons.handles[i];
    if (handle.active && handle.object == file.object) f(handle);
  }
  for (std::uint32_t i = 0; i < file.attachment_count; ++i) {
    Handle& handle = commons.attachments[file.first_attachment + i];
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

double rounded(double x) {
  return x > -1e9 && x < 1e9 ? (x + kRounder) - kRounder : 0.0;
}

/// The same turn, counted so that it is nearest to the present one; but not beyond `most`, where a
/// bone would hold rolled up what a hand turned over. 0: any.
Vec3 nearest_turn(Vec3 wanted, Vec3 now, double most) {
  const double size = length(wanted);
  const bool none = size < 1e-9;
  const double along = none ? length(now) : size;
  if (along < 1e-9) return wanted;
  const Vec3 axis = (1 / along) * (none ? now : wanted);
  const Vec3 counted = wanted + (kTwoPi * rounded((dot(now, axis) - size) / kTwoPi)) * axis;
  return most > 0 && length(counted) > most ? wanted : counted;
}

/// Handles and modes of one object in one step: the q that is least |q - free|^2 in the metric of
/// 1 / Gamma, plus W |gap(q)|^2, W the handle's own spring or, for a hard one, a spring as stiff as
/// kSoftness allows; a spring that pulls with its largest force counts by its work. By Gauss and
/// Newton,
///   (1 / Gamma + A^T W A) dq = A^T W gap - (q - free) / Gamma,
/// solved for dq / sqrt(Gamma). That is Gamma A^T (A Gamma A^T + 1 / W)^-1 gap, but has the size of
/// the modes, however many handles there are.
class HandleSolver {
 public:
  HandleSolver(const supple_player& player, std::size_t object, const Pose& pose,
               const double* gamma)
      : m_player(player),
        m_settings(player.objects[object].settings),
        m_shell(shell_state(player, object)),
        m_bound(player, object),
        m_pose(pose),
        m_gamma(gamma),
        m_modes(m_settings.modes),
        m_lever(m_shell.file->size / 2),
        m_matrix(m_shell.commons->matrix),
        m_vector(m_shell.commons->solver.vector),
        m_root(m_shell.commons->solver.root),
        m_trial(m_shell.commons->solver.trial),
        m_rows(m_shell.commons->solver.rows) {
    for (std::size_t k = 0; k < m_modes; ++k) m_root[k] = __builtin_sqrt(gamma[k]);
  }

  void solve(const double* free, double* q, int iterations, double bound) {
    double trace = 0;
    each([&](const Handle& handle) { trace += rest_trace(handle); });
    m_most = bound;
    if (trace > 0) {
      m_hardest = 1 / (kSoftness * trace);
      for (int i = 0; i < iterations; ++i) iterate(free, q);
    } else {
      // No mode moves what is held: the rest of the shell is free.
      std::memcpy(q, free, m_modes * sizeof(double));
    }
    keep_within(q);
    measure(q);
  }

 private:
  template <class F>
  void each(const F& f) {
    each_handle(m_shell, f);
  }

  [[nodiscard]] bool warped() const { return m_settings.warp != 0; }

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

  /// Whether the handles hold what rotation and strain make of the shell.
  [[nodiscard]] bool reconstructs() const {
    return m_settings.warp == SUPPLE_WARP_ROTATION_STRAIN && m_shell.rest != nullptr;
  }
  SUPPLE_FOR_SIZE void reconstruct(const double* q) {
    if (!reconstructs()) return;
    RotationStrain surface(m_player, m_shell);
    surface.displace(q, m_modes);
    surface.solve();
    each([&](Handle& handle) {
      if (handle.node != format::kNone) handle.place = surface.place(handle.node);
    });
  }

  [[nodiscard]] Gap gap(const Handle& handle, const Held& at) const {
    const Vec3 warp = handle.rest + turned(warped() ? at.w : Vec3{}, at.warp.b, at.warp.c, at.p);
    const Vec3 place = reconstructs() && handle.node != format::kNone ? handle.place : warp;
    const Vec3 world = m_pose.position + to_world(m_pose.rotation, place);
    const Vec3 wanted = turn_between(m_pose.rotation, handle.orientation);
    const double most = m_bound.acts() ? m_settings.turn_bound : 0;
    const Vec3 turn = nearest_turn(wanted, at.w, most) - at.w;
    return {handle.target - world, to_world(m_pose.rotation, turn)};
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
    const double pull = weight(handle, gap_of(handle, to_go));
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
    if (reconstructs() && handle.node != format::kNone) pull_rows(handle, q);
    for (int i = 0; i < 6; ++i) {
      if ((handle.components >> i & 1U) == 0) continue;
      const double error = row_gap(to_go, i) + handle.bias[i];
      add_row(rows + static_cast<std::size_t>(i) * m_modes, error, pull);
    }
  }

  /// The rows of a reconstructed position: what a force of 1 along each axis does to the modes.
  SUPPLE_FOR_SIZE void pull_rows(const Handle& handle, const double* q) {
    RotationStrain surface(m_player, m_shell);
    surface.displace(q, m_modes);
    std::memset(m_rows, 0, 3 * m_modes * sizeof(double));
    for (int i = 0; i < 3; ++i) {
      double* row = m_rows + static_cast<std::size_t>(i) * m_modes;
      const Vec3 unit{i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0};
      surface.pull(handle.node, to_frame(m_pose.rotation, unit), m_modes, row);
      for (std::size_t k = 0; k < m_modes; ++k) row[k] *= m_root[k];
    }
  }

  void iterate(const double* free, double* q) {
    soften(q);
    assemble(free, q);
    factorise_and_solve(m_modes, m_matrix, m_vector);
    double scale = step_scale();
    if (m_bound.acts() && m_bound.measure(q) > kNearBound * m_most &&
        part_after(q, scale) > m_most) {
      slide(free, q);
      scale = step_scale();
    }
    for (int i = 0; i < kMostHalvings && part_after(q, scale) > m_most; ++i) scale *= 0.5;
    reconstruct(q);
    const double before = cost(free, q);
    for (int halving = 0; halving < kMostHalvings; ++halving, scale *= 0.5) {
      const double part = part_after(q, scale);
      reconstruct(m_trial);
      if (part <= m_most + kOnBound && cost(free, m_trial) <= before) {
        std::memcpy(q, m_trial, m_modes * sizeof(double));
        return;
      }
    }
  }

  /// The equations near q.
  SUPPLE_FOR_SIZE void assemble(const double* free, const double* q) {
    const std::size_t n = m_modes;
    std::memset(m_matrix, 0, n * n * sizeof(double));
    for (std::size_t k = 0; k < n; ++k) {
      m_matrix[k * n + k] = 1;
      m_vector[k] = m_root[k] > 0 ? (free[k] - q[k]) / m_root[k] : 0.0;
    }
    reconstruct(q);
    each([&](const Handle& handle) { add(handle, q); });
  }

  /// The step along the shell's bound instead of through it: a row that keeps the measure.
  SUPPLE_FOR_SIZE void slide(const double* free, const double* q) {
    assemble(free, q);
    m_bound.slope(q, m_rows);
    double square = 0;
    for (std::size_t k = 0; k < m_modes; ++k) {
      m_rows[k] *= m_root[k];
      square += m_rows[k] * m_rows[k];
    }
    if (square > 0) {
      double trace = 0;
      for (std::size_t k = 0; k < m_modes; ++k) trace += m_matrix[k * m_modes + k];
      add_row(m_rows, m_most - m_bound.measure(q), kStiffBound * trace / square);
    }
    factorise_and_solve(m_modes, m_matrix, m_vector);
  }

  /// Part of the bounds after so much of the step, which goes to m_trial.
  SUPPLE_FOR_SIZE double part_after(const double* q, double scale) {
    for (std::size_t k = 0; k < m_modes; ++k) m_trial[k] = q[k] + scale * m_root[k] * m_vector[k];
    return m_bound.acts() ? part_of(m_trial) : 0;
  }

  /// As the samples have it, and the held vertices themselves: a corner that is pulled over turns
  /// further than all around it.
  SUPPLE_FOR_SIZE double part_of(const double* q) {
    double part = m_bound.measure(q);
    if (!(m_settings.turn_bound > 0)) return part;
    each([&](const Handle& handle) {
      if ((handle.components & format::kHandlePosition) == 0) return;
      const double turn = length(held_at(handle, q, m_modes, true).w) / m_settings.turn_bound;
      if (turn > part) part = turn;
    });
    return part;
  }

  /// Whatever the iterations left.
  SUPPLE_FOR_SIZE void keep_within(double* q) {
    m_shell.strained = m_bound.acts() ? m_bound.measure(q) : 0;
    if (m_shell.strained > m_most) {
      const double scale = m_bound.scale_within(q, m_most);
      for (std::size_t k = 0; k < m_modes; ++k) q[k] *= scale;
      m_shell.strained = m_most;
    }
  }

  /// What q is to make least.
  SUPPLE_FOR_SIZE double cost(const double* free, const double* q) {
    double sum = 0;
    for (std::size_t k = 0; k < m_modes; ++k) {
      const double away = m_root[k] > 0 ? (q[k] - free[k]) / m_root[k] : 0.0;
      sum += away * away;
    }
    each([&](const Handle& handle) {
      const double error = gap_of(handle, gap(handle, held_at(handle, q, m_modes, warped())));
      const double pull = weight(handle, error);
      sum += pull * error * (2 * error - pull * error / spring(handle));
    });
    return sum;
  }

  /// Metres that it has to go, over those of the counted components that it holds.
  [[nodiscard]] double gap_of(const Handle& handle, const Gap& to_go,
                              std::uint32_t counted = ~0U) const {
    double sum = 0;
    for (int i = 0; i < 6; ++i) {
      if ((handle.components & counted & 1U << i) == 0) continue;
      const double error = row_gap(to_go, i) + handle.bias[i];
      sum += error * error;
    }
    return __builtin_sqrt(sum);
  }

  [[nodiscard]] double spring(const Handle& handle) const {
    return handle.stiffness > 0 ? handle.stiffness : m_stiffness;
  }
  /// Of the spring, or of a weaker one that pulls with the largest force.
  [[nodiscard]] double weight(const Handle& handle, double error) const {
    const double full = spring(handle);
    const bool gives = handle.max_force > 0 && full * error > handle.max_force;
    return gives ? handle.max_force / error : full;
  }

  /// Hard handles, too, are stronger than a hand by so much only: otherwise one whose position no
  /// good shape reaches would crumple the shell or turn it inside out. All become softer alike, so
  /// that those which contradict each other still share the error.
  SUPPLE_FOR_SIZE void soften(const double* q) {
    m_stiffness = m_hardest;
    if (!m_bound.acts()) return;
    reconstruct(q);
    each([&](const Handle& handle) {
      if (handle.stiffness > 0 || (handle.components & format::kHandlePosition) == 0) return;
      const Gap to_go = gap(handle, held_at(handle, q, m_modes, warped()));
      const double away = gap_of(handle, to_go, format::kHandlePosition);
      const double most = kHardHands * hand_force(m_player, handle);
      if (m_stiffness * away > most) m_stiffness = most / away;
    });
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
  SUPPLE_FOR_SIZE void measure(const double* q) {
    reconstruct(q);
    double worst = 0;
    each([&](Handle& handle) {
      const Gap left = gap(handle, held_at(handle, q, m_modes, warped()));
      double squares[2] = {0, 0};
      for (int i = 0; i < 6; ++i) {
        if ((handle.components >> i & 1U) == 0) continue;
        const double error = row_gap(left, i);
        squares[i / 3] += error * error;
        correct(handle, i, error);
      }
      handle.position_error = __builtin_sqrt(squares[0]);
      handle.turn_error = __builtin_sqrt(squares[1]) / m_lever;
      const double missed = squares[0] > squares[1] ? squares[0] : squares[1];
      if (!(handle.stiffness > 0) && missed > worst) worst = missed;
    });
    m_shell.residual = __builtin_sqrt(worst);
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

  const supple_player& m_player;
  const supple_object_settings& m_settings;
  ShellState& m_shell;
  ShellBound m_bound;
  double m_most = 1;  ///< part of the bounds that the step may reach
  const Pose& m_pose;
  const double* m_gamma;
  std::size_t m_modes;
  double m_lever;          ///< metres a radian stands for
  double m_hardest = 0;    ///< of hard handles within an iteration, as stiff as can be
  double m_stiffness = 0;  ///< and as they are in this one
  double* m_matrix;
  double* m_vector;
  double* m_root;
  double* m_trial;
  double* m_rows;
};

}  // namespace

void factorise_and_solve(std::size_t n, double* a, double* x) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = a[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i * n + k] * a[j * n + k];
      // Every pivot is above 1 because of the identity.
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

void hold(supple_player& player, std::size_t object, const Pose& pose, const double* gamma,
          const double* free, double* q, int iterations, double bound) {
  HandleSolver(player, object, pose, gamma).solve(free, q, iterations, bound);
}

void limit_turning(supple_player& player, std::size_t object, double fastest, double* q_dot) {
  const std::size_t modes = player.objects[object].settings.modes;
  double rate = 0;
  each_handle(shell_state(player, object), [&](const Handle& handle) {
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
