// SPDX-License-Identifier: Apache-2.0
#include "supple/server/server.hpp"

#include "server/peer_user.hpp"
#include "server/session.hpp"

#include "supple/core/check.hpp"
#include "supple/core/log.hpp"

#include <fmt/format.h>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <chrono>
#include <exception>
#include <thread>

namespace supple::server {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using namespace std::chrono_literals;
using SystemError = boost::system::error_code;

/// Time for listeners to read "bye".
constexpr auto kFarewellStep = 20ms;
constexpr int kFarewellSteps = 15;
/// Pause after a failed accept, for example when descriptors run out.
constexpr auto kAcceptPause = 100ms;

/// "event: name", then a "data:" line for each line of the text.
std::string format_event(std::string_view name, std::string_view data) {
  std::string text = fmt::format("event: {}\n", name);
  while (true) {
    const std::size_t end = data.find_first_of("\r\n");
    text += fmt::format("data: {}\n", data.substr(0, end));
    if (end == std::string_view::npos) break;
    data.remove_prefix(data.substr(end).starts_with("\r\n") ? end + 2 : end + 1);
  }
  return text + "\n";
}

Result<void> check_site(const Site& site) {
  std::error_code failure;
  if (!site.root.empty() && !std::filesystem::is_directory(site.root, failure)) {
    return io_error(fmt::format("cannot serve '{}': it is not a directory", site.root.string()));
  }
  return {};
}

}  // namespace

class Server::Core {
 public:
  Core() : m_acceptor(m_context), m_pause(m_context), m_farewell(m_context) {}
  ~Core() { stop(); }
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  [[nodiscard]] Result<void> open(std::uint16_t port) {
    const tcp::endpoint endpoint(asio::ip::address_v4::loopback(), port);
    SystemError failure;
    m_acceptor.open(endpoint.protocol(), failure);
    // A port of a run that has just ended can be reused.
    if (!failure) m_acceptor.set_option(asio::socket_base::reuse_address(true), failure);
    if (!failure) m_acceptor.bind(endpoint, failure);
    if (!failure) m_acceptor.listen(asio::socket_base::max_listen_connections, failure);
    if (!failure) m_port = m_acceptor.local_endpoint(failure).port();
    if (!failure) return {};
    return io_error(fmt::format("cannot listen on 127.0.0.1, port {}: {}; port 0 picks a free one",
                                port, failure.message()));
  }

  void run(Site site, const Limits& limits) {
    m_hub = std::make_unique<Hub>(std::move(site), m_port, limits);
    accept();
    m_thread = std::thread([this] { serve(); });
  }

  [[nodiscard]] std::uint16_t port() const { return m_port; }
  [[nodiscard]] std::size_t listener_count() const { return m_hub->listener_count; }

  void send_event(std::string_view name, std::string_view data) {
    auto event = std::make_shared<const std::string>(format_event(name, data));
    asio::post(m_context, [this, event] { broadcast(event); });
  }

  void send_state(std::string_view stream, std::string_view name, std::string_view data) {
    auto state = std::make_shared<const std::string>(format_event(name, data));
    asio::post(m_context, [this, state, path = std::string(stream)] {
      for (Session* session : m_hub->listeners) {
        if (session->stream() == path) session->send_state(state);
      }
    });
  }

  [[nodiscard]] std::size_t listener_count(std::string_view stream) const {
    const auto found = m_hub->stream_counts.find(stream);
    return found == m_hub->stream_counts.end() ? 0 : found->second.load();
  }

  void stop() {
    if (!m_thread.joinable()) return;
    SUPPLE_CHECK(std::this_thread::get_id() != m_thread.get_id());
    asio::post(m_context, [this] { say_goodbye(); });
    m_thread.join();
  }

 private:
  void serve() {
    while (true) {
      try {
        m_context.run();
        return;
      } catch (const std::exception& failure) {  // out of memory: ends that request, not the server
        log::warn("a request failed: {}", failure.what());
      }
    }
  }

  void accept() {
    m_acceptor.async_accept([this](const SystemError& failure, tcp::socket socket) {
      if (!m_acceptor.is_open()) return;
      if (failure) {
        m_pause.expires_after(kAcceptPause);
        m_pause.async_wait([this](const SystemError& stopped) {
          if (!stopped) accept();
        });
        return;
      }
      accept();  // first: an error with one client must not shut out all others
      welcome(std::move(socket));
    });
  }

  void welcome(tcp::socket socket) {
    const std::size_t present = m_hub->sessions.size();
    if (present >= 2 * m_hub->limits.connections) return;  // drop without a response
    SystemError ignored;
    socket.set_option(tcp::no_delay(true), ignored);
    const auto session = std::make_shared<Session>(std::move(socket), *m_hub);
    if (present >= m_hub->limits.connections) {
      session->turn_away(503, "too many connections; close some and try again");
    } else if (is_foreign_user(session->socket())) {
      session->turn_away(403, "this server is only for the user who started it");
    } else {
      session->start();
    }
  }

  void broadcast(const std::shared_ptr<const std::string>& event) {
    for (Session* session : m_hub->listeners) session->send(event);
  }

  /// The thread ends when no work is left.
  void say_goodbye() {
    SystemError ignored;
    m_acceptor.close(ignored);
    m_pause.cancel();
    broadcast(std::make_shared<const std::string>(format_event("bye", "{}")));
    for (Session* session : m_hub->sessions) {
      if (m_hub->listeners.contains(session)) {
        session->finish();
      } else {
        session->close();
      }
    }
    wait_for_sessions(kFarewellSteps);
  }

  void wait_for_sessions(int steps) {
    if (m_hub->sessions.empty()) return;
    if (steps == 0) {
      for (Session* session : m_hub->sessions) session->close();
      return;
    }
    m_farewell.expires_after(kFarewellStep);
    m_farewell.async_wait([this, steps](const SystemError&) { wait_for_sessions(steps - 1); });
  }

  // In this order: sessions still owned by the context unregister from the hub when it is
  // destroyed.
  std::unique_ptr<Hub> m_hub;
  asio::io_context m_context{1};
  tcp::acceptor m_acceptor;
  asio::steady_timer m_pause;
  asio::steady_timer m_farewell;
  std::uint16_t m_port = 0;
  std::thread m_thread;
};

Server::Server(std::unique_ptr<Core> core) : m_core(std::move(core)) {}
Server::~Server() = default;
Server::Server(Server&&) noexcept = default;
Server& Server::operator=(Server&&) noexcept = default;

Result<Server> Server::start(Site site, const Settings& settings) {
  SUPPLE_TRY_VOID(check_site(site));
  auto core = std::make_unique<Core>();
  SUPPLE_TRY_VOID(core->open(settings.port));
  core->run(std::move(site), settings.limits);
  return Server(std::move(core));
}

std::uint16_t Server::port() const {
  return m_core->port();
}

std::string Server::address() const {
  return fmt::format("http://127.0.0.1:{}/", port());
}

void Server::send_event(std::string_view name, std::string_view data) {
  m_core->send_event(name, data);
}

void Server::send_state(std::string_view stream, std::string_view name, std::string_view data) {
  m_core->send_state(stream, name, data);
}

std::size_t Server::listener_count() const {
  return m_core->listener_count();
}

std::size_t Server::listener_count(std::string_view stream) const {
  return m_core->listener_count(stream);
}

void Server::stop() {
  m_core->stop();
}

}  // namespace supple::server
