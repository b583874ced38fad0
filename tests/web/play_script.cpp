// SPDX-License-Identifier: Apache-2.0
// play_script FILE.supple SCRIPT COEFFICIENTS VERTICES: plays what script.mjs wrote with the native
// player and leaves all coefficients after each step, and all deformed vertices, as raw floats.
#include "player/synthetic_asset.hpp"
#include "web/rest_number.hpp"

#include "supple/core/files.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

namespace {

using supple::player::testing::AlignedBytes;
using supple::web::testing::rest_number;

std::vector<float> rest_numbers(std::size_t count, std::size_t from) {
  std::vector<float> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = rest_number(i + from);
  return numbers;
}

constexpr std::size_t kJoints = 5;

class Stage {
 public:
  Stage(const supple_asset* asset, std::ofstream coefficients, std::ofstream vertices)
      : m_coefficients(std::move(coefficients)), m_vertices(std::move(vertices)) {
    supple_asset_describe(asset, &m_info);
    supple_player_create(asset, &m_player);
    const std::size_t floats = std::size_t{3} * m_info.vertex_count;
    m_positions = rest_numbers(floats, 0);
    m_normals = rest_numbers(floats, 100);
    m_tangents = rest_numbers(floats, 200);
    m_palette = rest_numbers(16 * kJoints, 300);
    m_weights.assign(std::size_t{4} * m_info.vertex_count, 0.25F);
    m_joints.resize(m_weights.size());
    for (std::size_t i = 0; i < m_joints.size(); ++i) {
      m_joints[i] = static_cast<std::uint16_t>(i % kJoints);
    }
    m_out.resize(3 * floats);
  }
  ~Stage() { supple_player_destroy(m_player); }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  /// False for a line that says nothing known.
  bool act(const std::string& line) {
    std::istringstream words(line);
    std::string verb;
    words >> verb;
    std::vector<double> n;
    for (double x = 0; words >> x;) n.push_back(x);
    if (verb == "matrix" && n.size() == 17) {
      const std::vector<float> matrix(n.begin() + 1, n.end());
      supple_player_set_bone_matrix(m_player, place(n[0]), matrix.data());
    } else if (verb == "pose" && n.size() == 8) {
      supple_player_set_bone_pose(m_player, place(n[0]), n.data() + 1, n.data() + 4);
    } else if (verb == "push" && n.size() == 4) {
      supple_player_push(m_player, place(n[0]), n.data() + 1);
    } else if (verb == "gravity" && n.size() == 3) {
      supple_player_set_gravity(m_player, n.data());
    } else if (verb == "settings" && n.size() == 12) {
      settings(n);
    } else if (verb == "reset" && n.size() == 1) {
      supple_player_reset_object(m_player, place(n[0]));
    } else if (verb == "attach" && n.size() == 17) {
      const std::vector<float> matrix(n.begin() + 1, n.end());
      supple_player_set_attachment_matrix(m_player, place(n[0]), matrix.data());
    } else if (verb == "detach" && n.size() == 1) {
      supple_player_release_attachment(m_player, place(n[0]));
    } else if (verb == "handle" && n.size() == 11) {
      handle(n);
    } else if (verb == "loose" && n.size() == 1) {
      supple_player_remove_handle(m_player, place(n[0]));
    } else if (verb == "wind" && n.size() == 6) {
      const supple_wind wind{
          .velocity = {n[0], n[1], n[2]}, .gusts = n[3], .gust_size = n[4], .density = n[5]};
      supple_player_set_wind(m_player, &wind);
    } else if (verb == "trigger" && n.size() == 3) {
      supple_player_trigger(m_player, place(n[0]), place(n[1]), n[2]);
    } else if (verb == "blend" && n.size() == 3) {
      supple_scene_settings blend;
      blend.half_life = n[1];
      blend.blend = static_cast<int>(n[2]);
      supple_player_set_scene_settings(m_player, place(n[0]), &blend);
    } else if (verb == "step" && n.size() == 1) {
      supple_player_step(m_player, n[0]);
      put(m_coefficients, supple_player_coefficients(m_player), m_info.mode_count);
    } else if (verb == "deform" && n.size() == 1) {
      deform(n[0] != 0);
    } else {
      return false;
    }
    return true;
  }

 private:
  static std::uint32_t place(double number) { return static_cast<std::uint32_t>(number); }

  static void put(std::ofstream& file, const float* numbers, std::size_t count) {
    file.write(reinterpret_cast<const char*>(numbers),
               static_cast<std::streamsize>(count * sizeof(float)));
  }

  void settings(const std::vector<double>& n) {
    supple_object_settings s{};
    s.enabled = static_cast<int>(n[1]);
    s.gain = n[2];
    s.limit_metres = n[3];
    s.modes = place(n[4]);
    s.max_acceleration = n[5];
    s.max_spin = n[6];
    s.teleport_speed = n[7];
    s.coriolis = static_cast<int>(n[8]);
    s.stiffness = n[9];
    s.damping = n[10];
    s.warp = static_cast<int>(n[11]);
    supple_player_set_settings(m_player, place(n[0]), &s);
  }

  /// Slot, vertex, components, position, orientation, stiffness.
  void handle(const std::vector<double>& n) {
    supple_handle h{};
    h.vertex = place(n[1]);
    h.components = place(n[2]);
    std::copy_n(m_positions.begin() + static_cast<std::ptrdiff_t>(3) * h.vertex, 3, h.rest);
    std::copy_n(n.begin() + 3, 3, h.position);
    std::copy_n(n.begin() + 6, 4, h.orientation);
    h.stiffness = n[10];
    supple_player_set_handle(m_player, place(n[0]), &h);
  }

  void deform(bool skinned) {
    const std::size_t floats = m_positions.size();
    supple_deformation d{};
    d.rest_positions.data = m_positions.data();
    d.rest_normals.data = m_normals.data();
    d.rest_tangents.data = m_tangents.data();
    d.positions.data = m_out.data();
    d.normals.data = m_out.data() + floats;
    d.tangents.data = m_out.data() + 2 * floats;
    if (skinned) {
      d.palette = m_palette.data();
      d.joint_count = kJoints;
      d.influences = 4;
      d.joints = m_joints.data();
      d.weights = m_weights.data();
    }
    supple_player_deform(m_player, &d);
    put(m_vertices, m_out.data(), m_out.size());
  }

  std::ofstream m_coefficients, m_vertices;
  supple_asset_info m_info{};
  supple_player* m_player = nullptr;
  std::vector<float> m_positions, m_normals, m_tangents, m_palette, m_weights, m_out;
  std::vector<std::uint16_t> m_joints;
};

}  // namespace

int main(int count, char** arguments) {
  if (count != 5) return 2;
  const auto file = supple::read_file(arguments[1]);
  if (!file.ok()) return 5;
  const AlignedBytes bytes(*file);
  supple_asset* asset = nullptr;
  if (supple_asset_open(bytes.data(), bytes.size(), &asset) != SUPPLE_OK) return 3;
  bool good = true;
  {
    Stage stage(asset, std::ofstream(arguments[3], std::ios::binary),
                std::ofstream(arguments[4], std::ios::binary));
    std::ifstream script(arguments[2]);
    for (std::string line; good && std::getline(script, line);) good = stage.act(line);
  }
  supple_asset_close(asset);
  return good ? 0 : 3;
}
