// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace supple::server {

/// A call that reached its handler: Host, Origin and, for methods that change something, the token
/// have already been checked.
struct Call {
  std::string method;
  std::string rest;  ///< the decoded path after the handler's own
  std::string body;
};

struct Answer {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  std::filesystem::path file{};  ///< sent instead of the body; a missing file becomes a 404
};

/// Handles one method below one path. Runs on the server's thread: nothing else is served until it
/// returns.
struct Handler {
  std::string method;                          ///< "PUT"
  std::string path;                            ///< "api/settings/": a prefix
  std::function<Answer(const Call&)> respond;  ///< exceptions become a 500
  /// For uploads: the largest body, and the time for it to arrive; 0: see Limits.
  std::size_t body_bytes = 0;
  std::chrono::milliseconds body_time{0};
};

/// A text served from memory.
struct Document {
  std::string type;
  std::string text;
};

/// Everything that can be requested. Paths are relative ("files/hero.glb"); documents and files
/// take precedence over handlers, and handlers over the tree.
struct Site {
  std::filesystem::path root;  ///< a tree of plain files, read on request; "": none
  std::map<std::string, std::filesystem::path> files;
  std::map<std::string, Document> documents;
  std::vector<Handler> handlers;
  std::string events;  ///< path of the event stream; "": none
  /// Paths of further streams. Their listeners get all events plus the states sent to that stream,
  /// so a page needs a single connection; browsers allow six per server.
  std::vector<std::string> streams;
  std::string token;  ///< from make_token(); "": all calls except GET and HEAD are refused
};

/// Limits on clients. The defaults suit a browser on the same machine.
struct Limits {
  std::size_t connections = 64;
  std::size_t listeners = 16;                  ///< of events, among the connections
  std::size_t target_bytes = 2048;             ///< of an address
  std::size_t header_bytes = 16 << 10;         ///< of all header fields together
  std::size_t body_bytes = 256 << 10;          ///< of a request
  std::size_t queued_bytes = 1 << 20;          ///< of events that a listener has not accepted yet
  std::chrono::milliseconds head{15000};       ///< until a request's header is complete
  std::chrono::milliseconds body{15000};       ///< until its body is
  std::chrono::milliseconds stall{30000};      ///< without accepting any piece of a response
  std::chrono::milliseconds heartbeat{15000};  ///< between comments in a silent event stream
};

struct Settings {
  std::uint16_t port = 0;  ///< 0: any free one
  Limits limits;
};

/// 256 bits from the operating system, in hexadecimal.
[[nodiscard]] Result<std::string> make_token();

/// Serves a site only on 127.0.0.1, from a separate thread.
///
/// Requests must name this host (127.0.0.1 or localhost, with the port) and, if they state an
/// origin, come from a page of this server: foreign names that resolve to this machine, and foreign
/// pages, get 403. Calls other than GET and HEAD need the site's token in X-Supple-Token.
class Server {
 public:
  /// A port in use and a root that is not a directory are errors.
  [[nodiscard]] static Result<Server> start(Site site, const Settings& settings = {});
  ~Server();
  Server(Server&&) noexcept;
  Server& operator=(Server&&) noexcept;

  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] std::string address() const;  ///< "http://127.0.0.1:8080/"

  /// Sends to all listeners; any thread may call. A listener that does not keep up is dropped: it
  /// reconnects and requests the current state.
  void send_event(std::string_view name, std::string_view data);
  /// Sends to the listeners of `stream`, one of Site::streams; any thread may call. Each state
  /// supersedes earlier ones: a listener still busy with an older one gets only the newest.
  void send_state(std::string_view stream, std::string_view name, std::string_view data);
  [[nodiscard]] std::size_t listener_count() const;
  [[nodiscard]] std::size_t listener_count(std::string_view stream) const;

  /// Sends "bye" to listeners, closes everything else and joins the thread. Do not call from a
  /// handler.
  void stop();

 private:
  class Core;
  explicit Server(std::unique_ptr<Core> core);
  std::unique_ptr<Core> m_core;
};

}  // namespace supple::server
