// SPDX-License-Identifier: Apache-2.0
#include "bake/simulate/glb.hpp"

#include "bake/export/targets.hpp"
#include "bake/simulate/body_motion.hpp"

#include "supple/bake/node_character.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/progress.hpp"
#include "supple/io/gltf_character.hpp"
#include "supple/io/gltf_editor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

namespace supple::bake::detail {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using geometry::Vec3;

// Omitting shapes and thinning keys share the tolerance.
constexpr double kShapesShare = 0.6;

class GlbWriter {
 public:
  GlbWriter(const std::vector<MovingSurface>& surfaces, const SimulateInput& input)
      : m_surfaces(surfaces), m_input(input) {}

  Result<SimulatedGlb> run() {
    SUPPLE_TRY_VOID(reduce());
    SUPPLE_TRY(const io::GltfAsset moving, move_nodes());
    SUPPLE_TRY(const io::GltfAsset asset, add_shapes(moving));
    SUPPLE_TRY(m_result.bytes, io::write_gltf(asset));
    return std::move(m_result);
  }

 private:
  Result<void> reduce() {
    Progress progress("shapes of the motion", static_cast<double>(m_surfaces.size()));
    const SimulationExport& settings = m_input.settings.output;
    for (const MovingSurface& surface : m_surfaces) {
      SUPPLE_TRY(BodyMotion motion, BodyMotion::make(surface));
      MotionShapes shapes{MatrixXd(motion.rows(), 0), MatrixXd(motion.rows(), 0)};
      if (motion.bends() && surface.deforms()) {
        SUPPLE_TRY(shapes,
                   find_motion_shapes(motion, kShapesShare * settings.tolerance * motion.size(),
                                      settings.targets)
                       .during(fmt::format("reducing '{}'", surface.name())));
      }
      m_columns += shapes.positions.cols();
      m_motions.push_back(std::move(motion));
      m_shapes.push_back(std::move(shapes));
      progress.advance();
    }
    return {};
  }

  [[nodiscard]] double frame_time(std::size_t frame) const {
    return static_cast<double>(frame) / m_input.settings.rate;
  }

  /// The bodies at the start, one node and one mesh each, with the clip of their rigid motions.
  Result<io::GltfAsset> move_nodes() const {
    io::SkinnedModel model;
    model.name = m_input.title;
    for (const BodyMotion& motion : m_motions) {
      const DrawnBody& drawn = motion.surface().drawn();
      io::SkinnedPart part;
      part.mesh = motion.surface().name();
      part.material = motion.surface().name();
      part.base_colour = {drawn.colour.x(), drawn.colour.y(), drawn.colour.z(), 1};
      part.double_sided = drawn.thin;
      part.positions = motion.rest().positions;
      part.normals = motion.rest_normals();
      part.triangles = motion.rest().triangles;
      model.parts.push_back(std::move(part));
    }
    SUPPLE_TRY(const io::GltfAsset still, io::make_gltf(model));
    io::GltfEditor editor(still);
    std::optional<std::size_t> clip;
    for (std::size_t b = 0; b < m_motions.size(); ++b) {
      SUPPLE_TRY_VOID(set_pose(editor, b));
      if (!m_motions[b].moves() && !m_motions[b].surface().deforms()) continue;
      if (!clip) clip = editor.add_animation("simulation");
      SUPPLE_TRY_VOID(add_pose_keys(editor, *clip, b));
    }
    return std::move(editor).finish();
  }

  Result<void> set_pose(io::GltfEditor& editor, std::size_t body) const {
    const Eigen::Isometry3d& pose = m_motions[body].poses().front();
    const Eigen::Quaterniond turn(pose.linear());
    SUPPLE_TRY_VOID(
        editor.set_rest(body, io::GltfPath::Translation, std::span(pose.translation().data(), 3)));
    return editor.set_rest(body, io::GltfPath::Rotation, std::span(turn.coeffs().data(), 4));
  }

  Result<void> add_pose_keys(io::GltfEditor& editor, std::size_t clip, std::size_t body) const {
    io::GltfSampler places;
    places.width = 3;
    io::GltfSampler turns;
    turns.width = 4;
    Eigen::Quaterniond before = Eigen::Quaterniond::Identity();
    const auto& poses = m_motions[body].poses();
    for (std::size_t f = 0; f < poses.size(); ++f) {
      Eigen::Quaterniond turn(poses[f].linear());
      if (turn.dot(before) < 0) turn.coeffs() = -turn.coeffs();  // the short way round
      before = turn;
      for (io::GltfSampler* sampler : {&places, &turns}) sampler->times.push_back(frame_time(f));
      const Vec3& place = poses[f].translation();
      places.values.insert(places.values.end(), place.begin(), place.end());
      turns.values.insert(turns.values.end(), turn.coeffs().begin(), turn.coeffs().end());
    }
    SUPPLE_TRY_VOID(editor.set_channel(clip, body, io::GltfPath::Translation, places));
    return editor.set_channel(clip, body, io::GltfPath::Rotation, turns);
  }

