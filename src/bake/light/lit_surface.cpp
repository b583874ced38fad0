// SPDX-License-Identifier: Apache-2.0
#include "bake/light/lit_surface.hpp"

#include "supple/io/gltf_pose.hpp"
#include "supple/shell/shell_object.hpp"

#include <fmt/format.h>
#include <Eigen/LU>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace supple::bake::detail {
namespace {

using geometry::Vec3;

Eigen::Matrix<double, 3, 4> top_rows(const Eigen::Matrix4d& matrix) {
  return matrix.topRows<3>();
}

Vec3 placed(const Eigen::Matrix<double, 3, 4>& matrix, const Vec3& point) {
  return matrix.leftCols<3>() * point + matrix.col(3);
}

/// Colours of a primitive before light was in them; null: it has none.
std::optional<Eigen::Vector3d> vertex_colour(const io::GltfPrimitive& primitive,
                                             std::size_t vertex) {
  for (const io::GltfAttribute& attribute : primitive.attributes) {
    if (attribute.name != kAlbedoAttribute || attribute.width != 3) continue;
    return Eigen::Map<const Eigen::Vector3f>(attribute.values.data() + 3 * vertex).cast<double>();
  }
  if (primitive.colours.empty()) return {};
  return Vec3(primitive.colours[vertex].head<3>());
}

/// The smallest turn from one unit vector to another, on a third. Opposite ones have none.
Vec3 turned_along(const Vec3& from, const Vec3& to, const Vec3& v) {
  const double cosine = from.dot(to);
  if (cosine < -0.999999) return -v;
  const Vec3 axis = from.cross(to);
  return v + axis.cross(v) + axis.cross(axis.cross(v)) / (1 + cosine);
}

}  // namespace

/// Goes through what a file shows.
class LitSurface::Collector {
 public:
  Collector(const io::GltfAsset& asset, const std::vector<soft::Part>& parts,
            const LightSettings& settings, LitSurface& to)
      : m_asset(asset),
        m_settings(settings),
        m_to(to),
        m_materials(io::read_materials(asset).materials),
        m_pose(io::rest_pose(asset)),
        m_world(io::world_matrices(asset, m_pose)) {
    for (const soft::Part& part : parts) m_parts[{part.mesh, part.primitive}] = &part;
    std::size_t vertices = 0;
    for (const soft::Part& part : parts) vertices += part.vertex_count;
    resize(vertices);
  }

  Result<void> run() {
    m_to.m_rest.albedo.clear();
    m_to.m_surroundings.albedo.clear();
    m_to.m_rest.albedo.resize(m_to.m_own.size(), Eigen::Vector3f::Zero());
    for (const std::size_t node : io::shown_nodes(m_asset)) {
      const std::size_t mesh = *m_asset.nodes[node].mesh;
      for (std::size_t p = 0; p < m_asset.meshes[mesh].primitives.size(); ++p) {
        const auto part = m_parts.find({mesh, p});
        const bool moves = part != m_parts.end() && m_seen.insert({mesh, p}).second;
        moves ? add_moving(node, mesh, p, *part->second) : add_still(node, mesh, p);
      }
    }
    if (m_seen.size() != m_parts.size()) {
      return bad_input(
          fmt::format("'{}' does not show a mesh that its .supple moves; add it to "
                      "the scene, or bake the file again",
                      m_asset.name));
    }
    choose_sides();
    describe();
    return {};
  }

 private:
  void resize(std::size_t vertices) {
    m_to.m_own.resize(vertices);
    m_to.m_to_world.resize(vertices);
    m_to.m_rest.mesh.positions.resize(vertices);
    m_to.m_rest.normals.assign(vertices, Vec3::Zero());
  }

