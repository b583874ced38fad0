// SPDX-License-Identifier: Apache-2.0
#include "io/supple/scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace supple::io {
namespace {

constexpr double kLargestCoordinate = 32767;

bool strengths_fit(const soft::SceneTraits& scene) {
  return std::all_of(scene.palette.begin(), scene.palette.end(), [&](const auto& entry) {
    const bool follow = std::all_of(entry.followed_by.begin(), entry.followed_by.end(),
                                    [&](std::uint32_t e) { return e < scene.palette.size(); });
    return follow && std::isfinite(entry.strongest) && entry.weakest > 0 &&
           entry.weakest <= entry.strongest && entry.name.size() < format::kLongestText &&
           entry.key.size() < format::kLongestText;
  });
}

bool response_fits(const soft::Object& object, std::size_t number) {
  const soft::SceneTraits& scene = *object.scene;
  const soft::SceneResponse& response = scene.responses[number];
  const auto modes = static_cast<Eigen::Index>(object.modes.size());
  if (response.entry >= scene.palette.size() || response.states < 2 ||
      response.origin_velocity.size() != modes || !response.origin_velocity.allFinite() ||
      !std::isfinite(response.strength)) {
    return false;
  }
  if (response.stronger &&
      (*response.stronger <= number || *response.stronger >= scene.responses.size())) {
    return false;
  }
  if (!response.onward) return true;
  const auto [next, frame] = *response.onward;
  return next < scene.responses.size() && frame < scene.responses[next].states;
}

bool next_fits(const soft::SceneTraits& scene) {
  const std::size_t rows = static_cast<std::size_t>(scene.q.cols()) + 1;
  if (scene.next.size() != rows * scene.palette.size()) return false;
  for (std::size_t i = 0; i < scene.next.size(); ++i) {
    if (!scene.next[i]) continue;
    if (*scene.next[i] >= scene.responses.size() ||
        scene.responses[*scene.next[i]].entry != i % scene.palette.size()) {
      return false;
    }
  }
  return true;
}

}  // namespace

Result<void> check_scene(const soft::Object& object) {
  if (!object.scene) return {};
  const soft::SceneTraits& scene = *object.scene;
  const auto wrong = [&](const std::string& why) {
    return bad_input(fmt::format("scene '{}': {}", object.name, why));
  };
  if (object.shell) return wrong("an object is a scene or a shell, not both");
  if (!format::is_scene_time(scene.frame_seconds) || !format::is_scene_time(scene.half_life) ||
      !(scene.beta >= 0) || !std::isfinite(scene.beta)) {
    return wrong(fmt::format("its times must be from {:g} to {:g} s", format::kShortestSceneTime,
                             format::kLongestSceneTime));
  }
  if (scene.palette.empty() || scene.palette.size() > format::kMostPaletteEntries ||
      scene.responses.size() >= format::kNoResponse) {
    return wrong(fmt::format("{} entries and {} responses; a file has 1 to {} and up to {}",
                             scene.palette.size(), scene.responses.size(),
                             format::kMostPaletteEntries, format::kNoResponse - 1));
  }
  if (!strengths_fit(scene)) return wrong("an entry has a bad strength, name or follower");
  std::size_t states = 0;
  for (std::size_t r = 0; r < scene.responses.size(); ++r) {
    if (!response_fits(object, r)) return wrong(fmt::format("response {} does not fit", r + 1));
    states += scene.responses[r].states;
  }
  if (scene.q.rows() != static_cast<Eigen::Index>(object.modes.size()) ||
      static_cast<std::size_t>(scene.q.cols()) != states || !scene.q.allFinite()) {
    return wrong(fmt::format("needs {} finite coordinates for each of {} states",
                             object.modes.size(), states));
  }
  if (!next_fits(scene)) return wrong("the table of next responses does not fit");
  return {};
}

void add_scene(const soft::Object& object, std::uint32_t index, SceneSections& sections) {
  const soft::SceneTraits& scene = *object.scene;
  format::Scene record{};
  record.object = index;
  record.entry_count = static_cast<std::uint32_t>(scene.palette.size());
  record.response_count = static_cast<std::uint32_t>(scene.responses.size());
  record.state_count = static_cast<std::uint32_t>(scene.q.cols());
  record.frame_seconds = scene.frame_seconds;
  record.half_life = scene.half_life;
  record.beta = scene.beta;
  record.size = scene.q.size() == 0 ? 0 : std::sqrt(scene.q.colwise().squaredNorm().maxCoeff());
  sections.scenes.push_back(record);
  for (const soft::PaletteEntry& entry : scene.palette) {
    format::PaletteEntry packed{};
    for (const std::uint32_t e : entry.followed_by) packed.followed_by |= std::uint64_t{1} << e;
    packed.weakest = static_cast<float>(entry.weakest);
    packed.strongest = static_cast<float>(entry.strongest);
    packed.from_rest = entry.from_rest ? 1 : 0;
    sections.entries.push_back(packed);
  }
  std::uint32_t state = 0;
  for (const soft::SceneResponse& response : scene.responses) {
    format::Response packed{};
    packed.first_state = state;
    packed.state_count = response.states;
    packed.entry = response.entry;
    packed.strength = static_cast<float>(response.strength);
    packed.rests = response.rests ? 1 : 0;
    packed.stronger = response.stronger.value_or(format::kNone);
    packed.onward = response.onward ? (*response.onward)[0] : format::kNone;
    packed.onward_frame = response.onward ? (*response.onward)[1] : 0;
    sections.responses.push_back(packed);
    state += response.states;
  }
  // The scale makes the largest coordinate +-32767.
  Eigen::VectorXf scales(scene.q.rows());
  for (Eigen::Index k = 0; k < scene.q.rows(); ++k) {
    const double largest = scene.q.cols() == 0 ? 0 : scene.q.row(k).cwiseAbs().maxCoeff();
    scales(k) = static_cast<float>(largest > 0 ? largest / kLargestCoordinate : 1);
    sections.portraits.push_back(scales(k));
  }
  for (Eigen::Index s = 0; s < scene.q.cols(); ++s) {
    for (Eigen::Index k = 0; k < scene.q.rows(); ++k) {
      const double rounded = std::round(scene.q(k, s) / static_cast<double>(scales(k)));
      sections.states.push_back(
          static_cast<std::int16_t>(std::clamp(rounded, -kLargestCoordinate, kLargestCoordinate)));
    }
  }
  for (const soft::SceneResponse& response : scene.responses) {
    for (const double v : response.origin_velocity) {
      sections.portraits.push_back(static_cast<float>(v));
    }
  }
  for (const auto& response : scene.next) {
    sections.next.push_back(response ? static_cast<std::uint16_t>(*response) : format::kNoResponse);
  }
}

}  // namespace supple::io
