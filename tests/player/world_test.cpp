// SPDX-License-Identifier: Apache-2.0
// The same motion told in the file's axes and units and in those of other programs: left-handed,
// z up, centimetres. What comes out is the same, told in theirs.
#include "player/shell_strip.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <numbers>

namespace supple::player {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

/// A program's conventions.
struct Convention {
  const char* name;
  int axes[3];
  double metres_per_unit;
};
constexpr Convention kConventions[] = {
    {"Unity", {SUPPLE_AXIS_MINUS_X, SUPPLE_AXIS_Y, SUPPLE_AXIS_Z}, 1},
    {"Unreal", {SUPPLE_AXIS_X, SUPPLE_AXIS_Z, SUPPLE_AXIS_Y}, 0.01},
    {"Blender", {SUPPLE_AXIS_X, SUPPLE_AXIS_Z, SUPPLE_AXIS_MINUS_Y}, 1},
    {"inches", {SUPPLE_AXIS_X, SUPPLE_AXIS_Y, SUPPLE_AXIS_Z}, 0.0254},
    {"odd", {SUPPLE_AXIS_MINUS_Y, SUPPLE_AXIS_MINUS_Z, SUPPLE_AXIS_MINUS_X}, 3}};

/// Rounding on the way in and out, in doubles; floats of vertices differ by their last digits.
constexpr double kAgree = 1e-6;

/// An asset in a program's world. Its functions take and give what the file means, in metres, and
/// tell it to the player as the program would.
class Stage {
 public:
  /// Null: the file's own convention.
  Stage(const testing::AlignedBytes& bytes, double file_unit, const Convention* convention)
      : m_bind(1 / file_unit), m_unit(convention == nullptr ? 1 : convention->metres_per_unit) {
    supple_open_options options{};
    if (convention != nullptr) {
      m_axes.setZero();
      for (int i = 0; i < 3; ++i) {
        const int axis = convention->axes[i];
        m_axes(std::abs(axis) - 1, i) = axis < 0 ? -1 : 1;
      }
      options.axis_x = convention->axes[0];
      options.axis_y = convention->axes[1];
      options.axis_z = convention->axes[2];
      options.metres_per_unit = convention->metres_per_unit;
      m_bind = 1 / m_unit;
    }
    SUPPLE_CHECK(supple_asset_open_with(bytes.data(), bytes.size(), &options, &m_asset) ==
                 SUPPLE_OK);
    SUPPLE_CHECK(supple_asset_describe(m_asset, &m_info) == SUPPLE_OK);
    SUPPLE_CHECK(supple_player_create(m_asset, &m_player) == SUPPLE_OK);
  }
  ~Stage() {
    supple_player_destroy(m_player);
    supple_asset_close(m_asset);
  }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  /// Metres to positions of the program, in the world and in bind space.
  [[nodiscard]] Vector3d place(const Vector3d& metres) const { return m_axes * (m_bind * metres); }
  [[nodiscard]] Vector3d metres(const Vector3d& place) const {
    return m_axes.transpose() * place / m_bind;
  }
  [[nodiscard]] Vector3d direction(const Vector3d& v) const { return m_axes * v; }
  /// Velocities, accelerations, forces.
  [[nodiscard]] Vector3d physical(const Vector3d& v) const { return m_axes * v / m_unit; }
  [[nodiscard]] Quaterniond turn(const Quaterniond& q) const {
    return Quaterniond(Matrix3d(m_axes * q.toRotationMatrix() * m_axes.transpose()));
  }
  [[nodiscard]] std::uint32_t components(std::uint32_t file) const {
    std::uint32_t bits = 0;
    for (std::uint32_t i = 0; i < 3; ++i) {
      Eigen::Index axis = 0;
      m_axes.col(i).cwiseAbs().maxCoeff(&axis);
      bits |= (file >> i & 1U) << axis | (file >> (i + 3) & 1U) << (axis + 3);
    }
    return bits;
  }
  [[nodiscard]] Matrix3d back() const { return m_axes.transpose(); }

