// SPDX-License-Identifier: Apache-2.0
#include "gallery/page_bake.hpp"

#include "cli/small_characters.hpp"
#include "page_server.hpp"
#include "samples/requests.hpp"

#include "supple/bake/bake_character.hpp"
#include "supple/bake/bake_shells.hpp"
#include "supple/core/files.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <thread>

namespace supple::gallery {
namespace {

using server::testing::Received;
using supple::testing::glb_text;
using supple::testing::tube_character;

constexpr const char* kSmallFlesh =
    "[[object]]\nname = \"leg\"\nbone = \"Leg\"\nmodes = 2\nelements = 300\n";
/// Takes far longer than the calls that follow its start: nothing waits for its end.
constexpr const char* kLargeFlesh =
    "[[object]]\nname = \"leg\"\nbone = \"Leg\"\nmodes = 40\nelements = 20000\n";

/// A line of JSON and the bytes of a file, as docs/server.md says.
std::string upload(const std::string& command, const std::string& name, const std::string& toml,
                   const std::string& bytes) {
  PageJson json{{"command", command}, {"name", name}};
  if (!toml.empty()) json["settings"] = {{"name", "leg.bake.toml"}, {"text", toml}};
  return json.dump() + "\n" + bytes;
}

/// A server that only bakes.
class BakeServer : public PageServer {
 public:
  explicit BakeServer(std::chrono::milliseconds patience = std::chrono::hours(1))
      : PageServer(kBakeAddress, add_page_bakes, patience) {}
};

/// The .supple of the same bake without a server.
std::string baked_alone(const std::string& glb, const std::string& toml) {
  bake::BakeRequest request;
  request.model.emplace();
  request.model->title = "leg.glb";
  request.model->asset = io::read_gltf(as_bytes(glb), "leg.glb").value();
  request.model->bake_toml = toml;
  OutputSet output;
  const auto run = bake::bake_character(request, output);
  EXPECT_TRUE(run.ok()) << run.error().describe();
  return run.ok() ? std::string(as_text(run->supple.bytes)) : "";
}

TEST(PageBake, IsOnlyForTheOwnerOfTheToken) {
  const BakeServer at;
  const std::string body = upload("bake", "leg.glb", kSmallFlesh, glb_text(tube_character()));
  EXPECT_EQ(at.call("POST", "", body, "").status, 403);
  std::string wrong = at.token;
  wrong.back() = wrong.back() == '0' ? '1' : '0';
  EXPECT_EQ(at.call("POST", "", body, wrong).status, 403);
  const std::string id = BakeServer::id_of(at.post(body));
  EXPECT_EQ(id.size(), 64U);
  EXPECT_EQ(at.call("DELETE", "/" + id, "", "").status, 403);
  EXPECT_EQ(at.call("DELETE", "/" + id, "", wrong).status, 403);
  for (const std::string& other : {wrong, std::string("x"), id + "0", id.substr(1)}) {
    EXPECT_EQ(at.call("GET", "/" + other, "", "").status, 404);
    EXPECT_EQ(at.call("DELETE", "/" + other, "", at.token).status, 404);
  }
  EXPECT_EQ(at.call("GET", "/", "", "").status, 404);
  EXPECT_EQ(at.outcome(id)["state"], "done");
}

TEST(PageBake, MakesTheSameFleshAsTheProgram) {
  const BakeServer at;
  const std::string glb = glb_text(tube_character());
  const std::string id = BakeServer::id_of(at.post(upload("bake", "leg.glb", kSmallFlesh, glb)));
  const PageJson outcome = at.outcome(id);
  ASSERT_EQ(outcome["state"], "done") << outcome;
  const Received supple = at.call("GET", "/" + id + "/supple", "", "");
  EXPECT_EQ(supple.status, 200);
  EXPECT_EQ(supple.body, baked_alone(glb, kSmallFlesh));
  const Received character = at.call("GET", "/" + id + "/glb", "", "");
  EXPECT_EQ(character.fields.at("content-type"), "model/gltf-binary");
  EXPECT_TRUE(io::read_gltf(as_bytes(character.body), "made").ok());
  EXPECT_EQ(at.call("GET", "/" + id + "/toml", "", "").status, 404);
  EXPECT_EQ(at.call("GET", "/" + id + "/../glb", "", "").status, 400);
}

TEST(PageBake, MakesShells) {
  const BakeServer at;
  bake::ShellModel model = samples::shell_model("v-beam").value();
  const Bytes glb = io::write_gltf(model.asset).value();
  const std::string id =
      BakeServer::id_of(at.post(upload("shell", "beam.glb", "", std::string(as_text(glb)))));
  const PageJson outcome = at.outcome(id);
  ASSERT_EQ(outcome["state"], "done") << outcome;
  bake::ShellRequest alone;
  alone.model = {"beam.glb", std::move(model.asset), ""};
  OutputSet output;
  const auto run = bake::bake_shells(alone, output);
  ASSERT_TRUE(run.ok()) << run.error().describe();
  EXPECT_EQ(at.call("GET", "/" + id + "/supple", "", "").body, as_text(run->supple.bytes));
}

TEST(PageBake, BakesOneAtATimeAndCancels) {
  const BakeServer at;
  const std::string glb = glb_text(tube_character());
  const std::string large = upload("bake", "giant.glb", kLargeFlesh, glb);
  const std::string small = upload("bake", "leg.glb", kSmallFlesh, glb);
  std::string id = BakeServer::id_of(at.post(large));
  const Received second = at.post(small);
  EXPECT_EQ(second.status, 409);
  EXPECT_NE(second.body.find("'giant.glb' is being baked"), std::string::npos) << second.body;
  EXPECT_EQ(at.call("GET", "/" + id + "/glb", "", "").status, 404) << "not made yet";
  while (at.state(id)["stage"] == "reading") std::this_thread::yield();
  EXPECT_EQ(at.state(id)["stage"], "baking flesh: leg");
  EXPECT_EQ(at.call("DELETE", "/" + id, "", at.token).status, 200);
  EXPECT_EQ(at.outcome(id)["state"], "cancelled");
  // The next ones can begin, and take the place of those before.
  const std::string next = BakeServer::id_of(at.post(small));
  EXPECT_EQ(at.call("GET", "/" + id, "", "").status, 404);
  EXPECT_EQ(at.outcome(next)["state"], "done");
  id = BakeServer::id_of(at.post(large));
  EXPECT_EQ(at.call("GET", "/" + next + "/glb", "", "").status, 404);
}  // its server ends while it bakes

TEST(PageBake, EndsWhenNobodyAsks) {
  const BakeServer at(std::chrono::milliseconds(0));
  const std::string id = BakeServer::id_of(
      at.post(upload("bake", "giant.glb", kLargeFlesh, glb_text(tube_character()))));
  EXPECT_EQ(at.outcome(id)["state"], "cancelled");
}

TEST(PageBake, SaysWhatIsWrongWithARequest) {
  const BakeServer at;
  const std::string glb = glb_text(tube_character());
  const struct {
    std::string body, why;
  } requests[] = {
      {glb, "must begin with a line of JSON"},
      {"", "must begin with a line of JSON"},
      {"[]\n" + glb, "must begin with a line of JSON"},
      {std::string(2 << 20, ' ') + "{}\n", "must begin with a line of JSON"},
      {R"({"command": "bake", "name": "a.glb", "elements": 5})"
       "\n" +
           glb,
       "unknown key 'elements'"},
      {R"({"command": "swim", "name": "a.glb"})"
       "\n" +
           glb,
       "'command' must be"},
      {R"({"command": 3, "name": "a.glb"})"
       "\n" +
           glb,
       "'command' must be"},
      {R"({"command": "bake"})"
       "\n" +
           glb,
       "'name' must be"},
      {PageJson{{"command", "bake"}, {"name", std::string(300, 'n')}}.dump() + "\n" + glb,
       "'name' must be"},
      {R"({"command": "bake", "name": "a.glb", "settings": "x"})"
       "\n" +
           glb,
       "'settings' must be"},
      {upload("bake", "a.glb", "[[object]]\nname = 3\n", glb), "leg.bake.toml:2"},
      {upload("bake", "a.glb", "elements = 5", glb), "elements"},
      {upload("bake", "a.glb", kSmallFlesh, ""), "'a.glb' is empty"},
  };
  for (const auto& [body, why] : requests) {
    const Received answer = at.post(body);
    EXPECT_EQ(answer.status, 400) << why;
    EXPECT_NE(answer.body.find(why), std::string::npos) << answer.body;
  }
}

TEST(PageBake, FailsInTheWordsOfTheBaker) {
  const BakeServer at;
  const std::string tube = glb_text(tube_character());
  const std::string outside =
      R"({"asset": {"version": "2.0"}, "buffers": [{"uri": "secret.bin", "byteLength": 4}]})";
  const struct {
    std::string name, settings, bytes, why;
  } files[] = {
      {"note.glb", "", "what is this", "note.glb"},
      {"half.glb", "", tube.substr(0, tube.size() / 2), "half.glb"},
      {"outside.gltf", "", outside, "secret.bin"},
      {"flat.glb", kSmallFlesh, glb_text(supple::testing::sheet_character()), "flat.glb"},
      {"tube.glb", "[[object]]\nname = \"arm\"\nbone = \"Arm\"\n", tube, "'Arm'"},
  };
  for (const auto& [name, settings, bytes, why] : files) {
    const std::string id = BakeServer::id_of(at.post(upload("bake", name, settings, bytes)));
    const PageJson outcome = at.outcome(id);
    EXPECT_EQ(outcome["state"], "failed") << outcome;
    EXPECT_NE(outcome["error"].get<std::string>().find(why), std::string::npos) << outcome;
  }
}

}  // namespace
}  // namespace supple::gallery
