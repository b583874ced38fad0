// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/clip_export.hpp"

#include "bake/export/motion_shapes.hpp"
#include "bake/export/targets.hpp"

#include "supple/core/check.hpp"
#include "supple/core/console.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/progress.hpp"
#include "supple/shell/shell_object.hpp"

#include <fmt/format.h>
#include <supple.h>

#include <algorithm>
#include <cmath>

namespace supple::bake {
namespace {

using detail::largest_vector;
using detail::MotionShapes;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// One shell of a file in motion: turns coefficients into the positions and normals the player
/// draws, in bind space.
class MovingShell {
 public:
  MovingShell(const soft::Object& object, const io::GltfAsset& asset, const GltfCharacter& source)
      : m_object(object) {
    const auto rows = static_cast<Eigen::Index>(3 * object.vertices.size());
    const auto modes = static_cast<Eigen::Index>(object.modes.size());
    m_displacements.resize(rows, modes);
    m_turns.resize(rows, modes);
    for (Eigen::Index m = 0; m < modes; ++m) {
      const soft::Mode& mode = object.modes[static_cast<std::size_t>(m)];
      for (std::size_t i = 0; i < object.vertices.size(); ++i) {
        m_displacements.col(m).segment<3>(static_cast<Eigen::Index>(3 * i)) = mode.displacements[i];
        m_turns.col(m).segment<3>(static_cast<Eigen::Index>(3 * i)) = mode.turns[i];
      }
    }
    geometry::Box box;
    for (const std::uint32_t v : object.vertices) box.add(source.character.positions[v]);
    m_size = box.diagonal();
    collect_normals(asset, source);
  }

  [[nodiscard]] const soft::Object& object() const { return m_object; }
  [[nodiscard]] Eigen::Index rows() const { return m_displacements.rows(); }
  [[nodiscard]] Eigen::Index modes() const { return m_displacements.cols(); }
  [[nodiscard]] double size() const { return m_size; }  ///< bind units

  [[nodiscard]] VectorXd displacement(const VectorXd& q) const {
    const VectorXd p = m_displacements * q;
    const VectorXd w = m_turns * q;
    VectorXd u(rows());
    for (Eigen::Index i = 0; i < rows(); i += 3) {
      u.segment<3>(i) = shell::mean_rotation(w.segment<3>(i)) * p.segment<3>(i);
    }
    return u;
  }

  /// R n - n.
  [[nodiscard]] VectorXd normal_change(const VectorXd& q) const {
    const VectorXd w = m_turns * q;
    VectorXd change(rows());
    for (Eigen::Index i = 0; i < rows(); i += 3) {
      change.segment<3>(i) =
          shell::rotation(w.segment<3>(i)) * m_normals.segment<3>(i) - m_normals.segment<3>(i);
    }
    return change;
  }

 private:
  void collect_normals(const io::GltfAsset& asset, const GltfCharacter& source) {
    m_normals = VectorXd::Zero(rows());
    for (std::size_t i = 0; i < m_object.vertices.size(); ++i) {
      const std::uint32_t vertex = m_object.vertices[i];
      const auto after = std::upper_bound(
          source.parts.begin(), source.parts.end(), vertex,
          [](std::uint32_t v, const soft::Part& part) { return v < part.first_vertex; });
      const soft::Part& part = *std::prev(after);
      const auto& normals = asset.meshes[part.mesh].primitives[part.primitive].normals;
      if (!normals.empty()) {
        m_normals.segment<3>(static_cast<Eigen::Index>(3 * i)) =
            normals[vertex - part.first_vertex];
      }
    }
  }

  const soft::Object& m_object;
  MatrixXd m_displacements;  // 3 vertices x modes
  MatrixXd m_turns;
  VectorXd m_normals;
  double m_size = 0;
};

/// The frames of all clips, one row of coefficients each.
MatrixXd all_frames(const std::vector<BakedClip>& clips, Eigen::Index first, Eigen::Index modes) {
  Eigen::Index count = 0;
  for (const BakedClip& clip : clips) count += clip.tracks.values.rows();
  MatrixXd frames(count, modes);
  Eigen::Index at = 0;
  for (const BakedClip& clip : clips) {
    frames.middleRows(at, clip.tracks.values.rows()) = clip.tracks.values.middleCols(first, modes);
    at += clip.tracks.values.rows();
  }
  return frames;
}

/// A shell's motion in all clips.
class ShellFrames final : public detail::FrameSource {
 public:
  /// `shell` must outlive this object.
  ShellFrames(const MovingShell& shell, MatrixXd coefficients)
      : m_shell(shell), m_coefficients(std::move(coefficients)) {}

  [[nodiscard]] Eigen::Index rows() const override { return m_shell.rows(); }
  [[nodiscard]] std::size_t frames() const override {
    return static_cast<std::size_t>(m_coefficients.rows());
  }
  [[nodiscard]] Result<VectorXd> displacement(std::size_t frame) const override {
    return m_shell.displacement(at(frame));
  }
  [[nodiscard]] Result<VectorXd> normal_change(std::size_t frame) const override {
    return m_shell.normal_change(at(frame));
  }

