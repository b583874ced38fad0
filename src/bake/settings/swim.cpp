// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/swim_settings.hpp"

#include "supple/core/files.hpp"
#include "supple/settings/fields.hpp"
#include "supple/settings/toml.hpp"

namespace supple::bake {
namespace {

/// A settings file has about a page; a much larger file is something else.

template <class S>
Result<S> parse(const settings::Fields<S>& fields, std::string_view toml, std::string_view name) {
  SUPPLE_TRY(const settings::Value document, settings::parse_toml(toml, name));
  S read;
  SUPPLE_TRY_VOID(fields.read(document, name, read));
  return read;
}

template <class Parse>
auto load(const std::filesystem::path& path, Parse parse_text)
    -> decltype(parse_text(std::string_view(), std::string_view())) {
  SUPPLE_TRY(const Bytes bytes, read_file(path, kMostTextBytes));
  return parse_text(as_text(bytes), path.string());
}

}  // namespace

Result<swim::BodySettings> parse_swim_body(std::string_view toml, std::string_view name) {
  return parse(swim::body_fields(), toml, name);
}

std::string print_swim_body(const swim::BodySettings& body) {
  return settings::print_toml(swim::body_fields(), swim::body_fields().write(body));
}

Result<swim::Course> parse_swim_course(std::string_view toml, std::string_view name) {
  return parse(swim::course_fields(), toml, name);
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
