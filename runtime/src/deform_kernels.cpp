// SPDX-License-Identifier: Apache-2.0
#include "deform_kernels.hpp"

#include "float_vectors.hpp"

namespace supple::player {
namespace {

using format::kBlock;
using format::kRows;

inline constexpr std::size_t kBlockFloats = 3 * kBlock;

/// What a block reads and writes, packed; null where nothing is there or wanted.
struct BlockView {
  const float* rest_positions;
  const float* rest_normals;
  const float* rest_tangents;
  float* positions;
  float* normals;
  float* tangents;
};

struct Sums {
  Floats3 position, normal;
};

/// rest + sum of coefficient * shape, over all objects of the block, kWidth vertices at a time.
template <class Number, bool kPositions, bool kNormals>
inline void add_modes(const DeformJob& job, const format::Entry* begin, const format::Entry* end,
                      std::size_t lane, Sums& sums) {
  for (const format::Entry* entry = begin; entry != end; ++entry) {
    const float* scaled =
        job.scaled + 2 * std::size_t{job.asset->objects[entry->object].first_mode};
    const auto* rows = reinterpret_cast<const Number*>(
                           job.asset->shapes + std::size_t{entry->offset} * format::kAlignment) +
                       lane;
    const std::size_t modes = job.active[entry->object];
    for (std::size_t k = 0; k < modes; ++k, rows += kRows * kBlock, scaled += 2) {
      if constexpr (kPositions) {
        const Floats c = splat_float(scaled[0]);
        sums.position.x += c * load_row(rows);
        sums.position.y += c * load_row(rows + kBlock);
        sums.position.z += c * load_row(rows + 2 * kBlock);
      }
      if constexpr (kNormals) {
        const Floats c = splat_float(scaled[1]);
        sums.normal.x += c * load_row(rows + 3 * kBlock);
        sums.normal.y += c * load_row(rows + 4 * kBlock);
        sums.normal.z += c * load_row(rows + 5 * kBlock);
      }
    }
  }
}

/// The smallest turn that takes one unit normal to the other takes the tangent along.
inline Floats3 turn_along(const Floats3& from, const Floats3& to, const Floats3& t) {
  const Floats3 sum{from.x + to.x, from.y + to.y, from.z + to.z};
  const Floats cosine = dot3(from, to);
  // Opposite normals have no smallest turn; any finite answer will do.
  const Floats open = 1.0F + cosine;
  const Ints fine = open > 1e-6F;
  const Floats safe = (Floats)(((Ints)open & fine) | ((Ints)splat_float(1e-6F) & ~fine));
  const Floats a = dot3(sum, t) / safe;
  const Floats b = 2.0F * dot3(from, t);
  return {t.x - a * sum.x + b * to.x, t.y - a * sum.y + b * to.y, t.z - a * sum.z + b * to.z};
}

template <class Number, bool kPositions, bool kNormals>
inline void deform_block(const DeformJob& job, const format::Entry* begin, const format::Entry* end,
                         const BlockView& view) {
  for (std::size_t lane = 0; lane < kBlock; lane += kWidth) {
    Sums sums{};
    Floats3 rest_normal{};
    if constexpr (kPositions) sums.position = load_woven(view.rest_positions + 3 * lane);
    if constexpr (kNormals) sums.normal = rest_normal = load_woven(view.rest_normals + 3 * lane);
    add_modes<Number, kPositions, kNormals>(job, begin, end, lane, sums);
    if constexpr (kPositions) store_woven(view.positions + 3 * lane, sums.position);
    if constexpr (kNormals) {
      const Floats3 normal = unit(sums.normal);
      if (view.normals != nullptr) store_woven(view.normals + 3 * lane, normal);
      if (view.tangents != nullptr) {
        const Floats3 tangent = load_woven(view.rest_tangents + 3 * lane);
        store_woven(view.tangents + 3 * lane, turn_along(unit(rest_normal), normal, tangent));
      }
    }
  }
}

/// The rest shape as it is.
inline void copy_block(const BlockView& view) {
  constexpr std::size_t kBytes = kBlockFloats * sizeof(float);
  if (view.positions != nullptr) std::memcpy(view.positions, view.rest_positions, kBytes);
  if (view.normals != nullptr) std::memcpy(view.normals, view.rest_normals, kBytes);
  if (view.tangents != nullptr) std::memcpy(view.tangents, view.rest_tangents, kBytes);
}

using Four = float __attribute__((vector_size(16)));

inline Four load_four(const float* p) {
  Four v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

inline void put_three(float* p, Four v) {
  std::memcpy(p, &v, 3 * sizeof(float));
}

inline void put_unit(float* p, Four v) {
  const float square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
  put_three(p, square > 0 ? v / __builtin_sqrtf(square) : v);
}

/// Blended matrices [JP02 4.2] on a block in place. Normals and tangents take the blended matrix
/// itself and are made unit again, as shaders do.
template <std::size_t kInfluences>
void skin_block(const DeformJob& job, std::size_t first, std::size_t count, const BlockView& view) {
  const supple_deformation& d = job.d;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint16_t* joints = d.joints + (first + i) * kInfluences;
    const float* weights = d.weights + (first + i) * kInfluences;
    Four columns[4] = {};
    for (std::size_t j = 0; j < kInfluences; ++j) {
      const std::size_t joint = joints[j] < d.joint_count ? joints[j] : d.joint_count - 1;
      const float* matrix = d.palette + 16 * joint;
      for (std::size_t c = 0; c < 4; ++c) columns[c] += weights[j] * load_four(matrix + 4 * c);
    }
    if (view.positions != nullptr) {
      float* p = view.positions + 3 * i;
      put_three(p, columns[0] * p[0] + columns[1] * p[1] + columns[2] * p[2] + columns[3]);
    }
    for (float* directions : {view.normals, view.tangents}) {
      if (directions == nullptr) continue;
      float* n = directions + 3 * i;
      put_unit(n, columns[0] * n[0] + columns[1] * n[1] + columns[2] * n[2]);
    }
  }
}

inline void gather(const supple_stream_in& stream, std::size_t first, std::size_t count,
                   float* to) {
  const auto* from = reinterpret_cast<const unsigned char*>(stream.data) + first * stream.stride;
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(to + 3 * i, from + i * stream.stride, 3 * sizeof(float));
  }
}

inline void scatter(const float* from, std::size_t first, std::size_t count,
                    const supple_stream_out& stream) {
  auto* to = reinterpret_cast<unsigned char*>(stream.data) + first * stream.stride;
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(to + i * stream.stride, from + 3 * i, 3 * sizeof(float));
  }
}

