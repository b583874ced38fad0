// SPDX-License-Identifier: Apache-2.0
#include "experiments/swim_parts.hpp"

#include "supple/bake/swimmer.hpp"

#include "supple/bake/swim_export.hpp"
#include "supple/pictures/swim_plots.hpp"
#include "supple/plot/sheet.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

namespace supple::experiments {
namespace {

constexpr std::size_t kPictures = 8;
constexpr std::size_t kPerRow = 4;
constexpr double kSeconds = 10;  // until the cycles repeat

/// The total movement of the joints from one frame to the next.
double motion(const swim::Recording::Frame& a, const swim::Recording::Frame& b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.angles.size(); ++j) sum += std::abs(b.angles[j] - a.angles[j]);
  return sum;
}

/// Frames of the last cycle with equal joint movement between them: a glide is one picture.
std::vector<std::size_t> moments(const swim::Recording& recording) {
  const pictures::CycleSpan span = pictures::last_cycle(recording);
  double whole = 0;
  for (std::size_t f = span.first; f < span.last; ++f) {
    whole += motion(recording.frames[f], recording.frames[f + 1]);
  }
  std::vector<std::size_t> chosen{span.first};
  double so_far = 0;
  for (std::size_t f = span.first; f < span.last && chosen.size() < kPictures; ++f) {
    so_far += motion(recording.frames[f], recording.frames[f + 1]);
    const double next = whole * static_cast<double>(chosen.size()) / kPictures;
    if (so_far >= next) chosen.push_back(f + 1);
  }
  while (chosen.size() < kPictures) chosen.push_back(span.last);
  return chosen;
}

/// The swimmer stays in place, so that the camera can be close.
swim::Recording in_place(swim::Recording recording) {
  for (swim::Recording::Frame& frame : recording.frames) {
    for (swim::SegmentMotion& motion : frame.segments) motion.origin -= frame.centre;
  }
  return recording;
}

std::string picture_caption(const swim::Recording::Frame& frame, const swim::PoseGraph& graph,
                            double from) {
  std::string pose = graph.poses[frame.pose].name;
  for (char& c : pose) c = c == '_' ? ' ' : c;
  return fmt::format("{:.2f} s · {}", frame.time - from, pose);
}

Result<plot::Drawing> draw_strip(Bench& bench, const std::filesystem::path& glb,
                                 const swim::Recording& recording, const swim::PoseGraph& graph) {
  pictures::SubjectRequest request;
  request.file = glb.string();
  request.needs_motion = true;
  SUPPLE_TRY(const pictures::Subject subject, pictures::Subject::load(request));
  pictures::Shot shot;
  shot.direction = {-20, 14};  // from the right side, a little from above and ahead
  shot.width = 460;
  shot.height = 280;
  const std::vector<std::size_t> frames = moments(recording);
  std::vector<double> times;
  times.reserve(frames.size());
  for (const std::size_t f : frames) times.push_back(recording.frames[f].time);
  SUPPLE_TRY(const std::vector<io::Image> images, bench.studio->draw(subject, times, shot));
  std::vector<plot::Tile> tiles;
  for (std::size_t k = 0; k < images.size(); ++k) {
    SUPPLE_TRY(plot::Drawing tile, pictures::tile_of(images[k]));
    tiles.push_back(
        {std::move(tile), picture_caption(recording.frames[frames[k]], graph, times.front())});
  }
  plot::SheetSettings sheet;
  sheet.columns = kPerRow;
  return plot::draw_sheet(tiles, sheet);
}

}  // namespace

Result<void> figure9(Bench& bench) {
  SUPPLE_TRY(const bake::PreparedSwimmer swimmer, bake::prepare_swimmer("breaststroke"));
  const auto& [stroke, shape, body, water] = swimmer;
  SUPPLE_TRY(
      const swim::Recording recording,
      swim::record_swim(body, water, stroke.graph, stroke.start, {.seconds = kSeconds}, nullptr));
  bake::SwimExportSettings look;
  look.arrows = true;
  look.newtons_per_metre = 400;
  SUPPLE_TRY(const io::GltfAsset asset, bake::swim_gltf(in_place(recording), body, look));
  SUPPLE_TRY(const Bytes glb, io::write_gltf(asset));
  SUPPLE_TRY_VOID(bench.write("figure9.glb", as_text(glb)));
  bench.text += fmt::format(R"(
## Figure 9: a cycle of the breaststroke

Eight moments of one cycle with equal joint movement between them; figure9.glb has the whole swim,
in place. The arrows are the water's forces on the segments, 1 m for {:g} N.
)",
                            look.newtons_per_metre);
  if (!bench.studio) return {};
  SUPPLE_TRY(const plot::Drawing strip,
             draw_strip(bench, bench.directory / "figure9.glb", recording, stroke.graph));
  bench.text += "\n![figure 9](figure9.png)\n";
  return bench.write_sheet("figure9.png", strip);
}

}  // namespace supple::experiments
