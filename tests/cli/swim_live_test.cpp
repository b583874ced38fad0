// SPDX-License-Identifier: Apache-2.0
#include "swim_live.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstring>

namespace supple::app {
namespace {

/// By hand, from docs/server.md: base64 of little-endian bytes.
class Bytes {
 public:
  explicit Bytes(const std::string& base64) {
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
  const Bytes bytes(write_frame(frame));
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
      {"", "a JSON object is wanted"},
      {"{\"hold\": {\"up\": 0.5}}", "'up' of 'hold' is -1, 0 or 1"},
      {"{\"hold\": {\"sideways\": 1}}", "knows no 'sideways'"},
      {"{\"stroke\": \"doggypaddle\"}", "there is no stroke 'doggypaddle'"},
      {"{\"target\": [0, \"deep\", 0]}", "[x, y, z] in metres"},
      {"{\"reset\": 1}", "'reset' is true"},
      {"{\"swim\": true}", "'swim' is not known"}};
  for (const auto& [text, why] : cases) {
    const auto change = parse_swim_change(text, strokes());
    ASSERT_FALSE(change.ok()) << text;
    EXPECT_NE(change.error().message().find(why), std::string::npos) << change.error().message();
  }
}

TEST(SwimLiveChange, ReadsSeveralAtOnce) {
  const std::string name = strokes().list.back()->file.graph.name;
  const auto change = parse_swim_change(
      fmt::format("{{\"hold\": {{\"left\": -1}}, \"stroke\": \"{}\", \"target\": [1, 2, 3], "
                  "\"reset\": true}}",
                  name),
      strokes());
  ASSERT_TRUE(change.ok()) << change.error().message();
  EXPECT_EQ(change->hold, (std::array{0, -1, 0}));
  EXPECT_EQ(change->stroke, strokes().list.size() - 1);
  EXPECT_EQ(change->target, Eigen::Vector3d(1, 2, 3));
  EXPECT_TRUE(change->reset);
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
  for (int i = 0; i < 300; ++i) {
    if (i % 24 == 0) model->apply(left);
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
    model->apply(change);
    EXPECT_EQ(model->frame().stroke, stroke);
    EXPECT_LT((model->frame().centre - before).norm(), 1.0) << "it jumps";
    for (int i = 0; i < 120; ++i) ASSERT_TRUE(model->step().ok());
  }
  const std::uint32_t run = model->frame().run;
  SwimLiveChange reset;
  reset.reset = true;
  model->apply(reset);
  EXPECT_EQ(model->frame().run, run + 1);
  EXPECT_EQ(model->frame().distance, 0);
}

}  // namespace
}  // namespace supple::app