 private:
  [[nodiscard]] VectorXd at(std::size_t frame) const {
    return m_coefficients.row(static_cast<Eigen::Index>(frame)).transpose();
  }

  const MovingShell& m_shell;
  MatrixXd m_coefficients;
};

/// The shapes as modes of an object that the exporter for flesh can write.
soft::Object recorded_object(const MovingShell& shell, const MotionShapes& shapes) {
  soft::Object object;
  object.name = recorded_name(shell.object().name);
  object.bone = shell.object().bone;
  object.vertices = shell.object().vertices;
  object.modes = detail::shape_modes(shapes);
  return object;
}

class ShellExporter {
 public:
  ShellExporter(const io::GltfAsset& asset, const GltfCharacter& source,
                const std::vector<soft::Object>& objects, const std::vector<BakedClip>& clips,
                const ExportSettings& settings)
      : m_asset(asset), m_source(source), m_clips(clips), m_settings(settings) {
    Eigen::Index first = 0;
    for (const soft::Object& object : objects) {
      Piece piece;
      piece.object = &object;
      piece.first = first;
      piece.modes = static_cast<Eigen::Index>(object.modes.size());
      if (object.kind() == soft::Kind::Shell) {
        piece.shell = m_shells.size();
        m_shells.emplace_back(object, m_asset, m_source);
      }
      first += piece.modes;
      m_pieces.push_back(piece);
    }
  }

  Result<ClipExport> run() {
    Progress progress("shapes of the motion", static_cast<double>(m_shells.size()));
    Eigen::Index column = 0;
    for (Piece& piece : m_pieces) {
      piece.column = column;
      if (piece.shell) {
        const MovingShell& shell = m_shells[*piece.shell];
        const ShellFrames frames(shell, all_frames(m_clips, piece.first, piece.modes));
        SUPPLE_TRY(MotionShapes shapes,
                   detail::find_motion_shapes(
                       frames, kShareOfShapes * m_settings.shell_tolerance * shell.size(),
                       m_settings.shell_targets));
        m_shapes.push_back(std::move(shapes));
        progress.advance();
      }
      column += columns(piece);
    }
    m_columns = column;
    return write();
  }

 private:
  // Omitting shapes and thinning keys share the tolerance.
  static constexpr double kShareOfShapes = 0.6;

  /// An object of the file, its columns in the input coefficients and its columns in the output
  /// weights.
  struct Piece {
    const soft::Object* object = nullptr;
    Eigen::Index first = 0;
    Eigen::Index modes = 0;
    Eigen::Index column = 0;
    std::optional<std::size_t> shell;  ///< flesh passes through unchanged
  };

  [[nodiscard]] Eigen::Index columns(const Piece& piece) const {
    return piece.shell ? m_shapes[*piece.shell].positions.cols() : piece.modes;
  }

  Result<ClipExport> write() {
    std::vector<soft::Object> recorded;
    for (const Piece& piece : m_pieces) {
      recorded.push_back(piece.shell
                             ? recorded_object(m_shells[*piece.shell], m_shapes[*piece.shell])
                             : *piece.object);
    }
    ClipExport result;
    if (m_clips.empty() || m_columns == 0) {
      result.asset = m_asset;
      result.warnings.push_back(why_nothing());
      return result;
    }
    const std::vector<BakedClip> clips = projected_clips();
    ExportSettings settings = m_settings;
    settings.tolerance = key_tolerance(clips);
    SUPPLE_TRY(result, write_targets(m_asset, m_source, recorded, clips, settings));
    for (const Piece& piece : m_pieces) {
      if (!piece.shell) continue;
      result.shells.push_back(measure(piece, result.shown));
      warn(result.shells.back(), result.warnings);
    }
    return result;
  }

  /// Why a file has no clips.
  [[nodiscard]] std::string why_nothing() const {
    if (m_clips.empty() || m_shells.empty()) {
      return "no motion was recorded: the file has no clips";
    }
    std::vector<MatrixXd> nothing_shown;
    nothing_shown.reserve(m_clips.size());
    for (const BakedClip& clip : m_clips) nothing_shown.emplace_back(clip.tracks.values.rows(), 0);
    RecordedShell most;
    for (const Piece& piece : m_pieces) {
      if (!piece.shell) continue;
      const RecordedShell moved = measure(piece, nothing_shown);
      if (most.name.empty() || moved.largest_error > most.largest_error) most = moved;
    }
    return fmt::format(
        "nothing in the recording moves by more than the tolerance, {:g} of the size (largest: "
        "shell '{}', by {} of {}), so the file has no clips of it. To show more, use a smaller "
        "tolerance, a softer or thinner material or a larger load",
        m_settings.shell_tolerance, most.name, format_si(most.largest_error, "m"),
        format_si(most.size, "m"));
  }