  [[nodiscard]] supple_player* player() const { return m_player; }
  [[nodiscard]] const supple_asset* asset() const { return m_asset; }
  [[nodiscard]] const supple_asset_info& info() const { return m_info; }
  [[nodiscard]] Eigen::VectorXd coefficients() const {
    const float* c = supple_player_coefficients(m_player);
    return Eigen::Map<const Eigen::VectorXf>(c, m_info.mode_count).cast<double>();
  }

  void set_bone(std::uint32_t object, const Vector3d& position, const Quaterniond& q) const {
    SUPPLE_CHECK(testing::set_pose(m_player, object, place(position), turn(q)) == SUPPLE_OK);
  }
  void set_gravity(const Vector3d& g) const {
    SUPPLE_CHECK(supple_player_set_gravity(m_player, physical(g).eval().data()) == SUPPLE_OK);
  }
  void push(std::uint32_t vertex, const Vector3d& newtons) const {
    SUPPLE_CHECK(supple_player_push(m_player, vertex, physical(newtons).eval().data()) ==
                 SUPPLE_OK);
  }
  void step(double h) const { SUPPLE_CHECK(supple_player_step(m_player, h) == SUPPLE_OK); }

  /// Positions in metres, normals and tangents, in the file's axes, of a rest shape in metres.
  struct Drawn {
    std::vector<Vector3d> positions, normals, tangents;
  };
  [[nodiscard]] Drawn draw(const std::vector<testing::Vertex>& rest,
                           const std::vector<Eigen::Isometry3d>& palette) const;

 private:
  Matrix3d m_axes = Matrix3d::Identity();
  double m_bind;  ///< units per metre of positions
  double m_unit;  ///< metres per unit of the others
  supple_asset* m_asset = nullptr;
  supple_player* m_player = nullptr;
  supple_asset_info m_info{};
};

Stage::Drawn Stage::draw(const std::vector<testing::Vertex>& rest,
                         const std::vector<Eigen::Isometry3d>& palette) const {
  std::vector<Eigen::Vector3f> in[3];
  for (const testing::Vertex& v : rest) {
    in[0].push_back(place(v.position).cast<float>());
    in[1].push_back(direction(v.normal).cast<float>());
    in[2].push_back(direction(v.tangent).cast<float>());
  }
  std::vector<Eigen::Vector3f> out[3];
  for (auto& stream : out) stream.resize(rest.size());
  std::vector<float> matrices;
  for (const Eigen::Isometry3d& joint : palette) {
    Eigen::Matrix4f m = Eigen::Matrix4f::Identity();
    m.topLeftCorner<3, 3>() = (m_axes * joint.linear() * m_axes.transpose()).cast<float>();
    m.topRightCorner<3, 1>() = place(joint.translation()).cast<float>();
    matrices.insert(matrices.end(), m.data(), m.data() + 16);
  }
  std::vector<std::uint16_t> joints(4 * rest.size());
  for (std::size_t i = 0; i < joints.size(); ++i) {
    joints[i] = static_cast<std::uint16_t>(i % palette.size());
  }
  const std::vector<float> weights(joints.size(), 0.25F);
  supple_deformation d{};
  d.rest_positions.data = in[0].front().data();
  d.rest_normals.data = in[1].front().data();
  d.rest_tangents.data = in[2].front().data();
  d.positions.data = out[0].front().data();
  d.normals.data = out[1].front().data();
  d.tangents.data = out[2].front().data();
  d.palette = matrices.data();
  d.joint_count = static_cast<std::uint32_t>(palette.size());
  d.influences = 4;
  d.joints = joints.data();
  d.weights = weights.data();
  SUPPLE_CHECK(supple_player_deform(m_player, &d) == SUPPLE_OK);
  Drawn drawn;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    drawn.positions.push_back(metres(out[0][i].cast<double>()));
    drawn.normals.push_back(back() * out[1][i].cast<double>());
    drawn.tangents.push_back(back() * out[2][i].cast<double>());
  }
  return drawn;
}

