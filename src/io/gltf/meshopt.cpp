// SPDX-License-Identifier: Apache-2.0
#include "io/gltf/mesh_codecs.hpp"

#include <fmt/format.h>
#include <meshoptimizer.h>

namespace supple::io::gltf {
namespace {

Error unfit(const MeshoptView& view) {
  return bad_input(
      fmt::format("meshopt data of mode '{}' and filter '{}' cannot have {} elements "
                  "of {} bytes",
                  view.mode, view.filter, view.count, view.stride));
}

/// The library asserts these conditions of the extension instead of reporting them.
bool fits(const MeshoptView& view) {
  constexpr std::size_t kLargestVertex = 256;
  if (view.mode == "ATTRIBUTES") {
    if (view.filter == "OCTAHEDRAL") return view.stride == 4 || view.stride == 8;
    if (view.filter == "QUATERNION") return view.stride == 8;
    const bool known = view.filter == "NONE" || view.filter == "EXPONENTIAL";
    return known && view.stride > 0 && view.stride % 4 == 0 && view.stride <= kLargestVertex;
  }
  const bool index = (view.stride == 2 || view.stride == 4) && view.filter == "NONE";
  return index && (view.mode == "INDICES" || (view.mode == "TRIANGLES" && view.count % 3 == 0));
}

int decode_into(Bytes& bytes, std::span<const std::byte> compressed, const MeshoptView& view) {
  const auto* data = reinterpret_cast<const unsigned char*>(compressed.data());
  if (view.mode == "ATTRIBUTES") {
    return meshopt_decodeVertexBuffer(bytes.data(), view.count, view.stride, data,
                                      compressed.size());
  }
  if (view.mode == "TRIANGLES") {
    return meshopt_decodeIndexBuffer(bytes.data(), view.count, view.stride, data,
                                     compressed.size());
  }
  return meshopt_decodeIndexSequence(bytes.data(), view.count, view.stride, data,
                                     compressed.size());
}

}  // namespace

Result<Bytes> decode_meshopt(std::span<const std::byte> compressed, const MeshoptView& view,
                             DecodingBudget& budget) {
  if (!fits(view)) return unfit(view);
  SUPPLE_TRY_VOID(budget.spend(view.count * view.stride));
  Bytes bytes(view.count * view.stride);
  if (const int failed = decode_into(bytes, compressed, view); failed != 0) {
    return bad_input(fmt::format("the meshopt data is damaged (code {})", failed));
  }
  if (view.filter == "OCTAHEDRAL") meshopt_decodeFilterOct(bytes.data(), view.count, view.stride);
  if (view.filter == "QUATERNION") meshopt_decodeFilterQuat(bytes.data(), view.count, view.stride);
  if (view.filter == "EXPONENTIAL") meshopt_decodeFilterExp(bytes.data(), view.count, view.stride);
  return bytes;
}

}  // namespace supple::io::gltf
