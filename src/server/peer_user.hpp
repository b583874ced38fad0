// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/ip/tcp.hpp>

namespace supple::server {

/// Whether the other end of a connection belongs to a user other than ours and root, by the
/// kernel's connection table (Linux). False if that is unknown.
[[nodiscard]] bool is_foreign_user(const boost::asio::ip::tcp::socket& socket);

}  // namespace supple::server
