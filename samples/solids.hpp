// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/geometry/tet_mesh.hpp"
#include "supple/geometry/tri_mesh.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace supple::samples {

/// A built-in solid with its material and supports; sizes in metres.
struct SolidSample {
  std::string name;
  std::string description;
  std::string material;               ///< a preset's name
  std::vector<std::string> supports;  ///< selections to fix; empty: a free body
};
[[nodiscard]] const std::vector<SolidSample>& solid_samples();
/// Null if the name is unknown.
[[nodiscard]] const SolidSample* find_solid_sample(std::string_view name);

struct SampleMesh {
  geometry::TetMesh mesh;                    ///< linear
  std::optional<geometry::TriMesh> surface;  ///< the true shape, if the mesh only approximates it
};

/// Builds the sample with about `target_elements` tetrahedra.
[[nodiscard]] Result<SampleMesh> make_solid_sample(std::string_view name,
                                                   std::size_t target_elements);

}  // namespace supple::samples
