// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/fem/solid_model.hpp"
#include "supple/geometry/tet_mesh.hpp"
#include "supple/geometry/tri_mesh.hpp"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace supple::bake {

enum class Mesher { Stuffing, Netgen };

/// A solid that code makes to measure, such as a built-in sample.
struct SolidMaker {
  struct Mesh {
    geometry::TetMesh mesh;
    std::optional<geometry::TriMesh> surface;  ///< that boundary elements bend onto
  };
  std::string title;     ///< what messages call it
  std::string material;  ///< unless another is given
  std::vector<std::string> supports;
  std::function<Result<Mesh>(std::size_t elements)> make;
};

/// What the user said about the model; what was left out stays empty, so that an option that does
/// not fit the input can be told from a default.
struct ModelRequest {
  std::string file;
  std::optional<SolidMaker> maker;  ///< or one that is made to measure
  std::optional<Mesher> mesher;
  std::optional<std::size_t> elements;
  std::optional<int> order;
  bool curved = false;
  bool largest_piece = false;
  std::optional<double> scale;
  std::optional<std::string> material;
  std::vector<std::string> regions;
  std::vector<std::string> fix;
  bool free = false;
  fem::MassRule mass_rule = fem::MassRule::Consistent;
};

struct LoadedModel {
  fem::SolidModel model;
  std::string title;                            ///< for messages
  std::optional<geometry::TetQuality> quality;  ///< of meshes that we made
  std::size_t fixed_nodes = 0;
  std::optional<int> requested_modes;  ///< by a deck's *FREQUENCY card
  double mass = 0;                     ///< kg
  std::vector<std::pair<std::string, double>> seconds;
};

/// Refuses options that make no sense for this kind of input, before anything is read.
[[nodiscard]] Result<void> check(const ModelRequest& request);

/// Reads or makes the mesh, gives it materials and supports.
[[nodiscard]] Result<LoadedModel> load_model(const ModelRequest& request);

}  // namespace supple::bake
