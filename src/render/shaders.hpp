// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace supple::render::shaders {

// Pieces of GLSL ES 3.00 that renderer.cpp combines.

extern const std::string_view
    kSurfaceVertex;  ///< needs surface, skinning; FLESH: the modal sum too
extern const std::string_view kFullScreenVertex;
extern const std::string_view kGroundVertex;

extern const std::string_view kMaterial;       ///< textures and factors at a fragment
extern const std::string_view kCutOut;         ///< main: only alpha test; for shadows
extern const std::string_view kCoverage;       ///< main: white wherever there is something
extern const std::string_view kNormals;        ///< main: view-space normals
extern const std::string_view kGroundNormals;  ///< main: the same for the ground
extern const std::string_view kScreen;        ///< distances and noise of pixels, for the next three
extern const std::string_view kOpenness;      ///< main: obscurance from depth, normals
extern const std::string_view kOpennessBlur;  ///< main
extern const std::string_view kLight;         ///< sky, key light and its shadow, tone map
extern const std::string_view kSurface;       ///< main: a lit surface
extern const std::string_view kBackdrop;      ///< the background
extern const std::string_view kBackdropMain;  ///< main
extern const std::string_view kGroundMain;    ///< main
extern const std::string_view kWaterMain;     ///< main: a water surface, from above and from below

}  // namespace supple::render::shaders
