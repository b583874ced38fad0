// SPDX-License-Identifier: Apache-2.0
#include "cli/help_format.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace supple::app {
namespace {

/// The word for an option's value, and CLI11's checks of the value: "HZ" and "FLOAT in [12 -
/// 1000]".
struct ValueType {
  std::string word;
  std::string checks;
};

ValueType value_type(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t colon = type.find(':');
  if (colon == std::string::npos) return {type, {}};
  return {type.substr(0, colon), type.substr(colon + 1)};
}

/// "FLOAT in [12 - 1000]" as "12 to 1000", "{1,2,4}" as "1, 2, 4".
std::string range_text(const std::string& checks) {
  if (checks == "POSITIVE") return "above 0";
  if (checks.starts_with('{') && checks.ends_with('}')) {
    std::string text;
    for (const char c : checks.substr(1, checks.size() - 2))
      text += c == ',' ? ", " : std::string(1, c);
    return text;
  }
  constexpr std::string_view kBegin = " in [";
  constexpr std::string_view kMiddle = " - ";
  const std::size_t begin = checks.find(kBegin);
  const std::size_t middle = checks.find(kMiddle, begin);
  if (begin == std::string::npos || middle == std::string::npos || !checks.ends_with(']'))
    return {};
  const std::size_t low = begin + kBegin.size();
  const std::size_t high = middle + kMiddle.size();
  return fmt::format("{} to {}", checks.substr(low, middle - low),
                     checks.substr(high, checks.size() - 1 - high));
}

std::string names(const std::set<CLI::Option*>& options) {
  std::vector<std::string> sorted;
  sorted.reserve(options.size());
  for (const CLI::Option* option : options) sorted.push_back(option->get_name());
  std::sort(sorted.begin(), sorted.end());  // the order of a set of pointers is arbitrary
  return fmt::format("{}", fmt::join(sorted, ", "));
}

class HelpFormat : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_type_size() == 0) return {};
    const std::string word = value_type(*option).word;
    const bool many = option->get_expected_max() == CLI::detail::expected_max_vector_size &&
                      !word.ends_with("...");
    // A positional's name is its word.
    return (option->get_positional() || word.empty() ? "" : " " + word) + (many ? " ..." : "");
  }

  std::string make_option_desc(const CLI::Option* option) const override {
    std::vector<std::string> notes;
    if (option->get_required()) notes.emplace_back("required");
    if (std::string range = range_text(value_type(*option).checks); !range.empty()) {
      notes.push_back(std::move(range));
    }
    if (!option->get_needs().empty()) notes.push_back("with " + names(option->get_needs()));
    if (!option->get_excludes().empty())
      notes.push_back("not with " + names(option->get_excludes()));
    if (notes.empty()) return option->get_description();
    return fmt::format("{} [{}]", option->get_description(), fmt::join(notes, "; "));
  }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> make_help_format() {
  return std::make_shared<HelpFormat>();
}

}  // namespace supple::app
