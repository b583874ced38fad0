// SPDX-License-Identifier: Apache-2.0
#include "supple/simulator/world.hpp"

#include "simulator/scene.hpp"
#include "simulator/state_bytes.hpp"
#include "simulator/stepper.hpp"

#include "supple/core/check.hpp"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

namespace supple::simulator {

using Eigen::VectorXd;

namespace {

/// Where settings have 0.
constexpr double kWidthOfDiagonal = 1e-3;
constexpr double kHeldBackOfDiagonal = 0.02;
/// How much of the room between neighbours at rest a barrier may take up.
constexpr double kWidthOfRoom = 0.5;

/// The barrier's width, or an error if neighbours leave no room for the one given.
Result<double> choose_width(const Scene& scene, const ContactSettings& contact) {
  const double wanted = contact.width > 0 ? contact.width : kWidthOfDiagonal * scene.diagonal;
  const Room room = smallest_room(scene, wanted / kWidthOfRoom);
  const std::string& body = scene.bodies[room.body].name;
  if (!(room.gap > 0)) {
    return bad_input(fmt::format(
        "a thickness of {:.3g} m is larger than the edges of '{}'; the largest that fits is {:.3g} "
        "m",
        room.thickness, body, 0.9 * (room.thickness + room.gap)));
  }
  const double fits = kWidthOfRoom * room.gap;
  if (contact.width > fits) {
    return bad_input(fmt::format(
        "a contact width of {:.3g} m is too large for the edges of '{}'; the largest that fits is "
        "{:.3g} m",
        contact.width, body, fits));
  }
  return std::min(wanted, fits);
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

class World::Impl {
 public:
  Impl(Description given, std::unique_ptr<Scene> made, double barrier_width)
      : description(std::move(given)),
        scene(std::move(made)),
        width(barrier_width),
        stepper(*scene, description, barrier_width) {
    std::ranges::stable_sort(description.impulses, {}, &Impulse::time);
    state.motion.x = scene->start;
    state.motion.v = scene->velocity;
    state.clocks.assign(scene->followers.size(), 0.0);
  }

  Result<StepReport> step() {
    const auto begin = std::chrono::steady_clock::now();
    StepReport report;
    State next = state;
    apply_impulses(next);
    SUPPLE_TRY_VOID(
        advance(next, report).during(fmt::format("stepping from {:.6g} s", state.motion.time)));
    next.step = state.step + 1;
    next.motion.time = static_cast<double>(next.step) * description.solver.h;
    SUPPLE_TRY_VOID(check_followers(next, report));
    const VectorXd& x = next.motion.x;
    report.contacts = stepper.contact().contacts(x).size();
    report.smallest_distance = stepper.contact().nearest(x).gap;
    state = std::move(next);
    report.seconds.total = seconds_since(begin);
    return report;
  }

  void push(State& to, const Body& body, const std::vector<Index>& vertices,
            const Vec3& velocity) const {
    std::vector<Index> all(vertices);
    if (all.empty()) {
      all.resize(static_cast<std::size_t>(body.vertex_count));
      std::iota(all.begin(), all.end(), 0);
    }
    for (const Index vertex : all) {
      const Index place = body.first_vertex + vertex;
      if (scene->masses(place) > 0) to.motion.v.segment<3>(3 * Eigen::Index{place}) += velocity;
    }
    // Velocities jump here, so a scheme that looks further back must start again.
    to.motion.x_before.resize(0);
    to.motion.v_before.resize(0);
  }

  [[nodiscard]] bool fits(const State& other) const {
    const auto size = scene->start.size();
    const fem::MotionState& m = other.motion;
    const auto past = [&](const VectorXd& v) { return v.size() == 0 || v.size() == size; };
    return m.x.size() == size && m.v.size() == size && past(m.x_before) && past(m.v_before) &&
           m.x_before.size() == m.v_before.size() && other.clocks.size() == state.clocks.size() &&
           m.x.allFinite() && m.v.allFinite() && other.step >= 0 &&
           other.impulses_done <= description.impulses.size();
  }

  Description description;
  std::unique_ptr<Scene> scene;
  double width;
  Stepper stepper;
  State state;

 private:
  void apply_impulses(State& to) const {
    // Times are rounded: an impulse at the time of a step belongs to it.
    const double now = to.motion.time + 1e-9 * description.solver.h;
    while (to.impulses_done < description.impulses.size() &&
           description.impulses[to.impulses_done].time <= now) {
      const Impulse& impulse = description.impulses[to.impulses_done++];
      push(to, *std::ranges::find(scene->bodies, impulse.body, &Body::name), impulse.vertices,
           impulse.velocity);
    }
  }

  /// In one step, or in smaller ones if that fails.
  Result<void> advance(State& next, StepReport& report) {
    const std::int64_t whole = std::int64_t{1} << description.solver.max_halvings;
    std::int64_t stride = whole;
    report.substeps = 0;
    for (std::int64_t done = 0; done < whole;) {
      const double dt =
          description.solver.h * static_cast<double>(stride) / static_cast<double>(whole);
      State trial = next;
      Result<void> result = stepper.advance(dt, trial, report);
      if (result.ok()) {
        next = std::move(trial);
        done += stride;
        ++report.substeps;
      } else if (result.error().code() == ErrorCode::NotConverged && stride > 1) {
        stride /= 2;
      } else {
        return result;
      }
    }
    return {};
  }

  Result<void> check_followers(const State& next, StepReport& report) const {
    const double limit = description.solver.held_back > 0 ? description.solver.held_back
                                                          : kHeldBackOfDiagonal * scene->diagonal;
    for (const Follower& follower : scene->followers) {
      const double behind = stepper.distance_behind(follower, next.motion.time, next.motion.x);
      if (behind > std::max(width, report.held_back_by)) {
        report.held_back = follower.name;
        report.held_back_by = behind;
      }
    }
    if (report.held_back_by <= limit) return {};
    return not_converged(fmt::format(
        "'{}' is held back by {:.3g} m at {:.6g} s, because something is caught in its way; leave "
        "more room, move it more slowly, or allow more than {:.3g} m",
        report.held_back, report.held_back_by, next.motion.time, limit));
  }
};

World::World(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

Result<World> World::create(Description description) {
  SUPPLE_TRY_VOID(description.validate());
  SUPPLE_TRY(std::unique_ptr<Scene> scene, make_scene(description));
  SUPPLE_TRY(const double width, choose_width(*scene, description.contact));
  const std::vector<Overlap> overlaps = overlaps_at_start(*scene);
  if (!overlaps.empty()) return overlap_error(*scene, overlaps);
  return World(std::make_unique<Impl>(std::move(description), std::move(scene), width));
}

Result<std::vector<Overlap>> find_overlaps(const Description& description) {
  SUPPLE_TRY_VOID(description.validate());
  SUPPLE_TRY(const std::unique_ptr<Scene> scene, make_scene(description));
  return overlaps_at_start(*scene);
}

Result<StepReport> World::step() {
  return m_impl->step();
}

double World::time() const {
  return m_impl->state.motion.time;
}

const std::vector<Body>& World::bodies() const {
  return m_impl->scene->bodies;
}

std::size_t World::vertex_count() const {
  return static_cast<std::size_t>(m_impl->scene->masses.size());
}

std::vector<Vec3> World::positions(std::size_t body) const {
  const Body& of = m_impl->scene->bodies[body];
  std::vector<Vec3> result;
  result.reserve(static_cast<std::size_t>(of.vertex_count));
  for (Index i = 0; i < of.vertex_count; ++i) {
    result.emplace_back(m_impl->state.motion.x.segment<3>(3 * Eigen::Index{of.first_vertex + i}));
  }
  return result;
}

Energies World::energies() const {
  const VectorXd& x = m_impl->state.motion.x;
  const VectorXd& v = m_impl->state.motion.v;
  Energies result;
  for (Eigen::Index i = 0; i < m_impl->scene->masses.size(); ++i) {
    result.kinetic += 0.5 * m_impl->scene->masses(i) * v.segment<3>(3 * i).squaredNorm();
  }
  for (const auto& energy : m_impl->scene->elastic) result.elastic += energy->value(x).joules;
  result.gravity = m_impl->stepper.gravity().value(x).joules;
  ContactEnergy& contact = m_impl->stepper.contact();
  contact.follow(x);
  result.contact = contact.value(x).joules;
  return result;
}

double World::contact_width() const {
  return m_impl->width;
}

std::size_t World::count_intersections() const {
  return intersections(*m_impl->scene, m_impl->state.motion.x).size();
}

std::vector<std::array<Vec3, 3>> World::crossings(const Eigen::VectorXd& x) const {
  SUPPLE_CHECK_OP(x.size(), ==, m_impl->state.motion.x.size());
  const contact::ContactMesh& mesh = m_impl->scene->surface.mesh;
  const auto at = [&](Index vertex) -> Vec3 { return x.segment<3>(3 * Eigen::Index{vertex}); };
  std::vector<std::array<Vec3, 3>> crossed;
  for (const auto& [edge, triangle] : intersections(*m_impl->scene, x)) {
    const geometry::Triangle& t = mesh.triangles[static_cast<std::size_t>(triangle)];
    if (std::ranges::any_of(t,
                            [&](Index v) { return mesh.free[static_cast<std::size_t>(v)] != 0; })) {
      crossed.push_back({at(t[0]), at(t[1]), at(t[2])});
      continue;
    }
    const contact::Edge& ends = mesh.edges[static_cast<std::size_t>(edge)];
    const Vec3 along = at(ends[1]) - at(ends[0]);
    const Vec3 beside = 0.25 * along.norm() * along.unitOrthogonal();
    crossed.push_back({at(ends[0]), at(ends[1]), at(ends[0]) + 0.5 * along + beside});
  }
  return crossed;
}

Result<void> World::push(std::size_t body, const std::vector<Index>& vertices,
                         const Vec3& velocity) {
  if (body >= bodies().size()) {
    return bad_input(fmt::format("there is no body {}; the world has {}", body, bodies().size()));
  }
  const Body& of = bodies()[body];
  for (const Index vertex : vertices) {
    if (vertex < 0 || vertex >= of.vertex_count) {
      return bad_input(fmt::format("vertex {} does not exist; '{}' has {}", vertex + 1, of.name,
                                   of.vertex_count));
    }
  }
  if (!velocity.allFinite()) return bad_input("the velocity is not finite; give numbers");
  m_impl->push(m_impl->state, of, vertices, velocity);
  return {};
}

void World::kick(const std::function<Vec3(const Vec3& x, const Vec3& v)>& change) {
  fem::MotionState& motion = m_impl->state.motion;
  for (Eigen::Index i = 0; i < m_impl->scene->masses.size(); ++i) {
    if (!(m_impl->scene->masses(i) > 0)) continue;
    motion.v.segment<3>(3 * i) += change(motion.x.segment<3>(3 * i), motion.v.segment<3>(3 * i));
  }
  motion.x_before.resize(0);
  motion.v_before.resize(0);
}

const State& World::state() const {
  return m_impl->state;
}

Result<void> World::set_state(State state) {
  if (!m_impl->fits(state)) {
    return bad_input("the state does not belong to this scene; give the one it was saved from");
  }
  const std::size_t crossings = intersections(*m_impl->scene, state.motion.x).size();
  if (crossings > 0) {
    return bad_input(fmt::format("the state has {} intersections; give one without", crossings));
  }
  m_impl->state = std::move(state);
  return {};
}

std::vector<std::byte> World::save() const {
  return to_bytes(m_impl->state);
}

Result<void> World::restore(std::span<const std::byte> bytes) {
  SUPPLE_TRY(State state, from_bytes(bytes));
  return set_state(std::move(state));
}

Hash World::digest() const {
  return Hasher().add(save()).finish();
}

}  // namespace supple::simulator
