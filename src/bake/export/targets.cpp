// SPDX-License-Identifier: Apache-2.0
#include "bake/export/targets.hpp"

#include "bake/export/bone_channels.hpp"
#include "bake/export/thinning.hpp"

#include "supple/core/check.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/core/log.hpp"
#include "supple/core/progress.hpp"
#include "supple/io/gltf_editor.hpp"
#include "supple/io/gltf_pose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace supple::bake {
namespace {

using geometry::Vec3;

/// One mode of one object, numbered through all objects.
struct TargetMode {
  std::size_t object = 0;
  std::size_t mode = 0;
  double scale = 1;  // the coefficient of weight 1
};

double object_size(const soft::Object& object, const GltfCharacter& source) {
  const character::Character& character = source.character;
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::max());
  Vec3 high = -low;
  for (const std::uint32_t v : object.vertices) {
    low = low.cwiseMin(character.positions[v]);
    high = high.cwiseMax(character.positions[v]);
  }
  return object.vertices.empty() ? 0 : (high - low).norm();
}

/// In bind space, as the object's size.
double largest(const soft::Object& object, std::size_t mode, const GltfCharacter& source) {
  const std::vector<Vec3>& shape = object.modes[mode].displacements;
  double result = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    result = std::max(result, source.in_bind_space(object.vertices[i], shape[i]).norm());
  }
  return result;
}

std::vector<TargetMode> scaled_modes(const std::vector<soft::Object>& objects,
                                     const GltfCharacter& source,
                                     const std::vector<BakedClip>& clips) {
  std::vector<TargetMode> modes;
  for (std::size_t o = 0; o < objects.size(); ++o) {
    const double size = object_size(objects[o], source);
    for (std::size_t m = 0; m < objects[o].modes.size(); ++m) {
      const auto column = static_cast<Eigen::Index>(modes.size());
      double reach = 0;
      for (const BakedClip& clip : clips) {
        reach = std::max(reach, clip.tracks.values.col(column).cwiseAbs().maxCoeff());
      }
      // A mode that no clip moves can still be played by hand: weight 1 moves it by a hundredth of
      // the size.
      constexpr double kStill = 1e-6;
      const double shape = largest(objects[o], m, source);
      if (!(reach * shape > kStill * size)) reach = shape > 0 && size > 0 ? 0.01 * size / shape : 1;
      modes.push_back({o, m, reach});
    }
  }
  return modes;
}

/// The names of a mode's targets: single, or as a pair. If a mesh already has a target of that
/// name, a number is added (numbered_name).
struct ModeNames {
  std::string alone, forth, back;
};

ModeNames mode_names(const soft::Object& object, std::size_t mode) {
  const std::string name = fmt::format("{} {}", object.name, mode + 1);
  return {name, name + " +", name + " -"};
}

std::string numbered_name(const std::string& name, int number) {
  return fmt::format("{} ({})", name, number);
}

std::string without_number(const std::string& name) {
  const std::size_t begin = name.rfind(" (");
  if (begin == std::string::npos || !name.ends_with(')')) return name;
  const auto first = name.begin() + static_cast<std::ptrdiff_t>(begin) + 2;
  const bool number = first < name.end() - 1 && std::all_of(first, name.end() - 1, [](char c) {
                        return c >= '0' && c <= '9';
                      });
  return number ? name.substr(0, begin) : name;
}

/// 'leaf recorded 12', single or as one of a pair.
bool is_recorded_target(const std::string& plain, const std::string& shell) {
  const std::string begin = recorded_name(shell) + " ";
  if (!plain.starts_with(begin)) return false;
  std::string number = plain.substr(begin.size());
  if (number.ends_with(" +") || number.ends_with(" -")) number.resize(number.size() - 2);
  return !number.empty() && number.find_first_not_of("0123456789") == std::string::npos;
}

/// The targets for one mesh.
struct MeshTargets {
  std::size_t mesh = 0;
  std::vector<std::size_t> modes;
  std::vector<std::string> names;
  std::vector<std::vector<io::GltfMorphTarget>> by_primitive;
};

