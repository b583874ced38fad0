// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/bake_shells.hpp"

#include "bake/shell/vibrations.hpp"
#include "bake/warnings.hpp"

#include "supple/bake/kept_settings.hpp"
#include "supple/bake/output_names.hpp"
#include "supple/core/files.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/core/progress.hpp"
#include "supple/core/resources.hpp"
#include "supple/core/version.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <utility>

namespace supple::bake {
namespace {

Result<void> encode_shells(ShellRun& run) {
  const io::SuppleWriteSettings encoding{run.input.settings.output.float32};
  soft::Asset asset = shell_asset(run.scene, run.objects, generator());
  asset.settings = keep_settings(run.input.settings);
  SUPPLE_TRY(run.supple, io::write_supple(asset, encoding));
  return {};
}

/// The file with its shells' recorded motion.
Result<Bytes> shell_glb(const ShellRequest& request, ShellRun& run) {
  SUPPLE_TRY(const io::GltfAsset asset, follow_bones(run.input.asset, run.scene));
  SUPPLE_TRY(const BakedFile file, BakedFile::open(run.supple.bytes, supple_path(request.output)));
  const ShellExportSettings& settings = run.input.settings.output;
  RecordSettings record = request.record;
  record.rate = settings.rate;
  SUPPLE_TRY(const auto clips,
             record_motions(request.motions, asset, run.scene.source, file, record));
  for (const BakedClip& clip : clips) {
    const Tracks& tracks = clip.tracks;
    run.clips.push_back(
        {tracks.name, tracks.duration, tracks.loops, tracks.cycles, tracks.at_limit()});
    for (const std::string& warning : tracks.warnings) warn(run.warnings, warning);
  }
  SUPPLE_TRY(ClipExport result, export_clips(asset, run.scene.source, file.objects(), clips,
                                             export_settings(settings)));
  for (const std::string& warning : result.warnings) warn(run.warnings, warning);
  run.recorded = std::move(result.shells);
  run.weight_samples = result.samples;
  run.weight_keys = result.keys;
  return io::write_baked_gltf(result.asset, file.id());
}

Result<void> stage_shells(const ShellRequest& request, ShellRun& run, OutputSet& output) {
  if (!request.output.empty()) {
    SUPPLE_TRY(const Bytes glb,
               shell_glb(request, run).during(fmt::format("making '{}'", request.output)));
    SUPPLE_TRY_VOID(output.stage(request.output, glb));
    SUPPLE_TRY_VOID(output.stage(supple_path(request.output), run.supple.bytes));
  }
  if (!request.write_config.empty()) {
    SUPPLE_TRY_VOID(output.stage(request.write_config, print_shell_settings(run.input.settings)));
  }
  return check_interrupt();
}

Result<PreparedShells> make_scene(const ShellInput& input, std::vector<ShellSettings> shells) {
  ShellFileSettings settings = input.settings;
  settings.shells = std::move(shells);
  return prepare_shells(input.asset, settings, input.first_number);
}

/// The shell that owns a primitive, by mesh and primitive of the file.
using Owners = std::map<std::pair<std::uint32_t, std::uint32_t>, std::string>;

/// The shell that a mesh already belongs to; "": none.
std::string owner_of(const PreparedShells& scene, const Owners& owners) {
  for (const soft::Part& part : scene.source.parts) {
    const auto found = owners.find({part.mesh, part.primitive});
    if (found != owners.end()) return found->second;
  }
  return {};
}

/// Of shells chosen automatically, keeps those that can be baked: a file with a flag may also
/// contain a label.
Result<void> bake_possible(ShellRun& run) {
  std::vector<ShellSettings>& shells = run.input.settings.shells;
  Progress progress("baking shells", static_cast<double>(shells.size()));
  std::vector<ShellSettings> kept;
  kept.reserve(shells.size());
  std::optional<Error> first_error;
  Owners owners;
  for (const ShellSettings& settings : shells) {
    const std::string& name = settings.object.name;
    const auto scene = make_scene(run.input, {settings});
    progress.advance();
    if (const std::string owner = scene.ok() ? owner_of(*scene, owners) : ""; !owner.empty()) {
      warn(run.warnings,
           fmt::format("'{}' draws the same mesh as shell '{}' and shows its motion; to move it "
                       "separately, give it a copy of the mesh in the modelling program",
                       name, owner));
      continue;
    }
    auto object = scene.ok() ? shell_vibrations(scene->shells.front()) : scene.error();
    if (!object.ok()) {
      if (object.error().code() == ErrorCode::Interrupted) return object.error();
      warn(run.warnings, fmt::format("'{}' cannot be a shell and stays rigid: {}", name,
                                     object.error().message()));
      if (!first_error) first_error = object.error();
      continue;
    }
    for (const soft::Part& part : scene->source.parts) {
      owners.emplace(std::pair(part.mesh, part.primitive), name);
    }
    kept.push_back(settings);
    run.objects.push_back(*std::move(object));
  }
  if (kept.empty()) return *first_error;
  shells = std::move(kept);
  SUPPLE_TRY(run.scene, make_scene(run.input, shells));
  gather_warnings(run.scene, run.warnings);
  for (const shell::ShellObject& object : run.objects) gather_warnings(object, run.warnings);
  return {};
}

Result<void> bake_named(ShellRun& run) {
  SUPPLE_TRY(run.scene, make_scene(run.input, run.input.settings.shells));
  gather_warnings(run.scene, run.warnings);
  SUPPLE_TRY(run.objects, shell_vibrations(run.scene, run.warnings));
  return {};
}

}  // namespace

Result<ShellRun> bake_shells(ShellInput input, const ShellRequest& request, OutputSet& output) {
  ShellRun run;
  run.input = std::move(input);
  const std::string context = fmt::format("baking '{}'", run.input.title);
  Stopwatch watch;
  for (const std::string& warning : run.input.asset.warnings) warn(run.warnings, warning);
  const bool any_will_do = run.input.automatic && run.input.settings.shells.size() > 1;
  SUPPLE_TRY_VOID((any_will_do ? bake_possible(run) : bake_named(run)).during(context));
  SUPPLE_TRY_VOID(encode_shells(run).during(context));
  run.seconds.emplace_back("bake", watch.lap());
  SUPPLE_TRY_VOID(stage_shells(request, run, output));
  run.seconds.emplace_back("write", watch.lap());
  return run;
}

Result<ShellRun> bake_shells(const ShellRequest& request, OutputSet& output) {
  SUPPLE_TRY_VOID(check(request));
  SUPPLE_TRY(ShellInput input, read_shells(request));
  return bake_shells(std::move(input), request, output);
}

}  // namespace supple::bake