  /// What a vertex reflects.
  [[nodiscard]] Eigen::Vector3f albedo(const io::GltfPrimitive& primitive, std::size_t vertex) {
    const std::optional<Eigen::Vector3d> colour = vertex_colour(primitive, vertex);
    Eigen::Vector3d reflected = colour.value_or(Eigen::Vector3d::Ones());
    if (primitive.material) {
      reflected = reflected.cwiseProduct(m_asset.base_colours[*primitive.material].head<3>());
    } else if (!colour) {
      reflected = m_settings.surface.albedo;
      ++m_without_albedo;
    }
    const double most = m_settings.surface.most;
    return reflected.cwiseMax(0.0).cwiseMin(most).cast<float>();
  }

  void look_at_material(const io::GltfPrimitive& primitive) {
    if (!primitive.material) return;
    const io::GltfMaterial& material = m_materials[*primitive.material];
    if (material.base_colour_texture) m_textured.insert(material.name);
  }

  [[nodiscard]] bool seen_from_both_sides(const io::GltfPrimitive& primitive) const {
    return primitive.material && m_materials[*primitive.material].double_sided;
  }

  /// From a vertex as its primitive has it to the world at rest.
  [[nodiscard]] std::vector<Eigen::Matrix<double, 3, 4>> matrices(
      std::size_t node, const io::GltfPrimitive& primitive) const {
    std::vector<Eigen::Matrix<double, 3, 4>> all(primitive.positions.size(),
                                                 top_rows(m_world[node]));
    const io::GltfNode& drawn = m_asset.nodes[node];
    if (!drawn.skin || primitive.influences == 0) return all;
    const auto joints = io::skinning_matrices(m_asset.skins[*drawn.skin], m_world);
    for (std::size_t v = 0; v < all.size(); ++v) {
      all[v] = top_rows(io::blended_matrix(primitive, v, joints));
    }
    return all;
  }

  /// Positions, normals, albedo and triangles of a primitive, from `first` on.
  void fill(std::size_t node, const io::GltfPrimitive& primitive, std::size_t first,
            light::Surface& surface) {
    const auto world = matrices(node, primitive);
    const auto own = io::morphed_positions(primitive, m_pose.weights[node]);
    std::size_t mirrored = 0;
    for (std::size_t v = 0; v < own.size(); ++v) {
      const Eigen::Matrix3d linear = world[v].leftCols<3>();
      surface.mesh.positions[first + v] = placed(world[v], own[v]);
      if (!primitive.normals.empty()) {
        const Vec3 normal = linear.inverse().transpose() * primitive.normals[v];
        if (normal.norm() > 0 && normal.allFinite()) {
          surface.normals[first + v] = normal.normalized();
        }
      }
      surface.albedo[first + v] = albedo(primitive, v);
      if (linear.determinant() < 0) ++mirrored;
    }
    const bool flip = 2 * mirrored > own.size();
    const auto offset = static_cast<geometry::Index>(first);
    for (const geometry::Triangle& t : primitive.triangles) {
      surface.mesh.triangles.push_back(
          {t[0] + offset, t[flip ? 2 : 1] + offset, t[flip ? 1 : 2] + offset});
    }
    look_at_material(primitive);
  }

  void add_moving(std::size_t node, std::size_t mesh, std::size_t number, const soft::Part& part) {
    const io::GltfPrimitive& primitive = m_asset.meshes[mesh].primitives[number];
    fill(node, primitive, part.first_vertex, m_to.m_rest);
    const auto world = matrices(node, primitive);
    const auto own = io::morphed_positions(primitive, m_pose.weights[node]);
    for (std::size_t v = 0; v < own.size(); ++v) {
      m_to.m_own[part.first_vertex + v] = own[v];
      m_to.m_to_world[part.first_vertex + v] = world[v];
    }
    m_both_sides |= seen_from_both_sides(primitive);
    m_to.m_pieces.push_back({node, mesh, number, part.first_vertex, part.vertex_count, true});
  }

