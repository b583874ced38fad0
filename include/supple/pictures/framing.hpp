// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/pictures/subject.hpp"

#include "supple/render/renderer.hpp"

#include <optional>
#include <vector>

namespace supple::pictures {

struct FramingSettings {
  render::Direction direction;
  double distance = 1;  ///< times the nearest from which everything is seen
  double aspect = 16.0 / 9;
  std::optional<std::size_t> focus;                   ///< a soft part: a close-up that follows it
  std::vector<Deformation> shown{Deformation::Full};  ///< side by side; the last fits the picture
  bool each_moment = false;  ///< pictures of a sheet: each has the subject in its middle
};

/// Where the camera is over a motion. It stands still if the whole motion fits a picture well, and
/// goes along smoothly with a subject that travels; see FramingSettings::each_moment for sheets.
class Framing {
 public:
  /// `times` are the moments that will be shown.
  Framing(const Subject& subject, const std::vector<double>& times,
          const FramingSettings& settings);

  [[nodiscard]] render::View view(double time) const;
  [[nodiscard]] bool follows() const { return m_follows; }

 private:
  void place_anchors(const std::vector<std::vector<geometry::Vec3>>& points,
                     const FramingSettings& settings);
  [[nodiscard]] geometry::Vec3 anchor(double time) const;

  std::vector<double> m_times;            ///< ascending
  std::vector<geometry::Vec3> m_anchors;  ///< at these times: what the camera goes along with
  bool m_follows = false;
  render::View m_view;  ///< around an anchor at the origin
};

}  // namespace supple::pictures
