// SPDX-License-Identifier: Apache-2.0
#include "supple/pictures/subject.hpp"

#include "supple/bake/clip_export.hpp"
#include "supple/bake/mesh_fit.hpp"
#include "supple/bake/motion.hpp"
#include "supple/bake/node_character.hpp"
#include "supple/bake/play_scene.hpp"
#include "supple/character/facing.hpp"
#include "supple/core/files.hpp"
#include "supple/core/log.hpp"
#include "supple/core/suggest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <supple.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace supple::pictures {
namespace {

namespace fs = std::filesystem;
using Eigen::Matrix4d;

/// Whether the text names a clip of the file.
bool means_clip(const std::string& what) {
  if (what.starts_with("clip:")) return true;
  if (what == "gravity" || what == "wind") return false;
  const std::string ending = fs::path(what).extension().string();
  if (ending == ".bvh" || ending == ".csv" || what.starts_with("swim:")) return false;
  const auto& known = character::built_in_motions();
  return std::none_of(known.begin(), known.end(),
                      [&](const character::BuiltInMotion& motion) { return motion.name == what; });
}

bool forces(const bake::RecordSettings& record) {
  const bake::PlaySettings& play = record.play;
  return play.gravity || play.wind || play.medium || play.push || record.seconds;
}

/// The two rows around a time, at equal steps, and its position between them.
struct Between {
  std::size_t first = 0, second = 0;
  double share = 0;
};

Between between(double time, double duration, std::size_t rows) {
  if (rows < 2 || !(duration > 0)) return {};
  const double place = std::clamp(time / duration, 0.0, 1.0) * static_cast<double>(rows - 1);
  const auto first = std::min(static_cast<std::size_t>(place), rows - 2);
  return {first, first + 1, place - static_cast<double>(first)};
}

}  // namespace

void take_soft_beside(SubjectRequest& request) {
  const std::string beside = fs::path(request.file).replace_extension(".supple").string();
  if (!fs::exists(beside)) return;
  request.soft = beside;
  request.soft_is_optional = true;
}

Result<Subject> Subject::load(const SubjectRequest& request) {
  Subject subject;
  subject.m_file = request.file;
  SUPPLE_TRY(subject.m_asset, io::read_gltf(fs::path(request.file)));
  subject.m_warnings = subject.m_asset.warnings;
  if (!request.soft.empty()) SUPPLE_TRY_VOID(subject.load_soft(request));
  SUPPLE_TRY_VOID(subject.load_motion(request));
  if (request.handles) SUPPLE_TRY_VOID(subject.load_handles());
  return subject;
}

Subject Subject::of(const PlayedSubject& played) {
  Subject subject;
  subject.m_file = played.asset->name;
  subject.m_asset = *played.asset;
  subject.m_character = *played.character;
  subject.m_soft = std::shared_ptr<const bake::BakedFile>(std::shared_ptr<void>(), played.soft);
  subject.take_objects();
  subject.drop_baked_targets();
  subject.m_clip = played.clip->animation;
  subject.m_motion = played.clip->motion;
  subject.m_tracks = played.clip->tracks;
  subject.m_motion_name = subject.m_motion->name;
  subject.m_duration = subject.m_motion->duration;
  subject.m_loops = subject.m_motion->loops;
  return subject;
}

Result<void> Subject::load_soft(const SubjectRequest& request) {
  SUPPLE_TRY(const Bytes bytes, read_file(request.soft));
  SUPPLE_TRY(bake::BakedFile opened, bake::BakedFile::open(bytes, request.soft));
  if (const auto pair = opened.check_pair(m_asset.bake_id); !pair.ok()) {
    m_warnings.push_back(pair.error().describe());
  }
  SUPPLE_TRY(bake::FittedMesh fitted,
             bake::fit_to_mesh(opened, m_asset)
                 .during(fmt::format("drawing '{}' with '{}'", m_file, request.soft)));
  if (!fitted.note.empty()) m_warnings.push_back(std::move(fitted.note));
  m_character = std::move(fitted.source);
  m_soft = std::make_shared<const bake::BakedFile>(std::move(opened));
  take_objects();
  // A clip of a scene is what its morph targets show.
  const bool shows_clip = !request.clip.empty() || request.needs_motion || request.wants_clip;
  if (m_scene && request.palette.empty() && shows_clip && !m_asset.animations.empty()) {
    forget_soft();
    return {};
  }
  if (asks_for_recording(request)) {
    if (request.soft_is_optional && !request.live && !forces(request.record)) {
      forget_soft();
      return {};
    }
    m_warnings.emplace_back(
        "the clip is a recording of shells and moves nothing else, so the player only shows bones "
        "at rest. To simulate it again, choose the motion 'gravity', or 'wind' with a velocity; "
        "without other settings, the clip is shown as recorded");
  }
  drop_baked_targets();
  return {};
}

