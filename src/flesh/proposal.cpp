// SPDX-License-Identifier: Apache-2.0
#include "flesh/bone_axes.hpp"
#include "flesh/region.hpp"
#include "supple/character/bone_roles.hpp"
#include "supple/flesh/flesh_object.hpp"
#include "supple/geometry/tri_mesh.hpp"

#include <fmt/format.h>
#include <Eigen/LU>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

namespace supple::flesh {
namespace {

using geometry::Vec3;

/// Rules of thumb, relative to the character's height or length: tissue is 0.05 thick on thighs,
/// 0.03 on calves, 0.02 on forearms, 0.01 on hands.
constexpr double kThick = 0.024;
constexpr double kThickIfNamed = 0.008;
constexpr double kShortest = 0.07;
constexpr double kLongestLimb = 0.28;   // longest chain of bones that counts as one limb
constexpr double kLeastVolume = 0.008;  // of the whole
constexpr double kEnd = 0.15;    // a limb with less than this beyond it is a hand, a foot, a head
constexpr double kMostly = 0.6;  // weight at which a bone dominates the others
constexpr double kOwn =
    0.3;  // share of a limb's skin that must follow it mostly; otherwise seams hold it all
constexpr double kFatPart = 0.35;  // of the thickness, from the skin inwards; the rest is muscle
constexpr std::size_t kMost = 12;

/// Parts that should keep their shape, and parts that should be soft although they end a limb.
constexpr std::array kRigid{"head", "neck", "hand",  "finger",  "thumb",    "foot",  "toe",
                            "jaw",  "eye",  "wrist", "forearm", "lowerarm", "skull", "clavicle",
                            "horn", "hoof", "claw",  "elbow",   "ankle",    "heel",  "helmet"};
constexpr std::array kSoft{"tail", "ear", "trunk",   "belly",   "breast", "glute",
                           "butt", "fin", "flipper", "stomach", "cheek",  "hump"};

std::string letters(std::string_view name) {
  std::string text;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalpha(byte) != 0) text.push_back(static_cast<char>(std::tolower(byte)));
  }
  return text;
}

/// "b_Tail01_012" and "LeftEar" as lower-case words.
std::vector<std::string> words(std::string_view name) {
  std::vector<std::string> list{""};
  char before = ' ';
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalpha(byte) == 0) {
      list.emplace_back();
    } else {
      if (std::isupper(byte) != 0 && std::islower(static_cast<unsigned char>(before)) != 0) {
        list.emplace_back();
      }
      list.back().push_back(static_cast<char>(std::tolower(byte)));
    }
    before = c;
  }
  return list;
}

bool sounds_rigid(std::string_view name) {
  const std::string text = letters(name);
  return std::any_of(kRigid.begin(), kRigid.end(),
                     [&](const char* word) { return text.find(word) != std::string::npos; });
}

bool sounds_soft(std::string_view name) {
  const std::vector<std::string> list = words(name);
  return std::any_of(kSoft.begin(), kSoft.end(), [&](const char* word) {
    return std::find(list.begin(), list.end(), word) != list.end();
  });
}

/// The tissue around one bone.
struct Surroundings {
  double area = 0;
  double thickness = 0;  // mean distance from bone to skin
  double length = 0;
  Vec3 direction = Vec3::Zero();
  [[nodiscard]] double volume() const { return 0.5 * area * thickness; }
};

std::vector<Surroundings> survey(const character::Character& character) {
  const std::vector<double> areas = vertex_areas({character.positions, character.triangles});
  std::vector<Surroundings> around(character.bones.size());
  std::vector<std::vector<BoneAxis>> axes(character.bones.size());
  for (std::size_t b = 0; b < axes.size(); ++b) {
    axes[b] = bone_axes(character, areas, {b});
    for (const BoneAxis& axis : axes[b]) {
      if ((axis.to - axis.from).norm() <= around[b].length) continue;
      around[b].length = (axis.to - axis.from).norm();
      around[b].direction = (axis.to - axis.from).normalized();
    }
  }
  for (std::size_t v = 0; v < character.positions.size(); ++v) {
    for (std::size_t k = 0; k < character.influences; ++k) {
      const std::size_t at = v * character.influences + k;
      const double share = character.weights[at] * areas[v];
      if (!(share > 0)) continue;
      const std::size_t b = character.joints[at];
      double nearest = std::numeric_limits<double>::infinity();
      for (const BoneAxis& axis : axes[b]) {
        nearest = std::min(
            nearest, (character.positions[v] - closest_on(axis, character.positions[v])).norm());
      }
      around[b].area += share;
      around[b].thickness += share * nearest;
    }
  }
  for (Surroundings& s : around) s.thickness = s.area > 0 ? s.thickness / s.area : 0;
  return around;
}

