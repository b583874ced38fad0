// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/fem/solid_model.hpp"
#include "supple/geometry/tet_mesh.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace supple::app {

enum class Mesher { Stuffing, Netgen };

/// What the user said about the model; what was left out stays empty, so that an option that does
/// not fit the input can be told from a default.
struct ModelRequest {
  std::string file;
  std::string sample;
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
  std::string title;                            ///< file name or sample, for messages
  std::optional<geometry::TetQuality> quality;  ///< of meshes that we made
  std::size_t fixed_nodes = 0;
  std::optional<int> requested_modes;  ///< by a deck's *FREQUENCY card
  double mass = 0;                     ///< kg
  std::vector<std::pair<std::string, double>> seconds;
};

/// Refuses options that make no sense for this kind of input, before anything is read.
[[nodiscard]] Result<void> check_request(const ModelRequest& request);

/// Reads or makes the mesh, gives it materials and supports.
[[nodiscard]] Result<LoadedModel> load_model(const ModelRequest& request);

}  // namespace supple::app
