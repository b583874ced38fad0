// SPDX-License-Identifier: Apache-2.0
#include "shell_bound.hpp"

#include "elementary.hpp"
#include "shapes.hpp"
#include "size.hpp"

#include <cstring>

namespace supple::player {
namespace {

constexpr std::size_t kMostTriangles = 256;  // a multiple of kBlock
constexpr double kSmall = 0.05;              // radians or strain: far from every bound
constexpr double kSoftFrom = 0.7;            // part of the bound from which on it is felt
constexpr double kSoftSeconds = 0.05;        // in which the rest of the way shrinks by e
constexpr double kDifference = 0.02;         // radians, for slopes: well above what floats round
constexpr int kHalvings = 12;

std::size_t sample_count(const StrainView& view) {
  return view.triangles < kMostTriangles ? view.triangles : kMostTriangles;
}

/// All triangles, or some whose numbers are spread by the golden ratio: even steps would fall in
/// with the rows of a regular mesh.
std::size_t triangle_of(const StrainView& view, std::size_t index) {
  if (view.triangles <= kMostTriangles) return index;
  constexpr std::uint32_t kGolden = 2654435769U;  // of 2^32
  const std::uint32_t part = static_cast<std::uint32_t>(index) * kGolden;
  return static_cast<std::size_t>(std::uint64_t{part} * view.triangles >> 32U);
}

/// One sample: a lane of its block.
class Sample {
 public:
  Sample(const supple_asset& asset, ShellState& shell, const StrainView& view, std::size_t index)
      : m_asset(asset),
        m_shell(shell),
        m_nodes(view.corners + 3 * triangle_of(view, index)),
        m_view(view),
        m_lane(shell.samples.triangles + index % format::kBlock +
               index / format::kBlock * format::kBlock *
                   (kTriangleRows + kTriangleModeRows * shell.mode_count)) {}

  /// Its area.
  SUPPLE_FOR_SIZE double fill() {
    const format::Object& object = m_asset.objects[m_shell.file->object];
    double scale = 1;
    const Rotation bind = bind_rotation(object, scale);
    scale /= m_asset.world.units_of_file;
    for (std::size_t i = 0; i < 3; ++i) {
      const float* x = m_shell.rest + 3 * std::size_t{m_nodes[i]};
      m_rest[i] = {x[0], x[1], x[2]};
      store(3 * i, m_rest[i]);
      const std::uint32_t vertex = m_view.vertex_of_node[m_nodes[i]];
      const format::Entry* entry = entry_of(m_asset, vertex, m_shell.file->object);
      for (std::size_t k = 0; entry != nullptr && k < m_shell.mode_count; ++k) {
        const VertexShape u = vertex_shape(m_asset, *entry, k, vertex % format::kBlock);
        const Vec3 p{u.displacement[0], u.displacement[1], u.displacement[2]};
        const Vec3 w{u.normal[0], u.normal[1], u.normal[2]};
        store(row(k, i), scale * to_world(bind, m_asset.world.in(p)));
        store(row(k, i) + 3, to_world(bind, m_asset.world.turn_in(w)));
      }
    }
    return 0.5 * length(cross(m_rest[1] - m_rest[0], m_rest[2] - m_rest[0]));
  }

  void set_share(double share) { m_lane[9 * format::kBlock] = static_cast<float>(share); }
  [[nodiscard]] double share() const { return m_lane[9 * format::kBlock]; }

  /// Most that a mode turns a corner or strains or turns an edge. Contract: filled.
  [[nodiscard]] SUPPLE_FOR_SIZE double steepness(std::size_t mode) const {
    double most = 0;
    const auto note = [&most](double size) { most = size > most ? size : most; };
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3;
      note(length(load(row(mode, i) + 3)));
      const double edge = length(m_rest[j] - m_rest[i]);
      if (edge > 0) note(length(load(row(mode, j)) - load(row(mode, i))) / edge);
    }
    return most;
  }

 private:
  [[nodiscard]] static std::size_t row(std::size_t mode, std::size_t corner) {
    return kTriangleRows + kTriangleModeRows * mode + 6 * corner;
  }
  void store(std::size_t row, Vec3 v) {
    float numbers[3];
    set(numbers, v);
    for (std::size_t i = 0; i < 3; ++i) m_lane[(row + i) * format::kBlock] = numbers[i];
  }
  [[nodiscard]] Vec3 load(std::size_t row) const {
    const float* at = m_lane + row * format::kBlock;
    return {at[0], at[format::kBlock], at[2 * format::kBlock]};
  }

