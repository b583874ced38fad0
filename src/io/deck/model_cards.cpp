// SPDX-License-Identifier: Apache-2.0
#include "io/deck/parser.hpp"

#include "supple/core/log.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

namespace supple::io::detail {
namespace {

/// Abaqus' names for common supports; their rotations have no effect on a solid.
std::uint8_t bits_of_support_name(std::string_view name) {
  using Entry = std::pair<std::string_view, std::uint8_t>;
  static constexpr std::array<Entry, 8> kNames{{{"ENCASTRE", 7},
                                                {"PINNED", 7},
                                                {"XSYMM", 1},
                                                {"YSYMM", 2},
                                                {"ZSYMM", 4},
                                                {"XASYMM", 6},
                                                {"YASYMM", 5},
                                                {"ZASYMM", 3}}};
  const std::string upper = to_upper(name);
  for (const Entry& entry : kNames) {
    if (entry.first == upper) return entry.second;
  }
  return 0;
}

}  // namespace

/// The first `count` numbers of the card's first data line; empty fields stay empty. Further
/// rows are for other temperatures.
Result<std::vector<std::optional<double>>> DeckParser::read_row(const DeckCard& card,
                                                                std::size_t count) {
  SUPPLE_TRY(const bool more, find_data_line());
  if (!more) return m_data.error(card.origin, fmt::format("*{} has no data line", card.name));
  const DeckOrigin place = origin();
  const std::vector<std::string_view> fields = read_fields();
  std::vector<std::optional<double>> row(count);
  for (std::size_t i = 0; i < std::min(count, fields.size()); ++i) {
    double value = 0;
    if (fields[i].empty()) continue;
    if (!parse_real(fields[i], value) || !std::isfinite(value)) {
      return m_data.error(place, fmt::format("expected a finite number for *{}, found {}",
                                             card.name, in_quotes(fields[i])));
    }
    row[i] = value;
  }
  return row;
}

Result<void> DeckParser::read_material(const DeckCard& card) {
  SUPPLE_TRY(const std::string name, need(card, "NAME"));
  for (const DeckMaterial& material : m_data.materials) {
    if (to_upper(material.name) == to_upper(name)) {
      return m_data.error(card.origin,
                          fmt::format("material {} is defined twice", in_quotes(name)));
    }
  }
  m_data.materials.push_back({name, {}, {}, {}});
  return {};
}

Result<DeckMaterial*> DeckParser::current_material(const DeckCard& card) {
  if (!m_data.materials.empty()) return &m_data.materials.back();
  return m_data.error(card.origin, fmt::format("*{} before the first *MATERIAL", card.name));
}

Result<void> DeckParser::read_elastic(const DeckCard& card) {
  SUPPLE_TRY(DeckMaterial* const material, current_material(card));
  const std::string* type = card.find("TYPE");
  if (type != nullptr && !std::string_view("ISOTROPIC").starts_with(to_upper(*type))) {
    return m_data.error(
        card.origin, fmt::format("*ELASTIC, TYPE={} is not supported; ISO is", in_quotes(*type)));
  }
  SUPPLE_TRY(const auto row, read_row(card, 2));
  material->youngs_modulus = row[0];
  material->poisson_ratio = row[1];
  return {};
}

Result<void> DeckParser::read_density(const DeckCard& card) {
  SUPPLE_TRY(DeckMaterial* const material, current_material(card));
  SUPPLE_TRY(const auto row, read_row(card, 1));
  material->density = row[0];
  return {};
}

Result<void> DeckParser::read_section(const DeckCard& card) {
  for (const std::string_view unsupported : {"ORIENTATION", "COMPOSITE"}) {
    if (card.has(unsupported)) {
      return m_data.error(card.origin,
                          fmt::format("*SOLID SECTION, {} is not supported", unsupported));
    }
  }
  DeckSection section;
  SUPPLE_TRY(section.elset, need(card, "ELSET"));
  SUPPLE_TRY(section.material, need(card, "MATERIAL"));
  section.origin = card.origin;
  m_data.sections.push_back(std::move(section));
  return {};
}

Result<void> DeckParser::read_boundary(const DeckCard& card) {
  for (const std::string_view unsupported : {"SUBMODEL", "BASEMOTION", "USER", "FIXED"}) {
    if (card.has(unsupported)) {
      return m_data.error(card.origin, fmt::format("*BOUNDARY, {} is not supported", unsupported));
    }
  }
  const std::string* operation = card.find("OP");
  if (operation != nullptr && to_upper(*operation) == "NEW") m_data.supports.clear();
  while (true) {
    SUPPLE_TRY(const bool more, find_data_line());
    if (!more) return {};
    SUPPLE_TRY_VOID(read_support());
  }
}

Result<void> DeckParser::read_support() {
  DeckSupport support;
  support.origin = origin();
  const std::vector<std::string_view> fields = read_fields();
  if (fields[0].empty()) return m_data.error(support.origin, "expected a node or a node set");
  support.target = fields[0];
  SUPPLE_TRY(support.bits, support_bits(fields, support.origin));
  if (support.bits != 0) m_data.supports.push_back(std::move(support));
  return {};
}

/// "target, first dof[, last dof[, value]]" or "target, ENCASTRE".
Result<std::uint8_t> DeckParser::support_bits(const std::vector<std::string_view>& fields,
                                              DeckOrigin place) {
  std::int64_t first = 0;
  if (fields.size() < 2 || !parse_integer(fields[1], first)) {
    const std::uint8_t named = fields.size() < 2 ? 0 : bits_of_support_name(fields[1]);
    if (named != 0) return named;
    return m_data.error(place, "expected 'node or set, first dof, last dof'");
  }
  std::int64_t last = first;
  if (fields.size() > 2 && !fields[2].empty() && !parse_integer(fields[2], last)) {
    return m_data.error(place,
                        fmt::format("expected the last dof, found {}", in_quotes(fields[2])));
  }
  if (first < 1 || last < first) {
    return m_data.error(place, fmt::format("invalid dofs {} to {}", first, last));
  }
  double value = 0;
  if (fields.size() > 3 && !fields[3].empty() && (!parse_real(fields[3], value) || value != 0.0)) {
    return m_data.error(place, fmt::format("a prescribed value of {} is not supported: supports "
                                           "must be 0",
                                           in_quotes(fields[3])));
  }
  if (last > 3) {
    log::warn("{}:{}: dofs above 3 have no effect on a solid and were ignored",
              m_data.files[place.file], place.line);
  }
  std::uint8_t bits = 0;
  for (std::int64_t dof = first; dof <= std::min<std::int64_t>(last, 3); ++dof) {
    bits = static_cast<std::uint8_t>(bits | 1U << static_cast<unsigned>(dof - 1));
  }
  return bits;
}

Result<void> DeckParser::read_frequency(const DeckCard& card) {
  if (m_data.requested_modes) {
    log::warn("{}:{}: only the first *FREQUENCY step counts", m_data.files[card.origin.file],
              card.origin.line);
    return {};
  }
  SUPPLE_TRY(const bool more, find_data_line());
  if (!more) return {};
  const DeckOrigin place = origin();
  const std::vector<std::string_view> fields = read_fields();
  if (fields[0].empty()) return {};
  std::int64_t count = 0;
  if (!parse_integer(fields[0], count) || count < 1 || count > std::numeric_limits<int>::max()) {
    return m_data.error(
        place, fmt::format("expected the number of modes, found {}", in_quotes(fields[0])));
  }
  for (std::size_t i = 1; i < std::min<std::size_t>(fields.size(), 3); ++i) {
    if (fields[i].empty()) continue;
    log::warn("{}:{}: the frequency range is ignored; the lowest {} modes are computed",
              m_data.files[place.file], place.line, count);
    break;
  }
  m_data.requested_modes = static_cast<int>(count);
  return {};
}

// Decks of Abaqus/CAE wrap even a single body in a part and its instance. One of each, not
// moved, changes nothing; more would need labels per instance.
Result<void> DeckParser::read_part(const DeckCard& card) {
  if (++m_parts > 1) {
    return m_data.error(card.origin,
                        "decks with several parts are not supported; write a flat one");
  }
  return {};
}

Result<void> DeckParser::read_instance(const DeckCard& card) {
  SUPPLE_TRY(const bool moved, find_data_line());
  if (++m_instances > 1 || moved) {
    return m_data.error(card.origin,
                        "decks with several or moved instances are not supported; write a flat "
                        "one");
  }
  return {};
}

}  // namespace supple::io::detail
