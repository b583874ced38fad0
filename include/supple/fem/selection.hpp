// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/fem/solid_model.hpp"
#include "supple/geometry/tet_mesh.hpp"

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace supple::fem {

/// Nodes of a set of the mesh; letter case matters only if two names differ in nothing else.
struct InSet {
  std::string name;
};

/// Nodes on, or to one side of, a plane across a coordinate axis.
struct AtPlane {
  enum class Side { On, Below, Above };
  int axis = 0;  ///< 0 x, 1 y, 2 z
  double offset = 0;
  Side side = Side::On;
  double tolerance = -1;  ///< metres; negative: a millionth of the model's diagonal
};

struct InBox {
  geometry::Box box;  ///< bounds included
};

struct InSphere {
  geometry::Vec3 centre = geometry::Vec3::Zero();
  double radius = 0;  ///< boundary included
};

/// A selection of nodes, and the components to fix.
struct NodeSelection {
  std::variant<InSet, AtPlane, InBox, InSphere> where;
  std::uint8_t components = kFixAll;  ///< kFix* bits
  std::string text;                   ///< as written, for messages
};

/// The written forms, all in metres; a suffix of component letters (":xy") fixes only those.
///   set:NAME   plane:x=0   plane:x=0,0.001   x<0.1   y>0.2
///   box:x0,y0,z0,x1,y1,z1   sphere:x,y,z,r
/// Anything else is a usage error that lists the forms, or shows the caller's description of them.
[[nodiscard]] Result<NodeSelection> parse_selection(std::string_view text,
                                                    std::string_view forms = {});

using NodeSets = std::map<std::string, std::vector<geometry::Index>>;

/// The selected nodes, ascending. Selecting none is an error that reports the model's bounding box
/// and its sets, because the usual causes are wrong units and a misspelt name.
[[nodiscard]] Result<std::vector<geometry::Index>> select_nodes(
    const std::vector<geometry::Vec3>& points, const NodeSets& sets,
    const NodeSelection& selection);
[[nodiscard]] Result<std::vector<geometry::Index>> select_nodes(const geometry::TetMesh& mesh,
                                                                const NodeSelection& selection);

/// Fixes the selected nodes in addition to those already fixed; returns the number selected.
[[nodiscard]] Result<std::size_t> fix(SolidModel& model, const NodeSelection& selection);

}  // namespace supple::fem
