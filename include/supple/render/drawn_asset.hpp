// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/gpu/context.hpp"
#include "supple/io/gltf.hpp"
#include "supple/io/gltf_materials.hpp"

#include <Eigen/Core>

#include <memory>
#include <span>
#include <vector>

struct supple_asset;

namespace supple::render {

/// The state of a scene at one moment.
struct Moment {
  std::vector<Eigen::Matrix4d> world;        ///< of every node of the file
  std::vector<std::vector<double>> weights;  ///< of morph targets, per node; may be shorter
  std::vector<float> coefficients;  ///< texels from supple_asset_gpu_coefficients; empty: no flesh
  bool linear = false;              ///< shells stay unwarped, for comparison
};

/// The contents of a file on the GPU: vertices, textures, skins, morph targets and flesh, uploaded
/// once. Each moment needs only a few matrices and numbers. Shells are drawn double-sided,
/// regardless of their material.
class DrawnAsset {
 public:
  /// `flesh` may be null; it must belong to the file's mesh. It need not outlive the call, but the
  /// context must outlive the scene. Errors: nothing to draw, or more than fits on this GPU.
  [[nodiscard]] static Result<DrawnAsset> create(const gpu::Context& context,
                                                 const io::GltfAsset& asset,
                                                 const io::GltfMaterials& materials,
                                                 const supple_asset* flesh);
  ~DrawnAsset();
  DrawnAsset(DrawnAsset&&) noexcept;
  DrawnAsset& operator=(DrawnAsset&&) noexcept;

  void show(const Moment& moment);

  /// Linear colours in place of the materials, one per vertex: mesh by mesh of io::shown_nodes,
  /// primitive by primitive. What lies beyond the list keeps its material; an empty one gives all
  /// materials back.
  void paint(std::span<const Eigen::Vector3f> colours);

  struct Data;
  [[nodiscard]] const Data& data() const { return *m_data; }

 private:
  explicit DrawnAsset(std::unique_ptr<Data> data);
  std::unique_ptr<Data> m_data;
};

}  // namespace supple::render
