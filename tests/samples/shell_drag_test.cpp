// SPDX-License-Identifier: Apache-2.0
// Hands drag our shells anywhere: no shell tears, and all come back to rest.
#include "samples/shell_samples.hpp"

#include "supple/bake/baked_file.hpp"
#include "supple/bake/prepared_shells.hpp"
#include "supple/core/check.hpp"
#include "supple/core/random.hpp"
#include "supple/fem/discrete_shell.hpp"

#include <gtest/gtest.h>
#include <supple.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <numbers>

namespace supple::samples {
namespace {

using geometry::Vec3;

constexpr double kDragStep = 1.0 / 60;
constexpr int kDraggedPoints = 200;
constexpr int kDragDirections = 20;

/// All shells of a sample in one player, its bones at rest and its attachments loose.
class DraggedSample {
 public:
  explicit DraggedSample(const std::string& name) {
    auto sample = make_shell_sample(name);
    SUPPLE_CHECK(sample.ok());
    auto asset = io::make_gltf(sample->model);
    auto settings = bake::parse_shell_settings(sample->shell_toml, name);
    SUPPLE_CHECK(asset.ok() && settings.ok());
    auto scene = bake::prepare_shells(*asset, *settings);
    SUPPLE_CHECK(scene.ok());
    m_scene = std::move(*scene);
    for (const bake::PreparedShell& shell : m_scene.shells) {
      auto discrete = fem::DiscreteShell::create(shell.model);
      SUPPLE_CHECK(discrete.ok());
      auto object = shell::bake_shell(*discrete, shell.settings.object);
      SUPPLE_CHECK(object.ok());
      m_objects.push_back(std::move(*object));
    }
    const soft::Asset soft = bake::shell_asset(m_scene, m_objects, "test");
    auto bytes = io::write_supple(soft, {});
    SUPPLE_CHECK(bytes.ok());
    auto file = bake::BakedFile::open(bytes->bytes, name);
    SUPPLE_CHECK(file.ok());
    m_file = std::make_unique<bake::BakedFile>(std::move(*file));
    supple_player* created = nullptr;
    SUPPLE_CHECK(supple_player_create(m_file->asset(), &created) == SUPPLE_OK);
    m_player.reset(created);
    m_rest.assign(soft.vertex_count, Eigen::Vector3f::Zero());
    for (std::size_t o = 0; o < m_objects.size(); ++o) place(o);
    step(2);
    m_hanging = coefficients();
  }

  [[nodiscard]] std::size_t shells() const { return m_objects.size(); }
  [[nodiscard]] const std::string& name(std::size_t shell) const { return m_objects[shell].name; }
  void step(int count = 1) {
    for (int i = 0; i < count; ++i) {
      SUPPLE_CHECK(supple_player_step(m_player.get(), kDragStep) == SUPPLE_OK);
    }
  }

  /// False where the vertex is fixed.
  [[nodiscard]] bool drag(std::size_t shell, std::uint32_t vertex, const Vec3& way) {
    supple_handle handle{};
    handle.vertex = vertex;
    handle.components = SUPPLE_HANDLE_POSITION;
    handle.stiffness = SUPPLE_HAND;
    Eigen::Map<Eigen::Vector3f>(handle.rest) = m_rest[vertex];
    const bake::PreparedShell& prepared = m_scene.shells[shell];
    const Vec3 rest = prepared.frame_from_bind * m_rest[vertex].cast<double>().homogeneous();
    Eigen::Map<Vec3>(handle.position) = prepared.rest_rotation * rest + way;
    return supple_player_set_handle(m_player.get(), 0, &handle) == SUPPLE_OK;
  }
  void let_go() { supple_player_remove_handle(m_player.get(), 0); }

  /// Largest relative change of a shell's area.
  [[nodiscard]] double area_change(std::size_t shell) const {
    std::vector<Eigen::Vector3f> x(m_rest.size());
    supple_deformation how{};
    how.rest_positions.data = m_rest.front().data();
    how.positions.data = x.front().data();
    SUPPLE_CHECK(supple_player_deform(m_player.get(), &how) == SUPPLE_OK);
    const bake::PreparedShell& prepared = m_scene.shells[shell];
    geometry::TriMesh mesh = prepared.model.mesh;
    const double rest = geometry::area(mesh);
    for (std::size_t v = 0; v < prepared.vertices.size(); ++v) {
      mesh.positions[static_cast<std::size_t>(prepared.node_of_vertex[v])] =
          prepared.frame_from_bind * x[prepared.vertices[v]].cast<double>().homogeneous();
    }
    return std::abs(geometry::area(mesh) / rest - 1);
  }

