// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/sheet_model.hpp"

#include "supple/settings/fields.hpp"

#include <Eigen/Geometry>

#include <utility>

namespace supple::fem {
namespace {

/// The sheet as ShellModel has it, without resistance to stretching.
ShellModel bending_model(const SheetModel& model, Bending bending) {
  ShellModel shell;
  shell.mesh = model.mesh;
  shell.regions = model.regions;
  shell.bending = bending;
  for (const SheetMaterial& sheet : model.materials) {
    constexpr double kAnyEdge = 1;  // concerns only stretching
    ShellMaterial material =
        shell_material({sheet.name, sheet.youngs_modulus, sheet.poisson_ratio, sheet.density},
                       sheet.thickness, kAnyEdge);
    material.area_stiffness = 0;
    material.length_stiffness = 0;
    material.bending_stiffness *= sheet.bending_factor;
    shell.materials.push_back(std::move(material));
  }
  return shell;
}

}  // namespace

const settings::Fields<SheetMaterial>& sheet_material_fields() {
  using S = SheetMaterial;
  using settings::above;
  using settings::field;
  static const settings::Fields<S> fields =
      settings::Fields<S>{
          field<&S::name>("name", "what reports call it"),
          field<&S::youngs_modulus>("youngs_modulus", "Young's modulus")
              .in("Pa")
              .range(above(0))
              .must_be_given(),
          field<&S::poisson_ratio>("poisson_ratio", "Poisson's ratio").range(above(-1).below(0.5)),
          field<&S::density>("density", "mass per volume")
              .in("kg/m^3")
              .range(above(0))
              .must_be_given(),
          field<&S::thickness>("thickness", "of the matter itself, at rest")
              .in("m")
              .range(above(0))
              .must_be_given(),
          field<&S::bending_factor>(
              "bending_factor",
              "times the bending stiffness of solid matter; cloth has 0.1 and less")
              .range(above(0)),
          settings::choice<&S::limit>("limit", {"none", "penalty", "hard"},
                                      "what happens beyond stretch_limit"),
          field<&S::stretch_limit>("stretch_limit", "strain; 0.1 lets 1 m become 1.1 m")
              .range(above(0)),
          field<&S::limit_stiffness>("limit_stiffness",
                                     "Young's moduli that a penalty has added at twice the limit")
              .range(above(0)),
      }
          .titled([](const S& material) { return "sheet material '" + material.name + "'"; });
  return fields;
}

Result<void> SheetMaterial::validate() const {
  return sheet_material_fields().check(*this);
}

Result<void> SheetModel::validate() const {
  for (const SheetMaterial& material : materials) SUPPLE_TRY_VOID(material.validate());
  return bending_model(*this, Bending::Hinge).validate();
}

Eigen::VectorXd lumped_masses(const SheetModel& model) {
  Eigen::VectorXd masses =
      Eigen::VectorXd::Zero(static_cast<Eigen::Index>(model.mesh.positions.size()));
  for (std::size_t t = 0; t < model.mesh.triangles.size(); ++t) {
    const SheetMaterial& material = model.material_of(t);
    const auto& [a, b, c] = model.mesh.triangles[t];
    const auto& at = model.mesh.positions;
    const double area = 0.5 * (at[b] - at[a]).cross(at[c] - at[a]).norm();
    for (const geometry::Index node : {a, b, c}) {
      masses(node) += material.density * material.thickness * area / 3;
    }
  }
  return masses;
}

Result<DiscreteShell> bending_shell(const SheetModel& model, Bending bending) {
  SUPPLE_TRY_VOID(model.validate());
  return DiscreteShell::create(bending_model(model, bending));
}

}  // namespace supple::fem
