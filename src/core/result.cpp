// SPDX-License-Identifier: Apache-2.0
#include "supple/core/result.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

namespace supple {

void detail::wrong_result_access(const Error* error) {
  std::fprintf(stderr, "check failed: %s%s\n",
               error != nullptr ? "value of a failed result: " : "error of a good result",
               error != nullptr ? error->describe().c_str() : "");
  std::abort();
}

Error Error::at(Place place) && {
  if (!m_place) m_place = std::move(place);  // the innermost place is the precise one
  return std::move(*this);
}

Error Error::at(std::string_view file, std::size_t line, std::size_t column) && {
  return std::move(*this).at(Place{std::string(file), line, column});
}

Error Error::during(std::string context) && {
  m_context.push_back(std::move(context));
  return std::move(*this);
}

std::string Error::describe() const {
  std::string text;
  if (m_place && !m_place->file.empty()) {
    text += m_place->file;
    if (m_place->line != 0) text += fmt::format(":{}", m_place->line);
    if (m_place->column != 0) text += fmt::format(":{}", m_place->column);
    text += ": ";
  }
  text += m_message;
  for (auto context = m_context.rbegin(); context != m_context.rend(); ++context) {
    text += fmt::format("{}{}", context == m_context.rbegin() ? "\n  while " : ", ", *context);
  }
  return text;
}

Error bad_input(std::string message) {
  return {ErrorCode::BadInput, std::move(message)};
}
Error io_error(std::string message) {
  return {ErrorCode::Io, std::move(message)};
}
Error not_converged(std::string message) {
  return {ErrorCode::NotConverged, std::move(message)};
}

}  // namespace supple
