// SPDX-License-Identifier: Apache-2.0
#include "supple/core/log.hpp"

#include "supple/core/log_record.hpp"

#include "core/progress_line.hpp"

#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace supple::log {
namespace {

spdlog::level::level_enum to_spdlog(Level level) {
  switch (level) {
    case Level::Debug:
      return spdlog::level::debug;
    case Level::Info:
      return spdlog::level::info;
    case Level::Warning:
      return spdlog::level::warn;
    case Level::Error:
      return spdlog::level::err;
  }
  return spdlog::level::info;
}

Level from_spdlog(spdlog::level::level_enum level) {
  if (level <= spdlog::level::debug) return Level::Debug;
  if (level == spdlog::level::info) return Level::Info;
  if (level == spdlog::level::warn) return Level::Warning;
  return Level::Error;
}

/// Passes messages to a function (Debian 12's spdlog lacks a sink for that).
class FunctionSink : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit FunctionSink(std::function<void(Level, std::string_view)> receiver)
      : m_receiver(std::move(receiver)) {}

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    m_receiver(from_spdlog(message.level),
               std::string_view(message.payload.data(), message.payload.size()));
  }
  void flush_() override {}
  std::function<void(Level, std::string_view)> m_receiver;
};

std::mutex g_sink_mutex;
std::shared_ptr<spdlog::logger> g_logger;  // null: messages are discarded
std::vector<std::string> g_warnings;

constexpr std::size_t kMostRecorded = 1000;

/// Contract: the mutex is held.
void record_warning(std::string_view message) {
  if (g_warnings.size() == kMostRecorded) return;
  if (std::find(g_warnings.begin(), g_warnings.end(), message) != g_warnings.end()) return;
  g_warnings.emplace_back(message);
}

void install(spdlog::sink_ptr sink, Level lowest) {
  auto logger = std::make_shared<spdlog::logger>("supple", std::move(sink));
  logger->set_level(to_spdlog(lowest));
  logger->set_pattern("%^%l%$: %v");
  const std::scoped_lock lock(g_sink_mutex);
  g_logger = std::move(logger);
}

}  // namespace

void to_stderr(Level lowest) {
  install(std::make_shared<spdlog::sinks::stderr_color_sink_mt>(), lowest);
}

void to_function(std::function<void(Level, std::string_view)> receiver) {
  install(std::make_shared<FunctionSink>(std::move(receiver)), Level::Debug);
}

void to_nowhere() {
  const std::scoped_lock lock(g_sink_mutex);
  g_logger.reset();
}

std::vector<std::string> recorded_warnings() {
  const std::scoped_lock lock(g_sink_mutex);
  return g_warnings;
}

void send(Level level, std::string_view message) {
  std::shared_ptr<spdlog::logger> logger;
  {
    const std::scoped_lock lock(g_sink_mutex);
    logger = g_logger;
    if (logger && level == Level::Warning) record_warning(message);
  }
  if (!logger) return;
  detail::clear_progress_line();
  logger->log(to_spdlog(level), "{}", message);
}

}  // namespace supple::log
