// SPDX-License-Identifier: Apache-2.0
#include "supple/simulator/world.hpp"

#include "simulator/bodies.hpp"
#include "supple/core/parallel.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <cmath>

namespace supple::simulator {
namespace {

Obstacle level_floor(double friction = 0.3) {
  Obstacle floor = obstacle("floor", plane_mesh(Vec3(0.01, 0, 0.02), Vec3::UnitY(), 1));
  floor.friction = friction;
  return floor;
}

Description cube_above_floor(double height = 0.01) {
  Description description;
  description.solids.push_back(cube("cube", Vec3(-0.05, height, -0.05), 0.1, 3));
  description.obstacles.push_back(level_floor());
  return description;
}

Vec3 centre_of(const World& world, std::size_t body) {
  Vec3 sum = Vec3::Zero();
  const std::vector<Vec3> positions = world.positions(body);
  for (const Vec3& position : positions) sum += position;
  return sum / static_cast<double>(positions.size());
}

double lowest(const World& world, std::size_t body) {
  double least = std::numeric_limits<double>::infinity();
  for (const Vec3& position : world.positions(body)) least = std::min(least, position.y());
  return least;
}

std::string refusal(Description description) {
  const Result<World> world = World::create(std::move(description));
  return world.ok() ? "accepted" : world.error().describe();
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(World, CubeComesToRestOnAPlane) {
  World world = make_world(cube_above_floor());
  run(world, 60);
  EXPECT_GT(lowest(world, 0), 0);
  EXPECT_LT(lowest(world, 0), world.contact_width());
  constexpr double kStill = 1e-6;  // of the energy that the cube would have if it fell on
  EXPECT_LT(world.energies().kinetic, kStill * 0.5 * 9.81 * 9.81);
}

/// Whatever pulls inside bodies, their momentum changes by weight alone.
TEST(World, ConservesMomentumWithoutContact) {
  for (const fem::TimeScheme scheme : {fem::TimeScheme::ImplicitEuler, fem::TimeScheme::Bdf2}) {
    Description description;
    description.solids.push_back(cube("cube", Vec3::Zero(), 0.1, 2));
    description.sheets.push_back(cloth("cloth", grid(5, 5, [](double u, double v) {
                                         return Vec3(0.3 + 0.1 * u, 0.05 * u * v, 0.1 * v);
                                       })));
    description.solver.scheme = scheme;
    description.solver.speed = 1e-9;
    World world = make_world(description);
    ASSERT_TRUE(world.push(0, {0, 3, 5}, Vec3(1, 2, 3)).ok());
    ASSERT_TRUE(world.push(1, {7}, Vec3(-3, 1, 2)).ok());
    const Eigen::VectorXd masses = fem::lumped_masses(description.solids[0].model);
    const auto momentum = [&](const World& of) {
      Vec3 sum = Vec3::Zero();
      for (Eigen::Index i = 0; i < masses.size(); ++i) {
        sum += masses(i) * of.state().motion.v.segment<3>(3 * i);
      }
      return sum;
    };
    const Vec3 before = momentum(world);
    run(world, 12);
    const Vec3 expected = before + 12 * description.solver.h * masses.sum() * description.gravity;
    constexpr double kTolerance = 1e-8;  // what the stopping criterion leaves
    EXPECT_LT((momentum(world) - expected).norm(), kTolerance * expected.norm());
  }
}

/// A flat block on a slope of tan 0.5: it creeps no faster than friction_speed if friction is
/// larger, and accelerates by g (sin - mu cos) if it is smaller.
TEST(World, BlockSlidesOnASlopeIfFrictionIsTooSmall) {
  const double angle = std::atan(0.5);
  const Eigen::Matrix3d tilt(Eigen::AngleAxisd(angle, Vec3::UnitZ()));
  for (const double friction : {0.45, 0.55}) {
    Description description;
    geometry::Box box;
    box.add(Vec3(-0.05, 0.0015, -0.05));
    box.add(Vec3(0.05, 0.0215, 0.05));
    Solid block = solid("block", geometry::box_mesh(box, 3, 1, 3), soft_rubber(1e7));
    for (Vec3& node : block.model.mesh.nodes) node = tilt * node;
    block.friction = friction;
    description.solids.push_back(std::move(block));
    description.obstacles.push_back(
        obstacle("slope", plane_mesh(Vec3::Zero(), tilt * Vec3::UnitY(), 3)));
    description.obstacles.back().friction = friction;
    description.contact.width = 1e-3;
    World world = make_world(description);
    const Vec3 downhill = tilt * -Vec3::UnitX();
    run(world, 15);  // until it lies on the slope
    const double v0 = downhill.dot(Vec3(world.state().motion.v.head<3>()));
    run(world, 30);
    const double v1 = downhill.dot(Vec3(world.state().motion.v.head<3>()));
    const double acceleration = (v1 - v0) / (30 * description.solver.h);
    if (friction > 0.5) {
      EXPECT_LT(v1, 1.05 * description.contact.friction_speed);
    } else {
      const double expected = 9.81 * (std::sin(angle) - friction * std::cos(angle));
      constexpr double kLag = 0.02;  // normal forces are those of the step before
      EXPECT_NEAR(acceleration, expected, kLag * expected);
    }
  }
}

/// Implicit steps lose energy, and contact gives back no more than it took.
TEST(World, BouncesNeverGainEnergy) {
  for (const int rate : {60, 240, 1000}) {
    Description description;
    geometry::TetMesh ball = geometry::ball_mesh(0.05, 2);
    for (Vec3& node : ball.nodes) node.y() += 0.1;
    description.solids.push_back(solid("ball", std::move(ball), soft_rubber(1e6)));
    description.solids.back().velocity = Vec3(0.2, -2, 0);
    description.obstacles.push_back(level_floor());
    description.solver.h = 1.0 / rate;
    World world = make_world(description);
    const double start = world.energies().total();
    const double scale = world.energies().kinetic;
    constexpr double kTolerance = 1e-4;  // of iterations that end before the exact minimum
    double rebound = 0;
    for (int i = 0; i < rate / 4; ++i) {
      ASSERT_TRUE(world.step().ok());
      ASSERT_LT(world.energies().total(), start + kTolerance * scale) << "step " << i;
      rebound = std::max(rebound, world.state().motion.v(1));
    }
    EXPECT_GT(rebound, 0.1);  // it did bounce
  }
}

TEST(World, RefusesBodiesThatOverlapAndListsAllPairs) {
  Description description = cube_above_floor();
  description.solids.push_back(cube("other", Vec3(0.02, 0.03, 0.03), 0.1, 3));
  const std::string message = refusal(description);
  EXPECT_TRUE(has(message, "intersect at the start")) << message;
  EXPECT_TRUE(has(message, "of 'cube' and element")) << message;
  EXPECT_TRUE(has(message, "more")) << message;
  const Result<std::vector<Overlap>> overlaps = find_overlaps(description);
  ASSERT_TRUE(overlaps.ok());
  EXPECT_GT(overlaps->size(), 20U);
  for (const Overlap& overlap : *overlaps) {
    EXPECT_TRUE(overlap.intersects);
    EXPECT_NE(overlap.sides[0].body, overlap.sides[1].body);
    // The centres of the triangles lie where the cubes overlap, within one triangle.
    for (const Overlap::Side& side : overlap.sides) {
      EXPECT_LT(side.element, 162);
      const Vec3 centre = (side.corners[0] + side.corners[1] + side.corners[2]) / 3;
      EXPECT_TRUE(((centre - Vec3(0.035, 0.07, 0.04)).array().abs() < 0.08).all());
    }
  }
}

TEST(World, RefusesAThicknessThatDoesNotFit) {
  const auto two_sheets = [](double distance, double thickness) {
    Description description;
    for (int i = 0; i < 2; ++i) {
      description.sheets.push_back(cloth(
          i == 0 ? "lower" : "upper",
          grid(4, 4, [&](double u, double v) { return Vec3(0.1 * u, i * distance, 0.1 * v); }),
          thickness));
    }
    return description;
  };
  const std::string gap = refusal(two_sheets(0.002, 0.003));
  EXPECT_TRUE(has(gap, "leaves no gap")) << gap;
  EXPECT_TRUE(has(gap, "largest that fits is 0.0018 m")) << gap;
  EXPECT_EQ(refusal(two_sheets(0.002, 0.0018)), "accepted");
  const std::string edges = refusal(two_sheets(0.2, 0.05));
  EXPECT_TRUE(has(edges, "larger than the edges of 'lower'")) << edges;
  Description wide = two_sheets(0.2, 0);
  wide.contact.width = 0.03;
  EXPECT_TRUE(has(refusal(wide), "contact width of 0.03 m is too large")) << refusal(wide);
}

TEST(World, RefusesBadDescriptions) {
  const auto refuses = [](const std::function<void(Description&)>& change, const char* part) {
    Description description = cube_above_floor();
    change(description);
    const std::string message = refusal(std::move(description));
    EXPECT_TRUE(has(message, part)) << message;
  };
  refuses([](Description& d) { d.solids.clear(); }, "nothing can move");
  refuses([](Description& d) { d.obstacles[0].mesh.triangles.clear(); }, "no triangles");
  refuses([](Description& d) { d.obstacles[0].name = "cube"; }, "two bodies are called 'cube'");
  refuses([](Description& d) { d.solver.h = 0; }, "time step");
  refuses([](Description& d) { d.solids[0].friction = -1; }, "friction");
  refuses([](Description& d) { d.solids[0].model.materials[0].density = 0; }, "density");
  refuses(
      [](Description& d) {
        std::swap(d.solids[0].model.mesh.connectivity[0], d.solids[0].model.mesh.connectivity[1]);
      },
      "element");
  refuses([](Description& d) { d.pins.push_back({"sphere", {0}, {}}); }, "no deformable body");
  refuses([](Description& d) { d.pins.push_back({"cube", {9999}, {}}); }, "does not exist");
  refuses(
      [](Description& d) {
        d.pins.push_back({"cube",
                          {0},
                          {{Oscillation{Vec3::Ones(), 1, 0, {}},
                            Keyframes{{{0, Vec3::Ones(), Vec3::Zero()}}, Vec3::Zero()}}}});
      },
      "time 0");
  refuses([](Description& d) { d.impulses.push_back({-1, "cube", {}, Vec3::Ones()}); }, "time");
}

/// A cloth that falls in folds on a block.
Description falling_cloth() {
  Description description;
  description.sheets.push_back(cloth("cloth", grid(12, 12, [](double u, double v) {
                                       return Vec3(0.3 * (u - 0.5), 0.055, 0.3 * (v - 0.5));
                                     })));
  description.obstacles.push_back(
      box_obstacle("block", Vec3(-0.05, 0, -0.04), Vec3(0.06, 0.05, 0.05)));
  description.obstacles.push_back(level_floor());
  description.impulses.push_back({0.05, "cloth", {0, 1, 2}, Vec3(0, 1, 0)});
  return description;
}

TEST(World, ContinuesToTheSameBitsAfterSaveAndRestore) {
  World world = make_world(falling_cloth());
  run(world, 12);
  const std::vector<std::byte> saved = world.save();
  World other = make_world(falling_cloth());
  ASSERT_TRUE(other.restore(saved).ok());
  EXPECT_EQ(other.digest(), world.digest());
  for (int i = 0; i < 6; ++i) {
    ASSERT_TRUE(world.step().ok());
    ASSERT_TRUE(other.step().ok());
    EXPECT_EQ(other.digest(), world.digest()) << "step " << i;
  }
  EXPECT_FALSE(saved == world.save());
}

TEST(World, RefusesStatesThatAreDamagedOrOfAnotherScene) {
  World world = make_world(falling_cloth());
  std::vector<std::byte> bytes = world.save();
  World cube_world = make_world(cube_above_floor());
  EXPECT_FALSE(cube_world.restore(bytes).ok());
  bytes[bytes.size() / 2] ^= std::byte{1};
  EXPECT_FALSE(world.restore(bytes).ok());
  EXPECT_FALSE(world.restore(std::span(bytes).first(7)).ok());
  State crossing = world.state();
  crossing.motion.x(1) = -1;  // a corner of the cloth below the floor
  EXPECT_FALSE(world.set_state(crossing).ok());
}

TEST(World, HasTheSameBitsForAnyNumberOfThreads) {
  std::vector<Hash> digests;
  for (const int threads : {1, 2, 4}) {
    set_thread_count(threads);
    World world = make_world(falling_cloth());
    run(world, 12);
    digests.push_back(world.digest());
  }
  set_thread_count(0);
  EXPECT_EQ(digests[0], digests[1]);
  EXPECT_EQ(digests[0], digests[2]);
}

/// A press that would crush a hard block waits for it, and the world says so and stays as it was.
TEST(World, ReportsABodyThatIsHeldBackTooFar) {
  Description description;
  description.solids.push_back(
      cube("block", Vec3(-0.05, 0.002, -0.05), 0.1, 2, {"steel", 1e9, 0.3, 7800}));
  description.obstacles.push_back(level_floor());
  description.obstacles.push_back(box_obstacle(
      "press", Vec3(-0.1, 0.11, -0.1), Vec3(0.1, 0.15, 0.1), {{Drift{Vec3(0, -0.5, 0), {}}}}));
  description.solver.held_back = 0.02;
  World world = make_world(description);
  for (int i = 0; i < 60; ++i) {
    const Hash before = world.digest();
    const double time = world.time();
    const Result<StepReport> report = world.step();
    EXPECT_EQ(world.count_intersections(), 0U);
    if (report.ok()) continue;
    EXPECT_EQ(report.error().code(), ErrorCode::NotConverged);
    EXPECT_TRUE(has(report.error().message(), "'press' is held back")) << report.error().describe();
    EXPECT_EQ(world.digest(), before);
    EXPECT_EQ(world.time(), time);
    return;
  }
  ADD_FAILURE() << "the press went through";
}

/// Scripted bodies that nothing holds back are where their scripts have them.
TEST(World, ScriptedBodiesPushOthersAlongTheirPath) {
  Description description = cube_above_floor(0.0015);
  const Script script{{Drift{Vec3(0.5, 0, 0), {0.05, 10}}}};
  description.obstacles.push_back(
      box_obstacle("pusher", Vec3(-0.12, 0.01, -0.08), Vec3(-0.06, 0.08, 0.08), script));
  World world = make_world(description);
  run(world, 30);
  const double moved_by = script.at(world.time()).translation.x();
  const double error = std::abs(world.positions(2)[0].x() - (-0.12 + moved_by));
  EXPECT_LT(error, world.contact_width());
  EXPECT_GT(centre_of(world, 0).x(), -0.06 + moved_by);
}

}  // namespace
}  // namespace supple::simulator
