// SPDX-License-Identifier: Apache-2.0
#include "gallery/page_truth.hpp"

#include "samples/scenes.hpp"

#include "supple/bake/scene_truth.hpp"
#include "supple/core/files.hpp"

#include <supple.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <functional>
#include <utility>
#include <vector>

namespace supple::gallery {
namespace {

namespace fs = std::filesystem;
using TruthJson = nlohmann::ordered_json;

constexpr std::size_t kMostFrames = 36000;
constexpr std::size_t kMostFrameBytes = kMostPageBytes;  ///< of all frames together
constexpr std::size_t kMostAnswerBytes = std::size_t{8} << 20;

/// An entry that acts on all parts that have it.
struct NamedAction {
  std::size_t frame = 0;
  std::string entry;
  double strength = 1;
};

/// A line of JSON, then the bytes of a .supple.
struct TruthRequest {
  std::string name;  ///< of the file
  std::string item;  ///< of the gallery; "": the file was dropped on the page
  std::vector<NamedAction> actions;
  std::size_t frames = 0;
  std::string bytes;
};

/// [[frame, entry, strength], ...], ascending.
Result<std::vector<NamedAction>> parse_actions(const nlohmann::json& list) {
  const Error wrong = bad_input("'actions' must be a list of [frame, entry, strength], by frame");
  if (!list.is_array() || list.empty()) return wrong;
  std::vector<NamedAction> actions;
  for (const nlohmann::json& one : list) {
    if (!one.is_array() || one.size() != 3 || !one[0].is_number_unsigned() || !one[1].is_string() ||
        !one[2].is_number() || !std::isfinite(one[2].get<double>())) {
      return wrong;
    }
    const auto frame = one[0].get<std::size_t>();
    if (frame > kMostFrames || (!actions.empty() && frame < actions.back().frame)) return wrong;
    actions.push_back({frame, one[1].get<std::string>(), one[2].get<double>()});
  }
  return actions;
}

Result<TruthRequest> parse_truth(std::string_view body) {
  SUPPLE_TRY(const PageUpload upload, split_upload(body, {"name", "item", "actions", "frames"}));
  const auto json = nlohmann::json::parse(upload.line);
  const auto member = [&](const char* key) { return json.value(key, nlohmann::json()); };
  TruthRequest request;
  SUPPLE_TRY(request.name, upload_name(member("name"), "name"));
  if (!member("item").is_null()) {
    SUPPLE_TRY(request.item, upload_name(member("item"), "item"));
  }
  SUPPLE_TRY(request.actions, parse_actions(member("actions")));
  const auto frames = member("frames");
  if (!frames.is_number_unsigned() || frames.get<std::size_t>() == 0 ||
      frames.get<std::size_t>() > kMostFrames) {
    return bad_input(fmt::format("'frames' must be from 1 to {}", kMostFrames));
  }
  request.frames = frames.get<std::size_t>();
  request.bytes = upload.bytes;
  if (request.bytes.empty()) return bad_input(fmt::format("'{}' is empty", request.name));
  return request;
}

/// On the parts of the file.
Result<std::vector<bake::SceneTrigger>> triggers_of(const std::vector<NamedAction>& actions,
                                                    const bake::BakedFile& file,
                                                    double frame_seconds) {
  SUPPLE_TRY(const std::vector<bake::ScenePart> parts, bake::scene_parts(file));
  std::vector<bake::SceneTrigger> triggers;
  for (const NamedAction& action : actions) {
    const std::size_t before = triggers.size();
    for (const bake::ScenePart& part : parts) {
      for (std::uint32_t e = 0; e < part.palette.size(); ++e) {
        if (part.palette[e].name != action.entry) continue;
        triggers.push_back(
            {static_cast<double>(action.frame) * frame_seconds, e, action.strength, part.object});
      }
    }
    if (triggers.size() > before) continue;
    return bad_input(fmt::format("the scene has no entry '{}'", action.entry)).at(file.name());
  }
  return triggers;
}

/// A file may come from anywhere: it must not name meshes in other folders.
Result<void> check_mesh(const bake::SimulatedGeometry& geometry, const bake::SceneInput& input) {
  const fs::path mesh = geometry.mesh;
  if (mesh.empty() || input.surfaces.count(geometry.mesh) > 0) return {};
  if (input.directory.empty()) {
    return bad_input(
        fmt::format("its simulation needs the mesh '{}', which a dropped file does not bring; "
                    "open the scene with 'supple view' in the folder of its meshes",
                    geometry.mesh));
  }
  if (mesh.filename() != mesh || mesh == ".." || mesh == ".") {
    return bad_input(
        fmt::format("its simulation needs the mesh '{}', and can only use files beside the scene; "
                    "move it there and bake the scene again",
                    geometry.mesh));
  }
  return {};
}

Result<void> check_meshes(const bake::SceneInput& input) {
  const bake::SimulationSettings& simulation = input.settings.simulation;
  for (const auto& body : simulation.solids) SUPPLE_TRY_VOID(check_mesh(body.geometry, input));
  for (const auto& body : simulation.cloths) SUPPLE_TRY_VOID(check_mesh(body.geometry, input));
  for (const auto& body : simulation.obstacles) SUPPLE_TRY_VOID(check_mesh(body.geometry, input));
  return {};
}

class TruthWork final : public PageWork {
 public:
  TruthWork(TruthRequest request, fs::path folder)
      : m_request(std::move(request)), m_folder(std::move(folder)) {}