  /// Morph targets and their weights, by the exporter of clips.
  Result<io::GltfAsset> add_shapes(const io::GltfAsset& moving) {
    BakedClip clip;
    clip.animation = 0;
    clip.tracks.name = "simulation";
    const std::size_t frames = m_motions.front().frames();
    clip.tracks.duration = frame_time(frames - 1);
    SUPPLE_TRY(clip.tracks.values, coefficients(frames));
    io::GltfAsset asset = moving;
    MatrixXd shown(static_cast<Eigen::Index>(frames), m_columns);
    if (m_columns > 0) {
      ExportSettings settings;
      settings.signed_weights = m_input.settings.output.signed_weights;
      settings.tolerance = key_tolerance(clip.tracks.values);
      SUPPLE_TRY(const GltfCharacter source, node_character(moving, parts(), 1));
      SUPPLE_TRY(ClipExport result,
                 write_targets(moving, source, objects(source), {clip}, settings));
      asset = std::move(result.asset);
      shown = result.shown.front();
      m_result.warnings = std::move(result.warnings);
    }
    SUPPLE_TRY_VOID(measure(shown));
    return asset;
  }

  /// Frames x shapes of all bodies.
  Result<MatrixXd> coefficients(std::size_t frames) const {
    MatrixXd values(static_cast<Eigen::Index>(frames), m_columns);
    Eigen::Index column = 0;
    for (std::size_t b = 0; b < m_motions.size(); ++b) {
      const MatrixXd& shapes = m_shapes[b].positions;
      for (std::size_t f = 0; shapes.cols() > 0 && f < frames; ++f) {
        SUPPLE_TRY(const VectorXd moved, m_motions[b].displacement(f));
        values.row(static_cast<Eigen::Index>(f)).segment(column, shapes.cols()) =
            shapes.transpose() * moved;
      }
      column += shapes.cols();
    }
    return values;
  }

  [[nodiscard]] std::vector<soft::Part> parts() const {
    std::vector<soft::Part> result;
    std::uint32_t first = 0;
    for (std::uint32_t b = 0; b < m_motions.size(); ++b) {
      const auto count = static_cast<std::uint32_t>(m_motions[b].rest().positions.size());
      result.push_back({b, 0, first, count});
      first += count;
    }
    return result;
  }

  [[nodiscard]] std::vector<soft::Object> objects(const GltfCharacter& source) const {
    std::vector<soft::Object> result;
    for (std::size_t b = 0; b < m_motions.size(); ++b) {
      soft::Object object;
      object.name = m_motions[b].surface().name();
      for (std::uint32_t v = 0; v < source.parts[b].vertex_count; ++v) {
        object.vertices.push_back(source.parts[b].first_vertex + v);
      }
      object.modes = shape_modes(m_shapes[b]);
      result.push_back(std::move(object));
    }
    return result;
  }

  /// Relative to a weight's largest value, so that thinned keys stay within their share of the
  /// tolerance.
  [[nodiscard]] double key_tolerance(const MatrixXd& values) const {
    double tolerance = 0.01;
    Eigen::Index column = 0;
    for (std::size_t b = 0; b < m_motions.size(); ++b) {
      const MatrixXd& shapes = m_shapes[b].positions;
      const double share =
          (1 - kShapesShare) * m_input.settings.output.tolerance * m_motions[b].size();
      const VectorXd largest =
          values.middleCols(column, shapes.cols()).cwiseAbs().colwise().maxCoeff().transpose();
      tolerance = std::min(tolerance, weight_tolerance(shapes, largest, share));
      column += shapes.cols();
    }
    return std::max(tolerance, 1e-6);
  }

  /// Compares what a viewer shows at every frame with what was simulated.
  Result<void> measure(const MatrixXd& shown) {
    Eigen::Index column = 0;
    for (std::size_t b = 0; b < m_motions.size(); ++b) {
      const BodyMotion& motion = m_motions[b];
      const MatrixXd& shapes = m_shapes[b].positions;
      if (!motion.surface().deforms()) continue;
      ReducedBody reduced;
      reduced.name = motion.surface().name();
      reduced.vertices = motion.surface().vertex_count();
      reduced.shapes = static_cast<std::size_t>(shapes.cols());
      reduced.size = motion.size();
      reduced.relative_error = m_shapes[b].relative_error;
      double squares = 0;
      for (std::size_t f = 0; f < motion.frames(); ++f) {
        SUPPLE_TRY(VectorXd error, motion.displacement(f));
        if (shapes.cols() > 0) {
          error -=
              shapes *
              shown.row(static_cast<Eigen::Index>(f)).segment(column, shapes.cols()).transpose();
        }
        reduced.largest_error = std::max(reduced.largest_error, largest_vector(error));
        squares += error.squaredNorm();
      }
      const double count =
          static_cast<double>(motion.frames()) * static_cast<double>(motion.rows()) / 3;
      reduced.rms_error = std::sqrt(squares / std::max(count, 1.0));
      column += shapes.cols();
      warn_of(reduced);
      m_result.reduced.push_back(std::move(reduced));
    }
    return {};
  }

  void warn_of(const ReducedBody& body) {
    const double tolerance = m_input.settings.output.tolerance;
    if (body.largest_error <= tolerance * body.size) return;
    m_result.warnings.push_back(fmt::format(
        "body '{}': {} shapes show its motion with an error of up to {:.2g} of its size, more than "
        "the tolerance {:.2g}; allow more targets",
        body.name, body.shapes, body.largest_error / body.size, tolerance));
  }

  const std::vector<MovingSurface>& m_surfaces;
  const SimulateInput& m_input;
  std::vector<BodyMotion> m_motions;
  std::vector<MotionShapes> m_shapes;
  Eigen::Index m_columns = 0;
  SimulatedGlb m_result;
};

}  // namespace

Result<SimulatedGlb> write_simulated_glb(const std::vector<MovingSurface>& surfaces,
                                         const SimulateInput& input) {
  return GlbWriter(surfaces, input).run();
}

}  // namespace supple::bake::detail
