// SPDX-License-Identifier: Apache-2.0
#include "io/supple/shell.hpp"

#include "supple/io/similarity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace supple::io {
namespace {

using format::kBlock;

Result<void> check_points(const soft::Object& object, const soft::ShellTraits& shell) {
  for (std::size_t i = 0; i < shell.points.size(); ++i) {
    const soft::ForcePoint& point = shell.points[i];
    bool good = point.position.allFinite() && point.area_vector.allFinite() &&
                point.lever.allFinite() && std::isfinite(point.mass) && point.mass >= 0 &&
                point.displacements.size() == object.modes.size() &&
                point.turns.size() == object.modes.size();
    for (const auto* vectors : {&point.displacements, &point.turns}) {
      for (const Eigen::Vector3d& v : *vectors) good = good && v.allFinite();
    }
    if (good) continue;
    return bad_input(
        fmt::format("shell '{}', force point {}: needs finite numbers, a mass from 0 on, and a "
                    "displacement and a turn for each of {} modes",
                    object.name, i + 1, object.modes.size()));
  }
  return {};
}

Result<void> check_attachments(const soft::Object& object, const soft::ShellTraits& shell) {
  for (const soft::Attachment& attachment : shell.attachments) {
    const std::string what =
        fmt::format("shell '{}', handle on bone '{:.40}'", object.name, attachment.bone);
    if (!std::binary_search(object.vertices.begin(), object.vertices.end(), attachment.vertex)) {
      return bad_input(
          fmt::format("{}: vertex {} is not one that the shell moves", what, attachment.vertex));
    }
    constexpr std::uint32_t kAll = format::kHandlePosition | format::kHandleOrientation;
    if (attachment.components == 0 || (attachment.components & ~kAll) != 0) {
      return bad_input(fmt::format("{}: holds no component; hold position or orientation", what));
    }
    if (!attachment.bone_from_frame.allFinite() || !attachment.rest.allFinite() ||
        !std::isfinite(attachment.stiffness) || attachment.stiffness < 0 ||
        attachment.bone.size() >= format::kLongestText) {
      return bad_input(
          fmt::format("{}: its frame or stiffness is no finite number from 0 on, or the bone's "
                      "name is longer than {} bytes",
                      what, format::kLongestText - 1));
    }
  }
  return {};
}

bool strain_fits(const soft::Object& object, const soft::StrainSolve& strain) {
  const std::size_t nodes = strain.vertex_of_node.size();
  const auto below_nodes = [nodes](std::uint32_t node) { return node < nodes; };
  bool good = strain.node_of_vertex.size() == object.vertices.size() &&
              (strain.rest.empty() || strain.rest.size() == nodes) && strain.free_nodes <= nodes &&
              strain.cotangents.size() == strain.triangles.size() &&
              strain.column_start.size() == std::size_t{strain.free_nodes} + 1 &&
              strain.rows.size() == strain.values.size();
  if (!good) return false;
  good = std::all_of(strain.node_of_vertex.begin(), strain.node_of_vertex.end(), below_nodes);
  for (const auto& triangle : strain.triangles) {
    good = good && std::all_of(triangle.begin(), triangle.end(), below_nodes);
  }
  for (const auto& corners : strain.cotangents) {
    for (const double cotangent : corners) good = good && std::isfinite(cotangent);
  }
  good =
      good && strain.column_start.front() == 0 && strain.column_start.back() == strain.rows.size();
  for (std::size_t column = 0; good && column < strain.free_nodes; ++column) {
    const std::uint32_t first = strain.column_start[column];
    const std::uint32_t end = strain.column_start[column + 1];
    good = first < end && end <= strain.rows.size() && strain.rows[first] == column &&
           strain.values[first] > 0;
    for (std::uint32_t i = first; good && i < end; ++i) {
      good = strain.rows[i] < strain.free_nodes && strain.rows[i] >= column &&
             std::isfinite(strain.values[i]);
    }
  }
  return good;
}

/// One row of a block of points: a number for each of kBlock of them.
template <class Number>
void add_row(const soft::ShellTraits& shell, std::size_t first, const Number& number,
             std::vector<float>& rows) {
  for (std::size_t i = first; i < first + kBlock; ++i) {
    rows.push_back(i < shell.points.size() ? static_cast<float>(number(shell.points[i])) : 0.0F);
  }
}

void add_points(const soft::ShellTraits& shell, std::size_t modes, std::vector<float>& rows) {
  const std::size_t blocks = (shell.points.size() + kBlock - 1) / kBlock;
  rows.reserve(rows.size() + blocks * kBlock * (format::kPointRows + format::kRows * modes));
  for (std::size_t first = 0; first < shell.points.size(); first += kBlock) {
    const auto vectors = [&](const auto& vector) {
      for (Eigen::Index axis = 0; axis < 3; ++axis) {
        add_row(
            shell, first, [&](const soft::ForcePoint& p) { return vector(p)[axis]; }, rows);
      }
    };
    vectors([](const soft::ForcePoint& p) { return p.position; });
    add_row(
        shell, first, [](const soft::ForcePoint& p) { return p.mass; }, rows);
    vectors([](const soft::ForcePoint& p) { return p.area_vector; });
    vectors([](const soft::ForcePoint& p) { return p.lever; });
    for (std::size_t k = 0; k < modes; ++k) {
      vectors([k](const soft::ForcePoint& p) { return p.displacements[k]; });
      vectors([k](const soft::ForcePoint& p) { return p.turns[k]; });
    }
  }
}

void add_strain(const soft::Object& object, const soft::StrainSolve& strain, format::Shell& record,
                ShellSections& sections) {
  record.strain = static_cast<std::uint32_t>(sections.strain.size());
  record.factor = static_cast<std::uint32_t>(sections.factors.size());
  const auto number = [&](std::size_t n) {
    sections.strain.push_back(static_cast<std::uint32_t>(n));
  };
  const auto numbers = [&](const std::vector<std::uint32_t>& list) {
    sections.strain.insert(sections.strain.end(), list.begin(), list.end());
  };
  number(strain.vertex_of_node.size());
  number(strain.free_nodes);
  number(strain.triangles.size());
  number(strain.rows.size());
  number(object.vertices.size());
  numbers(object.vertices);
  numbers(strain.node_of_vertex);
  numbers(strain.vertex_of_node);
  for (const auto& triangle : strain.triangles) {
    for (const std::uint32_t node : triangle) number(node);
  }
  numbers(strain.column_start);
  numbers(strain.rows);
  for (const auto& corners : strain.cotangents) {
    sections.factors.insert(sections.factors.end(), corners.begin(), corners.end());
  }
  sections.factors.insert(sections.factors.end(), strain.values.begin(), strain.values.end());
  sections.nodes += strain.vertex_of_node.size();
  sections.rest.reserve(sections.rest.size() + 3 * strain.rest.size());
  for (const geometry::Vec3& x : strain.rest) {
    for (const double coordinate : {x.x(), x.y(), x.z()}) {
      sections.rest.push_back(static_cast<float>(coordinate));
    }
  }
}

format::Attachment attachment_record(const soft::Attachment& attachment) {
  format::Attachment record{};
  record.vertex = attachment.vertex;
  record.components = attachment.components;
  record.node = attachment.node;
  record.stiffness = attachment.stiffness;
  record.rest = {attachment.rest.x(), attachment.rest.y(), attachment.rest.z()};
  for (std::size_t i = 0; i < 12; ++i) {
    record.bone_from_frame[i] = attachment.bone_from_frame(static_cast<Eigen::Index>(i / 4),
                                                           static_cast<Eigen::Index>(i % 4));
  }
  return record;
}

}  // namespace

