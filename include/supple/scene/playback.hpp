// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/soft/object.hpp"

#include <Eigen/Core>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace supple::scene {

/// How the difference at a transition dies out: position and velocity together, critically damped,
/// or as [JF03 eq. 12], whose velocity jumps.
enum class Blend { Smooth, Paper };

/// From one response to another.
struct Passage {
  static constexpr std::uint32_t kNone = 0xffffffffU;
  std::uint32_t response = kNone;  ///< that it leaves; kNone: the scene was at rest
  std::uint32_t frame = 0;         ///< the nearest one, there
  std::uint32_t entry = kNone;     ///< that acted; kNone: the response had ended
  double blend = 0;  ///< distance in phase space that has to die out, of the portrait's size
  /// Change of the velocity beyond that of the recorded impulse, relative to the largest speed.
  double jump = 0;
};

/// The player's way through a portrait (runtime/src/scene_track.cpp) in double precision, with
/// velocities, for figures that 32-bit coefficients cannot give. Tests compare the two.
class Playback {
 public:
  /// `scene` must outlive this object.
  explicit Playback(const soft::SceneTraits& scene, Blend blend = Blend::Smooth);

  /// To rest, where every scene begins. Keeps the list of passages.
  void reset();
  /// Onto a sampled state, without an offset.
  void place(std::uint32_t response, std::uint32_t frame);
  /// Entries that may act now, ascending.
  [[nodiscard]] std::vector<std::uint32_t> allowed() const;
  /// The entry must be allowed.
  void trigger(std::uint32_t entry, double strength);
  /// As if the table had this group of responses for an entry that acts now.
  void answer(std::uint32_t group, double strength);
  void advance(double seconds);

  [[nodiscard]] Eigen::VectorXd position() const;
  /// The same without what is left of transitions: on the samples.
  [[nodiscard]] Eigen::VectorXd sample() const;
  [[nodiscard]] Eigen::VectorXd velocity() const;  ///< per second
  /// Distance from the samples in phase space, of the portrait's size.
  [[nodiscard]] double off() const;
  [[nodiscard]] bool at_rest() const;
  [[nodiscard]] std::uint32_t response() const { return m_track.response; }
  [[nodiscard]] const std::vector<Passage>& passages() const { return m_passages; }

 private:
  static constexpr std::uint32_t kNone = Passage::kNone;
  /// A response, or two of neighbouring strengths.
  struct Track {
    std::uint32_t response = kNone;
    std::uint32_t stronger = kNone;
    double weight = 0;
  };
  struct Point {
    Eigen::VectorXd q, v;
  };
  [[nodiscard]] std::uint32_t last(std::uint32_t response) const;
  [[nodiscard]] Point knot(std::uint32_t response, std::uint32_t frame) const;
  [[nodiscard]] Point curve_of(std::uint32_t response, double frame) const;
  [[nodiscard]] Point curve(const Track& track, double frame) const;
  [[nodiscard]] Track track_of(std::uint32_t group, double strength) const;
  [[nodiscard]] std::size_t row() const;
  [[nodiscard]] std::uint32_t nearest_frame() const;
  [[nodiscard]] double rate() const;
  /// `before`: the velocity that the new track stands for; null: that of its curve.
  void go_over(const Track& track, double frame, const Eigen::VectorXd* before,
               std::uint32_t entry);
  void fade(double seconds);

  const soft::SceneTraits& m_scene;
  Blend m_blend;
  std::vector<std::size_t> m_first_state;
  double m_size = 0;
  Track m_track;
  double m_frame = 0;
  Eigen::VectorXd m_offset, m_offset_velocity;
  std::vector<Passage> m_passages;
};

/// What random play meets.
struct PlayFigures {
  std::vector<double> off;  ///< at every frame
  std::vector<Passage> passages;
};

struct RandomPlay {
  std::size_t triggers = 200;
  std::size_t shortest = 15, longest = 90;  ///< frames between them
  std::size_t sequence = 0;  ///< entries after which play begins again at rest; 0: never
  std::uint64_t seed = 1;
};
/// Entries at random among those allowed, at random strengths and times.
[[nodiscard]] PlayFigures play_at_random(const soft::SceneTraits& scene, Blend blend,
                                         const RandomPlay& settings);

}  // namespace supple::scene
