// SPDX-License-Identifier: Apache-2.0
#include "server/request_target.hpp"

#include <algorithm>
#include <cstddef>

namespace supple::server {
namespace {

std::optional<unsigned> hex_digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
  return {};
}

std::optional<std::string> percent_decode(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    if (text.size() - i < 3) return {};
    const auto high = hex_digit(text[i + 1]);
    const auto low = hex_digit(text[i + 2]);
    if (!high || !low) return {};
    const auto byte = static_cast<unsigned char>(*high * 16 + *low);
    if (byte == '/' || byte == '%') return {};
    decoded += static_cast<char>(byte);
    i += 2;
  }
  return decoded;
}

/// Number of bytes of the UTF-8 sequence at the start of `text`; 0 if invalid. Overlong forms
/// ("%c0%ae" for '.'), surrogates and numbers above U+10FFFF are invalid.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return 0;
  }
  const unsigned char second = byte(1);
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool outside = (lead == 0xED && second > 0x9F) || (lead == 0xF4 && second > 0x8F);
  return overlong || outside ? 0 : length;
}

bool is_clean_text(std::string_view text) {
  while (!text.empty()) {
    const auto c = static_cast<unsigned char>(text.front());
    if (c < 0x20 || c == 0x7F || c == '\\') return false;
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

/// A single '/' between segments, none of which is "." or "..".
bool has_plain_segments(std::string_view path) {
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    const std::string_view segment = path.substr(0, slash);
    if (segment.empty() || segment == "." || segment == "..") return false;
    if (slash == std::string_view::npos) break;
    path.remove_prefix(slash + 1);
  }
  return true;
}

}  // namespace

std::optional<RequestTarget> parse_target(std::string_view target) {
  RequestTarget result;
  constexpr std::string_view kScheme = "http://";
  if (target.starts_with(kScheme)) {
    target.remove_prefix(kScheme.size());
    const std::size_t slash = target.find('/');
    if (slash == std::string_view::npos || slash == 0) return {};
    result.authority = std::string(target.substr(0, slash));
    target.remove_prefix(slash);
  }
  if (!target.starts_with('/') || target.find('#') != std::string_view::npos) return {};
  const std::string_view encoded = target.substr(1, target.find('?') - 1);
  auto path = percent_decode(encoded);
  if (!path || !is_clean_text(*path) || !has_plain_segments(*path)) return {};
  result.path = *std::move(path);
  return result;
}

}  // namespace supple::server
