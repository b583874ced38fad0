// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/clip_export.hpp"

#include "bake/export/targets.hpp"

#include "supple/core/check.hpp"
#include "supple/core/console.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/progress.hpp"
#include "supple/shell/shell_object.hpp"

#include <fmt/format.h>
#include <supple.h>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

namespace supple::bake {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using geometry::Vec3;

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

double largest_vector(const VectorXd& vectors) {
  double largest = 0;
  for (Eigen::Index i = 0; i < vectors.size(); i += 3) {
    largest = std::max(largest, vectors.segment<3>(i).squaredNorm());
  }
  return std::sqrt(largest);
}

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

/// Frames from which shapes are computed: evenly spaced, as many as the memory limit allows.
std::vector<Eigen::Index> sample_frames(Eigen::Index count, Eigen::Index rows) {
  constexpr double kMostNumbers = 32e6;
  constexpr Eigen::Index kMostFrames = 300;
  const auto fit = static_cast<Eigen::Index>(kMostNumbers /
                                             static_cast<double>(std::max<Eigen::Index>(rows, 1)));
  const Eigen::Index most = std::clamp<Eigen::Index>(fit, 16, kMostFrames);
  const Eigen::Index step = (count + most - 1) / most;
  std::vector<Eigen::Index> chosen;
  for (Eigen::Index f = 0; f < count; f += step) chosen.push_back(f);
  if (chosen.back() != count - 1) chosen.push_back(count - 1);
  return chosen;
}

/// Shapes b_k of unit length, most important first, and the matching normals.
struct Shapes {
  MatrixXd positions;  // 3 vertices x shapes
  MatrixXd normals;
};

/// The leading singular vectors of the displacements, from the eigenvectors of their Gram matrix:
/// as many as needed to bring every vertex of the sampled frames within `tolerance`.
Shapes find_shapes(const MovingShell& shell, const MatrixXd& frames, double tolerance, int most) {
  const std::vector<Eigen::Index> chosen = sample_frames(frames.rows(), shell.rows());
  const auto count = static_cast<Eigen::Index>(chosen.size());
  MatrixXd motion(shell.rows(), count);
  parallel_for(chosen.size(), 4, [&](std::size_t i) {
    motion.col(static_cast<Eigen::Index>(i)) =
        shell.displacement(frames.row(chosen[i]).transpose());
  });
  MatrixXd gram(count, count);
  parallel_for(chosen.size(), 8, [&](std::size_t i) {
    gram.col(static_cast<Eigen::Index>(i)) =
        motion.transpose() * motion.col(static_cast<Eigen::Index>(i));
  });
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(gram);
  Shapes shapes;
  shapes.positions.resize(shell.rows(), std::min<Eigen::Index>(most, count));
  Eigen::Index kept = 0;
  const double strongest = std::max(0.0, solver.eigenvalues()[count - 1]);
  constexpr double kNoise = 1e-14;  // of the Gram matrix: squares of singular values
  while (kept < shapes.positions.cols()) {
    double worst = 0;
    for (Eigen::Index f = 0; f < count; ++f) worst = std::max(worst, largest_vector(motion.col(f)));
    const double strength = solver.eigenvalues()[count - 1 - kept];
    if (worst <= tolerance || !(strength > kNoise * strongest)) break;
    // Subtract the shapes found so far from the motion, so that rounding errors do not accumulate.
    VectorXd shape = motion * solver.eigenvectors().col(count - 1 - kept);
    shape.normalize();
    motion -= shape * (shape.transpose() * motion).eval();
    shapes.positions.col(kept++) = shape;
  }
  shapes.positions.conservativeResize(Eigen::NoChange, kept);
  // Normals by least squares: the shapes' coefficients over the sampled frames are orthogonal.
  shapes.normals = MatrixXd::Zero(shell.rows(), kept);
  VectorXd squares = VectorXd::Zero(kept);
  for (const Eigen::Index f : chosen) {
    const VectorXd q = frames.row(f).transpose();
    const VectorXd c = shapes.positions.transpose() * shell.displacement(q);
    shapes.normals += shell.normal_change(q) * c.transpose();
    squares += c.cwiseAbs2();
  }
  for (Eigen::Index k = 0; k < kept; ++k) shapes.normals.col(k) /= std::max(squares[k], 1e-300);
  return shapes;
}

/// The shapes as modes of an object that the exporter for flesh can write.
soft::Object recorded_object(const MovingShell& shell, const Shapes& shapes) {
  soft::Object object;
  object.name = recorded_name(shell.object().name);
  object.bone = shell.object().bone;
  object.vertices = shell.object().vertices;
  for (Eigen::Index k = 0; k < shapes.positions.cols(); ++k) {
    soft::Mode mode;
    mode.displacements.reserve(object.vertices.size());
    mode.normals.reserve(object.vertices.size());
    for (Eigen::Index i = 0; i < shell.rows(); i += 3) {
      mode.displacements.emplace_back(shapes.positions.col(k).segment<3>(i));
      mode.normals.emplace_back(shapes.normals.col(k).segment<3>(i));
    }
    object.modes.push_back(std::move(mode));
  }
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
        m_shapes.push_back(find_shapes(shell, all_frames(m_clips, piece.first, piece.modes),
                                       kShareOfShapes * m_settings.shell_tolerance * shell.size(),
                                       m_settings.shell_targets));
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
      const MatrixXd& shapes = m_shapes[*piece.shell].positions;
      double reach = 0;
      for (Eigen::Index k = 0; k < shapes.cols(); ++k) {
        double largest = 0;
        for (const BakedClip& clip : clips) {
          largest =
              std::max(largest, clip.tracks.values.col(piece.column + k).cwiseAbs().maxCoeff());
        }
        const double moves = largest * largest_vector(shapes.col(k));
        reach += moves * moves;
      }
      if (!(reach > 0)) continue;
      tolerance = std::min(tolerance, (1 - kShareOfShapes) * m_settings.shell_tolerance *
                                          m_shells[*piece.shell].size() / std::sqrt(reach));
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
  std::vector<Shapes> m_shapes;  // of the shells
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
