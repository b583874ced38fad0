// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/motion.hpp"

#include "supple/character/pose_chain.hpp"
#include "supple/core/check.hpp"
#include "supple/core/suggest.hpp"
#include "supple/io/gltf_pose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace supple::bake {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix4d;
using geometry::Vec3;
using Pose = character::Recording::Pose;

/// The largest rotation of a joint relative to its parent from frame to frame.
double largest_turn(const io::Bvh& bvh, std::size_t frame) {
  const auto at = [&](std::size_t f) {
    return io::bvh_pose(bvh, static_cast<double>(f) * bvh.frame_time);
  };
  const Pose a = at(frame);
  const Pose b = at(frame + 1);
  double largest = 0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    const auto& parent = bvh.joints[j].parent;
    const Matrix3d from = parent ? Matrix3d(a[*parent].linear().transpose() * a[j].linear())
                                 : Matrix3d(a[j].linear());
    const Matrix3d to = parent ? Matrix3d(b[*parent].linear().transpose() * b[j].linear())
                               : Matrix3d(b[j].linear());
    const double cosine = ((from.transpose() * to).trace() - 1) / 2;
    largest = std::max(largest, std::acos(std::clamp(cosine, -1.0, 1.0)));
  }
  return largest;
}

/// Recordings for MotionBuilder begin with a T-pose, of one frame or held for a few, that has
/// nothing to do with the motion: the jump from it would shake the flesh, and its place is none of
/// the motion's. The number of such frames. A jump is measured by the motion's usual rotations,
/// their median, so that no further jump among the first frames can hide it.
std::size_t calibration_frames(const io::Bvh& bvh) {
  constexpr std::size_t kHeldAtMost = 8;
  constexpr std::size_t kLooked = 64;
  constexpr double kJump = 5;        // times the usual rotation
  constexpr double kSmallest = 0.1;  // radians; a smaller jump does no harm
  constexpr double kHeld = 1e-3;     // radians from frame to frame: a pose that is held
  if (bvh.frame_count() < kHeldAtMost + 2) return 0;
  std::vector<double> turns(std::min(kLooked, bvh.frame_count() - 1));
  for (std::size_t f = 0; f < turns.size(); ++f) turns[f] = largest_turn(bvh, f);
  std::vector<double> sorted(turns.begin() + 1, turns.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  const double jump = std::max(kSmallest, kJump * *middle);
  for (std::size_t f = 0; f < kHeldAtMost; ++f) {
    if (turns[f] > jump) return f + 1;
    if (turns[f] > kHeld) return 0;
  }
  return 0;
}

/// Of any channel that moves a node, seconds. Morph weights, as of an earlier bake, have keys from
/// the beginning.
double first_key_time(const io::GltfAnimation& clip) {
  double first = clip.duration;
  for (const io::GltfChannel& channel : clip.channels) {
    if (channel.path == io::GltfPath::Weights) continue;
    const std::vector<double>& times = clip.samplers[channel.sampler].times;
    if (!times.empty()) first = std::min(first, times.front());
  }
  return first;
}

character::Recording recording_of(const io::Bvh& bvh) {
  character::Recording recording;
  recording.name = bvh.name;
  for (const io::BvhJoint& joint : bvh.joints) {
    recording.joints.push_back({joint.name, joint.parent, !joint.channels.empty()});
  }
  recording.rest = io::bvh_rest_pose(bvh);
  recording.frame_time = bvh.frame_time;
  recording.frame_count = bvh.frame_count();
  recording.pose = [&bvh](double time) { return io::bvh_pose(bvh, time); };
  return recording;
}

}  // namespace

Result<Motion> motion_from_clip(const io::GltfAsset& asset, const GltfCharacter& source,
                                std::size_t animation, double rate) {
  SUPPLE_CHECK_OP(animation, <, asset.animations.size());
  const io::GltfAnimation& clip = asset.animations[animation];
  SUPPLE_CHECK_OP(source.nodes.size(), ==, source.character.bones.size());
  Motion motion;
  motion.name = clip_title(asset, animation);
  motion.duration = clip.duration;
  motion.animation = animation;
  const double first_key = first_key_time(clip);
  io::ClipPoses poses(asset, clip, source.nodes);
  SUPPLE_TRY_VOID(character::sample_motion(motion, source.character, rate,
                                           [&](double time) { return poses.at(time); }));
  if (first_key > 0 && motion.step() > 0) {
    // The frames before the first key hold its pose: the motion begins with the first frame after.
    constexpr double kRounding = 1e-6;  // of a frame
    motion.first_frame =
        std::min(static_cast<std::size_t>(std::ceil(first_key / motion.step() - kRounding)),
                 motion.frames.size() - 1);
    character::find_loop(motion);
  }
  return motion;
}

