// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bake/scene/drawn_scene.hpp"

#include "supple/bake/scene_settings.hpp"
#include "supple/contact/candidates.hpp"
#include "supple/core/result.hpp"
#include "supple/scene/palette.hpp"
#include "supple/scene/portrait.hpp"
#include "supple/scene/recording.hpp"
#include "supple/simulator/world.hpp"

#include <Eigen/Core>

#include <cstdint>
#include <string>
#include <vector>

namespace supple::bake::detail {

/// The parts of a scene: each has a portrait of its own, and nothing that one does reaches another.
struct SceneParts {
  std::vector<std::string> names;
  /// Per recorded vertex, the number of its part.
  std::vector<std::uint32_t> of_vertex;
  [[nodiscard]] std::size_t count() const { return names.size(); }
};

/// As the settings say; one part: the whole scene, with its title. An entry that acts on an unknown
/// part is an error that lists the parts.
[[nodiscard]] Result<SceneParts> find_parts(const SceneSettings& settings, const std::string& title,
                                            const std::vector<simulator::Body>& bodies);

/// The number of the part of each vertex that is drawn and deforms.
[[nodiscard]] std::vector<std::uint32_t> parts_of_drawn(const SceneParts& parts,
                                                        const DrawnScene& drawn);

/// What acts on one part: the palette's entries that name it or no part at all. Their numbers in
/// the whole palette are in `entries`.
struct PartPalette {
  scene::Palette palette;
  std::vector<std::size_t> entries;
};
[[nodiscard]] Result<PartPalette> palette_of_part(const SceneSettings& settings,
                                                  const std::string& part);

/// The responses to these entries alone, numbered as they are here.
[[nodiscard]] scene::Portrait portrait_of_entries(const scene::Portrait& portrait,
                                                  const std::vector<std::size_t>& entries);

/// The recorded vertices of a chain's first frame. The first chain begins at rest.
[[nodiscard]] std::vector<float> first_frame(const scene::Chain& chain);
/// Puts all other parts to rest, as if nothing had acted on them.
void hold_others(scene::Chain& chain, const std::vector<float>& rest, const SceneParts& parts,
                 std::uint32_t part);

/// m: surfaces of cloth and solids that come closer than this act on each other.
[[nodiscard]] double contact_reach(const SceneSettings& settings, const simulator::World& world);

/// Tells from recorded frames whether the parts are independent of each other.
class PartContacts {
 public:
  /// Surfaces that come closer than `reach` act on each other. The arguments must outlive this
  /// object.
  PartContacts(const SceneParts& parts, const std::vector<simulator::Body>& bodies, double reach);

  /// An error that names two parts that touch each other in a frame, and the remedy.
  [[nodiscard]] Result<void> add(const scene::Chain& chain);
  /// Pairs of parts that never touched in a frame, but whose regions overlap: play at different
  /// times may take one through the other.
  [[nodiscard]] std::vector<std::string> warnings() const;

 private:
  [[nodiscard]] Result<void> check_frame(const Eigen::VectorXd& x);
  [[nodiscard]] Error touching(geometry::Index a, geometry::Index b) const;

  const SceneParts& m_parts;
  contact::ContactMesh m_mesh;
  double m_reach;
  contact::BroadPhase m_phase;
  std::vector<geometry::Box> m_regions;  ///< per part, over all frames
};

}  // namespace supple::bake::detail
