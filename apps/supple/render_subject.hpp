// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/character.hpp"
#include "supple/bake/playback.hpp"
#include "supple/io/gltf.hpp"
#include "supple/io/gltf_pose.hpp"
#include "supple/render/scene.hpp"

#include <optional>
#include <string>
#include <vector>

namespace supple::app {

/// What the command line says about who is shown, doing what.
struct SubjectRequest {
  std::string file;       ///< .glb, .gltf or .supple
  std::string character;  ///< glTF file, with a .supple
  std::string flesh;      ///< .supple; empty: the one beside the file, if there is one
  bool without_flesh = false;
  std::string clip;
  bake::MotionRequest motion;
  double gain = 1;
  bool needs_motion = false;  ///< a video: the first clip or a built-in motion will do
};

/// A file with its flesh and a motion, at any moment of it.
class RenderSubject {
 public:
  [[nodiscard]] static Result<RenderSubject> load(const SubjectRequest& request);

  [[nodiscard]] const io::GltfAsset& asset() const { return m_asset; }
  [[nodiscard]] const bake::FleshFile* flesh() const { return m_flesh ? &*m_flesh : nullptr; }
  [[nodiscard]] const std::string& file() const { return m_file; }
  [[nodiscard]] const std::string& motion_name() const { return m_motion_name; }
  [[nodiscard]] double duration() const { return m_duration; }  ///< 0: no motion
  [[nodiscard]] bool loops() const { return m_loops; }
  [[nodiscard]] bool deforms() const;  ///< there is flesh, or there are morph targets
  [[nodiscard]] const std::vector<std::string>& warnings() const { return m_warnings; }

  /// The moment of a motion that goes round and round.
  [[nodiscard]] double wrapped(double time) const;
  /// When the flesh is farthest from the bones; a third of the way where there is none.
  [[nodiscard]] double liveliest_time() const;
  /// `deformed` false: bones alone, morph targets at rest.
  [[nodiscard]] render::Moment moment(double time, bool deformed) const;

  /// World positions of all that is shown; with a `focus`, of what that object moves.
  [[nodiscard]] std::vector<geometry::Vec3> points(double time,
                                                   std::optional<std::size_t> focus = {}) const;
  /// An error offers the names.
  [[nodiscard]] Result<std::size_t> find_object(const std::string& name) const;

 private:
  RenderSubject() = default;
  [[nodiscard]] Result<void> load_files(const SubjectRequest& request);
  [[nodiscard]] Result<void> load_flesh(const std::string& path, bool asked);
  [[nodiscard]] Result<void> load_motion(const SubjectRequest& request);
  [[nodiscard]] Result<std::size_t> find_clip(const std::string& what) const;
  [[nodiscard]] Result<void> play_motion(const bake::MotionRequest& request, double gain);
  void drop_baked_targets();
  [[nodiscard]] io::GltfPose pose(double time) const;
  [[nodiscard]] std::vector<Eigen::Matrix4d> world(const io::GltfPose& pose, double time) const;
  [[nodiscard]] std::vector<double> coefficients(double time) const;
  /// What the flesh adds to the vertices of the character, in bind space; empty without flesh.
  [[nodiscard]] std::vector<geometry::Vec3> displacements(double time) const;
  [[nodiscard]] std::optional<std::size_t> first_vertex(std::size_t mesh,
                                                        std::size_t primitive) const;

  std::string m_file;
  io::GltfAsset m_asset;
  std::optional<bake::FleshFile> m_flesh;
  std::vector<flesh::FleshObject> m_objects;
  std::optional<bake::GltfCharacter> m_character;
  std::optional<bake::Motion> m_motion;
  bake::Tracks m_tracks;
  std::optional<std::size_t> m_clip;
  std::string m_motion_name;
  double m_duration = 0;
  bool m_loops = false;
  std::vector<std::string> m_warnings;
};

}  // namespace supple::app
