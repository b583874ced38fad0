// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/play_scene.hpp"
#include "supple/core/interrupt.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <supple.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace supple::bake {
namespace {

/// Play ends when the scene rests, or here.
constexpr double kLongestUntilRest = 20;  // s

struct DestroyScenePlayer {
  void operator()(supple_player* player) const { supple_player_destroy(player); }
};

class SceneRun {
 public:
  SceneRun(const BakedFile& file, std::uint32_t object, const ScenePlaySettings& settings)
      : m_asset(file.asset()), m_object(object), m_settings(settings) {
    (void)supple_asset_describe(m_asset, &m_info);
    (void)supple_asset_scene(m_asset, object, &m_scene);
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
      if (!m_settings.seconds && next == triggers.end() && row > 0 && state().at_rest != 0) break;
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
    supple_object_settings object{};
    (void)supple_player_get_settings(created, m_object, &object);
    object.gain = m_settings.gain;
    if (supple_player_set_settings(created, m_object, &object) != SUPPLE_OK) {
      return bad_input(fmt::format("the gain is {:g}; it must be finite", m_settings.gain));
    }
    return {};
  }

  void step(double& now, double until) {
    if (!(until > now)) return;
    (void)supple_player_step(m_player.get(), (until - now) * m_scene.frame_seconds);
    now = until;
  }

  [[nodiscard]] supple_scene_state state() const {
    supple_scene_state state{};
    (void)supple_player_scene_state(m_player.get(), m_object, &state);
    return state;
  }

  [[nodiscard]] const char* entry_name(std::uint32_t entry) const {
    supple_entry_info info{};
    (void)supple_asset_scene_entry(m_asset, m_object, entry, &info);
    return info.name;
  }

  Result<void> trigger(const SceneTrigger& wanted) {
    const supple_scene_state before = state();
    if (supple_player_trigger(m_player.get(), m_object, wanted.entry, wanted.strength) !=
        SUPPLE_OK) {
      return forbidden(wanted, before.allowed);
    }
    const supple_scene_state after = state();
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
    for (std::uint32_t e = 0; e < m_scene.entry_count; ++e) {
      if ((allowed >> e & 1U) != 0) names.emplace_back(entry_name(e));
    }
    return bad_input(
        fmt::format("entry '{}' may not act at {:g} s by the rules of the palette; allowed then: "
                    "{}",
                    entry_name(wanted.entry), wanted.time,
                    names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
  }

  void record() {
    const auto modes = static_cast<Eigen::Index>(m_info.mode_count);
    m_rows.emplace_back(
        Eigen::Map<const Eigen::VectorXf>(supple_player_coefficients(m_player.get()), modes)
            .cast<double>());
    const supple_scene_state now = state();
    m_play.off.push_back(now.off);
    m_play.response.push_back(now.response);
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
    m_play.rests = state().at_rest != 0;
    return std::move(m_play);
  }

  const supple_asset* m_asset;
  std::uint32_t m_object;
  const ScenePlaySettings& m_settings;
  supple_asset_info m_info{};
  supple_scene_info m_scene{};
  std::unique_ptr<supple_player, DestroyScenePlayer> m_player;
  std::vector<Eigen::VectorXd> m_rows;
  ScenePlay m_play;
};

}  // namespace

Result<ScenePlay> play_scene(const BakedFile& file, std::uint32_t object,
                             const std::vector<SceneTrigger>& triggers,
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
  return SceneRun(file, object, settings).run(triggers);
}

Result<std::uint32_t> find_scene_object(const BakedFile& file) {
  supple_scene_info info{};
  supple_asset_info asset{};
  (void)supple_asset_describe(file.asset(), &asset);
  for (std::uint32_t o = 0; o < asset.object_count; ++o) {
    if (supple_asset_scene(file.asset(), o, &info) == SUPPLE_OK) return o;
  }
  return Error(ErrorCode::Usage,
               fmt::format("'{}' has no scene: only scenes, which 'supple scene' makes, have a "
                           "palette; choose a motion",
                           file.name()));
}

}  // namespace supple::bake