/// Largest difference over the largest length.
double difference(const std::vector<Vector3d>& a, const std::vector<Vector3d>& b) {
  double worst = 0;
  double size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    worst = std::max(worst, (a[i] - b[i]).norm());
    size = std::max(size, a[i].norm());
  }
  return worst / size;
}

void expect_same(const Stage::Drawn& a, const Stage::Drawn& b) {
  EXPECT_LT(difference(a.positions, b.positions), kAgree);
  EXPECT_LT(difference(a.normals, b.normals), kAgree);
  EXPECT_LT(difference(a.tangents, b.tangents), kAgree);
}

std::vector<testing::Vertex> rest_shape(std::size_t vertices, double size) {
  Random random(3);
  const auto vector = [&random]() -> Vector3d {
    const double x = 2 * random.uniform() - 1;
    const double y = 2 * random.uniform() - 1;
    return {x, y, 2 * random.uniform() - 1};
  };
  std::vector<testing::Vertex> rest;
  for (std::size_t i = 0; i < vertices; ++i) {
    rest.push_back({size * vector(), vector().normalized(), vector().normalized()});
  }
  return rest;
}

std::vector<Eigen::Isometry3d> some_palette() {
  std::vector<Eigen::Isometry3d> palette;
  for (int i = 0; i < 3; ++i) {
    Eigen::Isometry3d joint = Eigen::Isometry3d::Identity();
    joint.linear() = Eigen::AngleAxisd(0.2 * i, Vector3d(1, 2, 3).normalized()).matrix();
    joint.translation() = Vector3d(0.1 * i, 0.2, -0.1);
    palette.push_back(joint);
  }
  return palette;
}

Quaterniond swing(double t) {
  return Eigen::AngleAxisd(0.8 * std::sin(3 * t), Vector3d(1, 2, -1).normalized()) *
         Quaterniond::Identity();
}

/// Plays the same in the file's convention and in another, and compares as it goes.
void play_both(const testing::AlignedBytes& bytes, double file_unit, const Convention& convention,
               const std::function<void(const Stage&, int)>& act) {
  SCOPED_TRACE(convention.name);
  const Stage plain(bytes, file_unit, nullptr);
  const Stage other(bytes, file_unit, &convention);
  EXPECT_EQ(other.info().metres_per_unit, convention.metres_per_unit);
  const auto palette = some_palette();
  const auto rest = rest_shape(plain.info().vertex_count, 0.5);
  double size = 0;  // of the largest coefficients so far
  for (int frame = 0; frame < 90; ++frame) {
    act(plain, frame);
    act(other, frame);
    size = std::max(size, plain.coefficients().norm());
    ASSERT_LE((plain.coefficients() - other.coefficients()).norm(), kAgree * size) << frame;
    if (frame % 20 == 19) expect_same(plain.draw(rest, palette), other.draw(rest, palette));
  }
  EXPECT_GT(size, 0);
}

TEST(World, FleshMovesTheSameInEveryConvention) {
  testing::MeshSpec spec;
  spec.coriolis = true;
  const soft::Asset asset = testing::random_asset(spec);
  for (const bool float32 : {false, true}) {
    const testing::OpenAsset file(asset, {float32});
    for (const Convention& convention : kConventions) {
      play_both(file.bytes(), asset.metres_per_unit, convention, [](const Stage& stage, int i) {
        const double t = i * testing::kFrame;
        for (std::uint32_t o = 0; o < 2; ++o) {
          stage.set_bone(o, {0.1 * std::sin(9 * t), 0.2 * t, 0.05 * std::cos(7 * t)}, swing(t));
        }
        if (i == 30) stage.set_gravity({3, -5, 2});
        if (i % 10 == 3) stage.push(static_cast<std::uint32_t>(i % 53), {4, 1, -2});
        stage.step(testing::kFrame);
      });
    }
  }
}

