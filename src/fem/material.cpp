// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/material.hpp"

#include "supple/fem/shell_model.hpp"
#include "supple/settings/fields.hpp"

namespace supple::fem {

const settings::Fields<Material>& material_fields() {
  using settings::above;
  using settings::field;
  static const settings::Fields<Material> fields =
      settings::Fields<Material>{
          field<&Material::name>("name", "what reports call it"),
          field<&Material::youngs_modulus>("youngs_modulus", "Young's modulus")
              .in("Pa")
              .range(above(0))
              .must_be_given(),
          field<&Material::poisson_ratio>(
              "poisson_ratio",
              "Poisson's ratio; 0.5 cannot change volume at all, flesh is near 0.45 to 0.499")
              .range(above(-1).below(0.5))
              .must_be_given(),
          field<&Material::density>("density", "mass per volume")
              .in("kg/m^3")
              .range(above(0))
              .must_be_given(),
      }
          .titled([](const Material& material) { return "material '" + material.name + "'"; });
  return fields;
}

Result<void> Material::validate() const {
  return material_fields().check(*this);
}

const settings::Fields<ShellMaterial>& shell_material_fields() {
  using S = ShellMaterial;
  using settings::field;
  using settings::from;
  static const settings::Fields<S> fields =
      settings::Fields<S>{
          field<&S::name>("name", "what reports call it"),
          field<&S::area_stiffness>("area_stiffness", "k_A of [CWK07 eq. 4]")
              .in("N/m")
              .range(from(0)),
          field<&S::length_stiffness>("length_stiffness",
                                      "k_L of [CWK07 eq. 4]; finer meshes need less")
              .in("N")
              .range(from(0)),
          field<&S::bending_stiffness>("bending_stiffness", "k_B of [CWK07 eq. 4]")
              .in("N m")
              .range(from(0)),
          field<&S::area_density>("area_density", "mass per area")
              .in("kg/m^2")
              .range(settings::above(0))
              .must_be_given(),
          field<&S::poisson_ratio>("poisson_ratio",
                                   "in bending: how far curvatures along and across interact")
              .range(settings::above(-1).below(0.5)),
      }
          .titled([](const S& material) { return "shell material '" + material.name + "'"; })
          .rule([](const S& m) -> std::optional<settings::Complaint> {
            if (m.area_stiffness != 0 || m.length_stiffness != 0 || m.bending_stiffness != 0) {
              return {};
            }
            return settings::Complaint{
                "it resists nothing: area_stiffness, length_stiffness and bending_stiffness are "
                "all 0; give it some",
                {"area_stiffness", "length_stiffness", "bending_stiffness"}};
          });
  return fields;
}

Result<void> ShellMaterial::validate() const {
  return shell_material_fields().check(*this);
}

}  // namespace supple::fem