void Subject::take_objects() {
  m_objects = m_soft->objects();
  for (std::uint32_t o = 0; o < m_objects.size(); ++o) {
    supple_object_info info{};
    (void)supple_asset_object(m_soft->asset(), o, &info);
    m_shells.push_back(info.kind == SUPPLE_SHELL);
    if (info.kind == SUPPLE_SCENE && !m_scene) m_scene = o;
  }
}

void Subject::forget_soft() {
  m_soft.reset();
  m_character.reset();
  m_objects.clear();
  m_shells.clear();
  m_scene.reset();
}

/// A recording of gravity or wind by `supple shell`: a clip that contains only weights of the
/// recorded shapes. The player would show none of it, because the bones stand still.
bool Subject::asks_for_recording(const SubjectRequest& request) const {
  if (!has_shells()) return false;
  const auto what = choose_motion(request);
  if (!what.ok() || !means_clip(*what)) return false;
  const auto found = find_clip(*what);
  if (!found.ok()) return false;
  const std::vector<io::GltfChannel>& channels = m_asset.animations[*found].channels;
  return !channels.empty() &&
         std::all_of(channels.begin(), channels.end(), [&](const io::GltfChannel& channel) {
           const auto& mesh = m_asset.nodes[channel.node].mesh;
           if (channel.path != io::GltfPath::Weights || !mesh) return false;
           const std::vector<std::string>& names = m_asset.meshes[*mesh].target_names;
           return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
             return bake::is_baked_target(name, m_objects);
           });
         });
}

/// The morph targets of a baked .glb contain the same shapes as the .supple, so they are removed.
/// Other targets keep their indices, so that weights and clips still match.
void Subject::drop_baked_targets() {
  for (const soft::Part& part : m_character->parts) {
    io::GltfMesh& mesh = m_asset.meshes[part.mesh];
    std::size_t kept = 0;  // up to the last target that stays
    for (std::size_t t = 0; t < mesh.target_names.size(); ++t) {
      if (!bake::is_baked_target(mesh.target_names[t], m_objects)) {
        kept = t + 1;
        continue;
      }
      for (io::GltfPrimitive& primitive : mesh.primitives) {
        if (t < primitive.targets.size()) primitive.targets[t] = {};
      }
    }
    for (io::GltfPrimitive& primitive : mesh.primitives) {
      primitive.targets.resize(std::min(kept, primitive.targets.size()));
    }
  }
}

/// Empty: none was requested, and none is needed.
Result<std::string> Subject::choose_motion(const SubjectRequest& request) const {
  if (!request.clip.empty()) return "clip:" + request.clip;
  if (!request.motion.what.empty()) return request.motion.what;
  if (has_shells() && request.record.play.wind) return std::string("wind");
  if (!request.needs_motion && !request.wants_clip) return std::string();
  if (!m_asset.animations.empty()) return std::string("clip:1");
  if (!request.needs_motion) return std::string();
  if (has_shells()) return std::string("gravity");
  if (m_soft) return std::string("jump");
  return Error(ErrorCode::Usage,
               fmt::format("'{}' has no clips: choose a motion, or draw a picture", m_file));
}

/// Settings without any effect are errors.
Result<void> Subject::check_forces(const bake::RecordSettings& record,
                                   const std::string& motion) const {
  const bake::PlaySettings& play = record.play;
  if (!m_soft && forces(record)) {
    return Error(ErrorCode::Usage,
                 fmt::format("forces act on flesh and shells, but '{}' is shown without any; omit "
                             "gravity, wind, medium, push and seconds",
                             m_file));
  }
  if (motion.empty() && (play.push || record.seconds)) {
    return Error(ErrorCode::Usage, fmt::format("{} needs a motion; choose 'gravity' or another",
                                               play.push ? "push" : "seconds"));
  }
  return {};
}

/// A scene is at rest, or does what its palette says.
Result<void> Subject::load_scene(const SubjectRequest& request) {
  if (!request.motion.what.empty() || forces(request.record)) {
    return Error(ErrorCode::Usage,
                 fmt::format("'{}' is a scene: it answers to its palette, and to no other motion, "
                             "gravity, wind or push",
                             m_soft->name()));
  }
  return request.palette.empty() ? Result<void>() : play_palette(request);
}

Result<void> Subject::play_palette(const SubjectRequest& request) {
  SUPPLE_TRY(const std::vector<bake::ScenePart> parts, bake::scene_parts(*m_soft));
  SUPPLE_TRY(const std::vector<bake::SceneTrigger> triggers,
             bake::parse_palette(request.palette, parts));
  bake::ScenePlaySettings settings;
  settings.gain = request.gain;
  SUPPLE_TRY(bake::ScenePlay play, bake::play_scene(*m_soft, triggers, settings));
  m_tracks = std::move(play.tracks);
  m_motion_name = request.palette;
  m_duration = m_tracks.duration;
  return {};
}

