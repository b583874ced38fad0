// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/benchmarks.hpp"
#include "benchmarks/gpu_measure.hpp"

#include <fmt/format.h>

namespace supple::bench {
namespace {

using gpu::Context;
using gpu::ModalMesh;
using gpu::ModalPath;

constexpr const char* kHeading = "## GPU: a crowd, 5 modes on every vertex, positions and normals";
constexpr double kGpuCopyTarget = 0.6;   // of the GPU's own copy bandwidth
constexpr double kSecondsTarget = 2e-3;  // for a thousand characters

struct Size {
  std::uint32_t characters, vertices;
};

struct GpuRow {
  const char* title;
  ModalPath path;
  bool float32;
  bool has_target;
};

Result<std::string> gpu_row(const Context& context, const GpuRow& row, const Size& size,
                            double copy) {
  const AssetSpec spec{1, kCharacterModes, size.vertices, false, row.float32};
  SUPPLE_TRY(const Crowd crowd, Crowd::make(spec, size.characters));
  SUPPLE_TRY(const ModalMesh mesh, upload(context, crowd, row.path));
  mesh.evaluate();
  SUPPLE_TRY(const double wrong, crowd.difference(mesh));
  if (!(wrong <= kCrowdTolerance)) {
    return not_converged(fmt::format(
        "{} on {}: vertices differ from the CPU player's by {:.1e} of a character's size",
        row.title, context.names().renderer, wrong));
  }
  const double seconds = gpu_seconds(context, [&] {
    if (row.path == ModalPath::Compute) {
      mesh.evaluate();
    } else {
      mesh.draw_unseen();
    }
  });
  SUPPLE_TRY_VOID(gpu::check_gl(context.gl(), row.title));
  const double ratio = crowd.bytes() / seconds / copy;
  std::string verdict = "– | –";
  if (row.has_target && !context.is_software()) {
    verdict = fmt::format("{:.2f}, {:.0f} ms | {}", kGpuCopyTarget, 1e3 * kSecondsTarget,
                          ratio >= kGpuCopyTarget && seconds < kSecondsTarget ? "yes" : "**no**");
  }
  const double all = static_cast<double>(size.characters) * size.vertices;
  return fmt::format(
      "| {} | {} × {} | {:.1f} MB | {:.3f} ms | {:.3f} ns | {:.1f} GB/s | {:.1f} GB/s | {:.2f} | "
      "{} | {:.0e} |\n",
      row.title, size.characters, size.vertices, 1e-6 * crowd.bytes(), 1e3 * seconds,
      1e9 * seconds / all, 1e-9 * crowd.bytes() / seconds, 1e-9 * copy, ratio, verdict, wrong);
}

}  // namespace

Result<std::string> gpu_vertices() {
  const auto made = Context::create();
  if (!made.ok()) {
    return fmt::format("{}\n\n**NO GPU: this section was skipped. {}**\n", kHeading,
                       made.error().message());
  }
  const Context& context = *made;
  SUPPLE_TRY(const double copy, copy_bandwidth(context));
  const Size size =
      context.is_software() ? Size{20, kCharacterVertices} : Size{1000, kCharacterVertices};
  std::string text = fmt::format(
      "{}\n\n{}, {}{}. Medians. Bytes count the result, the shapes and the rest shape, once each; "
      "the copy to compare with is the faster of a compute shader and the driver's own, reads and "
      "writes counted. Compute writes vertices to a buffer, the other two draw them as points "
      "outside the view. Vertices are first compared with the CPU player's (last column, relative "
      "to a character's size).\n\n"
      "| path | characters × vertices | bytes | time | per vertex | bandwidth | copy | ratio | "
      "target | reached | off by |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
      kHeading, context.names().renderer, context.names().version,
      context.is_software() ? ": a software rasteriser, whose ratios do not apply to GPUs" : "");
  std::vector<GpuRow> rows{{"textures, 16 bit", ModalPath::Textures, false, false},
                           {"textures, float", ModalPath::Textures, true, false},
                           {"attributes, 16 bit", ModalPath::Attributes, false, false}};
  if (context.has_compute()) {
    rows.insert(rows.begin(), {{"compute, 16 bit", ModalPath::Compute, false, true},
                               {"compute, float", ModalPath::Compute, true, true}});
  }
  for (const GpuRow& row : rows) {
    SUPPLE_TRY(const std::string line, gpu_row(context, row, size, copy));
    text += line;
  }
  return text;
}

}  // namespace supple::bench
