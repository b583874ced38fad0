// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/simulate.hpp"

#include "temporary_directory.hpp"

#include "supple/core/files.hpp"
#include "supple/core/job.hpp"
#include "supple/core/parallel.hpp"
#include "supple/io/gltf.hpp"
#include "supple/io/gltf_pose.hpp"
#include "supple/io/point_cache.hpp"
#include "supple/io/snapshots.hpp"
#include "supple/io/surface.hpp"
#include "supple/io/volume.hpp"
#include "supple/simulator/world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace supple::bake {
namespace {

namespace fs = std::filesystem;
using geometry::Vec3;

/// A soft cube that falls, turning slowly, on a floor.
std::string falling_cube(double height, double seconds) {
  return "seconds = " + std::to_string(seconds) +
         "\n[[solid]]\nname = \"cube\"\nsize = [0.1, 0.1, 0.1]\ncells = 2\nposition = [0, " +
         std::to_string(height) +
         ", 0]\nrotation = [10, 20, 5]\nmaterial = {youngs_modulus = 2e4, poisson_ratio = 0.4, "
         "density = 1000}\n[[obstacle]]\nname = \"floor\"\nsize = [1, 0.02, 1]\n"
         "position = [0, -0.01, 0]\ncells = 2\n";
}

SimulateRequest request_of(const std::string& toml, std::vector<std::string> outputs) {
  SimulateRequest request;
  request.model = SimulationModel{"scene", toml};
  request.outputs = std::move(outputs);
  return request;
}

/// Runs a job, commits its files and returns the report.
SimulateReport run(const SimulateRequest& request) {
  OutputSet output;
  auto report = simulate(request, output);
  EXPECT_TRUE(report.ok()) << report.error().describe();
  EXPECT_TRUE(output.commit().ok());
  if (report.ok()) remove_checkpoint(request);
  return report.ok() ? *std::move(report) : SimulateReport();
}

std::string bytes_of(const fs::path& path) {
  const auto bytes = read_file(path);
  return bytes.ok() ? std::string(as_text(*bytes)) : "no file " + path.string();
}

/// How long a rubber cloth of 0.2 m gets that hangs from one side under 30 g.
double hanging_length(const std::string& limit) {
  const auto request = request_of(
      "gravity = [0, -300, 0]\n[[cloth]]\nname = \"strip\"\nsize = [0.05, 0, 0.2]\ncells = 8\n"
      "rotation = [90, 0, 0]\nmaterial = {youngs_modulus = 1e5, poisson_ratio = 0.4, "
      "density = 1000, thickness = 0.001}\nlimit = \"" +
          limit + "\"\nstretch_limit = 0.1\n[[pin]]\nbody = \"strip\"\nwhere = [\"y>0.099\"]\n",
      {});
  auto input = read_scene(request);
  EXPECT_TRUE(input.ok()) << input.error().describe();
  auto description = describe_simulation(*input);
  EXPECT_TRUE(description.ok()) << description.error().describe();
  auto world = simulator::World::create(*std::move(description));
  EXPECT_TRUE(world.ok()) << world.error().describe();
  double lowest = 0;
  for (int i = 0; i < 30; ++i) {
    EXPECT_TRUE(world->step().ok());
    for (const Vec3& p : world->positions(0)) lowest = std::min(lowest, p.y());
  }
  return 0.1 - lowest;
}

// The weight of the whole strip stretches its upper end by rho g L / E = 60 %.
TEST(SimulatedCloth, StretchesAsFarAsItsLimitAllows) {
  const double on_and_on = hanging_length("none");
  const double stiffening = hanging_length("penalty");
  const double hard = hanging_length("hard");
  EXPECT_GT(on_and_on, 0.25);
  EXPECT_LT(stiffening, on_and_on);
  EXPECT_LT(hard, 0.22);
  EXPECT_GT(hard, 0.21);
}

class SimulateJob : public ::testing::Test {
 protected:
  [[nodiscard]] std::string path(const std::string& name) const {
    return (m_directory.path() / name).string();
  }
  supple::testing::TemporaryDirectory m_directory;
};

// Before it touches anything, every vertex falls by the sum of the steps of implicit Euler:
// h^2 g n (n + 1) / 2, without any change of shape.
TEST_F(SimulateJob, FreeFallFollowsTheClosedForm) {
  const std::string h5 = path("fall.h5");
  const SimulateReport report = run(request_of(falling_cube(10, 0.5), {h5}));
  EXPECT_EQ(report.steps, 30U);
  EXPECT_EQ(report.contacts_max, 0U);
  EXPECT_EQ(report.intersections, 0U);
  const auto cube = io::SnapshotReader::open(h5, "cube");
  ASSERT_TRUE(cube.ok()) << cube.error().describe();
  ASSERT_EQ(cube->frames(), 31U);
  EXPECT_EQ(cube->rate(), 60);
  const std::vector<Vec3> start = *cube->frame(0);
  constexpr double kSolverSpeed = 1e-3;  // m/s, what the solver leaves of a velocity
  for (std::size_t n = 1; n <= 30; ++n) {
    const std::vector<Vec3> now = *cube->frame(n);
    const double h = 1.0 / 60;
    const double fallen = 9.81 * h * h * static_cast<double>(n * (n + 1)) / 2;
    for (std::size_t i = 0; i < now.size(); ++i) {
      const Vec3 error = now[i] - start[i] + Vec3(0, fallen, 0);
      EXPECT_LT(error.norm(), kSolverSpeed * h * static_cast<double>(n)) << n;
    }
  }
}

/// Vertices of the file's first mesh at a frame, as a viewer shows them.
std::vector<Vec3> shown_vertices(const io::GltfAsset& asset, double time) {
  const io::GltfPose pose = io::sample(asset, asset.animations.front(), time);
  const auto worlds = io::world_matrices(asset, pose);
  const io::GltfPrimitive& primitive = asset.meshes.front().primitives.front();
  std::vector<Vec3> positions = primitive.positions;
  for (std::size_t k = 0; k < primitive.targets.size(); ++k) {
    const auto& moved = primitive.targets[k].positions;
    for (std::size_t i = 0; i < moved.size(); ++i) positions[i] += pose.weights[0][k] * moved[i];
  }
  for (Vec3& point : positions) point = (worlds[0] * point.homogeneous()).head<3>();
  return positions;
}

double distance_to(const Vec3& point, const std::vector<Vec3>& points) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const Vec3& other : points) nearest = std::min(nearest, (point - other).norm());
  return nearest;
}

