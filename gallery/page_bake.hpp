// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gallery/bake_progress.hpp"
#include "gallery/temporary_folder.hpp"

#include "supple/bake/kept_settings.hpp"
#include "supple/core/job.hpp"
#include "supple/core/result.hpp"
#include "supple/server/server.hpp"

#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace supple::gallery {

inline constexpr const char* kBakeAddress = "api/bake";
/// The largest upload: a character with large textures fits.
inline constexpr std::size_t kMostBakeBytes = std::size_t{256} << 20;

/// A character to bake, as a page sends it: a line of JSON, then the bytes of its file.
struct PageBakeRequest {
  bake::BakeCommand command = bake::BakeCommand::Bake;
  std::string name;      ///< of the file, for messages
  std::string settings;  ///< the text of the command's .toml; "": chosen automatically
  std::string bytes;     ///< .glb, or .gltf without further files
};
/// Settings that the bake would refuse are an error here.
[[nodiscard]] Result<PageBakeRequest> parse_page_bake(std::string_view body);

/// Bakes files that pages send, one at a time, on its own thread. Each bake has an address that
/// only the page knows which began it. Results stay in a temporary folder until the next bake or
/// the end.
class PageBakes {
 public:
  /// `patience`: a bake whose page has not asked for that long is cancelled. Browsers let hidden
  /// pages ask once a minute.
  explicit PageBakes(std::chrono::milliseconds patience = std::chrono::seconds(150));
  ~PageBakes() { stop(); }
  PageBakes(const PageBakes&) = delete;
  PageBakes& operator=(const PageBakes&) = delete;

  /// Adds its calls. The site's handlers keep `bakes` alive.
  static void add_to(server::Site& site, const std::shared_ptr<PageBakes>& bakes);
  /// Cancels the bake that is running, and waits for its end.
  void stop();

 private:
  using Clock = std::chrono::steady_clock;
  enum class State { Running, Done, Failed, Cancelled };

  /// One bake. Everything except the job and the request belongs to m_mutex.
  struct Bake {
    std::string id;
    PageBakeRequest request;
    std::filesystem::path output;  ///< .glb, with a .supple beside it
    std::optional<Job> job;
    State state = State::Running;
    BakeProgress progress;
    std::string error;
    std::vector<std::string> warnings;
    Clock::time_point asked;  ///< when its page asked last
  };

  [[nodiscard]] server::Answer begin(const server::Call& call);
  [[nodiscard]] server::Answer ask(const server::Call& call);
  [[nodiscard]] server::Answer cancel(const server::Call& call);
  void run(Bake& bake);
  void advance(Bake& bake, const ProgressState& state);
  // Under the lock:
  [[nodiscard]] Result<void> prepare(PageBakeRequest request);
  [[nodiscard]] Bake* find(std::string_view id);  ///< null if no bake has this id
  [[nodiscard]] static server::Answer describe(Bake& bake);

  const std::chrono::milliseconds m_patience;
  TemporaryFolder m_folder;
  std::mutex m_mutex;            ///< protects the members below
  std::unique_ptr<Bake> m_bake;  ///< the last one
  std::thread m_thread;
  bool m_stopping = false;
};

}  // namespace supple::gallery
