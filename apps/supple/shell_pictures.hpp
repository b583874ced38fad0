// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "canvas.hpp"
#include "render_handles.hpp"
#include "experiments/shell_comparison.hpp"

#include "supple/core/result.hpp"
#include "supple/geometry/types.hpp"
#include "supple/gpu/context.hpp"
#include "supple/io/gltf_character.hpp"
#include "supple/render/camera.hpp"

#include <Eigen/Core>

#include <memory>
#include <string>
#include <vector>

namespace supple::app {

class RenderSubject;

/// How a picture is taken.
struct Shot {
  render::Direction direction;
  int width = 640;
  int height = 480;
  std::vector<geometry::Vec3> frame;  ///< what must fit; empty: all of the model
};

/// A handle in a picture; the matrix has its size.
struct PlacedHandle {
  HandleLook look;
  Eigen::Matrix4d world = Eigen::Matrix4d::Identity();
};

/// Draws models and moments of subjects on the GPU.
class ShellStudio {
 public:
  [[nodiscard]] static Result<ShellStudio> create();

  /// The model at rest.
  [[nodiscard]] Result<Canvas> draw(const io::SkinnedModel& model, const Shot& shot,
                                    const std::vector<PlacedHandle>& handles = {}) const;
  /// Moments of a motion, all from one camera; `frame` of the shot is not used.
  [[nodiscard]] Result<std::vector<Canvas>> draw(const RenderSubject& subject,
                                                 const std::vector<double>& times,
                                                 const Shot& shot) const;

 private:
  std::shared_ptr<const gpu::Context> m_context;
};

/// How all plots and pictures name and colour the methods.
[[nodiscard]] const char* method_name(ShellMethod method);
[[nodiscard]] Colour method_colour(ShellMethod method);

/// A word in its colour.
struct CaptionWord {
  std::string text;
  Colour colour = Colour::Constant(0.05F);
};
/// Pictures beside each other, each with its caption below; all of one height.
[[nodiscard]] Canvas picture_row(const std::vector<Canvas>& pictures,
                                 const std::vector<std::string>& captions);
/// Rows below each other, and a line of words at the foot; narrower ones are centred.
[[nodiscard]] Canvas picture_column(const std::vector<Canvas>& rows,
                                    const std::vector<CaptionWord>& legend = {});

}  // namespace supple::app