/// Neighbouring bones that make up one limb: an upper leg in two pieces, vertebrae.
struct Limb {
  std::vector<std::size_t> bones;  // from the root outwards
  double volume = 0;
  double area = 0;
  double own_area = 0;  // area of the skin that mostly follows it
  double thickness = 0;
  double length = 0;
  double beyond = 0;  // volume of everything attached beyond it
};

class Proposal {
 public:
  explicit Proposal(const character::Character& character)
      : m_character(character), m_around(survey(character)) {
    find_partners();
    balance();
    m_size = geometry::bounding_box(character.positions).size().maxCoeff();
  }

  Result<std::vector<ObjectSettings>> run() {
    gather();
    std::vector<const Limb*> chosen;
    for (const Limb& limb : m_limbs) {
      if (wanted(limb)) chosen.push_back(&limb);
    }
    std::stable_sort(chosen.begin(), chosen.end(),
                     [](const Limb* a, const Limb* b) { return a->volume > b->volume; });
    if (chosen.size() > kMost) {
      // Both of a pair or neither; they have the same volume and stand side by side.
      const bool parts =
          m_partner[chosen[kMost]->bones.front()] == chosen[kMost - 1]->bones.front();
      chosen.resize(parts ? kMost - 1 : kMost);
    }
    if (chosen.empty()) {
      return bad_input(
          "no bone has enough tissue around it to be worth baking; define regions in a bake.toml "
          "(-c)");
    }
    std::vector<ObjectSettings> objects;
    for (const Limb* limb : chosen) {
      SUPPLE_TRY(ObjectSettings object, settings_for(*limb));
      objects.push_back(std::move(object));
    }
    return objects;
  }

 private:
  /// Bones on the left and on the right whose names say that they belong together.
  void find_partners() {
    m_partner.resize(m_character.bones.size());
    std::vector<character::BoneName> names;
    names.reserve(m_partner.size());
    for (const character::Bone& bone : m_character.bones) {
      names.push_back(character::understand(bone.name));
    }
    for (std::size_t a = 0; a < names.size(); ++a) {
      if (names[a].side != character::Side::Left) continue;
      character::BoneName other = names[a];
      other.side = character::Side::Right;
      const auto found = std::find(names.begin(), names.end(), other);
      if (found == names.end()) continue;
      const auto b = static_cast<std::size_t>(found - names.begin());
      if (!alike(m_around[a], m_around[b])) continue;
      m_partner[a] = b;
      m_partner[b] = a;
    }
  }

  [[nodiscard]] static bool alike(const Surroundings& a, const Surroundings& b) {
    constexpr double kAlike = 1.3;  // a wooden leg is none of a pair
    const auto near = [](double x, double y) { return x <= kAlike * y && y <= kAlike * x; };
    return near(a.thickness, b.thickness) && near(a.area, b.area) && near(a.length, b.length);
  }

  /// Left and right count the same, so that no difference of their triangles decides about one.
  void balance() {
    for (std::size_t a = 0; a < m_partner.size(); ++a) {
      if (!m_partner[a] || *m_partner[a] < a) continue;
      Surroundings& one = m_around[a];
      Surroundings& other = m_around[*m_partner[a]];
      for (double Surroundings::*measure :
           {&Surroundings::area, &Surroundings::thickness, &Surroundings::length}) {
        one.*measure = other.*measure = 0.5 * (one.*measure + other.*measure);
      }
    }
  }

  [[nodiscard]] std::vector<std::size_t> parents_first() const {
    std::vector<std::size_t> order;
    std::vector<char> done(m_character.bones.size(), 0);
    while (order.size() < done.size()) {
      for (std::size_t b = 0; b < done.size(); ++b) {
        const auto parent = m_character.bones[b].parent;
        if (done[b] != 0 || (parent && done[*parent] == 0)) continue;
        done[b] = 1;
        order.push_back(b);
      }
    }
    return order;
  }

  void gather() {
    const std::vector<std::size_t> order = parents_first();
    m_subtree.assign(order.size(), 0.0);
    for (auto b = order.rbegin(); b != order.rend(); ++b) {
      m_subtree[*b] += m_around[*b].volume();
      const auto parent = m_character.bones[*b].parent;
      if (parent) m_subtree[*parent] += m_subtree[*b];
    }
    std::vector<std::size_t> limb_of(order.size());
    for (const std::size_t b : order) {
      const auto parent = m_character.bones[b].parent;
      if (parent && continues(m_limbs[limb_of[*parent]], *parent, b)) {
        limb_of[b] = limb_of[*parent];
      } else {
        limb_of[b] = m_limbs.size();
        m_limbs.emplace_back();
      }
      Limb& limb = m_limbs[limb_of[b]];
      const Surroundings& s = m_around[b];
      limb.bones.push_back(b);
      limb.thickness = (limb.thickness * limb.volume + s.thickness * s.volume()) /
                       std::max(limb.volume + s.volume(), 1e-300);
      limb.volume += s.volume();
      limb.area += s.area;
      limb.length += s.length;
      m_total += s.volume();
      for (auto up = parent; up; up = m_character.bones[*up].parent) {
        if (limb_of[*up] != limb_of[b]) m_limbs[limb_of[*up]].beyond += s.volume();
      }
    }
    measure_own_skin(limb_of);
  }

