// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/reply.hpp"

#include "supple/server/server.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace supple::server {

/// A request without its body.
struct RequestHead {
  std::string method;
  std::string target;
  std::vector<std::pair<std::string, std::string>> fields;  ///< names in lower case

  [[nodiscard]] std::size_t count(std::string_view name) const;
  /// The first value of that name; "" if absent.
  [[nodiscard]] std::string_view value(std::string_view name) const;
  [[nodiscard]] bool has_body() const;
};

/// The action for a request.
struct Decision {
  enum class Kind { Reply, Handle, Listen };
  Kind kind = Kind::Reply;
  Reply reply;
  const Handler* handler = nullptr;  ///< for Handle
  std::string rest;                  ///< its Call::rest
  std::string stream;                ///< for Listen: its path
};

/// Decides what to serve to whom. Independent of sockets.
class Router {
 public:
  Router(Site site, std::uint16_t port, const Limits& limits);

  [[nodiscard]] Decision decide(const RequestHead& head) const;
  /// The largest body that any handler accepts.
  [[nodiscard]] std::size_t most_body_bytes() const;
  /// The largest body for this action, and the time for it to arrive.
  [[nodiscard]] std::size_t body_bytes(const Decision& decision) const;
  [[nodiscard]] std::chrono::milliseconds body_time(const Decision& decision) const;
  /// Runs the handler; its exceptions become a 500.
  [[nodiscard]] static Reply handle(const Decision& decision, const RequestHead& head,
                                    std::string body);

 private:
  /// A refusal that does not depend on the requested path, or empty.
  [[nodiscard]] std::optional<Reply> check_client(const RequestHead& head) const;
  [[nodiscard]] bool is_own_authority(std::string_view authority) const;
  [[nodiscard]] Decision route(const RequestHead& head, const std::string& path) const;
  [[nodiscard]] Decision serve_handler(const RequestHead& head, const std::string& path) const;

  Site m_site;
  Limits m_limits;
  std::vector<std::string> m_authorities;  ///< valid Host values, lower case
};

}  // namespace supple::server
