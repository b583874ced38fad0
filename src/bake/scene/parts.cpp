// SPDX-License-Identifier: Apache-2.0
#include "bake/scene/parts.hpp"

#include "supple/contact/closest.hpp"
#include "supple/core/suggest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace supple::bake::detail {
namespace {

using geometry::Index;
using geometry::Vec3;

constexpr const char* kOneRemedy =
    "make them one part ([[part]] with both bodies, or parts = "
    "\"one\"), or move them apart";

std::size_t count_vertices_of(const simulator::Body& body) {
  return static_cast<std::size_t>(body.vertex_count);
}

/// The number of each vertex' connected piece, in the order of their first vertices.
std::vector<std::uint32_t> pieces_of(const simulator::Body& body, std::size_t& count) {
  std::vector<std::size_t> root(count_vertices_of(body));
  std::iota(root.begin(), root.end(), std::size_t{0});
  const auto find = [&](std::size_t v) {
    while (root[v] != v) v = root[v] = root[root[v]];
    return v;
  };
  for (const geometry::Triangle& t : body.surface) {
    for (const Index corner : {t[1], t[2]}) {
      const std::size_t a = find(static_cast<std::size_t>(t[0]));
      const std::size_t b = find(static_cast<std::size_t>(corner));
      root[std::max(a, b)] = std::min(a, b);
    }
  }
  std::map<std::size_t, std::uint32_t> numbers;
  std::vector<std::uint32_t> piece;
  for (std::size_t v = 0; v < root.size(); ++v) {
    piece.push_back(
        numbers.emplace(find(v), static_cast<std::uint32_t>(numbers.size())).first->second);
  }
  count = numbers.size();
  return piece;
}

void add_body(SceneParts& parts, const simulator::Body& body, std::uint32_t part) {
  parts.of_vertex.insert(parts.of_vertex.end(), count_vertices_of(body), part);
}

/// A solid is one piece: its tetrahedra are connected.
void add_pieces(SceneParts& parts, const simulator::Body& body) {
  const auto first = static_cast<std::uint32_t>(parts.count());
  std::size_t count = 1;
  std::vector<std::uint32_t> piece(count_vertices_of(body), 0);
  if (body.kind == simulator::BodyKind::Sheet) piece = pieces_of(body, count);
  for (const std::uint32_t p : piece) parts.of_vertex.push_back(first + p);
  for (std::size_t p = 0; p < count; ++p) {
    parts.names.push_back(count == 1 ? body.name : fmt::format("{} {}", body.name, p + 1));
  }
}

Result<void> add_grouped(SceneParts& parts, const simulator::Body& body,
                         const std::vector<ScenePartSettings>& groups) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t g = 0; g < groups.size(); ++g) {
    const std::vector<std::string>& bodies = groups[g].bodies;
    if (std::find(bodies.begin(), bodies.end(), body.name) != bodies.end()) found.push_back(g);
  }
  if (found.size() != 1) {
    return bad_input(fmt::format("the body '{}' belongs to {} [[part]]s; name it in exactly one",
                                 body.name, found.size()));
  }
  add_body(parts, body, found.front());
  return {};
}

Result<void> check_groups(const std::vector<ScenePartSettings>& groups,
                          const std::vector<simulator::Body>& bodies) {
  std::vector<std::string> known;
  for (const simulator::Body& body : bodies) {
    if (body.kind != simulator::BodyKind::Obstacle) known.push_back(body.name);
  }
  for (const ScenePartSettings& group : groups) {
    for (const std::string& name : group.bodies) {
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      return bad_input(
          fmt::format("the part '{}' names the body '{}', which no solid and no cloth "
                      "has{}",
                      group.name, name, did_you_mean(name, known)));
    }
  }
  return {};
}

Result<void> check_entries(const SceneSettings& settings, const SceneParts& parts) {
  for (const SceneEntrySettings& entry : settings.entries) {
    for (const std::string& name : entry.parts) {
      if (std::find(parts.names.begin(), parts.names.end(), name) != parts.names.end()) continue;
      return bad_input(fmt::format(
          "entry '{}' acts on the part '{}', which does not exist{}; the "
          "parts: {}",
          entry.name, name, did_you_mean(name, parts.names), fmt::join(parts.names, ", ")));
    }
  }
  return {};
}

bool acts_on(const SceneEntrySettings& entry, const std::string& part) {
  return entry.parts.empty() ||
         std::find(entry.parts.begin(), entry.parts.end(), part) != entry.parts.end();
}

}  // namespace

