// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/swim_export.hpp"

#include "supple/core/files.hpp"
#include "supple/io/gltf_pose.hpp"
#include "supple/swim/flow.hpp"

#include "io/gltf_validator.hpp"
#include "swim/strokes.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <numbers>
#include <sstream>

namespace supple::bake {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using io::testing::is_valid;
using io::testing::validator;

constexpr double kWaveRate = 60;
constexpr int kWaveFrames = 61;

swim::Body make_body() {
  auto body = swim::build_body({});
  EXPECT_TRUE(body.ok());
  return *std::move(body);
}

/// Every joint swings at its own pace; where segments are follows from anchors and axes alone.
swim::Recording waving(const swim::Body& body) {
  swim::Recording recording;
  recording.stroke = "waving";
  for (int f = 0; f < kWaveFrames; ++f) {
    swim::Recording::Frame frame;
    frame.time = f / kWaveRate;
    for (std::size_t j = 0; j < body.joints.size(); ++j) {
      frame.angles.push_back(0.9 * std::sin((1 + 0.3 * static_cast<double>(j)) * frame.time));
      frame.torques.push_back(static_cast<double>(j));
    }
    for (std::size_t s = 0; s < body.segments.size(); ++s) {
      const swim::Segment& segment = body.segments[s];
      swim::SegmentMotion motion;
      if (segment.parent == swim::Segment::kNoParent) {
        // Through the place where two of BVH's three angles turn about one axis.
        motion.axes = Eigen::AngleAxisd(std::numbers::pi * frame.time, Vector3d::UnitX());
        motion.origin = Vector3d(1.2 * frame.time, 0.1 * std::sin(5 * frame.time), 0.3);
      } else {
        const swim::SegmentMotion& parent = frame.segments[segment.parent];
        motion.axes = parent.axes;
        for (std::size_t j = 0; j < body.joints.size(); ++j) {
          if (body.joints[j].segment != s) continue;
          motion.axes =
              motion.axes * Eigen::AngleAxisd(frame.angles[j], body.joints[j].axis).matrix();
        }
        motion.origin = parent.origin + parent.axes * segment.anchor;
      }
      frame.segments.push_back(motion);
      frame.forces.emplace_back(20 + static_cast<double>(s), 40 * std::cos(frame.time),
                                -30 * std::sin(3 * frame.time));
    }
    frame.centre = frame.segments[0].origin;
    frame.velocity = Vector3d(1.2, 0, 0);
    recording.frames.push_back(std::move(frame));
  }
  return recording;
}

std::size_t node_of(const io::GltfAsset& asset, const std::string& name) {
  const auto found = std::ranges::find(asset.nodes, name, &io::GltfNode::name);
  EXPECT_NE(found, asset.nodes.end()) << name;
  return static_cast<std::size_t>(found - asset.nodes.begin());
}

TEST(SwimGltf, MovesEverySegmentAsRecorded) {
  const swim::Body body = make_body();
  const swim::Recording recording = waving(body);
  const auto asset = swim_gltf(recording, body);
  ASSERT_TRUE(asset.ok()) << asset.error().describe();
  ASSERT_EQ(asset->animations.size(), 1U);
  EXPECT_EQ(asset->animations[0].name, "waving");
  constexpr double kThinned = 4e-3;  // m: hinges of a chain, half a thousandth each
  for (const std::size_t f : {0U, 7U, 30U, 60U}) {
    const swim::Recording::Frame& frame = recording.frames[f];
    const auto world =
        io::world_matrices(*asset, io::sample(*asset, asset->animations[0], frame.time));
    for (std::size_t s = 0; s < body.segments.size(); ++s) {
      const Eigen::Matrix4d& shown = world[node_of(*asset, body.segments[s].name)];
      const Vector3d far =
          frame.segments[s].origin + frame.segments[s].axes * (2 * body.segments[s].centre);
      const Vector3d seen = (shown * (2 * body.segments[s].centre).homogeneous()).head<3>();
      EXPECT_LT((seen - far).norm(), kThinned) << body.segments[s].name << " at " << frame.time;
    }
  }
}

TEST(SwimGltf, LeavesOutKeysThatNobodyMisses) {
  const swim::Body body = make_body();
  const swim::Recording recording = waving(body);
  SwimExportSettings all;
  all.tolerance = 0;
  SwimExportSettings coarse;
  coarse.tolerance = 4e-3;
  const auto count = [&](const SwimExportSettings& settings) {
    const auto asset = swim_gltf(recording, body, settings);
    EXPECT_TRUE(asset.ok());
    std::size_t keys = 0;
    for (const io::GltfSampler& sampler : asset->animations[0].samplers) {
      keys += sampler.times.size();
    }
    return keys;
  };
  EXPECT_LT(count({}), count(all));
  EXPECT_LT(2 * count(coarse), count(all));
}

TEST(SwimGltf, DrawsBoxesOfTheSegmentsSizes) {
  const swim::Body body = make_body();
  const io::SkinnedModel model = swimmer_model(body);
  ASSERT_TRUE(model.validate().ok());
  const auto world = io::rest_world(model.bones);
  for (const char* name : {"right_forearm", "left_shin", "right_hand"}) {
    const std::size_t s = *body.find_segment(name);
    geometry::Box drawn;
    for (const io::SkinnedPart& part : model.parts) {
      if (part.material != "skin") continue;
      for (std::size_t v = 0; v < part.positions.size(); ++v) {
        if (part.skin[v].bones[0] == s) drawn.add(part.positions[v]);
      }
    }
    EXPECT_LT((drawn.size() - body.segments[s].size).norm(), 1e-6) << name;
    const Vector3d middle = world[s] * body.segments[s].centre;
    EXPECT_LT((drawn.centre() - middle).norm(), 1e-6) << name;
  }
  for (const io::SkinnedPart& part : model.parts) {
    const geometry::TriMesh mesh{part.positions, part.triangles};
    EXPECT_GT(geometry::signed_volume(mesh), 0) << part.material << " must face outward";
  }
}

TEST(SwimGltf, PointsArrowsAlongForces) {
  const swim::Body body = make_body();
  const swim::Recording recording = waving(body);
  SwimExportSettings settings;
  settings.arrows = true;
  settings.newtons_per_metre = 100;
  const auto asset = swim_gltf(recording, body, settings);
  ASSERT_TRUE(asset.ok()) << asset.error().describe();
  for (const std::size_t f : {0U, 33U}) {
    const swim::Recording::Frame& frame = recording.frames[f];
    const auto world =
        io::world_matrices(*asset, io::sample(*asset, asset->animations[0], frame.time));
    for (std::size_t s = 0; s < body.segments.size(); ++s) {
      const Eigen::Matrix4d& arrow = world[node_of(*asset, "force_" + body.segments[s].name)];
      const Vector3d tip = arrow.topLeftCorner<3, 3>() * Vector3d::UnitY();
      constexpr double kThinned = 0.012;  // m
      EXPECT_LT((tip - frame.forces[s] / settings.newtons_per_metre).norm(), kThinned)
          << body.segments[s].name;
    }
  }
}

TEST(SwimGltf, RestsInItsFirstFrame) {
  const swim::Body body = make_body();
  swim::Recording recording = waving(body);
  for (swim::Recording::Frame& frame : recording.frames) {
    for (swim::SegmentMotion& segment : frame.segments) segment.origin += Vector3d(1, 2, 3);
  }
  for (Vector3d& force : recording.frames[0].forces) force.setZero();
  SwimExportSettings settings;
  settings.arrows = true;
  const auto asset = swim_gltf(recording, body, settings);
  ASSERT_TRUE(asset.ok()) << asset.error().describe();
  const auto world = io::world_matrices(*asset, io::rest_pose(*asset));
  constexpr double kFloat = 1e-6;
  for (std::size_t s = 0; s < body.segments.size(); ++s) {
    const swim::SegmentMotion& segment = recording.frames[0].segments[s];
    const Eigen::Matrix4d& shown = world[node_of(*asset, body.segments[s].name)];
    EXPECT_LT((shown.topRightCorner<3, 1>() - segment.origin).norm(), kFloat);
    EXPECT_LT((shown.topLeftCorner<3, 3>() - segment.axes).norm(), kFloat);
    const Eigen::Matrix4d& arrow = world[node_of(*asset, "force_" + body.segments[s].name)];
    EXPECT_LT((arrow.topLeftCorner<3, 3>() * Vector3d::UnitY()).norm(), 1e-3) << "no force yet";
  }
}

TEST(SwimGltf, IsValidWithAndWithoutArrows) {
  SKIP_WITHOUT_VALIDATOR();
  const swim::Body body = make_body();
  for (const bool arrows : {false, true}) {
    SwimExportSettings settings;
    settings.arrows = arrows;
    const auto asset = swim_gltf(waving(body), body, settings);
    ASSERT_TRUE(asset.ok());
    const auto glb = io::write_gltf(*asset);
    ASSERT_TRUE(glb.ok());
    EXPECT_TRUE(is_valid(*glb));
  }
}

TEST(SwimGltf, IsTheSameAsText) {
  const swim::Body body = make_body();
  const auto asset = swim_gltf(waving(body), body);
  ASSERT_TRUE(asset.ok());
  const auto text = io::write_gltf_text(*asset);
  ASSERT_TRUE(text.ok());
  const auto again = io::read_gltf(as_bytes(*text), "again.gltf");
  ASSERT_TRUE(again.ok()) << again.error().describe();
  ASSERT_EQ(again->meshes.size(), asset->meshes.size());
  EXPECT_EQ(again->meshes[0].primitives[0].positions, asset->meshes[0].primitives[0].positions);
  EXPECT_EQ(again->animations[0].samplers[1].values, asset->animations[0].samplers[1].values);
}

TEST(SwimGltf, RefusesWhatShowsNoMotion) {
  const swim::Body body = make_body();
  swim::Recording recording = waving(body);
  recording.frames.resize(1);
  EXPECT_FALSE(swim_gltf(recording, body).ok());
  EXPECT_FALSE(swim_bvh(recording, body).ok());
  SwimExportSettings settings;
  settings.newtons_per_metre = 0;
  EXPECT_FALSE(swim_gltf(waving(body), body, settings).ok());
}

TEST(SwimBvh, ComesBackThroughTheReader) {
  const swim::Body body = make_body();
  const swim::Recording recording = waving(body);
  const auto bvh = swim_bvh(recording, body);
  ASSERT_TRUE(bvh.ok()) << bvh.error().describe();
  const auto text = io::write_bvh(*bvh);
  ASSERT_TRUE(text.ok()) << text.error().describe();
  const auto read = io::read_bvh(as_bytes(*text), "swim.bvh");
  ASSERT_TRUE(read.ok()) << read.error().describe();
  EXPECT_TRUE(read->warnings.empty());
  ASSERT_EQ(read->frame_count(), recording.frames.size());
  ASSERT_EQ(read->joints.size(), body.segments.size());
  EXPECT_NEAR(read->frame_time, 1 / kWaveRate, 1e-9);
  constexpr double kDecimals = 1e-4;  // m and of axes: six decimals along a chain of joints
  for (const swim::Recording::Frame& frame : recording.frames) {
    const auto pose = io::bvh_pose(*read, frame.time);
    for (std::size_t j = 0; j < read->joints.size(); ++j) {
      const auto s = body.find_segment(read->joints[j].name);
      ASSERT_TRUE(s.has_value()) << read->joints[j].name;
      EXPECT_LT((pose[j].translation() - frame.segments[*s].origin).norm(), kDecimals);
      EXPECT_LT((pose[j].linear() - frame.segments[*s].axes).norm(), kDecimals);
    }
  }
  for (std::size_t i = read->channel_count; i < read->values.size(); ++i) {
    const double jump = std::abs(read->values[i] - read->values[i - read->channel_count]);
    EXPECT_LT(jump, 60) << "curves without jumps";
  }
}

TEST(SwimCsv, HasALinePerFrameAndANamePerNumber) {
  const swim::Body body = make_body();
  const swim::Recording recording = waving(body);
  std::istringstream text(swim_csv(recording, body));
  std::string line;
  std::vector<std::ptrdiff_t> commas;
  std::string head;
  while (std::getline(text, line)) {
    if (commas.empty()) head = line;
    commas.push_back(std::ranges::count(line, ','));
  }
  ASSERT_EQ(commas.size(), recording.frames.size() + 1);
  EXPECT_EQ(commas.front(), 21 + 2 * std::ssize(body.joints) + 3 * std::ssize(body.segments));
  EXPECT_EQ(std::ranges::count(commas, commas.front()), std::ssize(commas));
  for (const char* name :
       {"time_s", "speed_mps", "pitch_deg", "right_elbow_deg", "waist_Nm", "left_foot_z_N"}) {
    EXPECT_NE(head.find(name), std::string::npos) << name;
  }
}

/// The columns of a table by their names.
std::map<std::string, std::vector<double>> columns_of(const std::string& csv) {
  std::istringstream text(csv);
  std::string line;
  std::string cell;
  std::getline(text, line);
  std::vector<std::string> names;
  for (std::istringstream head(line); std::getline(head, cell, ',');) names.push_back(cell);
  std::map<std::string, std::vector<double>> columns;
  while (std::getline(text, line)) {
    std::size_t column = 0;
    for (std::istringstream row(line); std::getline(row, cell, ',');) {
      columns[names.at(column++)].push_back(std::stod(cell));
    }
  }
  return columns;
}

/// N s: the largest of d/dt momentum - (drag + buoyancy + weight + added mass), over the second
/// cycle, computed only from the file.
double imbalance(const std::map<std::string, std::vector<double>>& columns) {
  const auto& cycles = columns.at("cycles");
  const auto first = std::ranges::find(cycles, 1.0) - cycles.begin();
  const auto last = std::ranges::find(cycles, 2.0) - cycles.begin();
  double worst = 0;
  for (const std::string axis : {"x", "y", "z"}) {
    const auto& momentum = columns.at("momentum_" + axis + "_Ns");
    double left =
        momentum.at(static_cast<std::size_t>(last)) - momentum.at(static_cast<std::size_t>(first));
    for (auto i = static_cast<std::size_t>(first) + 1; i <= static_cast<std::size_t>(last); ++i) {
      const double seconds = columns.at("time_s")[i] - columns.at("time_s")[i - 1];
      double force = columns.at("drag_" + axis + "_N")[i];
      if (axis == "y") force += columns.at("buoyancy_y_N")[i] + columns.at("weight_y_N")[i];
      force += columns.at("added_mass_" + axis + "_N")[i];
      left -= seconds * force;
    }
    worst = std::max(worst, std::abs(left));
  }
  return worst;
}

/// Seven digits of forces of some 1000 N that last for a cycle of 2 s.
constexpr double kDigits = 2e-3;  // N s

TEST(SwimCsv, ClosesTheBalanceOfForcesOverACycle) {
  const swim::Body body = swim::test::body_of(swim::HingeSet::Paper14);
  const swim::PoseGraph stroke = swim::test::plane_breaststroke(body);
  swim::RunSettings settings;
  settings.seconds = 4.5;
  swim::WaterSettings surface;
  surface.gravity = 9.81;
  surface.surface = 0;
  swim::WaterSettings river;
  river.gravity = 9.81;
  river.added_mass = true;
  river.flow = swim::river({0.3, 0, 0.1}).value();
  for (const double rate : {60.0, 20.0}) {  // 20: several steps to a line
    settings.rate = rate;
    for (const swim::WaterSettings& water : {surface, river}) {
      const auto recording = swim::record_swim(body, water, stroke, {}, settings, nullptr);
      ASSERT_TRUE(recording.ok()) << recording.error().describe();
      auto columns = columns_of(swim_csv(*recording, body));
      const double left = imbalance(columns);
      std::cout << "balance of a cycle at " << rate << " Hz: " << left << " N s left over\n";
      EXPECT_LT(left, kDigits);
      EXPECT_NEAR(columns["weight_y_N"].back(), -9.81 * body.mass(), kDigits);
      for (const char* part : {"drag_x_N", "buoyancy_y_N", "weight_y_N"}) {
        auto without = columns;
        std::ranges::fill(without[part], 0.0);
        EXPECT_GT(imbalance(without), 100 * kDigits) << part << " has no part in it";
      }
    }
  }
}

}  // namespace
}  // namespace supple::bake
