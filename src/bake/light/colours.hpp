// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bake/light/lit_surface.hpp"

#include "supple/bake/light_settings.hpp"
#include "supple/core/result.hpp"
#include "supple/light/harmonics.hpp"
#include "supple/light/transfer.hpp"

namespace supple::bake::detail {

/// The light of the settings: a panorama, or a sky with its sun; exposed, without ringing.
struct BakeLight {
  light::Coefficients coefficients;
  double exposure = 1;  ///< that was multiplied in
};
[[nodiscard]] Result<BakeLight> make_bake_light(const LightSettings& settings);

/// The file with the colours that this light gives its vertices: COLOR_0 times the material's base
/// colour is what a vertex sends out, at most 1. What COLOR_0 was before stays in _ALBEDO.
[[nodiscard]] Result<io::GltfAsset> colour_gltf(const io::GltfAsset& asset,
                                                const LitSurface& surface,
                                                const light::TransferField& rest,
                                                const light::Coefficients& light);

}  // namespace supple::bake::detail