/// Matrices are floats: a position of a metre is known to 6e-8, its acceleration at 60 Hz to
/// 4e-4 m/s^2.
TEST(World, BoneMatricesTellTheSame) {
  const soft::Asset asset = testing::random_asset({});
  const testing::OpenAsset file(asset);
  for (const Convention& convention : kConventions) {
    const Stage plain(file.bytes(), asset.metres_per_unit, nullptr);
    const Stage other(file.bytes(), asset.metres_per_unit, &convention);
    for (int i = 0; i < 60; ++i) {
      const double t = i * testing::kFrame;
      for (const Stage* stage : {&plain, &other}) {
        Eigen::Matrix4f m = Eigen::Matrix4f::Identity();
        m.topLeftCorner<3, 3>() = 2 * stage->turn(swing(t)).toRotationMatrix().cast<float>();
        m.topRightCorner<3, 1>() = stage->place({0.1 * std::sin(9 * t), 0, 0}).cast<float>();
        EXPECT_EQ(supple_player_set_bone_matrix(stage->player(), 0, m.data()), SUPPLE_OK);
        stage->step(testing::kFrame);
      }
    }
    const double size = plain.coefficients().norm();
    EXPECT_LT((plain.coefficients() - other.coefficients()).norm(), 1e-3 * size) << convention.name;
  }
}

TEST(World, ModeShapesAreInTheProgramsBindSpace) {
  const soft::Asset asset = testing::flesh_and_shell(53, 20);
  const testing::OpenAsset file(asset);
  for (const Convention& convention : kConventions) {
    const Stage plain(file.bytes(), asset.metres_per_unit, nullptr);
    const Stage other(file.bytes(), asset.metres_per_unit, &convention);
    const double handedness = other.back().determinant();
    for (std::uint32_t mode = 0; mode < plain.info().mode_count; ++mode) {
      std::vector<Eigen::Vector3f> u[2];
      std::vector<Eigen::Vector3f> n[2];
      const Stage* stages[] = {&plain, &other};
      for (int s = 0; s < 2; ++s) {
        u[s].resize(53);
        n[s].resize(53);
        ASSERT_EQ(supple_asset_mode_shape(stages[s]->asset(), mode, u[s][0].data(), n[s][0].data()),
                  SUPPLE_OK);
      }
      const bool is_shell = mode >= 3;  // turns change their sense in a mirror
      for (std::size_t v = 0; v < 53; ++v) {
        const Vector3d in_metres = plain.metres(u[0][v].cast<double>());
        EXPECT_LT((other.metres(u[1][v].cast<double>()) - in_metres).norm(), 1e-8);
        const Vector3d turned = (is_shell ? handedness : 1) * other.back() * n[1][v].cast<double>();
        EXPECT_EQ(turned, n[0][v].cast<double>()) << convention.name << " " << mode;
      }
    }
  }
}

/// Pulls every point to the world's x axis and drags it, in whatever units the program has.
struct Field {
  const Stage* stage;
  double farthest = 0;  ///< metres from the origin along y
};
void pull(void* context, double /*time*/, uint32_t /*object*/, uint32_t count,
          const double* positions, const double* velocities, const double* masses, double* forces) {
  auto& field = *static_cast<Field*>(context);
  const Stage& stage = *field.stage;
  const double unit = stage.physical(Vector3d::UnitX()).norm();  // units per metre
  for (uint32_t i = 0; i < count; ++i) {
    const Vector3d x = stage.back() * Eigen::Map<const Vector3d>(positions + 3 * i) / unit;
    const Vector3d v = stage.back() * Eigen::Map<const Vector3d>(velocities + 3 * i) / unit;
    const Vector3d newtons = masses[i] * (Vector3d(0, -4 * x.y(), -4 * x.z()) - 0.5 * v);
    Eigen::Map<Vector3d>(forces + 3 * i) = stage.physical(newtons);
    field.farthest = std::max(field.farthest, std::abs(x.y()));
  }
}

class ShellWorld : public ::testing::Test {
 protected:
  static constexpr double kFileUnit = 0.5;

