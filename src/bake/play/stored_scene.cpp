// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/baked_file.hpp"
#include "supple/format/layout.hpp"

#include <supple.h>

namespace supple::bake {
namespace {

/// Records of one scene, at its place in the sections that all scenes share. The player has checked
/// that they are there.
struct SceneRecords {
  const format::Scene* scene = nullptr;
  const format::Response* responses = nullptr;
  const std::int16_t* states = nullptr;
  const float* scales = nullptr;
  const float* velocities = nullptr;
  const std::uint16_t* next = nullptr;
  std::uint32_t modes = 0;
};

template <class Record>
const Record* first_of(std::span<const std::byte> section) {
  return reinterpret_cast<const Record*>(section.data());
}

soft::PaletteEntry palette_entry(const supple_asset* asset, std::uint32_t object,
                                 std::uint32_t number, std::uint32_t count) {
  supple_entry_info info{};
  (void)supple_asset_scene_entry(asset, object, number, &info);
  soft::PaletteEntry entry;
  entry.name = info.name;
  entry.key = info.key;
  entry.weakest = info.weakest;
  entry.strongest = info.strongest;
  for (std::uint32_t e = 0; e < count; ++e) {
    if ((info.followed_by >> e & 1U) != 0) entry.followed_by.push_back(e);
  }
  entry.from_rest = info.from_rest != 0;
  return entry;
}

soft::SceneResponse scene_response(const SceneRecords& records, std::uint32_t number) {
  const format::Response& record = records.responses[number];
  soft::SceneResponse response;
  response.entry = record.entry;
  response.strength = double{record.strength};
  response.states = record.state_count;
  response.rests = record.rests != 0;
  if (record.stronger != format::kNone) response.stronger = record.stronger;
  if (record.onward != format::kNone) response.onward = {record.onward, record.onward_frame};
  response.origin_velocity =
      Eigen::Map<const Eigen::VectorXf>(records.velocities + std::size_t{number} * records.modes,
                                        records.modes)
          .cast<double>();
  return response;
}

}  // namespace

std::optional<soft::SceneTraits> BakedFile::scene(std::uint32_t object) const {
  supple_scene_info info{};
  if (supple_asset_scene(m_asset, object, &info) != SUPPLE_OK) return {};
  SceneRecords records{first_of<format::Scene>(section(format::kSceneSection)),
                       first_of<format::Response>(section(format::kResponseSection)),
                       first_of<std::int16_t>(section(format::kStateSection)),
                       first_of<float>(section(format::kPortraitSection)),
                       nullptr,
                       first_of<std::uint16_t>(section(format::kNextSection)),
                       0};
  for (;; ++records.scene) {
    const format::Scene& scene = *records.scene;
    supple_object_info described{};
    (void)supple_asset_object(m_asset, scene.object, &described);
    records.modes = described.mode_count;
    records.velocities = records.scales + records.modes;
    if (scene.object == object) break;
    records.responses += scene.response_count;
    records.states += std::size_t{scene.state_count} * records.modes;
    records.scales = records.velocities + std::size_t{scene.response_count} * records.modes;
    records.next += (std::size_t{scene.state_count} + 1) * scene.entry_count;
  }
  soft::SceneTraits traits;
  traits.frame_seconds = records.scene->frame_seconds;
  traits.half_life = records.scene->half_life;
  traits.beta = records.scene->beta;
  for (std::uint32_t e = 0; e < info.entry_count; ++e) {
    traits.palette.push_back(palette_entry(m_asset, object, e, info.entry_count));
  }
  for (std::uint32_t r = 0; r < info.response_count; ++r) {
    traits.responses.push_back(scene_response(records, r));
  }
  traits.q.resize(records.modes, info.state_count);
  for (std::uint32_t s = 0; s < info.state_count; ++s) {
    for (std::uint32_t k = 0; k < records.modes; ++k) {
      traits.q(k, s) =
          double{records.scales[k]} * records.states[std::size_t{s} * records.modes + k];
    }
  }
  for (std::size_t i = 0; i < (std::size_t{info.state_count} + 1) * info.entry_count; ++i) {
    const std::uint16_t next = records.next[i];
    traits.next.push_back(next == format::kNoResponse ? std::nullopt
                                                      : std::optional<std::uint32_t>(next));
  }
  return traits;
}

}  // namespace supple::bake
