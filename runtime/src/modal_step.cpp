// SPDX-License-Identifier: Apache-2.0
#include "modal_step.hpp"

#include <cstring>

namespace supple::player {

void ModalStep::catch_up() {
  if (!(m_state.behind > 0)) return;
  advance({transition(m_state.behind), m_state.was_pushed, m_state.last_push});
  m_state.behind = 0;
}

/// Two half steps, so that one transition serves.
void ModalStep::relax(double h) {
  const Span half{transition(h / 2), m_state.pushed, m_state.push};
  advance(half);
  advance(half);
  end_pushes();
  m_state.was_pushed = false;
  std::memcpy(m_state.output, m_state.q, m_state.lanes * sizeof(double));
}

const double* ModalStep::shifted_by(const double* push) {
  for (std::size_t k = 0; k < m_state.lanes; ++k) {
    const bool moves = k < m_state.settings.modes;
    m_state.shifted[k] =
        m_state.target[k] + (moves ? push[k] * m_constants[kCompliance * m_state.lanes + k] : 0.0);
  }
  return m_state.shifted;
}

void ModalStep::settle_some(std::size_t first) {
  ObjectState& o = m_state;
  const std::size_t count = o.settings.modes;
  for (std::size_t k = first; k < count; ++k) {
    o.q[k] = o.target[k];
    o.q_dot[k] = 0;
  }
  for (std::size_t k = count; k < o.lanes; ++k) {
    o.q[k] = o.q_dot[k] = o.target[k] = o.output[k] = 0;
  }
  o.settled = static_cast<std::uint32_t>(count);
}

void ModalStep::exchange_pushes() {
  ObjectState& o = m_state;
  double* old = o.last_push;
  o.last_push = o.push;
  o.push = old;
  std::memset(o.push, 0, o.lanes * sizeof(double));
  o.pushed = false;
}

}  // namespace supple::player
