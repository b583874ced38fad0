// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bake/light/shape_points.hpp"

#include "supple/bake/light.hpp"
#include "supple/light/transfer.hpp"
#include "supple/soft/light.hpp"

#include <vector>

namespace supple::bake::detail {

/// The transfer of a shape in the order of soft::Light::bases: sides, vertices, coefficients,
/// colours.
[[nodiscard]] std::vector<float> flat_transfer(const light::TransferField& field, int sides);

/// Reduces the transfer of all shapes; fills what the report says of that.
[[nodiscard]] Result<soft::Light> make_light_model(const std::vector<soft::Object>& objects,
                                                   const ChosenShapes& shapes,
                                                   const std::vector<std::vector<float>>& transfers,
                                                   const std::vector<std::vector<float>>& held_out,
                                                   const LightSettings& settings,
                                                   LightReport& report);

}  // namespace supple::bake::detail
