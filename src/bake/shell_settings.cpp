// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/shell_settings.hpp"

#include "bake/vertex_selection.hpp"

#include "supple/core/suggest.hpp"
#include "supple/format/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace supple::bake {
namespace {

Error wrong(std::string_view key, double value, std::string_view range) {
  return bad_input(fmt::format("{} is {}; it must be {}", key, value, range));
}

Result<void> validate_region(const ShellRegion& region) {
  if (region.surface_material.empty() && region.where.empty()) {
    return bad_input("a region needs surface_material or where, to say which triangles it has");
  }
  if (!(region.stiffness > 0) || !std::isfinite(region.stiffness)) {
    return wrong("stiffness", region.stiffness, "a positive factor; 2 is twice as stiff");
  }
  if (!(region.thickness > 0) || !std::isfinite(region.thickness)) {
    return wrong("thickness", region.thickness, "a positive factor; 2 is twice as thick");
  }
  for (const std::string& text : region.where) {
    SUPPLE_TRY_VOID(detail::parse_vertex_selection(text));
  }
  return {};
}

Result<void> validate_handle(const ShellHandle& handle) {
  if (handle.bone.empty()) return bad_input("a handle needs the bone that moves it");
  if (handle.at.empty()) {
    return bad_input(
        fmt::format("the handle of bone '{}' needs a vertex: at = \"nearest:x,y,z\", a selection, "
                    "or vertex = N",
                    handle.bone));
  }
  SUPPLE_TRY_VOID(detail::parse_vertex_selection(handle.at));
  if (auto held = parse_hold(handle.hold); !held.ok()) return std::move(held).error();
  if (!(handle.stiffness >= 0) || !std::isfinite(handle.stiffness)) {
    return wrong("stiffness", handle.stiffness, "0 (hard) or positive, N/m");
  }
  return {};
}

}  // namespace

ShellSettings::ShellSettings() : material(shell_presets().front().matter) {}

Result<void> ShellSettings::validate() const {
  SUPPLE_TRY_VOID(bake::validate(material));
  for (const auto* held : {&fix, &clamp}) {
    for (const std::string& text : *held) SUPPLE_TRY_VOID(detail::parse_vertex_selection(text));
  }
  for (const ShellRegion& region : regions) SUPPLE_TRY_VOID(validate_region(region));
  for (const ShellHandle& handle : handles) SUPPLE_TRY_VOID(validate_handle(handle));
  return object.validate();
}

Result<void> ShellExportSettings::validate() const {
  if (!(rate >= 12 && rate <= 1000))
    return wrong("rate", rate, "from 12 to 1000 frames per second");
  if (!(tolerance > 0 && tolerance < 1)) {
    return wrong("tolerance", tolerance, "above 0 and below 1 (of the shell's size)");
  }
  if (targets < 1 || targets > 256) return wrong("targets", targets, "from 1 to 256");
  return {};
}

Result<void> ShellFileSettings::validate() const {
  if (!(metres_per_unit > 0) || !std::isfinite(metres_per_unit)) {
    return wrong("unit", metres_per_unit,
                 "the positive number of metres that one unit of the file has");
  }
  SUPPLE_TRY_VOID(output.validate());
  std::set<std::string> names;
  for (const ShellSettings& shell : shells) {
    SUPPLE_TRY_VOID(shell.validate());
    if (!names.insert(shell.object.name).second) {
      return bad_input(
          fmt::format("two shells have the name '{}'; each needs its own", shell.object.name));
    }
  }
  return {};
}

Result<std::uint32_t> parse_hold(std::string_view text) {
  if (text == "position") return format::kHandlePosition;
  if (text == "orientation") return format::kHandleOrientation;
  if (text == "both") return format::kHandlePosition | format::kHandleOrientation;
  std::uint32_t bits = 0;
  std::string_view rest = text;
  std::uint32_t shift = 0;
  while (!rest.empty()) {
    if (rest.front() == ' ') {
      rest.remove_prefix(1);
    } else if (shift == 0 && rest.starts_with("turn")) {
      shift = 3;
      rest.remove_prefix(4);
    } else if (rest.front() >= 'x' && rest.front() <= 'z') {
      bits |= 1U << (static_cast<unsigned>(rest.front() - 'x') + shift);
      rest.remove_prefix(1);
    } else {
      bits = 0;
      break;
    }
  }
  if (bits != 0) return bits;
  return bad_input(
      fmt::format("cannot read hold = \"{}\"; expected \"position\", \"orientation\", \"both\", "
                  "some of \"xyz\", or \"turn\" and some of \"xyz\"",
                  text));
}

}  // namespace supple::bake
