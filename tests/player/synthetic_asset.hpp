// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/check.hpp"
#include "supple/core/random.hpp"
#include "supple/io/supple_file.hpp"

#include "supple.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

/// Assets whose every number the tests know, written by io and read by the player.
namespace supple::player::testing {

inline constexpr double kFrame = 1.0 / 60;  // seconds

struct Vertex {
  Eigen::Vector3d position, normal, tangent;
};

/// Rounded to what a file of floats keeps.
inline Eigen::Vector3d as_float(const Eigen::Vector3d& v) {
  return v.cast<float>().cast<double>();
}

/// One oscillator without vertices: driven by acceleration along x with transfer -1.
inline soft::Mode oscillator(double hertz, double damping) {
  soft::Mode mode;
  mode.omega = 2 * std::numbers::pi * hertz;
  mode.damping = damping;
  mode.transfer = {0, 0, 0, -1, 0, 0};
  return mode;
}

inline soft::Asset one_object(std::vector<soft::Mode> modes) {
  soft::Asset asset;
  asset.generator = "synthetic";
  soft::Object object;
  object.name = "flesh";
  object.bone = "bone";
  object.modes = std::move(modes);
  asset.objects.push_back(std::move(object));
  return asset;
}

struct MeshSpec {
  std::uint32_t vertices = 53;
  /// Of each object: modes, and every how many-th vertex from where on it moves.
  struct Object {
    std::size_t modes, first, step;
  };
  std::vector<Object> objects{{3, 0, 1}, {2, 20, 2}};
  bool coriolis = false;
};

/// Random shapes, rotated and scaled frames, layered objects.
inline soft::Asset random_asset(const MeshSpec& spec, std::uint64_t seed = 1) {
  Random random(seed);
  const auto number = [&random] { return 2 * random.uniform() - 1; };
  soft::Asset asset;
  asset.generator = "synthetic";
  asset.vertex_count = spec.vertices;
  asset.index_count = 3;
  asset.mesh_hash = 0x1234;
  asset.metres_per_unit = 0.01;
  asset.parts = {{0, 0, 0, spec.vertices / 2},
                 {0, 1, spec.vertices / 2, spec.vertices - spec.vertices / 2}};
  for (const MeshSpec::Object& o : spec.objects) {
    soft::Object object;
    object.name = "flesh " + std::to_string(asset.objects.size());
    object.bone = "bone";
    object.node = 7;
    object.joint = 2;
    object.rest_rotation = Eigen::Quaterniond(number(), number(), number(), number()).normalized();
    object.frame_from_bind.leftCols<3>() =
        0.01 * object.rest_rotation.conjugate().toRotationMatrix();
    object.frame_from_bind.col(3) << 0.1, 0.2, 0.3;
    object.mass = 2;
    for (std::size_t v = o.first; v < spec.vertices; v += o.step) {
      object.vertices.push_back(static_cast<std::uint32_t>(v));
    }
    for (std::size_t k = 0; k < o.modes; ++k) {
      soft::Mode mode = oscillator(2 + static_cast<double>(k), 0.1);
      for (double& x : mode.transfer) x = number();
      for (double& x : mode.centrifugal) x = number();
      mode.share = 0.5;
      for (std::size_t i = 0; i < object.vertices.size(); ++i) {
        mode.displacements.push_back(as_float(Eigen::Vector3d(number(), number(), number())));
        mode.normals.push_back(as_float(Eigen::Vector3d(number(), number(), number())));
      }
      object.modes.push_back(std::move(mode));
    }
    if (spec.coriolis) {
      const auto m = static_cast<Eigen::Index>(o.modes);
      for (int axis = 0; axis < 3; ++axis) {
        const Eigen::MatrixXd any = Eigen::MatrixXd::NullaryExpr(m, m, number);
        object.coriolis.emplace_back(any - any.transpose());
      }
    }
    asset.objects.push_back(std::move(object));
  }
  return asset;
}

/// Makes a bare shell of an object: what changed its normals turns it now.
inline soft::ShellTraits& become_shell(soft::Object& object, double size = 1) {
  for (soft::Mode& mode : object.modes) mode.turns = std::exchange(mode.normals, {});
  object.coriolis.clear();
  soft::ShellTraits& shell = object.shell.emplace();
  shell.size = size;
  shell.follow_turn = 1;
  return shell;
}

/// Makes a shell of an object: points, two attachments, and a rotation-strain solve whose factor is
/// the identity.
inline void make_shell(soft::Object& object, Random& random) {
  const auto number = [&random] { return 2 * random.uniform() - 1; };
  const auto vector = [&number] { return Eigen::Vector3d(number(), number(), number()); };
  soft::ShellTraits& shell = become_shell(object);
  for (int i = 0; i < 19; ++i) {
    soft::ForcePoint point;
    point.position = vector();
    point.mass = 0.1;
    point.area_vector = 0.1 * vector();
    point.lever = 0.05 * vector();
    for (std::size_t k = 0; k < object.modes.size(); ++k) {
      point.displacements.push_back(vector());
      point.turns.push_back(vector());
    }
    shell.points.push_back(std::move(point));
  }
  for (const std::size_t i : {0, 1}) {
    soft::Attachment attachment;
    attachment.vertex = object.vertices[i];
    attachment.components = i == 0 ? 63 : 2;
    attachment.node = 3;
    attachment.bone = "hand";
    attachment.stiffness = i == 0 ? 0 : 10;
    attachment.rest = vector();
    shell.attachments.push_back(std::move(attachment));
  }
  soft::StrainSolve& strain = shell.strain.emplace();
  const auto nodes = static_cast<std::uint32_t>(object.vertices.size());
  strain.free_nodes = nodes - 1;
  strain.vertex_of_node = object.vertices;
  for (std::uint32_t i = 0; i < nodes; ++i) {
    strain.node_of_vertex.push_back(i);
    strain.column_start.push_back(i);
    if (i + 2 < nodes) {
      strain.triangles.push_back({i, i + 1, i + 2});
      strain.cotangents.push_back({0.5, 0.5, 0.5});
    }
    if (i + 1 == nodes) continue;
    strain.rows.push_back(i);
    strain.values.push_back(1);
  }
}

/// Flesh on the first vertices and a shell on the others; they meet within a block.
inline soft::Asset flesh_and_shell(std::uint32_t vertices, std::size_t flesh) {
  soft::Asset asset = random_asset({.vertices = vertices, .objects = {{3, 0, 1}, {4, 0, 1}}}, 5);
  const auto cut = [](soft::Object& object, std::size_t begin, std::size_t end) {
    const auto keep = [begin, end](auto& list) {
      list = {list.begin() + static_cast<std::ptrdiff_t>(begin),
              list.begin() + static_cast<std::ptrdiff_t>(end)};
    };
    keep(object.vertices);
    for (soft::Mode& mode : object.modes) {
      keep(mode.displacements);
      keep(mode.normals);
    }
  };
  cut(asset.objects[0], 0, flesh);
  cut(asset.objects[1], flesh, vertices);
  Random random(9);
  make_shell(asset.objects[1], random);
  return asset;
}

/// Flesh, and a scene on the same vertices: two entries, of which the second may follow the first
/// alone; the first has two strengths. Their coordinates are at most 1.
inline soft::Asset flesh_and_scene(std::uint32_t vertices) {
  soft::Asset asset = random_asset({.vertices = vertices, .objects = {{3, 0, 1}, {4, 0, 1}}}, 11);
  soft::Object& object = asset.objects[1];
  object.bone.clear();
  object.node = soft::kNoNode;
  object.frame_from_bind = Eigen::Matrix<double, 3, 4>::Identity();
  object.rest_rotation = Eigen::Quaterniond::Identity();
  Random random(12);
  const auto number = [&random] { return 2 * random.uniform() - 1; };
  constexpr std::uint32_t kStates = 6;
  const auto modes = static_cast<Eigen::Index>(object.modes.size());
  soft::SceneTraits& scene = object.scene.emplace();
  scene.frame_seconds = kFrame;
  scene.beta = 0.01;
  scene.palette = {{"poke", "p", 0.5, 1, {0, 1}, true}, {"let go", "", 1, 1, {0}, false}};
  for (const std::uint32_t entry : {0U, 0U, 1U}) {
    soft::SceneResponse response;
    response.entry = entry;
    response.states = kStates;
    response.origin_velocity = Eigen::VectorXd::NullaryExpr(modes, number);
    scene.responses.push_back(std::move(response));
  }
  scene.responses[0].strength = 0.5;
  scene.responses[0].stronger = 1;
  scene.responses[1].rests = true;
  scene.responses[2].onward = {{1, 2}};
  scene.q = Eigen::MatrixXd::NullaryExpr(modes, 3 * kStates, number);
  for (std::uint32_t state = 0; state < 2 * kStates; ++state) {
    scene.next.insert(scene.next.end(), {0U, 2U});
  }
  for (std::uint32_t state = 0; state <= kStates; ++state) {
    scene.next.insert(scene.next.end(), {0U, std::nullopt});
  }
  return asset;
}

struct LightSpec {
  int order = 4;
  int sides = 1;
  std::size_t rank = 3;
  std::size_t centres = 6;
  double width = 0.8;
};

/// Random light for an asset with modes: it depends on every other coefficient, and vertices turn
/// with objects in groups of five, some with none.
inline soft::Light random_light(const soft::Asset& asset, const LightSpec& spec,
                                std::uint64_t seed = 3) {
  Random random(seed);
  const auto number = [&random] { return 2 * random.uniform() - 1; };
  soft::Light light;
  light.order = spec.order;
  light.sides = spec.sides;
  light.width = spec.width;
  std::uint32_t modes = 0;
  for (const soft::Object& object : asset.objects) {
    modes += static_cast<std::uint32_t>(object.modes.size());
  }
  if (spec.rank > 0) {
    for (std::uint32_t k = 0; k < modes; k += 2) light.inputs.push_back({k, 1 + 0.5 * number()});
  }
  const auto inputs = static_cast<Eigen::Index>(light.inputs.size());
  const auto rank = static_cast<Eigen::Index>(spec.rank);
  const Eigen::Index centres = spec.rank > 0 ? static_cast<Eigen::Index>(spec.centres) : 0;
  light.centres = Eigen::MatrixXd::NullaryExpr(inputs, centres, number);
  light.weights = Eigen::MatrixXd::NullaryExpr(rank, centres, number);
  for (std::size_t k = 0; k <= spec.rank; ++k) {
    light.bases.emplace_back(Eigen::MatrixXf::NullaryExpr(
        3 * spec.order * spec.order, Eigen::Index{asset.vertex_count} * spec.sides,
        [&] { return static_cast<float>(number()); }));
  }
  for (std::uint32_t v = 0; v < asset.vertex_count; ++v) {
    const std::size_t frame = v / 5 % (asset.objects.size() + 1);
    light.frames.push_back(frame < asset.objects.size() ? static_cast<std::uint32_t>(frame)
                                                        : soft::kNoFrame);
  }
  return light;
}

/// Bytes at a multiple of 64, as supple_asset_open wants them.
class AlignedBytes {
 public:
  explicit AlignedBytes(const Bytes& bytes)
      : m_data(static_cast<std::byte*>(::operator new (bytes.size() + 1, std::align_val_t{64}))),
        m_size(bytes.size()) {
    if (!bytes.empty()) std::memcpy(m_data.get(), bytes.data(), bytes.size());
  }
  [[nodiscard]] std::byte* data() const { return m_data.get(); }
  [[nodiscard]] std::size_t size() const { return m_size; }