/// A block's own copy of the streams, where those are not packed or end inside the block.
struct Buffers {
  float in[3][kBlockFloats];
  float out[3][kBlockFloats];
};

template <class Number, bool kPositions, bool kNormals>
class Deformer {
 public:
  explicit Deformer(const DeformJob& job) : m_job(job) {
    const supple_deformation& d = job.d;
    constexpr std::size_t kPacked = 3 * sizeof(float);
    m_packed = d.rest_positions.stride == kPacked && d.rest_normals.stride == kPacked &&
               d.rest_tangents.stride == kPacked && d.positions.stride == kPacked &&
               d.normals.stride == kPacked && d.tangents.stride == kPacked;
  }

  void run() {
    for (std::size_t first = m_job.d.first_vertex; first < m_job.end_vertex; first += kBlock) {
      const std::size_t left = m_job.end_vertex - first;
      if (m_packed && left >= kBlock) {
        block(first, kBlock, packed_view(first));
      } else {
        buffered(first, left < kBlock ? left : kBlock);
      }
    }
  }

 private:
  [[nodiscard]] BlockView packed_view(std::size_t first) const {
    const supple_deformation& d = m_job.d;
    const auto at = [first](auto* data) { return data == nullptr ? data : data + 3 * first; };
    return {at(d.rest_positions.data), at(d.rest_normals.data), at(d.rest_tangents.data),
            at(d.positions.data),      at(d.normals.data),      at(d.tangents.data)};
  }

  void block(std::size_t first, std::size_t count, const BlockView& view) {
    const std::uint32_t* csr = m_job.asset->blocks + first / kBlock;
    const format::Entry* begin = m_job.asset->entries + csr[0];
    const format::Entry* end = m_job.asset->entries + csr[1];
    bool moves = false;
    for (const format::Entry* e = begin; e != end; ++e) moves |= m_job.active[e->object] != 0;
    if (moves) {
      deform_block<Number, kPositions, kNormals>(m_job, begin, end, view);
    } else {
      copy_block(view);
    }
    if (m_job.d.palette == nullptr) return;
    if (m_job.d.influences == 4) {
      skin_block<4>(m_job, first, count, view);
    } else {
      skin_block<8>(m_job, first, count, view);
    }
  }

  void buffered(std::size_t first, std::size_t count) {
    const supple_deformation& d = m_job.d;
    Buffers b{};
    const BlockView view{b.in[0],
                         b.in[1],
                         b.in[2],
                         d.positions.data == nullptr ? nullptr : b.out[0],
                         d.normals.data == nullptr ? nullptr : b.out[1],
                         d.tangents.data == nullptr ? nullptr : b.out[2]};
    if (kPositions) gather(d.rest_positions, first, count, b.in[0]);
    if (kNormals) gather(d.rest_normals, first, count, b.in[1]);
    if (d.tangents.data != nullptr) gather(d.rest_tangents, first, count, b.in[2]);
    block(first, count, view);
    if (kPositions) scatter(b.out[0], first, count, d.positions);
    if (d.normals.data != nullptr) scatter(b.out[1], first, count, d.normals);
    if (d.tangents.data != nullptr) scatter(b.out[2], first, count, d.tangents);
  }

  const DeformJob& m_job;
  bool m_packed = false;
};

template <class Number>
void deform_numbers(const DeformJob& job) {
  const bool positions = job.d.positions.data != nullptr;
  const bool normals = job.d.normals.data != nullptr || job.d.tangents.data != nullptr;
  if (positions && normals) {
    Deformer<Number, true, true>(job).run();
  } else if (positions) {
    Deformer<Number, true, false>(job).run();
  } else if (normals) {
    Deformer<Number, false, true>(job).run();
  }
}

void deform(const DeformJob& job) {
  if (job.asset->summary->encoding == format::Encoding::Int16) {
    deform_numbers<std::int16_t>(job);
  } else {
    deform_numbers<float>(job);
  }
}

}  // namespace

const DeformKernels SUPPLE_DEFORM_KERNELS{deform};

}  // namespace supple::player
