// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/bake_character.hpp"

#include "bake/export/targets.hpp"
#include "bake/flesh/output.hpp"
#include "bake/flesh/store.hpp"
#include "bake/shell/vibrations.hpp"
#include "bake/warnings.hpp"

#include "supple/bake/clip_export.hpp"
#include "supple/bake/kept_settings.hpp"
#include "supple/bake/output_names.hpp"
#include "supple/core/console.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/core/log.hpp"
#include "supple/core/progress.hpp"
#include "supple/core/resources.hpp"
#include "supple/core/suggest.hpp"
#include "supple/geometry/types.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace supple::bake {
namespace {

namespace fs = std::filesystem;

Result<void> keep_only(const std::string& name, BakeInput& input) {
  std::vector<flesh::ObjectSettings>& objects = input.settings.objects;
  std::vector<ShellSettings>& shells = input.settings.shells;
  std::vector<std::string> names;
  names.reserve(objects.size() + shells.size());
  for (const flesh::ObjectSettings& object : objects) names.push_back(object.name);
  for (const ShellSettings& shell : shells) names.push_back(shell.object.name);
  std::erase_if(objects, [&](const auto& object) { return object.name != name; });
  std::erase_if(shells, [&](const auto& shell) { return shell.object.name != name; });
  if (input.scene) {
    std::erase_if(input.scene->shells.shells,
                  [&](const auto& shell) { return shell.settings.object.name != name; });
  }
  if (!objects.empty() || !shells.empty()) return {};
  return bad_input(fmt::format("cannot bake only '{}': no such object{}; available: {}", name,
                               did_you_mean(name, names), fmt::join(names, ", ")));
}

void override_settings(const BakeRequest& request, BakeSettings& settings) {
  settings.output.rate = request.rate.value_or(settings.output.rate);
  settings.output.gain = request.gain.value_or(settings.output.gain);
  settings.output.signed_weights |= request.signed_weights;
  settings.output.float32 |= request.float32;
  for (flesh::ObjectSettings& object : settings.objects) {
    object.elements = request.elements.value_or(object.elements);
    object.capture = request.capture.value_or(object.capture);
    if (request.modes) {
      object.modes = *request.modes;
      object.capture = 0;
    }
  }
}

/// The settings of the file, or those of the model, or the defaults.
Result<BakeSettings> read_bake_settings(const BakeRequest& request) {
  BakeSettings settings;
  if (!request.config.empty()) {
    SUPPLE_TRY(settings, load_bake_settings(request.config));
  } else if (request.model && !request.model->bake_toml.empty()) {
    SUPPLE_TRY(settings, parse_bake_settings(request.model->bake_toml, request.model->title));
  }
  settings.metres_per_unit = request.unit.value_or(settings.metres_per_unit);
  if (request.skeleton) settings.skeleton = request.skeleton;
  return settings;
}

/// Finds the vertices of the shells and makes them follow only the shells' bones.
Result<void> set_shells_apart(BakeInput& input) {
  if (input.settings.shells.empty()) return {};
  SUPPLE_TRY(input.scene, mixed_character(input.asset, input.source, input.settings));
  gather_warnings(input.scene->shells, input.warnings);
  SUPPLE_TRY(input.asset, follow_bones(input.asset, input.scene->shells));
  return {};
}

/// The longest side of the skin as the first bone places it at rest, metres.
double size_of(const character::Character& character) {
  const Eigen::Matrix4d world = character.bones[0].rest_world * character.bones[0].inverse_bind;
  geometry::Box box;
  for (const geometry::Vec3& p : character.positions) {
    box.add(world.topLeftCorner<3, 3>() * p + world.topRightCorner<3, 1>());
  }
  return character.metres_per_unit * box.size().maxCoeff();
}

/// Frequencies of flesh go with one over its size: in a wrong unit it trembles or hardly moves.
void report_size(BakeInput& input) {
  constexpr double kLeast = 0.2;
  constexpr double kMost = 20;
  constexpr double kUsual = 1.7;
  const double size = size_of(input.source.character);
  if (!(size > 0) || (size >= kLeast && size <= kMost)) return;
  const double factor = std::pow(10, std::round(std::log10(kUsual / size)));
  warn(
      input.warnings,
      fmt::format("the character is {} long, {} than most; its flesh is as {} as that of something "
                  "of this size. If the file is not in metres, set unit = {:g} (metres per unit), "
                  "which makes it {}",
                  format_si(size, "m"), size < kLeast ? "smaller" : "larger",
                  size < kLeast ? "stiff" : "slow", input.source.character.metres_per_unit * factor,
                  format_si(factor * size, "m")));
}

/// Objects that take the same skin: it would move with both of them.
void report_shared_bones(BakeInput& input) {
  const auto& objects = input.settings.objects;
  const auto takes_all = [](const flesh::ObjectSettings& object) {
    return object.region.material.empty() && object.region.mask.empty();
  };
  for (std::size_t a = 0; a < objects.size(); ++a) {
    for (std::size_t b = a + 1; b < objects.size(); ++b) {
      if (!takes_all(objects[a]) || !takes_all(objects[b])) continue;
      for (const std::string& bone : objects[a].region.bones) {
        const auto& others = objects[b].region.bones;
        if (std::find(others.begin(), others.end(), bone) == others.end()) continue;
        warn(input.warnings,
             fmt::format("objects '{}' and '{}' both take the skin of bone '{}', which moves with "
                         "both, about twice as far; give each bone to one object, or separate the "
                         "objects by surface_material or mask",
                         objects[a].name, objects[b].name, bone));
      }
    }
  }
}

Result<void> choose_objects(const BakeRequest& request, BakeInput& input) {
  BakeSettings& settings = input.settings;
  input.automatic = settings.objects.empty();
  if (input.automatic) {
    SUPPLE_TRY(settings.objects, flesh::propose_objects(input.skin()));
  }
  override_settings(request, settings);
  input.all_settings = settings;
  if (!request.only.empty()) SUPPLE_TRY_VOID(keep_only(request.only, input));
  report_shared_bones(input);
  return settings.validate();
}

Result<flesh::FleshObject> bake_or_find(const BakeInput& input, const BakeStore* store,
                                        const flesh::ObjectSettings& settings) {
  if (store != nullptr) {
    if (auto found = store->find(settings)) {
      log::info("'{}' is already baked", settings.name);
      return *std::move(found);
    }
  }
  log::debug("baking '{}'", settings.name);
  SUPPLE_TRY(
      flesh::FleshObject object,
      flesh::bake_object(input.skin(), settings).during(fmt::format("baking '{}'", input.title)));
  if (store != nullptr) SUPPLE_TRY_VOID(store->keep(settings, object));
  return object;
}

Result<std::vector<flesh::FleshObject>> bake_objects(const BakeInput& input,
                                                     const std::string& work) {
  std::optional<BakeStore> store;
  if (!work.empty()) {
    SUPPLE_TRY(store, BakeStore::open(work, input.skin()));
  }
  const auto& wanted = input.settings.objects;
  double elements = 0;
  for (const flesh::ObjectSettings& object : wanted) {
    elements += static_cast<double>(object.elements);
  }
  Progress progress("baking flesh", elements);
  std::vector<flesh::FleshObject> objects;
  for (const flesh::ObjectSettings& settings : wanted) {
    SUPPLE_TRY_VOID(check_interrupt());
    SUPPLE_TRY(flesh::FleshObject object, bake_or_find(input, store ? &*store : nullptr, settings));
    objects.push_back(std::move(object));
    progress.advance(static_cast<double>(settings.elements));
  }
  return objects;
}

}  // namespace

