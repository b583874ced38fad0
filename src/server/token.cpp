// SPDX-License-Identifier: Apache-2.0
#include "server/token.hpp"

#include "supple/server/server.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>

#include <sys/random.h>
#include <unistd.h>

namespace supple::server {

Result<std::string> make_token() {
  std::array<unsigned char, 32> bytes{};
  if (::getentropy(bytes.data(), bytes.size()) != 0) {
    return io_error(fmt::format("the system cannot provide random numbers for a token: {}",
                                std::strerror(errno)));
  }
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

bool same_token(std::string_view token, std::string_view offered) {
  // volatile: the optimiser must not stop early once the outcome is decided.
  volatile unsigned difference = token.size() == offered.size() && !token.empty() ? 0 : 1;
  for (std::size_t i = 0; i < offered.size(); ++i) {
    const char expected = token.empty() ? '\0' : token[i % token.size()];
    difference = difference | static_cast<unsigned>(static_cast<unsigned char>(expected) ^
                                                    static_cast<unsigned char>(offered[i]));
  }
  return difference == 0;
}

}  // namespace supple::server
