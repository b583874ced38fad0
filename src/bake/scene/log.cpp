// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/scene_log.hpp"

#include "supple/settings/fields.hpp"
#include "supple/settings/json.hpp"

#include <fmt/format.h>

namespace supple::bake {
namespace {

using settings::above;
using settings::field;
using settings::Fields;
using settings::from;

constexpr std::string_view kSceneLog = "scene log";

const Fields<SceneBlend>& blend_fields() {
  using S = SceneBlend;
  static const Fields<S> fields{
      field<&S::entry>("entry", "that acted").must_be_given(),
      field<&S::strength>("strength", "of it").range(above(0)),
      field<&S::off>("off", "distance from the samples, of the portrait's size").range(from(0)),
      field<&S::response>("response", "that was replayed").must_be_given(),
      field<&S::frame>("frame", "of it at which the entry acted").range(from(0)).must_be_given(),
      field<&S::next>("next", "response that answered").must_be_given(),
  };
  return fields;
}

const Fields<SceneLog>& log_fields() {
  using S = SceneLog;
  static const Fields<S> fields{
      field<&S::kind>("supple", "what the file is").must_be_given(),
      field<&S::scene>("scene", "its name").must_be_given(),
      settings::sections<&S::blends>("blends", blend_fields(), "the worst transitions"),
  };
  return fields;
}

}  // namespace

Result<SceneLog> parse_scene_log(std::string_view json, std::string_view name) {
  const std::string context = fmt::format("reading '{}'", name);
  auto document = settings::parse_json(json);
  if (!document.ok()) return Result<SceneLog>(std::move(document).error()).during(context);
  const settings::Entry* kind = document->find("supple");
  const std::string* text = kind == nullptr ? nullptr : std::get_if<std::string>(&kind->value.data);
  if (text == nullptr || *text != kSceneLog) {
    return bad_input(fmt::format("it is not a log of a scene: those begin with \"supple\": \"{}\"",
                                 kSceneLog))
        .at(std::string(name));
  }
  SceneLog log;
  SUPPLE_TRY_VOID(log_fields().read(*document, name, log).during(context));
  return log;
}

std::string print_scene_log(const SceneLog& log) {
  SceneLog named = log;
  named.kind = kSceneLog;
  return settings::print_json(log_fields().write(named)) + "\n";
}

}  // namespace supple::bake
