// SPDX-License-Identifier: Apache-2.0
#include "cli/loop_option.hpp"

#include <CLI/CLI.hpp>

#include <map>

namespace supple::app {

CLI::Option* add_loop_option(CLI::App& command, character::Looping& looping,
                             const std::string& group) {
  using character::Looping;
  static const std::map<std::string, Looping> choices{
      {"auto", Looping::Auto}, {"yes", Looping::Yes}, {"no", Looping::No}};
  return command
      .add_option_function<std::string>(
          "--loop", [&looping](const std::string& choice) { looping = choices.at(choice); },
          "play motions as loops: yes, no, or auto (if the end continues in the beginning, root "
          "motion aside)")
      ->type_name("WHEN")
      ->check(CLI::IsMember({"yes", "no", "auto"}))
      ->group(group);
}

}  // namespace supple::app