Result<void> check(const BakeRequest& request) {
  if (request.output.empty() && !request.motions.empty()) {
    return Error(ErrorCode::Usage, "motions become clips of OUT.glb: give an output");
  }
  SUPPLE_TRY_VOID(check_glb_name(request.output));
  std::vector<std::string> inputs{request.character, request.bone_map};
  inputs.insert(inputs.end(), request.motions.begin(), request.motions.end());
  // The settings may be written to the file they were read from.
  std::vector<std::string> outputs;
  if (!request.output.empty()) outputs = {request.output, supple_path(request.output)};
  SUPPLE_TRY_VOID(keep_settings_apart(request.config, outputs));
  outputs.push_back(request.write_config);
  SUPPLE_TRY_VOID(keep_apart(inputs, outputs));
  return check_writable(outputs);
}

Result<BakeInput> read_bake(const BakeRequest& request) {
  BakeInput input;
  SUPPLE_TRY(input.settings, read_bake_settings(request));
  if (request.model) {
    input.title = request.model->title;
    input.asset = request.model->asset;
    if (!request.output.empty()) input.motions = request.model->motions;
  } else {
    input.title = request.character;
    SUPPLE_TRY(input.asset, io::read_gltf(fs::path(request.character)));
  }
  if (!request.motions.empty()) input.motions = request.motions;
  const std::string context = fmt::format("reading '{}'", input.title);
  const CharacterSettings wanted{
      input.settings.metres_per_unit, input.settings.skeleton.value_or(""), {}};
  SUPPLE_TRY(input.source, character_from_gltf(input.asset, wanted).during(context));
  SUPPLE_TRY(input.asset, without_flesh_of(std::move(input.asset), input.source));
  for (const auto* warnings : {&input.asset.warnings, &input.source.warnings}) {
    for (const std::string& warning : *warnings) warn(input.warnings, warning);
  }
  report_size(input);
  SUPPLE_TRY_VOID(set_shells_apart(input).during(context));
  SUPPLE_TRY_VOID(choose_objects(request, input).during(context));
  return input;
}

Result<BakeRun> bake_character(BakeInput input, const BakeRequest& request, OutputSet& output) {
  BakeRun run;
  run.input = std::move(input);
  SUPPLE_TRY(run.motions, load_motions(request, run.input));
  Stopwatch watch;
  SUPPLE_TRY(run.objects, bake_objects(run.input, request.work));
  run.warnings = run.input.warnings;
  if (run.input.scene) {
    SUPPLE_TRY(run.shells, shell_vibrations(run.input.scene->shells, run.warnings)
                               .during(fmt::format("baking '{}'", run.input.title)));
  }
  run.seconds.emplace_back("bake", watch.lap());
  SUPPLE_TRY_VOID(stage_output(request, run, output));
  return run;
}

Result<BakeRun> bake_character(const BakeRequest& request, OutputSet& output) {
  SUPPLE_TRY_VOID(check(request));
  SUPPLE_TRY(BakeInput input, read_bake(request));
  return bake_character(std::move(input), request, output);
}

}  // namespace supple::bake
