// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/pictures/subject.hpp"

#include "supple/render/renderer.hpp"

#include <optional>
#include <vector>

namespace supple::pictures {

struct FramingSettings {
  render::Direction direction;
  double distance = 1;  ///< times the nearest distance that shows everything
  double aspect = 16.0 / 9;
  std::optional<std::size_t> focus;                   ///< a soft part: a close-up that follows it
  std::vector<Deformation> shown{Deformation::Full};  ///< side by side; the last fits the picture
  bool each_moment = false;  ///< for sheets: the subject is in the middle of each picture
};

/// The camera's path over a motion. It stands still if the whole motion fits a picture well, and
/// follows smoothly if the subject travels; see FramingSettings::each_moment for sheets.
class Framing {
 public:
  /// `times` are the times that will be shown.
  Framing(const Subject& subject, const std::vector<double>& times,
          const FramingSettings& settings);

  [[nodiscard]] render::View view(double time) const;
  [[nodiscard]] bool follows() const { return m_follows; }

 private:
  void place_anchors(const std::vector<std::vector<geometry::Vec3>>& points,
                     const FramingSettings& settings);
  [[nodiscard]] geometry::Vec3 anchor(double time) const;

  std::vector<double> m_times;            ///< ascending
  std::vector<geometry::Vec3> m_anchors;  ///< at these times: the point the camera follows
  bool m_follows = false;
  render::View m_view;  ///< around an anchor at the origin
};

}  // namespace supple::pictures