  /// Metres that the modes are away from where the shells hang, at most.
  [[nodiscard]] double away() const {
    const std::vector<float> now = coefficients();
    double most = 0;
    std::size_t k = 0;
    for (const shell::ShellObject& object : m_objects) {
      for (std::size_t m = 0; m < object.modes.size(); ++m, ++k) {
        const auto column = static_cast<Eigen::Index>(m);
        const double reach = object.displacements.col(column).cwiseAbs().maxCoeff();
        most = std::max(most, std::abs(now[k] - m_hanging[k]) * reach / object.size);
      }
    }
    return most;
  }

  [[nodiscard]] const std::vector<std::uint32_t>& vertices(std::size_t shell) const {
    return m_scene.shells[shell].vertices;
  }
  [[nodiscard]] double size(std::size_t shell) const { return m_objects[shell].size; }

 private:
  /// Its frame has the axes that it has at rest; where it is makes no difference.
  void place(std::size_t shell) {
    const bake::PreparedShell& prepared = m_scene.shells[shell];
    Eigen::Matrix4f world = Eigen::Matrix4f::Identity();
    world.topLeftCorner<3, 3>() = prepared.rest_rotation.toRotationMatrix().cast<float>();
    SUPPLE_CHECK(supple_player_set_bone_matrix(m_player.get(), static_cast<std::uint32_t>(shell),
                                               world.data()) == SUPPLE_OK);
    Eigen::Affine3d frame = Eigen::Affine3d::Identity();
    frame.matrix().topRows<3>() = prepared.frame_from_bind;
    for (std::size_t v = 0; v < prepared.vertices.size(); ++v) {
      const auto node = static_cast<std::size_t>(prepared.node_of_vertex[v]);
      m_rest[prepared.vertices[v]] =
          (frame.inverse() * prepared.model.mesh.positions[node]).cast<float>();
    }
  }
  [[nodiscard]] std::vector<float> coefficients() const {
    std::size_t count = 0;
    for (const shell::ShellObject& object : m_objects) count += object.modes.size();
    const float* q = supple_player_coefficients(m_player.get());
    return {q, q + count};
  }

  struct Destroy {
    void operator()(supple_player* player) const { supple_player_destroy(player); }
  };
  bake::PreparedShells m_scene;
  std::vector<shell::ShellObject> m_objects;
  std::unique_ptr<bake::BakedFile> m_file;
  std::unique_ptr<supple_player, Destroy> m_player;
  std::vector<Eigen::Vector3f> m_rest;
  std::vector<float> m_hanging;
};

Vec3 direction(int index) {
  // Evenly over the sphere.
  const double y = 1 - (2.0 * index + 1) / kDragDirections;
  const double angle = index * std::numbers::pi * (3 - std::sqrt(5.0));
  const double r = std::sqrt(1 - y * y);
  return {r * std::cos(angle), y, r * std::sin(angle)};
}

class ShellDrag : public ::testing::TestWithParam<const char*> {};

TEST_P(ShellDrag, StaysWholeAndComesBack) {
  DraggedSample sample(GetParam());
  for (std::size_t shell = 0; shell < sample.shells(); ++shell) {
    Random random(shell + 1);
    double worst = 0;
    printf("hang %g\n", worst);
    // Every direction in turn: all of them at each point take twenty times as long.
    for (int point = 0; point < kDraggedPoints; ++point) {
      const auto& vertices = sample.vertices(shell);
      const std::uint32_t vertex = vertices[static_cast<std::size_t>(
          random.uniform() * static_cast<double>(vertices.size()))];
      const double far = sample.size(shell) * random.uniform(0.02, 1);
      const Vec3 way = far * direction(point % kDragDirections);
      constexpr int kFrames = 12;
      for (int i = 1; i <= kFrames; ++i) {
        if (!sample.drag(shell, vertex, (point % 4 == 0 ? 1.0 : i / double{kFrames}) * way)) break;
        sample.step();
        if (i % 4 == 0) worst = std::max(worst, sample.area_change(shell));
      }
    }
    sample.let_go();
    EXPECT_LT(worst, 0.2) << sample.name(shell);
    int frames = 0;
    constexpr int kMostFrames = 60 * 60;
    while (sample.away() > 0.01 && frames < kMostFrames) {
      sample.step(60);
      frames += 60;
    }
    EXPECT_LT(sample.away(), 0.01) << sample.name(shell);
    std::printf("%s: area within %.1f %%, back after %d s\n", sample.name(shell).c_str(),
                100 * worst, frames / 60);
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, ShellDrag,
                         ::testing::Values("beams", "leaf", "paper", "v-beam", "dancer",
                                           "dinosaur"));

}  // namespace
}  // namespace supple::samples
