// SPDX-License-Identifier: Apache-2.0
#include "bake/scene/recorded.hpp"

#include "bake/scene/run_frames.hpp"
#include "bake/scene/sampler.hpp"

#include "supple/core/suggest.hpp"
#include "supple/io/action_table.hpp"
#include "supple/io/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

namespace supple::bake::detail {
namespace {

namespace fs = std::filesystem;
using geometry::Vec3;

class RecordingReader {
 public:
  RecordingReader(const SceneInput& input, const scene::Palette& palette)
      : m_input(input), m_recording(*input.settings.recording), m_palette(palette) {}

  Result<RecordedScene> read() {
    if (!m_recording.mesh.empty()) {
      SUPPLE_TRY(m_surface, io::read_marked_surface(directory() / m_recording.mesh));
      m_surface_name = fmt::format("'{}'", m_recording.mesh);
    }
    const double rate = m_input.settings.simulation.rate;
    std::vector<RunFrames> runs;
    for (const SceneRunSettings& settings : m_recording.runs) {
      SUPPLE_TRY(RunFrames frames, read_run(settings, directory(), rate, m_recording.scale));
      SUPPLE_TRY_VOID(join_surface(frames));
      runs.push_back(std::move(frames));
    }
    SUPPLE_TRY_VOID(find_rest(runs.front()));
    std::vector<scene::Chain> chains;
    for (std::size_t r = 0; r < runs.size(); ++r) {
      SUPPLE_TRY(scene::Chain chain, cut(m_recording.runs[r], runs[r]));
      chains.push_back(std::move(chain));
      runs[r].run.positions = {};
    }
    RecordedScene recorded{
        DrawnMesh(m_input.title, m_surface.mesh, m_recording.colour, m_surface.colours),
        std::move(chains),
        {}};
    warn_of_unrest(recorded);
    return recorded;
  }

 private:
  [[nodiscard]] fs::path directory() const { return m_input.directory; }

  /// All runs must have the surface of the recording's mesh, or else of the first run.
  Result<void> join_surface(const RunFrames& frames) {
    if (m_surface.mesh.triangles.empty()) {
      if (frames.surface.mesh.triangles.empty()) {
        return bad_input(
            fmt::format("'{}' has no triangles; name a file that has them as mesh of "
                        "[recording], with the same vertices in the same order",
                        frames.name));
      }
      m_surface = frames.surface;
      m_surface.mesh.positions.resize(frames.run.vertices);
      m_surface_name = fmt::format("'{}'", frames.name);
    }
    const std::string frame = fmt::format("frame {} of '{}'", frames.first, frames.name);
    SUPPLE_TRY_VOID(check_vertices(frames.run.vertices, m_surface.mesh.positions.size(), frame,
                                   m_surface_name));
    if (frames.surface.mesh.triangles.empty()) return {};
    return check_triangles(frames.surface.mesh.triangles, m_surface.mesh.triangles, frame,
                           m_surface_name);
  }

  Result<void> find_rest(const RunFrames& run) {
    const std::size_t number = m_recording.rest.value_or(run.first);
    if (number < run.first || number > run.last()) {
      return bad_input(
          fmt::format("the scene is to rest in frame {}, but '{}' has the frames {} to "
                      "{}; correct rest of [recording]",
                      number, run.name, run.first, run.last()));
    }
    const float* at = run.run.positions.data() + 3 * run.run.vertices * (number - run.first);
    geometry::Box box;
    for (Vec3& p : m_surface.mesh.positions) {
      p = Vec3(at[0], at[1], at[2]);
      box.add(p);
      at += 3;
    }
    m_still = m_input.settings.sampling.stillness * box.diagonal();
    return {};
  }

  Result<scene::Chain> cut(const SceneRunSettings& settings, const RunFrames& frames) const {
    SUPPLE_TRY(const io::ActionTable table, io::read_action_table(directory() / settings.actions));
    SUPPLE_TRY(const std::vector<scene::RunAction> actions, find_actions(table, frames));
    scene::Chain chain = scene::cut_run(frames.run, actions, m_still);
    const std::size_t shortest = sampling_settings(m_input.settings).shortest;
    std::size_t longest = 0;
    for (const scene::Response& response : chain.responses) {
      if (response.whole) longest = std::max(longest, response.frames);
    }
    if (longest >= shortest) return chain;
    const double rate = m_input.settings.simulation.rate;
    return bad_input(
               fmt::format("the run is too short: its longest response has {} frames ({:.3g} s), "
                           "and T_min is {} "
                           "frames ({:.3g} s); record longer, or lower shortest of [sampling]",
                           longest, static_cast<double>(longest) / rate, shortest,
                           static_cast<double>(shortest) / rate))
        .at((directory() / settings.frames).string());
  }

