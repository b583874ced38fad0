// SPDX-License-Identifier: Apache-2.0
#include "detail.hpp"
#include "player.hpp"
#include "sized.hpp"

using namespace supple;

namespace {

constexpr size_t kPackedStride = 3 * sizeof(float);

template <class Stream>
bool settle_stride(Stream& stream) {
  if (stream.stride == 0 || stream.data == nullptr) stream.stride = kPackedStride;
  return stream.stride >= kPackedStride;
}

bool settle_strides(supple_deformation& d) {
  return settle_stride(d.rest_positions) && settle_stride(d.rest_normals) &&
         settle_stride(d.rest_tangents) && settle_stride(d.positions) && settle_stride(d.normals) &&
         settle_stride(d.tangents);
}

bool has_inputs(const supple_deformation& d) {
  if (d.positions.data != nullptr && d.rest_positions.data == nullptr) return false;
  if (d.normals.data != nullptr && d.rest_normals.data == nullptr) return false;
  return d.tangents.data == nullptr ||
         (d.rest_tangents.data != nullptr && d.rest_normals.data != nullptr);
}

bool can_skin(const supple_deformation& d) {
  if (d.palette == nullptr) return true;
  return d.joint_count > 0 && (d.influences == 4 || d.influences == 8) && d.joints != nullptr &&
         d.weights != nullptr;
}

}  // namespace

extern "C" supple_status supple_player_deform(const supple_player* player,
                                              const supple_deformation* deformation) {
  if (!player::given(player, "player")) return SUPPLE_BAD_ARGUMENT;
  player::DeformJob job{player->asset, player->scaled, player->active, player->bends, {}, 0};
  supple_deformation& d = job.d;
  if (!player::take(deformation, d)) return SUPPLE_BAD_ARGUMENT;
  const uint32_t vertices = player->asset->summary->vertex_count;
  if (d.first_vertex % format::kBlock != 0 || d.first_vertex > vertices ||
      d.vertex_count > vertices - d.first_vertex) {
    return player::bad_argument(player::kBeyondVertices);
  }
  if (!settle_strides(d)) return player::bad_argument("a stride is below 12 bytes");
  if (!has_inputs(d)) return player::bad_argument("an output lacks the rest shape it comes from");
  if (!can_skin(d)) return player::bad_argument("the palette lacks joints, weights or influences");
  job.end_vertex = d.vertex_count == 0 ? vertices : size_t{d.first_vertex} + d.vertex_count;
  player->deform->deform(job);
  return SUPPLE_OK;
}
