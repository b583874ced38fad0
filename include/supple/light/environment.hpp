// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/light/harmonics.hpp"

#include <cstddef>
#include <numbers>
#include <optional>
#include <vector>

namespace supple::light {

/// Radiance from all directions as a panorama: rows from the top (+Y), twice as wide as high, the
/// middle column towards +X and a quarter of the width to the right of it +Z, as in three.js.
/// Texels are constant: a direction sees the radiance of the texel that contains it.
struct RadianceMap {
  std::size_t width = 0;
  std::size_t height = 0;
  std::vector<float> rgb;  ///< linear, 3 per texel

  /// 2:1, finite and not negative, or an error that names the first offender.
  [[nodiscard]] Result<void> validate() const;
  [[nodiscard]] geometry::Vec3 radiance(const geometry::Vec3& direction) const;
  /// Exact for constant texels: their solid angles and the integrals over longitudes in closed
  /// form, those over latitudes by Gauss' rule to rounding.
  [[nodiscard]] Coefficients coefficients(int order) const;
};

struct SkySettings {
  geometry::Vec3 sun = geometry::Vec3(0.5, 0.7, 0.5);  ///< towards the sun, above y = 0; any length
  double turbidity = 3;                                ///< 2 (very clear) to 10 (haze)
  double scale = 0.1;                                  ///< radiance for a thousand cd/m^2
  geometry::Vec3 ground_albedo = geometry::Vec3::Constant(0.2);
  [[nodiscard]] Result<void> validate() const;
};

/// Clear sky without its sun [PSS99] as linear sRGB; below the horizon a ground that reflects what
/// the sky sends onto it.
class ClearSky {
 public:
  [[nodiscard]] static Result<ClearSky> make(const SkySettings& settings);
  [[nodiscard]] geometry::Vec3 radiance(const geometry::Vec3& direction) const;
  [[nodiscard]] Coefficients coefficients(int order) const;

 private:
  ClearSky() = default;
  [[nodiscard]] geometry::Vec3 above(const geometry::Vec3& direction) const;

  geometry::Vec3 m_sun = geometry::Vec3::UnitY();
  double m_scale = 1;
  Eigen::Matrix<double, 3, 5> m_shape;               ///< Perez' A to E of Y, x and y
  geometry::Vec3 m_zenith = geometry::Vec3::Zero();  ///< over the shape's value there
  geometry::Vec3 m_ground = geometry::Vec3::Zero();
};

/// A disc of constant radiance at infinity: the sun.
struct Disc {
  geometry::Vec3 direction = geometry::Vec3(0, 1, 0);  ///< towards it; any length
  double angular_radius = 0.00465;                     ///< rad, up to pi
  geometry::Vec3 radiance = geometry::Vec3::Ones();

  /// The disc that gives this irradiance on a surface that faces it.
  [[nodiscard]] static Disc with_irradiance(const geometry::Vec3& direction, double angular_radius,
                                            const geometry::Vec3& irradiance);
};

/// A rectangle that shines to both sides, as seen from the origin: its size counts, its distance
/// from the parts of a scene does not.
struct AreaLight {
  geometry::Vec3 centre = geometry::Vec3(0, 2, 0);
  geometry::Vec3 half_u = geometry::Vec3(0.5, 0, 0);  ///< from the centre to the middle of an edge
  geometry::Vec3 half_v = geometry::Vec3(0, 0, 0.5);  ///< the same, at a right angle
  geometry::Vec3 radiance = geometry::Vec3::Ones();
};

/// Distant light: the sum of its parts.
struct Environment {
  geometry::Vec3 constant = geometry::Vec3::Zero();
  std::optional<ClearSky> sky;
  std::vector<Disc> discs;
  std::vector<AreaLight> areas;
  std::optional<RadianceMap> map;

  [[nodiscard]] Result<void> validate() const;
  /// From a unit direction. The environment must be valid.
  [[nodiscard]] geometry::Vec3 radiance(const geometry::Vec3& direction) const;
  /// Without a window: see window_against_ringing. The environment must be valid.
  [[nodiscard]] Coefficients coefficients(int order) const;
};

}  // namespace supple::light
