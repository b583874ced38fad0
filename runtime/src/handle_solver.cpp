// SPDX-License-Identifier: Apache-2.0
#include "shell.hpp"
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

/// The same turn, counted so that it is nearest to the present one.
Vec3 nearest_turn(Vec3 wanted, Vec3 now) {
  const double size = length(wanted);
  const bool none = size < 1e-9;
  const double along = none ? length(now) : size;
  if (along < 1e-9) return wanted;
  const Vec3 axis = (1 / along) * (none ? now : wanted);
  return wanted + (kTwoPi * rounded((dot(now, axis) - size) / kTwoPi)) * axis;
}

/// Handles and modes of one object in one step: the q that is least |q - free|^2 in the metric of
/// 1 / Gamma, plus W |gap(q)|^2, W the handle's own spring or, for a hard one, a spring as stiff as
/// kSoftness allows. By Gauss and Newton,
///   (1 / Gamma + A^T W A) dq = A^T W gap - (q - free) / Gamma,
/// solved for dq / sqrt(Gamma). That is Gamma A^T (A Gamma A^T + 1 / W)^-1 gap, but has the size of
/// the modes, however many handles there are.
class HandleSolver {
 public:
  HandleSolver(const supple_player& player, std::size_t object, const Pose& pose,
               const double* gamma)
      : m_settings(player.objects[object].settings),
        m_shell(shell_state(player, object)),
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
      add_row(rows + static_cast<std::size_t>(i) * m_modes, error, weight(handle));
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
    factorise_and_solve(n, m_matrix, m_vector);
    const double before = cost(free, q);
    double scale = step_scale();
    for (int halving = 0; halving < kMostHalvings; ++halving, scale *= 0.5) {
      for (std::size_t k = 0; k < n; ++k) m_trial[k] = q[k] + scale * m_root[k] * m_vector[k];
      if (cost(free, m_trial) <= before) {
        std::memcpy(q, m_trial, n * sizeof(double));
        return;
      }
    }
  }

  /// What q is to make least.
  double cost(const double* free, const double* q) {
    double sum = 0;
    for (std::size_t k = 0; k < m_modes; ++k) {
      const double away = m_root[k] > 0 ? (q[k] - free[k]) / m_root[k] : 0.0;
      sum += away * away;
    }
    each([&](const Handle& handle) {
      const Gap to_go = gap(handle, held_at(handle, q, m_modes, warped()));
      for (int i = 0; i < 6; ++i) {
        if ((handle.components >> i & 1U) == 0) continue;
        const double error = row_gap(to_go, i) + handle.bias[i];
        sum += weight(handle) * error * error;
      }
    });
    return sum;
  }

  [[nodiscard]] double weight(const Handle& handle) const {
    return handle.stiffness > 0 ? handle.stiffness : m_stiffness;
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

  const supple_object_settings& m_settings;
  ShellState& m_shell;
  const Pose& m_pose;
  const double* m_gamma;
  std::size_t m_modes;
  double m_lever;          ///< metres a radian stands for
  double m_stiffness = 0;  ///< of hard handles within an iteration
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
          const double* free, double* q, int iterations) {
  HandleSolver(player, object, pose, gamma).solve(free, q, iterations);
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
