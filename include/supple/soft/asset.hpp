// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/soft/light.hpp"
#include "supple/soft/object.hpp"

#include <Eigen/Core>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace supple::soft {

/// A primitive of a glTF file, and its place among the vertices of all parts.
struct Part {
  std::uint32_t mesh = 0;
  std::uint32_t primitive = 0;
  std::uint32_t first_vertex = 0;
  std::uint32_t vertex_count = 0;
  /// From the primitive's own space, in which its shapes are, to the bind space of flesh: the
  /// linear part, of all its vertices in the mean.
  Eigen::Matrix3d to_bind = Eigen::Matrix3d::Identity();
};

/// All soft objects of a file: what a .supple holds.
struct Asset {
  std::string generator;
  std::string settings;         ///< of the bake, as JSON: section SETT of docs/format.md; "": none
  std::uint64_t mesh_hash = 0;  ///< io::mesh_hash() of what the parts hold
  std::uint32_t vertex_count = 0;
  std::uint32_t index_count = 0;
  std::vector<Eigen::Vector3f> positions;  ///< as in the glTF file, to match vertices by; or none
  std::vector<Eigen::Vector3f> normals;    ///< of length 1; empty: unknown
  double metres_per_unit = 1;
  std::vector<Part> parts;
  std::vector<Object> objects;
  std::optional<Light> light;
};

}  // namespace supple::soft
