// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/geometry/types.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace supple::light {

/// Rays that are traced together, best nearly parallel ones, and what they hit.
struct RayPacket {
  static constexpr std::size_t kWidth = 8;
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  template <class T>
  using Lanes = std::array<T, kWidth>;

  std::size_t count = 0;  ///< lanes in use
  std::array<Lanes<float>, 3> origin{};
  std::array<Lanes<float>, 3> direction{};
  Lanes<float> nearest{};  ///< hits before this distance do not count

  Lanes<std::uint32_t> triangle{};  ///< kNone: nothing was hit
  Lanes<float> distance{};
  Lanes<float> u{};  ///< barycentric coordinates of the second and the third corner
  Lanes<float> v{};
  Lanes<bool> back{};  ///< the ray comes from behind the triangle
};

/// Triangles in a hierarchy. Watertight: no ray passes between two triangles that share an edge.
/// Thread-safe once made.
class RayScene {
 public:
  /// An error where this build has no Embree, which says what to install.
  [[nodiscard]] static Result<RayScene> make(const std::vector<Eigen::Vector3f>& positions,
                                             const std::vector<geometry::Triangle>& triangles);
  RayScene(RayScene&&) noexcept;
  RayScene& operator=(RayScene&&) noexcept;
  ~RayScene();

  /// The nearest hit of each ray.
  void trace(RayPacket& packet) const;
  [[nodiscard]] static bool available();

 private:
  struct Impl;
  explicit RayScene(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> m_impl;
};

}  // namespace supple::light
