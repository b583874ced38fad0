// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "samples/shell_parts.hpp"

#include "supple/geometry/tri_mesh.hpp"
#include "supple/geometry/types.hpp"

namespace supple::samples {

/// A long-necked dinosaur with a crest, 1.5 m from nose to tail, its flat soles at y = 0: negative
/// inside.
[[nodiscard]] double dinosaur(const geometry::Vec3& point);
[[nodiscard]] Rgba dinosaur_colour(const geometry::Vec3& p);

/// Its skin, with edges of about this length in metres, shorter ones at the head.
[[nodiscard]] geometry::TriMesh dinosaur_surface(double edge);

}  // namespace supple::samples
