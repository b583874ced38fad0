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
#include <map>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace supple::samples {
namespace {

using geometry::Vec3;

constexpr double kDragStep = 1.0 / 60;
constexpr int kDraggedPoints = 200;
constexpr int kDragDirections = 20;
constexpr double kAreaKept = 0.2;   // part of the area that may come or go
constexpr double kAtRest = 0.01;    // of the size, by any mode alone
constexpr double kReported = 1e-3;  // of the size: shapes in the file have 16 bits

/// All shells of a sample in one player, its bones at rest. Of the bones, those that only hold a
/// shell by a handle may let go.
class DraggedSample {
 public:
  DraggedSample(const std::string& name, bool bones_hold) {
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
    open(name);
    std::uint32_t attachment = 0;
    for (std::size_t o = 0; o < m_objects.size(); ++o) {
      place(o);
      for (const soft::Attachment& held : m_scene.shells[o].attachments) {
        if (bones_hold) hold(o, held, attachment);
        ++attachment;
      }
    }
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

  /// The others keep still.
  void only(std::size_t shell) {
    for (std::uint32_t o = 0; o < m_objects.size(); ++o) {
      supple_object_settings settings{};
      SUPPLE_CHECK(supple_player_get_settings(m_player.get(), o, &settings) == SUPPLE_OK);
      settings.enabled = o == shell ? 1 : 0;
      SUPPLE_CHECK(supple_player_set_settings(m_player.get(), o, &settings) == SUPPLE_OK);
    }
    step(2);
  }

  /// Holds a vertex so far from where it is at rest; false where it is fixed. Stiffness as in
  /// supple_handle.
  [[nodiscard]] bool drag(std::size_t shell, std::uint32_t vertex, const Vec3& way,
                          double stiffness = SUPPLE_HAND) {
    supple_handle handle{};
    handle.vertex = vertex;
    handle.components = SUPPLE_HANDLE_POSITION;
    handle.stiffness = stiffness;
    Eigen::Map<Eigen::Vector3f>(handle.rest) = m_rest[vertex];
    Eigen::Map<Vec3>(handle.position) = rest(shell, vertex) + way;
    return supple_player_set_handle(m_player.get(), 0, &handle) == SUPPLE_OK;
  }
  void let_go() { supple_player_remove_handle(m_player.get(), 0); }

  /// Metres between the hand and what it holds.
  [[nodiscard]] double missed() const {
    supple_handle_state state{};
    SUPPLE_CHECK(supple_player_handle_state(m_player.get(), 0, &state) == SUPPLE_OK);
    return state.position_error;
  }

  /// The same, by the vertex as it is drawn.
  [[nodiscard]] double distance(std::size_t shell, std::uint32_t vertex, const Vec3& way) const {
    return (in_world(shell, drawn()[vertex]) - rest(shell, vertex) - way).norm();
  }

  /// Relative change of a shell's area.
  [[nodiscard]] double area_change(std::size_t shell) const {
    const std::vector<Eigen::Vector3f> x = drawn();
    const bake::PreparedShell& prepared = m_scene.shells[shell];
    geometry::TriMesh mesh = prepared.model.mesh;
    const double rest = geometry::area(mesh);
    for (std::size_t v = 0; v < prepared.vertices.size(); ++v) {
      mesh.positions[static_cast<std::size_t>(prepared.node_of_vertex[v])] =
          prepared.frame_from_bind * x[prepared.vertices[v]].cast<double>().homogeneous();
    }
    return std::abs(geometry::area(mesh) / rest - 1);
  }

  /// Part of its size by which a mode of the shell is away from where it hangs, at most.
  [[nodiscard]] double away(std::size_t shell) const {
    const std::vector<float> now = coefficients();
    std::size_t k = 0;
    for (std::size_t o = 0; o < shell; ++o) k += m_objects[o].modes.size();
    const shell::ShellObject& object = m_objects[shell];
    double most = 0;
    for (std::size_t m = 0; m < object.modes.size(); ++m, ++k) {
      const auto column = static_cast<Eigen::Index>(m);
      const double reach = object.displacements.col(column).cwiseAbs().maxCoeff();
      most = std::max(most, std::abs(now[k] - m_hanging[k]) * reach / object.size);
    }
    return most;
  }

  [[nodiscard]] std::uint32_t random_vertex(std::size_t shell, Random& random) const {
    const auto& vertices = m_scene.shells[shell].vertices;
    return vertices[random.below(vertices.size())];
  }
  /// World axes, at rest.
  [[nodiscard]] Vec3 rest(std::size_t shell, std::uint32_t vertex) const {
    return in_world(shell, m_rest[vertex]);
  }
  [[nodiscard]] Vec3 middle(std::size_t shell) const {
    Vec3 sum = Vec3::Zero();
    for (const std::uint32_t vertex : m_scene.shells[shell].vertices) sum += rest(shell, vertex);
    return sum / static_cast<double>(m_scene.shells[shell].vertices.size());
  }
  [[nodiscard]] double size(std::size_t shell) const { return m_objects[shell].size; }

 private:
  [[nodiscard]] Vec3 in_world(std::size_t shell, const Eigen::Vector3f& place) const {
    const bake::PreparedShell& prepared = m_scene.shells[shell];
    const Vec3 in_frame = prepared.frame_from_bind * place.cast<double>().homogeneous();
    return prepared.rest_rotation * in_frame;
  }
  [[nodiscard]] std::vector<Eigen::Vector3f> drawn() const {
    std::vector<Eigen::Vector3f> x(m_rest.size());
    supple_deformation how{};
    how.rest_positions.data = m_rest.front().data();
    how.positions.data = x.front().data();
    SUPPLE_CHECK(supple_player_deform(m_player.get(), &how) == SUPPLE_OK);
    return x;
  }

  void open(const std::string& name) {
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
  }

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
  /// By a bone that stands to the shell's frame as it does at rest.
  void hold(std::size_t shell, const soft::Attachment& held, std::uint32_t attachment) {
    Eigen::Isometry3d bone_from_frame = Eigen::Isometry3d::Identity();
    bone_from_frame.matrix().topRows<3>() = held.bone_from_frame;
    const Eigen::Isometry3d frame(m_scene.shells[shell].rest_rotation);
    const Eigen::Matrix4f bone = (frame * bone_from_frame.inverse()).matrix().cast<float>();
    SUPPLE_CHECK(supple_player_set_attachment_matrix(m_player.get(), attachment, bone.data()) ==
                 SUPPLE_OK);
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

struct Dragged {
  const char* sample;
  bool bones_hold;
};

/// Baked once for all tests of a process.
DraggedSample& dragged(const Dragged& which) {
  static std::map<std::pair<std::string, bool>, std::unique_ptr<DraggedSample>> samples;
  std::unique_ptr<DraggedSample>& sample = samples[{which.sample, which.bones_hold}];
  if (sample == nullptr) sample = std::make_unique<DraggedSample>(which.sample, which.bones_hold);
  return *sample;
}

class ShellDrag : public ::testing::TestWithParam<Dragged> {
 protected:
  DraggedSample& m_sample = dragged(GetParam());

  /// A fifth of a second by a hand that moves or jumps. The largest change of area.
  double drag_along(std::size_t shell, std::uint32_t vertex, const Vec3& way, bool jumps) {
    constexpr int kFrames = 12;
    double worst = 0;
    for (int i = 1; i <= kFrames; ++i) {
      if (!m_sample.drag(shell, vertex, (jumps ? 1.0 : i / double{kFrames}) * way)) return worst;
      m_sample.step();
      if (i % 4 == 0) worst = std::max(worst, m_sample.area_change(shell));
    }
    // What the hand could not take along is reported.
    EXPECT_NEAR(m_sample.missed(), m_sample.distance(shell, vertex, way),
                kReported * m_sample.size(shell));
    return worst;
  }

  /// Seconds until a shell that is let go hangs as before.
  int come_back(std::size_t shell) {
    constexpr int kMostSeconds = 60;
    m_sample.let_go();
    int seconds = 0;
    while (m_sample.away(shell) > kAtRest && seconds < kMostSeconds) {
      m_sample.step(60);
      ++seconds;
    }
    EXPECT_LT(m_sample.away(shell), kAtRest) << m_sample.name(shell);
    return seconds;
  }

  /// Random points, each in so many of the directions; the shell is let go every so many points.
  void drag_everywhere(int directions, int let_go_every) {
    for (std::size_t shell = 0; shell < m_sample.shells(); ++shell) {
      m_sample.only(shell);
      Random random(shell + 1);
      double worst = 0;
      int slowest = 0;
      for (int point = 0; point < kDraggedPoints; ++point) {
        const std::uint32_t vertex = m_sample.random_vertex(shell, random);
        for (int turn = 0; turn < directions; ++turn) {
          const double far = m_sample.size(shell) * random.uniform(0.02, 1);
          const int way = point + turn;
          worst = std::max(worst, drag_along(shell, vertex, far * direction(way % kDragDirections),
                                             way % 4 == 0));
        }
        if ((point + 1) % let_go_every == 0) slowest = std::max(slowest, come_back(shell));
      }
      EXPECT_LT(worst, kAreaKept) << m_sample.name(shell);
      std::printf("%s: area within %.1f %%, back after %d s\n", m_sample.name(shell).c_str(),
                  100 * worst, slowest);
    }
  }
};

/// One direction after the other from point to point.
TEST_P(ShellDrag, StaysWholeAndComesBack) {
  drag_everywhere(1, kDraggedPoints);
}

/// 4,000 drags of each shell.
TEST_P(ShellDrag, StaysWholeAndComesBackFromEveryDirection) {
  drag_everywhere(kDragDirections, 1);
}

/// No flat sheet has warped shapes that are a little shorter: what a hard handle asked of it turned
/// strips inside out.
TEST_P(ShellDrag, PushedInwardsItGivesWay) {
  constexpr int kPushes = 10;
  for (std::size_t shell = 0; shell < m_sample.shells(); ++shell) {
    m_sample.only(shell);
    const Vec3 middle = m_sample.middle(shell);
    Random random(shell + 3);
    double worst = 0;
    for (int i = 0; i < kPushes; ++i) {
      const std::uint32_t vertex = m_sample.random_vertex(shell, random);
      const Vec3 inwards = (middle - m_sample.rest(shell, vertex)).normalized();
      const double far = (i == 0 ? 0.02 : random.uniform(0.02, 0.2)) * m_sample.size(shell);
      constexpr double kHard = 0;
      constexpr int kHeld = 90;
      for (int frame = 1; frame <= kHeld; ++frame) {
        if (!m_sample.drag(shell, vertex, std::min(1.0, frame / 30.0) * far * inwards, kHard))
          break;
        m_sample.step();
        if (frame % 15 == 0) worst = std::max(worst, m_sample.area_change(shell));
      }
      come_back(shell);
    }
    EXPECT_LT(worst, kAreaKept) << m_sample.name(shell);
    std::printf("%s: area within %.1f %%\n", m_sample.name(shell).c_str(), 100 * worst);
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, ShellDrag,
                         ::testing::Values(Dragged{"beams", false}, Dragged{"leaf", false},
                                           Dragged{"paper", false}, Dragged{"v-beam", false},
                                           Dragged{"dinosaur", false}, Dragged{"dancer", false},
                                           Dragged{"dancer", true}),
                         [](const auto& which) {
                           std::string name = which.param.sample;
                           std::erase(name, '-');
                           return name + (which.param.bones_hold ? "_on_bones" : "");
                         });

}  // namespace
}  // namespace supple::samples
