// SPDX-License-Identifier: Apache-2.0
#include "experiments/shell_parts.hpp"
#include "samples/requests.hpp"

#include "supple/bake/motion.hpp"

#include <fmt/format.h>

#include <numbers>

namespace supple::experiments {
namespace {

/// Moments of the dance: a step to each side, the turn, the bow.
const std::vector<double> kMoments{0.55, 1.45, 3.4, 4.95, 5.35, 7.0};

Result<pictures::Subject> load_dancer(const std::filesystem::path& file, bool handles) {
  pictures::SubjectRequest request;
  request.file = file.string();
  pictures::take_soft_beside(request);
  request.clip = "dance";
  request.handles = handles;
  request.motion.rate = 60;
  return pictures::Subject::load(request);
}

}  // namespace

Result<void> dancer(Bench& bench) {
  bake::ShellRequest request;
  SUPPLE_TRY(request.model, samples::shell_model("dancer"));
  request.output = (bench.directory / "dancer.glb").string();
  OutputSet output;
  SUPPLE_TRY(const bake::ShellRun run, bake::bake_shells(request, output));
  SUPPLE_TRY_VOID(output.commit());
  for (const WrittenFile& file : output.files()) bench.files.emplace_back(file.path);
  bench.progress->advance();
  Json rows = Json::array();
  bench.text += R"(
## Figure 8: a dancer of four shells

Bones carry the hat, coat and trouser legs; handles on other bones hold them (dancer.glb).

| shell | vertices | modes | handles | lowest, Hz |
| --- | --- | --- | --- | --- |
)";
  for (std::size_t k = 0; k < run.objects.size(); ++k) {
    const shell::ShellObject& object = run.objects[k];
    const bake::PreparedShell& own = run.scene.shells[k];
    const double hertz = object.modes.front().omega / (2 * std::numbers::pi);
    rows.push_back({{"shell", object.name},
                    {"vertices", own.vertices.size()},
                    {"modes", object.modes.size()},
                    {"handles", own.attachments.size()},
                    {"hertz", hertz}});
    bench.text += fmt::format("| {} | {} | {} | {} | {:.2f} |\n", object.name, own.vertices.size(),
                              object.modes.size(), own.attachments.size(), hertz);
  }
  bench.summary["figure8"] = rows;
  if (!bench.studio) {
    bench.progress->advance(kDancerSteps - 1);
    return {};
  }
  pictures::Shot shot;
  shot.direction = {18, 6};
  shot.width = 230;
  shot.height = 430;
  std::vector<plot::Tile> tiles;
  for (const bool held : {false, true}) {
    SUPPLE_TRY(const pictures::Subject subject, load_dancer(request.output, held));
    bench.progress->advance();
    SUPPLE_TRY(const std::vector<io::Image> images, bench.studio->draw(subject, kMoments, shot));
    for (std::size_t k = 0; k < images.size(); ++k) {
      SUPPLE_TRY(plot::Drawing tile, pictures::tile_of(images[k]));
      tiles.push_back({std::move(tile), held ? fmt::format("{:.2f} s", kMoments[k]) : ""});
    }
  }
  bench.progress->advance();
  bench.text += "\n![figure 8](figure8.png)\n";
  plot::SheetSettings sheet;
  sheet.columns = kMoments.size();
  return bench.write_sheet("figure8.png", plot::draw_sheet(tiles, sheet));
}

}  // namespace supple::experiments
