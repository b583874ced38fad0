// SPDX-License-Identifier: Apache-2.0
#include "gallery/page_truth.hpp"

#include "bake/soft_block.hpp"
#include "page_server.hpp"

#include "supple/bake/kept_settings.hpp"
#include "supple/bake/scene_truth.hpp"
#include "supple/core/files.hpp"

#include <cstring>
#include <filesystem>

namespace supple::gallery {
namespace {

using server::testing::Received;

constexpr std::size_t kFrames = 20;
const std::vector<bake::SceneAction> kActions{{0, 0, 1}, {9, 1, 1}};
constexpr const char* kNames[] = {"left", "up"};

/// A baked scene, once for all tests.
const std::string& block_supple() {
  static const std::string bytes = [] {
    const supple::testing::TemporaryDirectory directory;
    bake::SceneRequest request;
    request.model = bake::SimulationModel{"block", bake::samples::soft_block()};
    request.output = (directory / "block.glb").string();
    OutputSet output;
    const auto report = bake::bake_scene(request, output);
    EXPECT_TRUE(report.ok()) << report.error().describe();
    EXPECT_TRUE(output.commit().ok());
    return std::string(as_text(*read_file(directory / "block.supple")));
  }();
  return bytes;
}

PageJson truth_head() {
  PageJson head{{"name", "block.supple"}, {"item", nullptr}, {"frames", kFrames}};
  for (const bake::SceneAction& action : kActions) {
    head["actions"].push_back({action.frame, kNames[action.entry], action.strength});
  }
  return head;
}

class SimulationServer : public PageServer {
 public:
  explicit SimulationServer(std::chrono::milliseconds patience = std::chrono::hours(1),
                            const ItemFolders& folders = {})
      : PageServer(
            kTruthAddress,
            [folders](server::Site& site, const std::shared_ptr<PageJobs>& with) {
              add_page_truths(site, with, folders);
            },
            patience) {}
};

std::vector<float> floats_in(const std::string& bytes) {
  std::vector<float> numbers(bytes.size() / sizeof(float));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

TEST(PageSimulation, GivesTheFramesOfTheSimulator) {
  const SimulationServer at;
  const std::string id =
      SimulationServer::id_of(at.post(truth_head().dump() + "\n" + block_supple()));
  const PageJson outcome = at.outcome(id);
  ASSERT_EQ(outcome["state"], "done") << outcome;
  EXPECT_EQ(outcome["frames"], kFrames + 1);
  const bake::BakedFile file = *bake::BakedFile::open(as_bytes(block_supple()), "block.supple");
  const auto truth = bake::simulate_scene(*bake::kept_scene(file, ""), kActions, kFrames);
  ASSERT_TRUE(truth.ok()) << truth.error().describe();
  ASSERT_EQ(outcome["vertices"], truth->rows() / 3);
  for (const std::size_t first : {std::size_t{0}, kFrames / 2, kFrames}) {
    const Received frames = at.call("GET", fmt::format("/{}/frames/{}", id, first), "", "");
    ASSERT_EQ(frames.status, 200);
    const std::vector<float> points = floats_in(frames.body);
    const Eigen::MatrixXf wanted =
        truth->rightCols(truth->cols() - static_cast<Eigen::Index>(first));
    ASSERT_EQ(points.size(), static_cast<std::size_t>(wanted.size()));
    EXPECT_EQ(std::memcmp(points.data(), wanted.data(), frames.body.size()), 0);
  }
  for (const char* other : {"/frames/21", "/frames/-1", "/frames/x", "/frames/", "/glb"}) {
    EXPECT_EQ(at.call("GET", "/" + id + other, "", "").status, 404) << other;
  }
}

TEST(PageSimulation, IsOnlyForTheOwnerOfTheTokenAndCanBeCancelled) {
  const SimulationServer at;
  PageJson head = truth_head();
  head["frames"] = 30000;  // takes far longer than the calls below
  const std::string body = head.dump() + "\n" + block_supple();
  EXPECT_EQ(at.call("POST", "", body, "").status, 403);
  const std::string id = SimulationServer::id_of(at.post(body));
  EXPECT_EQ(at.call("DELETE", "/" + id, "", "").status, 403);
  const Received second = at.post(body);
  EXPECT_EQ(second.status, 409);
  EXPECT_NE(second.body.find("'block.supple' is being simulated"), std::string::npos);
  // Frames can be had while it runs.
  while (at.state(id)["frames"].get<std::size_t>() < 2) std::this_thread::yield();
  EXPECT_EQ(at.call("GET", "/" + id + "/frames/1", "", "").status, 200);
  EXPECT_EQ(at.state(id)["state"], "running");
  EXPECT_EQ(at.call("DELETE", "/" + id, "", at.token).status, 200);
  EXPECT_EQ(at.outcome(id)["state"], "cancelled");
}

TEST(PageSimulation, EndsWhenNobodyAsks) {
  const SimulationServer at(std::chrono::milliseconds(0));
  PageJson head = truth_head();
  head["frames"] = 30000;
  const std::string id = SimulationServer::id_of(at.post(head.dump() + "\n" + block_supple()));
  EXPECT_EQ(at.outcome(id)["state"], "cancelled");
}

TEST(PageSimulation, SaysWhatIsWrongWithARequest) {
  const SimulationServer at;
  const auto with = [](const char* key, const PageJson& value) {
    PageJson head = truth_head();
    head[key] = value;
    return head.dump() + "\n" + block_supple();
  };
  const struct {
    std::string body, why;
  } requests[] = {
      {block_supple(), "must begin with a line of JSON"},
      {with("settings", 3), "unknown key 'settings'"},
      {with("name", ""), "'name' must be"},
      {with("item", "nothing"), "no such item: 'nothing'"},
      {with("actions", PageJson::array()), "'actions' must be"},
      {with("actions", {{0, 0}}), "'actions' must be"},
      {with("actions", {{-1, "up", 1}}), "'actions' must be"},
      {with("actions", {{3, "up", 1}, {2, "left", 1}}), "'actions' must be"},
      {with("frames", 0), "'frames' must be"},
      {with("frames", 1e6), "'frames' must be"},
      {truth_head().dump() + "\n", "'block.supple' is empty"},
  };
  for (const auto& [body, why] : requests) {
    const Received answer = at.post(body);
    EXPECT_EQ(answer.status, 400) << why;
    EXPECT_NE(answer.body.find(why), std::string::npos) << answer.body;
  }
  const struct {
    std::string body, why;
  } failures[] = {
      {truth_head().dump() + "\nwhat is this", "block.supple"},
      {with("actions", {{0, "down", 1}}), "no entry 'down'"},
      {with("actions", {{3, "up", 1}, {3, "left", 1}}), "does not come after"},
  };
  for (const auto& [body, why] : failures) {
    const PageJson outcome = at.outcome(SimulationServer::id_of(at.post(body)));
    EXPECT_EQ(outcome["state"], "failed") << outcome;
    EXPECT_NE(outcome["error"].get<std::string>().find(why), std::string::npos) << outcome;
  }
}

/// The block beside an obstacle from a file.
std::string supple_with_mesh(const std::filesystem::path& folder, const std::string& mesh) {
  const std::string toml = bake::samples::soft_block() +
                           "[[obstacle]]\nname = \"wedge\"\nmesh = \"" + mesh +
                           "\"\nposition = [1, 0, 0]\n";
  EXPECT_TRUE(write_file(folder / "scene.toml", toml).ok());
  bake::SceneRequest request;
  request.scene = (folder / "scene.toml").string();
  request.output = (folder / "scene.glb").string();
  OutputSet output;
  const auto report = bake::bake_scene(request, output);
  EXPECT_TRUE(report.ok()) << report.error().describe();
  EXPECT_TRUE(output.commit().ok());
  bake::remove_samples(request);
  return std::string(as_text(*read_file(folder / "scene.supple")));
}

/// A .supple may come from anywhere: what its settings name must not be read from anywhere.
TEST(PageSimulation, ReadsMeshesOnlyBesideTheItem) {
  const supple::testing::TemporaryDirectory folder;
  constexpr const char* kWedge =
      "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  std::filesystem::create_directory(folder / "meshes");
  ASSERT_TRUE(write_file(folder / "wedge.obj", std::string_view(kWedge)).ok());
  ASSERT_TRUE(write_file(folder / "meshes" / "wedge.obj", std::string_view(kWedge)).ok());
  const std::string beside = supple_with_mesh(folder.path(), "wedge.obj");
  const std::string below = supple_with_mesh(folder.path(), "meshes/wedge.obj");
  const SimulationServer at(std::chrono::hours(1), {{"scene", folder.path()}});
  const auto outcome = [&](const std::string& bytes, const PageJson& item) {
    PageJson head = truth_head();
    head["item"] = item;
    return at.outcome(SimulationServer::id_of(at.post(head.dump() + "\n" + bytes)));
  };
  EXPECT_EQ(outcome(beside, "scene")["state"], "done");
  const PageJson dropped = outcome(beside, nullptr);
  EXPECT_NE(dropped.value("error", "").find("a dropped file does not bring"), std::string::npos)
      << dropped;
  const PageJson elsewhere = outcome(below, "scene");
  EXPECT_NE(elsewhere.value("error", "").find("can only use files beside"), std::string::npos)
      << elsewhere;
}

}  // namespace
}  // namespace supple::gallery
