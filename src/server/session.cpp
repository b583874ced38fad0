// SPDX-License-Identifier: Apache-2.0
#include "server/session.hpp"

#include <fmt/format.h>
#include <boost/asio/write.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/read.hpp>

#include <algorithm>
#include <string_view>

namespace supple::server {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using namespace std::chrono_literals;

constexpr std::size_t kPiece = 64 << 10;
constexpr std::size_t kDrainBytes = 1 << 20;
constexpr auto kDrainTime = 2s;
/// Small, so that a stalled listener is noticed soon; but several packets of the loopback
/// interface, otherwise each waits for the previous one's delayed acknowledgement.
constexpr int kEventSendBuffer = 256 << 10;

std::string text_of(boost::beast::string_view text) {
  return {text.data(), text.size()};
}

RequestHead read_fields(const http::request<http::string_body>& message) {
  RequestHead head;
  head.method = text_of(message.method_string());
  head.target = text_of(message.target());
  for (const auto& field : message) {
    std::string name = text_of(field.name_string());
    for (char& c : name) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    head.fields.emplace_back(std::move(name), text_of(field.value()));
  }
  return head;
}

}  // namespace

Session::Session(Socket socket, Hub& hub)
    : m_socket(std::move(socket)),
      m_hub(hub),
      m_timer(m_socket.get_executor()),
      m_buffer(hub.limits.header_bytes + kPiece) {
  m_hub.sessions.insert(this);
}

Session::~Session() {
  m_hub.sessions.erase(this);
  if (m_hub.listeners.erase(this) > 0) count_listener(false);
}

void Session::start() {
  read_head();
}

void Session::turn_away(int status, std::string_view why) {
  write(refusal(status, why));
}

void Session::close() {
  disarm();
  Error ignored;
  m_socket.close(ignored);
}

void Session::cut() {
  Error ignored;
  m_socket.set_option(asio::socket_base::linger(true, 0), ignored);
  close();
}

void Session::arm(std::chrono::milliseconds time, std::function<void()> action) {
  m_timer.expires_after(time);
  m_timer.async_wait([self = shared_from_this(), deadline = ++m_deadline,
                      action = std::move(action)](const Error& failure) {
    if (!failure && deadline == self->m_deadline) action();
  });
}

void Session::disarm() {
  ++m_deadline;
  m_timer.cancel();
}

// Requests

void Session::read_head() {
  m_head = RequestHead();  // the previous request's method must not affect the response to garbage
  m_parser.emplace();
  m_parser->header_limit(static_cast<std::uint32_t>(m_hub.limits.header_bytes));
  // Which limit applies is known after the header.
  m_parser->body_limit(m_hub.router->most_body_bytes());
  m_timed_out = false;
  arm(m_hub.limits.head, [this] {
    m_timed_out = true;
    Error ignored;
    m_socket.cancel(ignored);
  });
  http::async_read_header(
      m_socket, m_buffer, *m_parser,
      [self = shared_from_this()](const Error& failure, std::size_t) { self->on_head(failure); });
}

void Session::on_head(const Error& failure) {
  disarm();
  const bool too_large = failure == http::error::body_limit;
  if (failure && !too_large) return refuse_head(failure);
  m_head = read_fields(m_parser->get());
  decide(too_large);
}

void Session::refuse_head(const Error& failure) {
  const bool began = m_buffer.size() > 0 || m_parser->got_some();
  const auto say = [&](int status, std::string_view why) {
    Reply reply = refusal(status, why);
    reply.keep_alive = false;
    write(std::move(reply));
  };
  if (m_timed_out) {
    if (!began) return close();  // an idle keep-alive connection
    return say(408, "the request took too long to arrive");
  }
  if (failure == http::error::header_limit || failure == http::error::buffer_overflow) {
    if (m_parser->get().target().empty()) return say(414, "the address is too long");
    return say(431, "the header fields are too long");
  }
  const bool nonsense = failure.category() == make_error_code(http::error::bad_method).category() &&
                        failure != http::error::end_of_stream &&
                        failure != http::error::partial_message;
  if (nonsense) return say(400, failure.message());
  close();
}

void Session::refuse_body() {
  Reply reply = refusal(
      413, fmt::format("the body may have at most {} bytes", m_hub.router->body_bytes(m_decision)));
  reply.keep_alive = false;
  write(std::move(reply));
}

void Session::decide(bool too_large) {
  m_decision = m_hub.router->decide(m_head);
  if (m_decision.kind == Decision::Kind::Listen) {
    if (m_hub.listeners.size() < m_hub.limits.listeners) return listen();
    Reply reply = refusal(503, "too many listeners; close a page and try again");
    return write(std::move(reply));
  }
  if (m_decision.kind == Decision::Kind::Handle) {
    const std::size_t most = m_hub.router->body_bytes(m_decision);
    if (too_large || m_parser->content_length().value_or(0) > most) return refuse_body();
    return read_body();
  }
  // A refused client may still be sending a body: it is not read.
  m_decision.reply.keep_alive = !m_head.has_body() && m_parser->keep_alive();
  write(std::move(m_decision.reply));
}

void Session::read_body() {
  m_parser->body_limit(m_hub.router->body_bytes(m_decision));
  arm(m_hub.router->body_time(m_decision), [this] {
    m_timed_out = true;
    Error ignored;
    m_socket.cancel(ignored);
  });
  const auto read = [self = shared_from_this()] {
    http::async_read(self->m_socket, self->m_buffer, *self->m_parser,
                     [self](const Error& failure, std::size_t) { self->on_body(failure); });
  };
  if (m_head.count("expect") == 0) return read();
  m_text = "HTTP/1.1 100 Continue\r\n\r\n";
  asio::async_write(m_socket, asio::buffer(m_text),
                    [self = shared_from_this(), read](const Error& failure, std::size_t) {
                      if (failure) return self->close();
                      read();
                    });
}