  /// The clips with coefficients of the shapes instead of those of the modes.
  [[nodiscard]] std::vector<BakedClip> projected_clips() const {
    std::vector<BakedClip> clips;
    for (const BakedClip& clip : m_clips) {
      BakedClip projected{clip.animation, clip.motion, clip.tracks};
      projected.tracks.values.resize(clip.tracks.values.rows(), m_columns);
      for (const Piece& piece : m_pieces) {
        auto weights = projected.tracks.values.middleCols(piece.column, columns(piece));
        if (!piece.shell) {
          weights = clip.tracks.values.middleCols(piece.first, piece.modes);
          continue;
        }
        parallel_for(static_cast<std::size_t>(clip.tracks.values.rows()), 4, [&](std::size_t f) {
          const auto row = static_cast<Eigen::Index>(f);
          weights.row(row) = m_shapes[*piece.shell].positions.transpose() *
                             m_shells[*piece.shell].displacement(coefficients(clip, row, piece));
        });
      }
      clips.push_back(std::move(projected));
    }
    return clips;
  }

  [[nodiscard]] static VectorXd coefficients(const BakedClip& clip, Eigen::Index frame,
                                             const Piece& piece) {
    return clip.tracks.values.row(frame).segment(piece.first, piece.modes).transpose();
  }

  /// Relative to a weight's largest value, so that thinned keys stay within their share of the
  /// tolerance.
  [[nodiscard]] double key_tolerance(const std::vector<BakedClip>& clips) const {
    double tolerance = 0.01;
    for (const Piece& piece : m_pieces) {
      if (!piece.shell) {
        tolerance = std::min(tolerance, m_settings.tolerance);
        continue;
      }
      const double share =
          (1 - kShareOfShapes) * m_settings.shell_tolerance * m_shells[*piece.shell].size();
      VectorXd largest = VectorXd::Zero(columns(piece));
      for (const BakedClip& clip : clips) {
        const auto weights = clip.tracks.values.middleCols(piece.column, columns(piece));
        largest = largest.cwiseMax(weights.cwiseAbs().colwise().maxCoeff().transpose());
      }
      tolerance = std::min(
          tolerance, detail::weight_tolerance(m_shapes[*piece.shell].positions, largest, share));
    }
    return std::max(tolerance, 1e-6);
  }

  [[nodiscard]] RecordedShell measure(const Piece& piece,
                                      const std::vector<MatrixXd>& shown) const {
    const MovingShell& shell = m_shells[*piece.shell];
    const MatrixXd& shapes = m_shapes[*piece.shell].positions;
    RecordedShell result;
    result.name = shell.object().name;
    result.shapes = static_cast<std::size_t>(shapes.cols());
    const double metres = metres_per_bind_unit(shell.object());
    result.size = metres * shell.size();
    double squares = 0;
    double count = 0;
    for (std::size_t c = 0; c < m_clips.size(); ++c) {
      const auto frames = static_cast<std::size_t>(m_clips[c].tracks.values.rows());
      std::vector<std::pair<double, double>> errors(frames);  // largest, sum of squares
      parallel_for(frames, 4, [&](std::size_t f) {
        const auto row = static_cast<Eigen::Index>(f);
        VectorXd error = -shell.displacement(coefficients(m_clips[c], row, piece));
        if (shapes.cols() > 0) {
          error += shapes * shown[c].row(row).segment(piece.column, shapes.cols()).transpose();
        }
        errors[f] = {largest_vector(error), error.squaredNorm()};
      });
      for (const auto& [largest, sum] : errors) {
        result.largest_error = std::max(result.largest_error, metres * largest);
        squares += sum;
        count += static_cast<double>(shell.rows()) / 3;
      }
    }
    result.rms_error = count > 0 ? metres * std::sqrt(squares / count) : 0;
    return result;
  }

  /// Bind space to metres: scale of the object's frame.
  [[nodiscard]] static double metres_per_bind_unit(const soft::Object& object) {
    return std::cbrt(std::abs(object.frame_from_bind.leftCols<3>().determinant()));
  }

  void warn(const RecordedShell& shell, std::vector<std::string>& warnings) const {
    if (shell.largest_error <= m_settings.shell_tolerance * shell.size) return;
    warnings.push_back(fmt::format(
        "shell '{}': {} shapes reproduce its motion with an error of up to {:.2g} of its size, "
        "more than the tolerance {:.2g}; allow more targets",
        shell.name, shell.shapes, shell.largest_error / shell.size, m_settings.shell_tolerance));
  }

  const io::GltfAsset& m_asset;
  const GltfCharacter& m_source;
  const std::vector<BakedClip>& m_clips;
  const ExportSettings& m_settings;
  std::vector<Piece> m_pieces;
  std::vector<MovingShell> m_shells;
  std::vector<MotionShapes> m_shapes;  // of the shells
  Eigen::Index m_columns = 0;
};

}  // namespace

Result<ClipExport> export_clips(const io::GltfAsset& asset, const GltfCharacter& source,
                                const std::vector<soft::Object>& objects,
                                const std::vector<BakedClip>& clips,
                                const ExportSettings& settings) {
  const bool warps = std::any_of(objects.begin(), objects.end(), [](const soft::Object& object) {
    return object.kind() == soft::Kind::Shell;
  });
  if (!warps) return write_targets(asset, source, objects, clips, settings);
  return ShellExporter(asset, source, objects, clips, settings).run();
}

}  // namespace supple::bake
