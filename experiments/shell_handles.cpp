// SPDX-License-Identifier: Apache-2.0
#include "experiments/shell_parts.hpp"
#include "samples/shell_beams.hpp"

#include "supple/bake/playback.hpp"

#include <fmt/format.h>
#include <supple.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace supple::experiments {
namespace {

using Eigen::Vector3d;

constexpr const char* kBeam = "flat-10";

/// How the middle of the free end is held.
struct Grip {
  const char* title;
  std::uint32_t components;
  Vector3d shift;
  double turn;  ///< radians about z
  bool drawn;   ///< otherwise only measured
};

const std::vector<Grip>& grips() {
  constexpr std::uint32_t kBoth = SUPPLE_HANDLE_POSITION | SUPPLE_HANDLE_ORIENTATION;
  static const std::vector<Grip> all{
      {"position", SUPPLE_HANDLE_POSITION, {-0.13, 0.24, 0}, 0, true},
      {"orientation", SUPPLE_HANDLE_ORIENTATION, {0, 0, 0}, 1.9, true},
      {"both", kBoth, {-0.012, 0.11, 0}, 0, true},
      {"both, far up and level", kBoth, {-0.13, 0.24, 0}, 0, false},
      {"both, in place and turned up", kBoth, {0, 0, 0}, 1.9, false}};
  return all;
}

struct Outcome {
  io::SkinnedModel model;
  pictures::PlacedHandle handle;
  supple_handle_state state{};
  supple_shell_state shell{};
};

/// Plays the held beam until it is at rest, at the paper's step of 1/30 s.
class GripPlayer {
 public:
  GripPlayer(const bake::ShellRun& run, std::size_t object, const bake::BakedFile& file)
      : m_shell(run.scene.shells[object]), m_object(static_cast<std::uint32_t>(object)) {
    if (supple_player_create(file.asset(), &m_player) != SUPPLE_OK) m_player = nullptr;
    const std::array<float, 16> still{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    for (std::uint32_t o = 0; m_player != nullptr && o < run.objects.size(); ++o) {
      (void)supple_player_set_bone_matrix(m_player, o, still.data());
      // As in the paper: nothing keeps handles from bending the shell as far as they want.
      supple_object_settings settings{};
      (void)supple_player_get_settings(m_player, o, &settings);
      settings.area_bound = 0;
      settings.turn_bound = 0;
      (void)supple_player_set_settings(m_player, o, &settings);
    }
  }
  ~GripPlayer() { supple_player_destroy(m_player); }
  GripPlayer(const GripPlayer&) = delete;
  GripPlayer& operator=(const GripPlayer&) = delete;

  [[nodiscard]] Result<Outcome> play(const Grip& grip, io::SkinnedModel model) {
    if (m_player == nullptr) return io_error("not enough memory for a player");
    const auto beam = std::find_if(model.parts.begin(), model.parts.end(),
                                   [](const io::SkinnedPart& part) { return part.mesh == kBeam; });
    const std::size_t tip = find_tip(*beam);
    const Vector3d rest = beam->positions[tip];
    constexpr int kSteps = 180;
    constexpr double kStep = 1.0 / 30;
    for (int k = 1; k <= kSteps; ++k) {
      const double part = std::min(1.0, k * kStep / 1.5);  // a second and a half to get there
      supple_handle handle{};
      handle.vertex = m_shell.vertices[tip];
      handle.components = grip.components;
      const Eigen::Quaterniond turn(Eigen::AngleAxisd(part * grip.turn, Vector3d::UnitZ()));
      const Vector3d target = rest + part * grip.shift;
      for (int c = 0; c < 3; ++c) {
        handle.rest[c] = static_cast<float>(rest[c]);
        handle.position[c] = target[c];
      }
      for (int c = 0; c < 4; ++c) handle.orientation[c] = turn.coeffs()[c];
      if (supple_player_set_handle(m_player, 0, &handle) != SUPPLE_OK ||
          supple_player_step(m_player, kStep) != SUPPLE_OK) {
        return bad_input(fmt::format("the player does not accept a handle on '{}'", kBeam));
      }
    }
    Outcome outcome;
    (void)supple_player_handle_state(m_player, 0, &outcome.state);
    (void)supple_player_shell_state(m_player, m_object, &outcome.shell);
    outcome.handle = held_at(grip, tip, rest);
    move(*beam);
    outcome.model = std::move(model);
    return outcome;
  }

 private:
  static std::size_t find_tip(const io::SkinnedPart& beam) {
    const auto box = geometry::bounding_box(beam.positions);
    const Vector3d tip(box.high.x(), box.low.y(), box.centre().z());
    const auto nearest = std::min_element(
        beam.positions.begin(), beam.positions.end(),
        [&](const Vector3d& a, const Vector3d& b) { return (a - tip).norm() < (b - tip).norm(); });
    return static_cast<std::size_t>(nearest - beam.positions.begin());
  }

  struct Placed {
    Vector3d position;
    Eigen::Quaterniond orientation;
  };
  [[nodiscard]] Placed vertex(std::size_t v, const Vector3d& rest) const {
    const Eigen::Vector3f at = rest.cast<float>();
    // A vertex that no mode moves is not in the file: the bone, which stands still, places it.
    Placed placed{rest, Eigen::Quaterniond::Identity()};
    (void)supple_player_vertex(m_player, m_shell.vertices[v], at.data(), placed.position.data(),
                               placed.orientation.coeffs().data());
    return placed;
  }

  [[nodiscard]] pictures::PlacedHandle held_at(const Grip& grip, std::size_t tip,
                                               const Vector3d& rest) const {
    constexpr double kArrow = 0.075;
    const Placed placed = vertex(tip, rest);
    pictures::PlacedHandle handle;
    handle.look.position = (grip.components & SUPPLE_HANDLE_POSITION) != 0;
    handle.look.orientation = (grip.components & SUPPLE_HANDLE_ORIENTATION) != 0;
    handle.world.topLeftCorner<3, 3>() = kArrow * placed.orientation.toRotationMatrix();
    handle.world.topRightCorner<3, 1>() = placed.position;
    return handle;
  }

  void move(io::SkinnedPart& beam) const {
    for (std::size_t v = 0; v < beam.positions.size(); ++v) {
      beam.positions[v] = vertex(v, beam.positions[v]).position;
    }
    beam.normals = geometry::vertex_normals({beam.positions, beam.triangles});
  }

  const bake::PreparedShell& m_shell;
  std::uint32_t m_object;
  supple_player* m_player = nullptr;
};

/// Only the beam, on its own stand.
io::SkinnedModel beam_on_stand() {
  io::SkinnedModel model = samples::shell_beams();
  keep_meshes(model, {kBeam});
  for (io::SkinnedPart part : samples::shell_v_beam().parts) {
    if (part.mesh != "stand") continue;
    for (Vector3d& p : part.positions) p.z() += 0.065;  // to where this strip is
    model.parts.push_back(std::move(part));
  }
  return model;
}

/// The results for the handles in three forms.
struct HandleTable {
  std::string csv =
      "handle,shift_x_m,shift_y_m,turn_rad,position_error_m,turn_error_rad,largest_turn_rad\n";
  std::string text =
      "| handle | target | position error, mm | direction error, rad | largest turn, degrees |\n"
      "| --- | --- | --- | --- | --- |\n";
  Json rows = Json::array();

