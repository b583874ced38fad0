// SPDX-License-Identifier: Apache-2.0
#include "supple/io/gltf.hpp"
#include "supple/io/gltf_pose.hpp"

#include "io/gltf_files.hpp"

#include <gtest/gtest.h>

#include <array>
#include <ostream>

namespace supple::io {
namespace {

using geometry::Vec3;

/// Counts as the JSON of each file states them. The boxes around all vertices at rest, and at 0.4
/// of the first clip, were taken from three.js r160 (GLTFLoader, getVertexPosition), five decimals.
struct Expected {
  const char* file;
  std::size_t nodes, meshes, primitives, vertices, triangles, joints, animations;
  std::array<double, 6> rest, clip;
};
const Expected kFiles[] = {
    {"kaykit/Knight.glb",
     57,
     15,
     15,
     7024,
     6952,
     41,
     76,
     {-1.30264, -0.00003, -0.57943, 1.38665, 2.46655, 1.99775},
     {-0.79778, -0.00048, -0.8242, 0.98656, 3.0327, 1.42846}},
    {"khronos/AnimatedMorphCube/AnimatedMorphCube.glb",
     1,
     1,
     1,
     24,
     12,
     0,
     1,
     {-1, -1, -1, 1, 1, 1},
     {-1, -1, -1, 1, 1, -0.87362}},
    {"khronos/CesiumMan/CesiumMan.glb",
     22,
     1,
     1,
     3273,
     4672,
     19,
     1,
     {-0.56914, 0, -0.131, 0.56914, 1.50655, 0.18095},
     {-0.22181, -0.01773, -0.49105, 0.18966, 1.46531, 0.46566}},
    {"khronos/Fox/Fox.glb",
     26,
     1,
     1,
     1728,
     576,
     24,
     3,
     {-12.59272, -0.12174, -88.09501, 12.59272, 78.9072, 66.62486},
     {-11.59369, -0.13051, -83.02878, 23.61602, 76.20952, 59.74394}},
    {"khronos/RiggedFigure/RiggedFigure.glb",
     22,
     1,
     1,
     370,
     256,
     19,
     1,
     {-0.58946, 0, -0.13092, 0.58946, 1.44992, 0.19498},
     {-0.4232, 0, -0.12084, 0.4127, 1.46956, 0.22205}},
    {"khronos/RiggedSimple/RiggedSimple.glb",
     5,
     1,
     1,
     160,
     188,
     2,
     1,
     {-1, -4.57508, -1, 1, 4.57508, 1},
     {-1, -4.57508, -1, 2.49482, 4.28702, 1}},
    {"makehuman/human.glb",
     164,
     1,
     1,
     13380,
     26756,
     163,
     2,
     {-0.49627, 0, -0.10154, 0.49627, 1.66589, 0.32147},
     {-0.27259, -0.00079, -0.30502, 0.26665, 1.61481, 0.27834}},
    {"quaternius/Dolphin.glb",
     20,
     1,
     2,
     865,
     440,
     13,
     1,
     {-1.57643, -0.86899, -4.59214, 1.57251, 2.1498, 4.60123},
     {-1.43497, -0.79049, -4.53951, 1.4263, 2.23678, 4.60155}},
};

class GltfAssets : public ::testing::TestWithParam<Expected> {
 protected:
  void SetUp() override {
    const auto path = testing::assets() / GetParam().file;
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "SKIPPED: no " << path;
    auto read = read_gltf(path);
    ASSERT_TRUE(read.ok()) << read.error().describe();
    m_asset = *std::move(read);
  }
  GltfAsset m_asset;
};

TEST_P(GltfAssets, HaveTheCountsOfTheirJson) {
  const Expected& expected = GetParam();
  std::size_t primitives = 0;
  std::size_t vertices = 0;
  std::size_t triangles = 0;
  for (const GltfMesh& mesh : m_asset.meshes) {
    for (const GltfPrimitive& primitive : mesh.primitives) {
      ++primitives;
      vertices += primitive.positions.size();
      triangles += primitive.triangles.size();
    }
  }
  EXPECT_EQ(m_asset.nodes.size(), expected.nodes);
  EXPECT_EQ(m_asset.meshes.size(), expected.meshes);
  EXPECT_EQ(primitives, expected.primitives);
  EXPECT_EQ(vertices, expected.vertices);
  EXPECT_EQ(triangles, expected.triangles);
  EXPECT_EQ(m_asset.animations.size(), expected.animations);
  EXPECT_EQ(m_asset.skins.size(), expected.joints > 0 ? 1U : 0U);
  if (expected.joints > 0) {
    EXPECT_EQ(m_asset.skins[0].joints.size(), expected.joints);
  }
  EXPECT_TRUE(m_asset.warnings.empty()) << m_asset.warnings[0];
}

TEST_P(GltfAssets, HaveWeightsThatSumToOne) {
  // The glTF validator's own tolerance for four float weights is 4 * 2e-7; exporters of these
  // files round to about 1e-6.
  constexpr double kExporterRounding = 1e-5;
  for (const GltfMesh& mesh : m_asset.meshes) {
    for (const GltfPrimitive& primitive : mesh.primitives) {
      EXPECT_LT(weight_sum_error(primitive), kExporterRounding) << mesh.name;
    }
  }
}

TEST_P(GltfAssets, AnimationsPassThroughTheirKeys) {
  // Keys are single precision; what passes through a quaternion is normalised on the way.
  constexpr double kSinglePrecision = 1e-5;
  const GltfAnimation& animation = m_asset.animations[0];
  for (const GltfChannel& channel : animation.channels) {
    const GltfSampler& sampler = animation.samplers[channel.sampler];
    ASSERT_NE(sampler.interpolation, GltfInterpolation::CubicSpline);
    for (std::size_t key = 0; key < sampler.times.size(); key += 5) {
      const GltfPose pose = sample(m_asset, animation, sampler.times[key]);
      const double* value = sampler.values.data() + key * sampler.width;
      const GltfTransform& local = pose.locals[channel.node];
      if (channel.path == GltfPath::Rotation) {
        const Eigen::Vector4d wanted = Eigen::Map<const Eigen::Vector4d>(value);
        EXPECT_LT((local.rotation.coeffs() - wanted).norm(), kSinglePrecision);
      } else if (channel.path == GltfPath::Weights) {
        EXPECT_EQ(pose.weights[channel.node], std::vector<double>(value, value + sampler.width));
      } else {
        const Vec3& part = channel.path == GltfPath::Scale ? local.scale : local.translation;
        EXPECT_EQ(part, Vec3(Eigen::Map<const Vec3>(value)));
      }
    }
  }
}

/// Five printed decimals, and single precision keys through chains of a dozen joints.
void expect_box(const geometry::Box& box, const std::array<double, 6>& wanted) {
  const double tolerance = 1e-5 + 1e-5 * box.diagonal();
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(box.low[i], wanted[i], tolerance) << "axis " << i;
    EXPECT_NEAR(box.high[i], wanted[i + 3], tolerance) << "axis " << i;
  }
}

TEST_P(GltfAssets, StandAtRestWhereThreeJsShowsThem) {
  const auto surface = read_gltf_surface(testing::assets() / GetParam().file);
  ASSERT_TRUE(surface.ok()) << surface.error().describe();
  EXPECT_EQ(surface->triangles.size(), GetParam().triangles);
  expect_box(geometry::bounding_box(surface->positions), GetParam().rest);
}

TEST_P(GltfAssets, MoveAsInThreeJs) {
  const GltfAnimation& animation = m_asset.animations[0];
  const GltfPose pose = sample(m_asset, animation, 0.4 * animation.duration);
  const auto world = world_matrices(m_asset, pose);
  geometry::Box box;
  for (std::size_t n = 0; n < m_asset.nodes.size(); ++n) {
    if (!m_asset.nodes[n].mesh) continue;
    for (std::size_t p = 0; p < m_asset.meshes[*m_asset.nodes[n].mesh].primitives.size(); ++p) {
      for (const Vec3& position : posed_positions(m_asset, n, p, pose, world)) box.add(position);
    }
  }
  expect_box(box, GetParam().clip);
}

void PrintTo(const Expected& expected, std::ostream* stream) {
  *stream << expected.file;
}

std::string test_name(const ::testing::TestParamInfo<Expected>& info) {
  return std::filesystem::path(info.param.file).stem().string();
}
INSTANTIATE_TEST_SUITE_P(All, GltfAssets, ::testing::ValuesIn(kFiles), test_name);

TEST(GltfReader, NamesAMissingBuffer) {
  const auto path = testing::assets() / "khronos/SimpleSkin/SimpleSkin.gltf";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "SKIPPED: no " << path;
  if (std::filesystem::exists(path.parent_path() / "SimpleSkin_geometry.bin")) {
    EXPECT_TRUE(read_gltf(path).ok());
    return;
  }
  const auto asset = read_gltf(path);
  ASSERT_FALSE(asset.ok());
  EXPECT_EQ(asset.error().code(), ErrorCode::Io);
  EXPECT_NE(asset.error().describe().find("SimpleSkin_geometry.bin"), std::string::npos);
}

}  // namespace
}  // namespace supple::io
