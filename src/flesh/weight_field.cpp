// SPDX-License-Identifier: Apache-2.0
#include "flesh/weight_field.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace supple::flesh {

using geometry::Vec3;

WeightField::WeightField(const std::vector<Vec3>& positions, const std::vector<double>& areas,
                         const std::vector<double>& weights, std::size_t samples) {
  double total_area = 0;
  for (const double area : areas) total_area += area;
  // A cell with this edge length contains one sample's share of the area.
  const double cell = std::sqrt(total_area / static_cast<double>(samples));
  if (!(cell > 0)) return;
  std::map<std::array<std::int64_t, 3>, Sample> cells;
  for (std::size_t v = 0; v < positions.size(); ++v) {
    if (!(areas[v] > 0)) continue;
    const Eigen::Array3d at = (positions[v].array() / cell).floor();
    Sample& sample = cells[{static_cast<std::int64_t>(at.x()), static_cast<std::int64_t>(at.y()),
                            static_cast<std::int64_t>(at.z())}];
    if (sample.area == 0) sample.position = Vec3::Zero();
    sample.position += areas[v] * positions[v];
    sample.weight += areas[v] * weights[v];
    sample.area += areas[v];
  }
  for (auto& [key, sample] : cells) {
    sample.position /= sample.area;
    sample.weight /= sample.area;
    m_samples.push_back(sample);
  }
  m_blur = 0.25 * cell * cell;
}

double WeightField::operator()(const Vec3& point) const {
  double above = 0;
  double below = 0;
  for (const Sample& sample : m_samples) {
    const double d2 = (sample.position - point).squaredNorm() + m_blur;
    const double influence = sample.area / (d2 * d2);
    above += influence * sample.weight;
    below += influence;
  }
  return below > 0 ? above / below : 0;
}

}  // namespace supple::flesh
