// SPDX-License-Identifier: Apache-2.0
#include "bake/scene/recorded.hpp"

#include "bake/scene/run_frames.hpp"
#include "io/motion_samples.hpp"
#include "ribbon.hpp"
#include "scene_replay.hpp"
#include "temporary_directory.hpp"

#include "supple/io/gltf.hpp"
#include "supple/io/point_cache.hpp"
#include "supple/io/snapshots.hpp"
#include "supple/io/surface.hpp"

#include <fmt/format.h>

#include <limits>

namespace supple::bake {
namespace {

using geometry::Vec3;

/// What acted on the ribbon, and what it did: as another program would keep it.
struct Recorded {
  std::vector<std::vector<Vec3>> frames;
  std::string actions = "frame,entry,strength\n";

  /// Entries one after the other, each for so many frames.
  explicit Recorded(const std::vector<std::pair<std::size_t, std::size_t>>& sequence) {
    constexpr std::array<const char*, 3> kNames{"right", "up", "wind"};
    testing::Ribbon ribbon;
    EXPECT_TRUE(ribbon.reset().ok());
    keep(ribbon);
    for (const auto& [entry, count] : sequence) {
      actions += fmt::format("{},{},1\n", frames.size() - 1, kNames[entry]);
      for (std::size_t f = 0; f < count; ++f) {
        EXPECT_TRUE(ribbon.step({entry, 1, f == 0}).ok());
        keep(ribbon);
      }
    }
  }

 private:
  // Rounded to floats, which every format keeps.
  void keep(const testing::Ribbon& ribbon) {
    std::vector<Vec3>& frame = frames.emplace_back();
    for (const Vec3& p : ribbon.positions()) frame.push_back(p.cast<float>().cast<double>());
  }
};

/// Long enough to come to rest at the end.
constexpr std::size_t kToRest = 700;

const char* const kEntries =
    "[[entry]]\nname = \"right\"\nkey = \"r\"\n[[entry]]\nname = \"up\"\n[[entry]]\nname = "
    "\"wind\"\n[shapes]\ntolerance = 0.01\n";

class RecordedSceneJob : public ::testing::Test {
 protected:
  RecordedSceneJob() {
    m_directory.write("ribbon.obj", obj_of(m_one.frames.front()));
    m_directory.write("one.csv", m_one.actions);
    m_directory.write("two.csv", m_two.actions);
  }

  static std::string obj_of(const std::vector<Vec3>& frame) {
    std::string text;
    for (const Vec3& p : frame) text += fmt::format("v {} {} {}\n", p.x(), p.y(), p.z());
    return text + "f 1 2 3\nf 3 2 4\nf 3 4 5\n";
  }

  void write_sequence(const std::string& name, const Recorded& recorded, std::size_t first) const {
    for (std::size_t f = 0; f < recorded.frames.size(); ++f) {
      m_directory.write(fmt::format("{}_{:04d}.obj", name, first + f), obj_of(recorded.frames[f]));
    }
  }

  /// The settings with these two runs.
  [[nodiscard]] Result<SceneReport> bake(const std::string& one, const std::string& two,
                                         const std::string& recording = "",
                                         const std::string& top = "") const {
    SceneRequest request;
    request.scene = m_directory.write(
        "scene.toml", top + kEntries + "[recording]\n" + recording +
                          "[[recording.run]]\nactions = \"one.csv\"\n" + one +
                          (two.empty() ? "" : "[[recording.run]]\nactions = \"two.csv\"\n" + two));
    std::filesystem::remove_all(m_directory / "scene.glb.work");
    return testing::bake_into(m_directory.path(), request);
  }
  /// Of a recording with one run.
  [[nodiscard]] std::string error_of(const std::string& one, const std::string& recording = "",
                                     const std::string& top = "") const {
    const auto report = bake(one, "", recording, top);
    return report.ok() ? "accepted" : report.error().describe();
  }