class Exporter {
 public:
  Exporter(const io::GltfAsset& asset, const GltfCharacter& source,
           const std::vector<soft::Object>& objects, const std::vector<BakedClip>& clips,
           const ExportSettings& settings)
      : m_asset(asset),
        m_source(source),
        m_objects(objects),
        m_clips(clips),
        m_settings(settings),
        m_modes(scaled_modes(objects, source, clips)),
        m_editor(asset) {}

  Result<ClipExport> run() {
    // First, so that what a later bake replaces is the end of the file.
    SUPPLE_TRY_VOID(m_editor.embed_images());
    std::set<std::size_t> meshes;
    for (const soft::Part& part : m_source.parts) meshes.insert(part.mesh);
    std::vector<MeshTargets> all;
    for (const std::size_t mesh : meshes) {
      MeshTargets targets = targets_of(mesh);
      if (targets.modes.empty()) continue;
      SUPPLE_TRY_VOID(m_editor.add_morph_targets(mesh, targets.names, targets.by_primitive,
                                                 io::GltfStorage::Sparse));
      m_editor.mark_baked_targets(mesh, m_asset.meshes[mesh].target_names.size());
      targets.by_primitive.clear();
      all.push_back(std::move(targets));
    }
    for (const BakedClip& clip : m_clips) {
      m_result.shown.emplace_back(
          Eigen::MatrixXd::Zero(clip.tracks.values.rows(), clip.tracks.values.cols()));
      SUPPLE_TRY_VOID(check_interrupt());
      SUPPLE_TRY_VOID(
          add_clip(clip, all).during(fmt::format("writing clip '{}'", clip.tracks.name)));
    }
    SUPPLE_TRY(m_result.asset, std::move(m_editor).finish());
    for (const TargetMode& mode : m_modes) m_result.scales.push_back(mode.scale);
    return std::move(m_result);
  }

 private:
  [[nodiscard]] bool moves(const soft::Object& object, std::size_t mesh) const {
    return std::any_of(m_source.parts.begin(), m_source.parts.end(), [&](const auto& part) {
      const auto first =
          std::lower_bound(object.vertices.begin(), object.vertices.end(), part.first_vertex);
      return part.mesh == mesh && first != object.vertices.end() &&
             *first < part.first_vertex + part.vertex_count;
    });
  }

  MeshTargets targets_of(std::size_t mesh) const {
    MeshTargets targets;
    targets.mesh = mesh;
    targets.by_primitive.resize(m_asset.meshes[mesh].primitives.size());
    std::set<std::string> used(m_asset.meshes[mesh].target_names.begin(),
                               m_asset.meshes[mesh].target_names.end());
    for (std::size_t k = 0; k < m_modes.size(); ++k) {
      const soft::Object& object = m_objects[m_modes[k].object];
      if (!moves(object, mesh)) continue;
      targets.modes.push_back(k);
      const ModeNames names = mode_names(object, m_modes[k].mode);
      if (m_settings.signed_weights) {
        add_target(k, 1, names.alone, used, targets);
      } else {
        add_target(k, 1, names.forth, used, targets);
        add_target(k, -1, names.back, used, targets);
      }
    }
    return targets;
  }

  void add_target(std::size_t k, double sign, const std::string& name, std::set<std::string>& used,
                  MeshTargets& targets) const {
    std::string unique = name;
    for (int i = 2; !used.insert(unique).second; ++i) unique = numbered_name(name, i);
    targets.names.push_back(unique);
    for (std::size_t p = 0; p < targets.by_primitive.size(); ++p) {
      targets.by_primitive[p].push_back(target(k, sign * m_modes[k].scale, targets.mesh, p));
    }
  }