  void add_still(std::size_t node, std::size_t mesh, std::size_t number) {
    const io::GltfPrimitive& primitive = m_asset.meshes[mesh].primitives[number];
    if (primitive.triangles.empty()) return;
    light::Surface& surface = m_to.m_surroundings;
    const std::size_t first = surface.mesh.positions.size();
    const std::size_t count = primitive.positions.size();
    surface.mesh.positions.resize(first + count);
    surface.normals.resize(first + count, Vec3::Zero());
    surface.albedo.resize(first + count, Eigen::Vector3f::Zero());
    fill(node, primitive, first, surface);
    surface.two_sided |= seen_from_both_sides(primitive);
    m_to.m_pieces.push_back({node, mesh, number, first, count, false});
  }

  void choose_sides() {
    for (const soft::Object& object : m_to.m_objects) {
      m_both_sides |= object.kind() == soft::Kind::Shell;
    }
    light::Surface& moving = m_to.m_rest;
    const int sides = m_settings.transfer.sides;
    moving.two_sided = sides == 0 ? m_both_sides : sides == 2;
    for (light::Surface* surface : {&moving, &m_to.m_surroundings}) {
      const auto through = static_cast<float>(m_settings.surface.transmission);
      if (!surface->two_sided || through == 0) continue;
      for (Eigen::Vector3f& albedo : surface->albedo) {
        surface->transmission.emplace_back(through * albedo);
        albedo *= 1 - through;
      }
    }
    if (m_to.m_surroundings.mesh.positions.empty()) m_to.m_surroundings = {};
  }

  void describe() {
    if (m_without_albedo > 0) {
      const Vec3& a = m_settings.surface.albedo;
      m_to.m_warnings.push_back(
          fmt::format("{} vertices have neither a colour nor a material: they reflect {:g}, {:g}, "
                      "{:g} (surface.albedo)",
                      m_without_albedo, a.x(), a.y(), a.z()));
    }
    for (const std::string& name : m_textured) {
      m_to.m_warnings.push_back(fmt::format(
          "material '{}': its texture does not count as albedo, its base colour does", name));
    }
  }

  const io::GltfAsset& m_asset;
  const LightSettings& m_settings;
  LitSurface& m_to;
  std::vector<io::GltfMaterial> m_materials;
  io::GltfPose m_pose;
  std::vector<Eigen::Matrix4d> m_world;
  std::map<std::pair<std::size_t, std::size_t>, const soft::Part*> m_parts;
  std::set<std::pair<std::size_t, std::size_t>> m_seen;
  std::set<std::string> m_textured;
  std::size_t m_without_albedo = 0;
  bool m_both_sides = false;
};

namespace {

/// Vertices at one place with one normal are the same vertex of the surface, split by a seam.
std::vector<std::size_t> find_groups(const light::Surface& surface) {
  std::map<std::array<double, 6>, std::size_t> numbers;
  std::vector<std::size_t> groups;
  for (std::size_t v = 0; v < surface.mesh.positions.size(); ++v) {
    const Vec3& p = surface.mesh.positions[v];
    const Vec3& n = surface.normals[v];
    const std::array<double, 6> key{p.x(), p.y(), p.z(), n.x(), n.y(), n.z()};
    groups.push_back(numbers.emplace(key, numbers.size()).first->second);
  }
  return groups;
}

}  // namespace

Result<LitSurface> LitSurface::create(const io::GltfAsset& asset,
                                      const std::vector<soft::Part>& parts,
                                      std::vector<soft::Object> objects,
                                      const LightSettings& settings) {
  LitSurface surface;
  surface.m_objects = std::move(objects);
  SUPPLE_TRY_VOID(Collector(asset, parts, settings, surface).run());
  surface.m_group = find_groups(surface.m_rest);
  surface.m_rest_group_normals = surface.group_normals(surface.m_rest.mesh.positions);
  for (light::Surface* lit : {&surface.m_rest, &surface.m_surroundings}) {
    if (lit->normals.empty()) continue;
    const std::vector<Vec3> normals = geometry::vertex_normals(lit->mesh);
    for (std::size_t v = 0; v < normals.size(); ++v) {
      if (lit->normals[v].isZero(0)) lit->normals[v] = normals[v];
      // Vertices of no triangle are lit by nobody, but need a normal.
      if (lit->normals[v].isZero(0)) lit->normals[v] = Vec3::UnitY();
    }
  }
  return surface;
}

