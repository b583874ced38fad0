// SPDX-License-Identifier: Apache-2.0
#include "bake/modes/deck.hpp"

#include "supple/bake/solid_materials.hpp"
#include "supple/core/resources.hpp"
#include "supple/io/deck.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace supple::bake {
namespace {

/// The cards that a frequency analysis needs and this material lacks.
std::string missing_cards(const io::DeckMaterial& material) {
  std::string cards;
  if (!material.youngs_modulus || !material.poisson_ratio) cards = "*ELASTIC";
  if (!material.density) cards += cards.empty() ? "*DENSITY" : " and *DENSITY";
  return cards;
}

/// The deck's materials; the given one replaces those that are absent or incomplete.
Result<void> take_materials(LoadedModel& loaded, const io::Deck& deck,
                            const ModelRequest& request) {
  std::optional<fem::Material> substitute;
  if (request.material) {
    SUPPLE_TRY(substitute, parse_material(*request.material));
  }
  if (deck.materials.empty()) {
    if (!substitute) {
      return bad_input(fmt::format(
          "'{}' gives its elements no material (*MATERIAL, *SOLID SECTION): add them, or give one "
          "for all",
          loaded.title));
    }
    loaded.model.materials.assign(std::max<std::size_t>(1, deck.mesh.region_names.size()),
                                  *substitute);
    return {};
  }
  bool substituted = false;
  for (const io::DeckMaterial& material : deck.materials) {
    const std::string missing = missing_cards(material);
    if (missing.empty()) {
      loaded.model.materials.push_back(
          {material.name, *material.youngs_modulus, *material.poisson_ratio, *material.density});
    } else if (substitute) {
      loaded.model.materials.push_back(*substitute);
      substituted = true;
    } else {
      return bad_input(
          fmt::format("material '{}' of '{}' has no {}: add it, or give a material for all",
                      material.name, loaded.title, missing));
    }
  }
  if (substitute && !substituted) {
    return Error(ErrorCode::Usage,
                 fmt::format("'{}' has its own materials: omit the material", loaded.title));
  }
  return {};
}

}  // namespace

Result<void> load_deck(LoadedModel& loaded, const ModelRequest& request) {
  const Stopwatch watch;
  SUPPLE_TRY(io::Deck deck, io::read_deck(std::filesystem::path(request.file)));
  SUPPLE_TRY_VOID(take_materials(loaded, deck, request));
  const bool fixed =
      std::any_of(deck.fixed.begin(), deck.fixed.end(), [](auto bits) { return bits != 0; });
  if (request.free && fixed) {
    return Error(ErrorCode::Usage,
                 fmt::format("'{}' fixes nodes with *BOUNDARY: it cannot be free", loaded.title));
  }
  loaded.model.mesh = std::move(deck.mesh);
  loaded.model.fixed = std::move(deck.fixed);
  loaded.requested_modes = deck.requested_modes;
  loaded.seconds.emplace_back("read", watch.seconds());
  return {};
}

}  // namespace supple::bake
