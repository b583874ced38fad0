// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/server/server.hpp"

#include "temporary_directory.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace supple::server::testing {

/// A plain socket: no library between a test and the bytes it sends.
class Client {
 public:
  enum class Window { Usual, Small };  ///< what the kernel keeps for us before a sender must wait
  explicit Client(std::uint16_t port, Window window = Window::Usual);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// False once the other side does not take more.
  bool send(std::string_view bytes);
  /// Says that no more will be sent.
  void end();
  /// What has arrived when `text` has, the connection ended, or the time is over.
  std::string receive_until(std::string_view text,
                            std::chrono::milliseconds time = std::chrono::seconds(60));
  /// Everything until the connection ends; `ended` tells if it did.
  std::string receive_all(std::chrono::milliseconds time = std::chrono::seconds(60));
  [[nodiscard]] bool ended() const { return m_ended; }

 private:
  int m_socket;
  bool m_ended = false;
  std::string m_received;
};

struct Received {
  int status = 0;
  std::map<std::string, std::string> fields;  ///< names in lower case
  std::string body;
};
[[nodiscard]] Received parse(const std::string& text);

/// One request on a separate connection.
[[nodiscard]] Received request(std::uint16_t port, const std::string& text);
/// GET with the right Host; `fields` are further lines, each with its "\r\n".
[[nodiscard]] std::string get(std::uint16_t port, std::string_view target,
                              std::string_view fields = "");

/// The largest body that "POST api/upload" of the fixture accepts.
inline constexpr std::size_t kUploadBytes = std::size_t{600} << 10;

/// A server with a bit of everything, in its own directory.
struct Fixture {
  explicit Fixture(const Limits& limits = {});

  [[nodiscard]] std::uint16_t port() const { return server->port(); }
  /// The server still does what it should, and nothing on disk changed.
  void expect_unharmed() const;

  /// What the PUT handler was given last.
  [[nodiscard]] std::string saved() const;

  supple::testing::TemporaryDirectory directory;
  std::string token;
  std::unique_ptr<Server> server;

 private:
  mutable std::mutex m_mutex;  ///< the handler runs on the server's thread
  std::string m_saved;
};

}  // namespace supple::server::testing
