// SPDX-License-Identifier: Apache-2.0
#include "bake/scene/world_simulator.hpp"

#include "supple/core/interrupt.hpp"
#include "supple/core/progress.hpp"
#include "supple/core/units.hpp"

#include <Eigen/Geometry>

#include <cmath>
#include <utility>

namespace supple::bake::detail {
namespace {

using geometry::Vec3;

/// What a vertex feels during one frame of a turning and accelerated support: an acceleration, the
/// centrifugal force w x (r x w) and that of Coriolis, 2 v x w. The change of the turning itself is
/// an impulse, -dw x r, which the palette names.
Vec3 inertia(const SceneForcing& forcing, double strength, const Vec3& x, const Vec3& v) {
  const Vec3 w = strength * kDegree * forcing.turning;
  const Vec3 r = x - forcing.centre;
  return strength * forcing.acceleration - w.cross(w.cross(r)) - 2 * w.cross(v);
}

}  // namespace

Result<scene::Palette> make_palette(const SceneSettings& settings) {
  std::vector<scene::Entry> entries;
  for (const SceneEntrySettings& entry : settings.entries) {
    // What another program or another simulator does after an impulse is unknown.
    const bool free = !entry.forcing && !settings.recording && !settings.foreign;
    entries.push_back(
        {entry.name, entry.key, entry.strengths, entry.followed_by, entry.from_rest, free});
  }
  return scene::Palette::create(std::move(entries));
}

Result<void> settle(simulator::World& world, const SceneSettings& settings) {
  const double rate = settings.simulation.rate;
  const auto steps = static_cast<std::size_t>(std::lround(settings.sampling.settle * rate));
  Progress progress("coming to rest", static_cast<double>(steps));
  for (std::size_t s = 0; s < steps; ++s) {
    SUPPLE_TRY_VOID(check_interrupt());
    if (auto step = world.step(); !step.ok()) {
      return std::move(step).error().during("bringing the scene to rest");
    }
    progress.advance();
  }
  // Whatever still moves moves too little to see.
  world.kick([](const Vec3&, const Vec3& v) -> Vec3 { return -v; });
  return {};
}

CrossingTest crossings_in(const simulator::World& world) {
  Eigen::VectorXd all(static_cast<Eigen::Index>(3 * world.vertex_count()));
  Eigen::Index to = 0;
  for (std::size_t b = 0; b < world.bodies().size(); ++b) {
    for (const Vec3& point : world.positions(b)) {
      all.segment<3>(to) = point;
      to += 3;
    }
  }
  return [&world, all](const Eigen::VectorXd& recorded) {
    Eigen::VectorXd x = all;  // bodies that deform come first
    x.head(recorded.size()) = recorded;
    return world.crossings(x);
  };
}

WorldSimulator::WorldSimulator(simulator::World world, const SceneSettings& settings, Bytes rest)
    : m_world(std::move(world)), m_settings(&settings), m_rest(std::move(rest)) {
  if (m_rest.empty()) m_rest = m_world.save();
}

Result<void> WorldSimulator::reset() {
  return m_world.restore(m_rest);
}

Bytes WorldSimulator::state() const {
  return m_world.save();
}

Result<void> WorldSimulator::set_state(std::span<const std::byte> state) {
  return m_world.restore(state);
}

Result<void> WorldSimulator::step(const scene::Action& action) {
  const SceneEntrySettings& entry = m_settings->entries[action.entry];
  if (action.strikes && entry.impulse) {
    const SceneImpulse& impulse = *entry.impulse;
    m_world.kick([&](const Vec3& x, const Vec3&) -> Vec3 {
      const Vec3 spin = kDegree * impulse.spin;
      return action.strength * (impulse.velocity + spin.cross(x - impulse.centre));
    });
  }
  if (entry.forcing) {
    const double h = 1 / m_settings->simulation.rate;
    m_world.kick([&](const Vec3& x, const Vec3& v) -> Vec3 {
      return h * inertia(*entry.forcing, action.strength, x, v);
    });
  }
  if (auto stepped = m_world.step(); !stepped.ok()) return std::move(stepped).error();
  return {};
}

std::vector<Vec3> WorldSimulator::positions() const {
  std::vector<Vec3> all;
  for (std::size_t b = 0; b < m_world.bodies().size(); ++b) {
    if (m_world.bodies()[b].kind == simulator::BodyKind::Obstacle) continue;
    const std::vector<Vec3> body = m_world.positions(b);
    all.insert(all.end(), body.begin(), body.end());
  }
  return all;
}

std::size_t WorldSimulator::intersections() const {
  return m_world.count_intersections();
}

}  // namespace supple::bake::detail
