// SPDX-License-Identifier: Apache-2.0
#include "deform_kernels.hpp"

#include "float_vectors.hpp"
#include "size.hpp"
#include "warp.hpp"

// Over a web connection size counts, and four copies of a loop gain little there.
#if defined(__wasm__)
#define SUPPLE_UNROLL
#else
#define SUPPLE_UNROLL _Pragma("GCC unroll 4")
#endif

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

/// What the modes add to kWidth vertices.
struct Sums {
  Floats3 position, normal;
};

/// Sum of coefficient * shape, over all objects of the block, kWidth vertices at a time. There is
/// at least one entry.
template <class Number, bool kPositions, bool kNormals>
inline Sums sum_modes(const DeformJob& job, const format::Entry* entry, const format::Entry* end,
                      std::size_t lane) {
  Sums sums{};
  do {
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
  } while (++entry != end);
  return sums;
}

inline Floats3 cross3(const Floats3& a, const Floats3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

inline void add3(Floats3& sum, const Floats3& v) {
  sum.x += v.x;
  sum.y += v.y;
  sum.z += v.z;
}

/// v + first w x v + second w x (w x v).
inline Floats3 turned(const Floats3& w, Floats first, Floats second, const Floats3& v) {
  const Floats3 once = cross3(w, v);
  const Floats3 twice = cross3(w, once);
  return {v.x + (first * once.x + second * twice.x), v.y + (first * once.y + second * twice.y),
          v.z + (first * once.z + second * twice.z)};
}

/// What the objects of a block do to kWidth vertices, flesh and shells apart.
struct ShellSums {
  Floats3 position;  ///< displacements of both: a vertex of a shell belongs to it alone
  Floats3 normal;    ///< corrections by flesh
  Floats3 turn;      ///< of shells
  Floats3 linear;    ///< turns of shells that are not to be warped
};

template <class Number>
inline ShellSums sum_shells(const DeformJob& job, const format::Entry* entry,
                            const format::Entry* end, std::size_t lane) {
  ShellSums sums{};
  for (; entry != end; ++entry) {
    const Sums own = sum_modes<Number, true, true>(job, entry, entry + 1, lane);
    add3(sums.position, own.position);
    switch (job.bends[entry->object]) {
      case Bend::None:
        add3(sums.normal, own.normal);
        break;
      case Bend::Warped:
        add3(sums.turn, own.normal);
        break;
      case Bend::Linear:
        add3(sums.linear, own.normal);
        break;
    }
  }
  return sums;
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

/// What a call wants. Known when the loop over blocks is compiled: a block takes some 25 ns,
/// so that every question asked once per block would show.
enum class Wanted {
  Positions,
  Normals,
  PositionsAndNormals,
  Any,         ///< whatever is not null
  AnyOfShells  ///< the same where an object is a shell
};

/// Blocks that lie one after the other. All normals are summed before the first is made unit: the
/// steps of one root wait for each other, those of several do not.
template <class Number, Wanted kWanted, std::size_t kBlocks>
[[gnu::always_inline]] inline void deform_blocks(const DeformJob& job, const std::uint32_t* csr,
                                                 const BlockView& view) {
  constexpr bool kAsks = kWanted == Wanted::Any;
  constexpr bool kPositions = kWanted != Wanted::Normals;
  constexpr bool kNormals = kWanted != Wanted::Positions;
  constexpr std::size_t kPacks = kBlocks * kBlock / kWidth;
  Floats3 normals[kPacks];
  SUPPLE_UNROLL
  for (std::size_t i = 0; i < kPacks; ++i) {
    const std::size_t at = 3 * kWidth * i;
    const std::size_t block = i * kWidth / kBlock;
    const format::Entry* entries = job.asset->entries;
    const Sums sums = sum_modes<Number, kPositions, kNormals>(
        job, entries + csr[block], entries + csr[block + 1], i * kWidth % kBlock);
    if constexpr (kNormals) {
      if (!kAsks || view.rest_normals != nullptr) {
        const Floats3 rest = load_woven(view.rest_normals + at);
        normals[i] = {rest.x + sums.normal.x, rest.y + sums.normal.y, rest.z + sums.normal.z};
      }
    }
    if (kPositions && (!kAsks || view.positions != nullptr)) {
      store_woven(view.positions + at, view.rest_positions + at, sums.position);
    }
  }
  if constexpr (!kNormals) return;
  if (kAsks && view.rest_normals == nullptr) return;
  SUPPLE_UNROLL
  for (std::size_t i = 0; i < kPacks; ++i) normals[i] = unit(normals[i]);
  SUPPLE_UNROLL
  for (std::size_t i = 0; i < kPacks; ++i) {
    const std::size_t at = 3 * kWidth * i;
    if (!kAsks || view.normals != nullptr) store_woven(view.normals + at, normals[i]);
    if (!kAsks || view.tangents == nullptr) continue;
    const Floats3 rest = unit(load_woven(view.rest_normals + at));
    const Floats3 tangent = load_woven(view.rest_tangents + at);
    store_woven(view.tangents + at, turn_along(rest, normals[i], tangent));
  }
}

/// One block in which shells may bend: the sum gives p and w of each vertex, then
///   position = rest + Rt p,  normal = R n,  tangent = R t.
template <class Number>
SUPPLE_FOR_SIZE inline void deform_shells(const DeformJob& job, const std::uint32_t* csr,
                                          const BlockView& view) {
  const format::Entry* entries = job.asset->entries;
  for (std::size_t lane = 0; lane < kBlock; lane += kWidth) {
    const std::size_t at = 3 * lane;
    const ShellSums sums = sum_shells<Number>(job, entries + csr[0], entries + csr[1], lane);
    const Floats z = dot3(sums.turn, sums.turn);
    const WarpFactors<Floats> f = warp_factors<Floats, Ints>(z, root(z));
    if (view.positions != nullptr) {
      store_woven(view.positions + at, view.rest_positions + at,
                  turned(sums.turn, f.b, f.c, sums.position));
    }
    if (view.normals == nullptr && view.tangents == nullptr) continue;
    // Not unit before corrections are added: flesh beside a shell is as flesh alone.
    const Floats3 rest = load_woven(view.rest_normals + at);
    Floats3 normal = turned(sums.turn, f.a, f.b, rest);
    const Floats3 before = unit(normal);
    add3(normal, sums.normal);
    add3(normal, cross3(sums.linear, rest));
    normal = unit(normal);
    if (view.normals != nullptr) store_woven(view.normals + at, normal);
    if (view.tangents == nullptr) continue;
    const Floats3 tangent = turned(sums.turn, f.a, f.b, load_woven(view.rest_tangents + at));
    store_woven(view.tangents + at, turn_along(before, normal, tangent));
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

template <class Number, Wanted kWanted>
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
    std::size_t first = m_job.d.first_vertex;
    if (m_packed) {
      first = packed<kGroup>(first);
      first = packed<1>(first);
    }
    for (; first < m_job.end_vertex; first += kBlock) {
      const std::size_t left = m_job.end_vertex - first;
      Deformer<Number, kBuffered>(m_job).buffered(first, left < kBlock ? left : kBlock);
    }
  }

  [[gnu::noinline]] void buffered(std::size_t first, std::size_t count) const {
    const supple_deformation& d = m_job.d;
    Buffers b{};
    const BlockView view{b.in[0],
                         b.in[1],
                         b.in[2],
                         d.positions.data == nullptr ? nullptr : b.out[0],
                         d.normals.data == nullptr ? nullptr : b.out[1],
                         d.tangents.data == nullptr ? nullptr : b.out[2]};
    if (d.rest_positions.data != nullptr) gather(d.rest_positions, first, count, b.in[0]);
    if (d.rest_normals.data != nullptr) gather(d.rest_normals, first, count, b.in[1]);
    if (d.rest_tangents.data != nullptr) gather(d.rest_tangents, first, count, b.in[2]);
    blocks<1>(first, count, view);
    if (d.positions.data != nullptr) scatter(b.out[0], first, count, d.positions);
    if (d.normals.data != nullptr) scatter(b.out[1], first, count, d.normals);
    if (d.tangents.data != nullptr) scatter(b.out[2], first, count, d.tangents);
  }

 private:
#ifdef __wasm__
  /// The package's streams are packed: only a last block comes here, and one code for all will do.
  static constexpr Wanted kBuffered = Wanted::AnyOfShells;
#else
  static constexpr Wanted kBuffered = kWanted;
#endif

  [[nodiscard]] BlockView packed_view(std::size_t first) const {
    const supple_deformation& d = m_job.d;
    // Which of them are null.
    constexpr bool kKnown = kWanted != Wanted::Any && kWanted != Wanted::AnyOfShells;
    const auto at = [first](auto* data) {
      return !kKnown && data == nullptr ? data : data + 3 * first;
    };
    BlockView view{};
    if constexpr (kWanted != Wanted::Normals) {
      view.rest_positions = at(d.rest_positions.data);
      view.positions = at(d.positions.data);
    }
    if constexpr (kWanted != Wanted::Positions) {
      view.rest_normals = at(d.rest_normals.data);
      view.normals = at(d.normals.data);
    }
    if constexpr (!kKnown) {
      view.rest_tangents = at(d.rest_tangents.data);
      view.tangents = at(d.tangents.data);
    }
    return view;
  }

  /// Blocks at a time: enough for two registers of each coordinate.
  static constexpr std::size_t kGroup = kWidth == kBlock && kWanted != Wanted::AnyOfShells ? 2 : 1;

  /// As many whole blocks as there are; returns where it stopped.
  template <std::size_t kBlocks>
  std::size_t packed(std::size_t first) const {
    for (; first + kBlocks * kBlock <= m_job.end_vertex; first += kBlocks * kBlock) {
      blocks<kBlocks>(first, kBlocks * kBlock, packed_view(first));
    }
    return first;
  }

  [[nodiscard]] bool moves(std::uint32_t block) const {
    const std::uint32_t* csr = m_job.asset->blocks + block;
    bool any = false;
    for (std::uint32_t i = csr[0]; i != csr[1]; ++i) {
      any |= m_job.active[m_job.asset->entries[i].object] != 0;
    }
    return any;
  }

  /// Inlined, so that the patterns of shuffles stay in registers.
  template <std::size_t kBlocks>
  [[gnu::always_inline]] inline void blocks(std::size_t first, std::size_t count,
                                            const BlockView& view) const {
    const auto block = static_cast<std::uint32_t>(first / kBlock);
    bool all = true;
    for (std::uint32_t i = 0; i < kBlocks; ++i) all &= moves(block + i);
    if (all) {
      if constexpr (kWanted == Wanted::AnyOfShells) {
        deform_shells<Number>(m_job, m_job.asset->blocks + block, view);
      } else {
        deform_blocks<Number, kWanted, kBlocks>(m_job, m_job.asset->blocks + block, view);
      }
    } else if constexpr (kBlocks == 1) {
      copy_block(view);
    } else {
      for (std::size_t i = 0; i < kBlocks; ++i) {
        blocks<1>(first + i * kBlock, kBlock, packed_view(first + i * kBlock));
      }
      return;
    }
    if (m_job.d.palette == nullptr) return;
    if (m_job.d.influences == 4) {
      skin_block<4>(m_job, first, count, view);
    } else {
      skin_block<8>(m_job, first, count, view);
    }
  }

  const DeformJob& m_job;
  bool m_packed = false;
};

template <class Number>
void deform_numbers(const DeformJob& job) {
  if (job.asset->shell_count != 0) {
    Deformer<Number, Wanted::AnyOfShells>(job).run();
    return;
  }
#ifndef __wasm__  // there one loop that asks keeps the module small; positions alone cost half more
  const bool positions = job.d.positions.data != nullptr;
  const bool normals = job.d.normals.data != nullptr;
  if (job.d.tangents.data == nullptr && (positions || normals)) {
    if (!normals) {
      Deformer<Number, Wanted::Positions>(job).run();
    } else if (!positions) {
      Deformer<Number, Wanted::Normals>(job).run();
    } else {
      Deformer<Number, Wanted::PositionsAndNormals>(job).run();
    }
    return;
  }
#endif
  Deformer<Number, Wanted::Any>(job).run();
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
