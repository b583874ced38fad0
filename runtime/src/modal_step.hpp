// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "player.hpp"
#include "size.hpp"

namespace supple::player {

/// The modes of one object during a step: what the steps of flesh and of shells are made of. A
/// view, whose copies work on the same state.
class ModalStep {
 public:
  ModalStep(supple_player& player, std::size_t index)
      : m_player(player),
        m_index(index),
        m_state(player.objects[index]),
        m_file(player.asset->objects[index]),
        m_constants(m_state.constants),
        m_kernels(filter_of(player)) {}

 protected:
  /// Part of a step: its transition, and the push that acts meanwhile.
  struct Span {
    const double* rows;
    bool pushed;
    const double* push;
  };

  [[nodiscard]] bool held() const { return m_state.shell != nullptr && m_state.shell->held > 0; }

  /// Computed only if the step's length is new. The other of the two stays: the next step begins
  /// with it.
  const double* transition(double h) {
    ObjectState& o = m_state;
    if (o.lengths[o.newest] != h) {
      o.newest = 1 - o.newest;
      if (o.lengths[o.newest] != h) {
        m_kernels.transition(m_constants, o.lanes, m_file.mode_count, h, o.transitions[o.newest]);
        o.lengths[o.newest] = h;
      }
    }
    return o.transitions[o.newest];
  }

  const double* pushed_target(const Span& span) {
    return span.pushed ? shifted_by(span.push) : m_state.target;
  }
  void advance(const Span& span) {
    m_kernels.advance(span.rows, m_state.lanes, m_state.settings.modes, pushed_target(span),
                      m_state.q, m_state.q_dot);
  }
  void look_ahead(const Span& span, const double* q_dot) {
    m_kernels.look_ahead(span.rows, m_state.lanes, m_state.settings.modes, pushed_target(span),
                         m_state.q, q_dot, m_state.output);
  }

  /// From where the state stands to the last frame.
  SUPPLE_FOR_SIZE void catch_up();
  /// Freely, from the frame before to this one.
  SUPPLE_FOR_SIZE void relax(double h);
  /// Modes that did not move so far begin where the force holds them, so that nothing jumps; modes
  /// beyond the level of detail stay at 0. Where all modes move there is nothing to do, and single
  /// numbers written here would hold up the kernels, which load whole rows.
  SUPPLE_FOR_SIZE void settle(std::size_t first) {
    if (first == m_state.settings.modes && first == m_file.mode_count) return;
    settle_some(first);
  }
  /// A push acts from its frame to the next: half of that lies in the step after.
  SUPPLE_FOR_SIZE void end_pushes() {
    m_state.was_pushed = m_state.pushed;
    if (m_state.pushed) exchange_pushes();
  }

  supple_player& m_player;
  std::size_t m_index;
  ObjectState& m_state;
  const format::Object& m_file;
  const double* m_constants;
  const FilterKernels& m_kernels;

 private:
  SUPPLE_FOR_SIZE const double* shifted_by(const double* push);
  SUPPLE_FOR_SIZE void settle_some(std::size_t first);
  SUPPLE_FOR_SIZE void exchange_pushes();
};

}  // namespace supple::player
