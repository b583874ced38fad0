// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace supple::app {

/// Readable help: the word for an option's value, then the description, then the allowed values in
/// brackets. CLI11 would print its raw checks, "HZ:FLOAT in [12 - 1000] Needs: --picture".
[[nodiscard]] std::shared_ptr<CLI::FormatterBase> make_help_format();

/// Accepts one of these words; the error for any other lists them. CLI11's own transformer would
/// also list the numeric values of the enumerators.
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
            return fmt::format("'{}' is not one of {}", text, fmt::join(names, ", "));
          },
          ""};
}

}  // namespace supple::app
