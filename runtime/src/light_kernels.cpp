// SPDX-License-Identifier: Apache-2.0
#include "light_kernels.hpp"

#include "float_vectors.hpp"

namespace supple::player {
namespace {

using format::kBlock;

inline constexpr std::size_t kLitPacks = kBlock / kWidth;
inline constexpr std::size_t kColourFloats = 3 * kBlock;

/// A mask of the lanes of a block whose vertices turn with a frame.
using LaneBits = std::uint32_t;
inline constexpr LaneBits kAllLanes = (1U << kBlock) - 1;

/// C_k = M_k L for a whole block, one basis after the other: the transfer is read once, in order.
template <class Number>
inline void light_block(const Number* transfer, const float* light, std::size_t bases,
                        std::size_t coefficients, float* colours) {
  for (std::size_t k = 0; k < bases; ++k, colours += kColourFloats) {
    Floats3 sums[kLitPacks] = {};
    for (std::size_t i = 0; i < coefficients; ++i, light += 3, transfer += kColourFloats) {
      const Floats red = splat_float(light[0]);
      const Floats green = splat_float(light[1]);
      const Floats blue = splat_float(light[2]);
      for (std::size_t p = 0; p < kLitPacks; ++p) {
        const Number* at = transfer + p * kWidth;
        sums[p].x += red * load_row(at);
        sums[p].y += green * load_row(at + kBlock);
        sums[p].z += blue * load_row(at + 2 * kBlock);
      }
    }
    for (std::size_t p = 0; p < kLitPacks; ++p) {
      float* to = colours + p * kWidth;
      store_floats(to, sums[p].x);
      store_floats(to + kBlock, sums[p].y);
      store_floats(to + 2 * kBlock, sums[p].z);
    }
  }
}

/// Only some lanes of one basis' colours.
inline void copy_lanes(const float* from, LaneBits lanes, float* to) {
  for (std::size_t row = 0; row < 3; ++row, from += kBlock, to += kBlock) {
    for (std::size_t lane = 0; lane < kBlock; ++lane) {
      if ((lanes >> lane & 1U) != 0) to[lane] = from[lane];
    }
  }
}

template <class Number>
class Relighter {
 public:
  explicit Relighter(const RelightJob& job)
      : m_job(job),
        m_asset(*job.asset),
        m_coefficients(std::size_t{m_asset.light->order} * m_asset.light->order),
        m_bases(std::size_t{m_asset.light->rank} + 1) {}

  void run() const {
    for (std::uint32_t block = 0; block < m_asset.summary->block_count; ++block) {
      const std::size_t first = block * kBlock;
      const std::size_t left = m_asset.summary->vertex_count - first;
      const std::uint16_t* frames = m_asset.light_frames + first;
      LaneBits todo = left < kBlock ? (1U << left) - 1 : kAllLanes;
      const LaneBits all = todo;
      while (todo != 0) {
        const std::uint16_t frame = frames[__builtin_ctz(todo)];
        LaneBits lanes = 0;
        for (std::size_t lane = 0; lane < kBlock && lane < left; ++lane) {
          lanes |= static_cast<LaneBits>(frames[lane] == frame) << lane;
        }
        todo &= ~lanes;
        const FrameLight& light = light_of(frame);
        if (light.stale) lanes == all ? whole(block, light) : some(block, light, lanes);
      }
    }
  }

 private:
  [[nodiscard]] const FrameLight& light_of(std::uint16_t frame) const {
    return m_job.frames[frame == format::kNoLightFrame ? m_asset.summary->object_count : frame];
  }
  [[nodiscard]] const Number* transfer(std::size_t side_of_block) const {
    return reinterpret_cast<const Number*>(m_asset.transfer) +
           side_of_block * m_bases * m_coefficients * kColourFloats;
  }

  void whole(std::uint32_t block, const FrameLight& light) const {
    const std::size_t sides = m_asset.light->sides;
    for (std::size_t i = block * sides; i < (std::size_t{block} + 1) * sides; ++i) {
      light_block(transfer(i), light.rows, m_bases, m_coefficients,
                  m_job.colours + i * m_bases * kColourFloats);
    }
  }

  /// Vertices of a block that turn with different objects take turns.
  void some(std::uint32_t block, const FrameLight& light, LaneBits lanes) const {
    const std::size_t sides = m_asset.light->sides;
    alignas(format::kAlignment) float colours[kColourFloats];
    for (std::size_t i = block * sides; i < (std::size_t{block} + 1) * sides; ++i) {
      for (std::size_t k = 0; k < m_bases; ++k) {
        light_block(transfer(i) + k * m_coefficients * kColourFloats,
                    light.rows + k * m_coefficients * 3, 1, m_coefficients, colours);
        copy_lanes(colours, lanes, m_job.colours + (i * m_bases + k) * kColourFloats);
      }
    }
  }

  const RelightJob& m_job;
  const supple_asset& m_asset;
  std::size_t m_coefficients, m_bases;
};

void relight(const RelightJob& job) {
  if (job.asset->summary->encoding == format::Encoding::Int16) {
    Relighter<std::int16_t>(job).run();
  } else {
    Relighter<float>(job).run();
  }
}

/// 0 where it is below.
inline Floats clamped(Floats x) {
  const Ints above = x > 0.0F;
  return (Floats)((Ints)x & above);
}

/// Colours of kWidth vertices; `colours` is where they begin in the block's first basis.
inline Floats3 shade_pack(const float* colours, const float* appearance, std::size_t rank) {
  Floats3 sum{load_floats(colours), load_floats(colours + kBlock),
              load_floats(colours + 2 * kBlock)};
  for (std::size_t k = 0; k < rank; ++k) {
    colours += kColourFloats;
    const Floats a = splat_float(appearance[k]);
    sum.x += a * load_floats(colours);
    sum.y += a * load_floats(colours + kBlock);
    sum.z += a * load_floats(colours + 2 * kBlock);
  }
  return {clamped(sum.x), clamped(sum.y), clamped(sum.z)};
}

void shade(const ShadeJob& job) {
  const format::Light& light = *job.asset->light;
  const std::size_t block_size = (std::size_t{light.rank} + 1) * kColourFloats;
  const bool packed = job.out.stride == 3 * sizeof(float);
  for (std::size_t first = job.first_vertex; first < job.end_vertex; first += kBlock) {
    const float* colours = job.colours + (first / kBlock * light.sides + job.side) * block_size;
    const bool straight = packed && job.end_vertex - first >= kBlock;
    alignas(format::kAlignment) float buffer[kColourFloats];
    float* to = straight ? job.out.data + 3 * first : buffer;
    for (std::size_t p = 0; p < kLitPacks; ++p) {
      store_woven(to + 3 * kWidth * p,
                  shade_pack(colours + kWidth * p, job.appearance, light.rank));
    }
    if (straight) continue;
    auto* bytes = reinterpret_cast<unsigned char*>(job.out.data);
    for (std::size_t v = first; v < job.end_vertex && v < first + kBlock; ++v) {
      std::memcpy(bytes + v * job.out.stride, buffer + 3 * (v - first), 3 * sizeof(float));
    }
  }
}

}  // namespace

const LightKernels SUPPLE_LIGHT_KERNELS{relight, shade};

}  // namespace supple::player