Result<void> Subject::load_motion(const SubjectRequest& request) {
  if (m_scene) return load_scene(request);
  if (!request.palette.empty()) {
    return Error(ErrorCode::Usage,
                 fmt::format("'{}' is shown without a scene: only scenes have a palette", m_file));
  }
  bake::MotionRequest motion = request.motion;
  SUPPLE_TRY(motion.what, choose_motion(request));
  bake::RecordSettings record = request.record;
  record.play.gain = request.gain;
  record.rate = motion.rate;
  record.bone_map = motion.bone_map;
  record.looping = motion.looping;
  SUPPLE_TRY_VOID(check_forces(record, motion.what));
  if (motion.what.empty()) {
    // Shells hang even where nothing moves, and so does flesh under another gravity.
    const bool hangs = has_shells() || (m_soft && record.play.gravity);
    return hangs ? stand_still(record.play) : Result<void>();
  }
  if (means_clip(motion.what)) {
    SUPPLE_TRY(m_clip, find_clip(motion.what));
  }
  if (m_soft || !m_clip) return play_motion(motion, record);
  const io::GltfAnimation& animation = m_asset.animations[*m_clip];
  m_motion_name = animation.name.empty() ? fmt::format("clip {}", *m_clip + 1) : animation.name;
  m_duration = animation.duration;
  constexpr double kClosed = 0.05;  // of the size, or radians: invisible when it repeats
  m_loops = m_duration > 0 &&
            character::pose_difference(io::world_matrices(m_asset, pose(0)),
                                       io::world_matrices(m_asset, pose(m_duration))) < kClosed;
  return {};
}

Result<std::size_t> Subject::find_clip(const std::string& what) const {
  if (what.starts_with("clip:")) return bake::find_clip(m_asset, what.substr(5));
  auto found = bake::find_clip(m_asset, what);
  if (found.ok()) return found;
  // A name without "clip:" may be a misspelt built-in motion.
  std::vector<std::string> names;
  for (const character::BuiltInMotion& motion : character::built_in_motions())
    names.emplace_back(motion.name);
  const std::string built_in = fmt::format("{}", fmt::join(names, ", "));
  for (const io::GltfAnimation& clip : m_asset.animations) names.push_back(clip.name);
  return bad_input(
      fmt::format("'{}' has no clip '{}', nor is there a built-in motion ({}) of that name{}",
                  m_file, what, built_in, did_you_mean(what, names)));
}

Result<void> Subject::play_motion(const bake::MotionRequest& request,
                                  const bake::RecordSettings& record) {
  if (m_soft) {
    SUPPLE_TRY(bake::BakedClip clip,
               bake::record_motion(request.what, &m_asset, *m_character, *m_soft, record));
    m_motion = std::move(clip.motion);
    m_tracks = std::move(clip.tracks);
    m_warnings.insert(m_warnings.end(), m_tracks.warnings.begin(), m_tracks.warnings.end());
  } else {
    if (!m_character) {
      SUPPLE_TRY(m_character, bake::character_from_gltf(m_asset));
      const auto& notes = m_character->warnings;
      if (m_character->skeletons > 1)
        m_warnings.insert(m_warnings.end(), notes.begin(), notes.end());
    }
    SUPPLE_TRY(m_motion,
               bake::load_motion(request, m_character->character, &m_asset, &*m_character));
  }
  for (const std::string& note : m_motion->notes) log::info("{}: {}", m_motion->name, note);
  m_motion_name = m_motion->name;
  m_duration = m_motion->duration;
  m_loops = m_motion->loops;
  return {};
}

/// One frame: the player settles in it.
Result<void> Subject::stand_still(const bake::PlaySettings& settings) {
  SUPPLE_TRY(const bake::Motion still, character::still_motion(m_character->character, "rest"));
  SUPPLE_TRY(m_tracks, bake::play(*m_soft, still, settings));
  m_warnings.insert(m_warnings.end(), m_tracks.warnings.begin(), m_tracks.warnings.end());
  return {};
}

bool Subject::has_shells() const {
  return std::find(m_shells.begin(), m_shells.end(), true) != m_shells.end();
}

bool Subject::has_flesh() const {
  if (m_scene) return false;
  return std::find(m_shells.begin(), m_shells.end(), false) != m_shells.end() || m_shells.empty();
}

bool Subject::deforms() const {
  if (m_soft) return true;
  for (const io::GltfMesh& mesh : m_asset.meshes) {
    for (const io::GltfPrimitive& primitive : mesh.primitives) {
      if (!primitive.targets.empty()) return true;
    }
  }
  return false;
}

double Subject::metres_per_unit() const {
  return m_character ? m_character->character.metres_per_unit : 1;
}

