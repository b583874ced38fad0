// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/bake_shells.hpp"
#include "supple/bake/clip_export.hpp"
#include "supple/bake/kept_settings.hpp"
#include "supple/bake/output_names.hpp"
#include "supple/core/log.hpp"
#include "supple/io/formats.hpp"
#include "supple/io/gltf_character.hpp"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>

namespace supple::bake {
namespace {

namespace fs = std::filesystem;

/// A valid name for a glTF attribute.
std::string attribute_name(const std::string& group) {
  std::string name = "_";
  for (const char c : group) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
    name += plain ? c : '_';
  }
  return name;
}

/// A surface without node or material becomes a glTF file with one of each.
Result<io::GltfAsset> wrap_surface(io::MarkedSurface surface, const std::string& path) {
  io::SkinnedModel model;
  model.name = fs::path(path).stem().string();
  io::SkinnedPart part;
  part.material = model.name;
  // Plaster: pure white would hide the shading. Colours of the file are kept.
  if (surface.colours.empty()) part.base_colour = {0.38, 0.37, 0.355, 1};
  part.double_sided = true;
  part.normals = geometry::vertex_normals(surface.mesh);
  for (geometry::Vec3& normal : part.normals) {
    if (!(normal.squaredNorm() > 0.5)) normal = geometry::Vec3::UnitZ();  // of an unused vertex
  }
  const std::size_t count = surface.mesh.positions.size();
  for (const geometry::Vec3& c : surface.colours) {
    const geometry::Vec3 rgb = c.cwiseMax(0).cwiseMin(1);
    part.colours.push_back({rgb.x(), rgb.y(), rgb.z(), 1});
  }
  for (const auto& [group, members] : surface.groups) {
    if (members.size() == count) continue;  // "default": no information
    io::GltfAttribute attribute{attribute_name(group), 1, std::vector<float>(count, 0.0F)};
    for (const geometry::Index v : members) attribute.values[static_cast<std::size_t>(v)] = 1;
    part.attributes.push_back(std::move(attribute));
  }
  part.positions = std::move(surface.mesh.positions);
  part.triangles = std::move(surface.mesh.triangles);
  model.parts.push_back(std::move(part));
  return io::make_gltf(model);
}

Result<void> read_mesh(const ShellRequest& request, ShellInput& input) {
  const std::string extension = lower_extension(request.mesh);
  if (extension == ".glb" || extension == ".gltf") {
    SUPPLE_TRY(io::GltfAsset asset, io::read_gltf(fs::path(request.mesh)));
    SUPPLE_TRY(input.asset, without_flesh(std::move(asset)));
  } else {
    SUPPLE_TRY(io::MarkedSurface surface, io::read_marked_surface(request.mesh));
    SUPPLE_TRY(input.asset, wrap_surface(std::move(surface), request.mesh));
  }
  input.first_number = extension == ".obj" ? 1 : 0;
  return {};
}

Result<void> read_shell_settings(const ShellRequest& request, ShellInput& input) {
  if (!request.config.empty()) {
    SUPPLE_TRY(input.settings, load_shell_settings(request.config));
  } else if (request.model && !request.model->shell_toml.empty()) {
    SUPPLE_TRY(input.settings,
               parse_shell_settings(request.model->shell_toml, request.model->title));
  }
  ShellFileSettings& settings = input.settings;
  settings.metres_per_unit = request.unit.value_or(settings.metres_per_unit);
  settings.output.rate = request.rate.value_or(settings.output.rate);
  settings.output.tolerance = request.tolerance.value_or(settings.output.tolerance);
  settings.output.targets = request.targets.value_or(settings.output.targets);
  settings.output.signed_weights |= request.signed_weights;
  settings.output.float32 |= request.float32;
  return {};
}

}  // namespace

Result<void> check(const ShellRequest& request) {
  SUPPLE_TRY_VOID(check_glb_name(request.output));
  std::vector<std::string> outputs;
  if (!request.output.empty()) outputs = {request.output, supple_path(request.output)};
  SUPPLE_TRY_VOID(keep_settings_apart(request.config, outputs));
  outputs.push_back(request.write_config);
  SUPPLE_TRY_VOID(keep_apart({request.mesh}, outputs));
  return check_writable(outputs);
}

Result<ShellInput> read_shells(const ShellRequest& request) {
  ShellInput input;
  if (request.model) {
    input.title = request.model->title;
    SUPPLE_TRY(input.asset, without_flesh(request.model->asset));
  } else {
    input.title = request.mesh;
    SUPPLE_TRY_VOID(read_mesh(request, input));
  }
  SUPPLE_TRY_VOID(read_shell_settings(request, input));
  const std::string context = fmt::format("reading '{}'", input.title);
  input.automatic = input.settings.shells.empty();
  if (input.automatic) {
    SUPPLE_TRY(input.settings.shells, propose_shells(input.asset).during(context));
  }
  for (ShellSettings& shell : input.settings.shells) {
    if (!request.modes) continue;
    shell.object.modes = *request.modes;
    shell.object.fewer_modes = false;
  }
  SUPPLE_TRY_VOID(input.settings.validate());
  return input;
}

}  // namespace supple::bake
