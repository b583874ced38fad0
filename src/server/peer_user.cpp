// SPDX-License-Identifier: Apache-2.0
#include "server/peer_user.hpp"

#include <fmt/format.h>

#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include <unistd.h>

namespace supple::server {
namespace {

using boost::asio::ip::tcp;

/// As the kernel prints it: the address as a number in this machine's byte order, and the port.
std::string printed(const tcp::endpoint& endpoint) {
  const auto bytes = endpoint.address().to_v4().to_bytes();
  std::uint32_t word = 0;
  std::memcpy(&word, bytes.data(), sizeof word);
  return fmt::format("{:08X}:{:04X}", word, endpoint.port());
}

/// A line: number, local address, remote address, state, queues, timer, retransmissions, user.
bool lists_foreigner(const char* table, const std::string& own, const std::string& other) {
  std::ifstream lines(table);
  std::string word;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string local;
    std::string remote;
    unsigned long user = 0;
    words >> word >> local >> remote >> word >> word >> word >> word >> user;
    if (words && local == own && remote == other) return user != 0 && user != ::geteuid();
  }
  return false;
}

}  // namespace

bool is_foreign_user(const tcp::socket& socket) {
  boost::system::error_code failure;
  const tcp::endpoint here = socket.local_endpoint(failure);
  const tcp::endpoint there = failure ? here : socket.remote_endpoint(failure);
  if (failure || !there.address().is_v4()) return false;
  // IPv6 sockets can reach us too, and are listed in a separate table.
  const std::string mapped = "0000000000000000FFFF0000";
  return lists_foreigner("/proc/net/tcp", printed(there), printed(here)) ||
         lists_foreigner("/proc/net/tcp6", mapped + printed(there), mapped + printed(here));
}

}  // namespace supple::server
