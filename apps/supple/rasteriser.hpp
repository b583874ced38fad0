// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include <array>
#include <limits>
#include <span>
#include <vector>

namespace supple::app {

/// A corner of a triangle in pixels; depth grows away from the viewer, in pixels too
/// (orthographic), so that distances on the screen and into it compare.
struct ScreenVertex {
  Eigen::Vector3f position;                          ///< x right, y down, depth
  Eigen::Vector3f normal;                            ///< in the same axes
  float value = 0;                                   ///< carried through to the fragment
  Eigen::Vector3f colour = Eigen::Vector3f::Zero();  ///< likewise
};

/// What is seen through each pixel's centre.
struct Fragments {
  int width = 0;
  int height = 0;
  std::vector<float> depth;  ///< infinite: nothing there
  std::vector<Eigen::Vector3f> normal;
  std::vector<float> value;
  std::vector<Eigen::Vector3f> colour;

  Fragments(int columns, int rows);
  [[nodiscard]] std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
           static_cast<std::size_t>(x);
  }
  [[nodiscard]] bool covered(int x, int y) const {
    return x >= 0 && y >= 0 && x < width && y < height &&
           depth[index(x, y)] < std::numeric_limits<float>::infinity();
  }
};

/// Nearest surface per pixel; both sides are drawn. Three vertices per triangle, in a row.
void rasterise(std::span<const ScreenVertex> corners, Fragments& fragments);

/// How open each covered pixel is to its surroundings, 1 open .. 0 shut, from the depths around it
/// within `radius` pixels [MOBH11, "Alchemy" ambient obscurance].
[[nodiscard]] std::vector<float> ambient_openness(const Fragments& fragments, float radius);

/// Means over the covered pixels within `reach` on each side that are on the same surface, at most
/// `depth` apart: takes the grain off `ambient_openness` and leaves edges.
[[nodiscard]] std::vector<float> smoothed(const Fragments& fragments,
                                          const std::vector<float>& values, int reach, float depth);

}  // namespace supple::app
