// SPDX-License-Identifier: Apache-2.0
#include "supple/geometry/volume_meshing.hpp"

#include "geometry/surface_refine.hpp"
#include "supple/core/interrupt.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#endif
#endif
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <streambuf>
#include <string>
#include <utility>

// The library defines its functions in this namespace, but its header does not open it.
namespace nglib {
#include <nglib.h>
}

namespace supple::geometry {

namespace {

/// The functions of libnglib that we call, found at first use: linking the library would load
/// OpenCASCADE, MPI and Python into every program, about 100 ms at each start.
struct Netgen {
  nglib::Ng_Mesh* (*new_mesh)() = nullptr;
  void (*delete_mesh)(nglib::Ng_Mesh*) = nullptr;
  void (*add_point)(nglib::Ng_Mesh*, double*) = nullptr;
  void (*add_surface_element)(nglib::Ng_Mesh*, nglib::Ng_Surface_Element_Type, int*) = nullptr;
  void (*restrict_size)(nglib::Ng_Mesh*, double) = nullptr;
  nglib::Ng_Result (*generate)(nglib::Ng_Mesh*, nglib::Ng_Meshing_Parameters*) = nullptr;
  int (*point_count)(nglib::Ng_Mesh*) = nullptr;
  int (*element_count)(nglib::Ng_Mesh*) = nullptr;
  void (*get_point)(nglib::Ng_Mesh*, int, double*) = nullptr;
  nglib::Ng_Volume_Element_Type (*get_element)(nglib::Ng_Mesh*, int, int*) = nullptr;
  void (*construct_parameters)(nglib::Ng_Meshing_Parameters*) = nullptr;
};

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

/// NETGEN's libraries leak the names of their types while they load; the leak sanitizer should
/// report only our own leaks.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SUPPLE_IGNORE_LEAKS const __lsan::ScopedDisabler ignore_leaks
#endif
#endif
#ifndef SUPPLE_IGNORE_LEAKS
#define SUPPLE_IGNORE_LEAKS static_cast<void>(0)
#endif

Result<Netgen> load_netgen() {
  SUPPLE_IGNORE_LEAKS;
  void* library = nullptr;
  for (const char* name : {SUPPLE_NGLIB_PATH, "libnglib.so.6.2", "libnglib.so"}) {
    library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) break;
  }
  if (library == nullptr) {
    const char* why = dlerror();
    return io_error(fmt::format(
        "NETGEN is not installed (Debian: apt install libnglib-6.2), or use the default mesher: {}",
        why == nullptr ? "libnglib.so not found" : why));
  }
  Netgen ng;
  const bool complete =
      find(library, "_ZN5nglib10Ng_NewMeshEv", ng.new_mesh) &&
      find(library, "_ZN5nglib13Ng_DeleteMeshEPPv", ng.delete_mesh) &&
      find(library, "_ZN5nglib11Ng_AddPointEPPvPd", ng.add_point) &&
      find(library, "_ZN5nglib20Ng_AddSurfaceElementEPPvNS_23Ng_Surface_Element_TypeEPi",
           ng.add_surface_element) &&
      find(library, "_ZN5nglib25Ng_RestrictMeshSizeGlobalEPPvd", ng.restrict_size) &&
      find(library, "_ZN5nglib21Ng_GenerateVolumeMeshEPPvPNS_21Ng_Meshing_ParametersE",
           ng.generate) &&
      find(library, "_ZN5nglib8Ng_GetNPEPPv", ng.point_count) &&
      find(library, "_ZN5nglib8Ng_GetNEEPPv", ng.element_count) &&
      find(library, "_ZN5nglib11Ng_GetPointEPPviPd", ng.get_point) &&
      find(library, "_ZN5nglib19Ng_GetVolumeElementEPPviPi", ng.get_element) &&
      find(library, "_ZN5nglib21Ng_Meshing_ParametersC1Ev", ng.construct_parameters);
  if (!complete) {
    return io_error(
        "the installed libnglib lacks functions of version 6.2 (Debian: apt install libnglib-6.2)");
  }
  return ng;
}

/// Halving edges just above the limit would make most of them much too short.
constexpr double kLongEdgeSlack = 1.4;

/// NETGEN keeps its settings in globals: one caller at a time.
std::mutex& netgen_mutex() {
  static std::mutex mutex;
  return mutex;
}

const Result<Netgen>& netgen() {
  static const Result<Netgen> loaded = load_netgen();
  return loaded;
}

/// Suppresses NETGEN's output; standard output belongs to the caller.
class Silence {
 public:
  Silence() : m_cout(std::cout.rdbuf(&m_nothing)), m_cerr(std::cerr.rdbuf(&m_nothing)) {}
  ~Silence() {
    std::cout.rdbuf(m_cout);
    std::cerr.rdbuf(m_cerr);
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  struct Nothing : std::streambuf {
    int overflow(int c) override { return traits_type::not_eof(c); }
  };
  Nothing m_nothing;
  std::streambuf* m_cout;
  std::streambuf* m_cerr;
};

/// Copies the result; NETGEN's tetrahedra are left-handed.
TetMesh take_mesh(const Netgen& ng, nglib::Ng_Mesh* source) {
  TetMesh mesh;
  const int points = ng.point_count(source);
  mesh.nodes.resize(static_cast<std::size_t>(points));
  for (int p = 0; p < points; ++p)
    ng.get_point(source, p + 1, mesh.nodes[static_cast<std::size_t>(p)].data());
  const int elements = ng.element_count(source);
  mesh.connectivity.reserve(static_cast<std::size_t>(elements) * 4);
  for (int e = 0; e < elements; ++e) {
    std::array<int, NG_VOLUME_ELEMENT_MAXPOINTS> node{};
    if (ng.get_element(source, e + 1, node.data()) != nglib::NG_TET) continue;
    const auto at = [&](std::size_t v) {
      return mesh.nodes[static_cast<std::size_t>(node[v] - 1)];
    };
    const Vec3 origin = at(0);
    const double volume = (at(1) - origin).cross(at(2) - origin).dot(at(3) - origin);
    if (volume < 0) std::swap(node[2], node[3]);
    for (std::size_t v = 0; v < 4; ++v) mesh.connectivity.push_back(node[v] - 1);
  }
  return mesh;
}

/// NETGEN keeps the given surface; long edges are halved first, so that `max_edge` holds there as
/// well.
Result<TetMesh> run_netgen(const Netgen& ng, const TriMesh& coarse, double max_edge,
                           double grading) {
  SUPPLE_TRY(const TriMesh surface, split_long_edges(coarse, kLongEdgeSlack * max_edge));
  const std::lock_guard lock(netgen_mutex());
  const Silence silence;
  try {
    const std::unique_ptr<nglib::Ng_Mesh, void (*)(nglib::Ng_Mesh*)> mesh(ng.new_mesh(),
                                                                          ng.delete_mesh);
    for (Vec3 point : surface.positions) ng.add_point(mesh.get(), point.data());
    for (const Triangle& t : surface.triangles) {
      std::array<int, 3> node{t[0] + 1, t[1] + 1, t[2] + 1};
      ng.add_surface_element(mesh.get(), nglib::NG_TRIG, node.data());
    }
    alignas(nglib::Ng_Meshing_Parameters)
        std::array<std::byte, sizeof(nglib::Ng_Meshing_Parameters)>
            storage{};
    auto* parameters = reinterpret_cast<nglib::Ng_Meshing_Parameters*>(storage.data());
    ng.construct_parameters(parameters);
    parameters->maxh = max_edge;
    parameters->grading = grading;
    ng.restrict_size(mesh.get(), max_edge);
    const nglib::Ng_Result status = ng.generate(mesh.get(), parameters);
    if (status != nglib::NG_OK)
      return not_converged(fmt::format("NETGEN failed with status {}", static_cast<int>(status)));
    TetMesh result = take_mesh(ng, mesh.get());
    if (result.element_count() == 0)
      return not_converged("NETGEN produced no elements: does the surface intersect itself?");
    return result;
  } catch (const std::exception& e) {
    return not_converged(fmt::format("NETGEN failed: {}", e.what()));
  } catch (...) {
    return not_converged("NETGEN failed: does the surface intersect itself?");
  }
}

Result<void> check_clean(const TriMesh& surface) {
  if (surface.triangles.empty()) return bad_input("the surface has no triangles");
  const SurfaceTopology t = topology(surface);
  if (!t.closed_manifold()) {
    return bad_input(
        fmt::format("NETGEN needs a closed surface, but this one has {} open, {} non-manifold and "
                    "{} flipped edges: use the stuffing mesher, or repair the surface",
                    t.boundary_edges, t.non_manifold_edges, t.flipped_edges));
  }
  if (const double v = signed_volume(surface); !(v > 0)) {
    return bad_input(fmt::format(
        "NETGEN needs a surface that faces outwards, but this one has the signed volume {:.4g}",
        v));
  }
  return {};
}

/// Edge of a regular tetrahedron of the mean volume.
double edge_for(double volume, double elements) {
  return std::cbrt(6 * std::sqrt(2.0) * volume / elements);
}

}  // namespace

Result<void> NetgenSettings::validate() const {
  if (!std::isfinite(max_edge) || max_edge < 0) {
    return bad_input(
        fmt::format("max_edge {} must be positive, or 0 to follow the target", max_edge));
  }
  if (max_edge == 0 && (target_elements == 0 || target_elements > 100'000'000)) {
    return bad_input(
        fmt::format("target_elements {} must lie between 1 and 100 million", target_elements));
  }
  if (!(grading >= 0 && grading <= 1))
    return bad_input(fmt::format("grading {} must lie between 0 and 1", grading));
  return {};
}

Result<TetMesh> mesh_with_netgen(const TriMesh& surface, const NetgenSettings& settings) {
  SUPPLE_TRY_VOID(settings.validate());
  SUPPLE_TRY_VOID(surface.validate());
  const TriMesh welded = weld(surface).mesh;
  SUPPLE_TRY_VOID(check_clean(welded));
  if (!netgen().ok()) return netgen().error();
  const Netgen& ng = *netgen();
  if (settings.max_edge > 0) return run_netgen(ng, welded, settings.max_edge, settings.grading);

  // The surface triangles are kept, so a coarse target cannot be met; three tries get as close as
  // possible.
  const auto target = static_cast<double>(settings.target_elements);
  double edge = edge_for(signed_volume(welded), target);
  std::optional<TetMesh> best;
  for (int i = 0; i < 3; ++i) {
    SUPPLE_TRY_VOID(check_interrupt());
    SUPPLE_TRY(TetMesh mesh, run_netgen(ng, welded, edge, settings.grading));
    const double ratio = static_cast<double>(mesh.element_count()) / target;
    const auto miss = [&](const TetMesh& m) {
      return std::abs(std::log(static_cast<double>(m.element_count()) / target));
    };
    if (!best || miss(mesh) < miss(*best)) best = std::move(mesh);
    if (std::abs(ratio - 1) < 0.1) break;
    edge *= std::clamp(std::cbrt(ratio), 0.25, 4.0);
  }
  return *std::move(best);
}

}  // namespace supple::geometry
