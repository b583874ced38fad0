// SPDX-License-Identifier: Apache-2.0
#include "supple/character/bone_roles.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace supple::character {
namespace {

using Parents = std::vector<std::optional<std::size_t>>;

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Words and numbers of a name: split at separators, at "aB", before the last of "ABc", and
/// between letters and digits.
std::vector<std::string> tokens(std::string_view name) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const char before = i > 0 ? name[i - 1] : '\0';
    const char after = i + 1 < name.size() ? name[i + 1] : '\0';
    const bool joint = is_upper(c) || is_lower(c) || is_digit(c);
    const bool starts = (is_upper(c) && is_lower(before)) ||
                        (is_upper(c) && is_upper(before) && is_lower(after)) ||
                        (joint && is_digit(c) != is_digit(before));
    if (!joint || starts) words.emplace_back();
    if (joint) words.back() += static_cast<char>(is_upper(c) ? c - 'A' + 'a' : c);
  }
  std::erase(words, "");
  return words;
}

bool take_prefix(std::string& word, std::string_view prefix) {
  if (word.size() <= prefix.size() || !word.starts_with(prefix)) return false;
  word.erase(0, prefix.size());
  return true;
}

struct Alias {
  std::string_view words;
  BoneRole role;
};
constexpr std::array kAliases{
    Alias{"hips", BoneRole::Hips},         Alias{"hip", BoneRole::Hips},
    Alias{"pelvis", BoneRole::Hips},       Alias{"spine", BoneRole::Spine},
    Alias{"lowerback", BoneRole::Spine},   Alias{"chest", BoneRole::Spine},
    Alias{"upperchest", BoneRole::Spine},  Alias{"torso", BoneRole::Spine},
    Alias{"abdomen", BoneRole::Spine},     Alias{"belly", BoneRole::Spine},
    Alias{"waist", BoneRole::Spine},       Alias{"neck", BoneRole::Neck},
    Alias{"head", BoneRole::Head},         Alias{"clavicle", BoneRole::Clavicle},
    Alias{"shoulder", BoneRole::Clavicle}, Alias{"collar", BoneRole::Clavicle},
    Alias{"upperarm", BoneRole::UpperArm}, Alias{"uparm", BoneRole::UpperArm},
    Alias{"shldr", BoneRole::UpperArm},    Alias{"forearm", BoneRole::LowerArm},
    Alias{"lowerarm", BoneRole::LowerArm}, Alias{"loarm", BoneRole::LowerArm},
    Alias{"elbow", BoneRole::LowerArm},    Alias{"hand", BoneRole::Hand},
    Alias{"wrist", BoneRole::Hand},        Alias{"upleg", BoneRole::UpperLeg},
    Alias{"upperleg", BoneRole::UpperLeg}, Alias{"thigh", BoneRole::UpperLeg},
    Alias{"lowerleg", BoneRole::LowerLeg}, Alias{"loleg", BoneRole::LowerLeg},
    Alias{"shin", BoneRole::LowerLeg},     Alias{"calf", BoneRole::LowerLeg},
    Alias{"knee", BoneRole::LowerLeg},     Alias{"foot", BoneRole::Foot},
    Alias{"ankle", BoneRole::Foot},        Alias{"toe", BoneRole::Toe},
    Alias{"toes", BoneRole::Toe},          Alias{"toebase", BoneRole::Toe},
};

bool is_paired(BoneRole role) {
  return role >= BoneRole::Clavicle;
}

BoneTag tag_of(const BoneName& name) {
  const auto* alias = std::find_if(kAliases.begin(), kAliases.end(),
                                   [&](const Alias& a) { return a.words == name.words; });
  if (alias == kAliases.end() || is_paired(alias->role) == (name.side == Side::None)) return {};
  // "toe3-2" is one of five toes; known rigs use at most one number for a whole foot.
  if (alias->role == BoneRole::Toe && name.numbers.size() > 1) return {};
  return {alias->role, name.side};
}

std::size_t depth(const Parents& parents, std::size_t bone) {
  std::size_t result = 0;
  for (auto up = parents[bone]; up && result < parents.size(); up = parents[*up]) ++result;
  return result;
}

void sort_outwards(std::vector<std::size_t>& bones, const Parents& parents) {
  std::stable_sort(bones.begin(), bones.end(), [&](std::size_t a, std::size_t b) {
    return depth(parents, a) < depth(parents, b);
  });
}

