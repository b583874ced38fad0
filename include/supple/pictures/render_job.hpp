// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/pictures/subject.hpp"
#include "supple/render/camera.hpp"
#include "supple/render/renderer.hpp"

#include <optional>
#include <string>
#include <vector>

namespace supple::pictures {

/// A picture or a video of a subject.
struct RenderRequest {
  SubjectRequest subject;    ///< its rate, needs_motion, wants_clip and live follow from the rest
  std::string output;        ///< .png, .mp4 or .webm
  std::optional<double> at;  ///< time of a picture, seconds, of the first clip if no other
                             ///< motion is chosen; none: a lively moment, or at rest
  std::optional<double> from, to;  ///< of a video; none: once through, or about 4 s of a loop
  double fps = 30;
  int width = 1280;  ///< even for a video, divisible by 4 for two side by side
  int height = 720;
  int samples = 4;  ///< per pixel
  render::Direction direction;
  double distance = 1;  ///< times the nearest distance that shows everything
  render::Backdrop backdrop;
  std::string focus;  ///< soft part to zoom in on; "": the whole subject
  /// One deformation, or two to compare side by side, left and right.
  std::vector<Deformation> shown{Deformation::Full};

  [[nodiscard]] bool video() const;
};

/// What was drawn.
struct RenderReport {
  std::string renderer;  ///< the GPU
  int samples = 0;
  std::size_t frames = 0;
  double from = 0, to = 0;
  double seconds = 0;  ///< time taken
  std::string motion;  ///< "": at rest
  double duration = 0;
  bool loops = false;
  std::string soft;  ///< .supple in use; "": none
  bool has_flesh = false, has_shells = false, has_scene = false;
  std::vector<std::string> warnings;
};

/// Writes request.output. Reports progress; can be interrupted between frames.
[[nodiscard]] Result<RenderReport> render_file(RenderRequest request);

}  // namespace supple::pictures
