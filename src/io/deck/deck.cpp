// SPDX-License-Identifier: Apache-2.0
#include "supple/io/deck.hpp"

#include "io/content.hpp"
#include "io/deck/data.hpp"
#include "io/deck/parser.hpp"
#include "io/meshes/label_map.hpp"
#include "io/text_cursor.hpp"

#include "supple/core/files.hpp"
#include "supple/core/log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace supple::io {
namespace detail {
namespace {

using geometry::Index;

constexpr int kMaxNesting = 64;

/// Looks up set names; "INSTANCE.SET" means SET if there is only one instance.
DeckSets::const_iterator find_set(const DeckSets& sets, const std::string& name) {
  const std::string upper = to_upper(name);
  const auto found = sets.find(upper);
  const std::size_t dot = upper.rfind('.');
  if (found != sets.end() || dot == std::string::npos) return found;
  return sets.find(upper.substr(dot + 1));
}

/// Turns the sets of one kind into positions, each set once.
class SetResolver {
 public:
  SetResolver(const DeckData& data, const DeckSets& sets, const LabelMap& labels,
              std::string_view kind)
      : m_data(data), m_sets(sets), m_labels(labels), m_kind(kind) {}

  Result<const std::vector<Index>*> resolve(const std::string& name, DeckOrigin from,
                                            int depth = 0) {
    const auto found = find_set(m_sets, name);
    if (found == m_sets.end()) {
      return m_data.error(from, fmt::format("unknown {} set {}", m_kind, in_quotes(name)));
    }
    const auto done = m_resolved.find(found->first);
    if (done != m_resolved.end()) return &done->second;
    if (depth > kMaxNesting) {
      return m_data.error(from, fmt::format("{} sets are nested in a cycle or more than {} deep",
                                            m_kind, kMaxNesting));
    }
    std::vector<Index> positions;
    for (const LabelRange& range : found->second.ranges) {
      SUPPLE_TRY_VOID(add_range(found->second, range, positions));
    }
    for (const DeckSet::Member& member : found->second.members) {
      SUPPLE_TRY(const std::vector<Index>* const inner,
                 resolve(member.name, member.origin, depth + 1));
      SUPPLE_TRY_VOID(count_members(inner->size(), member.origin));
      positions.insert(positions.end(), inner->begin(), inner->end());
    }
    std::sort(positions.begin(), positions.end());
    positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
    return &m_resolved.emplace(found->first, std::move(positions)).first->second;
  }

 private:
  // A range stops at its first missing label, so its cost is bounded by the number of labels.
  Result<void> add_range(const DeckSet& set, const LabelRange& range,
                         std::vector<Index>& positions) {
    const std::size_t before = positions.size();
    for (std::int64_t label = range.first; label <= range.last; label += range.step) {
      const Index position = m_labels.find(label);
      if (position < 0) {
        return m_data.error(range.origin, fmt::format("set {} names {} {}, which is not defined",
                                                      in_quotes(set.name), m_kind, label));
      }
      positions.push_back(position);
    }
    return count_members(positions.size() - before, range.origin);
  }

  // Malicious sets of sets can grow far beyond the file that defines them.
  Result<void> count_members(std::size_t added, DeckOrigin place) {
    m_members += added;
    if (m_members <= 16 * m_data.bytes + (std::size_t{1} << 20U)) return {};
    return m_data.error(place, fmt::format("the {} sets have too many members", m_kind));
  }

  const DeckData& m_data;
  const DeckSets& m_sets;
  const LabelMap& m_labels;
  std::string_view m_kind;
  std::unordered_map<std::string, std::vector<Index>> m_resolved;
  std::size_t m_members = 0;
};

Result<void> check_unique(const DeckData& data, const LabelMap& map,
                          const std::vector<std::int64_t>& labels,
                          const std::vector<DeckOrigin>& origins, std::string_view kind) {
  if (!map.duplicate()) return {};
  const auto [first, second] = *map.duplicate();
  return data.error(origins[static_cast<std::size_t>(second)],
                    fmt::format("{} {} is defined twice, first in line {}", kind,
                                labels[static_cast<std::size_t>(second)],
                                origins[static_cast<std::size_t>(first)].line));
}

std::vector<Index> narrow(const std::vector<std::int64_t>& labels) {
  std::vector<Index> narrowed;
  narrowed.reserve(labels.size());
  for (const std::int64_t label : labels) narrowed.push_back(static_cast<Index>(label));
  return narrowed;
}

class DeckResolver {
 public:
  explicit DeckResolver(DeckData data)
      : m_data(std::move(data)),
        m_nodes(m_data.node_labels),
        m_elements(m_data.element_labels),
        m_node_sets(m_data, m_data.node_sets, m_nodes, "node"),
        m_element_sets(m_data, m_data.element_sets, m_elements, "element") {}

