// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/swim_export.hpp"

#include "bake/export/thinning.hpp"
#include "bake/swim/shapes.hpp"

#include "supple/core/check.hpp"
#include "supple/io/gltf_editor.hpp"
#include "supple/io/gltf_water.hpp"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

namespace supple::bake {
namespace {

using Eigen::MatrixXd;
using Eigen::Quaterniond;
using geometry::Vec3;
using io::GltfPath;
using swim::Recording;

constexpr double kNoArrow = 1e-4;  // m, not 0: normals need invertible matrices

/// The rotation of a segment relative to its parent, or to the world.
Quaterniond local_turn(const Recording::Frame& frame, const swim::Body& body, std::size_t s) {
  const std::size_t parent = body.segments[s].parent;
  const Eigen::Matrix3d& axes = frame.segments[s].axes;
  if (parent == swim::Segment::kNoParent) return Quaterniond(axes).normalized();
  return Quaterniond(frame.segments[parent].axes.transpose() * axes).normalized();
}

/// An arrow in its segment's axes.
struct Arrow {
  Quaterniond turn = Quaterniond::Identity();  ///< from +y
  double length = kNoArrow;
};

Arrow make_arrow(const Recording::Frame& frame, const swim::Body& body, std::size_t s,
                 double newtons_per_metre, const Quaterniond& before) {
  const Vec3 force = frame.segments[s].axes.transpose() * frame.forces[s];
  const double length = force.norm() / newtons_per_metre;
  // An arrow that ends inside the segment or just outside it would be a green speck.
  const Vec3& size = body.segments[s].size;
  const double hidden = 0.9 * std::sqrt(size.y() * size.z());
  if (length <= std::max(kNoArrow, hidden)) return {before, kNoArrow};
  return {Quaterniond::FromTwoVectors(Vec3::UnitY(), force), length};
}

class SwimExporter {
 public:
  SwimExporter(const Recording& recording, const swim::Body& body,
               const SwimExportSettings& settings)
      : m_recording(recording), m_body(body), m_settings(settings) {}

  Result<io::GltfAsset> run() {
    io::SkinnedModel model = swimmer_model(m_body);
    const std::size_t first_arrow = model.bones.size();
    if (m_settings.arrows) add_arrows(model);
    SUPPLE_TRY(const io::GltfAsset still, io::make_gltf(model));
    io::GltfEditor editor(still);
    const std::size_t clip = editor.add_animation(m_recording.stroke);
    for (std::size_t s = 0; s < m_body.segments.size(); ++s) {
      SUPPLE_TRY_VOID(add_segment(editor, clip, s));
      if (m_settings.arrows) SUPPLE_TRY_VOID(add_force(editor, clip, s, first_arrow + s));
    }
    if (m_settings.surface) io::add_water_surface(editor, {0, *m_settings.surface, 0});
    return std::move(editor).finish();
  }

 private:
  void add_arrows(io::SkinnedModel& model) const {
    io::SkinnedPart part;
    part.material = "force";
    part.mesh = fmt::format("forces, 1 m for {:g} N", m_settings.newtons_per_metre);
    part.base_colour = {0.02, 0.52, 0.06, 1};
    part.roughness = 0.5;
    const std::vector<Eigen::Isometry3d> world = io::rest_world(model.bones);
    for (std::size_t s = 0; s < m_body.segments.size(); ++s) {
      io::SkinnedBone bone;
      bone.name = "force_" + m_body.segments[s].name;
      bone.parent = s;
      bone.translation = m_body.segments[s].centre;
      detail::add_arrow(world[s] * bone.translation, static_cast<std::uint32_t>(model.bones.size()),
                        part);
      model.bones.push_back(std::move(bone));
    }
    model.parts.push_back(std::move(part));
  }

  [[nodiscard]] Eigen::Index frames() const {
    return static_cast<Eigen::Index>(m_recording.frames.size());
  }
  [[nodiscard]] const Recording::Frame& frame(Eigen::Index f) const {
    return m_recording.frames[static_cast<std::size_t>(f)];
  }

