// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <functional>
#include <string_view>
#include <utility>

namespace supple::log {

enum class Level { Debug, Info, Warning, Error };

/// Libraries only send messages; the process decides where they go. Without a call to `to_stderr`
/// or `to_function` they are discarded.
void to_stderr(Level lowest);
void to_function(std::function<void(Level, std::string_view)> receiver);
void to_nowhere();

void send(Level level, std::string_view message);

template <class... Args>
void debug(fmt::format_string<Args...> format, Args&&... args) {
  send(Level::Debug, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void info(fmt::format_string<Args...> format, Args&&... args) {
  send(Level::Info, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void warn(fmt::format_string<Args...> format, Args&&... args) {
  send(Level::Warning, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void error(fmt::format_string<Args...> format, Args&&... args) {
  send(Level::Error, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace supple::log
