// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/solid_model.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace supple::fem {

Result<void> SolidModel::validate() const {
  SUPPLE_TRY_VOID(mesh.validate());
  if (mesh.element_count() == 0) return bad_input("the mesh has no elements");
  const std::size_t regions = std::max<std::size_t>(1, mesh.region_names.size());
  if (materials.size() != regions) {
    return bad_input(fmt::format("the mesh has {} regions but {} materials were given", regions,
                                 materials.size()));
  }
  for (std::size_t region = 0; region < regions; ++region) {
    std::string where = mesh.region_names.empty()
                            ? ""
                            : fmt::format("checking region '{}'", mesh.region_names[region]);
    Result<void> valid = materials[region].validate();
    if (!valid.ok()) {
      return where.empty() ? std::move(valid) : std::move(valid).during(std::move(where));
    }
  }
  if (!fixed.empty() && fixed.size() != mesh.nodes.size()) {
    return bad_input(fmt::format("{} nodes but {} fixed flags", mesh.nodes.size(), fixed.size()));
  }
  return {};
}

}  // namespace supple::fem
