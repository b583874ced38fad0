// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shell.hpp"

namespace supple::player {

/// One step of one shell. shell_step.cpp has the walk and free motion, shell_hang.cpp what brings a
/// shell to rest or holds it.
class ShellStep : public ModalStep {
 public:
  ShellStep(supple_player& player, std::size_t object)
      : ModalStep(player, object, shell_state(player, object)),
        m_shell(shell_state(player, object)),
        m_commons(*m_shell.commons) {}

  void step(double dt);
  void adjust();
  void reset();
  void push(const format::Entry& entry, std::uint32_t vertex, Vec3 force);

 private:
  void first_step(double h);
  void pause(double h);
  void teleport();
  void move(double h);
  void move_whole(double h);
  void move_held(double h);

  void keep_within(double h);

  /// As flesh has it, and what acts along the shell, bent as q says.
  void set_target(const Drive& drive, const double* q);
  /// To where a bent shell is in balance, with its handles.
  void hang(const Drive& drive);

  /// The whole step and the look ahead, in as many pieces as the load wants. False, and nothing is
  /// done, where that is one. Contract: the target is set.
  [[nodiscard]] bool move_in_pieces(const Drive& drive, double h);
  void move_piece(const Drive& drive, double h, const Span& span);
  /// What the medium takes from the coming step of `tau` seconds goes into the target.
  void brake(const Span& before, const Span& after, double tau);
  /// After a step of so many seconds.
  void damp(double h);
  void damp_sway(double h);
  void calm();
  /// A step with handles. Contract: the state stands at the last frame, and the target is set.
  void solve_held(double h);
  void brake_held(double h);
  void forget_drift();

  [[nodiscard]] bool held() const { return m_shell.held > 0; }
  [[nodiscard]] bool warps() const { return m_object.settings.warp != 0; }
  [[nodiscard]] bool in_medium() const { return m_shell.density > 0; }
  [[nodiscard]] double kick(double h) const;
  void cut_target(double h);

  ShellState& m_shell;
  ShellCommons& m_commons;
};

}  // namespace supple::player
