// SPDX-License-Identifier: Apache-2.0
// settings_tables SOURCE_DIRECTORY [--write]
// Compares what is made of the lists of settings with the lists: the tables of docs/, between
// markers, and the viewer's settings_table.json. With --write they are made anew.
#include "supple/bake/settings.hpp"
#include "supple/bake/simulation_settings.hpp"
#include "supple/bake/swim_settings.hpp"
#include "supple/core/files.hpp"
#include "supple/settings/fields.hpp"
#include "supple/settings/json.hpp"
#include "supple/settings/markdown.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace {

using supple::Result;
using supple::settings::describe_markdown;

struct Table {
  std::string file;  ///< of the documentation
  std::string name;  ///< of the marker
  std::string text;
};

std::vector<Table> tables() {
  namespace bake = supple::bake;
  namespace swim = supple::swim;
  return {
      {"docs/flesh.md", "bake.toml", describe_markdown(bake::bake_fields(), {"shell"})},
      {"docs/shells.md", "shell.toml", describe_markdown(bake::shell_file_fields())},
      {"docs/simulate.md", "scene.toml", describe_markdown(bake::simulation_fields())},
      {"docs/swim.md", "body.toml", describe_markdown(swim::body_fields())},
      {"docs/swim.md", "water.toml", describe_markdown(bake::swim_water_fields())},
      {"docs/swim.md", "course.toml", describe_markdown(swim::course_fields())},
  };
}

Result<std::string> read_text(const std::filesystem::path& path) {
  SUPPLE_TRY(const supple::Bytes bytes, supple::read_file(path));
  return std::string(supple::as_text(bytes));
}

/// The text with the table between its markers.
Result<std::string> with_table(const std::string& text, const Table& table) {
  const std::string begin = fmt::format("<!-- settings of {} -->\n", table.name);
  const std::string_view end = "<!-- end of settings -->";
  const std::size_t from = text.find(begin);
  const std::size_t to = text.find(end, from);
  if (from == std::string::npos || to == std::string::npos) {
    return supple::bad_input(fmt::format("{} has no lines '{}' and '{}'", table.file,
                                         begin.substr(0, begin.size() - 1), end));
  }
  return text.substr(0, from) + begin + table.text + text.substr(to);
}

/// True if the file says this, or was made to.
Result<bool> settle(const std::filesystem::path& path, const std::string& text, bool write) {
  const Result<std::string> before = read_text(path);
  if (before.ok() && *before == text) return true;
  if (!write) {
    fmt::print("{} is not in step with the lists of settings; run scripts/settings_tables.sh\n",
               path.string());
    return false;
  }
  SUPPLE_TRY_VOID(supple::write_file(path, text));
  fmt::print("{} written\n", path.string());
  return true;
}

Result<bool> run(const std::filesystem::path& root, bool write) {
  bool good = true;
  for (const Table& table : tables()) {
    SUPPLE_TRY(const std::string text, read_text(root / table.file));
    SUPPLE_TRY(const std::string wanted, with_table(text, table));
    SUPPLE_TRY(const bool settled, settle(root / table.file, wanted, write));
    good = good && settled;
  }
  SUPPLE_TRY(const bool settled,
             settle(root / "web/viewer/src/data/settings_table.json",
                    supple::settings::describe_json(supple::bake::bake_fields()), write));
  return good && settled;
}

}  // namespace

int main(int count, char** arguments) {
  const bool write = count == 3 && std::string_view(arguments[2]) == "--write";
  if (count != 2 && !write) {
    fmt::print("settings_tables SOURCE_DIRECTORY [--write]\n");
    return 2;
  }
  const Result<bool> outcome = run(arguments[1], write);
  if (!outcome.ok()) fmt::print("{}\n", outcome.error().describe());
  return outcome.ok() && *outcome ? 0 : 1;
}
