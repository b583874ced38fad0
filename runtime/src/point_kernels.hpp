// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace supple::player {

/// Forces on a shell's force points, all in its frame.
struct PointField {
  float acceleration[3];    ///< apparent, at the shell's centre: gravity less the frame's own
  float centre[3];          ///< of mass, at rest
  float alpha[3];           ///< the frame's angular acceleration
  float spin[3];            ///< and velocity
  float wind[3];            ///< m/s relative to the frame's origin
  float gust_direction[3];  ///< unit, times 2 pi over the size of a gust: phase per metre
  float gust_phase;         ///< at the frame's origin
  float gusts;              ///< 0 .. 1
  float ground[3];          ///< wind's own velocity, which gusts scale
  float density;            ///< of the medium; 0: none
};

struct PointJob {
  const float* rows;  ///< format::kPointRows and kRows per mode, for each block
  std::size_t blocks;
  std::size_t modes;  ///< of the object
  std::size_t used;   ///< how many of them, from the first on, move
  const float* q;
  bool warp;
  PointField field;
  float* scratch;       ///< six rows for each block
  float* still;         ///< out: m/s of the medium across each point, were the shell not to bend
  float* force;         ///< out: modal force, beyond what the field does at rest
  float* largest_turn;  ///< out: of a point, squared
};

/// How a medium brakes a shell's own motion.
struct BrakeJob {
  const float* across;  ///< per mode a row: m/s along each point's normal at q' = 1
  const float* areas;   ///< m^2 of each point
  const float* still;   ///< see PointJob
  std::size_t points;   ///< with those that fill up the last block
  std::size_t modes;
  const float* velocity;  ///< q' at which the brake is taken
  float density;
  float* weights;  ///< a row
  double* matrix;  ///< out: the lower triangle by rows
};

/// Rows of a block of sample triangles: their corners at rest, x y z of each, their share of the
/// area, then for each mode displacement and turn of each corner.
inline constexpr std::size_t kTriangleRows = 10;
inline constexpr std::size_t kTriangleModeRows = 18;

/// How far a warped shell is from its rest shape, by some of its triangles.
struct StretchJob {
  const float* rows;
  std::size_t blocks;
  std::size_t modes;  ///< of the object
  std::size_t used;   ///< how many of them, from the first on, move
  const float* q;
  float* area;  ///< out: mean square of the relative change of their areas
  float* turn;  ///< out: the largest of a corner, squared
};

/// Compiled once per instruction set, with the same bits as result.
struct PointKernels {
  /// f_k = sum over points of Psi_k . (Rt^T (R c x a) - c x a), c the lever and a the acceleration
  /// at the centre, of Phi_k . (R^T F(x + u) - F(x)), F what inertial forces differ from there,
  /// and of Phi_k . R^T F of a medium on a shell that does not bend [CWK07 eq. 17].
  void (*forces)(const PointJob& job);
  /// The D of what the shell's own motion changes about the medium's force, -D q'.
  void (*brakes)(const BrakeJob& job);
  void (*stretch)(const StretchJob& job);
};

extern const PointKernels kPointKernelsBaseline;
extern const PointKernels kPointKernelsAvx2;
extern const PointKernels kPointKernelsAvx512;

}  // namespace supple::player
