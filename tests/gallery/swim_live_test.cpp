// SPDX-License-Identifier: Apache-2.0
#include "gallery/swim_live.hpp"

#include "server/client.hpp"
#include "temporary_directory.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstring>

namespace supple::gallery {
namespace {

/// By hand, from docs/server.md: base64 of little-endian bytes.
class LittleEndian {
 public:
  explicit LittleEndian(const std::string& base64) {
    const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned bits = 0;
    int count = 0;
    for (const char c : base64) {
      if (c == '=') break;
      bits = (bits << 6U) | static_cast<unsigned>(digits.find(c));
      count += 6;
      if (count < 8) continue;
      count -= 8;
      m_bytes.push_back(static_cast<unsigned char>((bits >> static_cast<unsigned>(count)) & 255U));
    }
  }
  template <class T>
  [[nodiscard]] T at(std::size_t offset) const {
    T value{};
    std::memcpy(&value, &m_bytes.at(offset), sizeof value);
    return value;
  }
  [[nodiscard]] std::size_t size() const { return m_bytes.size(); }

 private:
  std::vector<unsigned char> m_bytes;
};

const LiveStrokes& strokes() {
  static const LiveStrokes loaded = LiveStrokes::load("").value();
  return loaded;
}

TEST(SwimLiveFrame, HasItsBytesWhereTheyAreDocumented) {
  SwimLiveFrame frame;
  frame.stroke = 3;
  frame.pose = 2;
  frame.held = {1, -1, 0};
  frame.has_target = true;
  frame.run = 70'000;
  frame.aim = {1.5, -2.25, 3};
  frame.centre = {4, 5, 6};
  frame.velocity = {0.5, 0, -0.5};
  frame.time = 1234.5678;
  frame.distance = 12.5;
  frame.speed = 0.75;
  frame.power = 200;
  frame.cycles = 9;
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(1, Eigen::Vector3d(0.6, 0, 0.8)));
  frame.segments = {{}, {{7, 8, 9}, turn, {12.34, -5000, 0}}};
  const LittleEndian bytes(write_frame(frame));
  ASSERT_EQ(bytes.size(), 72U + 2 * 26U);
  EXPECT_EQ(bytes.at<std::uint8_t>(0), 1);
  EXPECT_EQ(bytes.at<std::uint8_t>(1), 2);
  EXPECT_EQ(bytes.at<std::uint8_t>(2), 3);
  EXPECT_EQ(bytes.at<std::uint8_t>(3), 2);
  EXPECT_EQ(bytes.at<std::int8_t>(4), 1);
  EXPECT_EQ(bytes.at<std::int8_t>(5), -1);
  EXPECT_EQ(bytes.at<std::uint8_t>(7), 1);
  EXPECT_EQ(bytes.at<std::uint32_t>(8), 70'000U);
  EXPECT_EQ(bytes.at<float>(16), -2.25F);
  EXPECT_EQ(bytes.at<float>(24), 4.0F);
  EXPECT_EQ(bytes.at<float>(44), -0.5F);
  EXPECT_EQ(bytes.at<double>(48), 1234.5678);
  EXPECT_EQ(bytes.at<float>(56), 12.5F);
  EXPECT_EQ(bytes.at<float>(60), 0.75F);
  EXPECT_EQ(bytes.at<float>(64), 200.0F);
  EXPECT_EQ(bytes.at<std::uint32_t>(68), 9U);
  const std::size_t second = 72 + 26;
  EXPECT_EQ(bytes.at<float>(second + 8), 9.0F);
  for (Eigen::Index i = 0; i < 4; ++i) {
    const auto stored = bytes.at<std::int16_t>(second + 12 + 2 * static_cast<std::size_t>(i));
    EXPECT_NEAR(stored / 32767.0, turn.coeffs()[i], 1.0 / 32767) << i;
  }
  EXPECT_EQ(bytes.at<std::int16_t>(second + 20), 123);
  EXPECT_EQ(bytes.at<std::int16_t>(second + 22), -32767);  // beyond the scale
}

TEST(SwimLiveChange, SaysWhatIsWrong) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "expected a JSON object"},
      {"{\"hold\": {\"up\": 0.5}}", "'up' of 'hold' must be -1, 0 or 1"},
      {"{\"hold\": {\"sideways\": 1}}", "unknown key 'sideways' in 'hold'"},
      {"{\"stroke\": \"doggypaddle\"}", "unknown stroke 'doggypaddle'"},
      {"{\"target\": [0, \"deep\", 0]}", "[x, y, z] in metres"},
      {"{\"reset\": 1}", "'reset' must be true"},
      {"{\"swim\": true}", "unknown key 'swim'"},
      {"{}", "expected a JSON object"},
      {"[{\"reset\": true}]", "expected a JSON object"},
      {"{\"reset\": true", "expected a JSON object"},
      {"{\"target\": [1e999, 0, 0]}", "expected a JSON object"},
      {"{\"target\": [1e9, 0, 0]}", "each within 1000"},
      {"{\"target\": [1, 2, 3, 4]}", "[x, y, z] in metres"},
      {"{\"stroke\": 3}", "'stroke' must be a name"},
      {"{\"command\": [\"stop\"]}", "'command' must be a name"},
      {"{\"hold\": 1}", "'hold' must be an object"},
      {"{\"reset\": \"\xff\"}", "expected a JSON object"},
      {std::string(100'000, '['), "expected a JSON object"},
      {"{\"" + std::string(100'000, 'k') + "\": 1}", "unknown key 'kkk"}};
  for (const auto& [text, why] : cases) {
    const auto change = parse_swim_change(text, strokes(), strokes().first);
    EXPECT_LT(change.ok() ? 0 : change.error().message().size(), 1000U);
    ASSERT_FALSE(change.ok()) << text;
    EXPECT_NE(change.error().message().find(why), std::string::npos) << change.error().message();
  }
}

TEST(SwimLiveChange, ReadsSeveralAtOnce) {
  const std::string name = "crawl";
  const auto change = parse_swim_change(
      fmt::format("{{\"hold\": {{\"left\": -1}}, \"stroke\": \"{}\", \"target\": [1, 2, 3], "
                  "\"reset\": true}}",
                  name),
      strokes(), strokes().first);
  ASSERT_TRUE(change.ok()) << change.error().message();
  EXPECT_EQ(change->hold, (std::array{0, -1, 0}));
  EXPECT_EQ(change->stroke, strokes().find(name));
  EXPECT_EQ(change->target, Eigen::Vector3d(1, 2, 3));
  EXPECT_TRUE(change->reset);
}

/// A stroke of one pose that listens to a command and need not learn to turn; `more` are tables.
std::string still(const std::string& name, const std::string& more = "") {
  return fmt::format(
      "name = \"{}\"\n{}\n[[pose]]\nname = \"lie\"\nseconds = 1\nelbow = 5\n"
      "[[pose.transition]]\non = \"command\"\ncommand = \"halt\"\nto = \"lie\"\n"
      "[[pose.transition]]\non = \"time\"\nto = \"lie\"\n"
      "[turn.yaw_left]\nrate = [0, 0.1, 0]\nlie = {{waist = 1}}\n",
      name, more);
}

TEST(SwimLiveChange, RefusesWhatTheStrokeDoesNotKnow) {
  const testing::TemporaryDirectory directory;
  const LiveStrokes list = LiveStrokes::load(directory.write("mine.toml", still("mine"))).value();
  const auto refusal = [&](const char* text, std::size_t current) {
    const auto change = parse_swim_change(text, list, current);
    return change.ok() ? std::string() : change.error().message();
  };
  EXPECT_EQ(refusal(R"({"command": "halt"})", 0), "");
  const std::string unknown = refusal(R"({"command": "hald"})", 0);
  EXPECT_NE(unknown.find("did you mean 'halt'"), std::string::npos) << unknown;
  EXPECT_NE(unknown.find("available: halt"), std::string::npos) << unknown;
  const std::size_t crawl = list.find("crawl").value();
  const std::string none = refusal(R"({"command": "halt"})", crawl);
  EXPECT_NE(none.find("'crawl' has no commands"), std::string::npos) << none;
  EXPECT_EQ(refusal(R"({"command": "halt", "stroke": "mine"})", crawl), "");
  EXPECT_NE(refusal(R"({"command": "halt", "stroke": "crawl"})", 0), "");
  EXPECT_EQ(refusal(R"({"target": [1, 0, 0]})", crawl), "");
  const std::string upright = refusal(R"({"target": [1, 0, 0]})", list.find("tread").value());
  EXPECT_NE(upright.find("'tread' cannot be steered"), std::string::npos) << upright;
}

TEST(SwimLiveStrokes, NameEachOnce) {
  const testing::TemporaryDirectory directory;
  const LiveStrokes list = LiveStrokes::load(directory.write("own.toml", still("crawl"))).value();
  EXPECT_EQ(list.list.size(), strokes().list.size());
  EXPECT_EQ(list.find("crawl"), list.first);
  EXPECT_EQ(list.list[list.first]->commands, std::vector<std::string>{"halt"}) << "ours, not his";
  const LiveStrokes unnamed = LiveStrokes::load(directory.write("a.toml", still(""))).value();
  EXPECT_EQ(unnamed.list[unnamed.first]->file.graph.name, "a");
}

TEST(SwimLiveStrokes, AreDescribedForPages) {
  const auto json = nlohmann::json::parse(strokes().describe("api/swim/frames"));
  EXPECT_EQ(json.at("frames"), "api/swim/frames");
  EXPECT_EQ(json.at("segments").size(), 15U);
  EXPECT_EQ(json.at("strokes").size(), strokes().list.size());
  EXPECT_EQ(json.at("surface").size(), strokes().list.size());
  EXPECT_TRUE(strokes().list[strokes().first]->steers) << "the first stroke cannot be steered";
}

/// Mean heading over two seconds, radians to the left.
double heading(SwimLiveModel& model) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (int i = 0; i < 120; ++i) {
    EXPECT_TRUE(model.step().ok());
    sum += model.frame().segments[0].turn * Eigen::Vector3d::UnitX();
  }
  return std::atan2(-sum.z(), sum.x());
}

TEST(SwimLiveModel, TurnsWhileAKeyIsHeldAndForgetsItWhenNobodyRepeats) {
  auto model = SwimLiveModel::create(strokes());
  ASSERT_TRUE(model.ok()) << model.error().describe();
  for (int i = 0; i < 180; ++i) ASSERT_TRUE(model->step().ok());
  const double before = heading(*model);
  SwimLiveChange left;
  left.hold = {0, 1, 0};
  for (int i = 0; i < 150; ++i) {
    ASSERT_TRUE(i % 24 != 0 || model->apply(left).ok());
    ASSERT_TRUE(model->step().ok());
  }
  EXPECT_EQ(model->frame().held[1], 1);
  const double after = heading(*model);
  EXPECT_GT(after - before, 0.3);
  EXPECT_EQ(model->frame().held[1], 0) << "two seconds without a word of the page";
}

TEST(SwimLiveModel, ChangesStrokesOnTheWayAndStartsAgain) {
  auto model = SwimLiveModel::create(strokes());
  ASSERT_TRUE(model.ok()) << model.error().describe();
  for (std::size_t stroke = 0; stroke < strokes().list.size(); ++stroke) {
    const Eigen::Vector3d before = model->frame().centre;
    SwimLiveChange change;
    change.stroke = stroke;
    ASSERT_TRUE(model->apply(change).ok());
    EXPECT_EQ(model->frame().stroke, stroke);
    EXPECT_LT((model->frame().centre - before).norm(), 1.0) << "it jumps";
    for (int i = 0; i < 120; ++i) ASSERT_TRUE(model->step().ok());
  }
  const std::uint32_t run = model->frame().run;
  SwimLiveChange reset;
  reset.reset = true;
  ASSERT_TRUE(model->apply(reset).ok());
  EXPECT_EQ(model->frame().run, run + 1);
  EXPECT_EQ(model->frame().distance, 0);
}

/// Nobody starts at the speed of sound.
const std::string kHopeless = "[start]\nvelocity = [2000, 0, 0]";

TEST(SwimLiveModel, StopsWhereStartingAgainDoesNotHelpAndCanBeStartedOtherwise) {
  const testing::TemporaryDirectory directory;
  const LiveStrokes list =
      LiveStrokes::load(directory.write("bad.toml", still("hopeless", kHopeless))).value();
  auto model = SwimLiveModel::create(list);
  ASSERT_TRUE(model.ok()) << model.error().describe();
  Result<void> outcome = model->step();
  for (int i = 0; i < 10 && outcome.ok(); ++i) outcome = model->step();
  ASSERT_FALSE(outcome.ok());
  EXPECT_TRUE(model->stopped());
  const std::string why = outcome.error().describe();
  EXPECT_NE(why.find("hopeless"), std::string::npos) << why;
  EXPECT_NE(why.find("m/s"), std::string::npos) << why;
  SwimLiveChange other;
  other.stroke = list.find("glide");
  ASSERT_TRUE(model->apply(other).ok());
  EXPECT_FALSE(model->stopped());
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(model->step().ok());
  EXPECT_FALSE(model->frame().lost_control);
  EXPECT_LT(model->frame().velocity.norm(), 10) << "the hopeless start goes on";
}

TEST(SwimLive, TellsPagesWhyItStoppedAndStartsAgainWhenAsked) {
  const testing::TemporaryDirectory directory;
  auto live = SwimLive::create(directory.write("bad.toml", still("hopeless", kHopeless)));
  ASSERT_TRUE(live.ok()) << live.error().describe();
  server::Site site;
  site.token = "the page's";
  SwimLive::add_to(site, *live);
  auto served = server::Server::start(std::move(site));
  ASSERT_TRUE(served.ok()) << served.error().describe();
  (*live)->start(*served);
  const std::uint16_t port = served->port();
  server::testing::Client page(port);
  page.send(server::testing::get(port, "/api/swim/frames"));
  const std::string told = page.receive_until("event: stopped\ndata: ");
  EXPECT_NE(told.find("event: stopped\ndata: "), std::string::npos) << told;
  EXPECT_NE(page.receive_until("hopeless").find("hopeless"), std::string::npos);
  server::testing::Client late(port);
  late.send(server::testing::get(port, "/api/swim/frames"));
  EXPECT_NE(late.receive_until("event: stopped").find("event: stopped"), std::string::npos);
  const auto post = [&](const std::string& body) {
    return server::testing::request(
        port, fmt::format("POST /api/swim HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nX-Supple-Token: {}\r\n"
                          "Content-Length: {}\r\n\r\n{}",
                          port, "the page's", body.size(), body));
  };
  const auto refused = post(R"({"command": "jump"})");
  EXPECT_EQ(refused.status, 400);
  EXPECT_NE(refused.body.find("available: halt"), std::string::npos) << refused.body;
  EXPECT_EQ(post("").status, 400);
  EXPECT_EQ(post("swim!").status, 400);
  EXPECT_EQ(post("{\"stroke\": {\"name\": \"glide\"}}").status, 400);
  EXPECT_EQ(post("{\"x\": \"" + std::string(300'000, 'x') + "\"}").status, 413);
  EXPECT_EQ(post(R"({"stroke": "glide"})").status, 200);
  EXPECT_NE(late.receive_until("event: frame").find("event: frame"), std::string::npos);
  (*live)->stop();
  served->stop();
}

}  // namespace
}  // namespace supple::gallery