/// "leg" is a shin beside "upleg" and "arm" an upper arm beside "forearm"; if a rig gives all bones
/// of a limb the same name, their order decides.
void tag_limb(const std::vector<BoneName>& names, const Parents& parents, Side side,
              std::string_view word, BoneRole alone, const std::vector<BoneRole>& in_order,
              std::vector<BoneTag>& tags) {
  std::vector<std::size_t> bones;
  for (std::size_t b = 0; b < names.size(); ++b) {
    if (names[b].words == word && names[b].side == side) bones.push_back(b);
  }
  sort_outwards(bones, parents);
  const bool others = std::any_of(tags.begin(), tags.end(), [&](const BoneTag& tag) {
    return tag.side == side && (tag.role == in_order[0] || tag.role == in_order[1]);
  });
  const bool chain = bones.size() > 1 && !others;
  const bool with_shoulder = chain && word == "arm" && bones.size() > in_order.size();
  for (std::size_t i = 0; i < bones.size(); ++i) {
    if (!chain) {
      tags[bones[i]] = {alone, side};
    } else if (with_shoulder && i == 0) {
      tags[bones[i]] = {BoneRole::Clavicle, side};
    } else if (const std::size_t k = i - (with_shoulder ? 1 : 0); k < in_order.size()) {
      tags[bones[i]] = {in_order[k], side};
    }
  }
}

void tag_trunk(const std::vector<BoneName>& names, const Parents& parents,
               std::vector<BoneTag>& tags) {
  if (bones_with(tags, parents, {BoneRole::Hips, Side::None}).empty()) {
    const auto root = std::find_if(names.begin(), names.end(), [](const BoneName& name) {
      return name.words == "root" && name.side == Side::None;
    });
    const auto spine = bones_with(tags, parents, {BoneRole::Spine, Side::None});
    if (root != names.end()) {
      tags[static_cast<std::size_t>(root - names.begin())] = {BoneRole::Hips, Side::None};
    } else if (spine.size() > 1) {
      tags[spine.front()].role = BoneRole::Hips;
    }
  }
  const auto neck = bones_with(tags, parents, {BoneRole::Neck, Side::None});
  if (bones_with(tags, parents, {BoneRole::Head, Side::None}).empty() && neck.size() > 1) {
    tags[neck.back()].role = BoneRole::Head;
  }
}

}  // namespace

BoneName understand(std::string_view name) {
  constexpr std::array<std::string_view, 8> kNoise{"mixamorig", "bip",   "b",    "skeleton",
                                                   "armature",  "joint", "bone", "def"};
  const std::size_t scope = name.find_last_of(":|");
  if (scope != std::string_view::npos) name.remove_prefix(scope + 1);
  BoneName result;
  for (std::string& word : tokens(name)) {
    if (is_digit(word.front())) {
      word.erase(0, std::min(word.find_first_not_of('0'), word.size() - 1));
      result.numbers.push_back(std::move(word));
    } else if (word == "l" || word == "left") {
      result.side = Side::Left;
    } else if (word == "r" || word == "right") {
      result.side = Side::Right;
    } else if (std::find(kNoise.begin(), kNoise.end(), word) == kNoise.end()) {
      if (take_prefix(word, "left")) result.side = Side::Left;
      if (take_prefix(word, "right")) result.side = Side::Right;
      result.words += word;
    }
  }
  return result;
}

std::vector<std::size_t> bones_with(const std::vector<BoneTag>& tags, const Parents& parents,
                                    BoneTag tag) {
  std::vector<std::size_t> bones;
  for (std::size_t b = 0; b < tags.size(); ++b) {
    if (tags[b] == tag) bones.push_back(b);
  }
  sort_outwards(bones, parents);
  return bones;
}

std::vector<BoneTag> find_roles(const std::vector<std::string>& names, const Parents& parents) {
  std::vector<BoneName> understood;
  std::vector<BoneTag> tags;
  for (const std::string& name : names) {
    // Exporters put helpers of the same name, marked by "__", between bones.
    understood.push_back(name.starts_with("__") ? BoneName{} : understand(name));
    tags.push_back(tag_of(understood.back()));
  }
  using enum BoneRole;
  for (const Side side : {Side::Left, Side::Right}) {
    tag_limb(understood, parents, side, "leg", LowerLeg, {UpperLeg, LowerLeg, Foot, Toe}, tags);
    tag_limb(understood, parents, side, "arm", UpperArm, {UpperArm, LowerArm, Hand}, tags);
  }
  tag_trunk(understood, parents, tags);
  return tags;
}

}  // namespace supple::character
