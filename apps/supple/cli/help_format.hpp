// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace supple::app {

/// Help for people: an option's own word for its value, and what that may be in brackets behind the
/// description. CLI11 prints its checks as they are, "HZ:FLOAT in [12 - 1000] Needs: --picture".
[[nodiscard]] std::shared_ptr<CLI::FormatterBase> make_help_format();

/// Takes one of these words; a wrong one is told which there are. CLI11's own transformer tells the
/// numbers of the enumerators too.
template <class T>
[[nodiscard]] CLI::Validator one_of(const std::map<std::string, T>& words) {
  return {[words](std::string& text) {
            if (const auto found = words.find(text); found != words.end()) {
              text = std::to_string(static_cast<int>(found->second));
              return std::string();
            }
            std::vector<std::string> names;
            names.reserve(words.size());
            for (const auto& [name, value] : words) names.push_back(name);
            return fmt::format("'{}' is none of {}", text, fmt::join(names, ", "));
          },
          ""};
}

}  // namespace supple::app
