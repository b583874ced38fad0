// SPDX-License-Identifier: Apache-2.0
#include "supple/gpu/modal_mesh.hpp"

#include "gpu/modal_mesh_fixture.hpp"

namespace supple::gpu::testing {
namespace {

class ModalMeshTest : public ModalMeshFixture {};

TEST_F(ModalMeshTest, AttributesEqualTheCpu) {
  for (const bool float32 : {false, true}) {
    compare({"1 mode", one_object(1)}, ModalPath::Attributes, float32);
    compare({"5 modes", one_object(5, 257)}, ModalPath::Attributes, float32);
    compare({"objects side by side", {61, {{5, 0, 2}, {3, 1, 2}}}}, ModalPath::Attributes, float32);
  }
}

TEST_F(ModalMeshTest, TexturesEqualTheCpu) {
  for (const bool float32 : {false, true}) {
    for (const std::size_t modes : {1, 5, 6, 30, 100}) {
      compare({std::to_string(modes) + " modes", one_object(modes)}, ModalPath::Textures, float32);
    }
  }
}

TEST_F(ModalMeshTest, ComputeEqualsTheCpu) {
  for (const bool float32 : {false, true}) {
    for (const std::size_t modes : {1, 5, 6, 30, 100}) {
      compare({std::to_string(modes) + " modes", one_object(modes, 157)}, ModalPath::Compute,
              float32);
    }
  }
}

TEST_F(ModalMeshTest, ObjectsMayShareVertices) {
  const Case c{"shared vertices", {150, {{3, 0, 1}, {2, 20, 2}, {6, 40, 3}, {1, 100, 1}}}};
  for (const bool float32 : {false, true}) {
    compare(c, ModalPath::Textures, float32);
    compare(c, ModalPath::Compute, float32);
  }
}

TEST_F(ModalMeshTest, SkinsAndTurnsTangents) {
  for (const std::uint32_t influences : {0U, 4U, 8U}) {
    for (const bool tangents : {false, true}) {
      const Case c{std::to_string(influences) + " influences" + (tangents ? ", tangents" : ""),
                   one_object(5, 100), influences, tangents};
      compare(c, ModalPath::Attributes, false);
      compare(c, ModalPath::Textures, false);
      compare(c, ModalPath::Compute, false, CrowdTuning{64, 2, 1, 2, true});
    }
  }
}

TEST_F(ModalMeshTest, EveryWayToDivideACrowdGivesTheSame) {
  const Case c{"crowd", {301, {{5, 0, 1}, {2, 20, 2}}}, 0, false, 21};
  for (const CrowdTuning& tuning :
       {CrowdTuning{64, 1, 1, 1, true}, CrowdTuning{128, 2, 4, 0, true},
        CrowdTuning{16, 4, 1, 4, true}, CrowdTuning{128, 8, 2, 2, false},
        CrowdTuning{64, 16, 1, 8, true}, CrowdTuning{256, 16, 1, 0, false}}) {
    SCOPED_TRACE("tile " + std::to_string(tuning.tile) + ", stage " + std::to_string(tuning.stage));
    compare(c, ModalPath::Compute, false, tuning);
  }
}

TEST_F(ModalMeshTest, ShapesMayNeedSeveralLayers) {
  const Case c{"several layers", one_object(100, 7500), 0, false, 2};
  const OpenAsset asset(player::testing::random_asset(c.mesh));
  supple_gpu_layout layout{};
  supple_asset_gpu_layout(asset.get(), &layout);
  ASSERT_GT(layout.shape_layers, 1U);
  compare(c, ModalPath::Textures, false);
}

TEST_F(ModalMeshTest, WhatDoesNotFitAttributesIsRefused) {
  for (const MeshSpec& mesh : {one_object(6), MeshSpec{53, {{3, 0, 1}, {2, 20, 2}}}}) {
    const OpenAsset asset(player::testing::random_asset(mesh));
    supple_gpu_layout layout{};
    supple_asset_gpu_layout(asset.get(), &layout);
    EXPECT_EQ(layout.attributes, 0U);
    const Character character(mesh.vertices, 0, false);
    const auto made =
        ModalMesh::create(*context, asset.get(), character.rest, {ModalPath::Attributes, 1, {}});
    ASSERT_FALSE(made.ok());
    EXPECT_NE(made.error().message().find("use textures"), std::string::npos);
  }
}

TEST_F(ModalMeshTest, AnotherMeshIsRefused) {
  const OpenAsset asset(player::testing::random_asset(one_object(1)));
  const Character character(52, 0, false);
  const auto made =
      ModalMesh::create(*context, asset.get(), character.rest, {ModalPath::Textures, 1, {}});
  ASSERT_FALSE(made.ok());
  EXPECT_NE(made.error().message().find("made for 53 vertices"), std::string::npos)
      << made.error().message();
}

TEST_F(ModalMeshTest, CrowdsBeyondTheDriversBuffersAreRefused) {
  if (!context->has_compute()) GTEST_SKIP() << "this GPU has no compute shaders";
  constexpr std::uint32_t kVertices = 20'000;
  GLint64 most = 0;
  context->gl().GetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &most);
  const auto instances = static_cast<std::uint32_t>(most / (kVertices * 24) + 1);
  const OpenAsset asset(player::testing::random_asset(one_object(1, kVertices)));
  const Character character(kVertices, 0, false);
  const auto made =
      ModalMesh::create(*context, asset.get(), character.rest, {ModalPath::Compute, instances, {}});
  ASSERT_FALSE(made.ok());
  EXPECT_NE(made.error().message().find("fewer instances"), std::string::npos)
      << made.error().message();
}

}  // namespace
}  // namespace supple::gpu::testing
