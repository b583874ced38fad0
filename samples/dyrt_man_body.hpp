// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "samples/implicit_surface.hpp"

#include <array>

/// The DyRT man's body, shared by his skin, his skeleton and his clips. Metres; +Y up, he looks
/// along +Z, his left is +X. Points of pairs are those of the left side.
namespace supple::samples::dyrt_man_body {

using geometry::Vec3;

inline const Vec3 kPelvis{0, 0.950, -0.010};
inline const Vec3 kWaist{0, 1.060, -0.015};
inline const Vec3 kRibs{0, 1.220, -0.025};
inline const Vec3 kThroat{0, 1.470, -0.020};
inline const Vec3 kSkull{0, 1.560, 0.000};
inline const Vec3 kCrown{0, 1.740, 0.010};
inline const Vec3 kCollar{0.035, 1.425, -0.020};
inline const Vec3 kShoulder{0.195, 1.400, -0.025};
inline const Vec3 kElbow{0.385, 1.195, -0.040};
inline const Vec3 kWrist{0.542, 1.010, 0.010};
inline const Vec3 kFingertip{0.650, 0.872, 0.045};
inline const Vec3 kHip{0.105, 0.920, -0.005};
/// In the plane of hip, ankle and straight ahead, in which the leg bends.
inline const Vec3 kKnee{0.1236, 0.500, 0.014};
inline const Vec3 kAnkle{0.142, 0.085, -0.030};
inline const Vec3 kBall{0.162, 0.026, 0.105};
inline const Vec3 kToes{0.170, 0.022, 0.175};
/// Where the sole leaves and meets the floor.
inline const Vec3 kHeel{0.140, 0.0, -0.075};

/// Distances from the individual parts of the body.
struct Parts {
  double torso = 0;
  double head = 0;
  double arm = 0;
  double leg = 0;
};
[[nodiscard]] Parts parts(const Vec3& point);

/// The whole body; legs blend only with the trunk, and arms at the shoulder.
[[nodiscard]] double body(const Vec3& point);

/// Desired edge length relative to the trunk's: hands, feet and the face are finer.
[[nodiscard]] double relative_edge(const Vec3& point);

/// Linear RGBA: skin, hair, eyes, trunks.
[[nodiscard]] std::array<double, 4> colour(const Vec3& point);

/// Negative inside his trunks and his hair: the borders of sharp colour changes.
[[nodiscard]] double trunks_edge(const Vec3& point);
[[nodiscard]] double hairline(const Vec3& point);

/// 1 at the navel, 0 beyond the belly's border.
[[nodiscard]] double belly_mask(const Vec3& point);

}  // namespace supple::samples::dyrt_man_body