Result<SceneParts> find_parts(const SceneSettings& settings, const std::string& title,
                              const std::vector<simulator::Body>& bodies) {
  SceneParts parts;
  const bool grouped = !settings.groups.empty();
  if (grouped) {
    SUPPLE_TRY_VOID(check_groups(settings.groups, bodies));
    for (const ScenePartSettings& group : settings.groups) parts.names.push_back(group.name);
  } else if (settings.parts == SceneSplit::One) {
    parts.names.push_back(title);
  }
  for (const simulator::Body& body : bodies) {
    if (body.kind == simulator::BodyKind::Obstacle) continue;
    if (grouped) {
      SUPPLE_TRY_VOID(add_grouped(parts, body, settings.groups));
    } else if (settings.parts == SceneSplit::One) {
      add_body(parts, body, 0);
    } else if (settings.parts == SceneSplit::Bodies) {
      add_body(parts, body, static_cast<std::uint32_t>(parts.count()));
      parts.names.push_back(body.name);
    } else {
      add_pieces(parts, body);
    }
  }
  SUPPLE_TRY_VOID(check_entries(settings, parts));
  return parts;
}

std::vector<std::uint32_t> parts_of_drawn(const SceneParts& parts, const DrawnScene& drawn) {
  // What is drawn of a vertex is a mean of vertices of its own part: the mean of their numbers.
  std::vector<float> numbers;
  for (const std::uint32_t part : parts.of_vertex) {
    numbers.insert(numbers.end(), 3, static_cast<float>(part));
  }
  Eigen::VectorXd points;
  drawn.draw(numbers, points);
  std::vector<std::uint32_t> result;
  for (Eigen::Index i = 0; i < points.size(); i += 3) {
    result.push_back(static_cast<std::uint32_t>(std::lround(points(i))));
  }
  return result;
}

Result<PartPalette> palette_of_part(const SceneSettings& settings, const std::string& part) {
  std::vector<std::string> names;
  std::vector<scene::Entry> entries;
  std::vector<std::size_t> numbers;
  for (const SceneEntrySettings& entry : settings.entries) {
    if (acts_on(entry, part)) names.push_back(entry.name);
  }
  for (std::size_t e = 0; e < settings.entries.size(); ++e) {
    const SceneEntrySettings& entry = settings.entries[e];
    if (!acts_on(entry, part)) continue;
    std::vector<std::string> followers;
    for (const std::string& name : entry.followed_by) {
      if (std::find(names.begin(), names.end(), name) != names.end()) followers.push_back(name);
    }
    if (followers.empty() && !entry.followed_by.empty()) {
      return bad_input(
          fmt::format("nothing that may follow the entry '{}' acts on the part '{}'; "
                      "add to followed_by, or to the parts of those entries",
                      entry.name, part));
    }
    entries.push_back(
        {entry.name, entry.key, entry.strengths, std::move(followers), entry.from_rest});
    numbers.push_back(e);
  }
  SUPPLE_TRY(scene::Palette palette, scene::Palette::create(std::move(entries))
                                         .during(fmt::format("reading what acts on '{}'", part)));
  return PartPalette{std::move(palette), std::move(numbers)};
}

scene::Portrait portrait_of_entries(const scene::Portrait& portrait,
                                    const std::vector<std::size_t>& entries) {
  std::vector<std::size_t> kept;
  for (std::size_t r = 0; r < portrait.responses.size(); ++r) {
    const auto found = std::find(entries.begin(), entries.end(), portrait.responses[r].entry);
    if (found != entries.end()) kept.push_back(r);
  }
  scene::Portrait result = scene::keep_responses(portrait, kept);
  for (scene::Response& response : result.responses) {
    const auto found = std::find(entries.begin(), entries.end(), response.entry);
    response.entry = static_cast<std::size_t>(found - entries.begin());
  }
  return result;
}

std::vector<float> first_frame(const scene::Chain& chain) {
  return {chain.positions.begin(),
          chain.positions.begin() + static_cast<std::ptrdiff_t>(3 * chain.vertices)};
}

void hold_others(scene::Chain& chain, const std::vector<float>& rest, const SceneParts& parts,
                 std::uint32_t part) {
  for (std::size_t i = 0; i < chain.positions.size(); ++i) {
    const std::size_t at = i % rest.size();
    if (parts.of_vertex[at / 3] != part) chain.positions[i] = rest[at];
  }
}