  const supple_asset& m_asset;
  ShellState& m_shell;
  const std::uint32_t* m_nodes;
  const StrainView& m_view;
  float* m_lane;
  Vec3 m_rest[3]{};
};

}  // namespace

SUPPLE_FOR_SIZE void lay_out_samples(Arena& arena, const supple_asset& asset,
                                     const format::Shell& file, ShellState& shell) {
  SampleRows& samples = shell.samples;
  const std::size_t count = sample_count(strain_view(asset, file));
  samples.blocks = (count + format::kBlock - 1) / format::kBlock;
  const std::size_t rows = kTriangleRows + kTriangleModeRows * shell.mode_count;
  samples.triangles = arena.take<float>(samples.blocks * rows * format::kBlock);
  samples.steepness = arena.take<double>(shell.lanes);
  samples.q = arena.take<float>(shell.lanes);
  samples.trial = arena.take<double>(shell.lanes);
}

SUPPLE_FOR_SIZE void survey_samples(const supple_asset& asset, ShellState& shell) {
  if (shell.rest == nullptr) return;
  const StrainView view = strain_view(asset, *shell.file);
  const std::size_t count = sample_count(view);
  double all = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Sample sample(asset, shell, view, i);
    const double area = sample.fill();
    sample.set_share(area);
    all += area;
    for (std::size_t k = 0; k < shell.mode_count; ++k) {
      const double steep = sample.steepness(k);
      if (steep > shell.samples.steepness[k]) shell.samples.steepness[k] = steep;
    }
  }
  for (std::size_t i = 0; i < count && all > 0; ++i) {
    Sample sample(asset, shell, view, i);
    sample.set_share(sample.share() / all);
  }
}

ShellBound::ShellBound(const supple_player& player, std::size_t object)
    : m_settings(player.objects[object].settings),
      m_shell(shell_state(player, object)),
      m_kernels(*player.points),
      m_acts(m_shell.rest != nullptr && m_settings.warp != SUPPLE_WARP_LINEAR &&
             (m_settings.area_bound > 0 || m_settings.turn_bound > 0)) {}

SUPPLE_FOR_SIZE double ShellBound::measure(const double* q) const {
  const SampleRows& samples = m_shell.samples;
  double most = 0;
  for (std::size_t k = 0; k < m_settings.modes; ++k) {
    most += samples.steepness[k] * (q[k] < 0 ? -q[k] : q[k]);
    samples.q[k] = static_cast<float>(q[k]);
  }
  if (most < kSmall) return 0;
  float area = 0;
  float turn = 0;
  m_kernels.stretch({samples.triangles, samples.blocks, m_shell.mode_count, m_settings.modes,
                     samples.q, &area, &turn});
  double part = 0;
  // Rotation and strain keep areas.
  const bool warped = m_settings.warp != SUPPLE_WARP_ROTATION_STRAIN;
  if (warped && m_settings.area_bound > 0) {
    part = __builtin_sqrt(static_cast<double>(area)) / m_settings.area_bound;
  }
  if (m_settings.turn_bound > 0) {
    const double turned = __builtin_sqrt(static_cast<double>(turn)) / m_settings.turn_bound;
    if (!(turned <= part)) part = turned;
  }
  return part;
}

double ShellBound::reach(double h) const {
  const double from = m_shell.strained > kSoftFrom ? m_shell.strained : kSoftFrom;
  return from < 1 ? 1 - (1 - from) * exp_of_negative(-h / kSoftSeconds) : from;
}

SUPPLE_FOR_SIZE double ShellBound::scale_within(const double* q, double bound) const {
  double* trial = m_shell.samples.trial;
  double low = 0;
  double high = 1;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    for (std::size_t k = 0; k < m_settings.modes; ++k) trial[k] = middle * q[k];
    (measure(trial) <= bound ? low : high) = middle;
  }
  return low;
}

SUPPLE_FOR_SIZE void ShellBound::slope(const double* q, double* row) const {
  double* trial = m_shell.samples.trial;
  std::memcpy(trial, q, m_settings.modes * sizeof(double));
  for (std::size_t k = 0; k < m_settings.modes; ++k) {
    const double steep = m_shell.samples.steepness[k];
    const double step = steep > 0 ? kDifference / steep : 0;
    trial[k] = q[k] + step;
    const double after = measure(trial);
    trial[k] = q[k] - step;
    row[k] = step > 0 ? (after - measure(trial)) / (2 * step) : 0;
    trial[k] = q[k];
  }
}

}  // namespace supple::player
