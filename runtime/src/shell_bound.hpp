// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shell.hpp"

namespace supple::player {

void lay_out_samples(Arena& arena, const supple_asset& asset, const format::Shell& file,
                     ShellState& shell);
/// What never changes about the samples. Contract: the nodes at rest are known, where there are
/// any.
void survey_samples(const supple_asset& asset, ShellState& shell);

/// How far a shell may bend: modes at rest do not follow any shape, and beyond some turn warping
/// tears a shell apart. Measured on a sample of its triangles (docs/shells.md).
class ShellBound {
 public:
  ShellBound(const supple_player& player, std::size_t object);

  /// False where the settings or the file have no bound.
  [[nodiscard]] bool acts() const { return m_acts; }

  /// Part of the bounds that q reaches: 1 on it. 0 where q is obviously small.
  [[nodiscard]] double measure(const double* q) const;

  /// The most of it that a frame h seconds after the last may have. Near the bound the rest of the
  /// way is covered more and more slowly, as through honey, so that nothing stops with a jerk; what
  /// is at rest below the bound stays as it is, and what weight took beyond it gets no further.
  [[nodiscard]] double reach(double h) const;

  /// Largest part of q, up to 1, that stays within `bound`.
  [[nodiscard]] double scale_within(const double* q, double bound) const;

  /// The change of the measure with each mode, by differences.
  void slope(const double* q, double* row) const;

 private:
  const supple_object_settings& m_settings;
  const ShellState& m_shell;
  const PointKernels& m_kernels;
  bool m_acts;
};

}  // namespace supple::player