  ShellWorld()
      : m_turn(Eigen::AngleAxisd(0.7, Vector3d(1, -1, 2).normalized())),
        m_strip(testing::StripSpec{}, m_turn, kFileUnit),
        m_tip(m_strip.tip()) {
    soft::Asset asset = testing::strip_asset(m_strip.shell, m_strip.object, m_turn, kFileUnit);
    soft::Attachment attachment;
    attachment.vertex = m_tip;
    attachment.components = SUPPLE_HANDLE_Y | SUPPLE_HANDLE_TURN_X;
    attachment.bone = "hand";
    attachment.stiffness = 5;
    attachment.rest = {1, 0, 0};
    asset.objects[0].shell->attachments.push_back(attachment);
    auto written = io::write_supple(asset, {true});
    SUPPLE_CHECK(written.ok());
    m_bytes = std::move(written->bytes);
  }

  [[nodiscard]] testing::AlignedBytes bytes() const { return testing::AlignedBytes(m_bytes); }
  /// Of the free end's middle, in metres of bind space.
  [[nodiscard]] Vector3d tip_at_rest() const {
    return kFileUnit * m_strip.rest[m_tip].cast<double>();
  }
  void expect_tip(const Stage& plain, const Stage& other) const;

  Quaterniond m_turn;
  testing::Strip m_strip;
  std::uint32_t m_tip;
  Bytes m_bytes;
};

void ShellWorld::expect_tip(const Stage& plain, const Stage& other) const {
  Vector3d place[2];
  Matrix3d turn[2];
  const Stage* stages[] = {&plain, &other};
  for (int s = 0; s < 2; ++s) {
    const Eigen::Vector3f rest = stages[s]->place(tip_at_rest()).cast<float>();
    Vector3d at;
    double q[4];
    ASSERT_EQ(supple_player_vertex(stages[s]->player(), m_tip, rest.data(), at.data(), q),
              SUPPLE_OK);
    place[s] = stages[s]->metres(at);
    const Matrix3d back = stages[s]->back();
    turn[s] = back * Quaterniond(q[3], q[0], q[1], q[2]).toRotationMatrix() * back.transpose();
  }
  EXPECT_LT((place[0] - place[1]).norm(), kAgree);
  EXPECT_LT((turn[0] - turn[1]).norm(), kAgree);
}

TEST_F(ShellWorld, WindGravityPushesAndFieldsActTheSame) {
  const testing::AlignedBytes file = bytes();
  for (const Convention& convention : kConventions) {
    play_both(file, kFileUnit, convention, [&](const Stage& stage, int i) {
      const double t = i * testing::kFrame;
      stage.set_bone(0, {0.05 * std::sin(5 * t), 0, 0.02 * t}, swing(0.3 * t));
      if (i == 20) {
        const Vector3d velocity = stage.physical({2, 1, -1});
        supple_wind wind{};
        Eigen::Map<Vector3d>(wind.velocity) = velocity;
        wind.gusts = 0.5;
        wind.gust_size = stage.physical(Vector3d::UnitX()).norm() * 0.8;
        wind.density = 1.2;
        ASSERT_EQ(supple_player_set_wind(stage.player(), &wind), SUPPLE_OK);
      }
      if (i == 10) stage.set_gravity({1, -4, 2});
      if (i % 15 == 7) stage.push(m_tip, {0.2, 0.3, 0.1});
      Field field{&stage};
      supple_player_set_force_field(stage.player(), i > 40 ? pull : nullptr, &field);
      stage.step(testing::kFrame);
      ASSERT_EQ(field.farthest > 0, i > 40);
    });
  }
}

