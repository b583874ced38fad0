// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/job.hpp"
#include "supple/core/result.hpp"
#include "supple/server/server.hpp"

#include <nlohmann/json_fwd.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace supple::gallery {

/// The largest upload: a character with large textures fits.
inline constexpr std::size_t kMostPageBytes = std::size_t{256} << 20;

/// What a page had computed: a bake or a simulation.
class PageWork {
 public:
  using Clock = std::chrono::steady_clock;
  PageWork() = default;
  PageWork(const PageWork&) = delete;
  PageWork& operator=(const PageWork&) = delete;
  virtual ~PageWork() = default;

  [[nodiscard]] virtual const std::string& name() const = 0;      ///< of the file, for messages
  [[nodiscard]] virtual std::string_view participle() const = 0;  ///< "baked"
  /// On a thread of its own. What the other functions read is written under `mutex`, which they are
  /// called with.
  [[nodiscard]] virtual Result<void> run(std::mutex& mutex) = 0;
  virtual void advance(const ProgressState& state, Clock::time_point now) = 0;
  [[nodiscard]] virtual double done(Clock::time_point now) = 0;  ///< 0 to 1
  /// What its page is told: while it runs, with `stage`, and when it is done.
  [[nodiscard]] virtual nlohmann::ordered_json progress(Clock::time_point now) = 0;
  [[nodiscard]] virtual nlohmann::ordered_json summary() const = 0;
  /// What lies at `path` below its address; none: nothing, or nothing yet.
  [[nodiscard]] virtual std::optional<server::Answer> result(const std::string& path,
                                                             bool done) const = 0;
};

/// Does what pages ask for, one work at a time, on a thread of its own. Each has an address that
/// only the page knows which began it. Results stay until the next work begins, or the end.
class PageJobs {
 public:
  /// `patience`: work whose page has not asked for that long is cancelled. Browsers let hidden
  /// pages ask once a minute.
  explicit PageJobs(std::chrono::milliseconds patience = std::chrono::seconds(150));
  ~PageJobs() { stop(); }
  PageJobs(const PageJobs&) = delete;
  PageJobs& operator=(const PageJobs&) = delete;

  /// From the body of a request: an error is answered with 400.
  using MakeWork = std::function<Result<std::unique_ptr<PageWork>>(std::string_view body)>;
  /// Adds the calls of one kind of work below `address`. The site's handlers keep `jobs` alive.
  static void add_to(server::Site& site, const std::shared_ptr<PageJobs>& jobs,
                     const std::string& address, const MakeWork& make);
  /// Cancels the work that is running, and waits for its end.
  void stop();

 private:
  using Clock = PageWork::Clock;
  enum class State { Running, Done, Failed, Cancelled };

  /// Everything except the job belongs to m_mutex.
  struct Begun {
    std::string id;
    std::unique_ptr<PageWork> work;
    std::optional<Job> job;
    State state = State::Running;
    std::string error;
    Clock::time_point asked;  ///< when its page asked last
  };

  [[nodiscard]] server::Answer begin(const server::Call& call, const MakeWork& make);
  [[nodiscard]] server::Answer ask(const server::Call& call);
  [[nodiscard]] server::Answer cancel(const server::Call& call);
  void run(Begun& begun);
  void advance(Begun& begun, const ProgressState& state);
  // Under the lock:
  [[nodiscard]] Result<void> prepare(std::unique_ptr<PageWork> work);
  [[nodiscard]] Begun* find(std::string_view id);  ///< null if nothing has this id
  [[nodiscard]] static server::Answer describe(Begun& begun);

  const std::chrono::milliseconds m_patience;
  std::mutex m_mutex;              ///< protects the members below
  std::unique_ptr<Begun> m_begun;  ///< the last one
  std::thread m_thread;
  bool m_stopping = false;
};

/// The line of JSON with which the body of a request begins, and the bytes of the file after it.
/// Unknown keys are an error that lists those of `keys`.
struct PageUpload {
  std::string line;  ///< a JSON object
  std::string_view bytes;
};
[[nodiscard]] Result<PageUpload> split_upload(std::string_view body,
                                              const std::vector<std::string>& keys);
/// The name of a file, for messages.
[[nodiscard]] Result<std::string> upload_name(const nlohmann::json& value, std::string_view key);

}  // namespace supple::gallery
