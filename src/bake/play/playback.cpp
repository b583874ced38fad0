// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/playback.hpp"

#include "supple/character/object_frame.hpp"
#include "supple/core/check.hpp"
#include "supple/core/console.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/core/suggest.hpp"

#include <fmt/format.h>
#include <supple.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace supple::bake {
namespace {

class Player {
 public:
  [[nodiscard]] static Result<Player> create(const BakedFile& file, const Motion& motion,
                                             const PlaySettings& wanted) {
    Player player;
    supple_asset_info info{};
    (void)supple_asset_describe(file.asset(), &info);
    player.m_modes = info.mode_count;
    for (std::uint32_t o = 0; o < info.object_count; ++o) {
      supple_object_info object{};
      (void)supple_asset_object(file.asset(), o, &object);
      SUPPLE_TRY(const std::size_t bone,
                 find_bone({object.bone, object.node, object.joint},
                           fmt::format("object '{}'", object.name), motion));
      player.m_bones.push_back(bone);
    }
    SUPPLE_TRY_VOID(player.find_attachments(file, motion));
    supple_player* created = nullptr;
    if (supple_player_create(file.asset(), &created) != SUPPLE_OK) {
      return bad_input("not enough memory for a player");
    }
    player.m_player.reset(created);
    for (std::uint32_t o = 0; o < info.object_count; ++o) {
      supple_object_settings settings{};
      (void)supple_player_get_settings(created, o, &settings);
      settings.gain = wanted.gain;
      if (supple_player_set_settings(created, o, &settings) != SUPPLE_OK) {
        return bad_input(fmt::format("the gain is {:g}; it must be finite", wanted.gain));
      }
    }
    player.find_shells(file);
    if (wanted.gravity) player.m_gravity = *wanted.gravity;
    if (supple_player_set_gravity(created, player.m_gravity.data()) != SUPPLE_OK) {
      return bad_input("gravity must be three finite numbers");
    }
    return player;
  }

  /// Puts shells in their rest shape in this pose, as if they had been held there until now.
  void drop_from(const std::vector<Eigen::Matrix4d>& pose) {
    constexpr double kAtOnce = 1e-6;  // seconds
    const Eigen::Vector3d weightless = Eigen::Vector3d::Zero();
    (void)supple_player_set_gravity(m_player.get(), weightless.data());
    step(pose, kAtOnce);
    (void)supple_player_set_gravity(m_player.get(), m_gravity.data());
  }

  /// The force acts in every following step until its time is over.
  [[nodiscard]] Result<void> push_with(const Push& push, const BakedFile& file) {
    m_push = push;
    if (!push.force.allFinite()) {
      return bad_input(fmt::format("the push on vertex {} must be three finite numbers in newtons",
                                   push.vertex));
    }
    supple_asset_info info{};
    (void)supple_asset_describe(file.asset(), &info);
    if (push.vertex >= info.vertex_count) {
      return bad_input(
          fmt::format("cannot push vertex {}: '{}' has vertices 0 to {}, counted from 0 (vertex 1 "
                      "of an OBJ file is 0 here)",
                      push.vertex, file.name(), info.vertex_count - 1));
    }
    (void)supple_player_push(m_player.get(), push.vertex, push.force.data());
    return {};
  }

  /// How often a bone jumped too far; all other resets of the player are numeric.

  [[nodiscard]] Result<void> blow(const Wind& wind) {
    supple_wind air{};
    std::copy(wind.velocity.begin(), wind.velocity.end(), air.velocity);
    air.gusts = wind.gusts;
    air.gust_size = wind.gust_size;
    air.density = wind.density;
    if (supple_player_set_wind(m_player.get(), &air) == SUPPLE_OK) return {};
    return bad_input(
        "wind needs finite speeds, gusts from 0 to 1, and a gust size and a density "
        "above 0");
  }

  /// Call after each step that counts.
  void note_extremes(std::vector<ShellExtremes>& extremes) const {
    if (extremes.empty()) extremes = m_shell_rest;
    for (std::size_t s = 0; s < m_shells.size(); ++s) {
      supple_shell_state state{};
      if (supple_player_shell_state(m_player.get(), m_shells[s], &state) != SUPPLE_OK) continue;
      extremes[s].largest_turn = std::max(extremes[s].largest_turn, state.largest_turn);
      extremes[s].handle_residual = std::max(extremes[s].handle_residual, state.handle_residual);
    }
  }