  Result<void> add_segment(io::GltfEditor& editor, std::size_t clip, std::size_t s) const {
    MatrixXd turns(frames(), 4);
    for (Eigen::Index f = 0; f < frames(); ++f) {
      set_turn(turns, f, local_turn(frame(f), m_body, s));
    }
    SUPPLE_TRY_VOID(add_channel(editor, clip, s, GltfPath::Rotation, turns, m_settings.tolerance));
    if (m_body.segments[s].parent != swim::Segment::kNoParent) return {};
    MatrixXd places(frames(), 3);
    for (Eigen::Index f = 0; f < frames(); ++f)
      places.row(f) = frame(f).segments[s].origin.transpose();
    return add_channel(editor, clip, s, GltfPath::Translation, places, m_settings.tolerance);
  }

  Result<void> add_force(io::GltfEditor& editor, std::size_t clip, std::size_t s,
                         std::size_t node) const {
    MatrixXd turns(frames(), 4);
    MatrixXd sizes(frames(), 3);
    Quaterniond turn = Quaterniond::Identity();
    for (Eigen::Index f = 0; f < frames(); ++f) {
      const Arrow arrow = make_arrow(frame(f), m_body, s, m_settings.newtons_per_metre, turn);
      turn = arrow.turn;
      set_turn(turns, f, turn);
      const double width =
          std::sqrt(arrow.length);  // long arrows are thicker, but less than proportionally
      sizes.row(f) << width, arrow.length, width;
    }
    // The length of a tenth of a newton is invisible; arrow directions need no better than a
    // degree.
    constexpr double kCoarse = 5;
    SUPPLE_TRY_VOID(
        add_channel(editor, clip, node, GltfPath::Rotation, turns, kCoarse * m_settings.tolerance));
    return add_channel(editor, clip, node, GltfPath::Scale, sizes, kCoarse * m_settings.tolerance);
  }

  /// Gives neighbouring quaternions the same sign, so that interpolation takes the short way.
  static void set_turn(MatrixXd& turns, Eigen::Index f, const Quaterniond& turn) {
    turns.row(f) = turn.coeffs().transpose();
    if (f > 0 && turns.row(f).dot(turns.row(f - 1)) < 0) turns.row(f) *= -1;
  }

  Result<void> add_channel(io::GltfEditor& editor, std::size_t clip, std::size_t node,
                           GltfPath path, const MatrixXd& values, double tolerance) const {
    io::GltfSampler sampler;
    sampler.width = static_cast<std::size_t>(values.cols());
    for (const Eigen::Index row : detail::thin(values, tolerance)) {
      sampler.times.push_back(frame(row).time);
      for (Eigen::Index c = 0; c < values.cols(); ++c) sampler.values.push_back(values(row, c));
    }
    SUPPLE_TRY_VOID(editor.set_channel(clip, node, path, sampler));
    // Without its clip, the file shows the first frame, without arrows of full length.
    return editor.set_rest(node, path, std::span(sampler.values).first(sampler.width));
  }

  const Recording& m_recording;
  const swim::Body& m_body;
  const SwimExportSettings& m_settings;
};

Result<void> check_recording(const Recording& recording) {
  if (recording.frames.size() < 2) {
    return bad_input(
        fmt::format("the recording of '{}' has {} frames, which is not a motion; swim longer",
                    recording.stroke, recording.frames.size()));
  }
  return {};
}

}  // namespace

Result<void> SwimExportSettings::validate() const {
  if (!(newtons_per_metre > 0) || !std::isfinite(newtons_per_metre)) {
    return bad_input(fmt::format("an arrow of 1 m cannot stand for {} N; give a positive force",
                                 newtons_per_metre));
  }
  if (!(tolerance >= 0) || !std::isfinite(tolerance)) {
    return bad_input(fmt::format(
        "the tolerance for keys is {}; it must be 0 or more, and 0 keeps all", tolerance));
  }
  return {};
}

Result<io::GltfAsset> swim_gltf(const Recording& recording, const swim::Body& body,
                                const SwimExportSettings& settings) {
  SUPPLE_TRY_VOID(settings.validate());
  SUPPLE_TRY_VOID(check_recording(recording));
  return SwimExporter(recording, body, settings).run();
}

}  // namespace supple::bake
