// SPDX-License-Identifier: Apache-2.0
#include "application.hpp"

#include "bake/command.hpp"
#include "check/command.hpp"
#include "cli/help_format.hpp"
#include "cli/usage_error.hpp"
#include "demo/command.hpp"
#include "info/command.hpp"
#include "light/command.hpp"
#include "modes/command.hpp"
#include "play/command.hpp"
#include "render/command.hpp"
#include "scene/command.hpp"
#include "shell/command.hpp"
#include "simulate/command.hpp"
#include "swim/command.hpp"
#include "view/command.hpp"

#include "supple/core/suggest.hpp"
#include "supple/core/version.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <vector>

namespace supple::app {
namespace {

int fail(const Error& error) {
  tell(fmt::format("error: {}\n", error.describe()));
  return static_cast<int>(error.code());
}

std::vector<std::string> command_names(const CLI::App& program) {
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

/// For a misspelt command, CLI11 only reports an unexpected argument.
Result<void> check_command(const CLI::App& program, int argc, const char* const* argv) {
  const std::vector<std::string> names = command_names(program);
  if (argc < 2) return usage_error("no command; 'supple --help' lists them");
  const std::string_view word = argv[1];
  if (word.starts_with('-') || std::find(names.begin(), names.end(), word) != names.end()) {
    return {};
  }
  const std::string near = did_you_mean(word, names);
  return usage_error(fmt::format("unknown command '{}'{}{}", word, near,
                                 near.empty() ? "; 'supple --help' lists them" : ""));
}

/// "--wind takes X,Y,Z[,GUSTS]" instead of CLI11's "--wind: At least 3 required but received 1".
std::string describe_mismatch(const CLI::App& command, const std::string& text) {
  const std::string name = text.substr(0, text.find(':'));
  const CLI::Option* option = command.get_option_no_throw(name);
  if (option == nullptr) return text;
  const std::string type = option->get_type_name();  // with its checks, "N:INT in [1 - 9]"
  return fmt::format("{} takes {}", name, type.substr(0, type.find(':')));
}

/// The message of a failed parse; suggests the nearest known option for an unknown one.
std::string describe_parse_error(const CLI::App& program, const CLI::ParseError& error) {
  std::string text = error.what();
  while (!text.empty() && (text.back() == '\n' || text.back() == '.')) text.pop_back();
  std::string where = "supple";
  // Descend to the innermost command, such as 'supple swim optimise'.
  const CLI::App* command = &program;
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    where += " " + command->get_name();
    if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::ExtrasError)) continue;
    std::vector<std::string> options;
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
    }
    for (const std::string& word : command->remaining()) {
      if (word.starts_with("--")) {
        text = fmt::format("unknown option {}{}", word,
                           did_you_mean(word.substr(0, word.find('=')), options));
        break;
      }
    }
  }
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ArgumentMismatch)) {
    text = describe_mismatch(*command, text);
  }
  return fmt::format("{} (see '{} --help')", text, where);
}

int parse_and_run(CLI::App& program, const std::vector<Command>& commands, int argc,
                  const char* const* argv) {
  if (auto known = check_command(program, argc, argv); !known.ok()) return fail(known.error());
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& request) {  // --help, --version
    std::ostringstream text;
    program.exit(request, text, text);
    const Result<void> printed = print_machine_text(text.str());
    return printed.ok() ? 0 : fail(printed.error());
  } catch (const CLI::ParseError& error) {
    return fail(usage_error(describe_parse_error(program, error)));
  }
  for (const Command& command : commands) {
    if (!command.parser->parsed()) continue;
    const Result<void> result = command.run();
    return result.ok() ? 0 : fail(result.error());
  }
  return fail(usage_error("no command; 'supple --help' lists them"));
}

}  // namespace

int run(int argc, const char* const* argv) {
  try {
    CLI::App program("Supple turns meshes into soft real-time assets.", "supple");
    program.formatter(make_help_format());
    program.set_version_flag("--version", generator());
    program.require_subcommand(1);
    program.footer(
        "Exit status: 0 success, 2 wrong usage, 3 bad input, 4 not converged, 5 reading or "
        "writing\n"
        "failed, 130 interrupted. 'supple COMMAND --help' lists a command's options.");
    const std::vector<Command> commands{
        make_bake_command(program),  make_info_command(program),     make_check_command(program),
        make_shell_command(program), make_modes_command(program),    make_play_command(program),
        make_swim_command(program),  make_simulate_command(program), make_scene_command(program),
        make_light_command(program), make_render_command(program),   make_view_command(program),
        make_demo_command(program)};
    return parse_and_run(program, commands, argc, argv);
  } catch (const std::bad_alloc&) {
    return fail({ErrorCode::BadInput, "out of memory: the model is too large for this machine"});
  } catch (const std::filesystem::filesystem_error& error) {
    return fail({ErrorCode::Io, fmt::format("cannot use '{}': {}", error.path1().string(),
                                            error.code().message())});
  } catch (const std::system_error& error) {
    const char* remedy =
        error.code() == std::errc::resource_unavailable_try_again
            ? "cannot start a thread; raise the limits of the system (ulimit -u, -v): "
            : "the system failed: ";
    return fail({ErrorCode::Io, fmt::format("{}{}", remedy, error.code().message())});
  } catch (const std::exception& error) {
    return fail({ErrorCode::BadInput, fmt::format("unexpected: {}", error.what())});
  }
}

}  // namespace supple::app