  [[nodiscard]] io::GltfMorphTarget target(std::size_t k, double factor, std::size_t mesh,
                                           std::size_t primitive) const {
    io::GltfMorphTarget result;
    const auto part =
        std::find_if(m_source.parts.begin(), m_source.parts.end(),
                     [&](const auto& p) { return p.mesh == mesh && p.primitive == primitive; });
    if (part == m_source.parts.end()) return result;
    const soft::Object& object = m_objects[m_modes[k].object];
    const soft::Mode& mode = object.modes[m_modes[k].mode];
    const bool normals =
        !m_asset.meshes[mesh].primitives[primitive].normals.empty() && !mode.normals.empty();
    for (std::size_t i = 0; i < object.vertices.size(); ++i) {
      const std::uint32_t vertex = object.vertices[i];
      if (vertex < part->first_vertex || vertex >= part->first_vertex + part->vertex_count)
        continue;
      if (result.positions.empty()) {
        result.positions.assign(part->vertex_count, Vec3::Zero());
        if (normals) result.normals.assign(part->vertex_count, Vec3::Zero());
      }
      result.positions[vertex - part->first_vertex] = factor * mode.displacements[i];
      if (normals) result.normals[vertex - part->first_vertex] = factor * mode.normals[i];
    }
    return result;
  }

  Result<void> add_clip(const BakedClip& clip, const std::vector<MeshTargets>& all) {
    std::size_t animation = 0;
    if (clip.animation) {
      animation = *clip.animation;
    } else {
      animation = m_editor.add_animation(clip.tracks.name);
      SUPPLE_TRY_VOID(
          detail::add_bone_channels(m_editor, animation, m_asset, m_source, clip.motion));
    }
    for (const MeshTargets& targets : all) {
      Eigen::MatrixXd weights(clip.tracks.values.rows(),
                              static_cast<Eigen::Index>(targets.modes.size()));
      for (std::size_t i = 0; i < targets.modes.size(); ++i) {
        const auto column = static_cast<Eigen::Index>(targets.modes[i]);
        weights.col(static_cast<Eigen::Index>(i)) =
            (clip.tracks.values.col(column) / m_modes[targets.modes[i]].scale)
                .cwiseMax(-1)
                .cwiseMin(1);
      }
      const std::vector<Eigen::Index> kept = detail::thin(weights, m_settings.tolerance);
      for (std::size_t n = 0; n < m_asset.nodes.size(); ++n) {
        if (m_asset.nodes[n].mesh != targets.mesh || is_another_character(n)) continue;
        const io::GltfSampler sampler = merged_sampler(clip, n, weights, kept);
        check(clip.tracks, weights, sampler, targets.modes);
        SUPPLE_TRY_VOID(m_editor.set_channel(animation, n, io::GltfPath::Weights, sampler));
      }
    }
    return {};
  }

  /// A mesh may be drawn once more, with the skin of another skeleton.
  [[nodiscard]] bool is_another_character(std::size_t node) const {
    const auto& own = m_source.skinned_nodes;
    return !own.empty() && m_asset.nodes[node].skin &&
           std::find(own.begin(), own.end(), node) == own.end();
  }

  /// Times at which a node's own animation of weights needs keys so that linear interpolation
  /// reproduces it.
  [[nodiscard]] std::set<float> own_times(const BakedClip& clip, std::size_t node) const {
    std::set<float> times;
    if (!clip.animation) return times;
    const io::GltfAnimation& animation = m_asset.animations[*clip.animation];
    for (const io::GltfChannel& channel : animation.channels) {
      if (channel.node != node || channel.path != io::GltfPath::Weights) continue;
      const io::GltfSampler& sampler = animation.samplers[channel.sampler];
      for (const double time : sampler.times) {
        const auto at = static_cast<float>(time);
        times.insert(at);
        // A step becomes a line within one unit in the last place.
        if (sampler.interpolation == io::GltfInterpolation::Step && at > 0) {
          times.insert(std::nextafter(at, 0.0F));
        }
      }
      if (sampler.interpolation == io::GltfInterpolation::CubicSpline) {
        for (Eigen::Index f = 0; f < clip.tracks.values.rows(); ++f) {
          times.insert(static_cast<float>(clip.tracks.time(f)));
        }
      }
    }
    return times;
  }

