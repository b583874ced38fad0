// SPDX-License-Identifier: Apache-2.0
#include "shell_job.hpp"

#include "application.hpp"
#include "output_paths.hpp"
#include "shell_bake.hpp"

#include "supple/core/files.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/core/resources.hpp"

#include <fmt/format.h>

namespace supple::app {
namespace {

Result<void> encode(ShellRun& run) {
  const std::string generator = fmt::format("supple {}", version());
  const io::SuppleWriteSettings encoding{run.input.settings.output.float32};
  SUPPLE_TRY(run.supple,
             io::write_supple(bake::shell_asset(run.scene, run.objects, generator), encoding));
  return {};
}

/// The file with its shells' recorded motion.
Result<Bytes> make_glb(const ShellRequest& request, ShellRun& run) {
  SUPPLE_TRY(const io::GltfAsset asset, bake::follow_bones(run.input.asset, run.scene));
  SUPPLE_TRY(const bake::FleshFile file,
             bake::FleshFile::open(run.supple.bytes, supple_path(request.output)));
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
               make_glb(request, run).during(fmt::format("making '{}'", request.output)));
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

}  // namespace

Result<ShellRun> run_shells(ShellInput input, const ShellRequest& request) {
  ShellRun run;
  run.input = std::move(input);
  const std::string context = fmt::format("baking '{}'", run.input.title);
  Stopwatch watch;
  SUPPLE_TRY(run.scene,
             bake::shell_scene(run.input.asset, run.input.settings, run.input.first_number)
                 .during(context));
  for (const std::string& warning : run.input.asset.warnings) warn(run.warnings, warning);
  gather_warnings(run.scene, run.warnings);
  run.seconds.emplace_back("read", watch.lap());
  SUPPLE_TRY(run.objects, bake_shells(run.scene, run.warnings).during(context));
  SUPPLE_TRY_VOID(encode(run).during(context));
  run.seconds.emplace_back("bake", watch.lap());
  SUPPLE_TRY_VOID(write_output(request, run));
  run.seconds.emplace_back("write", watch.lap());
  return run;
}

}  // namespace supple::app