  void step(const std::vector<Eigen::Matrix4d>& pose, double dt) {
    for (std::uint32_t o = 0; o < m_bones.size(); ++o) {
      const Eigen::Matrix4d& matrix = pose[m_bones[o]];
      const Eigen::Quaterniond rotation(character::bone_rotation(matrix));
      const std::array<double, 3> position{matrix(0, 3), matrix(1, 3), matrix(2, 3)};
      const std::array<double, 4> turn{rotation.x(), rotation.y(), rotation.z(), rotation.w()};
      (void)supple_player_set_bone_pose(m_player.get(), o, position.data(), turn.data());
    }
    for (std::uint32_t a = 0; a < m_attachments.size(); ++a) {
      const Eigen::Matrix4f matrix = pose[m_attachments[a]].cast<float>();
      (void)supple_player_set_attachment_matrix(m_player.get(), a, matrix.data());
    }
    (void)supple_player_step(m_player.get(), dt);
    // A push acts for one step, so repeat it while it lasts.
    m_push.seconds -= dt;
    if (m_push.seconds > 0) {
      (void)supple_player_push(m_player.get(), m_push.vertex, m_push.force.data());
    }
  }

  [[nodiscard]] Eigen::RowVectorXd coefficients() const {
    const float* values = supple_player_coefficients(m_player.get());
    return Eigen::Map<const Eigen::RowVectorXf>(values, static_cast<Eigen::Index>(m_modes))
        .cast<double>();
  }

  [[nodiscard]] supple_diagnostics diagnose() const {
    supple_diagnostics result{};
    (void)supple_player_diagnose(m_player.get(), &result);
    return result;
  }

 private:
  /// How a file refers to the bone that moves an object.
  struct BoneName {
    std::string name;
    std::size_t node = 0, joint = 0;
  };

  /// The index in the skin or among the nodes if the name there matches, since names need not be
  /// unique; otherwise the name.
  static Result<std::size_t> find_bone(const BoneName& bone, const std::string& what,
                                       const Motion& motion) {
    for (const std::size_t place : {bone.joint, bone.node}) {
      if (place < motion.bones.size() && motion.bones[place] == bone.name) return place;
    }
    const auto found = std::find(motion.bones.begin(), motion.bones.end(), bone.name);
    if (found != motion.bones.end()) return static_cast<std::size_t>(found - motion.bones.begin());
    return bad_input(fmt::format("{} follows bone '{}', which motion '{}' does not have{}", what,
                                 bone.name, motion.name, did_you_mean(bone.name, motion.bones)));
  }

  Result<void> find_attachments(const BakedFile& file, const Motion& motion) {
    supple_attachment_info info{};
    for (std::uint32_t a = 0; supple_asset_attachment(file.asset(), a, &info) == SUPPLE_OK; ++a) {
      SUPPLE_TRY(const std::size_t bone, find_bone({info.bone, info.node, info.node},
                                                   fmt::format("attachment {}", a + 1), motion));
      m_attachments.push_back(bone);
    }
    return {};
  }

  void find_shells(const BakedFile& file) {
    for (std::uint32_t o = 0; o < m_bones.size(); ++o) {
      supple_shell_info shell{};
      if (supple_asset_shell(file.asset(), o, &shell) != SUPPLE_OK) continue;
      supple_object_info object{};
      (void)supple_asset_object(file.asset(), o, &object);
      m_shells.push_back(o);
      m_shell_rest.push_back({object.name, 0, shell.follow_turn, shell.size_metres, 0});
    }
  }