TEST_F(ShellWorld, HandlesAndAttachmentsHoldTheSame) {
  const testing::AlignedBytes file = bytes();
  for (const Convention& convention : kConventions) {
    SCOPED_TRACE(convention.name);
    const Stage plain(file, kFileUnit, nullptr);
    const Stage other(file, kFileUnit, &convention);
    supple_attachment_info attachment{};
    ASSERT_EQ(supple_asset_attachment(other.asset(), 0, &attachment), SUPPLE_OK);
    EXPECT_EQ(attachment.components, other.components(SUPPLE_HANDLE_Y | SUPPLE_HANDLE_TURN_X));
    for (const Stage* stage : {&plain, &other}) {
      supple_object_settings settings = testing::settings_of(stage->player());
      settings.area_bound = settings.turn_bound = 0;  // measured in floats: they agree less well
      ASSERT_EQ(supple_player_set_settings(stage->player(), 0, &settings), SUPPLE_OK);
    }
    for (int i = 0; i < 60; ++i) {
      for (const Stage* stage : {&plain, &other}) {
        stage->set_bone(0, {0, 0.01 * i, 0}, swing(0.005 * i));
        supple_handle handle{};
        handle.vertex = m_tip;
        handle.components = stage->components(i < 30 ? SUPPLE_HANDLE_POSITION
                                                     : SUPPLE_HANDLE_Z | SUPPLE_HANDLE_ORIENTATION);
        Eigen::Map<Eigen::Vector3f>(handle.rest) = stage->place(tip_at_rest()).cast<float>();
        Eigen::Map<Vector3d>(handle.position) = stage->place({0.9, 0.1, 0.05 * std::sin(0.2 * i)});
        const Quaterniond q = stage->turn(m_turn * swing(0.05 * i));
        const double turn[4] = {q.x(), q.y(), q.z(), q.w()};
        std::copy_n(turn, 4, handle.orientation);
        handle.stiffness = 300;
        ASSERT_EQ(supple_player_set_handle(stage->player(), 0, &handle), SUPPLE_OK);
        if (i > 40) {
          Eigen::Matrix4f m = Eigen::Matrix4f::Identity();
          m.topLeftCorner<3, 3>() = stage->turn(swing(0.1)).toRotationMatrix().cast<float>();
          m.topRightCorner<3, 1>() = stage->place({0.125, 0.25, 0.5}).cast<float>();
          ASSERT_EQ(supple_player_set_attachment_matrix(stage->player(), 0, m.data()), SUPPLE_OK);
        }
        stage->step(testing::kFrame);
      }
      const double size = plain.coefficients().norm();
      // From frame 41 on a bone's matrix is in floats.
      const double same = i > 40 ? 10 * kAgree : kAgree;
      ASSERT_LE((plain.coefficients() - other.coefficients()).norm(), same * size) << i;
    }
    EXPECT_GT(plain.coefficients().norm(), 0.01);
    expect_tip(plain, other);
  }
}

TEST_F(ShellWorld, RotationStrainDrawsTheSame) {
  const testing::AlignedBytes file = bytes();
  for (const Convention& convention : kConventions) {
    const Stage plain(file, kFileUnit, nullptr);
    const Stage other(file, kFileUnit, &convention);
    std::vector<Vector3d> drawn[2];
    const Stage* stages[] = {&plain, &other};
    for (int s = 0; s < 2; ++s) {
      for (int i = 0; i < 30; ++i) {
        stages[s]->set_bone(0, Vector3d::Zero(), Quaterniond::Identity());
        stages[s]->step(testing::kFrame);
      }
      std::vector<Eigen::Vector3f> rest;
      for (const auto& x : m_strip.rest) {
        rest.push_back(stages[s]->place(kFileUnit * x.cast<double>()).cast<float>());
      }
      std::vector<Eigen::Vector3f> out(rest.size());
      const supple_stream_in in{rest.front().data(), 0};
      const supple_stream_out to{out.front().data(), 0};
      ASSERT_EQ(supple_player_rotation_strain(stages[s]->player(), 0, &in, &to), SUPPLE_OK);
      for (const auto& x : out) drawn[s].push_back(stages[s]->metres(x.cast<double>()));
    }
    EXPECT_LT(difference(drawn[0], drawn[1]), kAgree) << convention.name;
  }
}

}  // namespace
}  // namespace supple::player