  [[nodiscard]] io::GltfSampler merged_sampler(const BakedClip& clip, std::size_t node,
                                               const Eigen::MatrixXd& weights,
                                               const std::vector<Eigen::Index>& kept) const {
    std::set<float> times = own_times(clip, node);
    for (const Eigen::Index key : kept) times.insert(static_cast<float>(clip.tracks.time(key)));
    static const io::GltfAnimation kNone;
    const io::GltfAnimation& before = clip.animation ? m_asset.animations[*clip.animation] : kNone;
    io::GltfSampler sampler;
    const double rows = static_cast<double>(weights.rows() - 1);
    for (const float time : times) {
      sampler.times.push_back(time);
      const std::vector<double> own = io::sample_weights(m_asset, before, node, time);
      sampler.values.insert(sampler.values.end(), own.begin(), own.end());
      const double row = clip.tracks.duration > 0 ? time / clip.tracks.duration * rows : 0;
      const Eigen::RowVectorXd added = detail::on_polyline(weights, kept, row);
      for (const double weight : added) {
        if (m_settings.signed_weights) {
          sampler.values.push_back(weight);
        } else {
          sampler.values.push_back(std::max(weight, 0.0));
          sampler.values.push_back(std::max(-weight, 0.0));
        }
      }
      sampler.width =
          own.size() + static_cast<std::size_t>(added.size()) * (m_settings.signed_weights ? 1 : 2);
    }
    return sampler;
  }

  /// Reads the keys back in single precision, as a viewer would, and compares them with the
  /// samples.
  void check(const Tracks& tracks, const Eigen::MatrixXd& weights, const io::GltfSampler& sampler,
             const std::vector<std::size_t>& columns) {
    const std::size_t per_mode = m_settings.signed_weights ? 1 : 2;
    const auto modes = static_cast<std::size_t>(weights.cols());
    const std::size_t own = sampler.width - per_mode * modes;
    const auto weight = [&](std::size_t key, std::size_t mode) {
      const double* values = &sampler.values[key * sampler.width + own + per_mode * mode];
      return per_mode == 1 ? double{static_cast<float>(values[0])}
                           : double{static_cast<float>(values[0]) - static_cast<float>(values[1])};
    };
    const auto moment = [](double time) { return double{static_cast<float>(time)}; };
    std::size_t key = 0;
    for (Eigen::Index f = 0; f < weights.rows(); ++f) {
      const double time = moment(tracks.time(f));
      while (key + 2 < sampler.times.size() && moment(sampler.times[key + 1]) <= time) ++key;
      const std::size_t next = std::min(key + 1, sampler.times.size() - 1);
      const double begin = moment(sampler.times[key]);
      const double step = moment(sampler.times[next]) - begin;
      const double t = step > 0 ? std::clamp((time - begin) / step, 0.0, 1.0) : 0;
      for (std::size_t m = 0; m < modes; ++m) {
        const double shown = (1 - t) * weight(key, m) + t * weight(next, m);
        const double error = std::abs(shown - weights(f, static_cast<Eigen::Index>(m)));
        m_result.largest_error = std::max(m_result.largest_error, error);
        m_result.shown.back()(f, static_cast<Eigen::Index>(columns[m])) =
            shown * m_modes[columns[m]].scale;
      }
    }
    m_result.samples += static_cast<std::size_t>(weights.rows());
    m_result.keys += sampler.times.size();
  }

  const io::GltfAsset& m_asset;
  const GltfCharacter& m_source;
  const std::vector<soft::Object>& m_objects;
  const std::vector<BakedClip>& m_clips;
  const ExportSettings& m_settings;
  std::vector<TargetMode> m_modes;
  io::GltfEditor m_editor;
  ClipExport m_result;
};

}  // namespace

std::string recorded_name(const std::string& shell) {
  return shell + " recorded";
}

