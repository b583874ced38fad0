// SPDX-License-Identifier: Apache-2.0
#include "supple/pictures/subject.hpp"

#include "cli/small_characters.hpp"
#include "pictures/studio.hpp"

#include "supple/core/random.hpp"
#include "supple/io/gltf_pose.hpp"
#include "supple/io/gltf_water.hpp"
#include "supple/pictures/framing.hpp"
#include "supple/pictures/motion_sheet.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

namespace supple::pictures::testing {
namespace {

using geometry::Vec3;

/// The tube in its clip, with one mode that moves vertex `kMoved` by `kShape` alone.
struct PlayedTube {
  static constexpr std::uint32_t kMoved = 5;
  const Eigen::Vector3f kShape{0.01F, 0.02F, -0.03F};
  io::GltfAsset asset;
  bake::GltfCharacter source;
  std::optional<bake::BakedFile> file;
  bake::BakedClip clip;

  /// With water around it, up to this height.
  explicit PlayedTube(std::optional<double> water = {}) {
    supple::testing::HandMade tube = supple::testing::tube_character();
    if (water) {
      tube.json["scenes"][0]["nodes"].push_back(tube.json["nodes"].size());
      tube.json["nodes"].push_back({{"name", io::kWaterSurface}, {"translation", {0, *water, 0}}});
    }
    const std::string text = supple::testing::glb_text(tube);
    asset = io::read_gltf(std::as_bytes(std::span(text)), "tube").value();
    source = bake::character_from_gltf(asset).value();
    soft::Mode mode;
    mode.omega = 20;
    mode.damping = 0.2;
    mode.displacements = {kShape.cast<double>()};
    soft::Object object;
    object.name = "spot";
    object.bone = "Leg";
    object.vertices = {kMoved};
    object.modes = {mode};
    soft::Asset flesh = bake::flesh_asset(source, {}, "test");
    flesh.objects = {object};
    file = bake::BakedFile::open(io::write_supple(flesh).value().bytes, "spot").value();
    clip.motion = bake::motion_from_clip(asset, source, 0, 60).value();
    clip.tracks.duration = clip.motion.duration;
    clip.tracks.values =
        Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(clip.motion.frames.size()), 1);
    clip.tracks.values(30, 0) = 2;
  }
  [[nodiscard]] Subject subject() const { return Subject::of({&asset, &source, &*file, &clip}); }
};

TEST(Subject, FollowsTheBonesAsGltfSays) {
  PlayedTube tube;
  for (const bool as_clip : {false, true}) {
    if (as_clip) tube.clip.animation = 0;
    const Subject subject = tube.subject();
    for (const std::size_t frame : {std::size_t{0}, std::size_t{30}, std::size_t{77}}) {
      const double time = tube.clip.motion.time(frame);
      const io::GltfPose pose = io::sample(tube.asset, tube.asset.animations[0], time);
      const auto world = io::world_matrices(tube.asset, pose);
      const auto expected = io::posed_positions(tube.asset, 0, 0, pose, world);
      const std::vector<Vec3> points = subject.points(time, Deformation::None);
      ASSERT_EQ(points.size(), expected.size());
      for (std::size_t v = 0; v < expected.size(); ++v) {
        EXPECT_NEAR((points[v] - expected[v]).norm(), 0, 1e-9);
      }
    }
  }
}

TEST(Subject, TurnsTheFleshWithItsBones) {
  const PlayedTube played;
  const Subject subject = played.subject();
  const double time = played.clip.motion.time(30);
  EXPECT_NEAR(subject.liveliest_time(), time, 1e-9);
  EXPECT_EQ(subject.points(time, Deformation::Full, subject.find_object("spot").value()).size(),
            1U);
  const std::vector<Vec3> soft = subject.points(time, Deformation::Full);
  const std::vector<Vec3> rigid = subject.points(time, Deformation::None);
  // Blended as the vertex is: sum of weight * rotation of (world * inverse bind).
  const character::Character& tube = played.source.character;
  Eigen::Matrix3d blended = Eigen::Matrix3d::Zero();
  for (std::size_t i = 0; i < tube.influences; ++i) {
    const std::size_t at = PlayedTube::kMoved * tube.influences + i;
    const std::size_t bone = tube.joints[at];
    blended +=
        tube.weights[at] *
        (played.clip.motion.frames[30][bone] * tube.bones[bone].inverse_bind).topLeftCorner<3, 3>();
  }
  for (std::size_t v = 0; v < soft.size(); ++v) {
    const Vec3 moved = soft[v] - rigid[v];
    const Vec3 expected = v == PlayedTube::kMoved ? Vec3(2 * blended * played.kShape.cast<double>())
                                                  : Vec3(Vec3::Zero());
    EXPECT_NEAR((moved - expected).norm(), 0, 1e-5) << v;  // shapes are rounded to 16 bits
  }
}

TEST(Subject, ErrorsOfferTheNames) {
  const PlayedTube played;
  const auto found = played.subject().find_object("spit");
  ASSERT_FALSE(found.ok());
  EXPECT_NE(found.error().message().find("did you mean 'spot'"), std::string::npos);
}

/// A camera for every moment of a sheet has the subject in its middle.
TEST(Framing, EachMomentHasItsOwnMiddle) {
  PlayedTube played;
  for (std::size_t f = 0; f < played.clip.motion.frames.size(); ++f) {
    for (Eigen::Matrix4d& bone : played.clip.motion.frames[f]) {
      bone(0, 3) += 0.05 * static_cast<double>(f);  // off it goes
    }
  }
  const Subject subject = played.subject();
  FramingSettings settings;
  settings.direction = {0, 0};
  settings.each_moment = true;
  const std::vector<double> times{1.5, 0.2, 0.9};  // in any order
  const Framing framing(subject, times, settings);
  for (const double time : times) {
    geometry::Box box;
    for (const Vec3& p : subject.points(time, Deformation::Full)) box.add(p);
    EXPECT_NEAR(framing.view(time).camera.eye.x(), box.centre().x(), 0.1 * box.diagonal()) << time;
  }
}

/// The near plane cut the water off in front of the swimmer: a straight edge across the picture.
TEST(Framing, SeesTheWaterDownToItsLowerEdge) {
  Random random(3);
  int seen = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const PlayedTube played(random.uniform(-0.5, 1.5));
    FramingSettings settings;
    settings.direction = {random.uniform(-180, 180), random.uniform(-60, 60)};
    settings.distance = random.uniform(0.4, 3);
    settings.aspect = random.uniform(0.5, 2.5);
    if (trial % 3 == 0) settings.focus = 0;
    const render::View view = Framing(played.subject(), {0.3, 1.1}, settings).view(1.1);
    ASSERT_TRUE(view.water.has_value());
    const render::Camera& camera = view.camera;
    const double up = std::tan(0.5 * camera.height_angle);
    for (const double side : {-1.0, 0.0, 1.0}) {
      for (const double edge : {-1.0, 1.0}) {
        const Vec3 ray = camera.axes.transpose() * Vec3(side * settings.aspect * up, edge * up, -1);
        const double depth = (*view.water - camera.eye.y()) / ray.y();
        // In the plane of the surface itself nothing shows.
        if (depth <= 0 || std::abs(*view.water - camera.eye.y()) < 0.02) continue;
        ++seen;
        EXPECT_GE(depth, camera.near_plane) << "trial " << trial;
      }
    }
  }
  EXPECT_GT(seen, 100);
}

