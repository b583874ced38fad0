// SPDX-License-Identifier: Apache-2.0
#include "scene_reader.hpp"

#include "detail.hpp"
#include "kinds.hpp"
#include "reader.hpp"

namespace supple::player {
namespace {

/// What is left of a section whose records the scenes take one after the other.
template <class Record>
struct Rest {
  const Record* next = nullptr;
  std::uint64_t left = 0;

  /// Null: there are fewer.
  const Record* take(std::uint64_t count) {
    if (count > left) return nullptr;
    const Record* taken = next;
    next += count;
    left -= count;
    return taken;
  }
};

class SceneReader {
 public:
  explicit SceneReader(FileReader& file) : m_file(file), m_asset(file.asset()) {}

  [[nodiscard]] bool read() {
    if (m_file.find(format::kSceneSection) == nullptr) return none_expected();
    std::uint64_t scenes = 0;
    if (!m_file.list(format::kSceneSection, m_asset.scenes, scenes) ||
        !view(format::kPaletteSection, m_asset.palette, m_entries) ||
        !view(format::kResponseSection, m_asset.responses, m_responses) ||
        !view(format::kStateSection, m_asset.states, m_states) ||
        !view(format::kPortraitSection, m_asset.portraits, m_portraits) ||
        !view(format::kNextSection, m_asset.next_responses, m_next)) {
      return false;
    }
    const float* insane = find_insane(m_portraits.next, static_cast<std::size_t>(m_portraits.left));
    if (insane != nullptr) return m_file.damaged(insane, "a number is not finite");
    if (scenes > m_asset.summary->object_count) return refuse("SCEN has more scenes than objects");
    m_asset.scene_count = static_cast<std::uint32_t>(scenes);
    std::uint64_t next = 0;
    bool good = true;
    each_object(m_asset, kScene, [&](std::size_t i, const format::Object& object) {
      if (!good) return;
      good = next < scenes && m_asset.scenes[next].object == i
                 ? check(m_asset.scenes[next], object)
                 : m_file.damaged(&object, "the scene has no portrait in SCEN");
      ++next;
    });
    if (!good) return false;
    if (next != scenes) return refuse("SCEN has portraits of objects that are not scenes");
    return (m_entries.left | m_responses.left | m_states.left | m_portraits.left | m_next.left) ==
               0 ||
           refuse("a section of scenes holds more than the scenes need");
  }

 private:
  [[nodiscard]] bool none_expected() {
    bool good = true;
    each_object(m_asset, kScene, [&](std::size_t, const format::Object& object) {
      if (good) good = m_file.damaged(&object, "the scene has no portrait: SCEN is missing");
    });
    return good;
  }

  template <class Record>
  [[nodiscard]] bool view(std::uint32_t id, const Record*& data, Rest<Record>& rest) const {
    if (!m_file.list(id, data, rest.left)) return false;
    rest.next = data;
    return true;
  }

  [[nodiscard]] bool check(const format::Scene& scene, const format::Object& object) {
    if (!format::is_scene_time(scene.frame_seconds) || !format::is_scene_time(scene.half_life) ||
        !(scene.beta >= 0) || !sane(scene.beta) || !(scene.size >= 0) || !sane(scene.size)) {
      return m_file.damaged(&scene.frame_seconds, "a number is out of range");
    }
    if (scene.entry_count == 0 || scene.entry_count > format::kMostPaletteEntries ||
        scene.response_count >= format::kNoResponse) {
      return m_file.damaged(&scene.entry_count, "too many entries or responses, or none");
    }
    const std::uint64_t modes = object.mode_count;
    const format::PaletteEntry* entries = m_entries.take(scene.entry_count);
    const format::Response* responses = m_responses.take(scene.response_count);
    const std::uint16_t* next =
        m_next.take((std::uint64_t{scene.state_count} + 1) * scene.entry_count);
    if (entries == nullptr || responses == nullptr || next == nullptr ||
        m_states.take(std::uint64_t{scene.state_count} * modes) == nullptr ||
        m_portraits.take((std::uint64_t{scene.response_count} + 1) * modes) == nullptr) {
      return m_file.damaged(&scene.entry_count, "the portrait does not fit its sections");
    }
    return check_entries(scene, entries) && check_responses(scene, responses) &&
           check_next(scene, responses, next);
  }

  [[nodiscard]] bool check_entries(const format::Scene& scene,
                                   const format::PaletteEntry* entries) const {
    for (std::uint32_t e = 0; e < scene.entry_count; ++e) {
      const format::PaletteEntry& entry = entries[e];
      if (!m_file.check_text(entry.name) || !m_file.check_text(entry.key)) return false;
      if (!(entry.weakest > 0 && entry.weakest <= entry.strongest) || !sane(entry.strongest)) {
        return m_file.damaged(&entry.weakest, "the strengths are out of range");
      }
    }
    return true;
  }

  [[nodiscard]] bool check_responses(const format::Scene& scene,
                                     const format::Response* responses) const {
    std::uint64_t state = 0;
    for (std::uint32_t r = 0; r < scene.response_count; ++r) {
      const format::Response& response = responses[r];
      if (response.first_state != state || response.state_count < 2) {
        return m_file.damaged(&response, "responses do not follow each other");
      }
      state += response.state_count;
      if (response.entry >= scene.entry_count || !sane(response.strength)) {
        return m_file.damaged(&response.entry, "the entry or its strength does not exist");
      }
    }
    if (state != scene.state_count) {
      return m_file.damaged(&scene.state_count, "the responses have another number of states");
    }
    for (std::uint32_t r = 0; r < scene.response_count; ++r) {
      if (!check_links(scene, responses, r)) return false;
    }
    return true;
  }

  /// Stronger ones come later in the list: following them ends.
  [[nodiscard]] bool check_links(const format::Scene& scene, const format::Response* responses,
                                 std::uint32_t r) const {
    const format::Response& response = responses[r];
    if (response.stronger != format::kNone) {
      const bool good = response.stronger > r && response.stronger < scene.response_count &&
                        responses[response.stronger].entry == response.entry &&
                        responses[response.stronger].strength > response.strength;
      if (!good) return m_file.damaged(&response.stronger, "there is no such stronger response");
    }
    if (response.onward == format::kNone) return true;
    return (response.onward < scene.response_count &&
            response.onward_frame < responses[response.onward].state_count) ||
           m_file.damaged(&response.onward, "there is no such response to go on with");
  }

  [[nodiscard]] bool check_next(const format::Scene& scene, const format::Response* responses,
                                const std::uint16_t* next) const {
    for (std::uint64_t s = 0; s <= scene.state_count; ++s) {
      for (std::uint32_t e = 0; e < scene.entry_count; ++e, ++next) {
        if (*next == format::kNoResponse) continue;
        if (*next >= scene.response_count || responses[*next].entry != e) {
          return m_file.damaged(next, "there is no such response to the entry");
        }
      }
    }
    return true;
  }

  FileReader& m_file;
  supple_asset& m_asset;
  Rest<format::PaletteEntry> m_entries;
  Rest<format::Response> m_responses;
  Rest<std::int16_t> m_states;
  Rest<float> m_portraits;
  Rest<std::uint16_t> m_next;
};

}  // namespace

bool read_scenes(FileReader& file) {
  return SceneReader(file).read();
}

}  // namespace supple::player