render::Direction Subject::from_front(render::Direction direction) const {
  const auto world = io::world_matrices(m_asset, io::rest_pose(m_asset));
  std::vector<std::string> names;
  std::vector<geometry::Vec3> places;
  for (const io::GltfSkin& skin : m_asset.skins) {
    for (const std::size_t joint : skin.joints) {
      names.push_back(m_asset.nodes[joint].name);
      places.emplace_back(world[joint].topRightCorner<3, 1>());
    }
  }
  if (character::faces_back(names, places)) direction.yaw += 180;
  return direction;
}

double Subject::wrapped(double time) const {
  return m_loops && time > m_duration ? std::fmod(time, m_duration) : time;
}

double Subject::liveliest_time() const {
  if (m_tracks.values.rows() < 2) return m_duration / 3;
  Eigen::ArrayXd amounts = Eigen::ArrayXd::Zero(m_tracks.values.rows());
  for (Eigen::Index m = 0; m < m_tracks.values.cols(); ++m) {
    supple_mode_info info{};
    (void)supple_asset_mode(m_soft->asset(), static_cast<std::uint32_t>(m), &info);
    amounts += (info.largest_displacement * m_tracks.values.col(m).array()).square();
  }
  Eigen::Index frame = 0;
  amounts.maxCoeff(&frame);
  return m_tracks.time(frame);
}

io::GltfPose Subject::pose(double time) const {
  return m_clip ? io::sample(m_asset, m_asset.animations[*m_clip], time) : io::rest_pose(m_asset);
}

std::vector<Matrix4d> Subject::world(const io::GltfPose& pose, double time) const {
  std::vector<Matrix4d> world = io::world_matrices(m_asset, pose);
  if (m_clip || !m_motion) return world;
  // Motions from other files contain only bones: nodes attached to a bone follow it.
  const Between place = between(time, m_duration, m_motion->frames.size());
  const auto& joints = m_character->nodes;
  std::vector<bool> placed(world.size());
  for (std::size_t b = 0; b < joints.size(); ++b) {
    // The steps are so short that interpolating matrices is as good as interpolating rotations.
    world[joints[b]] = (1 - place.share) * m_motion->frames[place.first][b] +
                       place.share * m_motion->frames[place.second][b];
    placed[joints[b]] = true;
  }
  for (const std::size_t node : m_asset.parents_first) {
    const auto& parent = m_asset.nodes[node].parent;
    if (placed[node] || !parent || !placed[*parent]) continue;
    world[node] = world[*parent] * pose.locals[node].to_matrix();
    placed[node] = true;
  }
  return world;
}

std::vector<double> Subject::coefficients(double time) const {
  if (m_tracks.values.rows() == 0) return {};
  const Between place = between(time, m_duration, static_cast<std::size_t>(m_tracks.values.rows()));
  const Eigen::RowVectorXd row =
      (1 - place.share) * m_tracks.values.row(static_cast<Eigen::Index>(place.first)) +
      place.share * m_tracks.values.row(static_cast<Eigen::Index>(place.second));
  return {row.begin(), row.end()};
}

render::Moment Subject::moment(double time, Deformation deformation) const {
  const bool deformed = deformation != Deformation::None;
  io::GltfPose now = pose(time);
  render::Moment moment;
  moment.world = world(now, time);
  moment.linear = deformation == Deformation::Linear;
  place_handles(time, deformation, moment.world);
  moment.weights = deformed ? std::move(now.weights) : io::rest_pose(m_asset).weights;
  const std::vector<double> values = coefficients(time);
  if (!deformed || values.empty()) return moment;
  supple_gpu_layout layout{};
  (void)supple_asset_gpu_layout(m_soft->asset(), &layout);
  moment.coefficients.resize(std::size_t{4} * layout.coefficient_texels);
  const std::vector<float> narrow(values.begin(), values.end());
  (void)supple_asset_gpu_coefficients(m_soft->asset(), narrow.data(), moment.coefficients.data());
  return moment;
}

Result<std::size_t> Subject::find_object(const std::string& name) const {
  if (!m_soft) {
    return Error(ErrorCode::Usage,
                 fmt::format("the focus must be a soft part, but '{}' has none", m_file));
  }
  std::uint32_t object = 0;
  if (supple_asset_find_object(m_soft->asset(), name.c_str(), &object) == SUPPLE_OK) {
    return std::size_t{object};
  }
  std::vector<std::string> names;
  names.reserve(m_objects.size());
  for (const soft::Object& known : m_objects) names.push_back(known.name);
  return Error(ErrorCode::Usage,
               fmt::format("'{}' has no soft part '{}'{}; available: {}", m_soft->name(), name,
                           did_you_mean(name, names), fmt::join(names, ", ")));
}

}  // namespace supple::pictures
