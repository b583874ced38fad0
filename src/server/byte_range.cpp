// SPDX-License-Identifier: Apache-2.0
#include "server/byte_range.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace supple::server {
namespace {

std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

}  // namespace

ByteRange parse_range(std::string_view field, std::uint64_t size) {
  using Kind = ByteRange::Kind;
  const ByteRange whole{Kind::Whole, 0, size};
  constexpr std::string_view kUnit = "bytes=";
  if (!field.starts_with(kUnit)) return whole;
  field.remove_prefix(kUnit.size());
  const std::size_t dash = field.find('-');
  if (dash == std::string_view::npos) return whole;
  const std::string_view last_text = field.substr(dash + 1);
  const auto last = parse_number(last_text);
  if (dash == 0) {  // "-500": the end of the file
    if (!last) return whole;
    if (*last == 0 || size == 0) return {Kind::Outside, 0, 0};
    const std::uint64_t length = std::min(*last, size);
    return {Kind::Part, size - length, length};
  }
  const auto first = parse_number(field.substr(0, dash));
  if (!first || (!last && !last_text.empty()) || (last && *last < *first)) return whole;
  if (*first >= size) return {Kind::Outside, 0, 0};
  const std::uint64_t end = last ? std::min(*last, size - 1) : size - 1;
  return {Kind::Part, *first, end - *first + 1};
}

}  // namespace supple::server