TEST_F(SimulateJob, MorphTargetsShowTheMotionWithinTheStatedError) {
  const std::string glb = path("cube.glb");
  const std::string h5 = path("cube.h5");
  SimulateRequest request = request_of(falling_cube(0.12, 0.5), {glb, h5});
  for (const bool signed_weights : {false, true}) {
    request.signed_weights = signed_weights;
    const SimulateReport report = run(request);
    EXPECT_GT(report.contacts_max, 0U);
    EXPECT_EQ(report.intersections, 0U);
    ASSERT_EQ(report.reduced.size(), 1U);
    const ReducedBody& reduced = report.reduced.front();
    EXPECT_GT(reduced.shapes, 0U);
    EXPECT_LE(reduced.largest_error, report.input.settings.output.tolerance * reduced.size);
    const auto asset = io::read_gltf(fs::path(glb));
    ASSERT_TRUE(asset.ok()) << asset.error().describe();
    EXPECT_EQ(asset->meshes.front().target_names.size(), reduced.shapes * (signed_weights ? 1 : 2));
    const auto cube = io::SnapshotReader::open(h5, "cube");
    ASSERT_TRUE(cube.ok());
    constexpr double kSinglePrecision = 1e-6;  // m, of positions below 1 m
    for (std::size_t f = 0; f < cube->frames(); ++f) {
      const std::vector<Vec3> simulated = *cube->frame(f);
      for (const Vec3& point : shown_vertices(*asset, static_cast<double>(f) / 60)) {
        EXPECT_LE(distance_to(point, simulated), reduced.largest_error + kSinglePrecision) << f;
      }
    }
  }
}

TEST_F(SimulateJob, WritesSequencesOfEveryKind) {
  SimulateRequest request = request_of(falling_cube(0.12, 0.1),
                                       {path("a.ply"), path("a.vtu"), path("a.pc2"), path("a.h5")});
  const SimulateReport report = run(request);
  EXPECT_EQ(report.steps, 6U);
  const auto cube = io::SnapshotReader::open(path("a.h5"), "cube");
  ASSERT_TRUE(cube.ok());
  const auto cache = io::read_pc2(*read_file(path("a.pc2")), "a.pc2");
  ASSERT_TRUE(cache.ok()) << cache.error().describe();
  ASSERT_EQ(cache->frames.size(), 7U);
  for (std::size_t f = 0; f <= 6; ++f) {
    const std::string number = "_000" + std::to_string(f);
    const auto ply = io::read_ply(*read_file(path("a" + number + ".ply")), "ply");
    ASSERT_TRUE(ply.ok()) << ply.error().describe();
    const std::vector<Vec3> expected = *cube->frame(f);
    ASSERT_EQ(cache->points, expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(ply->positions[i], expected[i]);
      EXPECT_LT((cache->frames[f][i] - expected[i]).norm(), 1e-7);
    }
    // The .vtu reader takes tetrahedra and skips the floor's triangles.
    const auto vtu = io::read_vtu(*read_file(path("a" + number + ".vtu")), "vtu");
    ASSERT_TRUE(vtu.ok()) << vtu.error().describe();
    EXPECT_EQ(vtu->element_count(), 48U);
  }
  EXPECT_NE(bytes_of(path("a.pvd")).find("a_0006.vtu"), std::string::npos);
  EXPECT_FALSE(fs::exists(path("a.ply.work")));
}

