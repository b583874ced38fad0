// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/playback.hpp"

#include "supple/character/object_frame.hpp"
#include "supple/core/check.hpp"
#include "supple/core/console.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/core/suggest.hpp"

#include <fmt/format.h>
#include <supple.h>
#include <Eigen/QR>

#include <algorithm>
#include <array>
#include <cmath>

namespace supple::bake {
namespace {

using WorldMatrices = std::vector<Eigen::Matrix4d>;

WorldMatrices carried(const Eigen::Matrix4d& by, const WorldMatrices& pose) {
  WorldMatrices result;
  result.reserve(pose.size());
  for (const Eigen::Matrix4d& matrix : pose) result.emplace_back(by * matrix);
  return result;
}

/// How a bone moves at the first frame of a motion; world axes, lengths in units of the file.
struct StartingMotion {
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
  Eigen::Vector3d acceleration = Eigen::Vector3d::Zero();
  Eigen::Vector3d spin = Eigen::Vector3d::Zero();
  Eigen::Vector3d angular_acceleration = Eigen::Vector3d::Zero();
};

/// The slope at 0 of values at 1/2, 3/2, ...: of the parabola closest to them (of a line where they
/// are few), so that neither noise nor the corners of linear keys count as acceleration.
Eigen::Vector3d first_slope(const Eigen::Matrix3Xd& values) {
  const Eigen::Index count = values.cols();
  if (count < 2) return Eigen::Vector3d::Zero();
  const Eigen::Index terms = count < 4 ? 2 : 3;
  Eigen::MatrixXd powers(count, terms);
  for (Eigen::Index i = 0; i < count; ++i) {
    for (Eigen::Index p = 0; p < terms; ++p) {
      powers(i, p) = std::pow(static_cast<double>(i) + 0.5, static_cast<double>(p));
    }
  }
  return powers.colPivHouseholderQr().solve(values.transpose()).row(1).transpose();
}

/// The velocity before the first frame is chosen so that the player's first step feels exactly this
/// acceleration.
StartingMotion starting_motion(const Motion& motion, std::size_t bone) {
  constexpr double kSeconds = 0.1;
  StartingMotion start;
  const double h = motion.step();
  const std::size_t left = motion.frames.size() - 1 - motion.first_frame;
  if (left == 0 || !(h > 0)) return start;
  const auto wanted = static_cast<std::size_t>(std::max(2.0, std::round(kSeconds / h)));
  const auto count = static_cast<Eigen::Index>(std::min(left, wanted));
  Eigen::Matrix3Xd velocities(3, count);
  Eigen::Matrix3Xd spins(3, count);  // in the bone's axes
  for (Eigen::Index i = 0; i < count; ++i) {
    const std::size_t frame = motion.first_frame + static_cast<std::size_t>(i);
    const Eigen::Matrix4d& from = motion.frames[frame][bone];
    const Eigen::Matrix4d& to = motion.frames[frame + 1][bone];
    velocities.col(i) = (to - from).topRightCorner<3, 1>() / h;
    const Eigen::AngleAxisd turn(character::bone_rotation(from).transpose() *
                                 character::bone_rotation(to));
    spins.col(i) = turn.angle() / h * turn.axis();
  }
  const Eigen::Matrix3d axes = character::bone_rotation(motion.frames[motion.first_frame][bone]);
  start.acceleration = first_slope(velocities) / h;
  start.velocity = velocities.col(0) - h / 2 * start.acceleration;
  start.angular_acceleration = axes * first_slope(spins) / h;
  start.spin = axes * spins.col(0) - h / 2 * start.angular_acceleration;
  return start;
}

class Player {
 public:
  [[nodiscard]] static Result<Player> create(const BakedFile& file, const Motion& motion,
                                             const PlaySettings& wanted) {
    Player player;
    supple_asset_info info{};
    (void)supple_asset_describe(file.asset(), &info);
    player.m_modes = info.mode_count;
    player.m_metres = info.metres_per_unit;
    player.m_reach.resize(info.mode_count);
    for (std::uint32_t m = 0; m < info.mode_count; ++m) {
      supple_mode_info mode{};
      (void)supple_asset_mode(file.asset(), m, &mode);
      player.m_reach[m] = mode.largest_displacement;
    }
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

  /// Everything where the pose and the bones' motion hold it, as if it had long been so.
  void start_in(const Motion& motion) {
    for (std::uint32_t o = 0; o < m_bones.size(); ++o) {
      const StartingMotion start = starting_motion(motion, m_bones[o]);
      const Eigen::Vector3d velocity = m_metres * start.velocity;
      const Eigen::Vector3d acceleration = m_metres * start.acceleration;
      (void)supple_player_set_bone_motion(m_player.get(), o, velocity.data(), acceleration.data(),
                                          start.spin.data(), start.angular_acceleration.data());
    }
    step(motion.frames[motion.first_frame], kAtOnce);
  }

  /// The farthest that these coefficients move anything, in metres.
  [[nodiscard]] double reach(const Eigen::MatrixXd& coefficients) const {
    return (coefficients * m_reach.asDiagonal()).cwiseAbs().maxCoeff();
  }

  /// Puts shells in their rest shape in this pose, as if they had been held there until now.
  void drop_from(const std::vector<Eigen::Matrix4d>& pose) {
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

  static constexpr double kAtOnce = 1e-6;  // seconds: a first step that takes no time
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
  Eigen::RowVectorXd m_reach;  // of each mode, metres at coefficient 1
  double m_metres = 1;         // per unit of positions
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

/// A cycle whose last frame is the first, carried on by the motion's travel: the gap is spread over
/// the cycle, so that the seam does not jolt the flesh.
std::vector<WorldMatrices> closed_cycle(const Motion& motion) {
  std::vector<WorldMatrices> frames(
      motion.frames.begin() + static_cast<std::ptrdiff_t>(motion.first_frame), motion.frames.end());
  const WorldMatrices first = carried(motion.travel, frames.front());
  const WorldMatrices last = frames.back();
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
          frames[f][b].topLeftCorner<3, 3>().eval();
      frames[f][b].topRightCorner<3, 1>() += part * way;
    }
  }
  frames.back() = first;
  return frames;
}

constexpr double kInvisible = 1e-8;  // metres

Result<void> play_loop(Player& player, const Motion& motion, const PlaySettings& settings,
                       Tracks& tracks) {
  const auto first = static_cast<Eigen::Index>(motion.first_frame);
  const auto last = static_cast<Eigen::Index>(motion.frames.size()) - 1;
  const std::vector<WorldMatrices> cycle = closed_cycle(motion);
  Eigen::Matrix4d gone = Eigen::Matrix4d::Identity();
  Eigen::MatrixXd previous;
  double change = 0;
  for (tracks.cycles = 1; tracks.cycles <= settings.max_cycles; ++tracks.cycles) {
    tracks.values.row(first) = player.coefficients();
    for (std::size_t f = 1; f < cycle.size(); ++f) {
      SUPPLE_TRY_VOID(check_interrupt());
      player.step(carried(gone, cycle[f]), motion.step());
      player.note_extremes(tracks.shells);
      tracks.values.row(first + static_cast<Eigen::Index>(f)) = player.coefficients();
    }
    gone = motion.travel * gone;
    if (previous.size() > 0) {
      const Eigen::MatrixXd difference = tracks.values - previous;
      const double largest = tracks.values.cwiseAbs().maxCoeff();
      change = difference.cwiseAbs().maxCoeff() / std::max(largest, 1e-300);
      // Steady travel moves nothing but by rounding, which never repeats itself.
      if (change <= settings.tolerance || player.reach(difference) < kInvisible) break;
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
  tracks.values.row(last) = tracks.values.row(first);
  return {};
}

/// From the coefficients as shown: the player scales those of an object so that its amplitude A,
/// the root of the sum of squares of the modes' largest displacements, becomes L tanh(A / L).
std::vector<FleshExtremes> flesh_extremes(const BakedFile& file, const Eigen::MatrixXd& values) {
  const double at_limit = std::tanh(1.0);  // of what is shown where A = L
  std::vector<FleshExtremes> extremes;
  supple_object_info object{};
  for (std::uint32_t o = 0; supple_asset_object(file.asset(), o, &object) == SUPPLE_OK; ++o) {
    if (object.kind != SUPPLE_FLESH) continue;
    Eigen::VectorXd squares = Eigen::VectorXd::Zero(values.rows());
    for (std::uint32_t m = object.first_mode; m < object.first_mode + object.mode_count; ++m) {
      supple_mode_info mode{};
      (void)supple_asset_mode(file.asset(), m, &mode);
      squares += (mode.largest_displacement * values.col(m)).cwiseAbs2();
    }
    FleshExtremes found{object.name, object.limit_metres, std::sqrt(squares.maxCoeff()), 0};
    if (found.limit > 0) {
      const auto beyond = (squares.array().sqrt() >= at_limit * found.limit).count();
      found.at_limit = static_cast<double>(beyond) / static_cast<double>(values.rows());
    }
    extremes.push_back(std::move(found));
  }
  return extremes;
}

std::string times(std::uint64_t count) {
  return count == 1 ? "once" : fmt::format("{} times", count);
}

void warn_of_player(const Player& player, const std::string& motion, Tracks& tracks) {
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
  constexpr double kOften = 0.05;  // of the frames: beyond that the limit shapes the motion
  for (const FleshExtremes& flesh : tracks.flesh) {
    if (!(flesh.at_limit > kOften)) continue;
    tracks.warnings.push_back(fmt::format(
        "motion '{}': flesh '{}' is at its limit of {} in {:.0f} % of the frames, so that it "
        "cannot "
        "follow the motion. Use a smaller 'sag' (stiffer), a larger 'limit' or a smaller gain",
        motion, flesh.name, format_si(flesh.limit, "m"), 100 * flesh.at_limit));
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

double Tracks::at_limit() const {
  double share = 0;
  for (const FleshExtremes& object : flesh) share = std::max(share, object.at_limit);
  return share;
}

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
  tracks.values.setZero();
  const auto first = static_cast<Eigen::Index>(motion.first_frame);
  if (settings.drop) {
    player.drop_from(motion.frames[motion.first_frame]);
  } else {
    player.start_in(motion);
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
  tracks.values.row(first) = player.coefficients();
  if (motion.loops && motion.first_frame + 1 < motion.frames.size()) {
    SUPPLE_TRY_VOID(play_loop(player, motion, settings, tracks));
  } else {
    for (std::size_t f = motion.first_frame + 1; f < motion.frames.size(); ++f) {
      SUPPLE_TRY_VOID(check_interrupt());
      player.step(motion.frames[f], motion.step());
      player.note_extremes(tracks.shells);
      tracks.values.row(static_cast<Eigen::Index>(f)) = player.coefficients();
    }
  }
  tracks.values.topRows(first).rowwise() = tracks.values.row(first).eval();
  tracks.flesh = flesh_extremes(file, tracks.values);
  warn_of_player(player, motion.name, tracks);
  return tracks;
}

}  // namespace supple::bake
