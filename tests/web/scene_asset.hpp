// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/random.hpp"
#include "supple/io/supple_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

/// A scene whose portrait is made of swings that die out: the tests in tests/web know its palette.
namespace supple::web::testing {

inline constexpr std::uint32_t kSceneEntries = 3;
inline constexpr std::uint32_t kSceneStates = 24;  // of each response
inline constexpr double kSceneFrame = 1.0 / 60;    // s

/// "push" has two strengths, "wind" cannot be the first, "lift" may follow itself.
inline std::vector<soft::PaletteEntry> scene_palette() {
  std::vector<soft::PaletteEntry> palette(kSceneEntries);
  palette[0] = {"push", "a", 0.5, 1, {1, 2}, true};
  palette[1] = {"lift", "w", 1, 1, {0, 1, 2}, true};
  palette[2] = {"wind", "", 1, 1, {0, 1}, false};
  return palette;
}

/// Two groups of responses for each entry: four to "push", weak and strong, and two to the others.
/// Every other one rests; the others go on in the first.
inline std::vector<soft::SceneResponse> scene_responses(Eigen::Index modes, Random& random) {
  std::vector<soft::SceneResponse> responses;
  for (std::uint32_t variant = 0; variant < 2; ++variant) {
    for (std::uint32_t entry = 0; entry < kSceneEntries; ++entry) {
      const std::uint32_t strengths = entry == 0 ? 2 : 1;
      for (std::uint32_t s = 0; s < strengths; ++s) {
        soft::SceneResponse response;
        response.entry = entry;
        response.strength = s + 1 == strengths ? 1 : 0.5;
        response.states = kSceneStates;
        response.rests = variant == 0;
        if (s + 1 < strengths) {
          response.stronger = static_cast<std::uint32_t>(responses.size()) + 1;
        }
        if (!response.rests) response.onward = {{0, kSceneStates / 2}};
        response.origin_velocity =
            Eigen::VectorXd::NullaryExpr(modes, [&] { return random.uniform(-0.2, 0.2); });
        responses.push_back(std::move(response));
      }
    }
  }
  return responses;
}

/// The first response to an entry in each variant, as scene_responses lists them.
inline std::uint32_t scene_group(std::uint32_t entry, std::uint32_t variant) {
  return 4 * variant + (entry == 0 ? 0 : entry + 1);
}

/// Makes a scene of an object, which moves in the world.
inline void make_scene(soft::Object& object, std::uint64_t seed = 3) {
  Random random(seed);
  const auto modes = static_cast<Eigen::Index>(object.modes.size());
  object.name = "scene";
  object.bone = "";
  object.node = soft::kNoNode;
  object.joint = soft::kNoNode;
  object.frame_from_bind = Eigen::Matrix<double, 3, 4>::Identity();
  object.rest_rotation = Eigen::Quaterniond::Identity();
  object.coriolis.clear();
  soft::SceneTraits& scene = object.scene.emplace();
  scene.frame_seconds = kSceneFrame;
  scene.beta = 0.01;
  scene.palette = scene_palette();
  scene.responses = scene_responses(modes, random);
  scene.q.resize(modes, static_cast<Eigen::Index>(scene.responses.size()) * kSceneStates);
  for (std::size_t r = 0; r < scene.responses.size(); ++r) {
    for (Eigen::Index k = 0; k < modes; ++k) {
      const double height = random.uniform(0.05, 0.3) * scene.responses[r].strength;
      const double pace = random.uniform(0.2, 0.6);  // radians per frame
      for (std::uint32_t f = 0; f < kSceneStates; ++f) {
        const double left = 1 - static_cast<double>(f) / (kSceneStates - 1);
        scene.q(k, static_cast<Eigen::Index>(r * kSceneStates + f)) =
            height * left * left * std::sin(pace * f);
      }
    }
  }
  for (std::size_t state = 0; state < static_cast<std::size_t>(scene.q.cols()); ++state) {
    const std::uint32_t acted = scene.responses[state / kSceneStates].entry;
    const std::vector<std::uint32_t>& after = scene.palette[acted].followed_by;
    for (std::uint32_t e = 0; e < kSceneEntries; ++e) {
      const bool follows = std::find(after.begin(), after.end(), e) != after.end();
      const auto variant = static_cast<std::uint32_t>(state % 2);
      scene.next.push_back(follows ? std::optional(scene_group(e, variant)) : std::nullopt);
    }
  }
  for (std::uint32_t e = 0; e < kSceneEntries; ++e) {
    scene.next.push_back(scene.palette[e].from_rest ? std::optional(scene_group(e, 0))
                                                    : std::nullopt);
  }
}

}  // namespace supple::web::testing
