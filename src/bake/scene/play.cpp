// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/play_scene.hpp"
#include "supple/core/interrupt.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <supple.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace supple::bake {
namespace {

/// Play ends when the scene rests, or here.
constexpr double kLongestUntilRest = 20;  // s

struct DestroyScenePlayer {
  void operator()(supple_player* player) const { supple_player_destroy(player); }
};

class SceneRun {
 public:
  SceneRun(const BakedFile& file, const std::vector<ScenePart>& parts,
           const ScenePlaySettings& settings)
      : m_asset(file.asset()), m_parts(parts), m_settings(settings) {
    (void)supple_asset_describe(m_asset, &m_info);
    (void)supple_asset_scene(m_asset, parts.front().object, &m_scene);
  }

  Result<ScenePlay> run(const std::vector<SceneTrigger>& triggers) {
    SUPPLE_TRY_VOID(create());
    // Times in frames of the scene: whole numbers stay whole, and so do the frames of the portrait.
    const double per_row = rate() > 0 ? whole(1 / (rate() * m_scene.frame_seconds)) : 1;
    const double last = triggers.empty() ? 0 : triggers.back().time;
    const double seconds = m_settings.seconds.value_or(last + kLongestUntilRest);
    const double end = whole(seconds / m_scene.frame_seconds);
    auto next = triggers.begin();
    double now = 0;
    for (std::size_t row = 0;; ++row) {
      SUPPLE_TRY_VOID(check_interrupt());
      const double time = static_cast<double>(row) * per_row;
      if (time > end * (1 + 1e-12)) break;
      for (; next != triggers.end() && moment(*next) <= time; ++next) {
        step(now, moment(*next));
        SUPPLE_TRY_VOID(trigger(*next));
      }
      step(now, time);
      record();
      if (!m_settings.seconds && next == triggers.end() && row > 0 && rests()) break;
    }
    return finish(per_row);
  }

 private:
  [[nodiscard]] double rate() const { return m_settings.rate; }
  [[nodiscard]] static double whole(double frames) {
    constexpr double kRounding = 1e-6;
    const double near = std::round(frames);
    return std::abs(frames - near) < kRounding ? near : frames;
  }
  [[nodiscard]] double moment(const SceneTrigger& trigger) const {
    return whole(trigger.time / m_scene.frame_seconds);
  }

  Result<void> create() {
    supple_player* created = nullptr;
    if (supple_player_create(m_asset, &created) != SUPPLE_OK) {
      return bad_input("not enough memory for a player");
    }
    m_player.reset(created);
    for (const ScenePart& part : m_parts) {
      supple_object_settings object{};
      (void)supple_player_get_settings(created, part.object, &object);
      object.gain = m_settings.gain;
      if (supple_player_set_settings(created, part.object, &object) != SUPPLE_OK) {
        return bad_input(fmt::format("the gain is {:g}; it must be finite", m_settings.gain));
      }
    }
    return {};
  }

  void step(double& now, double until) {
    if (!(until > now)) return;
    (void)supple_player_step(m_player.get(), (until - now) * m_scene.frame_seconds);
    now = until;
  }

  [[nodiscard]] supple_scene_state state(std::uint32_t object) const {
    supple_scene_state state{};
    (void)supple_player_scene_state(m_player.get(), object, &state);
    return state;
  }

  [[nodiscard]] bool rests() const {
    return std::all_of(m_parts.begin(), m_parts.end(),
                       [&](const ScenePart& part) { return state(part.object).at_rest != 0; });
  }

  [[nodiscard]] const ScenePart& part_of(const SceneTrigger& trigger) const {
    return *std::find_if(m_parts.begin(), m_parts.end(),
                         [&](const ScenePart& part) { return part.object == trigger.object; });
  }

  Result<void> trigger(const SceneTrigger& wanted) {
    const supple_scene_state before = state(wanted.object);
    if (supple_player_trigger(m_player.get(), wanted.object, wanted.entry, wanted.strength) !=
        SUPPLE_OK) {
      return forbidden(wanted, before.allowed);
    }
    const supple_scene_state after = state(wanted.object);
    ScenePlayedTrigger played{wanted, {}, after.response, after.last_blend};
    if (before.response != SUPPLE_NO_ENTRY) played.at = place_of(before);
    m_play.triggers.push_back(played);
    return {};
  }

