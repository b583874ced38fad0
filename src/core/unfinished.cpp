// SPDX-License-Identifier: Apache-2.0
#include "supple/core/unfinished.hpp"

#include "core/commit_lock.hpp"

#include "supple/core/helper_process.hpp"

#include <map>
#include <system_error>
#include <utility>

namespace supple {
namespace {

namespace fs = std::filesystem;

/// Never destroyed: threads may still use it while the process ends.
struct Registry {
  std::mutex mutex;
  std::map<fs::path, Unfinished::Contents> paths;

  static Registry& get() {
    static Registry& only = *new Registry;
    return only;
  }
};

void forget(const fs::path& path) {
  if (path.empty()) return;
  Registry& registry = Registry::get();
  const std::lock_guard lock(registry.mutex);
  registry.paths.erase(path);
}

}  // namespace

std::unique_lock<std::mutex> lock_commits() {
  static std::mutex& mutex = *new std::mutex;
  return std::unique_lock(mutex);
}

Unfinished::Unfinished(fs::path path, Contents contents) : m_path(std::move(path)) {
  if (m_path.empty()) return;
  Registry& registry = Registry::get();
  const std::lock_guard lock(registry.mutex);
  registry.paths.insert_or_assign(m_path, contents);
}

Unfinished::~Unfinished() {
  forget(m_path);
}

Unfinished::Unfinished(Unfinished&& other) noexcept
    : m_path(std::exchange(other.m_path, fs::path())) {}

Unfinished& Unfinished::operator=(Unfinished&& other) noexcept {
  if (this != &other) {
    forget(m_path);
    m_path = std::exchange(other.m_path, fs::path());
  }
  return *this;
}

void remove_unfinished() {
  lock_commits().release();  // for good
  kill_helpers();
  Registry& registry = Registry::get();
  const std::lock_guard lock(registry.mutex);
  // Backwards: folders after what they contain.
  for (auto entry = registry.paths.rbegin(); entry != registry.paths.rend(); ++entry) {
    std::error_code ignored;
    if (entry->second == Unfinished::Contents::Keep) {
      fs::remove(entry->first, ignored);
    } else {
      fs::remove_all(entry->first, ignored);
    }
  }
}

}  // namespace supple
