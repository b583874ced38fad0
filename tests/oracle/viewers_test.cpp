// SPDX-License-Identifier: Apache-2.0
// What we export, as programs by others show it: Khronos' validator, Blender and three.js.
#include "supple/bake/clip_export.hpp"
#include "supple/io/gltf_pose.hpp"

#include "bake/rigs.hpp"
#include "oracle/runs.hpp"
#include "source_directory.hpp"
#include "temporary_directory.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

namespace supple::bake {
namespace {

using geometry::Vec3;
using oracle::runs;
using Points = std::vector<Vec3>;
using supple::testing::TemporaryDirectory;

/// Characters to try, baked by the real program as its users call it; only coarser.
constexpr std::array kFiles{"khronos/RiggedFigure/RiggedFigure.glb",
                            "khronos/CesiumMan/CesiumMan.glb",
                            "khronos/Fox/Fox.glb",
                            "kaykit/Knight.glb",
                            "quaternius/Dolphin.glb",
                            "makehuman/human.glb"};

constexpr double kViewerTolerance =
    1e-4;  // of the size, as floats and two kinds of arithmetic allow

const std::string kWeb = (supple::testing::source_directory() / "web").string();

/// Distinguishes points that are further apart than the tolerance.
class PointSet {
 public:
  PointSet(const Points& points, double tolerance) : m_points(points), m_tolerance(tolerance) {
    for (std::size_t i = 0; i < points.size(); ++i) m_cells[cell(points[i])].push_back(i);
  }
  [[nodiscard]] bool has_near(const Vec3& point) const {
    const Cell middle = cell(point);
    for (std::int64_t n = 0; n < 27; ++n) {
      const auto found =
          m_cells.find({middle[0] + n % 3 - 1, middle[1] + n / 3 % 3 - 1, middle[2] + n / 9 - 1});
      if (found == m_cells.end()) continue;
      for (const std::size_t i : found->second) {
        if ((m_points[i] - point).norm() <= m_tolerance) return true;
      }
    }
    return false;
  }

 private:
  using Cell = std::array<std::int64_t, 3>;
  [[nodiscard]] Cell cell(const Vec3& p) const {
    return {std::llround(p.x() / m_tolerance), std::llround(p.y() / m_tolerance),
            std::llround(p.z() / m_tolerance)};
  }
  const Points& m_points;
  double m_tolerance;
  std::map<Cell, std::vector<std::size_t>> m_cells;
};

/// Blender draws straight lines between the numbers of a rotation where glTF asks for arcs: keys
/// of the input that lie far apart come out differently, with or without us.
void turn_as_blender(const io::GltfAnimation& animation, double time, io::GltfPose& pose) {
  for (const io::GltfChannel& channel : animation.channels) {
    const io::GltfSampler& sampler = animation.samplers[channel.sampler];
    if (channel.path != io::GltfPath::Rotation ||
        sampler.interpolation != io::GltfInterpolation::Linear) {
      continue;
    }
    const auto next = std::upper_bound(sampler.times.begin(), sampler.times.end(), time);
    if (next == sampler.times.begin() || next == sampler.times.end()) continue;
    const auto key = static_cast<std::size_t>(next - sampler.times.begin());
    const double t = (time - sampler.times[key - 1]) / (*next - sampler.times[key - 1]);
    const Eigen::Vector4d a = Eigen::Map<const Eigen::Vector4d>(&sampler.values[4 * (key - 1)]);
    Eigen::Vector4d b = Eigen::Map<const Eigen::Vector4d>(&sampler.values[4 * key]);
    if (a.dot(b) < 0) b = -b;
    pose.locals[channel.node].rotation = Eigen::Quaterniond(Eigen::Vector4d((1 - t) * a + t * b));
    pose.locals[channel.node].rotation.normalize();
  }
}

/// World positions of all vertices that a triangle uses.
Points our_points(const io::GltfAsset& asset, std::size_t clip, double time, bool blender) {
  io::GltfPose pose = io::sample(asset, asset.animations[clip], time);
  if (blender) turn_as_blender(asset.animations[clip], time, pose);
  const auto world = io::world_matrices(asset, pose);
  Points points;
  for (std::size_t n = 0; n < asset.nodes.size(); ++n) {
    if (!asset.nodes[n].mesh) continue;
    const auto& primitives = asset.meshes[*asset.nodes[n].mesh].primitives;
    for (std::size_t p = 0; p < primitives.size(); ++p) {
      const Points posed = io::posed_positions(asset, n, p, pose, world);
      std::set<geometry::Index> used;
      for (const auto& triangle : primitives[p].triangles) {
        used.insert(triangle.begin(), triangle.end());
      }
      for (const geometry::Index v : used) points.push_back(posed[static_cast<std::size_t>(v)]);
    }
  }
  return points;
}

double size_of(const Points& points) {
  geometry::Box box;
  for (const Vec3& p : points) box.add(p);
  return box.size().norm();
}

class Viewers : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const auto path = testing::assets() / GetParam();
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "SKIPPED: no " << path;
    m_file = m_directory.path("shown.glb");
    const std::string command =
        fmt::format("'{}' bake '{}' --elements 800 --modes 4 -q -o '{}'",
                    supple::testing::built_program().string(), path.string(), m_file);
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
    auto asset = io::read_gltf(std::filesystem::path(m_file));
    ASSERT_TRUE(asset.ok()) << asset.error().describe();
    m_shown = *std::move(asset);
    m_original = path.string();
    m_clips = {0};
    if (m_shown.animations.size() > 1) m_clips.push_back(m_shown.animations.size() - 1);
  }