  Result<Deck> run() {
    if (m_data.element_labels.empty()) {
      return bad_input("the deck has no elements").at(m_data.files.front());
    }
    SUPPLE_TRY_VOID(check_unique(m_data, m_nodes, m_data.node_labels, m_data.node_origins, "node"));
    SUPPLE_TRY_VOID(
        check_unique(m_data, m_elements, m_data.element_labels, m_data.element_origins, "element"));
    SUPPLE_TRY_VOID(connect());
    SUPPLE_TRY_VOID(assign_sections());
    SUPPLE_TRY_VOID(apply_supports());
    for (const auto& entry : m_data.element_sets) {  // every set must be valid, even if unused
      SUPPLE_TRY([[maybe_unused]] const auto* const positions,
                 m_element_sets.resolve(entry.first, {}));
    }
    for (const auto& [key, set] : m_data.node_sets) {
      SUPPLE_TRY(const std::vector<Index>* const positions, m_node_sets.resolve(key, {}));
      m_deck.mesh.node_sets[set.name] = *positions;
    }
    m_deck.mesh.nodes = std::move(m_data.nodes);
    m_deck.requested_modes = m_data.requested_modes;
    m_deck.node_labels = narrow(m_data.node_labels);
    m_deck.element_labels = narrow(m_data.element_labels);
    return std::move(m_deck);
  }

 private:
  Result<void> connect() {
    geometry::TetMesh& mesh = m_deck.mesh;
    mesh.order = *m_data.order;
    const auto width = static_cast<std::size_t>(mesh.nodes_per_element());
    mesh.connectivity.resize(m_data.element_nodes.size());
    for (std::size_t i = 0; i < m_data.element_nodes.size(); ++i) {
      const Index node = m_nodes.find(m_data.element_nodes[i]);
      if (node < 0) {
        return m_data.error(m_data.element_origins[i / width],
                            fmt::format("element {} names node {}, which is not defined",
                                        m_data.element_labels[i / width], m_data.element_nodes[i]));
      }
      mesh.connectivity[i] = node;
    }
    return {};
  }

  /// The region of a material: its index among those in use.
  Result<Index> region_of(const DeckSection& section) {
    const std::string wanted = to_upper(section.material);
    for (std::size_t i = 0; i < m_data.materials.size(); ++i) {
      if (to_upper(m_data.materials[i].name) != wanted) continue;
      if (m_region_of_material[i] < 0) {
        m_region_of_material[i] = static_cast<Index>(m_deck.materials.size());
        m_deck.materials.push_back(m_data.materials[i]);
        m_deck.mesh.region_names.push_back(m_data.materials[i].name);
      }
      return m_region_of_material[i];
    }
    return m_data.error(section.origin,
                        fmt::format("unknown material {}", in_quotes(section.material)));
  }

  Result<void> assign_sections() {
    std::vector<Index>& regions = m_deck.mesh.regions;
    regions.assign(m_data.element_labels.size(), -1);
    m_region_of_material.assign(m_data.materials.size(), -1);
    std::size_t repeated = 0;
    for (const DeckSection& section : m_data.sections) {
      SUPPLE_TRY(const Index region, region_of(section));
      SUPPLE_TRY(const std::vector<Index>* const elements,
                 m_element_sets.resolve(section.elset, section.origin));
      for (const Index element : *elements) {
        Index& entry = regions[static_cast<std::size_t>(element)];
        if (entry >= 0 && entry != region) ++repeated;
        entry = region;
      }
    }
    if (repeated != 0) {
      log::warn("{}: {} elements are in several sections; the last one counts",
                m_data.files.front(), repeated);
    }
    const auto bare = std::find(regions.begin(), regions.end(), -1);
    if (bare == regions.end()) return {};
    const auto element = static_cast<std::size_t>(bare - regions.begin());
    return m_data.error(
        m_data.element_origins[element],
        fmt::format("element {} belongs to no *SOLID SECTION ({} such elements)",
                    m_data.element_labels[element], std::count(bare, regions.end(), -1)));
  }

  Result<void> apply_supports() {
    m_deck.fixed.assign(m_data.nodes.size(), 0);
    for (const DeckSupport& support : m_data.supports) {
      std::int64_t label = 0;
      if (parse_integer(support.target, label)) {
        const Index node = m_nodes.find(label);
        if (node < 0) {
          return m_data.error(support.origin,
                              fmt::format("*BOUNDARY names node {}, which is not defined", label));
        }
        m_deck.fixed[static_cast<std::size_t>(node)] |= support.bits;
        continue;
      }
      SUPPLE_TRY(const std::vector<Index>* const nodes,
                 m_node_sets.resolve(support.target, support.origin));
      for (const Index node : *nodes) m_deck.fixed[static_cast<std::size_t>(node)] |= support.bits;
    }
    return {};
  }

  DeckData m_data;
  LabelMap m_nodes;
  LabelMap m_elements;
  SetResolver m_node_sets;
  SetResolver m_element_sets;
  std::vector<Index> m_region_of_material;
  Deck m_deck;
};

}  // namespace

Result<Deck> resolve_deck(DeckData data) {
  return DeckResolver(std::move(data)).run();
}

}  // namespace detail

Result<Deck> read_deck(std::span<const std::byte> bytes, std::string_view name) {
  SUPPLE_TRY(detail::DeckData data, detail::DeckParser(as_text(bytes), name, {}).run());
  return detail::resolve_deck(std::move(data));
}

Result<Deck> read_deck(const std::filesystem::path& path) {
  SUPPLE_TRY(const Bytes bytes, read_content(path));
  SUPPLE_TRY(detail::DeckData data,
             detail::DeckParser(as_text(bytes), path.string(), path.parent_path()).run());
  return detail::resolve_deck(std::move(data));
}

}  // namespace supple::io
