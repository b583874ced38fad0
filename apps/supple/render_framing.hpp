// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "render_subject.hpp"

#include "supple/render/renderer.hpp"

#include <optional>
#include <vector>

namespace supple::app {

struct FramingSettings {
  render::Direction direction;
  double distance = 1;  ///< times the nearest from which everything is seen
  double aspect = 16.0 / 9;
  std::optional<std::size_t> focus;  ///< an object of the flesh: a close-up that follows it
  std::vector<Deformation> shown{Deformation::Full};  ///< side by side; the last fits the picture
};

/// Where the camera is over a motion. It stands still if the whole motion fits a picture well, and
/// goes along smoothly with a subject that travels.
class Framing {
 public:
  /// `times` are the moments that will be shown.
  Framing(const RenderSubject& subject, const std::vector<double>& times,
          const FramingSettings& settings);

  [[nodiscard]] render::View view(double time) const;
  [[nodiscard]] bool follows() const { return m_follows; }

 private:
  void place_anchors(const std::vector<std::vector<geometry::Vec3>>& points, bool close_up);
  [[nodiscard]] geometry::Vec3 anchor(double time) const;

  std::vector<double> m_times;            ///< ascending
  std::vector<geometry::Vec3> m_anchors;  ///< at these times: what the camera goes along with
  bool m_follows = false;
  render::View m_view;  ///< around an anchor at the origin
};

}  // namespace supple::app