std::string clip_title(const io::GltfAsset& asset, std::size_t animation) {
  const std::string& name = asset.animations[animation].name;
  return name.empty() ? fmt::format("clip {}", animation + 1) : name;
}

Result<std::size_t> find_clip(const io::GltfAsset& asset, std::string_view clip) {
  std::vector<std::string> names;
  for (const io::GltfAnimation& animation : asset.animations) names.push_back(animation.name);
  const auto found = std::find(names.begin(), names.end(), clip);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  std::size_t number = 0;
  const auto [end, status] = std::from_chars(clip.data(), clip.data() + clip.size(), number);
  if (status == std::errc() && end == clip.data() + clip.size() && number >= 1 &&
      number <= names.size()) {
    return number - 1;
  }
  if (names.empty()) return bad_input("the file has no clips").at(asset.name);
  if (status == std::errc() && end == clip.data() + clip.size()) {
    return bad_input(fmt::format("there is no clip {}; clips are numbered from 1 to {}", clip,
                                 names.size()))
        .at(asset.name);
  }
  constexpr std::size_t kMostNames = 12;
  const std::size_t count = names.size();
  const std::string offer = did_you_mean(clip, names);
  names.resize(std::min(count, kMostNames));
  return bad_input(fmt::format("unknown clip '{}'{}; the file has '{}'{}", clip, offer,
                               fmt::join(names, "', '"), count > kMostNames ? " and more" : ""))
      .at(asset.name);
}

Result<Motion> motion_from_bvh(const io::Bvh& original, const character::Character& character,
                               double rate, const BoneMap& map) {
  io::Bvh bvh = original;
  std::vector<std::string> notes = original.warnings;
  if (const std::size_t count = calibration_frames(bvh); count > 0) {
    bvh.values.erase(bvh.values.begin(),
                     bvh.values.begin() + static_cast<std::ptrdiff_t>(count * bvh.channel_count));
    notes.push_back(count == 1 ? "the first frame is a calibration pose and is left out"
                               : fmt::format("the first {} frames are a calibration pose and are "
                                             "left out",
                                             count));
  }
  SUPPLE_TRY(Motion motion, character::retarget(recording_of(bvh), character, rate, map));
  motion.notes.insert(motion.notes.begin(), notes.begin(), notes.end());
  return motion;
}

Result<Motion> motion_from_table(const io::TransformTable& table,
                                 const character::Character& character, double rate) {
  std::vector<std::size_t> bones;
  for (const auto& track : table.tracks) {
    auto bone = character.find_bone(track.name);
    if (!bone.ok()) return std::move(bone).error().at(table.name);
    bones.push_back(*bone);
  }
  Motion motion;
  motion.name = table.name;
  motion.duration = table.times.back() - table.times.front();
  const std::vector<std::size_t> order = character::parents_first(character);
  SUPPLE_TRY_VOID(character::sample_motion(motion, character, rate, [&](double elapsed) {
    const double time = table.times.front() + elapsed;
    const auto after = std::upper_bound(table.times.begin(), table.times.end(), time);
    const auto last = table.times.size() - 1;
    const auto next = std::min(static_cast<std::size_t>(after - table.times.begin()), last);
    const std::size_t key = next == 0 ? 0 : next - 1;
    const double step = table.times[next] - table.times[key];
    const double t = step > 0 ? std::clamp((time - table.times[key]) / step, 0.0, 1.0) : 0;
    // World transforms: each named bone is placed independently; the others follow their parents.
    std::vector<std::optional<Matrix3d>> turns(character.bones.size());
    std::vector<std::optional<Vec3>> places(character.bones.size());
    for (std::size_t i = 0; i < bones.size(); ++i) {
      const auto& track = table.tracks[i];
      Matrix3d axes = character.bones[bones[i]].rest_world.topLeftCorner<3, 3>();
      axes.colwise().normalize();
      turns[bones[i]] = track.rotations[key].slerp(t, track.rotations[next]).toRotationMatrix() *
                        axes.transpose();
      places[bones[i]] = (1 - t) * track.positions[key] + t * track.positions[next];
    }
    return character::turned_pose(character, order, turns, places);
  }));
  return motion;
}

}  // namespace supple::bake
