// SPDX-License-Identifier: Apache-2.0
#include "posed_character.hpp"

#include "supple/core/check.hpp"

#include <supple.h>
#include <Eigen/Geometry>
#include <Eigen/LU>

namespace supple::app {
namespace {

using Eigen::Matrix4d;
using geometry::Vec3;

Vec3 vector_at(const std::vector<float>& numbers, std::size_t vertex) {
  return Eigen::Map<const Eigen::Vector3f>(&numbers[3 * vertex]).cast<double>();
}

/// For files without normals: area-weighted means over the triangles around.
std::vector<Vec3> mean_normals(const character::Character& character,
                               const std::vector<Vec3>& positions) {
  std::vector<Vec3> normals(positions.size(), Vec3::Zero());
  for (const geometry::Triangle& triangle : character.triangles) {
    const auto corner = [&](std::size_t c) -> const Vec3& {
      return positions[static_cast<std::size_t>(triangle[c])];
    };
    const Vec3 area = (corner(1) - corner(0)).cross(corner(2) - corner(0));
    for (const geometry::Index v : triangle) normals[static_cast<std::size_t>(v)] += area;
  }
  for (Vec3& normal : normals) normal.normalize();
  return normals;
}

/// Moves the bones' matrices the way normals go; a flattened bone leaves them as they are.
Eigen::Matrix3d normal_matrix(const Matrix4d& matrix) {
  const Eigen::Matrix3d linear = matrix.topLeftCorner<3, 3>();
  Eigen::Matrix3d cofactors;  // inverse transposed times determinant
  cofactors.col(0) = linear.col(1).cross(linear.col(2));
  cofactors.col(1) = linear.col(2).cross(linear.col(0));
  cofactors.col(2) = linear.col(0).cross(linear.col(1));
  return linear.determinant() < 0 ? Eigen::Matrix3d(-cofactors) : cofactors;
}

}  // namespace

PosedCharacter::PosedCharacter(const bake::BakedFile& file, const bake::GltfCharacter& source,
                               const bake::Motion& motion, const bake::Tracks& tracks)
    : m_file(&file), m_character(&source.character), m_motion(&motion), m_tracks(&tracks) {
  SUPPLE_CHECK_OP(static_cast<std::size_t>(tracks.values.rows()), ==, motion.frames.size());
  for (Eigen::Index mode = 0; mode < tracks.values.cols(); ++mode) {
    Shape shape;
    shape.displacements.resize(3 * m_character->positions.size());
    shape.normals.resize(shape.displacements.size());
    const auto number = static_cast<std::uint32_t>(mode);
    supple_mode_info info{};
    (void)supple_asset_mode(file.asset(), number, &info);
    (void)supple_asset_mode_shape(file.asset(), number, shape.displacements.data(),
                                  shape.normals.data());
    shape.largest = info.largest_displacement;
    m_shapes.push_back(std::move(shape));
  }
}

PosedSkin PosedCharacter::bind_skin() const {
  PosedSkin skin{m_character->positions, m_character->normals};
  if (skin.normals.empty()) skin.normals = mean_normals(*m_character, skin.positions);
  return skin;
}

/// Matrix-palette skinning as the player does it.
PosedSkin PosedCharacter::skinned(PosedSkin skin, const std::vector<Matrix4d>& bones) const {
  std::vector<Matrix4d> palette;
  for (std::size_t b = 0; b < bones.size(); ++b) {
    palette.emplace_back(bones[b] * m_character->bones[b].inverse_bind);
  }
  const std::size_t influences = m_character->influences;
  for (std::size_t v = 0; v < skin.positions.size(); ++v) {
    Matrix4d blended = Matrix4d::Zero();
    for (std::size_t i = influences * v; i < influences * (v + 1); ++i) {
      if (m_character->weights[i] != 0) {
        blended += m_character->weights[i] * palette[m_character->joints[i]];
      }
    }
    skin.positions[v] = (blended * skin.positions[v].homogeneous()).head<3>();
    skin.normals[v] = (normal_matrix(blended) * skin.normals[v]).normalized();
  }
  return skin;
}

PosedSkin PosedCharacter::with_flesh(std::size_t frame) const {
  PosedSkin skin = bind_skin();
  const auto row = static_cast<Eigen::Index>(frame);
  for (std::size_t m = 0; m < m_shapes.size(); ++m) {
    const double q = m_tracks->values(row, static_cast<Eigen::Index>(m));
    for (std::size_t v = 0; v < skin.positions.size(); ++v) {
      skin.positions[v] += q * vector_at(m_shapes[m].displacements, v);
      skin.normals[v] += q * vector_at(m_shapes[m].normals, v);
    }
  }
  return skinned(std::move(skin), m_motion->frames[frame]);
}

PosedSkin PosedCharacter::rigid(std::size_t frame) const {
  return skinned(bind_skin(), m_motion->frames[frame]);
}

PosedSkin PosedCharacter::at_rest() const {
  std::vector<Matrix4d> bones;
  for (const character::Bone& bone : m_character->bones) bones.push_back(bone.rest_world);
  return skinned(bind_skin(), bones);
}

std::vector<std::size_t> PosedCharacter::vertices_of(std::size_t object) const {
  supple_object_info info{};
  (void)supple_asset_object(m_file->asset(), static_cast<std::uint32_t>(object), &info);
  std::vector<std::size_t> vertices;
  for (std::size_t v = 0; v < m_character->positions.size(); ++v) {
    for (std::size_t m = info.first_mode; m < info.first_mode + info.mode_count; ++m) {
      if (vector_at(m_shapes[m].displacements, v).isZero(0)) continue;
      vertices.push_back(v);
      break;
    }
  }
  return vertices;
}

std::size_t PosedCharacter::liveliest_frame() const {
  Eigen::VectorXd amounts = Eigen::VectorXd::Zero(m_tracks->values.rows());
  for (std::size_t m = 0; m < m_shapes.size(); ++m) {
    const auto track = m_tracks->values.col(static_cast<Eigen::Index>(m)).array();
    amounts.array() += (m_shapes[m].largest * track).square();
  }
  Eigen::Index frame = 0;
  if (amounts.size() > 0) amounts.maxCoeff(&frame);
  return static_cast<std::size_t>(frame);
}

std::vector<Colour> surface_colours(const io::GltfAsset& asset, const bake::GltfCharacter& source) {
  std::vector<Colour> colours(source.character.positions.size(), Colour::Ones());
  for (const soft::Part& part : source.parts) {
    const io::GltfPrimitive& primitive = asset.meshes[part.mesh].primitives[part.primitive];
    Eigen::Vector4d base = Eigen::Vector4d::Ones();
    if (primitive.material) base = asset.base_colours[*primitive.material];
    // White mostly means that a texture has the colours, and shows no shape.
    constexpr double kWhite = 0.9;
    if (primitive.colours.empty() && base.head<3>().minCoeff() > kWhite) {
      base = Eigen::Vector4d(0.60, 0.57, 0.53, 1);
    }
    for (std::size_t v = 0; v < part.vertex_count; ++v) {
      Eigen::Vector4d colour = base;
      if (!primitive.colours.empty()) colour = colour.cwiseProduct(primitive.colours[v]);
      colours[part.first_vertex + v] = colour.head<3>().cast<float>().cwiseMax(0.0F).cwiseMin(1.0F);
    }
  }
  return colours;
}

}  // namespace supple::app
