// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/motion.hpp"
#include "supple/bake/swim_motion.hpp"
#include "supple/core/files.hpp"
#include "supple/core/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace supple::bake {
namespace {

constexpr std::string_view kSwim = "swim:";

bool ends_in(std::string_view text, std::string_view extension) {
  return text.size() > extension.size() &&
         std::equal(extension.rbegin(), extension.rend(), text.rbegin(), [](char a, char b) {
           return a == static_cast<char>(std::tolower(static_cast<unsigned char>(b)));
         });
}

std::string stem(const std::string& path) {
  return std::filesystem::path(path).stem().string();
}

Result<BoneMap> read_bone_map(const std::string& path) {
  if (path.empty()) return BoneMap();
  SUPPLE_TRY(const Bytes text, read_file(path));
  return character::parse_bone_map(as_text(text), path);
}

Result<Motion> from_bvh_file(const MotionRequest& request, const character::Character& character) {
  SUPPLE_TRY(const BoneMap map, read_bone_map(request.bone_map));
  SUPPLE_TRY(const io::Bvh bvh, io::read_bvh(std::filesystem::path(request.what)));
  SUPPLE_TRY(Motion motion, motion_from_bvh(bvh, character, request.rate, map));
  motion.name = stem(request.what);
  return motion;
}

Error unknown(const std::string& what, const io::GltfAsset* asset) {
  std::vector<std::string> names;
  for (const character::BuiltInMotion& motion : character::built_in_motions())
    names.emplace_back(motion.name);
  const std::size_t built_in = names.size();
  if (asset != nullptr) {
    for (const io::GltfAnimation& clip : asset->animations) names.push_back(clip.name);
  }
  return bad_input(fmt::format(
      "unknown motion '{}' (built-in motions: {}; {}; files end in .bvh or .csv){}", what,
      fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(built_in), ", "),
      asset == nullptr ? std::string("clips need the character's glTF file")
                       : fmt::format("the character has {} clips", names.size() - built_in),
      did_you_mean(what, names)));
}

Result<Motion> find_motion(const MotionRequest& request, const character::Character& character,
                           const io::GltfAsset* asset, const GltfCharacter* source) {
  if (!(request.rate >= 1 && request.rate <= 10000)) {
    return bad_input(fmt::format("the rate is {:g} Hz; it must be 1 to 10000", request.rate));
  }
  const std::string& what = request.what;
  const bool bvh = ends_in(what, ".bvh");
  const bool swims = what.starts_with(kSwim);
  if (!request.bone_map.empty() && !bvh && !swims) {
    return bad_input(fmt::format("a bone map needs a BVH file or a stroke; '{}' is neither", what));
  }
  if (swims) {
    SwimMotionSettings settings;
    settings.rate = request.rate;
    SUPPLE_TRY(settings.map, read_bone_map(request.bone_map));
    return swimming_motion(what.substr(kSwim.size()), character, std::move(settings));
  }
  if (bvh) return from_bvh_file(request, character);
  if (ends_in(what, ".csv")) {
    SUPPLE_TRY(const auto table, io::read_transform_table(std::filesystem::path(what)));
    SUPPLE_TRY(Motion motion, motion_from_table(table, character, request.rate));
    motion.name = stem(what);
    return motion;
  }
  const auto& built_in = character::built_in_motions();
  if (std::any_of(built_in.begin(), built_in.end(),
                  [&](const character::BuiltInMotion& motion) { return what == motion.name; })) {
    return character::built_in_motion(what, character, request.rate);
  }
  if (asset == nullptr || source == nullptr) return unknown(what, nullptr);
  const bool plain = !what.starts_with("clip:");
  const auto clip = find_clip(*asset, plain ? what : what.substr(5));
  if (!clip.ok()) return plain ? unknown(what, asset) : clip.error();
  return motion_from_clip(*asset, *source, *clip, request.rate);
}

}  // namespace

Result<Motion> load_motion(const MotionRequest& request, const character::Character& character,
                           const io::GltfAsset* asset, const GltfCharacter* source) {
  SUPPLE_TRY(Motion motion, find_motion(request, character, asset, source));
  if (request.looping != character::Looping::Auto) character::find_loop(motion, request.looping);
  return motion;
}

}  // namespace supple::bake
