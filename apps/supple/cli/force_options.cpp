// SPDX-License-Identifier: Apache-2.0
#include "cli/force_options.hpp"

#include "supple/bake/shell_settings.hpp"

#include <CLI/CLI.hpp>

#include <cmath>
#include <limits>

namespace supple::app {
namespace {

using Numbers = std::vector<double>;

CLI::Option* add_numbers(CLI::App& command, const std::string& name, int count,
                         const std::string& description, const std::string& type,
                         const std::function<void(const Numbers&)>& take) {
  return command.add_option_function<Numbers>(name, take, description)
      ->type_name(type)
      ->delimiter(',')
      ->expected(count);
}

}  // namespace

void add_force_options(CLI::App& command, bake::RecordSettings& settings,
                       const std::string& group) {
  add_numbers(command, "--gravity", 3, "m/s^2 along the world's axes (0,-9.81,0)", "X,Y,Z",
              [&settings](const Numbers& v) {
                settings.play.gravity = {v[0], v[1], v[2]};
              })
      ->group(group);
  add_numbers(command, "--wind", 4,
              "m/s along the world's axes; a fourth number, 0 to 1, adds gusts (shells)",
              "X,Y,Z[,GUSTS]",
              [&settings](const Numbers& v) {
                bake::Wind wind;
                wind.velocity = {v[0], v[1], v[2]};
                if (v.size() > 3) wind.gusts = v[3];
                settings.play.wind = wind;
              })
      ->expected(3, 4)
      ->group(group);
  command
      .add_option_function<std::string>(
          "--medium",
          [&settings](const std::string& text) {
            double density = 0;
            if (CLI::detail::lexical_cast(text, density) && density >= 0 && density <= 20000) {
              settings.play.medium = density;
              return;
            }
            const auto found = bake::find_medium(text);
            if (!found.ok()) throw CLI::ValidationError("--medium", found.error().describe());
            settings.play.medium = *found;
          },
          "fluid around shells, also at rest: none, air, water or a density in kg/m^3 (default: "
          "what they were baked for; air if there is wind)")
      ->type_name("WHAT")
      ->group(group);
  add_numbers(
      command, "--push", 4,
      "push a vertex, in newtons, during the first 0.2 s; a loop then plays once. VERTEX counts "
      "from 0, even though OBJ files count from 1",
      "VERTEX,X,Y,Z",
      [&settings](const Numbers& v) {
        constexpr double kMost = std::numeric_limits<std::uint32_t>::max();
        const bool whole = v[0] >= 0 && v[0] < kMost && v[0] == std::floor(v[0]);
        if (!whole)
          throw CLI::ValidationError("--push", "VERTEX must be a whole number, 0 or more");
        settings.play.push = bake::Push{static_cast<std::uint32_t>(v[0]), {v[1], v[2], v[3]}};
      })
      ->group(group);
  command
      .add_option("--seconds", settings.seconds,
                  "duration of 'gravity' and 'wind' (4), or of a scene")
      ->type_name("S")
      ->check(CLI::Range(0.1, 600.0))
      ->group(group);
}

}  // namespace supple::app
