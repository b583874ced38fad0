// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/gltf_character.hpp"
#include "supple/bake/playback.hpp"
#include "supple/bake/record.hpp"
#include "supple/io/gltf.hpp"
#include "supple/io/gltf_pose.hpp"
#include "supple/render/camera.hpp"
#include "supple/render/drawn_asset.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace supple::pictures {

/// What to show, and in which motion.
struct SubjectRequest {
  std::string file;  ///< .glb or .gltf
  std::string soft;  ///< .supple with its soft parts; empty: none
  /// The user did not name the .supple; it was found beside the file. If a clip contains recorded
  /// shells and nothing requires the player, the clip is shown as recorded.
  bool soft_is_optional = false;
  std::string clip;
  bake::MotionRequest motion;
  std::string palette;  ///< of a scene: entries and their times, as for bake::parse_palette
  double gain = 1;
  bake::RecordSettings
      record;                 ///< forces during the motion; rate, bone map and gain are those above
  bool handles = false;       ///< draw the attachments of shells
  bool needs_motion = false;  ///< for a video: use the first clip or a built-in motion
  bool wants_clip = false;    ///< for a picture at a time: use the first clip, if there is one
  bool live = false;          ///< requires the player, such as linear shells
};

/// Uses the .supple of the same name for the soft parts, if it exists.
void take_soft_beside(SubjectRequest& request);

/// A motion that has already been played: shows it without playing it again.
struct PlayedSubject {
  const io::GltfAsset* asset = nullptr;
  const bake::GltfCharacter* character = nullptr;
  const bake::BakedFile* soft = nullptr;  ///< must outlive the subject
  const bake::BakedClip* clip = nullptr;
};

/// Which deformation of the soft parts is shown.
enum class Deformation {
  None,    ///< only bones, morph targets at rest
  Linear,  ///< shells without warping: plain linear modes
  Full
};

/// A glTF file with its soft parts, flesh or shells or both, and a motion, at any moment of it.
class Subject {
 public:
  [[nodiscard]] static Result<Subject> load(const SubjectRequest& request);
  [[nodiscard]] static Subject of(const PlayedSubject& played);

  [[nodiscard]] const io::GltfAsset& asset() const { return m_asset; }
  [[nodiscard]] const bake::BakedFile* soft() const { return m_soft.get(); }
  [[nodiscard]] double metres_per_unit() const;
  /// The same direction, seen from the character's front: a rig that faces -Z is turned round.
  [[nodiscard]] render::Direction from_front(render::Direction direction) const;
  [[nodiscard]] const std::string& file() const { return m_file; }
  [[nodiscard]] const std::string& motion_name() const { return m_motion_name; }
  [[nodiscard]] double duration() const { return m_duration; }  ///< 0: no motion
  [[nodiscard]] bool loops() const { return m_loops; }
  [[nodiscard]] bool deforms() const;  ///< it has soft parts or morph targets
  [[nodiscard]] bool has_flesh() const;
  [[nodiscard]] bool has_shells() const;
  [[nodiscard]] bool has_scene() const { return m_scene.has_value(); }
  [[nodiscard]] bool has_handles() const { return !m_handles.empty(); }  ///< that are drawn
  [[nodiscard]] const std::vector<std::string>& warnings() const { return m_warnings; }

  /// The time within a motion that repeats.
  [[nodiscard]] double wrapped(double time) const;
  /// The time when the soft parts are farthest from their positions under the bones alone; without
  /// soft parts, a third of the duration.
  [[nodiscard]] double liveliest_time() const;
  [[nodiscard]] render::Moment moment(double time, Deformation deformation) const;

  /// World positions of all visible vertices, in the order of render::DrawnAsset::paint; with a
  /// `focus`, only of those that object moves.
  [[nodiscard]] std::vector<geometry::Vec3> points(double time, Deformation deformation,
                                                   std::optional<std::size_t> focus = {}) const;
  /// An error lists the names.
  [[nodiscard]] Result<std::size_t> find_object(const std::string& name) const;

 private:
  Subject() = default;
  [[nodiscard]] Result<void> load_soft(const SubjectRequest& request);
  void take_objects();
  void forget_soft();
  [[nodiscard]] Result<void> load_motion(const SubjectRequest& request);
  [[nodiscard]] Result<std::size_t> find_clip(const std::string& what) const;
  [[nodiscard]] Result<void> load_handles();
  [[nodiscard]] Result<std::string> choose_motion(const SubjectRequest& request) const;
  [[nodiscard]] Result<void> play_motion(const bake::MotionRequest& request,
                                         const bake::RecordSettings& record);
  [[nodiscard]] Result<void> check_forces(const bake::RecordSettings& record,
                                          const std::string& motion) const;
  [[nodiscard]] Result<void> load_scene(const SubjectRequest& request);
  [[nodiscard]] Result<void> play_palette(const SubjectRequest& request);
  [[nodiscard]] Result<void> stand_still(const bake::PlaySettings& settings);
  [[nodiscard]] bool asks_for_recording(const SubjectRequest& request) const;
  void drop_baked_targets();
  [[nodiscard]] io::GltfPose pose(double time) const;
  [[nodiscard]] std::vector<Eigen::Matrix4d> world(const io::GltfPose& pose, double time) const;
  [[nodiscard]] std::vector<double> coefficients(double time) const;
  /// The displacements by soft parts of the character's vertices, in bind space, and the turns of
  /// shell vertices; both empty without soft parts.
  struct VertexMotion {
    std::vector<geometry::Vec3> displacements, turns;
  };
  [[nodiscard]] VertexMotion vertex_motion(double time, Deformation deformation) const;
  [[nodiscard]] std::optional<std::size_t> first_vertex(std::size_t mesh,
                                                        std::size_t primitive) const;
  /// A handle that is drawn: on which vertex, by which node.
  struct Handle {
    std::size_t vertex = 0;
    std::size_t node = 0;
    double size = 1;  ///< of its arrows, world units
    // Where the vertex is drawn:
    std::size_t drawing_node = 0;
    std::size_t primitive = 0;
    std::size_t place = 0;  ///< index among the primitive's vertices
  };
  [[nodiscard]] Result<Handle> find_vertex(std::size_t vertex) const;
  [[nodiscard]] bool is_handle(std::size_t node) const;
  void place_handles(double time, Deformation deformation,
                     std::vector<Eigen::Matrix4d>& world) const;

  std::string m_file;
  io::GltfAsset m_asset;
  std::shared_ptr<const bake::BakedFile> m_soft;
  std::vector<soft::Object> m_objects;
  std::vector<bool> m_shells;            ///< of the objects
  std::optional<std::uint32_t> m_scene;  ///< object that is one
  std::vector<Handle> m_handles;
  std::optional<bake::GltfCharacter> m_character;
  std::optional<bake::Motion> m_motion;
  bake::Tracks m_tracks;
  std::optional<std::size_t> m_clip;
  std::string m_motion_name;
  double m_duration = 0;
  bool m_loops = false;
  std::vector<std::string> m_warnings;
};

}  // namespace supple::pictures
