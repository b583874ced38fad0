// SPDX-License-Identifier: Apache-2.0
#include "supple/io/deck.hpp"

#include "io/text_cursor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace supple::io {
namespace {

using geometry::Index;
using Text = fmt::memory_buffer;

// CalculiX copies each number into 20 characters before it reads it: the exponent of a longer
// number would be cut off.
constexpr std::size_t kNumberWidth = 20;
constexpr std::size_t kNameWidth = 70;  // CalculiX allows 80 for a set
constexpr std::size_t kLabelsPerLine = 8;

std::string deck_number(double value) {
  std::string text = fmt::format("{}", value);
  for (int digits = 16; text.size() > kNumberWidth; --digits) {
    text = fmt::format("{:.{}g}", value, digits);
  }
  return text;
}

/// Names that CalculiX accepts, made unique regardless of case.
class Names {
 public:
  std::string add(std::string_view wanted) {
    std::string name;
    for (const char c : wanted.substr(0, kNameWidth)) {
      const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                         (c >= '0' && c <= '9') || c == '_' || c == '-';
      name += plain ? c : '_';
    }
    // A name of digits only would be read as a label.
    if (name.empty() || (name.front() >= '0' && name.front() <= '9') || name.front() == '-') {
      name = "S" + name;
    }
    std::string unique = name;
    for (int i = 2; !m_used.insert(detail::to_upper(unique)).second; ++i) {
      unique = fmt::format("{}_{}", name, i);
    }
    return unique;
  }

 private:
  std::set<std::string> m_used;
};

Index label_of(const std::vector<Index>& labels, std::size_t position) {
  return labels.empty() ? static_cast<Index>(position + 1) : labels[position];
}

class DeckWriter {
 public:
  explicit DeckWriter(const Deck& deck) : m_deck(deck), m_mesh(deck.mesh) {}

  std::string run() {
    write_nodes();
    write_elements();
    Names names;
    for (const auto& [name, nodes] : m_mesh.node_sets) {
      if (nodes.empty()) continue;
      print("*NSET, NSET={}\n", names.add(name));
      write_labels(m_deck.node_labels, nodes);
    }
    write_materials();
    write_supports();
    if (m_deck.requested_modes) {
      print("*STEP\n*FREQUENCY\n{}\n*NODE FILE\nU\n*END STEP\n", *m_deck.requested_modes);
    }
    return fmt::to_string(m_text);
  }

 private:
  template <class... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(m_text), format, std::forward<Args>(args)...);
  }

  void write_nodes() {
    print("*NODE\n");
    for (std::size_t i = 0; i < m_mesh.nodes.size(); ++i) {
      const geometry::Vec3& point = m_mesh.nodes[i];
      print("{},{},{},{}\n", label_of(m_deck.node_labels, i), deck_number(point.x()),
            deck_number(point.y()), deck_number(point.z()));
    }
  }

  // All elements in order, regions as sets of them: reading gives back the same mesh.
  void write_elements() {
    print("*ELEMENT, TYPE={}, ELSET=EALL\n",
          m_mesh.order == geometry::TetOrder::Linear ? "C3D4" : "C3D10");
    for (std::size_t e = 0; e < m_mesh.element_count(); ++e) {
      print("{}", label_of(m_deck.element_labels, e));
      for (const Index node : m_mesh.element(e)) {
        print(",{}", label_of(m_deck.node_labels, static_cast<std::size_t>(node)));
      }
      print("\n");
    }
  }

  void write_labels(const std::vector<Index>& labels, const std::vector<Index>& positions) {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      print("{},{}", label_of(labels, static_cast<std::size_t>(positions[i])),
            (i + 1) % kLabelsPerLine == 0 || i + 1 == positions.size() ? "\n" : "");
    }
  }

  void write_materials() {
    Names materials;
    Names sets;
    static_cast<void>(sets.add("EALL"));
    for (std::size_t m = 0; m < m_deck.materials.size(); ++m) {
      const DeckMaterial& material = m_deck.materials[m];
      const std::string name = materials.add(material.name);
      print("*MATERIAL, NAME={}\n", name);
      if (material.youngs_modulus && material.poisson_ratio) {
        print("*ELASTIC\n{},{}\n", deck_number(*material.youngs_modulus),
              deck_number(*material.poisson_ratio));
      }
      if (material.density) print("*DENSITY\n{}\n", deck_number(*material.density));
      if (m_deck.materials.size() == 1) {
        print("*SOLID SECTION, ELSET=EALL, MATERIAL={}\n", name);
        continue;
      }
      std::vector<Index> elements;
      for (std::size_t e = 0; e < m_mesh.element_count(); ++e) {
        if (m_mesh.region(e) == static_cast<Index>(m)) elements.push_back(static_cast<Index>(e));
      }
      if (elements.empty()) continue;
      const std::string set = sets.add("R_" + material.name);
      print("*ELSET, ELSET={}\n", set);
      write_labels(m_deck.element_labels, elements);
      print("*SOLID SECTION, ELSET={}, MATERIAL={}\n", set, name);
    }
  }

  void write_supports() {
    if (std::all_of(m_deck.fixed.begin(), m_deck.fixed.end(),
                    [](auto bits) { return bits == 0; })) {
      return;
    }
    // The dofs of each bit pattern as "first,last" ranges.
    static constexpr std::array<std::array<const char*, 2>, 8> kRanges{{{"", ""},
                                                                        {"1,1", ""},
                                                                        {"2,2", ""},
                                                                        {"1,2", ""},
                                                                        {"3,3", ""},
                                                                        {"1,1", "3,3"},
                                                                        {"2,3", ""},
                                                                        {"1,3", ""}}};
    print("*BOUNDARY\n");
    for (std::size_t i = 0; i < m_deck.fixed.size(); ++i) {
      for (const std::string_view range : kRanges[m_deck.fixed[i] & 7U]) {
        if (!range.empty()) print("{},{}\n", label_of(m_deck.node_labels, i), range);
      }
    }
  }

  const Deck& m_deck;
  const geometry::TetMesh& m_mesh;
  Text m_text;
};

Result<void> check(const Deck& deck) {
  const auto fail = [](std::string message) { return Error(ErrorCode::Usage, std::move(message)); };
  const geometry::TetMesh& mesh = deck.mesh;
  if (deck.materials.empty()) return fail("a deck needs at least one material");
  if (!deck.fixed.empty() && deck.fixed.size() != mesh.nodes.size()) {
    return fail(fmt::format("{} supports for {} nodes", deck.fixed.size(), mesh.nodes.size()));
  }
  if (!deck.node_labels.empty() && deck.node_labels.size() != mesh.nodes.size()) {
    return fail(fmt::format("{} labels for {} nodes", deck.node_labels.size(), mesh.nodes.size()));
  }
  if (!deck.element_labels.empty() && deck.element_labels.size() != mesh.element_count()) {
    return fail(
        fmt::format("{} labels for {} elements", deck.element_labels.size(), mesh.element_count()));
  }
  for (std::size_t e = 0; e < mesh.element_count(); ++e) {
    const Index region = mesh.region(e);
    if (region < 0 || static_cast<std::size_t>(region) >= deck.materials.size()) {
      return fail(fmt::format("element {} is in region {}, but there are {} materials", e + 1,
                              region, deck.materials.size()));
    }
  }
  return {};
}

}  // namespace

Result<std::string> write_deck(const Deck& deck) {
  SUPPLE_TRY_VOID(check(deck));
  return DeckWriter(deck).run();
}

}  // namespace supple::io
