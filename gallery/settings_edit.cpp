// SPDX-License-Identifier: Apache-2.0
#include "gallery/settings_edit.hpp"

#include "supple/core/files.hpp"
#include "supple/settings/json.hpp"
#include "supple/settings/toml.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <optional>

namespace supple::gallery {
namespace {

using server::Answer;

/// The request of a page.
struct Edit {
  bake::BakeCommand command = bake::BakeCommand::Bake;
  std::optional<std::string> text;
  std::optional<std::string> values;  ///< JSON

  [[nodiscard]] std::string file_name() const {
    return fmt::format("{}.toml", bake::command_name(command));
  }
};

Result<Edit> parse_edit(const std::string& body) {
  const auto json = nlohmann::json::parse(body, nullptr, false);
  if (!json.is_object()) return bad_input("the request is not a JSON object");
  Edit edit;
  if (const auto name = json.find("command"); name != json.end()) {
    const auto found =
        name->is_string() ? bake::find_command(name->get<std::string>()) : std::nullopt;
    if (!found) return bad_input("'command' must be \"bake\" or \"shell\"");
    edit.command = *found;
  }
  if (const auto text = json.find("settings"); text != json.end() && !text->is_null()) {
    if (!text->is_string()) return bad_input("'settings' must be the text of a .toml, or null");
    edit.text = text->get<std::string>();
  }
  if (const auto values = json.find("values"); values != json.end()) edit.values = values->dump();
  if (!edit.text && !edit.values) return bad_input("give 'settings', 'values' or both");
  return edit;
}

/// The text after the edit.
Result<std::string> edited(const Edit& edit) {
  if (!edit.values) return *edit.text;
  const settings::FieldList& fields = bake::settings_fields(edit.command);
  SUPPLE_TRY(const settings::Value values, settings::parse_json(*edit.values));
  const std::shared_ptr<void> settings = fields.create();
  SUPPLE_TRY_VOID(settings::read(fields, values, "", settings.get()));
  if (edit.text) {
    return settings::edit_toml(fields, *edit.text, edit.file_name(), settings.get());
  }
  return settings::print_toml(fields, settings::write(fields, settings.get()));
}

}  // namespace

Answer edit_settings(const server::Call& call) {
  const char* const kText = "text/plain; charset=utf-8";
  const auto edit = parse_edit(call.body);
  if (!edit.ok()) return {400, kText, edit.error().describe() + "\n"};
  const auto text = edited(*edit);
  if (!text.ok()) return {400, kText, text.error().describe() + "\n"};
  const auto values = settings_values(edit->command, *text, edit->file_name());
  if (!values.ok()) return {400, kText, values.error().describe() + "\n"};
  nlohmann::ordered_json json{{"settings", *text}};
  json["values"] = nlohmann::ordered_json::parse(*values);
  return {200, "application/json",
          json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)};
}

bake::BakeCommand command_of(const std::filesystem::path& flesh) {
  if (flesh.empty()) return bake::BakeCommand::Bake;
  const auto bytes = read_file(flesh);
  if (!bytes.ok()) return bake::BakeCommand::Bake;
  const auto file = bake::BakedFile::open(*bytes, flesh.string());
  if (!file.ok()) return bake::BakeCommand::Bake;
  const auto kept = bake::kept_settings(*file);
  return kept.ok() ? kept->command : bake::BakeCommand::Bake;
}

Result<std::string> settings_values(bake::BakeCommand command, std::string_view toml,
                                    std::string_view name) {
  const settings::FieldList& fields = bake::settings_fields(command);
  SUPPLE_TRY(const settings::Value document, settings::parse_toml(toml, name));
  const std::shared_ptr<void> settings = fields.create();
  SUPPLE_TRY_VOID(settings::read(fields, document, name, settings.get()));
  return settings::print_json(settings::write(fields, settings.get()));
}

}  // namespace supple::gallery
