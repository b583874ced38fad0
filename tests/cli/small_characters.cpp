// SPDX-License-Identifier: Apache-2.0
#include "small_characters.hpp"

#include "supple/core/files.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace supple::testing {
namespace {

using io::testing::Json;

constexpr int kRings = 21;
constexpr int kSegments = 12;
constexpr double kRadius = 0.12;

struct Surface {
  std::vector<float> positions;
  std::vector<float> normals;
  std::vector<std::uint16_t> triangles;

  void vertex(double x, double y, double z, double nx, double ny, double nz) {
    for (const double p : {x, y, z}) positions.push_back(static_cast<float>(p));
    for (const double n : {nx, ny, nz}) normals.push_back(static_cast<float>(n));
  }
  void triangle(int a, int b, int c) {
    for (const int v : {a, b, c}) triangles.push_back(static_cast<std::uint16_t>(v));
  }
};

Surface tube() {
  Surface surface;
  for (int ring = 0; ring < kRings; ++ring) {
    for (int s = 0; s < kSegments; ++s) {
      const double angle = 2 * std::numbers::pi * s / kSegments;
      surface.vertex(kRadius * std::cos(angle), ring / (kRings - 1.0), kRadius * std::sin(angle),
                     std::cos(angle), 0, std::sin(angle));
    }
  }
  const int bottom = kRings * kSegments;
  surface.vertex(0, 0, 0, 0, -1, 0);
  surface.vertex(0, 1, 0, 0, 1, 0);
  for (int s = 0; s < kSegments; ++s) {
    const int next = (s + 1) % kSegments;
    for (int ring = 0; ring + 1 < kRings; ++ring) {
      const int a = ring * kSegments;
      const int b = a + kSegments;
      surface.triangle(a + s, b + s, b + next);
      surface.triangle(a + s, b + next, a + next);
    }
    surface.triangle(bottom, s, next);
    surface.triangle(bottom + 1, bottom - kSegments + next, bottom - kSegments + s);
  }
  return surface;
}

Surface sheet() {
  Surface surface;
  for (int i = 0; i <= 8; ++i) {
    for (int k = 0; k <= 8; ++k) surface.vertex(0.05 * i, 0.5 + 0.05 * k, 0, 0, 0, 1);
  }
  for (int i = 0; i < 8; ++i) {
    for (int k = 0; k < 8; ++k) {
      const int a = 9 * i + k;
      surface.triangle(a, a + 9, a + 10);
      surface.triangle(a, a + 10, a + 1);
    }
  }
  return surface;
}

/// Bones one above the other; each knows where it stands, so the bind pose is the rest pose.
void add_skeleton(HandMade& file) {
  file.json["nodes"] = Json::parse(R"([{"name":"body","mesh":0,"skin":0},
    {"name":"Hips","children":[2]},
    {"name":"Leg","translation":[0,0.4,0],"children":[3]},
    {"name":"End","translation":[0,0.6,0]}])");
  file.json["scenes"] = Json::parse(R"([{"nodes":[0,1]}])");
  file.json["scene"] = 0;
  std::vector<float> inverse_binds;
  for (const float height : {0.0F, 0.4F, 1.0F}) {
    for (int column = 0; column < 4; ++column) {
      for (int row = 0; row < 4; ++row) inverse_binds.push_back(row == column ? 1.0F : 0.0F);
    }
    inverse_binds[inverse_binds.size() - 3] = -height;
  }
  file.json["skins"] =
      Json::array({{{"name", "rig"},
                    {"joints", {1, 2, 3}},
                    {"inverseBindMatrices", file.floats(inverse_binds, "MAT4", 16)}}});
}

void add_clip(HandMade& file) {
  const float half = std::sqrt(0.5F);
  const auto times = file.floats({0, 1, 2}, "SCALAR", 1);
  const auto turns = file.floats({0, 0, 0, 1, 0, 0, half, half, 0, 0, 0, 1}, "VEC4", 4);
  file.json["animations"] = Json::array({Json::parse(
      R"({"name":"swing","samplers":[{}],
          "channels":[{"sampler":0,"target":{"node":1,"path":"rotation"}}]})")});
  file.json["animations"][0]["samplers"][0] = {{"input", times}, {"output", turns}};
}

/// `leg` gives the weight of the bone "Leg" at a height; "Hips" has the rest.
HandMade character(const Surface& surface, const std::function<double(double)>& leg, double sum) {
  HandMade file;
  std::vector<std::uint8_t> joints;
  std::vector<float> weights;
  for (std::size_t v = 0; 3 * v < surface.positions.size(); ++v) {
    const double w = leg(surface.positions[3 * v + 1]);
    joints.insert(joints.end(), {0, 1, 0, 0});
    weights.insert(weights.end(),
                   {static_cast<float>(sum * (1 - w)), static_cast<float>(sum * w), 0.0F, 0.0F});
  }
  Json attributes{{"POSITION", file.floats(surface.positions, "VEC3", 3)}};
  const float low = *std::min_element(surface.positions.begin(), surface.positions.end());
  file.json["accessors"].back()["min"] = {low, 0, low};
  file.json["accessors"].back()["max"] = {1, 1, 1};
  attributes["NORMAL"] = file.floats(surface.normals, "VEC3", 3);
  attributes["JOINTS_0"] = file.accessor(joints, 5121, "VEC4", 4);
  attributes["WEIGHTS_0"] = file.floats(weights, "VEC4", 4);
  const auto indices = file.accessor(surface.triangles, 5123, "SCALAR", 1);
  file.json["meshes"] = Json::array(
      {{{"name", "part"},
        {"primitives", Json::array({{{"attributes", attributes}, {"indices", indices}}})}}});
  add_skeleton(file);
  add_clip(file);
  return file;
}

double smooth_leg(double height) {
  const double t = std::clamp((height - 0.3) / 0.2, 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

}  // namespace

HandMade tube_character() {
  return character(tube(), smooth_leg, 1);
}

HandMade sheet_character() {
  return character(sheet(), smooth_leg, 1);
}

HandMade one_bone_character() {
  return character(
      tube(), [](double) { return 1.0; }, 1);
}

HandMade doubled_weights_character() {
  return character(tube(), smooth_leg, 2);
}

std::string glb_text(const HandMade& file) {
  const Bytes bytes = file.glb();
  return std::string(as_text(bytes));
}

}  // namespace supple::testing
