// SPDX-License-Identifier: Apache-2.0
#include "cli/setting_option.hpp"

#include "supple/core/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace supple::app {
namespace {

const settings::Form& number_form(const settings::Field& field) {
  const auto found = std::ranges::find_if(field.forms, [](const settings::Form& form) {
    return form.kind == settings::Kind::Number || form.kind == settings::Kind::Whole;
  });
  SUPPLE_CHECK(found != field.forms.end());
  return *found;
}

}  // namespace

const settings::Field& find_setting(const settings::FieldList& list, std::string_view path) {
  const std::size_t dot = path.find('.');
  const settings::Field* field = list.find(path.substr(0, dot));
  SUPPLE_CHECK(field != nullptr);
  if (dot == std::string_view::npos) return *field;
  return find_setting(*field->forms.front().keys, path.substr(dot + 1));
}

std::string setting_text(const settings::FieldList& list, std::string_view path) {
  return std::string(find_setting(list, path).description);
}

CLI::Validator range_check(const settings::Field& field) {
  const settings::Form& form = number_form(field);
  const std::string must = settings::range_text(form, field.unit);
  return {[range = form.range, must](std::string& text) -> std::string {
            double value = 0;
            const auto [end, status] =
                std::from_chars(text.data(), text.data() + text.size(), value);
            const bool read = status == std::errc() && end == text.data() + text.size();
            if (read && range.contains(value)) return {};
            return fmt::format("{} is not allowed; it must be {}", text, must);
          },
          ""};
}

}  // namespace supple::app