  void add(const Grip& grip, const Outcome& outcome) {
    const supple_handle_state& state = outcome.state;
    const double turn = outcome.shell.largest_turn;
    csv += fmt::format("\"{}\",{},{},{},{:.4g},{:.4g},{:.4g}\n", grip.title, grip.shift.x(),
                       grip.shift.y(), grip.turn, state.position_error, state.turn_error, turn);
    text +=
        fmt::format("| {} | ({:g}, {:g}) m, {:g} rad | {:.2g} | {:.2g} | {:.0f} |\n", grip.title,
                    grip.shift.x(), grip.shift.y(), grip.turn, 1000 * state.position_error,
                    state.turn_error, turn * 180 / std::numbers::pi);
    rows.push_back({{"handle", grip.title},
                    {"positionError", state.position_error},
                    {"turnError", state.turn_error},
                    {"largestTurn", turn}});
  }
};

Result<plot::Drawing> draw_held(pictures::Studio& studio, const Outcome& outcome) {
  pictures::Shot shot;
  shot.direction = {28, 14};
  shot.width = 420;
  shot.height = 420;
  for (const double y : {0.40, 0.96}) {
    for (const double x : {-0.05, 0.54}) shot.frame.emplace_back(x, y, 0.065);
  }
  SUPPLE_TRY(const io::Image image, studio.draw(outcome.model, shot, {outcome.handle}));
  return pictures::tile_of(image);
}

}  // namespace

Result<void> handles(Bench& bench) {
  SUPPLE_TRY(const bake::ShellRun run, bake_sample("beams"));
  std::size_t object = 0;
  while (run.objects[object].name != kBeam) ++object;
  SUPPLE_TRY(const bake::BakedFile file, bake::BakedFile::open(run.supple.bytes, "beams"));
  const io::SkinnedModel model = beam_on_stand();
  std::vector<plot::Tile> tiles;
  HandleTable table;
  for (const Grip& grip : grips()) {
    GripPlayer player(run, object, file);
    SUPPLE_TRY(const Outcome outcome, player.play(grip, model));
    table.add(grip, outcome);
    if (bench.studio && grip.drawn) {
      SUPPLE_TRY(plot::Drawing tile, draw_held(*bench.studio, outcome));
      tiles.push_back({std::move(tile), grip.title});
    }
    bench.progress->advance();
  }
  bench.summary["figure7"] = table.rows;
  SUPPLE_TRY_VOID(bench.write("figure7.csv", table.csv));
  bench.text += fmt::format(R"(
## Figure 7: a flat beam held by handles

The player holds the middle of its free end under gravity, at steps of 1/30 s with eight modes
(figure7.csv).

{}
Eight modes may not be able to meet position and direction together. Then the end comes to rest
where both errors are smallest, and the player reports them: rows with a position error above a
tenth of a millimetre are such targets.
)",
                            table.text);
  if (tiles.empty()) return {};
  bench.text += "\n![figure 7](figure7.png)\n";
  plot::SheetSettings sheet;
  sheet.columns = tiles.size();
  return bench.write_sheet("figure7.png", plot::draw_sheet(tiles, sheet));
}

}  // namespace supple::experiments