 private:
  struct Release {
    void operator()(std::byte* p) const { ::operator delete (p, std::align_val_t{64}); }
  };
  std::unique_ptr<std::byte, Release> m_data;
  std::size_t m_size;
};

/// An asset that is open, with its bytes.
class OpenAsset {
 public:
  explicit OpenAsset(const soft::Asset& asset, const io::SuppleWriteSettings& settings = {},
                     const supple_open_options& options = {})
      : m_bytes(written(asset, settings)) {
    SUPPLE_CHECK(supple_asset_open_with(m_bytes.data(), m_bytes.size(), &options, &m_asset) ==
                 SUPPLE_OK);
  }
  ~OpenAsset() { supple_asset_close(m_asset); }
  OpenAsset(const OpenAsset&) = delete;
  OpenAsset& operator=(const OpenAsset&) = delete;

  [[nodiscard]] const supple_asset* get() const { return m_asset; }
  [[nodiscard]] const AlignedBytes& bytes() const { return m_bytes; }

 private:
  static Bytes written(const soft::Asset& asset, const io::SuppleWriteSettings& settings) {
    auto result = io::write_supple(asset, settings);
    SUPPLE_CHECK(result.ok());
    return std::move(result->bytes);
  }
  AlignedBytes m_bytes;
  supple_asset* m_asset = nullptr;
};

struct DestroyPlayer {
  void operator()(supple_player* player) const { supple_player_destroy(player); }
};
using Player = std::unique_ptr<supple_player, DestroyPlayer>;

inline Player make_player(const OpenAsset& asset) {
  supple_player* player = nullptr;
  SUPPLE_CHECK(supple_player_create(asset.get(), &player) == SUPPLE_OK);
  return Player(player);
}

inline supple_status set_pose(supple_player* player, std::uint32_t object,
                              const Eigen::Vector3d& position,
                              const Eigen::Quaterniond& turn = Eigen::Quaterniond::Identity()) {
  const double rotation[4] = {turn.x(), turn.y(), turn.z(), turn.w()};
  return supple_player_set_bone_pose(player, object, position.data(), rotation);
}

inline supple_object_settings settings_of(const supple_player* player, std::uint32_t object = 0) {
  supple_object_settings settings{};
  SUPPLE_CHECK(supple_player_get_settings(player, object, &settings) == SUPPLE_OK);
  return settings;
}

inline supple_diagnostics diagnostics_of(const supple_player* player) {
  supple_diagnostics diagnostics{};
  SUPPLE_CHECK(supple_player_diagnose(player, &diagnostics) == SUPPLE_OK);
  return diagnostics;
}

}  // namespace supple::player::testing
