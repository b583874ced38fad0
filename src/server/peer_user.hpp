// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/ip/tcp.hpp>

namespace supple::server {

/// Whether another user of this machine than ours and root is at the other end of a connection, by
/// the kernel's table of connections (Linux). Where that cannot be told, nobody is foreign.
[[nodiscard]] bool is_foreign_user(const boost::asio::ip::tcp::socket& socket);

}  // namespace supple::server
