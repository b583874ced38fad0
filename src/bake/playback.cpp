// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/playback.hpp"

#include "supple/core/check.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/core/suggest.hpp"
#include "supple/flesh/tissue.hpp"

#include <fmt/format.h>
#include <supple.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace supple::bake {
namespace {

using Eigen::Index;

class Player {
 public:
  [[nodiscard]] static Result<Player> create(const FleshFile& file, const Motion& motion,
                                             double gain) {
    Player player;
    supple_asset_info info{};
    (void)supple_asset_describe(file.asset(), &info);
    player.m_modes = info.mode_count;
    for (std::uint32_t o = 0; o < info.object_count; ++o) {
      supple_object_info object{};
      (void)supple_asset_object(file.asset(), o, &object);
      SUPPLE_TRY(const std::size_t bone, find_bone(object, motion));
      player.m_bones.push_back(bone);
    }
    supple_player* created = nullptr;
    if (supple_player_create(file.asset(), &created) != SUPPLE_OK) {
      return bad_input("not enough memory for a player");
    }
    player.m_player.reset(created);
    for (std::uint32_t o = 0; o < info.object_count; ++o) {
      supple_object_settings settings{};
      (void)supple_player_get_settings(created, o, &settings);
      settings.gain = gain;
      if (supple_player_set_settings(created, o, &settings) != SUPPLE_OK) {
        return bad_input(fmt::format("a gain of {:g} is not possible", gain));
      }
    }
    return player;
  }

  void step(const std::vector<Eigen::Matrix4d>& pose, double dt) {
    for (std::uint32_t o = 0; o < m_bones.size(); ++o) {
      const Eigen::Matrix4d& matrix = pose[m_bones[o]];
      const Eigen::Quaterniond rotation(flesh::bone_rotation(matrix));
      const std::array<double, 3> position{matrix(0, 3), matrix(1, 3), matrix(2, 3)};
      const std::array<double, 4> turn{rotation.x(), rotation.y(), rotation.z(), rotation.w()};
      (void)supple_player_set_bone_pose(m_player.get(), o, position.data(), turn.data());
    }
    (void)supple_player_step(m_player.get(), dt);
  }

  [[nodiscard]] Eigen::RowVectorXd coefficients() const {
    const float* values = supple_player_coefficients(m_player.get());
    return Eigen::Map<const Eigen::RowVectorXf>(values, static_cast<Index>(m_modes)).cast<double>();
  }

  [[nodiscard]] supple_diagnostics diagnose() const {
    supple_diagnostics result{};
    (void)supple_player_diagnose(m_player.get(), &result);
    return result;
  }

 private:
  /// The place in the skin where the name agrees, since names need not be unique; else the name.
  static Result<std::size_t> find_bone(const supple_object_info& object, const Motion& motion) {
    if (object.joint < motion.bones.size() && motion.bones[object.joint] == object.bone) {
      return std::size_t{object.joint};
    }
    const auto found = std::find(motion.bones.begin(), motion.bones.end(), object.bone);
    if (found != motion.bones.end()) return static_cast<std::size_t>(found - motion.bones.begin());
    return bad_input(fmt::format("object '{}' follows bone '{}', which motion '{}' does not have{}",
                                 object.name, object.bone, motion.name,
                                 did_you_mean(object.bone, motion.bones)));
  }

  struct Destroy {
    void operator()(supple_player* player) const { supple_player_destroy(player); }
  };
  std::unique_ptr<supple_player, Destroy> m_player;
  std::vector<std::size_t> m_bones;  // per object
  std::size_t m_modes = 0;
};

/// Holds a pose until the flesh hangs still: it sags differently in every pose.
void settle(Player& player, const std::vector<Eigen::Matrix4d>& pose) {
  constexpr double kStep = 1.0 / 60;
  constexpr int kLongest = 60 * 20;
  constexpr int kStill = 30;  // steps without change: slow vibrations pause at their turning points
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

/// Frames whose last is the first: what is missing is spread over the cycle, so that the seam does
/// not kick the flesh.
std::vector<std::vector<Eigen::Matrix4d>> closed_frames(const Motion& motion) {
  auto frames = motion.frames;
  const auto& first = motion.frames.front();
  const auto& last = motion.frames.back();
  const double count = static_cast<double>(frames.size() - 1);
  for (std::size_t b = 0; b < first.size(); ++b) {
    const auto axes = [&](const Eigen::Matrix4d& matrix) {
      return Eigen::Quaterniond(flesh::bone_rotation(matrix));
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
  const auto last = static_cast<Index>(motion.frames.size()) - 1;
  const auto frames = closed_frames(motion);
  Eigen::MatrixXd previous;
  double change = 0;
  for (tracks.cycles = 1; tracks.cycles <= settings.max_cycles; ++tracks.cycles) {
    SUPPLE_TRY_VOID(check_interrupt());
    tracks.values.row(0) = player.coefficients();
    for (Index f = 1; f <= last; ++f) {
      player.step(frames[static_cast<std::size_t>(f)], motion.step());
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
        fmt::format("loop '{}' still changes by {:.1g} of its largest value after {} cycles; it "
                    "is closed by force. More damping helps.",
                    motion.name, change, settings.max_cycles));
  }
  tracks.values.row(last) = tracks.values.row(0);
  return {};
}

}  // namespace

Result<Tracks> play(const FleshFile& file, const Motion& motion, const PlaySettings& settings) {
  SUPPLE_CHECK(!motion.frames.empty());
  SUPPLE_TRY(Player player,
             Player::create(file, motion, settings.gain)
                 .during(fmt::format("playing '{}' over motion '{}'", file.name(), motion.name)));
  Tracks tracks;
  tracks.name = motion.name;
  tracks.duration = motion.duration;
  tracks.loops = motion.loops;
  tracks.values.resize(static_cast<Index>(motion.frames.size()), player.coefficients().size());
  settle(player, motion.frames.front());
  tracks.values.row(0) = player.coefficients();
  if (motion.loops && motion.frames.size() > 1) {
    SUPPLE_TRY_VOID(play_loop(player, motion, settings, tracks));
  } else {
    for (std::size_t f = 1; f < motion.frames.size(); ++f) {
      player.step(motion.frames[f], motion.step());
      tracks.values.row(static_cast<Index>(f)) = player.coefficients();
    }
  }
  const supple_diagnostics seen = player.diagnose();
  if (seen.teleports > 0) {
    tracks.warnings.push_back(
        fmt::format("motion '{}': bones jumped {} times; the flesh was at rest after each",
                    motion.name, seen.teleports));
  }
  if (seen.bad_transforms > 0) {
    tracks.warnings.push_back(
        fmt::format("motion '{}': a bone's matrix was flat or not finite {} times; its flesh held "
                    "still meanwhile",
                    motion.name, seen.bad_transforms));
  }
  if (seen.clamped_accelerations > 0) {
    tracks.warnings.push_back(fmt::format("motion '{}': {} jerks were cut to the player's limit",
                                          motion.name, seen.clamped_accelerations));
  }
  return tracks;
}

}  // namespace supple::bake
