// SPDX-License-Identifier: Apache-2.0
#include "shell_job.hpp"

#include "application.hpp"
#include "output_paths.hpp"
#include "shell_bake.hpp"

#include "supple/core/files.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/core/progress.hpp"
#include "supple/core/resources.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <utility>

namespace supple::app {
namespace {

Result<void> encode_shells(ShellRun& run) {
  const std::string generator = fmt::format("supple {}", version());
  const io::SuppleWriteSettings encoding{run.input.settings.output.float32};
  SUPPLE_TRY(run.supple,
             io::write_supple(bake::shell_asset(run.scene, run.objects, generator), encoding));
  return {};
}

/// The file with its shells' recorded motion.
Result<Bytes> shell_glb(const ShellRequest& request, ShellRun& run) {
  SUPPLE_TRY(const io::GltfAsset asset, bake::follow_bones(run.input.asset, run.scene));
  SUPPLE_TRY(const bake::BakedFile file,
             bake::BakedFile::open(run.supple.bytes, supple_path(request.output)));
  const bake::ShellExportSettings& settings = run.input.settings.output;
  bake::RecordSettings record = request.record;
  record.rate = settings.rate;
  SUPPLE_TRY(const auto clips,
             bake::record_motions(request.motions, asset, run.scene.source, file, record));
  for (const bake::BakedClip& clip : clips) {
    const bake::Tracks& tracks = clip.tracks;
    run.clips.push_back({tracks.name, tracks.duration, tracks.loops, tracks.cycles});
    for (const std::string& warning : tracks.warnings) warn(run.warnings, warning);
  }
  SUPPLE_TRY(bake::ShellExport result,
             bake::export_shells(asset, run.scene.source, file, clips, settings));
  for (const std::string& warning : result.warnings) warn(run.warnings, warning);
  run.recorded = std::move(result.shells);
  run.weight_samples = result.gltf.samples;
  run.weight_keys = result.gltf.keys;
  return io::write_gltf(result.gltf.asset);
}

Result<void> write_output(const ShellRequest& request, ShellRun& run) {
  OutputSet output;
  std::vector<WrittenFile> files;
  const auto stage = [&](const std::string& path, std::span<const std::byte> bytes) {
    files.push_back({path, bytes.size()});
    return output.stage(path, bytes);
  };
  if (!request.output.empty()) {
    SUPPLE_TRY(const Bytes glb,
               shell_glb(request, run).during(fmt::format("making '{}'", request.output)));
    SUPPLE_TRY_VOID(stage(request.output, glb));
    SUPPLE_TRY_VOID(stage(supple_path(request.output), run.supple.bytes));
  }
  if (!request.write_config.empty()) {
    const std::string text = bake::print_shell_settings(run.input.settings);
    SUPPLE_TRY_VOID(stage(request.write_config, as_bytes(text)));
  }
  SUPPLE_TRY_VOID(check_interrupt());
  SUPPLE_TRY_VOID(output.commit());
  run.files = std::move(files);
  return {};
}

Result<bake::ShellScene> make_scene(const ShellInput& input,
                                    std::vector<bake::ShellSettings> shells) {
  bake::ShellFileSettings settings = input.settings;
  settings.shells = std::move(shells);
  return bake::shell_scene(input.asset, settings, input.first_number);
}

/// Which shell has a primitive: by mesh and primitive of the file.
using Owners = std::map<std::pair<std::uint32_t, std::uint32_t>, std::string>;

/// The shell that a mesh of this scene belongs to already; "": none does.
std::string owner_of(const bake::ShellScene& scene, const Owners& owners) {
  for (const io::SupplePart& part : scene.source.parts) {
    const auto found = owners.find({part.mesh, part.primitive});
    if (found != owners.end()) return found->second;
  }
  return {};
}

/// Of shells that nobody named, those that can be: a file with a flag may have a label too.
Result<void> bake_possible(ShellRun& run) {
  std::vector<bake::ShellSettings>& shells = run.input.settings.shells;
  Progress progress("baking shells", static_cast<double>(shells.size()));
  std::vector<bake::ShellSettings> kept;
  kept.reserve(shells.size());
  std::optional<Error> first_error;
  Owners owners;
  for (const bake::ShellSettings& settings : shells) {
    const std::string& name = settings.object.name;
    const auto scene = make_scene(run.input, {settings});
    progress.advance();
    if (const std::string owner = scene.ok() ? owner_of(*scene, owners) : ""; !owner.empty()) {
      warn(run.warnings,
           fmt::format("'{}' draws the same mesh as shell '{}' and shows its motion; for one of "
                       "its own, make its mesh a copy in the modelling program",
                       name, owner));
      continue;
    }
    auto object = scene.ok() ? bake_shell(scene->shells.front()) : scene.error();
    if (!object.ok()) {
      if (object.error().code() == ErrorCode::Interrupted) return object.error();
      warn(run.warnings, fmt::format("'{}' is no shell and stays as it is drawn: {}", name,
                                     object.error().message()));
      if (!first_error) first_error = object.error();
      continue;
    }
    for (const io::SupplePart& part : scene->source.parts) {
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
  SUPPLE_TRY(run.objects, bake_shells(run.scene, run.warnings));
  return {};
}

}  // namespace

Result<ShellRun> run_shells(ShellInput input, const ShellRequest& request) {
  ShellRun run;
  run.input = std::move(input);
  const std::string context = fmt::format("baking '{}'", run.input.title);
  Stopwatch watch;
  for (const std::string& warning : run.input.asset.warnings) warn(run.warnings, warning);
  const bool any_will_do = run.input.automatic && run.input.settings.shells.size() > 1;
  SUPPLE_TRY_VOID((any_will_do ? bake_possible(run) : bake_named(run)).during(context));
  SUPPLE_TRY_VOID(encode_shells(run).during(context));
  run.seconds.emplace_back("bake", watch.lap());
  SUPPLE_TRY_VOID(write_output(request, run));
  run.seconds.emplace_back("write", watch.lap());
  return run;
}

}  // namespace supple::app
