// SPDX-License-Identifier: Apache-2.0
#include "supple/scene/object.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace supple::scene {
namespace {

std::vector<soft::PaletteEntry> pack_palette(const Palette& palette) {
  std::vector<soft::PaletteEntry> packed;
  for (std::size_t e = 0; e < palette.size(); ++e) {
    const Entry& entry = palette.entries()[e];
    soft::PaletteEntry record;
    record.name = entry.name;
    record.key = entry.key;
    record.weakest = entry.strengths.front();
    record.strongest = entry.strengths.back();
    for (const std::size_t next : palette.after(e)) {
      record.followed_by.push_back(static_cast<std::uint32_t>(next));
    }
    record.from_rest = entry.from_rest;
    packed.push_back(std::move(record));
  }
  return packed;
}

/// Response and frame of a state.
std::array<std::uint32_t, 2> place_of(const Portrait& portrait, std::uint32_t state) {
  const auto after =
      std::upper_bound(portrait.first_state.begin(), portrait.first_state.end(), state);
  const auto response = static_cast<std::size_t>(after - portrait.first_state.begin()) - 1;
  return {static_cast<std::uint32_t>(response),
          state - static_cast<std::uint32_t>(portrait.first_state[response])};
}

std::vector<soft::SceneResponse> pack_responses(const Portrait& portrait,
                                                const Transitions& transitions) {
  std::vector<soft::SceneResponse> packed;
  for (std::size_t r = 0; r < portrait.responses.size(); ++r) {
    const Response& response = portrait.responses[r];
    soft::SceneResponse record;
    record.entry = static_cast<std::uint32_t>(response.entry);
    record.strength = response.strength;
    record.states = static_cast<std::uint32_t>(response.frames + 1);
    record.rests = response.rests;
    // Responses of a group follow each other, the weaker ones first.
    if (r + 1 < portrait.responses.size() && portrait.responses[r + 1].group == response.group) {
      record.stronger = static_cast<std::uint32_t>(r + 1);
    }
    if (transitions.onward[r] != Transitions::kNone) {
      record.onward = place_of(portrait, transitions.onward[r]);
    }
    record.origin_velocity = portrait.origin_velocity.col(static_cast<Eigen::Index>(r));
    packed.push_back(std::move(record));
  }
  return packed;
}

/// Where the scene begins: the responses that were launched from rest, or else the nearest to it.
std::vector<std::optional<std::uint32_t>> first_row(const Portrait& portrait,
                                                    const Palette& palette) {
  std::vector<std::optional<std::uint32_t>> row(palette.size());
  for (const std::size_t e : palette.first()) {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t r = 0; r < portrait.responses.size(); ++r) {
      const Response& response = portrait.responses[r];
      if (response.entry != e || response.group != r) continue;
      const auto state = static_cast<Eigen::Index>(portrait.first_state[r]);
      const double d = portrait.q.col(state).squaredNorm() +
                       portrait.origin_velocity.col(static_cast<Eigen::Index>(r)).squaredNorm();
      if (d >= nearest) continue;
      nearest = d;
      row[e] = static_cast<std::uint32_t>(r);
    }
  }
  return row;
}

}  // namespace

soft::SceneTraits make_traits(const Portrait& portrait, const Palette& palette,
                              const Transitions& transitions, double half_life) {
  soft::SceneTraits traits;
  traits.frame_seconds = portrait.h;
  traits.half_life = half_life;
  const Eigen::MatrixXd v = portrait.velocities();
  const double largest_v = v.colwise().squaredNorm().maxCoeff();
  if (largest_v > 0) traits.beta = portrait.q.colwise().squaredNorm().maxCoeff() / largest_v;
  traits.palette = pack_palette(palette);
  traits.responses = pack_responses(portrait, transitions);
  traits.q = portrait.q;
  for (const std::uint32_t next : transitions.next) {
    traits.next.push_back(next == Transitions::kNone ? std::nullopt : std::optional(next));
  }
  const auto first = first_row(portrait, palette);
  traits.next.insert(traits.next.end(), first.begin(), first.end());
  return traits;
}

soft::Object make_object(std::string name, const Shapes& shapes, soft::SceneTraits traits) {
  soft::Object object;
  object.name = std::move(name);
  object.node = soft::kNoNode;
  object.vertices.resize(static_cast<std::size_t>(shapes.rest.size() / 3));
  std::iota(object.vertices.begin(), object.vertices.end(), 0U);
  for (Eigen::Index k = 0; k < shapes.basis.cols(); ++k) {
    soft::Mode mode;
    mode.omega = 1;  // files want one; scenes do not vibrate
    const double total = shapes.values.squaredNorm();
    mode.share = total > 0 ? shapes.values(k) * shapes.values(k) / total : 0;
    for (Eigen::Index i = 0; i < shapes.rest.size(); i += 3) {
      mode.displacements.emplace_back(shapes.basis.col(k).segment<3>(i));
    }
    object.modes.push_back(std::move(mode));
  }
  object.scene = std::move(traits);
  return object;
}

}  // namespace supple::scene
