// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/benchmarks.hpp"
#include "benchmarks/bullet_reduced.hpp"
#include "benchmarks/measure.hpp"
#include "benchmarks/player_asset.hpp"
#include "supple/core/hash.hpp"
#include "supple/core/random.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

namespace supple::bench {
namespace {

constexpr std::size_t kJoints = 20;
constexpr std::size_t kInfluences = 4;
constexpr double kMemcpyTarget = 0.70;
constexpr double kBulletTarget = 20;
constexpr int kVertexRounds = 301;
constexpr int kFewRounds = 31;      // for slow rows
constexpr std::size_t kCrowd = 64;  // characters, too many for any cache

/// A character's vertices in and out, and a player in the middle of a motion.
class Scene {
 public:
  explicit Scene(const OpenAsset& asset) : m_player(make_player(asset)) {
    Random random(3);
    for (AlignedArray<float>* rest : {&m_positions, &m_normals}) {
      for (std::size_t i = 0; i < rest->size(); ++i) {
        (*rest)[i] = static_cast<float>(2 * random.uniform() - 1);
      }
    }
    for (std::size_t i = 0; i < m_joints.size(); ++i) {
      m_joints[i] = static_cast<std::uint16_t>(random.uniform() * kJoints);
      m_weights[i] = 1.0F / kInfluences;
    }
    for (std::size_t j = 0; j < kJoints; ++j) {
      Swing().at(0.01 * static_cast<double>(j), m_palette.data() + 16 * j);
    }
    m_deformation.rest_positions = {m_positions.data(), 0};
    m_deformation.rest_normals = {m_normals.data(), 0};
    m_deformation.positions = {m_new_positions.data(), 0};
    m_deformation.normals = {m_new_normals.data(), 0};
    for (int i = 0; i < 30; ++i) step();
  }

  void skin() {
    m_deformation.palette = m_palette.data();
    m_deformation.joint_count = kJoints;
    m_deformation.influences = kInfluences;
    m_deformation.joints = m_joints.data();
    m_deformation.weights = m_weights.data();
  }

  void step() {
    float matrix[16];
    m_time += 1.0 / 60;
    Swing().at(m_time, matrix);
    supple_player_set_bone_matrix(m_player.get(), 0, matrix);
    supple_player_step(m_player.get(), 1.0 / 60);
  }

  void deform() { supple_player_deform(m_player.get(), &m_deformation); }

  /// Every array once: shapes, the rest shape, the result, and the inputs of skinning.
  [[nodiscard]] double bytes(bool float32) const {
    const double per_vertex = kCharacterModes * 6.0 * (float32 ? 4 : 2) + 4 * 3 * sizeof(float);
    const double skinning = m_deformation.palette == nullptr
                                ? 0
                                : kInfluences * (sizeof(std::uint16_t) + sizeof(float));
    return kCharacterVertices * (per_vertex + skinning);
  }

  [[nodiscard]] std::string hash() const {
    Hasher hasher;
    for (const AlignedArray<float>* out : {&m_new_positions, &m_new_normals}) {
      hasher.add(std::as_bytes(std::span(out->data(), out->size())));
    }
    return hasher.finish().hex().substr(0, 16);
  }

 private:
  static constexpr std::size_t kFloats = std::size_t{3} * kCharacterVertices;
  Player m_player;
  double m_time = 0;
  AlignedArray<float> m_positions{kFloats};
  AlignedArray<float> m_normals{kFloats};
  AlignedArray<float> m_new_positions{kFloats};
  AlignedArray<float> m_new_normals{kFloats};
  AlignedArray<std::uint16_t> m_joints{kInfluences * kCharacterVertices};
  AlignedArray<float> m_weights{kInfluences * kCharacterVertices};
  AlignedArray<float> m_palette{16 * kJoints};
  supple_deformation m_deformation{};
};

/// memcpy that reads and writes the same number of bytes in total.
class Copy {
 public:
  explicit Copy(double bytes)
      : m_from(static_cast<std::size_t>(bytes / 2)), m_to(static_cast<std::size_t>(bytes / 2)) {}
  void operator()() const { std::memcpy(m_to.data(), m_from.data(), m_to.size()); }