  [[nodiscard]] const std::string& name() const override { return m_request.name; }
  [[nodiscard]] std::string_view participle() const override { return "simulated"; }

  Result<void> run(std::mutex& mutex) override {
    SUPPLE_TRY(const bake::BakedFile file,
               bake::BakedFile::open(as_bytes(m_request.bytes), m_request.name));
    SUPPLE_TRY(const bake::SceneInput input, samples::simulated_scene(file, m_folder.string()));
    SUPPLE_TRY_VOID(check_meshes(input));
    SUPPLE_TRY(const std::size_t vertices, count_vertices(file));
    SUPPLE_TRY(const std::vector<bake::SceneTrigger> triggers,
               triggers_of(m_request.actions, file, 1 / input.settings.simulation.rate));
    bool other = false;
    const auto show = [&](std::size_t frame, const Eigen::VectorXf& points) {
      const std::scoped_lock lock(mutex);
      other = other || static_cast<std::size_t>(points.size()) != 3 * vertices;
      m_vertices = static_cast<std::size_t>(points.size()) / 3;
      m_points.insert(m_points.end(), points.begin(), points.end());
      m_frames = frame + 1;
      if (frame == 0) m_began = Clock::now();
    };
    SUPPLE_TRY_VOID(bake::simulate_parts(file, input, triggers, m_request.frames, show)
                        .during(fmt::format("simulating '{}'", m_request.name)));
    if (other) {
      return bad_input("its simulation has other vertices than the file; bake the scene again")
          .at(m_request.name);
    }
    return {};
  }

  void advance(const ProgressState& state, Clock::time_point /*now*/) override {
    m_stage = state.stage;
  }
  double done(Clock::time_point /*now*/) override {
    return static_cast<double>(m_frames) / static_cast<double>(m_request.frames + 1);
  }

  TruthJson progress(Clock::time_point now) override {
    TruthJson json{{"stage", m_frames > 0 ? m_stage : "coming to rest"},
                   {"frames", m_frames},
                   {"vertices", m_vertices},
                   {"done", done(now)},
                   {"secondsLeft", nullptr}};
    if (m_frames > 1) {
      const double seconds = std::chrono::duration<double>(now - m_began).count();
      const auto left = static_cast<double>(m_request.frames + 1 - m_frames);
      json["secondsLeft"] = left * seconds / static_cast<double>(m_frames - 1);
    }
    return json;
  }
  [[nodiscard]] TruthJson summary() const override {
    return {{"frames", m_frames}, {"vertices", m_vertices}};
  }

  /// frames/N: x y z of all vertices, from frame N on, as many frames as there are now.
  [[nodiscard]] std::optional<server::Answer> result(const std::string& path,
                                                     bool /*done*/) const override {
    constexpr std::string_view kBelow = "frames/";
    std::size_t first = 0;
    if (path.compare(0, kBelow.size(), kBelow) != 0) return {};
    const char* const end = path.data() + path.size();
    const auto read = std::from_chars(path.data() + kBelow.size(), end, first);
    if (read.ec != std::errc() || read.ptr != end || first >= m_frames) return {};
    const std::size_t frame_bytes = 3 * sizeof(float) * m_vertices;
    const std::size_t count =
        std::min(m_frames - first, std::max<std::size_t>(kMostAnswerBytes / frame_bytes, 1));
    server::Answer answer;
    answer.type = "application/octet-stream";
    answer.body.resize(count * frame_bytes);
    std::memcpy(answer.body.data(), m_points.data() + 3 * m_vertices * first, answer.body.size());
    return answer;
  }

 private:
  [[nodiscard]] Result<std::size_t> count_vertices(const bake::BakedFile& file) const {
    supple_asset_info info{};
    (void)supple_asset_describe(file.asset(), &info);
    const std::size_t bytes = (m_request.frames + 1) * info.vertex_count * 3 * sizeof(float);
    if (bytes > kMostFrameBytes) {
      return bad_input(fmt::format(
          "{} frames of {} vertices take {} MB, and a page gets at most {} MB; start again and "
          "compare a shorter time",
          m_request.frames, info.vertex_count, bytes >> 20, kMostFrameBytes >> 20));
    }
    return std::size_t{info.vertex_count};
  }

  TruthRequest m_request;
  fs::path m_folder;
  std::string m_stage;
  std::vector<float> m_points;  ///< of the frames so far
  std::size_t m_frames = 0;
  std::size_t m_vertices = 0;
  Clock::time_point m_began;
};

}  // namespace

void add_page_truths(server::Site& site, const std::shared_ptr<PageJobs>& jobs,
                     ItemFolders folders) {
  PageJobs::add_to(
      site, jobs, kTruthAddress,
      [folders = std::move(folders)](std::string_view body) -> Result<std::unique_ptr<PageWork>> {
        SUPPLE_TRY(TruthRequest request, parse_truth(body));
        fs::path folder;
        if (!request.item.empty()) {
          const auto found = folders.find(request.item);
          if (found == folders.end()) {
            return bad_input(fmt::format("no such item: '{}'", request.item));
          }
          folder = found->second;
        }
        return std::unique_ptr<PageWork>(
            std::make_unique<TruthWork>(std::move(request), std::move(folder)));
      });
}

}  // namespace supple::gallery
