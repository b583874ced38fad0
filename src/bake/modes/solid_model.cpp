// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/solid_model.hpp"

#include "bake/modes/deck.hpp"
#include "bake/modes/largest_piece.hpp"

#include "supple/bake/solid_materials.hpp"
#include "supple/core/console.hpp"
#include "supple/core/log.hpp"
#include "supple/core/resources.hpp"
#include "supple/core/suggest.hpp"
#include "supple/fem/rigid_modes.hpp"
#include "supple/fem/selection.hpp"
#include "supple/geometry/volume_meshing.hpp"
#include "supple/io/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string_view>

namespace supple::bake {
namespace {

using geometry::TetMesh;
using geometry::TetOrder;
using geometry::TriMesh;

enum class InputKind { Made, Deck, Volume, Surface };

bool is_deck(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".inp" || extension == ".INP";
}

const std::string& title_of(const ModelRequest& request) {
  return request.maker ? request.maker->title : request.file;
}

Result<InputKind> input_kind(const ModelRequest& request) {
  if (request.maker) return InputKind::Made;
  if (is_deck(request.file)) return InputKind::Deck;
  if (io::is_volume_format(request.file)) return InputKind::Volume;
  if (io::is_surface_format(request.file)) return InputKind::Surface;
  return Error(ErrorCode::Usage,
               fmt::format("'{}': unknown file extension; expected a deck (.inp), a volume mesh "
                           "(.msh .vtk .vtu) or a surface (.obj .ply .stl .glb .gltf)",
                           request.file));
}

template <class T>
Result<void> parses(Result<T> result) {
  if (result.ok()) return {};
  return std::move(result).error();
}

/// A setting and the kinds of input it fits.
struct Applicability {
  std::string_view setting;
  bool given;
  bool made, deck, volume, surface;
  std::string_view why;
};

std::vector<Applicability> applicability(const ModelRequest& request) {
  constexpr std::string_view kMeshed = "the input is a volume mesh already";
  constexpr std::string_view kOwnUnits = "its lengths are used as given";
  return {
      {"mesher", request.mesher.has_value(), false, false, false, true, kMeshed},
      {"elements", request.elements.has_value(), true, false, false, true, kMeshed},
      {"order", request.order.has_value(), true, false, true, true,
       "the deck defines its elements"},
      {"curved", request.curved, false, false, false, true,
       "volume meshes keep their shape, and round samples are always curved"},
      {"largest piece", request.largest_piece, false, false, true, true,
       "it is meant for meshes in several pieces"},
      {"scale", request.scale.has_value(), false, false, true, true, kOwnUnits},
      {"region", !request.regions.empty(), false, false, true, false, "it has no named regions"},
  };
}

// ---- Meshes -------------------------------------------------------------------------------------

void apply_scale(std::vector<geometry::Vec3>& points, double scale) {
  for (geometry::Vec3& point : points) point *= scale;
}

/// Artists model in millimetres and centimetres; frequencies are inversely proportional to the
/// length.
void question_units(const geometry::Box& box, const ModelRequest& request) {
  constexpr double kLargest = 50;  // metres: nothing soft and real is larger
  if (request.scale || box.diagonal() < kLargest) return;
  log::warn("the model measures {:.4g} m: if its file is in millimetres, scale it by 0.001",
            box.diagonal());
}

/// A mesh that shaves edges has the wrong mass and is too soft or too stiff.
void question_volume(const LoadedModel& loaded) {
  constexpr double kMostOff = 0.005;
  if (!loaded.surface_volume) return;
  const double off = *loaded.meshed_volume / *loaded.surface_volume - 1;
  if (std::abs(off) <= kMostOff) return;
  log::warn(
      "the mesh of '{}' has {:.2f} % {} volume than its surface: frequencies are off; ask for more "
      "elements, for 'curved' ones if it is round, or for NETGEN if it is clean",
      loaded.title, 100 * std::abs(off), off < 0 ? "less" : "more");
}

/// Order 2 unless the user says otherwise: linear tetrahedra lock.
TetMesh with_order(TetMesh mesh, const ModelRequest& request, const TriMesh* surface) {
  if (request.order.value_or(2) == 1) {
    return mesh.order == TetOrder::Quadratic ? geometry::to_linear(mesh) : std::move(mesh);
  }
  if (mesh.order == TetOrder::Quadratic) return mesh;
  return request.curved && surface != nullptr ? geometry::to_quadratic(mesh, *surface)
                                              : geometry::to_quadratic(mesh);
}

Result<TetMesh> mesh_surface(LoadedModel& loaded, const TriMesh& surface,
                             const ModelRequest& request) {
  geometry::SolidMeshSettings settings;
  settings.mesher = request.mesher.value_or(geometry::Mesher::Automatic);
  settings.target_elements = request.elements.value_or(10'000);
  SUPPLE_TRY(
      geometry::SolidMesh solid,
      geometry::mesh_solid(surface, settings).during(fmt::format("meshing '{}'", request.file)));
  loaded.mesher = solid.mesher;
  TetMesh mesh = with_order(std::move(solid.mesh), request, &surface);
  loaded.meshed_volume = geometry::volume(mesh);
  loaded.surface_volume = solid.surface_volume;
  question_volume(loaded);
  return mesh;
}

TetMesh largest_piece_of(TetMesh mesh, const ModelRequest& request) {
  if (!request.largest_piece) return mesh;
  LargestPiece piece = keep_largest_piece(mesh);
  if (piece.pieces > 1) {
    log::info("kept the largest of {} pieces: {} of {} elements", piece.pieces,
              format_count(piece.mesh.element_count()), format_count(mesh.element_count()));
  }
  return std::move(piece.mesh);
}

// ---- Materials ----------------------------------------------------------------------------------

Result<void> assign_materials(LoadedModel& loaded, const ModelRequest& request) {
  const TetMesh& mesh = loaded.model.mesh;
  std::vector<std::optional<fem::Material>> chosen(
      std::max<std::size_t>(1, mesh.region_names.size()));
  if (request.material) {
    SUPPLE_TRY(const fem::Material material, parse_material(*request.material));
    std::fill(chosen.begin(), chosen.end(), material);
  }
  for (const std::string& text : request.regions) {
    SUPPLE_TRY(RegionMaterial named, parse_region_material(text));
    const auto found = std::find(mesh.region_names.begin(), mesh.region_names.end(), named.region);
    if (found == mesh.region_names.end()) {
      return bad_input(fmt::format("'{}' has no region '{}'{} (regions: {})", loaded.title,
                                   named.region, did_you_mean(named.region, mesh.region_names),
                                   mesh.region_names.empty()
                                       ? "none"
                                       : fmt::format("{}", fmt::join(mesh.region_names, ", "))));
    }
    chosen[static_cast<std::size_t>(found - mesh.region_names.begin())] = named.material;
  }
  for (std::size_t region = 0; region < chosen.size(); ++region) {
    if (!chosen[region]) {
      const bool named = region < mesh.region_names.size();
      return Error(
          ErrorCode::Usage,
          fmt::format(
              "{} has no material: give E,nu,rho or a preset{}",
              named ? fmt::format("region '{}' of '{}'", mesh.region_names[region], loaded.title)
                    : fmt::format("'{}'", loaded.title),
              named ? fmt::format(", or one for the region, {}=E,nu,rho", mesh.region_names[region])
                    : ""));
    }
    loaded.model.materials.push_back(*chosen[region]);
  }
  return {};
}

double total_mass(const fem::SolidModel& model) {
  if (model.materials.size() == 1) return model.materials[0].density * geometry::volume(model.mesh);
  double mass = 0;
  for (std::size_t region = 0; region < model.materials.size(); ++region) {
    TetMesh part;
    part.order = model.mesh.order;
    part.nodes = model.mesh.nodes;
    for (std::size_t e = 0; e < model.mesh.element_count(); ++e) {
      if (static_cast<std::size_t>(model.mesh.region(e)) != region) continue;
      const auto nodes = model.mesh.element(e);
      part.connectivity.insert(part.connectivity.end(), nodes.begin(), nodes.end());
    }
    mass += model.materials[region].density * geometry::volume(part);
  }
  return mass;
}

// ---- One function per kind of input -------------------------------------------------------------

Result<void> load_made(LoadedModel& loaded, const ModelRequest& request) {
  const Stopwatch watch;
  SUPPLE_TRY(SolidMaker::Mesh made, request.maker->make(request.elements.value_or(10'000)));
  ModelRequest completed = request;
  completed.curved = made.surface.has_value();  // round samples are curved
  loaded.model.mesh =
      with_order(std::move(made.mesh), completed, made.surface ? &*made.surface : nullptr);
  loaded.quality = geometry::quality(loaded.model.mesh);
  loaded.seconds.emplace_back("mesh", watch.seconds());
  if (!completed.material) completed.material = request.maker->material;
  return assign_materials(loaded, completed);
}

Result<void> load_surface(LoadedModel& loaded, const ModelRequest& request) {
  Stopwatch watch;
  SUPPLE_TRY(TriMesh surface, io::read_surface(request.file));
  apply_scale(surface.positions, request.scale.value_or(1));
  question_units(geometry::bounding_box(surface.positions), request);
  loaded.seconds.emplace_back("read", watch.lap());
  SUPPLE_TRY(TetMesh mesh, mesh_surface(loaded, surface, request));
  loaded.model.mesh = largest_piece_of(std::move(mesh), request);
  loaded.quality = geometry::quality(loaded.model.mesh);
  loaded.seconds.emplace_back("mesh", watch.seconds());
  return assign_materials(loaded, request);
}

Result<void> load_volume(LoadedModel& loaded, const ModelRequest& request) {
  const Stopwatch watch;
  SUPPLE_TRY(TetMesh mesh, io::read_volume(request.file));
  apply_scale(mesh.nodes, request.scale.value_or(1));
  question_units(geometry::bounding_box(mesh.nodes), request);
  mesh = largest_piece_of(std::move(mesh), request);
  if (request.order) {
    SUPPLE_TRY_VOID(mesh.validate().during(fmt::format("reading '{}'", request.file)));
    mesh = with_order(std::move(mesh), request, nullptr);
  }
  loaded.model.mesh = std::move(mesh);
  loaded.seconds.emplace_back("read", watch.seconds());
  return assign_materials(loaded, request);
}

/// A clamp that catches a single row of nodes is a hinge, which the frequencies do not show.
Result<void> check_clamps(const LoadedModel& loaded) {
  const auto& fixed = loaded.model.fixed;
  for (const fem::Piece& piece : fem::pieces(loaded.model.mesh)) {
    const auto held = std::count_if(piece.nodes.begin(), piece.nodes.end(), [&](auto node) {
      return fixed[static_cast<std::size_t>(node)] != 0;
    });
    const int left = held > 0 ? fem::motions_left(loaded.model, piece) : 0;
    if (left == 0) continue;
    return bad_input(fmt::format(
        "the supports of '{}' leave {} rigid motion{}: {} node{} {} fixed, {}; select a whole face "
        "with a wider tolerance, a half-space or a box, or accept the motion with 'free'",
        loaded.title, left, left == 1 ? "" : "s", held, held == 1 ? "" : "s",
        held == 1 ? "is" : "are",
        left == 1 ? "which act as a hinge if they lie on one line" : "too few to hold a solid"));
  }
  return {};
}

Result<void> apply_supports(LoadedModel& loaded, const ModelRequest& request,
                            const std::vector<std::string>& own_supports) {
  const auto& texts = !request.fix.empty() || request.free ? request.fix : own_supports;
  bool clamped = false;
  for (const std::string& text : texts) {
    SUPPLE_TRY(const fem::NodeSelection selection, fem::parse_selection(text));
    SUPPLE_TRY_VOID(fem::fix(loaded.model, selection));
    clamped = clamped || selection.components == fem::kFixAll;
  }
  // Supports that name their components may be meant to slide or swing.
  if (clamped && !request.free) SUPPLE_TRY_VOID(check_clamps(loaded));
  const auto& fixed = loaded.model.fixed;
  loaded.fixed_nodes = static_cast<std::size_t>(
      std::count_if(fixed.begin(), fixed.end(), [](auto bits) { return bits != 0; }));
  return {};
}

Result<void> load_any(LoadedModel& loaded, const ModelRequest& request, InputKind kind) {
  switch (kind) {
    case InputKind::Made:
      return load_made(loaded, request);
    case InputKind::Deck:
      return load_deck(loaded, request);
    case InputKind::Volume:
      return load_volume(loaded, request);
    case InputKind::Surface:
      return load_surface(loaded, request);
  }
  return {};
}

}  // namespace

Result<void> check(const ModelRequest& request) {
  SUPPLE_TRY(const InputKind kind, input_kind(request));
  for (const Applicability& entry : applicability(request)) {
    const bool fits = kind == InputKind::Made     ? entry.made
                      : kind == InputKind::Deck   ? entry.deck
                      : kind == InputKind::Volume ? entry.volume
                                                  : entry.surface;
    if (!entry.given || fits) continue;
    return Error(ErrorCode::Usage, fmt::format("'{}' does not fit '{}': {}", entry.setting,
                                               title_of(request), entry.why));
  }
  if (request.curved && request.order.value_or(2) == 1) {
    return Error(ErrorCode::Usage, "curved elements are quadratic: omit order 1");
  }
  if (request.scale && !(*request.scale > 0 && std::isfinite(*request.scale))) {
    return Error(ErrorCode::Usage, fmt::format("scale is {}; it must be positive", *request.scale));
  }
  // Find typing errors now rather than after minutes of meshing.
  for (const std::string& text : request.fix) SUPPLE_TRY_VOID(parses(fem::parse_selection(text)));
  for (const std::string& text : request.regions)
    SUPPLE_TRY_VOID(parses(parse_region_material(text)));
  if (request.material) SUPPLE_TRY_VOID(parses(parse_material(*request.material)));
  return {};
}

Result<LoadedModel> load_model(const ModelRequest& request) {
  SUPPLE_TRY(const InputKind kind, input_kind(request));
  LoadedModel loaded;
  loaded.title = title_of(request);
  loaded.model.mass_rule = request.mass_rule;
  SUPPLE_TRY_VOID(load_any(loaded, request, kind));
  SUPPLE_TRY_VOID(loaded.model.validate().during(fmt::format("checking '{}'", loaded.title)));
  static const std::vector<std::string> kNone;
  SUPPLE_TRY_VOID(
      apply_supports(loaded, request, kind == InputKind::Made ? request.maker->supports : kNone));
  loaded.mass = total_mass(loaded.model);
  return loaded;
}

}  // namespace supple::bake
