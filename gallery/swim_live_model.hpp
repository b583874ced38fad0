// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gallery/swim_live_frame.hpp"

#include "supple/bake/swim_stroke.hpp"
#include "supple/core/result.hpp"
#include "supple/swim/steering.hpp"

#include <array>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace supple::gallery {

/// A page's request to the swimmer; absent members change nothing.
struct SwimLiveChange {
  std::optional<std::array<int, 3>> hold;  ///< up, left, roll to the left: each -1, 0 or 1
  std::optional<std::size_t> stroke;
  std::optional<std::string> command;  ///< for the stroke's graph
  std::optional<Eigen::Vector3d> target;
  bool forget_target = false;
  bool reset = false;
};

/// A stroke with its body and water.
struct LiveStroke {
  bake::SwimStroke file;
  swim::Body body;
  swim::WaterSettings water;
  bool steers = false;
  std::vector<std::string> commands;  ///< the commands of its graph
};

/// The strokes to choose from: the given one first if it is a file, then the built-in ones, each
/// name once. "": starts with the default.
struct LiveStrokes {
  std::vector<std::unique_ptr<const LiveStroke>> list;
  std::size_t first = 0;

  [[nodiscard]] static Result<LiveStrokes> load(const std::string& stroke);
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;
  /// Checks that the stroke with this number has this command; the error lists its commands.
  [[nodiscard]] Result<void> check_command(std::size_t stroke, std::string_view command) const;
  /// For pages: names, poses, commands, segments, surfaces; `frames` is the stream's path.
  [[nodiscard]] std::string describe(std::string_view frames) const;
};

/// The swimmer that pages steer. Not thread-safe.
class SwimLiveModel {
 public:
  static constexpr double kStep = 1.0 / 60;

  /// Keeps a reference.
  [[nodiscard]] static Result<SwimLiveModel> create(const LiveStrokes& strokes);

  /// An error says what could not be done; the swimmer continues unchanged.
  [[nodiscard]] Result<void> apply(const SwimLiveChange& change);
  /// A swimmer that becomes unstable restarts from the stroke's start. If that does not help it
  /// stops, and the error says why; a reset or another stroke restarts it.
  [[nodiscard]] Result<void> step();
  [[nodiscard]] bool stopped() const { return m_stopped; }
  [[nodiscard]] std::size_t stroke_number() const { return m_stroke; }
  [[nodiscard]] SwimLiveFrame frame() const;

 private:
  struct Past {
    double time = 0;
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();
    double effort = 0;
  };

  explicit SwimLiveModel(const LiveStrokes& strokes) : m_strokes(&strokes) {}
  [[nodiscard]] const LiveStroke& stroke() const { return *m_strokes->list[m_stroke]; }
  /// Continues with this stroke from there.
  [[nodiscard]] Result<void> begin(std::size_t number, const swim::StartState& start);
  /// The same from the stroke's own start, as a new run.
  [[nodiscard]] Result<void> begin_afresh(std::size_t number);
  [[nodiscard]] Result<void> change_stroke(std::size_t number);
  void forget_course();
  [[nodiscard]] Result<void> start_again(const Error& why);
  [[nodiscard]] Result<void> advance();
  void note_past();

  const LiveStrokes* m_strokes;
  std::size_t m_stroke = 0;
  std::optional<swim::Swimmer> m_swimmer;
  std::optional<swim::PoseController> m_controller;
  std::optional<swim::KeySteering> m_keys;
  std::optional<swim::Steering> m_course;  ///< to a target set by a page
  std::array<int, 3> m_held{};
  double m_hold_left = 0;   ///< s until a hold expires unless repeated: its page may be closed
  std::deque<Past> m_past;  ///< about a cycle
  std::uint32_t m_run = 0;
  bool m_lost_control = false;
  bool m_stopped = false;
  int m_failures = 0;        ///< restarts in quick succession
  double m_run_seconds = 0;  ///< since the last start
  double m_time = 0;
  double m_distance = 0;
};

}  // namespace supple::gallery
