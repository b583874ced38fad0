// SPDX-License-Identifier: Apache-2.0
#include "info/scene.hpp"

#include "supple/core/console.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

namespace supple::app {
namespace {

using Align = TextTable::Align;

double scene_seconds(const soft::SceneTraits& scene) {
  const auto intervals = scene.q.cols() - static_cast<Eigen::Index>(scene.responses.size());
  return static_cast<double>(intervals) * scene.frame_seconds;
}

std::size_t answers(const soft::SceneTraits& scene, std::size_t entry) {
  return static_cast<std::size_t>(
      std::count_if(scene.responses.begin(), scene.responses.end(),
                    [&](const soft::SceneResponse& r) { return r.entry == entry; }));
}

std::vector<std::string> names_after(const soft::SceneTraits& scene, std::size_t entry) {
  std::vector<std::string> names;
  for (const std::uint32_t next : scene.palette[entry].followed_by) {
    names.push_back(scene.palette[next].name);
  }
  return names;
}

std::string rules_text(const soft::SceneTraits& scene, std::size_t entry) {
  const std::vector<std::string> names = names_after(scene, entry);
  return names.size() == scene.palette.size() ? "all" : fmt::format("{}", fmt::join(names, ", "));
}

std::string palette_text(const soft::SceneTraits& scene) {
  TextTable table({{"entry", Align::Left},
                   {"key", Align::Left},
                   {"strengths", Align::Left},
                   {"first", Align::Left},
                   {"may be followed by", Align::Left},
                   {"responses", Align::Right}});
  for (std::size_t e = 0; e < scene.palette.size(); ++e) {
    const soft::PaletteEntry& entry = scene.palette[e];
    table.row({entry.name, entry.key.empty() ? "-" : entry.key,
               entry.weakest < entry.strongest
                   ? fmt::format("{:g} to {:g}", entry.weakest, entry.strongest)
                   : fmt::format("{:g}", entry.strongest),
               entry.from_rest ? "yes" : "no", rules_text(scene, e),
               fmt::format("{}", answers(scene, e))});
  }
  return table.str();
}

}  // namespace

std::string scenes_text(const bake::AssetFile& file) {
  std::string text;
  for (std::uint32_t o = 0; o < file.info.object_count; ++o) {
    const auto scene = file.file.scene(o);
    if (!scene) continue;
    supple_object_info object{};
    (void)supple_asset_object(file.asset(), o, &object);
    text += fmt::format(
        "\nscene '{}': {} responses with {} states, {} at {:.4g} frames per second, {} shapes, "
        "half-life {}\n\n{}",
        object.name, scene->responses.size(),
        format_count(static_cast<std::size_t>(scene->q.cols())),
        format_seconds(scene_seconds(*scene)), 1 / scene->frame_seconds, scene->q.rows(),
        format_seconds(scene->half_life), palette_text(*scene));
  }
  return text;
}

Json scene_json(const bake::AssetFile& file, std::uint32_t object) {
  const soft::SceneTraits scene = *file.file.scene(object);
  Json json{{"states", scene.q.cols()},
            {"seconds", scene_seconds(scene)},
            {"frame_seconds", scene.frame_seconds},
            {"rank", scene.q.rows()},
            {"half_life", scene.half_life},
            {"palette", Json::array()},
            {"responses", Json::array()}};
  for (std::size_t e = 0; e < scene.palette.size(); ++e) {
    const soft::PaletteEntry& entry = scene.palette[e];
    json["palette"].push_back({{"name", entry.name},
                               {"key", entry.key},
                               {"weakest", entry.weakest},
                               {"strongest", entry.strongest},
                               {"from_rest", entry.from_rest},
                               {"followed_by", names_after(scene, e)},
                               {"responses", answers(scene, e)}});
  }
  for (const soft::SceneResponse& response : scene.responses) {
    json["responses"].push_back({{"entry", scene.palette[response.entry].name},
                                 {"strength", response.strength},
                                 {"frames", response.states - 1},
                                 {"rests", response.rests}});
  }
  return json;
}

}  // namespace supple::app