  Result<std::vector<scene::RunAction>> find_actions(const io::ActionTable& table,
                                                     const RunFrames& frames) const {
    std::vector<scene::RunAction> actions;
    for (const io::ActionTable::Row& row : table.rows) {
      auto action = find_action(row, frames);
      if (action.ok() && !actions.empty() &&
          !m_palette.may_follow(actions.back().entry, action->entry)) {
        action = bad_input(fmt::format("'{}' may not follow '{}'; correct the line, or followed_by",
                                       row.entry, entry(actions.back().entry).name));
      }
      if (!action.ok()) return std::move(action).error().at(table.name, row.line);
      actions.push_back(*action);
    }
    return actions;
  }

  Result<scene::RunAction> find_action(const io::ActionTable::Row& row,
                                       const RunFrames& frames) const {
    std::vector<std::string> names;
    for (const scene::Entry& known : m_palette.entries()) names.push_back(known.name);
    const auto found = std::find(names.begin(), names.end(), row.entry);
    if (found == names.end()) {
      return bad_input(fmt::format("no [[entry]] has the name '{}'{}", row.entry,
                                   did_you_mean(row.entry, names)));
    }
    const auto number = static_cast<std::size_t>(found - names.begin());
    if (row.strength != entry(number).strengths.front()) {
      return bad_input(
          fmt::format("'{}' acts with strength {:g}, but its entry has {:g}; make one "
                      "entry for each strength",
                      row.entry, row.strength, entry(number).strengths.front()));
    }
    if (row.frame < frames.first || row.frame >= frames.last()) {
      return bad_input(
          fmt::format("'{}' acts in frame {}, and no frame answers it: '{}' has the "
                      "frames {} to {}; correct the line or record longer",
                      row.entry, row.frame, frames.name, frames.first, frames.last()));
    }
    return scene::RunAction{row.frame - frames.first, number, row.strength};
  }

  [[nodiscard]] const scene::Entry& entry(std::size_t number) const {
    return m_palette.entries()[number];
  }

  void warn_of_unrest(RecordedScene& recorded) const {
    std::vector<char> rests(m_palette.size(), 0);
    for (const scene::Chain& chain : recorded.chains) {
      for (const scene::Response& response : chain.responses) {
        if (response.whole && response.rests) rests[response.entry] = 1;
      }
    }
    for (std::size_t e = 0; e < rests.size(); ++e) {
      if (rests[e] != 0) continue;
      recorded.warnings.push_back(
          fmt::format("no recorded response to '{}' comes to rest, so play goes on without end; "
                      "record one until ten frames are still, or raise stillness of [sampling]",
                      entry(e).name));
    }
  }

  const SceneInput& m_input;
  const SceneRecording& m_recording;
  const scene::Palette& m_palette;
  io::MarkedSurface m_surface;
  std::string m_surface_name;
  double m_still = 0;  // m per frame
};

}  // namespace

DrawnMesh::DrawnMesh(const std::string& name, const geometry::TriMesh& mesh, const Vec3& colour,
                     const std::vector<Vec3>& colours) {
  simulator::Body body;
  body.name = name;
  body.kind = simulator::BodyKind::Sheet;
  body.vertex_count = static_cast<geometry::Index>(mesh.positions.size());
  body.surface = mesh.triangles;
  bodies.push_back(std::move(body));
  DrawnBody& look = drawn.emplace_back();
  look.colour = colour;
  for (const Vec3& c : colours) look.colours.push_back({c.x(), c.y(), c.z(), 1});
  look.thin = geometry::topology(mesh).boundary_edges > 0;
  rest.push_back(mesh.positions);
}

Result<RecordedScene> read_recording(const SceneInput& input, const scene::Palette& palette) {
  return RecordingReader(input, palette).read();
}

}  // namespace supple::bake::detail