  struct Destroy {
    void operator()(supple_player* player) const { supple_player_destroy(player); }
  };
  std::unique_ptr<supple_player, Destroy> m_player;
  std::vector<std::size_t> m_bones;        // per object
  std::vector<std::size_t> m_attachments;  // the bone of each
  std::vector<std::uint32_t> m_shells;     // objects that are shells
  std::vector<ShellExtremes> m_shell_rest;
  Eigen::Vector3d m_gravity{0, -9.81, 0};
  Push m_push{0, Eigen::Vector3d::Zero(), 0};
  std::size_t m_modes = 0;
};

bool moves(const BakedFile& file, std::uint32_t vertex) {
  supple_asset_info info{};
  (void)supple_asset_describe(file.asset(), &info);
  std::vector<float> shape(std::size_t{3} * info.vertex_count);
  for (std::uint32_t m = 0; m < info.mode_count; ++m) {
    (void)supple_asset_mode_shape(file.asset(), m, shape.data(), nullptr);
    const float* own = shape.data() + std::size_t{3} * vertex;
    if (std::any_of(own, own + 3, [](float x) { return x != 0; })) return true;
  }
  return false;
}

/// Holds a pose until the flesh is at rest: it sags differently in every pose.
void settle(Player& player, const std::vector<Eigen::Matrix4d>& pose) {
  constexpr double kStep = 1.0 / 60;
  constexpr int kLongest = 60 * 20;
  constexpr int kStill = 30;  // steps without change: slow vibrations pause at their extremes
  constexpr double kChange = 1e-6;
  int still = 0;
  Eigen::RowVectorXd before;
  for (int i = 0; i < kLongest && still < kStill; ++i) {
    player.step(pose, kStep);
    const Eigen::RowVectorXd now = player.coefficients();
    const double largest = now.size() == 0 ? 0 : now.cwiseAbs().maxCoeff();
    const double change = i == 0 || now.size() == 0 ? 0 : (now - before).cwiseAbs().maxCoeff();
    still = change <= kChange * largest ? still + 1 : 0;
    before = now;
  }
}

/// Makes the last frame equal the first: the gap is spread over the cycle, so that the seam does
/// not jolt the flesh.
std::vector<std::vector<Eigen::Matrix4d>> closed_frames(const Motion& motion) {
  auto frames = motion.frames;
  const auto& first = motion.frames.front();
  const auto& last = motion.frames.back();
  const double count = static_cast<double>(frames.size() - 1);
  for (std::size_t b = 0; b < first.size(); ++b) {
    const auto axes = [&](const Eigen::Matrix4d& matrix) {
      return Eigen::Quaterniond(character::bone_rotation(matrix));
    };
    const Eigen::Quaterniond turn = axes(first[b]) * axes(last[b]).conjugate();
    const geometry::Vec3 way = (first[b] - last[b]).topRightCorner<3, 1>();
    for (std::size_t f = 1; f + 1 < frames.size(); ++f) {
      const double part = static_cast<double>(f) / count;
      frames[f][b].topLeftCorner<3, 3>() =
          Eigen::Quaterniond::Identity().slerp(part, turn).toRotationMatrix() *
          motion.frames[f][b].topLeftCorner<3, 3>();
      frames[f][b].topRightCorner<3, 1>() += part * way;
    }
  }
  frames.back() = first;
  return frames;
}

Result<void> play_loop(Player& player, const Motion& motion, const PlaySettings& settings,
                       Tracks& tracks) {
  const auto last = static_cast<Eigen::Index>(motion.frames.size()) - 1;
  const auto frames = closed_frames(motion);
  Eigen::MatrixXd previous;
  double change = 0;
  for (tracks.cycles = 1; tracks.cycles <= settings.max_cycles; ++tracks.cycles) {
    SUPPLE_TRY_VOID(check_interrupt());
    tracks.values.row(0) = player.coefficients();
    for (Eigen::Index f = 1; f <= last; ++f) {
      player.step(frames[static_cast<std::size_t>(f)], motion.step());
      player.note_extremes(tracks.shells);
      tracks.values.row(f) = player.coefficients();
    }
    if (previous.size() > 0) {
      const double largest = tracks.values.cwiseAbs().maxCoeff();
      change = (tracks.values - previous).cwiseAbs().maxCoeff() / std::max(largest, 1e-300);
      if (change <= settings.tolerance) break;
    } else if (tracks.values.size() == 0) {
      break;
    }
    previous = tracks.values;
  }
  if (tracks.cycles > settings.max_cycles) {
    tracks.cycles = settings.max_cycles;
    tracks.warnings.push_back(
        fmt::format("loop '{}' still changes by {:.1g} of its largest value after {} cycles; it is "
                    "closed anyway. More damping helps.",
                    motion.name, change, settings.max_cycles));
  }
  tracks.values.row(last) = tracks.values.row(0);
  return {};
}

std::string times(std::uint64_t count) {
  return count == 1 ? "once" : fmt::format("{} times", count);
}

void warn(const Player& player, const std::string& motion, Tracks& tracks) {
  const supple_diagnostics seen = player.diagnose();
  if (seen.teleports > 0) {
    tracks.warnings.push_back(
        fmt::format("motion '{}': a bone jumped {}; its soft parts were put to rest", motion,
                    times(seen.teleports)));
  }
  if (seen.numeric_resets > 0) {
    tracks.warnings.push_back(
        fmt::format("motion '{}': a load moved flesh or a shell out of the numeric range, {}; it "
                    "restarted from rest. Reduce the push or wind, or make it stiffer",
                    motion, times(seen.numeric_resets)));
  }
  if (seen.bad_transforms > 0) {
    tracks.warnings.push_back(
        fmt::format("motion '{}': a bone's matrix was flat or not finite {} times; its flesh stood "
                    "still meanwhile",
                    motion, seen.bad_transforms));
  }
  if (seen.clamped_accelerations > 0) {
    tracks.warnings.push_back(fmt::format("motion '{}': {} jerks were limited by the player",
                                          motion, seen.clamped_accelerations));
  }
  for (const ShellExtremes& shell : tracks.shells) {
    if (!(shell.largest_turn > shell.follow_turn) || !(shell.follow_turn > 0)) continue;
    tracks.warnings.push_back(fmt::format(
        "motion '{}': shell '{}' turned by {}; beyond {} its modes cannot follow, and areas change "
        "by more than 5 %. Use a stiffer material, a smaller load or a shape modelled under "
        "gravity",
        motion, shell.name, format_turn(shell.largest_turn), format_turn(shell.follow_turn)));
  }
  constexpr double kMissed = 0.02;  // of the size: visible
  for (const ShellExtremes& shell : tracks.shells) {
    if (!(shell.handle_residual > kMissed * shell.size)) continue;
    tracks.warnings.push_back(
        fmt::format("motion '{}': a handle of shell '{}' is up to {} away from its bone: the modes "
                    "cannot meet all handles together. Use more modes, fewer components, or a "
                    "'stiffness' for handles that may give way",
                    motion, shell.name, format_si(shell.handle_residual, "m")));
  }
}

}  // namespace

