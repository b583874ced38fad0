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

/// An event with the reason why something that was asked for could not be done.
inline constexpr const char* kSwimRefused = "refused";

/// A JSON object of a page: hold, stroke, command, target, reset. The error says what is wrong.
/// `current` is the stroke that is swum, where the page chooses no other.
[[nodiscard]] Result<SwimLiveChange> parse_swim_change(std::string_view json,
                                                       const LiveStrokes& strokes,
                                                       std::size_t current);

/// The swimmer behind a server: swims in real time on a thread of its own while pages look, rests
/// when none does. All pages see and steer the same one.
class SwimLive {
 public:
  /// A stroke's name or file; "": the usual one.
  [[nodiscard]] static Result<std::shared_ptr<SwimLive>> create(const std::string& stroke);
  ~SwimLive() { stop(); }
  SwimLive(const SwimLive&) = delete;
  SwimLive& operator=(const SwimLive&) = delete;

  /// Its calls and its stream. The site's handlers keep `live` alive.
  static void add_to(server::Site& site, const std::shared_ptr<SwimLive>& live);
  /// Swims for the listeners of this server, which must outlive the next stop().
  void start(server::Server& server);
  /// Joins the thread.
  void stop();

 private:
  explicit SwimLive(LiveStrokes strokes) : m_strokes(std::move(strokes)) {}
  [[nodiscard]] server::Answer receive(const server::Call& call);
  void run(server::Server& server);
  /// Sleeps until then; false: it is over.
  [[nodiscard]] bool sleep_until(std::chrono::steady_clock::time_point time);
  void apply_changes(server::Server& server);
  /// False: he has stopped.
  [[nodiscard]] bool swim_a_frame();

  const LiveStrokes m_strokes;
  std::optional<SwimLiveModel> m_model;  ///< of the thread, once there is one
  std::string m_why_stopped;             ///< likewise
  std::string m_description;
  std::mutex m_mutex;  ///< over what follows
  std::condition_variable m_wake;
  std::vector<SwimLiveChange> m_changes;
  std::size_t m_stroke = 0;  ///< once those are done
  bool m_stopping = false;
  std::thread m_thread;
};

}  // namespace supple::gallery
