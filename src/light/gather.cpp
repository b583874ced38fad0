// SPDX-License-Identifier: Apache-2.0
#include "light/gather.hpp"

#include "supple/core/check.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/core/parallel.hpp"
#include "supple/light/harmonics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

namespace supple::light {
namespace {

constexpr std::size_t kMostValues = 3 * std::size_t{kMostOrder} * std::size_t{kMostOrder};

/// Sums over the rays of one point in a half of the directions.
struct HalfSums {
  std::array<double, kMostValues / 3> all{};
  std::array<double, kMostValues / 3> open{};
  std::array<double, kMostValues> gathered{};

  void add(const HalfSums& other) {
    for (std::size_t i = 0; i < all.size(); ++i) all[i] += other.all[i];
    for (std::size_t i = 0; i < open.size(); ++i) open[i] += other.open[i];
    for (std::size_t i = 0; i < gathered.size(); ++i) gathered[i] += other.gathered[i];
  }
};

/// Adds w times the transfer at each hit of one point, for `Values` = 3 x coefficients known when
/// this is compiled. Returns the first hit of the next point.
template <std::size_t Values>
const Hit* gather_hits(const LitScene& scene, const TracedBatch& batch, std::size_t p,
                       const Hit* hit, const float* last, float* sum) {
  const Eigen::Vector3f normal = scene.points[p].normal;
  for (std::size_t word = 0; word < batch.words; ++word) {
    std::uint64_t bits = batch.mask[p * batch.words + word];
    for (; bits != 0; bits &= bits - 1, ++hit) {
      const auto d = 64 * word + static_cast<std::size_t>(std::countr_zero(bits));
      const float weight = normal.dot(batch.set.directions[d]);
      const auto& corners = scene.triangles[hit->triangle & ~Hit::kBack];
      const auto& at = scene.at[(hit->triangle & Hit::kBack) != 0 ? 1 : 0];
      const auto values = [&](std::size_t corner) {
        return last + Values * at[static_cast<std::size_t>(corners[corner])];
      };
      const float u = static_cast<float>(hit->u) * 0x1.0p-16F;
      const float v = static_cast<float>(hit->v) * 0x1.0p-16F;
      const float a = weight * (1 - u - v);
      const float b = weight * u;
      const float c = weight * v;
      const float* const first = values(0);
      const float* const second = values(1);
      const float* const third = values(2);
      for (std::size_t i = 0; i < Values; ++i) {
        sum[i] += a * first[i] + b * second[i] + c * third[i];
      }
    }
  }
  return hit;
}

using GatherHits = const Hit* (*)(const LitScene&, const TracedBatch&, std::size_t, const Hit*,
                                  const float*, float*);
GatherHits gather_of(std::size_t values) {
  switch (values) {
    case 3:
      return gather_hits<3>;
    case 12:
      return gather_hits<12>;
    case 27:
      return gather_hits<27>;
    case 48:
      return gather_hits<48>;
    case 75:
      return gather_hits<75>;
    default:
      SUPPLE_CHECK_OP(values, ==, kMostValues);
      return gather_hits<kMostValues>;
  }
}

/// Incident light over pi, from all that a point sees: 3 x coefficients.
///
/// With the sums over directions d above the point, w = n . d, it is sum_open w Y / sum w plus
/// sum_hit w T / sum w. Divided by the sum of weights instead of by its limit, no point can receive
/// more than all of the light, and a point that sees nothing receives exactly nothing. What the
/// directions miss of the unoccluded harmonics, A_l Y_lm(n) / pi - sum w Y / sum w, is added times
/// the open part: a point that sees everything is then exact.
void incident(const HalfSums& sums, const Eigen::VectorXd& unoccluded, float* to) {
  const auto n = static_cast<std::size_t>(unoccluded.size());
  if (!(sums.all[0] > 0)) {
    std::fill_n(to, 3 * n, 0.0F);
    return;
  }
  const double y00 = 1 / std::sqrt(4 * std::numbers::pi);
  const double total = sums.all[0] / y00;
  const double open = sums.open[0] / sums.all[0];
  for (std::size_t i = 0; i < n; ++i) {
    const double missed = unoccluded(static_cast<Eigen::Index>(i)) - sums.all[i] / total;
    const double direct = sums.open[i] / total + open * missed;
    for (std::size_t colour = 0; colour < 3; ++colour) {
      to[colour * n + i] = static_cast<float>(direct + sums.gathered[colour * n + i] / total);
    }
  }
}

/// A_l Y_lm(n) / pi [RH01].
Eigen::VectorXd unoccluded_transfer(int order, const Eigen::Vector3f& normal) {
  Eigen::VectorXd y = harmonics(order, normal.cast<double>());
  for (Eigen::Index i = 0; i < y.size(); ++i) {
    y(i) *= cosine_lobe(degree(static_cast<int>(i))) / std::numbers::pi;
  }
  return y;
}

/// Incident light of all points: by all directions, and by each half.
struct PointIncidence {
  std::vector<float> whole;
  std::array<std::vector<float>, 2> half;
};

class Gatherer {
 public:
  Gatherer(const LitScene& scene, const std::vector<TracedBatch>& batches,
           const std::vector<float>& last)
      : m_scene(scene),
        m_batches(batches),
        m_last(last),
        m_n(static_cast<std::size_t>(batches.front().set.coefficients)),
        m_order(degree(batches.front().set.coefficients - 1) + 1),
        m_gather(gather_of(3 * m_n)) {
    for (const TracedBatch& batch : batches) m_directions += batch.set.count();
  }