  /// The state that the table of next responses was asked for: the nearest frame.
  [[nodiscard]] scene::Place place_of(const supple_scene_state& state) const {
    return {state.response, static_cast<std::size_t>(std::lround(state.frame))};
  }

  [[nodiscard]] Error forbidden(const SceneTrigger& wanted, std::uint64_t allowed) const {
    std::vector<std::string> names;
    const ScenePart& part = part_of(wanted);
    for (std::uint32_t e = 0; e < part.palette.size(); ++e) {
      if ((allowed >> e & 1U) != 0) names.push_back(part.palette[e].name);
    }
    const std::string where =
        m_parts.size() > 1 ? fmt::format(" on '{}'", part.name) : std::string();
    return bad_input(
        fmt::format("entry '{}' may not act{} at {:g} s by the rules of the palette; allowed then: "
                    "{}",
                    part.palette[wanted.entry].name, where, wanted.time,
                    names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
  }

  void record() {
    const auto modes = static_cast<Eigen::Index>(m_info.mode_count);
    m_rows.emplace_back(
        Eigen::Map<const Eigen::VectorXf>(supple_player_coefficients(m_player.get()), modes)
            .cast<double>());
    double off = 0;
    for (const ScenePart& part : m_parts) off = std::max(off, state(part.object).off);
    m_play.off.push_back(off);
    m_play.response.push_back(state(m_parts.front().object).response);
  }

  Result<ScenePlay> finish(double per_row) {
    Tracks& tracks = m_play.tracks;
    tracks.name = "palette";
    tracks.duration = static_cast<double>(m_rows.size() - 1) * per_row * m_scene.frame_seconds;
    tracks.values.resize(static_cast<Eigen::Index>(m_rows.size()),
                         static_cast<Eigen::Index>(m_info.mode_count));
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
      tracks.values.row(static_cast<Eigen::Index>(i)) = m_rows[i].transpose();
    }
    m_play.rests = rests();
    return std::move(m_play);
  }

  const supple_asset* m_asset;
  const std::vector<ScenePart>& m_parts;
  const ScenePlaySettings& m_settings;
  supple_asset_info m_info{};
  supple_scene_info m_scene{};  ///< all have the same frames
  std::unique_ptr<supple_player, DestroyScenePlayer> m_player;
  std::vector<Eigen::VectorXd> m_rows;
  ScenePlay m_play;
};

}  // namespace

Result<ScenePlay> play_scene(const BakedFile& file, const std::vector<SceneTrigger>& triggers,
                             const ScenePlaySettings& settings) {
  constexpr double kMostRows = 1e6;
  if (settings.seconds && !(*settings.seconds > 0 && *settings.seconds <= 3600)) {
    return Error(ErrorCode::Usage,
                 fmt::format("{:g} s cannot be played; play up to 3600 s", *settings.seconds));
  }
  if (settings.seconds.value_or(kLongestUntilRest) * settings.rate > kMostRows) {
    return Error(ErrorCode::Usage,
                 fmt::format("{:g} frames per second are too many for so long a time; at most "
                             "{:g} frames in all",
                             settings.rate, kMostRows));
  }
  if (settings.seconds && !triggers.empty() && triggers.back().time > *settings.seconds) {
    return Error(ErrorCode::Usage,
                 fmt::format("an entry acts at {:g} s, after the end at {:g} s; play longer",
                             triggers.back().time, *settings.seconds));
  }
  SUPPLE_TRY(const std::vector<ScenePart> parts, scene_parts(file));
  return SceneRun(file, parts, settings).run(triggers);
}

Result<std::vector<ScenePart>> scene_parts(const BakedFile& file) {
  supple_asset_info asset{};
  (void)supple_asset_describe(file.asset(), &asset);
  std::vector<ScenePart> parts;
  for (std::uint32_t o = 0; o < asset.object_count; ++o) {
    auto scene = file.scene(o);
    if (!scene) continue;
    supple_object_info info{};
    (void)supple_asset_object(file.asset(), o, &info);
    parts.push_back({o, info.name, std::move(scene->palette)});
  }
  if (!parts.empty()) return parts;
  return Error(ErrorCode::Usage,
               fmt::format("'{}' has no scene: only scenes, which 'supple scene' makes, have a "
                           "palette; choose a motion",
                           file.name()));
}

}  // namespace supple::bake
