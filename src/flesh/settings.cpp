// SPDX-License-Identifier: Apache-2.0
#include "supple/flesh/settings.hpp"

#include "supple/core/suggest.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>

namespace supple::flesh {
namespace {

/// The first complaint; later ones are not looked at.
class Checker {
 public:
  explicit Checker(std::string object) : m_object(std::move(object)) {}

  void require(bool good, const std::function<std::string()>& complaint) {
    if (good || !m_result.ok()) return;
    m_result = bad_input(fmt::format("object '{}': {}", m_object, complaint()));
  }
  template <class T>
  void require_range(bool good, std::string_view key, T value, std::string_view range) {
    require(good, [&] { return fmt::format("{} is {}; it must be {}", key, value, range); });
  }
  void pass_on(const Result<void>& result) {
    if (m_result.ok() && !result.ok()) {
      m_result = Error(result.error()).during(fmt::format("object '{}'", m_object));
    }
  }
  [[nodiscard]] Result<void> result() && { return std::move(m_result); }

 private:
  std::string m_object;
  Result<void> m_result;
};

void check_region(const RegionSettings& region, Checker& check) {
  check.require(!region.bones.empty() || !region.material.empty() || !region.mask.empty(), [] {
    return "nothing says which skin belongs to it; give bone, bones, surface_material or mask";
  });
  for (const std::string& bone : region.bones) {
    check.require(!bone.empty(), [] { return "a bone has no name"; });
  }
}

void check_layers(const std::vector<Layer>& layers, Checker& check) {
  check.require(!layers.empty(), [] { return "it has no material; give material or layers"; });
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const Layer& layer = layers[i];
    check.pass_on(layer.material.validate());
    check.require_range(std::isfinite(layer.depth) && layer.depth >= 0, "the depth of a layer",
                        layer.depth, "a length in metres");
    check.require(layer.depth > 0 || i + 1 == layers.size(), [&] {
      return fmt::format("layer {} ({}) has no depth; only the last one may reach to the bone",
                         i + 1, layer.material.name);
    });
    check.require(i == 0 || layer.depth == 0 || layer.depth > layers[i - 1].depth, [&] {
      return fmt::format(
          "layer {} ({}) ends at depth {}, above the end of the one before it; depths are metres "
          "from the surface and must grow",
          i + 1, layer.material.name, layer.depth);
    });
  }
}

void check_damping(const Damping& damping, Checker& check) {
  const auto non_negative = [](double x) { return std::isfinite(x) && x >= 0; };
  if (const auto* ratio = std::get_if<DampingRatio>(&damping)) {
    check.require_range(non_negative(ratio->xi) && ratio->xi <= 10, "the damping ratio", ratio->xi,
                        "from 0 (rings for ever) to 10; 1 is critical");
  } else if (const auto* rayleigh = std::get_if<RayleighDamping>(&damping)) {
    check.require_range(non_negative(rayleigh->alpha), "alpha of the damping", rayleigh->alpha,
                        "0 or positive (1/s)");
    check.require_range(non_negative(rayleigh->beta), "beta of the damping", rayleigh->beta,
                        "0 or positive (s)");
  } else if (const auto* settles = std::get_if<SettlesIn>(&damping)) {
    check.require_range(std::isfinite(settles->seconds) && settles->seconds > 0,
                        "settle of the damping", settles->seconds, "a positive time in seconds");
  }
}

void check_core(const BoneCore& core, Checker& check) {
  check.require_range(std::isfinite(core.radius) && core.radius >= 0, "the radius of the core",
                      core.radius, "a length in metres");
  check.require_range(core.fraction > 0 && core.fraction < 1, "the fraction of the core",
                      core.fraction,
                      "above 0 and below 1 (of the way from bone to skin); core = false for none");
}

constexpr std::size_t kMostElements = 2'000'000;  // a million took 19 GB in the benchmarks
constexpr int kMostModes = 1000;
constexpr double kLongestLength = 1000;  // metres

}  // namespace

Result<void> ObjectSettings::validate() const {
  Checker check(name);
  check.require(!name.empty(), [] { return "an object needs a name"; });
  check_region(region, check);
  check_layers(layers, check);
  check_damping(damping, check);
  check_core(core, check);
  check.require_range(border >= 0 && border < 1, "border", border, "at least 0 and below 1");
  check.require_range(ramp > 0 && ramp <= 1, "ramp", ramp, "above 0 and at most 1");
  check.require(ramp >= border, [&] {
    return fmt::format(
        "ramp is {}, less than border, {}: the flesh softens from the border "
        "weight to the ramp weight",
        ramp, border);
  });
  check.require_range(elements >= 1 && elements <= kMostElements, "elements", elements,
                      fmt::format("from 1 to {}", kMostElements));
  check.require_range(modes >= 1 && modes <= kMostModes, "modes", modes,
                      fmt::format("from 1 to {}", kMostModes));
  check.require_range(capture >= 0 && capture < 1, "capture", capture,
                      "a share below 1, such as 0.95, or 0 for a fixed number of modes");
  check.require_range(max_modes >= 1 && max_modes <= kMostModes, "max_modes", max_modes,
                      fmt::format("from 1 to {}", kMostModes));
  check.require_range(sag >= 0 && sag <= 10, "sag", sag,
                      "a part of the thickness, such as 0.1, or 0 to leave the moduli alone");
  check.require_range(
      limit >= 0 && limit <= kLongestLength, "limit", limit,
      "a length of at most 1000 metres, or 0 for a third of the tissue's thickness");
  return std::move(check).result();
}

const std::vector<fem::Material>& tissue_presets() {
  // Small strains, quasi-static: measured moduli of tissue scatter by a factor of ten with site,
  // person and method. nu = 0.49 stands for "nearly incompressible", since 0.5 is singular.
  // Densities of tissue: [ICRU89].
  static const std::vector<fem::Material> presets{
      // Breast fat, 3.25 +- 0.91 kPa ex vivo [SZP07].
      {"fat", 3.25e3, 0.49, 950},
      // Relaxed, across the fibres: 5 to 20 kPa by shear waves [GDM10].
      {"muscle", 12.0e3, 0.49, 1050},
      // In its plane, suction on the forearm: about 0.1 to 0.4 MPa [DPG00].
      {"skin", 200.0e3, 0.48, 1100},
      // Healthy, 4 to 6 kPa by shear waves [SFC03].
      {"liver", 5.0e3, 0.49, 1060},
      // 10 % by weight, as in ballistic blocks. Shear moduli of 2.0 to 10.2 kPa at 3 to 7 % grow
      // with the square of the share [NZR14]: 20 kPa at 10 %, hence E = 3 * 20 kPa.
      {"gelatine", 60.0e3, 0.49, 1030},
      // Natural, unfilled; filled compounds reach 10 MPa [Tre75].
      {"rubber", 2.0e6, 0.49, 950},
  };
  return presets;
}

Result<fem::Material> find_tissue(const std::string& name) {
  std::vector<std::string> names;
  for (const fem::Material& preset : tissue_presets()) {
    if (preset.name == name) return preset;
    names.push_back(preset.name);
  }
  return bad_input(fmt::format("there is no material '{}'{}; known are {}", name,
                               did_you_mean(name, names), fmt::join(names, ", ")));
}

std::vector<Layer> default_layers() {
  return {Layer{tissue_presets().front(), 0}};
}

}  // namespace supple::flesh
