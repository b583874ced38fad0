// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "benchmarks/player_asset.hpp"
#include "supple/core/result.hpp"
#include "supple/gpu/context.hpp"
#include "supple/gpu/modal_mesh.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace supple::bench {

/// How far a crowd's vertices may be from the CPU player's, relative to a character's size; the
/// same tolerance as in the tests.
inline constexpr double kCrowdTolerance = 1e-5;

/// Seconds that a call takes on the GPU: the median over rounds of several calls each, by the
/// driver's own clock if it has one, otherwise from an idle GPU to an idle GPU.
[[nodiscard]] double gpu_seconds(const gpu::Context& context, const std::function<void()>& call);

/// Bytes per second, read and written, of the faster of a compute shader that copies one buffer to
/// another and the driver's own copy: 512 MiB on a GPU, 32 MiB on a software rasteriser.
[[nodiscard]] Result<double> copy_bandwidth(const gpu::Context& context);

/// Characters that share an asset, each at a different time of its motion.
class Crowd {
 public:
  [[nodiscard]] static Result<Crowd> make(const AssetSpec& spec, std::uint32_t characters);

  [[nodiscard]] const supple_asset* asset() const { return m_asset.get(); }
  [[nodiscard]] gpu::RestMesh rest() const;
  [[nodiscard]] std::span<const float> coefficients() const { return m_coefficients; }
  [[nodiscard]] std::uint32_t characters() const { return m_characters; }
  /// The unavoidable traffic: the result once, shapes and rest shape once.
  [[nodiscard]] double bytes() const;
  /// The largest difference from the CPU player on a few characters, relative to the size of one.
  [[nodiscard]] Result<double> difference(const gpu::ModalMesh& mesh) const;

 private:
  Crowd(const AssetSpec& spec, OpenAsset asset, std::uint32_t characters);
  void play();

  AssetSpec m_spec;
  OpenAsset m_asset;
  std::uint32_t m_characters;
  std::vector<float> m_positions, m_normals;
  std::vector<float> m_coefficients;
  struct Reference {
    std::uint32_t character;
    std::vector<float> vertices;  ///< by the CPU, position and normal interleaved
  };
  std::vector<Reference> m_references;
};

/// A mesh with the crowd's coefficients in place.
[[nodiscard]] Result<gpu::ModalMesh> upload(const gpu::Context& context, const Crowd& crowd,
                                            gpu::ModalPath path,
                                            const std::optional<gpu::CrowdTuning>& tuning = {});

}  // namespace supple::bench
