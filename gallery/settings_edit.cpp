// SPDX-License-Identifier: Apache-2.0
#include "gallery/settings_edit.hpp"

#include "supple/bake/settings.hpp"
#include "supple/core/files.hpp"

#include <nlohmann/json.hpp>

#include <optional>

namespace supple::gallery {
namespace {

using server::Answer;

constexpr const char* kName = "bake.toml";

/// The request of a page.
struct Edit {
  std::optional<std::string> text;
  std::optional<std::string> values;  ///< JSON
};

Result<Edit> parse_edit(const std::string& body) {
  const auto json = nlohmann::json::parse(body, nullptr, false);
  if (!json.is_object()) return bad_input("the request is not a JSON object");
  Edit edit;
  if (const auto text = json.find("settings"); text != json.end() && !text->is_null()) {
    if (!text->is_string()) return bad_input("'settings' must be the text of a bake.toml, or null");
    edit.text = text->get<std::string>();
  }
  if (const auto values = json.find("values"); values != json.end()) edit.values = values->dump();
  if (!edit.text && !edit.values) return bad_input("give 'settings', 'values' or both");
  return edit;
}

/// The text after the edit, and its settings.
struct Edited {
  std::string text;
  bake::BakeSettings settings;
};

Result<Edited> edited(const Edit& edit) {
  Edited result;
  if (edit.values) {
    SUPPLE_TRY(result.settings, bake::parse_bake_values(*edit.values));
    if (!edit.text) {
      result.text = bake::print_bake_settings(result.settings, bake::PrintedKeys::Changed);
      return result;
    }
    SUPPLE_TRY(result.text, bake::edit_bake_settings(*edit.text, kName, result.settings));
    return result;
  }
  result.text = *edit.text;
  SUPPLE_TRY(result.settings, bake::parse_bake_settings(result.text, kName));
  return result;
}

}  // namespace

Answer edit_settings(const server::Call& call) {
  const char* const kText = "text/plain; charset=utf-8";
  const auto edit = parse_edit(call.body);
  if (!edit.ok()) return {400, kText, edit.error().describe() + "\n"};
  const auto result = edited(*edit);
  if (!result.ok()) return {400, kText, result.error().describe() + "\n"};
  nlohmann::ordered_json json{{"settings", result->text}};
  json["values"] = nlohmann::ordered_json::parse(bake::print_bake_values(result->settings));
  return {200, "application/json",
          json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)};
}

Result<std::string> settings_values(const std::filesystem::path& file) {
  SUPPLE_TRY(const Bytes bytes, read_plain_file(file));
  SUPPLE_TRY(const bake::BakeSettings settings,
             bake::parse_bake_settings(as_text(bytes), file.filename().string()));
  return bake::print_bake_values(settings);
}

}  // namespace supple::gallery
