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
/// have been checked.
struct Call {
  std::string method;
  std::string rest;  ///< of the path, decoded, after the handler's own
  std::string body;
};

struct Answer {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
};

/// Answers one method below one path. Runs on the server's thread: nothing else is served until it
/// returns.
struct Handler {
  std::string method;                          ///< "PUT"
  std::string path;                            ///< "api/settings/": what begins so is handled
  std::function<Answer(const Call&)> respond;  ///< what it throws becomes a 500
};

/// A text that is made once and served from memory.
struct Document {
  std::string type;
  std::string text;
};

/// All that can be asked for. Paths are relative ("files/hero.glb"); documents and files win over
/// handlers, those over the tree.
struct Site {
  std::filesystem::path root;  ///< a tree of plain files, read when asked for; "": none
  std::map<std::string, std::filesystem::path> files;
  std::map<std::string, Document> documents;
  std::vector<Handler> handlers;
  std::string events;  ///< path of the event stream; "": none
  /// Paths of further ones. Who listens there gets all events, and the states sent to that stream:
  /// a page needs a single connection, of which browsers grant six to a server.
  std::vector<std::string> streams;
  std::string token;  ///< from make_token(); "": every call but GET and HEAD is refused
};

/// What a client may take. The defaults suit a browser on the same machine.
struct Limits {
  std::size_t connections = 64;
  std::size_t listeners = 16;                  ///< of events, among the connections
  std::size_t target_bytes = 2048;             ///< of an address
  std::size_t header_bytes = 16 << 10;         ///< of all header fields together
  std::size_t body_bytes = 256 << 10;          ///< of what a client sends
  std::size_t queued_bytes = 1 << 20;          ///< of events that a listener has not taken yet
  std::chrono::milliseconds head{15000};       ///< until a request's header is complete
  std::chrono::milliseconds body{15000};       ///< until its body is
  std::chrono::milliseconds stall{30000};      ///< without taking a single piece of an answer
  std::chrono::milliseconds heartbeat{15000};  ///< between comments in a silent event stream
};

struct Settings {
  std::uint16_t port = 0;  ///< 0: any free one
  Limits limits;
};

/// 256 bits from the operating system, in hexadecimal.
[[nodiscard]] Result<std::string> make_token();

/// Serves a site on 127.0.0.1, and nowhere else, from a thread of its own.
///
/// Requests must name this host (127.0.0.1 or localhost, with the port) and, if they tell their
/// origin, come from a page of this server: a name that somebody points at this machine, and pages
/// of others, get 403. Calls other than GET and HEAD need the site's token in X-Supple-Token.
class Server {
 public:
  /// A port that is taken and a root that is no directory are errors.
  [[nodiscard]] static Result<Server> start(Site site, const Settings& settings = {});
  ~Server();
  Server(Server&&) noexcept;
  Server& operator=(Server&&) noexcept;

  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] std::string address() const;  ///< "http://127.0.0.1:8080/"

  /// To everyone who listens; any thread may call. A listener that does not keep up is dropped:
  /// it connects again and asks for the state as it is then.
  void send_event(std::string_view name, std::string_view data);
  /// To those who listen at `stream`, one of Site::streams; any thread may call. Each state makes
  /// those before it worthless: who is still busy with an older one gets the newest alone.
  void send_state(std::string_view stream, std::string_view name, std::string_view data);
  [[nodiscard]] std::size_t listener_count() const;
  [[nodiscard]] std::size_t listener_count(std::string_view stream) const;

  /// Says "bye" to listeners, cuts everything else and joins the thread. Not from a handler.
  void stop();

 private:
  class Core;
  explicit Server(std::unique_ptr<Core> core);
  std::unique_ptr<Core> m_core;
};

}  // namespace supple::server
