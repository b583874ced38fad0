// SPDX-License-Identifier: Apache-2.0
#include "io/gltf/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

namespace supple::io::gltf {
namespace {

Result<GltfInterpolation> read_interpolation(const Json& json) {
  const std::string name = get_string(json, "interpolation");
  if (name.empty() || name == "LINEAR") return GltfInterpolation::Linear;
  if (name == "STEP") return GltfInterpolation::Step;
  if (name == "CUBICSPLINE") return GltfInterpolation::CubicSpline;
  return bad_input(fmt::format("unknown interpolation '{}'", name));
}

Result<GltfSampler> read_sampler(const Json& json, AccessorReader& accessors) {
  GltfSampler sampler;
  SUPPLE_TRY(sampler.interpolation, read_interpolation(json));
  SUPPLE_TRY(const std::size_t input, get_integer(json, "input", accessors.count(), "sampler"));
  SUPPLE_TRY(const std::size_t output, get_integer(json, "output", accessors.count(), "sampler"));
  SUPPLE_TRY(Elements times, accessors.numbers(input, 1));
  SUPPLE_TRY(Elements values, accessors.numbers(output));
  if (times.count == 0) return bad_input("an animation sampler has no keys");
  const auto turn = std::is_sorted_until(times.values.begin(), times.values.end());
  if (turn != times.values.end()) {
    return bad_input(fmt::format("the time of key {} is before that of the previous key",
                                 turn - times.values.begin()));
  }
  const std::size_t per_key = sampler.interpolation == GltfInterpolation::CubicSpline ? 3 : 1;
  const std::size_t keys = times.count * per_key;
  sampler.width = values.values.size() / keys;
  if (sampler.width == 0 || sampler.width * keys != values.values.size()) {
    return bad_input(fmt::format("{} numbers do not fit {} keys", values.values.size(), keys));
  }
  sampler.times = std::move(times.values);
  sampler.values = std::move(values.values);
  return sampler;
}

std::optional<GltfPath> as_path(std::string_view name) {
  if (name == "translation") return GltfPath::Translation;
  if (name == "rotation") return GltfPath::Rotation;
  if (name == "scale") return GltfPath::Scale;
  if (name == "weights") return GltfPath::Weights;
  return std::nullopt;
}

std::size_t width_of(GltfPath path, const GltfNode& node, const GltfAsset& asset) {
  if (path == GltfPath::Rotation) return 4;
  if (path != GltfPath::Weights) return 3;
  return node.mesh ? asset.meshes[*node.mesh].weights.size() : 0;
}

/// A rotation key of length zero cannot be normalised.
Result<void> check_rotations(const GltfSampler& sampler) {
  const bool cubic = sampler.interpolation == GltfInterpolation::CubicSpline;
  for (std::size_t key = 0; key < sampler.times.size(); ++key) {
    const double* value = sampler.values.data() + 4 * (cubic ? 3 * key + 1 : key);
    if (!(Eigen::Map<const Eigen::Vector4d>(value).norm() > 1e-6)) {
      return bad_input(fmt::format("rotation key {} is not a unit quaternion", key));
    }
  }
  return {};
}

/// Reads one channel into `animation`; channels without a node or with an unknown path are skipped.
Result<void> read_channel(const Json& json, const GltfAsset& asset, GltfAnimation& animation,
                          std::vector<std::string>& warnings) {
  const std::size_t samplers = animation.samplers.size();
  GltfChannel channel;
  SUPPLE_TRY(channel.sampler, get_integer(json, "sampler", samplers, "channel"));
  const Json* target = find(json, "target");
  if (target == nullptr) return bad_input("a channel without a target");
  const std::string path_name = get_string(*target, "path");
  const std::optional<GltfPath> path = as_path(path_name);
  SUPPLE_TRY(const auto index, find_integer(*target, "node", asset.nodes.size(), "channel"));
  if (!path || !index) {
    warnings.push_back(fmt::format("animation '{}': skipped a channel of '{}'", animation.name,
                                   path ? "no node" : path_name));
    return {};
  }
  channel.node = *index;
  channel.path = *path;
  const GltfNode& node = asset.nodes[channel.node];
  const GltfSampler& sampler = animation.samplers[channel.sampler];
  const std::size_t width = width_of(channel.path, node, asset);
  if (sampler.width != width || width == 0) {
    return bad_input(fmt::format("{} of {}: keys of {} numbers where {} are needed", path_name,
                                 called("node", channel.node, node.name), sampler.width, width));
  }
  if (channel.path == GltfPath::Rotation) SUPPLE_TRY_VOID(check_rotations(sampler));
  if (channel.path != GltfPath::Weights && node.local.matrix) {
    warnings.push_back(fmt::format("animation '{}' moves {}, whose matrix was decomposed",
                                   animation.name, called("node", channel.node, node.name)));
  }
  animation.duration = std::max(animation.duration, sampler.times.back());
  animation.channels.push_back(channel);
  return {};
}

}  // namespace

Result<GltfAnimation> read_animation(const Json& json, std::size_t index, const GltfAsset& asset,
                                     AccessorReader& accessors,
                                     std::vector<std::string>& warnings) {
  GltfAnimation animation;
  animation.name = get_string(json, "name");
  const std::string doing = "reading " + called("animation", index, animation.name);
  SUPPLE_TRY(const Json* samplers, find_array(json, "samplers", "animation"));
  for (std::size_t i = 0; i < samplers->size(); ++i) {
    SUPPLE_TRY(auto sampler, read_sampler((*samplers)[i], accessors)
                                 .during(fmt::format("reading sampler {}", i))
                                 .during(doing));
    animation.samplers.push_back(std::move(sampler));
  }
  SUPPLE_TRY(const Json* channels, find_array(json, "channels", "animation"));
  for (const Json& channel : *channels) {
    SUPPLE_TRY_VOID(read_channel(channel, asset, animation, warnings).during(doing));
  }
  return animation;
}

}  // namespace supple::io::gltf