  void measure_own_skin(const std::vector<std::size_t>& limb_of) {
    const std::vector<double> areas = vertex_areas({m_character.positions, m_character.triangles});
    const std::size_t influences = m_character.influences;
    for (std::size_t v = 0; v < m_character.positions.size(); ++v) {
      for (std::size_t k = 0; k < influences; ++k) {
        const std::size_t limb = limb_of[m_character.joints[v * influences + k]];
        bool first = true;
        double weight = 0;
        for (std::size_t j = 0; j < influences; ++j) {
          if (limb_of[m_character.joints[v * influences + j]] != limb) continue;
          first = first && j >= k;
          weight += m_character.weights[v * influences + j];
        }
        if (first && weight > kMostly) m_limbs[limb].own_area += areas[v];
      }
    }
    for (Limb& limb : m_limbs) {
      const auto& partner = m_partner[limb.bones.front()];
      if (!partner || *partner < limb.bones.front()) continue;
      Limb& other = m_limbs[limb_of[*partner]];
      limb.own_area = other.own_area = 0.5 * (limb.own_area + other.own_area);
    }
  }

  /// Whether bone `b` continues in the direction of its parent, the last of `limb`.
  [[nodiscard]] bool continues(const Limb& limb, std::size_t parent, std::size_t b) const {
    constexpr double kStraight = 0.85;  // cosine: about 30 degrees
    constexpr double kAlike = 1.8;
    constexpr double kFork = 0.5;  // a sibling with this share of the volume is another branch
    const Surroundings& above = m_around[parent];
    const Surroundings& below = m_around[b];
    const std::string& name = m_character.bones[b].name;
    // "spine02" continues "spine01"; "lowerleg" and "upperleg" are different limbs.
    if (letters(name) != letters(m_character.bones[parent].name)) return false;
    if (limb.bones.back() != parent || !(above.area > 0) || !(below.area > 0)) return false;
    for (std::size_t sibling = 0; sibling < m_around.size(); ++sibling) {
      if (sibling != b && m_character.bones[sibling].parent == parent &&
          m_subtree[sibling] > kFork * m_subtree[b]) {
        return false;
      }
    }
    const double ratio = above.thickness / std::max(below.thickness, 1e-300);
    return limb.length + below.length < kLongestLimb * m_size &&
           above.direction.dot(below.direction) > kStraight && ratio < kAlike && ratio > 1 / kAlike;
  }

  [[nodiscard]] bool wanted(const Limb& limb) const {
    const std::string& name = m_character.bones[limb.bones.front()].name;
    if (!(limb.volume > kLeastVolume * m_total && limb.own_area > kOwn * limb.area)) return false;
    if (sounds_rigid(name)) return false;
    if (sounds_soft(name)) return limb.thickness > kThickIfNamed * m_size;
    return limb.thickness > kThick * m_size && limb.length > kShortest * m_size &&
           limb.beyond > kEnd * limb.volume;
  }

  [[nodiscard]] Result<ObjectSettings> settings_for(const Limb& limb) const {
    ObjectSettings object;
    object.name = m_character.bones[limb.bones.front()].name;
    for (const std::size_t b : limb.bones) {
      object.region.bones.push_back(m_character.bones[b].name);
    }
    SUPPLE_TRY(fem::Material fat, find_tissue("fat"));
    SUPPLE_TRY(fem::Material muscle, find_tissue("muscle"));
    const double metres = m_character.metres_per_unit * world_scale(limb.bones.front());
    object.layers = {{std::move(fat), rounded(kFatPart * limb.thickness * metres)},
                     {std::move(muscle), 0}};
    return object;
  }

  /// World units per unit of bind space.
  [[nodiscard]] double world_scale(std::size_t bone) const {
    const character::Bone& b = m_character.bones[bone];
    const Eigen::Matrix4d world = b.rest_world * b.inverse_bind;
    return std::cbrt(world.topLeftCorner<3, 3>().determinant());
  }

  /// Two digits: people read and edit this number.
  [[nodiscard]] static double rounded(double metres) {
    const double unit = std::pow(10.0, std::floor(std::log10(metres)) - 1);
    return std::stod(fmt::format("{:.2g}", std::round(metres / unit) * unit));
  }

  const character::Character& m_character;
  std::vector<Surroundings> m_around;
  std::vector<std::optional<std::size_t>> m_partner;  // on the other side
  std::vector<double> m_subtree;                      // volume of a bone and all below it
  std::vector<Limb> m_limbs;
  double m_size = 0;
  double m_total = 0;
};

}  // namespace

Result<std::vector<ObjectSettings>> propose_objects(const character::Character& character) {
  SUPPLE_TRY_VOID(character.validate());
  return Proposal(character).run();
}

}  // namespace supple::flesh
