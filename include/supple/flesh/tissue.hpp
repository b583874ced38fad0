// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/character/object_frame.hpp"
#include "supple/core/result.hpp"
#include "supple/fem/solid_model.hpp"
#include "supple/flesh/settings.hpp"

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <vector>

namespace supple::flesh {

/// The skin of an object.
struct Region {
  std::vector<double>
      weights;  ///< per vertex of the character, 0 .. 1; equal for coincident vertices
  std::vector<std::size_t> bones;  ///< whose cores hold the flesh
  std::size_t driver = 0;
};
[[nodiscard]] Result<Region> select_region(const character::Character& character,
                                           const ObjectSettings& settings);

/// The finite element model of an object: flesh between skin, bone and seams, in its frame.
struct Tissue {
  Region region;
  character::ObjectFrame frame;
  fem::SolidModel model;  ///< 10-node tetrahedra; fixed at bone and seams
  double thickness = 0;   ///< typical thickness in metres between skin and bone or skin and skin
};
[[nodiscard]] Result<Tissue> build_tissue(const character::Character& character,
                                          const ObjectSettings& settings);

}  // namespace supple::flesh