TEST_F(SimulateJob, SameBytesForAnyNumberOfThreads) {
  std::vector<std::string> results;
  for (const int threads : {1, 2, 4}) {
    set_thread_count(threads);
    const SimulateReport report =
        run(request_of(falling_cube(0.12, 0.25), {path("t.glb"), path("t.h5")}));
    results.push_back(bytes_of(path("t.glb")) + bytes_of(path("t.h5")) + report.digest);
  }
  set_thread_count(0);
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

/// Long enough that progress is reported on the way.
constexpr double kSecondsToInterrupt = 2;

/// Cancels the job when it reports more steps than `done`, which then has their number.
Result<SimulateReport> interrupted_run(const SimulateRequest& request, double& done) {
  Job* running = nullptr;
  Job job([&](const ProgressState& state) {
    if (state.stage != "simulating" || !(state.done > done)) return;
    done = state.done;
    running->cancel();
  });
  running = &job;
  const JobScope scope(&job);
  OutputSet output;
  return simulate(request, output);
}

TEST_F(SimulateJob, ResumedRunsEndInTheSameBytes) {
  const std::string scene = falling_cube(0.12, kSecondsToInterrupt);
  const SimulateReport expected = run(request_of(scene, {path("whole.glb")}));
  SimulateRequest parts = request_of(scene, {path("parts.glb")});
  double done = 0;
  int interrupts = 0;
  for (; done < static_cast<double>(expected.steps); ++interrupts) {
    const auto stopped = interrupted_run(parts, done);
    if (stopped.ok()) break;  // nothing was reported any more: the last steps were quick
    ASSERT_EQ(stopped.error().code(), ErrorCode::Interrupted) << stopped.error().describe();
    EXPECT_FALSE(fs::exists(path("parts.glb")));
    EXPECT_TRUE(fs::exists(path("parts.glb.work/state.bin")));
    parts.resume = true;
  }
  EXPECT_GT(interrupts, 0);
  const SimulateReport report = run(parts);
  EXPECT_GE(report.resumed_at, static_cast<std::size_t>(done));
  EXPECT_EQ(report.digest, expected.digest);
  EXPECT_EQ(report.newton_iterations, expected.newton_iterations);
  EXPECT_EQ(bytes_of(path("parts.glb")), bytes_of(path("whole.glb")));
  EXPECT_FALSE(fs::exists(path("parts.glb.work")));
}

TEST_F(SimulateJob, RefusesCheckpointsOfOtherScenesAndDamagedOnes) {
  SimulateRequest request = request_of(falling_cube(0.12, kSecondsToInterrupt), {path("a.glb")});
  double done = 0;
  ASSERT_FALSE(interrupted_run(request, done).ok());
  request.resume = true;
  request.model->toml = falling_cube(0.13, kSecondsToInterrupt);
  OutputSet output;
  const auto other = simulate(request, output);
  ASSERT_FALSE(other.ok());
  EXPECT_NE(other.error().message().find("another scene"), std::string::npos);
  request.model->toml = falling_cube(0.12, kSecondsToInterrupt);
  std::string frames = bytes_of(path("a.glb.work/frames.bin"));
  frames[frames.size() / 4] ^= 1;
  ASSERT_TRUE(write_file(path("a.glb.work/frames.bin"), frames).ok());
  const auto damaged = simulate(request, output);
  ASSERT_FALSE(damaged.ok());
  EXPECT_EQ(damaged.error().code(), ErrorCode::Io);
  EXPECT_NE(damaged.error().message().find("damaged"), std::string::npos);
  EXPECT_FALSE(fs::exists(path("a.glb")));
}

// Twenty pairs in the message, all of them in a mesh.
TEST_F(SimulateJob, NamesBodiesThatOverlapAtTheStart) {
  const SimulateRequest request = request_of(falling_cube(0.01, 0.4), {path("a.glb")});
  OutputSet output;
  const auto report = simulate(request, output);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code(), ErrorCode::BadInput);
  const std::string& message = report.error().message();
  EXPECT_NE(message.find("'cube'"), std::string::npos) << message;
  EXPECT_NE(message.find("'floor'"), std::string::npos) << message;
  EXPECT_LE(std::count(message.begin(), message.end(), '\n'), 21);
  const auto mesh = io::read_ply(*read_file(path("a.overlaps.ply")), "overlaps");
  ASSERT_TRUE(mesh.ok());
  EXPECT_GE(mesh->triangles.size(), 2U);
  EXPECT_FALSE(fs::exists(path("a.glb")));
  EXPECT_FALSE(fs::exists(path("a.glb.work")));
}

TEST_F(SimulateJob, RefusesOutputsItCannotWrite) {
  const std::string scene = falling_cube(1, 0.1);
  EXPECT_EQ(check(request_of(scene, {})).error().code(), ErrorCode::Usage);
  EXPECT_EQ(check(request_of(scene, {path("a.obj")})).error().code(), ErrorCode::Usage);
  EXPECT_FALSE(check(request_of(scene, {path("no/such/folder/a.glb")})).ok());
  EXPECT_FALSE(check(request_of(scene, {path("a.glb"), path("a.glb")})).ok());
}

}  // namespace
}  // namespace supple::bake