 private:
  AlignedArray<std::byte> m_from;
  AlignedArray<std::byte> m_to;
};

struct VertexRow {
  const char* title;
  bool float32;
  bool skinned;
  bool has_target;
  std::size_t characters = 1;  ///< each with its own file in memory, one after the other
};

Result<std::string> copy_row(const VertexRow& row) {
  AssetSpec spec;
  spec.modes = kCharacterModes;
  spec.vertices = kCharacterVertices;
  spec.float32 = row.float32;
  std::vector<OpenAsset> assets;
  std::vector<std::unique_ptr<Scene>> scenes;
  for (std::size_t i = 0; i < row.characters; ++i) {
    SUPPLE_TRY(OpenAsset asset, OpenAsset::make(spec));
    scenes.push_back(std::make_unique<Scene>(asset));
    if (row.skinned) scenes.back()->skin();
    assets.push_back(std::move(asset));
  }
  const double bytes = scenes.front()->bytes(row.float32);
  const Copy copy(bytes * static_cast<double>(row.characters));
  const auto deform = [&] {
    for (const auto& scene : scenes) scene->deform();
  };
  const int repeats = row.characters == 1 ? 8 : 1;
  auto seconds = interleaved_medians({{deform, repeats}, {[&] { copy(); }, repeats}},
                                     row.characters == 1 ? kVertexRounds : kFewRounds);
  for (double& time : seconds) time /= static_cast<double>(row.characters);
  const double ratio = seconds[1] / seconds[0];
  std::string verdict = "– | –";
  if (row.has_target) {
    verdict = fmt::format("{:.2f} | {}", kMemcpyTarget, ratio >= kMemcpyTarget ? "yes" : "**no**");
  }
  return fmt::format(
      "| {} | {:.2f} MB | {:.1f} µs | {:.2f} ns | {:.1f} GB/s | {:.1f} GB/s | {:.2f} | {} | `{}` "
      "|\n",
      row.title, 1e-6 * bytes, 1e6 * seconds[0], 1e9 * seconds[0] / kCharacterVertices,
      1e-9 * bytes / seconds[0], 1e-9 * bytes / seconds[1], ratio, verdict, scenes.front()->hash());
}

Result<std::string> against_bullet() {
  SUPPLE_TRY(const auto beam, make_bullet_beam(kCharacterModes));
  if (beam == nullptr) {
    return std::string(
        "**BULLET IS MISSING: this program was built without libbullet-dev, so the comparison of "
        "vertices was skipped. Install it, configure and build again.**\n");
  }
  AssetSpec spec;
  spec.modes = kCharacterModes;
  spec.vertices = kCharacterVertices;
  SUPPLE_TRY(const OpenAsset asset, OpenAsset::make(spec));
  Scene scene(asset);
  const auto frame = [&] {
    scene.step();
    scene.deform();
  };
  const auto seconds = interleaved_medians({{frame, 8}, {[&] { beam->step(); }, 4}}, kVertexRounds);
  const double ours = seconds[0] / kCharacterVertices;
  const double theirs = seconds[1] / static_cast<double>(beam->nodes());
  const double deformed = beam->deformation();
  if (!std::isfinite(deformed) || deformed < 1e-6) {
    return not_converged("Bullet's beam does not vibrate, so the comparison would be meaningless");
  }
  return fmt::format(
      "Bullet's reduced deformable body (btReducedDeformableBody, explicit, no contact) with the "
      "same number of modes, computed by `supple::fem`; one step of its world compared with a "
      "whole frame of ours (bone, step, positions and normals, 16-bit shapes). After the run its "
      "nodes were up to {:.1f} mm away from the rigid frame.\n\n"
      "| Bullet nodes | step | per node | our vertices | frame | per vertex | times faster per "
      "vertex | target | reached |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n"
      "| {} | {:.3f} ms | {:.1f} ns | {} | {:.4f} ms | {:.2f} ns | {:.0f} | {:.0f} | {} |\n",
      1e3 * deformed, beam->nodes(), 1e3 * seconds[1], 1e9 * theirs, kCharacterVertices,
      1e3 * seconds[0], 1e9 * ours, theirs / ours, kBulletTarget,
      theirs >= kBulletTarget * ours ? "yes" : "**no**");
}

}  // namespace

Result<std::string> player_vertices() {
  std::string text = fmt::format(
      "## Player: {} vertices, {} modes on every vertex, positions and normals\n\n"
      "One core, medians of {} rounds in which our code and memcpy alternate. Bytes count every "
      "array read or written, once; memcpy reads and writes the same total. One character fits in "
      "the cache, and so does its memcpy; 64 characters come from main memory. {}\n\n"
      "| shapes | bytes | time | per vertex | bandwidth | memcpy | ratio | target | reached | hash "
      "|\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
      kCharacterVertices, kCharacterModes, kVertexRounds, load_note());
  for (const VertexRow& row :
       {VertexRow{"16 bit", false, false, true}, VertexRow{"float", true, false, true},
        VertexRow{"16 bit, 64 characters in turn", false, false, true, kCrowd},
        VertexRow{"16 bit, skinned", false, true, false},
        VertexRow{"float, skinned", true, true, false}}) {
    SUPPLE_TRY(const std::string line, copy_row(row));
    text += line;
  }
  SUPPLE_TRY(const std::string bullet, against_bullet());
  return text + "\n" + bullet;
}

}  // namespace supple::bench