bool is_baked_target(const std::string& name, const std::vector<soft::Object>& objects) {
  const std::string plain = without_number(name);
  for (const soft::Object& object : objects) {
    for (std::size_t mode = 0; mode < object.modes.size(); ++mode) {
      const ModeNames names = mode_names(object, mode);
      if (plain == names.alone || plain == names.forth || plain == names.back) return true;
    }
    if (is_recorded_target(plain, object.name)) return true;
  }
  return false;
}

namespace {

Result<io::GltfAsset> without_flesh_but(io::GltfAsset asset, const std::set<std::size_t>& kept) {
  const bool has_targets = std::any_of(asset.meshes.begin(), asset.meshes.end(),
                                       [](const auto& mesh) { return !mesh.target_names.empty(); });
  if (!has_targets) return asset;
  io::GltfEditor editor(asset);
  SUPPLE_TRY(const std::size_t removed, editor.remove_baked_targets(kept));
  if (removed == 0) return asset;
  log::info("'{}' was baked before: its {} morph targets of flesh and shells are replaced",
            asset.name, removed);
  SUPPLE_TRY(io::GltfAsset plain, std::move(editor).finish());
  plain.warnings = std::move(asset.warnings);
  return plain;
}

}  // namespace

Result<io::GltfAsset> without_flesh(io::GltfAsset asset) {
  return without_flesh_but(std::move(asset), {});
}

Result<io::GltfAsset> without_flesh_of(io::GltfAsset asset, const GltfCharacter& source) {
  std::set<std::size_t> others;
  for (const io::GltfNode& node : asset.nodes) {
    if (node.mesh && node.skin) others.insert(*node.mesh);
  }
  for (const soft::Part& part : source.parts) others.erase(part.mesh);
  return without_flesh_but(std::move(asset), others);
}

Result<void> ClipMemory::add(const BakedClip& clip) {
  constexpr double kMost = 1 << 28;  // 2 GB
  constexpr double kPerMatrix = 16;
  const auto& frames = clip.motion.frames;
  m_numbers += static_cast<double>(clip.tracks.values.size());
  if (!frames.empty()) {
    m_numbers +=
        kPerMatrix * static_cast<double>(frames.size()) * static_cast<double>(frames[0].size());
  }
  if (m_numbers <= kMost) return {};
  return bad_input(
      fmt::format("the clips up to '{}' are too long together; delete some, shorten them or lower "
                  "the rate",
                  clip.tracks.name));
}

Result<std::vector<BakedClip>> bake_clips(const io::GltfAsset& asset, const GltfCharacter& source,
                                          const BakedFile& file, const ExportSettings& settings,
                                          character::Looping looping) {
  std::vector<BakedClip> clips;
  ClipMemory memory;
  Progress progress("playing clips", static_cast<double>(asset.animations.size()));
  PlaySettings play_settings;
  play_settings.gain = settings.gain;
  for (std::size_t a = 0; a < asset.animations.size(); ++a) {
    BakedClip clip;
    clip.animation = a;
    SUPPLE_TRY(Motion motion, motion_from_clip(asset, source, a, settings.rate));
    if (looping != character::Looping::Auto) character::find_loop(motion, looping);
    SUPPLE_TRY(clip.tracks, play(file, motion, play_settings));
    SUPPLE_TRY_VOID(memory.add(clip));
    clips.push_back(std::move(clip));
    progress.advance();
  }
  return clips;
}

Result<ClipExport> write_targets(const io::GltfAsset& asset, const GltfCharacter& source,
                                 const std::vector<soft::Object>& objects,
                                 const std::vector<BakedClip>& clips,
                                 const ExportSettings& settings) {
  std::size_t modes = 0;
  for (const soft::Object& object : objects) modes += object.modes.size();
  for (const BakedClip& clip : clips) {
    SUPPLE_CHECK_OP(static_cast<std::size_t>(clip.tracks.values.cols()), ==, modes);
    SUPPLE_CHECK_OP(clip.tracks.values.rows(), >, 0);
  }
  return Exporter(asset, source, objects, clips, settings).run();
}

}  // namespace supple::bake