  [[nodiscard]] std::vector<double> moments(std::size_t clip) const {
    const double duration = m_shown.animations[clip].duration;
    return {0, 0.31 * duration, 0.5 * duration, 0.87 * duration};
  }

  [[nodiscard]] std::string arguments(std::size_t clip) const {
    std::string text = fmt::format("'{}' {}", m_file, clip);
    for (const double moment : moments(clip)) text += fmt::format(" {:.9g}", moment);
    return text;
  }

  void compare(const std::string& viewer, std::size_t clip, const std::string& json) const {
    const auto frames = nlohmann::json::parse(json, nullptr, false);
    ASSERT_TRUE(frames.is_array()) << viewer << " printed no vertices";
    ASSERT_EQ(frames.size(), moments(clip).size());
    for (std::size_t f = 0; f < frames.size(); ++f) {
      Points theirs;
      for (const auto& mesh : frames[f]) {
        for (const auto& p : mesh[1]) theirs.emplace_back(p[0], p[1], p[2]);
      }
      const Points ours = our_points(m_shown, clip, moments(clip)[f], viewer == "Blender");
      ASSERT_FALSE(theirs.empty());
      const double tolerance = kViewerTolerance * size_of(ours);
      const PointSet our_set(ours, tolerance);
      const PointSet their_set(theirs, tolerance);
      std::size_t missing = 0;
      for (const Vec3& p : ours) missing += their_set.has_near(p) ? 0 : 1;
      std::size_t strange = 0;
      for (const Vec3& p : theirs) strange += our_set.has_near(p) ? 0 : 1;
      EXPECT_EQ(missing, 0U) << viewer << ", clip " << clip << ", moment " << f << ", of "
                             << ours.size();
      EXPECT_EQ(strange, 0U) << viewer << ", clip " << clip << ", moment " << f << ", of "
                             << theirs.size();
    }
  }

  TemporaryDirectory m_directory;
  std::string m_original;
  std::string m_file;
  io::GltfAsset m_shown;
  std::vector<std::size_t> m_clips;
};

TEST_P(Viewers, ValidatorHasNoComplaintThatTheInputDidNotCause) {
  if (!runs("cd " + kWeb + " && node -e 'import(\"gltf-validator\")'")) {
    GTEST_SKIP() << "SKIPPED: node or gltf-validator is missing (npm install in web/)";
  }
  EXPECT_TRUE(runs(fmt::format("node {}/scripts/validate-gltf.mjs --baseline '{}' '{}'", kWeb,
                               m_original, m_file)));
}

TEST_P(Viewers, BlenderShowsTheSameVertices) {
  if (!runs("blender --version")) GTEST_SKIP() << "SKIPPED: Blender is missing";
  for (const std::size_t clip : m_clips) {
    const std::string out = m_directory.path(fmt::format("blender{}.json", clip));
    ASSERT_TRUE(runs(
        fmt::format("SUPPLE_OUT='{}' blender -b --factory-startup --python-exit-code 1 --python "
                    "{}/tests/oracle/blender_vertices.py -- {}",
                    out, supple::testing::source_directory().string(), arguments(clip))));
    compare("Blender", clip, m_directory.read(fmt::format("blender{}.json", clip)));
  }
}

TEST_P(Viewers, ThreeJsShowsTheSameVertices) {
  if (!runs("cd " + kWeb + " && node -e 'import(\"three\")'")) {
    GTEST_SKIP() << "SKIPPED: node or three.js is missing (npm install in web/)";
  }
  for (const std::size_t clip : m_clips) {
    const std::string out = m_directory.path(fmt::format("three{}.json", clip));
    ASSERT_EQ(std::system(fmt::format("node {}/scripts/three-vertices.mjs {} > '{}'", kWeb,
                                      arguments(clip), out)
                              .c_str()),
              0);
    compare("three.js", clip, m_directory.read(fmt::format("three{}.json", clip)));
  }
}

INSTANTIATE_TEST_SUITE_P(Files, Viewers, ::testing::ValuesIn(kFiles), [](const auto& file) {
  return std::filesystem::path(file.param).stem().string();
});

}  // namespace
}  // namespace supple::bake