double contact_reach(const SceneSettings& settings, const simulator::World& world) {
  double thickness = 0;  // a body keeps half of it from others, of which the thickest is at most
  for (const SimulatedCloth& cloth : settings.simulation.cloths) {
    thickness = std::max({thickness, cloth.thickness, cloth.material.thickness});
  }
  return thickness + world.contact_width();
}

PartContacts::PartContacts(const SceneParts& parts, const std::vector<simulator::Body>& bodies,
                           double reach)
    : m_parts(parts), m_reach(reach), m_phase(m_mesh), m_regions(parts.count()) {
  std::vector<geometry::Triangle> triangles;
  Index first = 0;
  for (const simulator::Body& body : bodies) {
    if (body.kind == simulator::BodyKind::Obstacle) continue;
    for (const geometry::Triangle& t : body.surface) {
      triangles.push_back({first + t[0], first + t[1], first + t[2]});
    }
    first += body.vertex_count;
  }
  m_mesh = contact::make_contact_mesh(std::move(triangles),
                                      std::vector<std::uint8_t>(parts.of_vertex.size(), 1));
}

Result<void> PartContacts::add(const scene::Chain& chain) {
  const auto size = static_cast<Eigen::Index>(3 * chain.vertices);
  const auto frames = static_cast<Eigen::Index>(chain.positions.size()) / size;
  for (Eigen::Index f = 0; f < frames; ++f) {
    const Eigen::VectorXd x =
        Eigen::Map<const Eigen::VectorXf>(chain.positions.data() + f * size, size).cast<double>();
    for (const Index v : m_mesh.vertices) {
      m_regions[m_parts.of_vertex[static_cast<std::size_t>(v)]].add(x.segment<3>(3 * v));
    }
    SUPPLE_TRY_VOID(check_frame(x));
  }
  return {};
}

Result<void> PartContacts::check_frame(const Eigen::VectorXd& x) {
  const auto part = [&](Index v) { return m_parts.of_vertex[static_cast<std::size_t>(v)]; };
  const auto at = [&](Index v) -> Vec3 { return x.segment<3>(3 * Eigen::Index{v}); };
  const contact::Candidates near = m_phase.find(x, x, m_reach);
  for (const auto& [vertex, number] : near.point_triangle) {
    const geometry::Triangle& t = m_mesh.triangles[static_cast<std::size_t>(number)];
    if (part(vertex) == part(t[0])) continue;
    contact::Stencil stencil;
    stencil << at(vertex), at(t[0]), at(t[1]), at(t[2]);
    if (contact::closest_point_triangle(stencil).distance < m_reach) return touching(vertex, t[0]);
  }
  for (const auto& [one, other] : near.edge_edge) {
    const contact::Edge& a = m_mesh.edges[static_cast<std::size_t>(one)];
    const contact::Edge& b = m_mesh.edges[static_cast<std::size_t>(other)];
    if (part(a[0]) == part(b[0])) continue;
    contact::Stencil stencil;
    stencil << at(a[0]), at(a[1]), at(b[0]), at(b[1]);
    if (contact::closest_edges(stencil).distance < m_reach) return touching(a[0], b[0]);
  }
  return {};
}

Error PartContacts::touching(Index a, Index b) const {
  const auto name = [&](Index v) {
    return m_parts.names[m_parts.of_vertex[static_cast<std::size_t>(v)]];
  };
  return bad_input(
      fmt::format("the parts '{}' and '{}' touch each other in the samples, so that "
                  "neither can be played without the other; {}",
                  name(a), name(b), kOneRemedy));
}

std::vector<std::string> PartContacts::warnings() const {
  std::vector<std::string> warnings;
  for (std::size_t a = 0; a < m_regions.size(); ++a) {
    for (std::size_t b = a + 1; b < m_regions.size(); ++b) {
      const Vec3 low = m_regions[a].low.cwiseMax(m_regions[b].low);
      const Vec3 high = m_regions[a].high.cwiseMin(m_regions[b].high);
      if (!((high - low).array() > -m_reach).all()) continue;
      warnings.push_back(
          fmt::format("the parts '{}' and '{}' never touch in the samples, but the regions in "
                      "which they move overlap: played at different times they may pass through "
                      "each other",
                      m_parts.names[a], m_parts.names[b]));
    }
  }
  return warnings;
}

}  // namespace supple::bake::detail
