// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/router.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include <array>
#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace supple::server {

class Session;

/// State shared by the sessions of a server; everything except the counters belongs to the server's
/// thread.
struct Hub {
  Hub(Site site, std::uint16_t port, const Limits& the_limits) : limits(the_limits) {
    for (const std::string& stream : site.streams) stream_counts.try_emplace(stream, 0);
    router.emplace(std::move(site), port, limits);
  }

  Limits limits;
  std::optional<Router> router;
  std::set<Session*> sessions;
  std::set<Session*> listeners;
  std::atomic<std::size_t> listener_count{0};
  std::map<std::string, std::atomic<std::size_t>, std::less<>> stream_counts;  ///< keys stay
};

/// One connection: requests in sequence, or an event stream. Lives as long as an operation is
/// pending on it.
class Session : public std::enable_shared_from_this<Session> {
 public:
  using Socket = boost::asio::ip::tcp::socket;

  Session(Socket socket, Hub& hub);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void start();
  [[nodiscard]] const Socket& socket() const { return m_socket; }
  /// Sends the reason for the refusal and closes.
  void turn_away(int status, std::string_view why);
  /// For a listener: queues an event in wire format.
  void send(const std::shared_ptr<const std::string>& event);
  /// For a listener: replaces a state that is still queued.
  void send_state(const std::shared_ptr<const std::string>& state);
  [[nodiscard]] const std::string& stream() const {
    return m_stream;
  }  ///< the stream it listens to
  /// For a listener: closes after the queue has been sent.
  void finish();
  void close();

 private:
  using Error = boost::system::error_code;

  void read_head();
  void on_head(const Error& failure);
  void refuse_head(const Error& failure);
  /// `too_large`: for any handler.
  void decide(bool too_large);
  void refuse_body();
  void read_body();
  void on_body(const Error& failure);

  void write(Reply reply);
  void write_piece();
  void after_reply();
  /// Lets the other side read the last response before the connection closes: closing with unread
  /// input would discard it.
  void linger();
  /// Closes and drops everything the other side has not accepted.
  void cut();
  void drain();

  void listen();
  void write_event();
  void beat();
  void watch_for_end();

  /// One deadline at a time; a new one replaces the old.
  void arm(std::chrono::milliseconds time, std::function<void()> action);
  void disarm();

  Socket m_socket;
  Hub& m_hub;
  boost::asio::steady_timer m_timer;
  std::uint64_t m_deadline =
      0;  ///< counts deadlines, so that a late timer recognises that it is obsolete
  boost::beast::flat_buffer m_buffer;
  std::optional<boost::beast::http::request_parser<boost::beast::http::string_body>> m_parser;
  bool m_timed_out = false;
  RequestHead m_head;
  Decision m_decision;

  Reply m_reply;
  std::string m_text;  ///< being sent
  std::vector<char> m_piece;
  std::size_t m_drained = 0;
  std::array<char, 512> m_waste{};

  struct Event {
    std::shared_ptr<const std::string> text;
    bool state = false;
  };
  void count_listener(bool comes);

  std::string m_stream;
  std::deque<Event> m_queue;
  std::size_t m_queued_bytes = 0;
  bool m_writing = false;
  bool m_finishing = false;
  bool m_stalled = false;  ///< the current event was already being sent at the last heartbeat
};

}  // namespace supple::server
