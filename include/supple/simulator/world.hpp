// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/hash.hpp"
#include "supple/core/result.hpp"
#include "supple/simulator/description.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace supple::simulator {

enum class BodyKind : std::uint8_t { Solid, Sheet, Obstacle };

/// A body's place in the scene: its vertices are consecutive. Bodies are numbered solids first,
/// then sheets, then obstacles, each in the order of the description.
struct Body {
  std::string name;
  BodyKind kind = BodyKind::Solid;
  Index first_vertex = 0;
  Index vertex_count = 0;
  std::vector<geometry::Triangle> surface;  ///< outward; vertices of the body, from 0
  /// Per triangle of the surface the tetrahedron behind it; empty unless the body is a solid.
  std::vector<Index> element_of_triangle;
};

/// Two elements that intersect, or whose distance is not larger than the thickness.
struct Overlap {
  struct Side {
    std::size_t body = 0;
    Index element = 0;            ///< a tetrahedron of a solid, a triangle of anything else, from 0
    std::array<Vec3, 3> corners;  ///< of the triangle on the surface
  };
  std::array<Side, 2> sides;
  bool intersects = false;
  double distance = 0;   ///< m, 0 if they intersect
  double thickness = 0;  ///< m, that would have to fit between them
};

/// All pairs of elements that overlap where the bodies start, ascending; each pair once.
[[nodiscard]] Result<std::vector<Overlap>> find_overlaps(const Description& description);

struct Energies {
  double kinetic = 0;
  double elastic = 0;  ///< of all bodies, without extras
  double gravity = 0;
  double contact = 0;
  [[nodiscard]] double total() const { return kinetic + elastic + gravity + contact; }
};

/// Seconds of wall-clock time.
struct StageSeconds {
  double candidates = 0;     ///< pairs that may come close
  double assembly = 0;       ///< gradients and Hessians of all energies
  double factorisation = 0;  ///< analysis, factors, solutions
  double search = 0;         ///< energies along steps, collision detection
  double check = 0;          ///< the exact intersection test of accepted states
  double total = 0;
};

struct StepReport {
  int iterations = 0;            ///< of Newton's method, over all sub-steps
  int substeps = 1;              ///< more than 1 if the step had to be divided
  std::size_t contacts = 0;      ///< pairs within the barrier's width in the end
  double smallest_distance = 0;  ///< m, the gap of the closest pair; infinite without contacts
  std::string held_back;         ///< a scripted body that waits; empty: none
  double held_back_by = 0;       ///< m, how far it is behind its script
  StageSeconds seconds;
};

/// What a simulation continues from: two worlds of the same description and the same state go on
/// to the same bits.
struct State {
  std::int64_t step = 0;  ///< frames done; the time is step h
  fem::MotionState motion;
  std::vector<double> clocks;  ///< s, of scripted bodies and pins: less than the time if they wait
  std::uint64_t impulses_done = 0;
};

/// Bodies that move under their own elasticity, weight, contact and friction, and never intersect.
///
/// One frame is one implicit step, the minimum of an incremental potential [LFSJ20]: inertia,
/// elasticity and weight, a barrier on the gaps between all surfaces, and lagged friction. Every
/// step of the minimisation ends before the first impact, and every accepted state is tested for
/// intersections exactly. The same for any number of threads, bit for bit.
class World {
 public:
  /// Refuses what Description::validate does, bodies that overlap at the start (at most twenty
  /// pairs in the message; find_overlaps lists all), and a thickness or a contact width that the
  /// gaps or the edges do not leave room for, with the largest that fits.
  [[nodiscard]] static Result<World> create(Description description);
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  /// Advances by one frame of h. A step that does not converge, or that a scripted body held back
  /// too far makes pointless, is an error; the state is that of the last frame then.
  [[nodiscard]] Result<StepReport> step();

  [[nodiscard]] double time() const;
  [[nodiscard]] const std::vector<Body>& bodies() const;
  [[nodiscard]] std::size_t vertex_count() const;  ///< of all bodies
  /// m, of one body's vertices.
  [[nodiscard]] std::vector<Vec3> positions(std::size_t body) const;
  [[nodiscard]] Energies energies() const;
  /// m: the settings, or the value chosen where they have 0.
  [[nodiscard]] double contact_width() const;
  /// Pairs of an edge and a triangle that intersect now, by the exact test: always 0.
  [[nodiscard]] std::size_t count_intersections() const;
  /// A triangle for every pair that would intersect if all vertices were at x: x y z of all bodies
  /// in turn. It is the one that is crossed, or a narrow one at the edge where that is part of
  /// something that cannot give way. The state stays.
  [[nodiscard]] std::vector<std::array<Vec3, 3>> crossings(const Eigen::VectorXd& x) const;

  /// Changes velocities now; `vertices` of the body from 0, empty: all.
  [[nodiscard]] Result<void> push(std::size_t body, const std::vector<Index>& vertices,
                                  const Vec3& velocity);

  /// Changes the velocity of every vertex that moves, by what `change` says of its position and
  /// velocity. By h a(x) before a step it is the same as an acceleration a during the step of
  /// implicit Euler.
  void kick(const std::function<Vec3(const Vec3& x, const Vec3& v)>& change);

  [[nodiscard]] const State& state() const;
  /// A state of another scene, or one that intersects, is an error and changes nothing.
  [[nodiscard]] Result<void> set_state(State state);
  /// The state as bytes, with a checksum; the same on every little-endian machine.
  [[nodiscard]] std::vector<std::byte> save() const;
  [[nodiscard]] Result<void> restore(std::span<const std::byte> bytes);
  [[nodiscard]] Hash digest() const;  ///< of the state

 private:
  class Impl;
  explicit World(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> m_impl;
};

}  // namespace supple::simulator
