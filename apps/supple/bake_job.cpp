// SPDX-License-Identifier: Apache-2.0
#include "bake_job.hpp"

#include "application.hpp"

#include "supple/core/files.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/core/log.hpp"
#include "supple/core/progress.hpp"
#include "supple/core/resources.hpp"
#include "supple/core/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace supple::app {
namespace {

namespace fs = std::filesystem;

Error usage_error(std::string message) {
  return {ErrorCode::Usage, std::move(message)};
}

std::string supple_path(const std::string& glb) {
  return fs::path(glb).replace_extension(".supple").string();
}

std::vector<std::string> output_paths(const BakeRequest& request) {
  std::vector<std::string> paths;
  if (!request.output.empty()) paths = {request.output, supple_path(request.output)};
  if (!request.write_config.empty()) paths.push_back(request.write_config);
  return paths;
}

/// A wrong directory must not cost the whole bake.
Result<void> check_writable(const BakeRequest& request) {
  OutputSet attempt;  // never committed: leaves nothing behind
  for (const std::string& path : output_paths(request)) {
    if (fs::is_directory(path)) {
      return io_error(fmt::format("cannot write '{}': it is a directory", path));
    }
    SUPPLE_TRY_VOID(attempt.stage(path, std::string_view()));
  }
  return {};
}

Result<void> keep_only(const std::string& name, std::vector<flesh::ObjectSettings>& objects) {
  std::vector<std::string> names;
  for (const flesh::ObjectSettings& object : objects) names.push_back(object.name);
  std::erase_if(objects, [&](const flesh::ObjectSettings& object) { return object.name != name; });
  if (!objects.empty()) return {};
  return bad_input(fmt::format("--only: there is no object '{}'{}; there are {}", name,
                               did_you_mean(name, names), fmt::join(names, ", ")));
}

void override_settings(const BakeRequest& request, bake::BakeSettings& settings) {
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

Result<bake::BakeSettings> read_settings(const BakeRequest& request) {
  bake::BakeSettings settings;
  if (!request.config.empty()) {
    SUPPLE_TRY(const Bytes bytes, read_file(request.config));
    SUPPLE_TRY(settings, bake::parse_bake_settings(as_text(bytes), request.config));
  }
  settings.metres_per_unit = request.unit.value_or(settings.metres_per_unit);
  return settings;
}

Result<void> choose_objects(const BakeRequest& request, BakeInput& input) {
  bake::BakeSettings& settings = input.settings;
  input.automatic = settings.objects.empty();
  if (input.automatic) {
    SUPPLE_TRY(settings.objects, flesh::propose_objects(input.source.character));
  }
  if (!request.only.empty()) SUPPLE_TRY_VOID(keep_only(request.only, settings.objects));
  override_settings(request, settings);
  return settings.validate();
}

Result<std::vector<flesh::FleshObject>> bake_objects(const BakeInput& input) {
  const auto& wanted = input.settings.objects;
  double elements = 0;
  for (const flesh::ObjectSettings& object : wanted) {
    elements += static_cast<double>(object.elements);
  }
  Progress progress("baking flesh", elements);
  std::vector<flesh::FleshObject> objects;
  for (const flesh::ObjectSettings& settings : wanted) {
    SUPPLE_TRY_VOID(check_interrupt());
    log::debug("baking '{}'", settings.name);
    SUPPLE_TRY(flesh::FleshObject object, flesh::bake_object(input.source.character, settings)
                                              .during(fmt::format("baking '{}'", input.title)));
    objects.push_back(std::move(object));
    progress.advance(static_cast<double>(settings.elements));
  }
  return objects;
}

Result<void> write_files(const BakeRequest& request, BakeRun& run) {
  const io::SuppleAsset asset = bake::supple_asset(run.input.asset, run.input.source, run.objects,
                                                   fmt::format("supple {}", version()));
  io::SuppleWriteSettings encoding;
  encoding.float32 = run.input.settings.output.float32;
  SUPPLE_TRY(run.supple, io::write_supple(asset, encoding));
  OutputSet output;
  std::vector<WrittenFile> files;
  const auto stage = [&](const std::string& path, std::span<const std::byte> bytes) {
    files.push_back({path, bytes.size()});
    return output.stage(path, bytes);
  };
  if (!request.output.empty()) {
    SUPPLE_TRY_VOID(stage(supple_path(request.output), run.supple.bytes));
  }
  if (!request.write_config.empty()) {
    const std::string text = bake::print_bake_settings(run.input.settings);
    SUPPLE_TRY_VOID(stage(request.write_config, as_bytes(text)));
  }
  SUPPLE_TRY_VOID(check_interrupt());
  SUPPLE_TRY_VOID(output.commit());
  run.files = std::move(files);
  return {};
}

}  // namespace

Result<void> check_request(const BakeRequest& request) {
  if (request.character.empty() == request.sample.empty()) {
    return usage_error(request.character.empty()
                           ? "give a character (.glb or .gltf) or --sample NAME"
                           : "give a character or --sample, not both");
  }
  if (!request.output.empty()) {
    if (fs::path(request.output).extension() != ".glb") {
      return usage_error(fmt::format(
          "-o '{}' must end in .glb; the .supple file gets the same name", request.output));
    }
    std::error_code ignored;
    if (fs::equivalent(request.output, request.character, ignored)) {
      return usage_error(fmt::format("-o '{}' would replace the character itself", request.output));
    }
  }
  return check_writable(request);
}

Result<BakeInput> load_bake(const BakeRequest& request) {
  BakeInput input;
  SUPPLE_TRY(input.settings, read_settings(request));
  input.title = request.character;
  SUPPLE_TRY(input.asset, io::read_gltf(fs::path(request.character)));
  const bake::UnitSettings units{input.settings.metres_per_unit};
  const std::string context = fmt::format("reading '{}'", input.title);
  SUPPLE_TRY(input.source, bake::character_from_gltf(input.asset, units).during(context));
  for (const auto* warnings : {&input.asset.warnings, &input.source.warnings}) {
    for (const std::string& warning : *warnings) log::warn("{}", warning);
  }
  SUPPLE_TRY_VOID(choose_objects(request, input).during(context));
  return input;
}

Result<BakeRun> run_bake(BakeInput input, const BakeRequest& request) {
  BakeRun run;
  run.input = std::move(input);
  Stopwatch watch;
  SUPPLE_TRY(run.objects, bake_objects(run.input));
  run.seconds.emplace_back("bake", watch.lap());
  SUPPLE_TRY_VOID(write_files(request, run));
  run.seconds.emplace_back("write", watch.lap());
  return run;
}

}  // namespace supple::app