void Session::on_body(const Error& failure) {
  disarm();
  if (failure == http::error::body_limit) return refuse_body();
  if (failure) return refuse_head(failure);
  Reply reply = Router::handle(m_decision, m_head, std::move(m_parser->get().body()));
  reply.keep_alive = m_parser->keep_alive();
  write(std::move(reply));
}

// Answers

void Session::write(Reply reply) {
  m_reply = std::move(reply);
  // Before the first request there is no parser, and the connection closes without a response.
  if (!m_parser) m_reply.keep_alive = false;
  const bool is_old = m_parser && m_parser->get().version() < 11;
  if (is_old && m_reply.keep_alive) m_reply.fields.emplace_back("Connection", "keep-alive");
  m_text = write_head(m_reply);
  if (!m_reply.file) {
    m_reply.offset = 0;
    m_reply.length = m_reply.body.size();
  }
  if (m_head.method == "HEAD") {
    m_reply.length = 0;
  } else if (!m_reply.file && m_reply.length <= kPiece) {  // send in one packet with its header
    m_text += m_reply.body;
    m_reply.length = 0;
  }
  arm(m_hub.limits.stall, [this] { cut(); });
  asio::async_write(m_socket, asio::buffer(m_text),
                    [self = shared_from_this()](const Error& failure, std::size_t) {
                      if (failure) return self->close();
                      self->write_piece();
                    });
}

void Session::write_piece() {
  if (m_reply.length == 0) return after_reply();
  auto count = static_cast<std::size_t>(std::min<std::uint64_t>(kPiece, m_reply.length));
  const char* data = m_reply.body.data();
  if (m_reply.file) {
    m_piece.resize(kPiece);
    data = m_piece.data();
    count = m_reply.file->read(m_reply.offset, {m_piece.data(), count});
    // The file became shorter than announced: closing the connection reveals that, a short response
    // would not.
    if (count == 0) return cut();
  } else {
    data += m_reply.offset;
  }
  m_reply.offset += count;
  m_reply.length -= count;
  arm(m_hub.limits.stall, [this] { cut(); });
  asio::async_write(m_socket, asio::buffer(data, count),
                    [self = shared_from_this()](const Error& failure, std::size_t) {
                      if (failure) return self->close();
                      self->write_piece();
                    });
}

void Session::after_reply() {
  disarm();
  const bool keep = m_reply.keep_alive;
  m_reply = Reply();
  if (!keep) return linger();
  read_head();
}

void Session::linger() {
  Error ignored;
  m_socket.shutdown(Socket::shutdown_send, ignored);
  arm(kDrainTime, [this] { close(); });
  drain();
}

void Session::drain() {
  m_socket.async_read_some(asio::buffer(m_waste),
                           [self = shared_from_this()](const Error& failure, std::size_t count) {
                             self->m_drained += count;
                             if (failure || self->m_drained > kDrainBytes) return self->close();
                             self->drain();
                           });
}

// Events

void Session::listen() {
  Error ignored;
  m_socket.set_option(asio::socket_base::send_buffer_size(kEventSendBuffer), ignored);
  m_stream = m_decision.stream;
  m_hub.listeners.insert(this);
  count_listener(true);
  Reply reply;
  reply.type = "text/event-stream";
  reply.fields.emplace_back("Cache-Control", "no-store");
  reply.keep_alive = false;
  send(std::make_shared<const std::string>(write_head(reply, false)));
  watch_for_end();
  arm(m_hub.limits.heartbeat, [this] { beat(); });
}

void Session::send(const std::shared_ptr<const std::string>& event) {
  if (m_finishing || !m_socket.is_open()) return;
  m_queued_bytes += event->size();
  if (m_queued_bytes > m_hub.limits.queued_bytes) return cut();
  m_queue.push_back({event, false});
  if (!m_writing) write_event();
}

void Session::send_state(const std::shared_ptr<const std::string>& state) {
  // The first of the queue is being sent.
  if (m_queue.size() > 1 && m_queue.back().state) {
    m_queued_bytes -= m_queue.back().text->size();
    m_queue.pop_back();
  }
  send(state);
  if (!m_queue.empty() && m_queue.back().text == state) m_queue.back().state = true;
}

void Session::count_listener(bool comes) {
  const auto count = [comes](std::atomic<std::size_t>& listeners) {
    if (comes) {
      ++listeners;
    } else {
      --listeners;
    }
  };
  count(m_hub.listener_count);
  const auto own = m_hub.stream_counts.find(m_stream);
  if (own != m_hub.stream_counts.end()) count(own->second);
}

void Session::write_event() {
  m_writing = true;
  m_stalled = false;
  asio::async_write(m_socket, asio::buffer(*m_queue.front().text),
                    [self = shared_from_this()](const Error& failure, std::size_t) {
                      self->m_writing = false;
                      if (failure) return self->close();
                      self->m_queued_bytes -= self->m_queue.front().text->size();
                      self->m_queue.pop_front();
                      if (!self->m_queue.empty()) return self->write_event();
                      if (self->m_finishing) self->close();
                    });
}

void Session::beat() {
  if (m_stalled) return cut();
  m_stalled = m_writing;
  if (!m_writing) send(std::make_shared<const std::string>(":\n\n"));
  arm(m_hub.limits.heartbeat, [this] { beat(); });
}

void Session::watch_for_end() {
  m_socket.async_read_some(asio::buffer(m_waste),
                           [self = shared_from_this()](const Error& failure, std::size_t) {
                             if (failure) return self->close();
                             self->watch_for_end();
                           });
}

void Session::finish() {
  m_finishing = true;
  if (!m_writing) close();
}

}  // namespace supple::server
