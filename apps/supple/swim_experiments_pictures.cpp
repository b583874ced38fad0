// SPDX-License-Identifier: Apache-2.0
#include "render_subject.hpp"
#include "swim_experiments_parts.hpp"
#include "swim_plots.hpp"

#include "supple/bake/swim_export.hpp"

#include <fmt/format.h>

#include <vector>

namespace supple::app::swim_experiments {
namespace {

constexpr std::size_t kPictures = 8;
constexpr std::size_t kPerRow = 4;
constexpr double kSeconds = 10;  // until the cycles repeat themselves

/// Equal times through the last cycle.
std::vector<double> moments(const swim::Recording& recording) {
  const CycleSpan span = last_cycle(recording);
  const double from = recording.frames[span.first].time;
  const double length = recording.frames[span.last].time - from;
  std::vector<double> times;
  for (std::size_t k = 0; k < kPictures; ++k) {
    times.push_back(from + length * static_cast<double>(k) / kPictures);
  }
  return times;
}

std::string caption(const swim::Recording& recording, const swim::PoseGraph& graph, double time,
                    double from) {
  const double rate = static_cast<double>(recording.frames.size() - 1) / recording.duration();
  const auto frame = static_cast<std::size_t>(time * rate + 0.5);
  std::string pose = graph.poses[recording.frames[frame].pose].name;
  for (char& c : pose) c = c == '_' ? ' ' : c;
  return fmt::format("{:.2f} s   {}", time - from, pose);
}

Result<Canvas> draw_strip(const Bench& bench, const std::filesystem::path& glb,
                          const swim::Recording& recording, const swim::PoseGraph& graph) {
  SubjectRequest request;
  request.file = glb.string();
  request.needs_motion = true;
  SUPPLE_TRY(const RenderSubject subject, RenderSubject::load(request));
  Shot shot;
  shot.direction = {-14, 13};  // from the right side, a little from above and ahead
  shot.width = 460;
  shot.height = 300;
  const std::vector<double> times = moments(recording);
  SUPPLE_TRY(const std::vector<Canvas> pictures, bench.studio->draw(subject, times, shot));
  std::vector<Canvas> rows;
  for (std::size_t k = 0; k < pictures.size(); k += kPerRow) {
    const auto at = static_cast<std::ptrdiff_t>(k);
    std::vector<std::string> captions;
    for (std::size_t i = k; i < k + kPerRow; ++i) {
      captions.push_back(caption(recording, graph, times[i], times.front()));
    }
    rows.push_back(picture_row({pictures.begin() + at, pictures.begin() + at + kPerRow}, captions));
  }
  return picture_column(rows, {});
}

}  // namespace

Result<void> figure9(Bench& bench) {
  SUPPLE_TRY(const bake::SwimStroke stroke, bake::load_swim_stroke("breaststroke"));
  SUPPLE_TRY(const Trial trial, shipped_trial("breaststroke", kSeconds));
  SUPPLE_TRY(const swim::Body body, swim::build_body(trial.body));
  SUPPLE_TRY(const swim::Recording recording,
             swim::record_swim(body, trial.water, stroke.graph, stroke.start, trial.run, nullptr));
  bake::SwimExportSettings look;
  look.arrows = true;
  SUPPLE_TRY(const io::GltfAsset asset, bake::swim_gltf(recording, body, look));
  SUPPLE_TRY(const Bytes glb, io::write_gltf(asset));
  SUPPLE_TRY_VOID(bench.write("figure9.glb", as_text(glb)));
  bench.text += fmt::format(R"(
## Figure 9: a cycle of the breaststroke

Eight moments of one cycle, and the whole swim in figure9.glb. The arrows are the water's forces on
the segments, 1 m for {:g} N.
)",
                            look.newtons_per_metre);
  if (!bench.studio) return {};
  SUPPLE_TRY(const Canvas strip,
             draw_strip(bench, bench.directory / "figure9.glb", recording, stroke.graph));
  bench.text += "\n![figure 9](figure9.png)\n";
  return bench.write("figure9.png", strip);
}

}  // namespace supple::app::swim_experiments
