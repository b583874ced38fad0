// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/log.hpp"

#include <string>
#include <string_view>

namespace supple::geometry::testing {

/// Receives warnings while it lives.
class Warnings {
 public:
  Warnings() {
    log::to_function([this](log::Level level, std::string_view text) {
      if (level == log::Level::Warning) m_text += std::string(text) + "\n";
    });
  }
  ~Warnings() { log::to_nowhere(); }
  Warnings(const Warnings&) = delete;
  Warnings& operator=(const Warnings&) = delete;
  [[nodiscard]] const std::string& text() const { return m_text; }

 private:
  std::string m_text;
};

}  // namespace supple::geometry::testing
