// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/swim_body.hpp"

#include "bake/swim/limbs.hpp"

#include "supple/bake/gltf_character.hpp"
#include "supple/bake/swim_motion.hpp"
#include "supple/io/gltf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

namespace supple::bake {
namespace {

using namespace detail;
using geometry::Vec3;

/// A segment's bones; the first of them is at its joints.
struct Part {
  std::string segment;
  Chain bones;
};

Chain join_words(Chain first, const Chain& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

std::vector<Part> body_parts(const SwimRig& rig) {
  std::vector<Part> parts{
      {"pelvis", {rig.hips}}, {"torso", rig.spine}, {"head", join_words(rig.neck, rig.head)}};
  if (!rig.spine.empty()) {
    for (const Limb& arm : rig.arms) parts[1].bones = join_words(parts[1].bones, arm.girdle);
  }
  for (const auto& [s, side] : {std::pair{0U, "right"}, {1U, "left"}}) {
    const auto add = [&, name = side](const char* segment, const Chain& bones) {
      parts.push_back({fmt::format("{}_{}", name, segment), bones});
    };
    add("upper_arm", rig.arms[s].upper);
    add("forearm", rig.arms[s].lower);
    add("hand", rig.arms[s].tip);
    add("thigh", rig.legs[s].upper);
    add("shin", rig.legs[s].lower);
    add("foot", rig.legs[s].tip);
  }
  return parts;
}

Result<void> check_parts(const std::vector<Part>& parts, const std::string& character) {
  std::vector<std::string> missing;
  for (const Part& part : parts) {
    if (part.bones.empty()) missing.push_back(part.segment);
  }
  if (missing.empty()) return {};
  return bad_input(
      fmt::format("'{}' cannot be a swimmer's body: no bone found for {}; give its bones common "
                  "names (hips, spine, head, left_upper_arm, ..), or use the default body",
                  character, fmt::join(missing, ", ")));
}

/// The body part of each bone: its own, or that of the nearest ancestor with one (fingers belong to
/// the hand), or the pelvis.
std::vector<std::size_t> part_of_bones(const std::vector<Part>& parts,
                                       const character::Character& character) {
  std::vector<std::optional<std::size_t>> own(character.bones.size());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (const std::size_t bone : parts[p].bones) own[bone] = p;
  }
  std::vector<std::size_t> result(own.size(), 0);
  for (std::size_t bone = 0; bone < own.size(); ++bone) {
    std::optional<std::size_t> up = bone;
    while (up && !own[*up]) up = character.bones[*up].parent;
    if (up) result[bone] = *own[*up];
  }
  return result;
}

/// The bones at zero angles, in the body's axes, world units.
Result<std::vector<Eigen::Matrix4d>> zero_pose(const character::Character& character,
                                               const SwimRig& rig, const BoneMap& map) {
  SUPPLE_TRY(const swim::Body body, swim::build_body({}));
  swim::Recording recording;
  auto& segments = recording.frames.emplace_back().segments;
  for (const swim::Segment& segment : body.segments) {
    swim::SegmentMotion motion;
    motion.axes = Eigen::Matrix3d::Identity();
    motion.origin = segment.anchor;
    if (segment.parent != swim::Segment::kNoParent) {
      motion.origin += segments[segment.parent].origin;
    }
    segments.push_back(motion);
  }
  SwimMotionSettings settings;
  settings.map = map;
  SUPPLE_TRY(Motion motion, motion_from_swim(recording, body, character, settings));
  // The character swims with its own up direction.
  Eigen::Matrix4d back = Eigen::Matrix4d::Identity();
  back.topLeftCorner<3, 3>() =
      Eigen::Quaterniond::FromTwoVectors(rig.up(), Vec3::UnitY()).toRotationMatrix();
  std::vector<Eigen::Matrix4d> pose = std::move(motion.frames.front());
  for (Eigen::Matrix4d& bone : pose) bone = back * bone;
  return pose;
}

Vec3 moved(const Eigen::Matrix4d& matrix, const Vec3& point) {
  return (matrix * point.homogeneous()).head<3>();
}

std::size_t heaviest_bone(const character::Character& character, std::size_t vertex) {
  const auto first =
      character.weights.begin() + static_cast<std::ptrdiff_t>(vertex * character.influences);
  const auto best =
      std::max_element(first, first + static_cast<std::ptrdiff_t>(character.influences));
  return character.joints[static_cast<std::size_t>(best - character.weights.begin())];
}

/// Vertices used by triangles: others do not belong to the skin.
std::vector<std::size_t> skin(const character::Character& character) {
  std::vector<bool> used(character.positions.size());
  for (const geometry::Triangle& triangle : character.triangles) {
    for (const geometry::Index v : triangle) used[static_cast<std::size_t>(v)] = true;
  }
  std::vector<std::size_t> result;
  result.reserve(used.size());
  for (std::size_t v = 0; v < used.size(); ++v) {
    if (used[v]) result.push_back(v);
  }
  return result;
}

}  // namespace

Result<std::vector<swim::BodyPiece>> swim_pieces(const character::Character& character,
                                                 double height, const BoneMap& map) {
  SUPPLE_TRY_VOID(character.validate());
  SUPPLE_TRY(const SwimRig rig, find_swim_rig(character, map));
  const std::vector<Part> parts = body_parts(rig);
  SUPPLE_TRY_VOID(check_parts(parts, character.name));
  SUPPLE_TRY(const std::vector<Eigen::Matrix4d> pose, zero_pose(character, rig, map));
  const std::vector<std::size_t> part = part_of_bones(parts, character);
  std::vector<swim::BodyPiece> pieces(parts.size());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    pieces[p].segment = parts[p].segment;
    pieces[p].anchor = pose[parts[p].bones.front()].topRightCorner<3, 1>();
  }
  std::array<double, 2> standing{std::numeric_limits<double>::infinity(),
                                 -std::numeric_limits<double>::infinity()};
  for (const std::size_t vertex : skin(character)) {
    const std::size_t index = heaviest_bone(character, vertex);
    const character::Bone& bone = character.bones[index];
    const Vec3 local = moved(bone.inverse_bind, character.positions[vertex]);
    pieces[part[index]].points.push_back(moved(pose[index], local));
    const double level = rig.up().dot(moved(bone.rest_world, local));
    standing = {std::min(standing[0], level), std::max(standing[1], level)};
  }
  if (!(standing[1] > standing[0])) {
    return bad_input(
        fmt::format("'{}' has no skin that stands upright; give a rigged mesh", character.name));
  }
  const double scale = height / (standing[1] - standing[0]);
  for (swim::BodyPiece& piece : pieces) {
    piece.anchor *= scale;
    for (Vec3& point : piece.points) point *= scale;
  }
  return pieces;
}

Result<swim::Body> build_swim_body(const swim::BodySettings& settings, const BoneMap& map) {
  if (settings.mesh.empty()) return swim::build_body(settings);
  SUPPLE_TRY_VOID(settings.validate());
  SUPPLE_TRY(const io::GltfAsset asset, io::read_gltf(settings.mesh));
  SUPPLE_TRY(const GltfCharacter source, character_from_gltf(asset));
  SUPPLE_TRY(const std::vector<swim::BodyPiece> pieces,
             swim_pieces(source.character, settings.height, map));
  auto body = swim::body_from_pieces(settings, pieces);
  if (!body.ok()) return std::move(body).error().at(settings.mesh);
  return body;
}

}  // namespace supple::bake