  PointIncidence gather() {
    PointIncidence result;
    const std::size_t size = m_scene.points.size() * 3 * m_n;
    result.whole.resize(size);
    for (auto& half : result.half) half.resize(size);
    parallel_chunks(m_scene.points.size(), kPointsAtOnce, [&](std::size_t begin, std::size_t end) {
      if (!interrupted()) group(begin, end, result);
    });
    return result;
  }

 private:
  void group(std::size_t begin, std::size_t end, PointIncidence& result) const {
    std::array<std::vector<HalfSums>, 2> sums;
    for (auto& half : sums) half.resize(end - begin);
    std::size_t before = 0;
    for (const TracedBatch& batch : m_batches) {
      add_batch(batch, begin, end, sums[2 * before < m_directions ? 0 : 1]);
      before += batch.set.count();
    }
    for (std::size_t p = begin; p < end; ++p) {
      const Eigen::VectorXd unoccluded = unoccluded_transfer(m_order, m_scene.points[p].normal);
      for (std::size_t h = 0; h < 2; ++h) {
        incident(sums[h][p - begin], unoccluded, &result.half[h][p * 3 * m_n]);
      }
      HalfSums whole = sums[0][p - begin];
      whole.add(sums[1][p - begin]);
      incident(whole, unoccluded, &result.whole[p * 3 * m_n]);
    }
  }

  void add_batch(const TracedBatch& batch, std::size_t begin, std::size_t end,
                 std::vector<HalfSums>& sums) const {
    const Hit* hit = batch.hits[begin / kPointsAtOnce].data();
    for (std::size_t p = begin; p < end; ++p) {
      HalfSums& sum = sums[p - begin];
      for (std::size_t i = 0; i < m_n; ++i) {
        sum.all[i] += double{batch.all[p * m_n + i]};
        sum.open[i] += double{batch.open[p * m_n + i]};
      }
      if (m_last.empty()) continue;
      std::array<float, kMostValues> gathered{};
      hit = m_gather(m_scene, batch, p, hit, m_last.data(), gathered.data());
      for (std::size_t i = 0; i < 3 * m_n; ++i) sum.gathered[i] += double{gathered[i]};
    }
  }

  const LitScene& m_scene;
  const std::vector<TracedBatch>& m_batches;
  const std::vector<float>& m_last;
  std::size_t m_n;
  int m_order;
  GatherHits m_gather;
  std::size_t m_directions = 0;
};

/// Albedo times the light on the own side plus transmission times that on the other one.
void reflect(const LitPoint& point, std::size_t p, const PointMaterial& material,
             const std::vector<float>& light, std::size_t n, float* to) {
  for (std::size_t colour = 0; colour < 3; ++colour) {
    const float albedo = material.albedo(static_cast<Eigen::Index>(colour));
    const float through = material.transmission(static_cast<Eigen::Index>(colour));
    const float* const own = &light[(p * 3 + colour) * n];
    for (std::size_t i = 0; i < n; ++i) to[colour * n + i] = albedo * own[i];
    if (point.other_side == kNoPoint || through == 0) continue;
    const float* const other = &light[(std::size_t{point.other_side} * 3 + colour) * n];
    for (std::size_t i = 0; i < n; ++i) to[colour * n + i] += through * other[i];
  }
}

/// Half the difference of the two halves of directions, as a length, mean over colours.
float half_difference(const std::vector<float>& a, const std::vector<float>& b, std::size_t n) {
  double mean = 0;
  for (std::size_t colour = 0; colour < 3; ++colour) {
    double squared = 0;
    for (std::size_t i = colour * n; i < (colour + 1) * n; ++i) {
      const double difference = 0.5 * (double{a[i]} - double{b[i]});
      squared += difference * difference;
    }
    mean += std::sqrt(squared) / 3;
  }
  return static_cast<float>(mean);
}

}  // namespace

Result<PointTransfer> gather(const LitScene& scene, const std::vector<TracedBatch>& batches,
                             const std::vector<PointMaterial>& materials,
                             const std::vector<float>& last) {
  const auto n = static_cast<std::size_t>(batches.front().set.coefficients);
  const PointIncidence light = Gatherer(scene, batches, last).gather();
  PointTransfer result;
  result.values.resize(scene.points.size() * 3 * n);
  result.error.resize(scene.points.size());
  parallel_chunks(scene.points.size(), kPointsAtOnce, [&](std::size_t begin, std::size_t end) {
    std::array<std::vector<float>, 2> half;
    for (auto& values : half) values.resize(3 * n);
    for (std::size_t p = begin; p < end; ++p) {
      const LitPoint& point = scene.points[p];
      reflect(point, p, materials[p], light.whole, n, &result.values[p * 3 * n]);
      for (std::size_t h = 0; h < 2; ++h) {
        reflect(point, p, materials[p], light.half[h], n, half[h].data());
      }
      result.error[p] = half_difference(half[0], half[1], n);
    }
  });
  SUPPLE_TRY_VOID(check_interrupt());
  return result;
}

}  // namespace supple::light