  const Recorded m_one{{{0, 30}, {1, 40}, {2, kToRest}}};
  const Recorded m_two{{{1, 25}, {2, 33}, {0, 21}, {1, kToRest}}};
  const Recorded m_three{{{2, 18}, {1, 20}, {0, kToRest}}};
  supple::testing::TemporaryDirectory m_directory;
};

TEST_F(RecordedSceneJob, EveryFormatGivesTheSameScene) {
  const std::string mesh = "mesh = \"ribbon.obj\"\n";
  const auto bytes = [&](const Result<SceneReport>& report) {
    EXPECT_TRUE(report.ok()) << report.error().describe();
    return m_directory.read("scene.glb") + m_directory.read("scene.supple");
  };
  write_sequence("one", m_one, 1);
  write_sequence("two", m_two, 0);
  // The first run's frames count from 1 there.
  std::string shifted = "frame,entry\n1,right\n31,up\n71,wind\n";
  m_directory.write("one.csv", shifted);
  const std::string sequences = bytes(bake("frames = \"one_*.obj\"\n", "frames = \"two_*.obj\"\n"));
  m_directory.write("one.csv", m_one.actions);
  std::vector<io::PointCache> caches(2);
  for (std::size_t r = 0; r < 2; ++r) {
    const Recorded& recorded = r == 0 ? m_one : m_two;
    const std::string name = r == 0 ? "one" : "two";
    io::PointCache cache;
    cache.points = scene::Springs::kBeads;
    cache.frames = recorded.frames;
    m_directory.write(name + ".pc2", as_text(io::write_pc2(cache)));
    std::vector<float> times;
    std::vector<float> coordinates;
    auto writer = io::SnapshotWriter::create(
        {{"ribbon", cache.points, testing::ribbon_mesh().triangles}}, cache.frames.size(), 60);
    ASSERT_TRUE(writer.ok());
    for (std::size_t f = 0; f < cache.frames.size(); ++f) {
      times.push_back(static_cast<float>(f) / 60);
      for (const Vec3& p : cache.frames[f]) {
        for (const double x : p) coordinates.push_back(static_cast<float>(x));
      }
      ASSERT_TRUE(writer->add(0, cache.frames[f]).ok());
      m_directory.write(
          fmt::format("{}.{}.ply", name, f),
          as_text(io::write_ply({cache.frames[f], testing::ribbon_mesh().triangles})));
    }
    m_directory.write(name + ".mdd", io::samples::mdd(times, scene::Springs::kBeads, coordinates));
    m_directory.write(name + ".h5", as_text(*std::move(*writer).finish()));
  }
  EXPECT_EQ(bytes(bake("frames = \"one.pc2\"\n", "frames = \"two.pc2\"\n", mesh)), sequences);
  EXPECT_EQ(bytes(bake("frames = \"one.mdd\"\n", "frames = \"two.mdd\"\n", mesh)), sequences);
  EXPECT_EQ(bytes(bake("frames = \"one.h5\"\n", "frames = \"two.h5\"\nbody = \"ribbon\"\n")),
            sequences);
  EXPECT_EQ(bytes(bake("frames = \"one.*.ply\"\n", "frames = \"two.*.ply\"\n")), sequences);
}

TEST_F(RecordedSceneJob, ReplaysWhatWasRecorded) {
  write_sequence("one", m_one, 0);
  write_sequence("two", m_two, 0);
  const auto report = bake("frames = \"one_*.obj\"\n", "frames = \"two_*.obj\"\n");
  ASSERT_TRUE(report.ok()) << report.error().describe();
  EXPECT_EQ(report->chains, 2U);
  EXPECT_EQ(report->responses, 7U);
  EXPECT_EQ(report->failed_responses, 0U);
  EXPECT_LE(report->relative_error, 0.01);
  const detail::DrawnMesh mesh("scene", testing::ribbon_mesh(), Vec3::Ones());
  const detail::DrawnScene drawn(mesh.bodies, mesh.drawn, mesh.rest);
  const scene::Palette palette = *detail::make_palette(report->input.settings);
  testing::SceneReplay replay(drawn, palette, testing::load_chains(m_directory / "scene.glb.work"),
                              report->rank, 1.0 / 60,
                              detail::sampling_settings(report->input.settings).shortest);
  const BakedFile file = *BakedFile::open(*read_file(m_directory / "scene.supple"), "scene.supple");
  const testing::ReplayReport played = replay.play(file);
  EXPECT_EQ(played.responses, 7U);
  EXPECT_EQ(played.frames, m_one.frames.size() + m_two.frames.size() - 2);
  EXPECT_LT(played.played, played.shapes + testing::kSixteenBitScene);
  const auto glb = io::read_gltf(m_directory / "scene.glb");
  ASSERT_TRUE(glb.ok()) << glb.error().describe();
  EXPECT_EQ(glb->animations.size(), 3U);
  EXPECT_NEAR(glb->meshes[0].primitives[0].positions[4].x(), 0.4, 1e-6);
}

TEST_F(RecordedSceneJob, TakesRestScaleAndColoursFromTheRecording) {
  Recorded large = m_one;
  for (auto& frame : large.frames) {
    for (Vec3& p : frame) p *= 100;
  }
  std::string coloured;
  for (const Vec3& p : large.frames[0]) {
    coloured += fmt::format("v {} {} {} 0.25 0.5 1\n", p.x(), p.y(), p.z());
  }
  write_sequence("one", large, 10);
  m_directory.write("one_0010.obj", coloured + "f 1 2 3\nf 3 2 4\nf 3 4 5\n");
  m_directory.write("one.csv", "10,right\n40,up\n80,wind\n");
  const auto report = bake("frames = \"one_*.obj\"\n", "", "scale = 0.01\nrest = 10\n");
  ASSERT_TRUE(report.ok()) << report.error().describe();
  const auto glb = io::read_gltf(m_directory / "scene.glb");
  ASSERT_TRUE(glb.ok()) << glb.error().describe();
  const io::GltfPrimitive& drawn = glb->meshes[0].primitives[0];
  EXPECT_NEAR(drawn.positions[4].x(), 0.4, 1e-6);
  ASSERT_EQ(drawn.colours.size(), drawn.positions.size());
  constexpr double kEightBits = 0.5 / 255 + 1e-6;
  EXPECT_NEAR(drawn.colours[0].x(), 0.25, kEightBits);
  EXPECT_NEAR(drawn.colours[0].y(), 0.5, kEightBits);
  EXPECT_NE(error_of("frames = \"one_*.obj\"\n", "rest = 9\n").find("rest in frame 9"),
            std::string::npos);
}

/// What is wrong with frames: the file, the frame, the remedy.
TEST_F(RecordedSceneJob, RefusesFramesThatAreNotTheSameMesh) {
  const std::string run = "frames = \"one_*.obj\"\n";
  write_sequence("one", m_three, 0);
  m_directory.write("one.csv", m_three.actions);
  ASSERT_EQ(error_of(run), "accepted");
  const std::vector<Vec3>& frame = m_three.frames[12];
  const std::string good = obj_of(frame);
  const auto fails = [&](const std::string& obj, const std::string& what) {
    m_directory.write("one_0012.obj", obj);
    const std::string error = error_of(run);
    EXPECT_NE(error.find("one_0012.obj"), std::string::npos) << error;
    EXPECT_NE(error.find("frame 12"), std::string::npos) << error;
    EXPECT_NE(error.find(what), std::string::npos) << error;
    m_directory.write("one_0012.obj", good);
  };
  fails("v 0 0 0\n" + good, "has 6 vertices and frame 0 has 5");
  fails(good + "f 1 2 4\n", "has 4 triangles and frame 0 has 3");
  // The same surface with its first two vertices in another order.
  std::vector<Vec3> swapped = frame;
  std::swap(swapped[0], swapped[1]);
  std::string other = obj_of(swapped);
  other.replace(other.find("f 1 2 3"), std::string::npos, "f 2 1 3\nf 3 1 4\nf 3 4 5\n");
  fails(other, "keep the order of vertices");
  fails(good.substr(0, good.find("f ")) + "f 1 2 5\nf 3 2 4\nf 3 4 5\n", "connects its vertices");
  fails("v nan 0 0\n" + good.substr(good.find('\n') + 1), "");
  fails("v 1e30 0 0\n" + good.substr(good.find('\n') + 1), "further than");
  fails("", "");
}

// A quad that bends is split along its other diagonal by the reader of OBJ.
TEST_F(RecordedSceneJob, QuadsMayBend) {
  const std::vector<geometry::Triangle> one{{0, 1, 2}, {0, 2, 3}, {3, 2, 4}};
  const std::vector<geometry::Triangle> other{{1, 2, 3}, {0, 1, 3}, {3, 2, 4}};
  EXPECT_TRUE(detail::check_triangles(other, one, "frame 1", "frame 0").ok());
  const std::vector<geometry::Triangle> torn{{1, 2, 3}, {0, 1, 4}, {3, 2, 4}};
  EXPECT_FALSE(detail::check_triangles(torn, one, "frame 1", "frame 0").ok());
  // Two vertices of the quad changed places.
  const std::vector<geometry::Triangle> crossed{{1, 0, 2}, {1, 2, 3}, {3, 2, 4}};
  EXPECT_FALSE(detail::check_triangles(crossed, one, "frame 1", "frame 0").ok());
}

TEST_F(RecordedSceneJob, RefusesGapsAndSequencesThatAreNotThere) {
  const std::string run = "frames = \"one_*.obj\"\n";
  EXPECT_NE(error_of(run).find("no file is called"), std::string::npos) << error_of(run);
  write_sequence("one", m_three, 0);
  m_directory.write("one.csv", m_three.actions);
  m_directory.write("one_notes.obj", "not a frame");
  std::filesystem::remove(m_directory / "one_0007.obj");
  const std::string gap = error_of(run);
  EXPECT_NE(gap.find("frame 7 is missing: 'one_0008.obj' follows frame 6"), std::string::npos)
      << gap;
  m_directory.write("one_0007.obj", obj_of(m_three.frames[7]));
  m_directory.write("one_08.obj", obj_of(m_three.frames[8]));
  EXPECT_NE(error_of(run).find("'one_0008.obj' and 'one_08.obj' are both frame 8"),
            std::string::npos);
  std::filesystem::remove(m_directory / "one_08.obj");
  EXPECT_EQ(error_of(run), "accepted");
  EXPECT_NE(error_of("frames = \"*_*.obj\"\n").find("one *"), std::string::npos);
  EXPECT_NE(error_of("frames = \"one_0001.obj\"\n").find("not a recording"), std::string::npos);
  EXPECT_NE(error_of("frames = \"one_*.stl\"\n").find("not a recording"), std::string::npos);
  EXPECT_NE(error_of(run + "body = \"ribbon\"\n").find("only .h5"), std::string::npos);
  EXPECT_NE(error_of("frames = \"missing.pc2\"\n").find("missing.pc2"), std::string::npos);
}

TEST_F(RecordedSceneJob, RefusesCachesThatDoNotFit) {
  io::PointCache cache;
  cache.points = scene::Springs::kBeads;
  cache.frames = m_one.frames;
  m_directory.write("a.pc2", as_text(io::write_pc2(cache)));
  const std::string run = "frames = \"a.pc2\"\n";
  EXPECT_NE(error_of(run).find("'a.pc2' has no triangles; name a file"), std::string::npos);
  m_directory.write("small.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const std::string small = error_of(run, "mesh = \"small.obj\"\n");
  EXPECT_NE(small.find("frame 0 of 'a.pc2' has 5 vertices and 'small.obj' has 3"),
            std::string::npos)
      << small;
  cache.frames[3][1].x() = std::numeric_limits<double>::quiet_NaN();
  m_directory.write("a.pc2", as_text(io::write_pc2(cache)));
  const std::string nan = error_of(run, "mesh = \"ribbon.obj\"\n");
  EXPECT_NE(nan.find("a.pc2"), std::string::npos) << nan;
  EXPECT_NE(nan.find("sample 4 is not finite"), std::string::npos) << nan;
  cache.frames.resize(1);
  m_directory.write("a.pc2", as_text(io::write_pc2(cache)));
  EXPECT_NE(error_of(run, "mesh = \"ribbon.obj\"\n").find("fewer than two frames"),
            std::string::npos);
  // 25 frames per second, by the times of the file.
  m_directory.write("a.mdd", io::samples::mdd({0, 0.04F, 0.08F}, 1, std::vector<float>(9, 0)));
  EXPECT_NE(error_of("frames = \"a.mdd\"\n").find("set rate = 25"), std::string::npos);
}

TEST_F(RecordedSceneJob, RefusesActionsThatDoNotFit) {
  write_sequence("one", m_three, 0);
  const std::string run = "frames = \"one_*.obj\"\n";
  const auto fails = [&](const std::string& actions, const std::string& part) {
    m_directory.write("one.csv", actions);
    const std::string error = error_of(run);
    EXPECT_NE(error.find("one.csv"), std::string::npos) << error;
    EXPECT_NE(error.find(part), std::string::npos) << error;
  };
  fails("0,wind\n18,rigth\n", "one.csv:2: no [[entry]] has the name 'rigth': did you mean 'right'");
  fails("0,wind\n738,right\n", "'right' acts in frame 738, and no frame answers it");
  fails("0,wind\n900,right\n", "has the frames 0 to 738");
  fails("18,wind\n0,right\n", "one.csv:2: frame 0 does not come after frame 18");
  fails("0,wind,2\n18,right\n", "strength 2, but its entry has 1");
  fails("frame,entry\n", "no line says what acted");
  fails("", "empty");
  std::filesystem::remove(m_directory / "one.csv");
  EXPECT_NE(error_of(run).find("one.csv"), std::string::npos);
  m_directory.write("one.csv", m_three.actions);
  const std::string rules = error_of(run, "", "[[entry]]\nname = \"extra\"\n");
  EXPECT_NE(rules.find("no response to 'extra' can be played"), std::string::npos) << rules;
}

TEST_F(RecordedSceneJob, RefusesRunsTooShortForTheShortestResponse) {
  Recorded brief({{0, 8}, {1, 9}});
  write_sequence("one", brief, 0);
  m_directory.write("one.csv", brief.actions);
  const std::string error = error_of("frames = \"one_*.obj\"\n");
  EXPECT_NE(error.find("longest response has 9 frames (0.15 s), and T_min is 15 frames (0.25 s)"),
            std::string::npos)
      << error;
}

TEST_F(RecordedSceneJob, WarnsOfEntriesThatNeverComeToRest) {
  write_sequence("one", m_one, 0);
  const auto report = bake("frames = \"one_*.obj\"\n", "");
  ASSERT_TRUE(report.ok()) << report.error().describe();
  ASSERT_GE(report->warnings.size(), 2U);
  EXPECT_NE(report->warnings[0].find("no recorded response to 'right' comes to rest"),
            std::string::npos);
  EXPECT_NE(report->warnings[1].find("'up'"), std::string::npos);
}

}  // namespace
}  // namespace supple::bake
