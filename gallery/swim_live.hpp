// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gallery/swim_live_model.hpp"

#include "supple/server/server.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace supple::gallery {

inline constexpr const char* kSwimAddress = "api/swim";
inline constexpr const char* kSwimFrames = "api/swim/frames";

/// An event that says why a request could not be carried out.
inline constexpr const char* kSwimRefused = "refused";

/// Reads a page's JSON object: hold, stroke, command, target, reset. The error says what is wrong.
/// `current` is the current stroke, used unless the page chooses another.
[[nodiscard]] Result<SwimLiveChange> parse_swim_change(std::string_view json,
                                                       const LiveStrokes& strokes,
                                                       std::size_t current);

/// The swimmer behind a server: swims in real time on its own thread while pages are connected,
/// otherwise pauses. All pages see and steer the same swimmer.
class SwimLive {
 public:
  /// A stroke's name or file; "": the default.
  [[nodiscard]] static Result<std::shared_ptr<SwimLive>> create(const std::string& stroke);
  ~SwimLive() { stop(); }
  SwimLive(const SwimLive&) = delete;
  SwimLive& operator=(const SwimLive&) = delete;

  /// Adds its calls and its stream. The site's handlers keep `live` alive.
  static void add_to(server::Site& site, const std::shared_ptr<SwimLive>& live);
  /// Swims for the listeners of this server, which must outlive the next stop().
  void start(server::Server& server);
  /// Joins the thread.
  void stop();

 private:
  explicit SwimLive(LiveStrokes strokes) : m_strokes(std::move(strokes)) {}
  [[nodiscard]] server::Answer receive(const server::Call& call);
  void run(server::Server& server);
  /// Sleeps until then; false: stop requested.
  [[nodiscard]] bool sleep_until(std::chrono::steady_clock::time_point time);
  void apply_changes(server::Server& server);
  /// False: the swimmer has stopped.
  [[nodiscard]] bool swim_a_frame();

  const LiveStrokes m_strokes;
  std::optional<SwimLiveModel> m_model;  ///< used only by the thread once it runs
  std::string m_why_stopped;             ///< likewise
  std::string m_description;
  std::mutex m_mutex;  ///< protects the members below
  std::condition_variable m_wake;
  std::vector<SwimLiveChange> m_changes;
  std::size_t m_stroke = 0;  ///< after those changes
  bool m_stopping = false;
  std::thread m_thread;
};

}  // namespace supple::gallery