std::vector<Vec3> LitSurface::group_normals(const std::vector<Vec3>& positions) const {
  std::vector<Vec3> normals(positions.size(), Vec3::Zero());  // at most so many groups
  for (const geometry::Triangle& t : m_rest.mesh.triangles) {
    const auto corner = [&](std::size_t i) { return static_cast<std::size_t>(t[i]); };
    const Vec3 area = (positions[corner(1)] - positions[corner(0)])
                          .cross(positions[corner(2)] - positions[corner(0)]);
    for (std::size_t i = 0; i < 3; ++i) normals[m_group[corner(i)]] += area;
  }
  for (Vec3& normal : normals) {
    const double length = normal.norm();
    normal = length > 0 ? Vec3(normal / length) : Vec3::Zero();
  }
  return normals;
}

std::vector<Vec3> LitSurface::positions_at(const Eigen::VectorXd& q) const {
  std::vector<Vec3> moved = m_own;
  Eigen::Index first = 0;
  for (const soft::Object& object : m_objects) {
    for (std::size_t i = 0; i < object.vertices.size(); ++i) {
      Vec3 p = Vec3::Zero();
      Vec3 w = Vec3::Zero();
      for (std::size_t k = 0; k < object.modes.size(); ++k) {
        const double c = q[first + static_cast<Eigen::Index>(k)];
        p += c * object.modes[k].displacements[i];
        if (object.shell) w += c * object.modes[k].turns[i];
      }
      moved[object.vertices[i]] += object.shell ? Vec3(shell::mean_rotation(w) * p) : p;
    }
    first += static_cast<Eigen::Index>(object.modes.size());
  }
  for (std::size_t v = 0; v < moved.size(); ++v) moved[v] = placed(m_to_world[v], moved[v]);
  return moved;
}

light::Surface LitSurface::at(const Eigen::VectorXd& q) const {
  light::Surface surface = m_rest;
  surface.mesh.positions = positions_at(q);
  const std::vector<Vec3> normals = group_normals(surface.mesh.positions);
  for (std::size_t v = 0; v < surface.normals.size(); ++v) {
    const Vec3& before = m_rest_group_normals[m_group[v]];
    const Vec3& now = normals[m_group[v]];
    if (before.isZero(0) || now.isZero(0)) continue;
    surface.normals[v] = turned_along(before, now, surface.normals[v]).normalized();
  }
  return surface;
}

Eigen::VectorXd LitSurface::mode_sizes() const {
  std::vector<double> sizes;
  for (const soft::Object& object : m_objects) {
    for (const soft::Mode& mode : object.modes) {
      double sum = 0;
      for (std::size_t i = 0; i < object.vertices.size(); ++i) {
        const Eigen::Matrix3d linear = m_to_world[object.vertices[i]].leftCols<3>();
        sum += (linear * mode.displacements[i]).squaredNorm();
      }
      sizes.push_back(std::sqrt(sum / static_cast<double>(std::max<std::size_t>(m_own.size(), 1))));
    }
  }
  return Eigen::Map<Eigen::VectorXd>(sizes.data(), static_cast<Eigen::Index>(sizes.size()));
}

double LitSurface::size_of(std::size_t object) const {
  geometry::Box box;
  for (const std::uint32_t v : m_objects[object].vertices) box.add(m_rest.mesh.positions[v]);
  return m_objects[object].vertices.empty() ? 0 : box.diagonal();
}

}  // namespace supple::bake::detail