TEST(MotionSheet, ShowsTheSubjectTwiceAndItsDisplacement) {
  const PlayedTube played;
  const Subject subject = played.subject();
  MotionSheetSettings settings;
  settings.times = {0.25, 0.5};
  settings.width = 300;
  const auto sheet = draw_motion_sheet(studio(), subject, settings);
  ASSERT_TRUE(sheet.ok()) << sheet.error().describe();
  EXPECT_NEAR(sheet->width(), 300, 4);
  EXPECT_NE(sheet->svg().find("0.50 s"), std::string::npos);
  // Indigo means that nothing moves: below the middle all is coloured, whatever its material.
  const plot::Pixels pixels = pixels_of(sheet);
  EXPECT_GT(coloured(pixels, pixels.height / 2, pixels.height - 60), 300U);
}

TEST(MotionSheet, RefusesWhatItCannotShow) {
  const PlayedTube played;
  const Subject subject = played.subject();
  const auto message = [&](const MotionSheetSettings& settings) {
    const auto sheet = draw_motion_sheet(studio(), subject, settings);
    return sheet.ok() ? std::string() : sheet.error().message();
  };
  MotionSheetSettings settings;
  settings.times = {2.5};
  EXPECT_NE(message(settings).find("lasts from 0 to 2"), std::string::npos);
  settings.times.assign(13, 0);
  EXPECT_NE(message(settings).find("up to 12"), std::string::npos);
  settings.times = {0};
  settings.focus = "belly";
  EXPECT_NE(message(settings).find("has no soft part 'belly'"), std::string::npos);
}

}  // namespace
}  // namespace supple::pictures::testing
