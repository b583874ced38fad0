// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/swim_settings.hpp"

#include "bake/swim_keys.hpp"
#include "bake/toml_text.hpp"

#include "supple/core/files.hpp"

#include <array>
#include <optional>

namespace supple::bake {
namespace {

using detail::line;
using detail::read_finite;
using detail::read_vector;
using detail::read_word;
using detail::toml_quoted;

constexpr std::array<std::string_view, 2> kMasses{"paper", "de_leva"};
constexpr std::array<std::string_view, 2> kShapes{"box", "capsule"};

/// A file of settings is a page; more is something else.
constexpr std::size_t kMostSettingsBytes = std::size_t{16} << 20;

swim::BodySettings read_body(TomlTable& table) {
  swim::BodySettings body;
  int hinges = body.hinges == swim::HingeSet::Paper14 ? 14 : 24;
  if (table.integer("hinges", hinges) && hinges != 14 && hinges != 24) {
    table.fail_at("hinges", bad_input(fmt::format("hinges is {}; it must be 14 or 24", hinges)));
  }
  body.hinges = hinges == 14 ? swim::HingeSet::Paper14 : swim::HingeSet::Human24;
  read_word(table, "masses", kMasses, body.masses);
  read_word(table, "shape", kShapes, body.shape);
  read_finite(table, "height", body.height);
  read_finite(table, "mass", body.mass);
  read_finite(table, "hand_length", body.hand_length);
  read_finite(table, "hand_width", body.hand_width);
  read_finite(table, "foot_length", body.foot_length);
  read_finite(table, "foot_width", body.foot_width);
  read_finite(table, "strength", body.strength);
  read_finite(table, "gain", body.gain);
  table.integer("cuts", body.cuts);
  read_finite(table, "buoyancy", body.buoyancy);
  table.text("mesh", body.mesh);
  return body;
}

swim::Target read_target(TomlTable& table) {
  swim::Target target;
  table.require("position");
  read_vector(table, "position", target.position);
  const auto direction = [&](const char* key, const char* such_as) {
    std::optional<Eigen::Vector3d> read;
    if (Eigen::Vector3d given; read_vector(table, key, given)) {
      if (given.isZero()) {
        table.fail_at(key, bad_input(fmt::format("{} is zero; it must be a direction such as {}",
                                                 key, such_as)));
      }
      read = given;
    }
    return read;
  };
  target.heading = direction("heading", "[1, 0, 0]");
  target.up = direction("up", "[0, 1, 0]");
  read_finite(table, "reach", target.reach);
  return target;
}

swim::Course read_course(TomlTable& root) {
  swim::Course course;
  root.boolean("spline", course.spline);
  root.boolean("loop", course.loop);
  if (double depth = 0; read_finite(root, "depth", depth)) course.depth = depth;
  // Obstacles first: a target within one is named at its own place.
  root.tables("obstacle", [&](TomlTable& table) {
    swim::Obstacle obstacle;
    table.require("centre");
    table.require("radius");
    read_vector(table, "centre", obstacle.centre);
    read_finite(table, "radius", obstacle.radius);
    if (!(obstacle.radius > 0)) {
      table.fail_at("radius", bad_input(fmt::format("an obstacle's radius is {}; it must be "
                                                    "positive",
                                                    obstacle.radius)));
    }
    course.obstacles.push_back(obstacle);
  });
  root.tables("target", [&](TomlTable& table) {
    course.targets.push_back(read_target(table));
    swim::Course so_far;
    so_far.obstacles = course.obstacles;
    so_far.targets = {course.targets.back()};
    if (auto valid = so_far.validate(); table.good() && !valid.ok()) {
      table.fail_at("position", std::move(valid).error());
    }
  });
  return course;
}

template <class Parse>
auto load(const std::filesystem::path& path, Parse parse)
    -> decltype(parse(std::string_view(), std::string_view())) {
  SUPPLE_TRY(const Bytes bytes, read_plain_file(path, kMostSettingsBytes));
  return parse(as_text(bytes), path.string());
}

}  // namespace

Result<swim::BodySettings> parse_swim_body(std::string_view toml, std::string_view name) {
  swim::BodySettings body;
  SUPPLE_TRY_VOID(read_toml(toml, name, [&](TomlTable& root) {
    body = read_body(root);
    if (auto valid = body.validate(); root.good() && !valid.ok()) {
      root.fail_at(detail::culprit(root, valid.error(), read_body), valid.error());
    }
  }));
  return body;
}

std::string print_swim_body(const swim::BodySettings& body) {
  const auto word = [](const auto& words, auto value) {
    return toml_quoted(words[static_cast<std::size_t>(value)]);
  };
  std::string text =
      line("hinges", std::string_view(body.hinges == swim::HingeSet::Paper14 ? "14" : "24"),
           "14: limbs in the body's plane; 24: shoulders and hips turn freely") +
      line("masses", word(kMasses, body.masses), "\"de_leva\" or \"paper\"") +
      line("shape", word(kShapes, body.shape), "\"box\" or \"capsule\"") +
      line("height", body.height, "m, standing") + line("mass", body.mass, "kg");
  text += line("hand_length", body.hand_length, "factors on the hands and feet") +
          line("hand_width", body.hand_width, "") + line("foot_length", body.foot_length, "") +
          line("foot_width", body.foot_width, "") +
          line("strength", body.strength, "factor on the largest torques") +
          line("gain", body.gain, "factor on stiffness and damping of the muscles") +
          line("cuts", fmt::format("{}", body.cuts), "faces per edge of a box") +
          line("buoyancy", body.buoyancy, "factor on the displaced volume");
  if (!body.mesh.empty()) {
    text += line("mesh", detail::toml_quoted(body.mesh),
                 "rigged character whose pieces are the segments");
  }
  return text;
}

Result<swim::Course> parse_swim_course(std::string_view toml, std::string_view name) {
  swim::Course course;
  SUPPLE_TRY_VOID(read_toml(toml, name, [&](TomlTable& root) {
    course = read_course(root);
    if (auto valid = course.validate(); root.good() && !valid.ok()) {
      root.fail_at("", std::move(valid).error());
    }
  }));
  return course;
}

Result<swim::BodySettings> load_swim_body(const std::filesystem::path& path) {
  SUPPLE_TRY(swim::BodySettings body, load(path, parse_swim_body));
  if (!body.mesh.empty()) body.mesh = (path.parent_path() / body.mesh).string();
  return body;
}

Result<swim::WaterSettings> load_swim_water(const std::filesystem::path& path) {
  return load(path, [&](std::string_view text, std::string_view name) {
    return parse_swim_water(text, name, path.parent_path());
  });
}

Result<swim::Course> load_swim_course(const std::filesystem::path& path) {
  return load(path, parse_swim_course);
}

}  // namespace supple::bake
