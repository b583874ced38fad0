// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/check.hpp"
#include "supple/scene/palette.hpp"
#include "supple/scene/simulator.hpp"

#include <cstring>
#include <limits>
#include <vector>

namespace supple::scene {

/// Beads on stiffening springs, joined in a row, damped: a simulator that costs nothing and has
/// every feature that scenes need. Entries: 0 kicks the first bead to the right, 1 the last one up,
/// 2 is a wind that lasts.
class Springs final : public Simulator {
 public:
  static constexpr std::size_t kBeads = 5;
  static constexpr double kFrame = 1.0 / 60;

  Result<void> reset() override {
    m_state.assign(2 * 3 * kBeads, 0);
    return {};
  }
  [[nodiscard]] Bytes state() const override {
    Bytes bytes(m_state.size() * sizeof(double));
    std::memcpy(bytes.data(), m_state.data(), bytes.size());
    return bytes;
  }
  Result<void> set_state(std::span<const std::byte> state) override {
    SUPPLE_CHECK_OP(state.size(), ==, 2 * 3 * kBeads * sizeof(double));
    std::memcpy(m_state.data(), state.data(), state.size());
    return {};
  }
  Result<void> step(const Action& action) override {
    if (fails_after > 0 && --fails_after == 0) {
      m_failed = true;
      if (fault == Fault::Error) return bad_input("diverged");
    }
    if (action.strikes && action.entry == 0) velocity(0) += geometry::Vec3(action.strength, 0, 0);
    if (action.strikes && action.entry == 1) {
      velocity(kBeads - 1) += geometry::Vec3(0, action.strength, 0.3 * action.strength);
    }
    constexpr int kParts = 50;
    for (int i = 0; i < kParts; ++i) substep(action, kFrame / kParts);
    return {};
  }
  [[nodiscard]] std::vector<geometry::Vec3> positions() const override {
    std::vector<geometry::Vec3> result;
    for (std::size_t i = 0; i < kBeads; ++i) {
      result.emplace_back(geometry::Vec3(0.1 * static_cast<double>(i), 0, 0) + place(i));
    }
    if (m_failed && fault == Fault::NotFinite) {
      result.back().y() = std::numeric_limits<double>::quiet_NaN();
    }
    return result;
  }
  [[nodiscard]] std::size_t intersections() const override {
    return m_failed && fault == Fault::Intersections ? 3 : 0;
  }

  enum class Fault { Error, NotFinite, Intersections };
  int fails_after = 0;  ///< steps; 0: never
  Fault fault = Fault::Error;

 private:
  [[nodiscard]] geometry::Vec3 place(std::size_t i) const {
    return {m_state[3 * i], m_state[3 * i + 1], m_state[3 * i + 2]};
  }
  Eigen::Map<geometry::Vec3> displacement(std::size_t i) {
    return Eigen::Map<geometry::Vec3>(m_state.data() + 3 * i);
  }
  Eigen::Map<geometry::Vec3> velocity(std::size_t i) {
    return Eigen::Map<geometry::Vec3>(m_state.data() + 3 * (kBeads + i));
  }
  void substep(const Action& action, double h) {
    std::vector<geometry::Vec3> force(kBeads);
    for (std::size_t i = 0; i < kBeads; ++i) {
      const geometry::Vec3 u = place(i);
      force[i] = -(60 + 4000 * u.squaredNorm()) * u - 2 * velocity(i);
      if (action.entry == 2) force[i] += geometry::Vec3(0, 0, 4 * action.strength);
      if (i > 0) force[i] += 150 * (place(i - 1) - u);
      if (i + 1 < kBeads) force[i] += 150 * (place(i + 1) - u);
    }
    for (std::size_t i = 0; i < kBeads; ++i) {
      velocity(i) += h * force[i];
      displacement(i) += h * velocity(i);
    }
  }
  std::vector<double> m_state = std::vector<double>(2 * 3 * kBeads, 0.0);
  bool m_failed = false;
};

inline Palette springs_palette() {
  const Entry right{"right", "r", {0.5, 1.0}, {}, true};
  const Entry up{"up", "u", {1.0}, {}, true};
  const Entry wind{"wind", "w", {1.0}, {}, true};
  return *Palette::create({right, up, wind});
}

}  // namespace supple::scene