bool is_similarity(const Eigen::Matrix3d& linear) {
  const double volume =
      linear.col(0).cross(linear.col(1)).dot(linear.col(2));  // scale^3 of a similarity
  if (!(volume > 0)) return false;
  const double scale = std::cbrt(volume);
  constexpr double kTolerance = 1e-4;
  const Eigen::Matrix3d gram = linear.transpose() * linear / (scale * scale);
  return (gram - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff() < kTolerance;
}

Result<void> check_shell(const soft::Asset& asset, const soft::Object& object) {
  if (!object.shell) return {};
  const soft::ShellTraits& shell = *object.shell;
  if (!is_similarity(object.frame_from_bind.leftCols<3>())) {
    return bad_input(
        fmt::format("shell '{}': its bone is mirrored or scaled unevenly, so that turns have no "
                    "meaning; apply the scale in the modelling program",
                    object.name));
  }
  if (object.modes.size() > format::kMostShellModes) {
    return bad_input(fmt::format("shell '{}' has {} modes; a shell has at most {}", object.name,
                                 object.modes.size(), format::kMostShellModes));
  }
  if (!object.coriolis.empty()) {
    return bad_input(
        fmt::format("shell '{}': a Coriolis term is for flesh; leave it out", object.name));
  }
  if (!(shell.size > 0) || !std::isfinite(shell.size) || !(shell.follow_turn > 0) ||
      !std::isfinite(shell.follow_turn) || !std::isfinite(shell.point_error)) {
    return bad_input(fmt::format(
        "shell '{}': size {} and follow turn {} must be finite and above 0, and the error of its "
        "points finite",
        object.name, shell.size, shell.follow_turn));
  }
  for (const soft::Object& other : asset.objects) {
    if (&other == &object) continue;
    std::vector<std::uint32_t> shared;
    std::set_intersection(object.vertices.begin(), object.vertices.end(), other.vertices.begin(),
                          other.vertices.end(), std::back_inserter(shared));
    if (shared.empty()) continue;
    return bad_input(
        fmt::format("shell '{}' and '{}' both move vertex {}; a vertex of a shell belongs to it "
                    "alone",
                    object.name, other.name, shared.front()));
  }
  SUPPLE_TRY_VOID(check_points(object, shell));
  SUPPLE_TRY_VOID(check_attachments(object, shell));
  if (shell.strain && !strain_fits(object, *shell.strain)) {
    return bad_input(fmt::format(
        "shell '{}': the arrays of its rotation-strain solve do not fit each other", object.name));
  }
  return {};
}

void add_shell(const soft::Object& object, std::uint32_t index, ShellSections& sections) {
  const soft::ShellTraits& shell = *object.shell;
  format::Shell record{};
  record.object = index;
  record.modelled_under_gravity = shell.modelled_under_gravity ? 1 : 0;
  record.point_count = static_cast<std::uint32_t>(shell.points.size());
  record.first_point_row = static_cast<std::uint32_t>(sections.points.size() / kBlock);
  record.first_attachment = static_cast<std::uint32_t>(sections.attachments.size());
  record.attachment_count = static_cast<std::uint32_t>(shell.attachments.size());
  record.strain = record.factor = format::kNone;
  record.size = shell.size;
  record.follow_turn = shell.follow_turn;
  record.point_error = shell.point_error;
  add_points(shell, object.modes.size(), sections.points);
  sections.attachments.reserve(sections.attachments.size() + shell.attachments.size());
  for (const soft::Attachment& attachment : shell.attachments) {
    sections.attachments.push_back(attachment_record(attachment));
  }
  if (shell.strain) add_strain(object, *shell.strain, record, sections);
  sections.shells.push_back(record);
  sections.media.push_back({shell.medium_density, shell.weight});
}

}  // namespace supple::io