Result<Tracks> play(const BakedFile& file, const Motion& motion, const PlaySettings& settings) {
  SUPPLE_CHECK(!motion.frames.empty());
  SUPPLE_TRY(Player player,
             Player::create(file, motion, settings)
                 .during(fmt::format("playing '{}' over motion '{}'", file.name(), motion.name)));
  Tracks tracks;
  tracks.name = motion.name;
  tracks.duration = motion.duration;
  tracks.loops = motion.loops;
  tracks.values.resize(static_cast<Eigen::Index>(motion.frames.size()),
                       player.coefficients().size());
  if (settings.drop) {
    player.drop_from(motion.frames.front());
  } else {
    settle(player, motion.frames.front());
  }
  if (settings.wind || settings.medium) {
    Wind wind = settings.wind.value_or(Wind{});
    if (settings.medium) wind.density = *settings.medium;
    SUPPLE_TRY_VOID(player.blow(wind));
  }
  if (settings.push) {
    SUPPLE_TRY_VOID(player.push_with(*settings.push, file));
    if (!moves(file, settings.push->vertex)) {
      tracks.warnings.push_back(
          fmt::format("vertex {} is fixed or not moved by any mode, so the push has no effect; "
                      "push another (vertices count from 0)",
                      settings.push->vertex));
    }
  }
  player.note_extremes(tracks.shells);
  tracks.values.row(0) = player.coefficients();
  if (motion.loops && motion.frames.size() > 1) {
    SUPPLE_TRY_VOID(play_loop(player, motion, settings, tracks));
  } else {
    for (std::size_t f = 1; f < motion.frames.size(); ++f) {
      player.step(motion.frames[f], motion.step());
      player.note_extremes(tracks.shells);
      tracks.values.row(static_cast<Eigen::Index>(f)) = player.coefficients();
    }
  }
  warn(player, motion.name, tracks);
  return tracks;
}

}  // namespace supple::bake
