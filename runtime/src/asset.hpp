// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memory.hpp"
#include "world.hpp"

#include "supple.h"

#include "supple/format/layout.hpp"

#include <cstddef>
#include <cstdint>

namespace supple::player {

/// Modes are stepped in groups of this many: the widest registers hold eight doubles. The lanes of
/// an object are its modes, filled up with silent ones.
inline constexpr std::size_t kLanes = 8;

[[nodiscard]] constexpr std::size_t lanes_of(std::size_t modes) {
  return (modes + kLanes - 1) / kLanes * kLanes;
}

/// What never changes about a mode, one row of lanes each.
enum ConstantRow : std::size_t {
  kStiffness,         ///< w^2
  kCompliance,        ///< 1 / w^2
  kDecay,             ///< xi w
  kDampedFrequency,   ///< w sqrt(1 - xi^2); 0 from critical damping on
  kSlowRate,          ///< both rates of decay past critical damping
  kFastRate,          //
  kCurvature,         ///< w^2 (1 - xi^2), of either sign
  kInverseFrequency,  ///< 1 / the damped frequency, or 0
  kCreeps,            ///< how many of its group of kLanes are past critical damping
  kTransfer,          ///< 6 rows: H
  kCentrifugal = 15,  ///< 6 rows: C
  kReach = 21,        ///< metres at coefficient 1
  kConstantRows = 22
};

/// The constants of an object's modes as they are with its stiffness and damping changed by these
/// factors. Lanes without a mode have no force, so they stay at rest.
void fill_constants(const format::Object& object, const format::Mode* modes, double stiffness,
                    double damping, double* rows);

/// Opens a file that belongs to the new asset, in the memory, axes and units of another. On failure
/// it is released.
[[nodiscard]] supple_status open_owned(const supple_asset& like, unsigned char* bytes,
                                       std::size_t size, supple_asset** asset);

}  // namespace supple::player

/// A checked file, with the constants of its modes laid out for stepping.
struct supple_asset {
  supple::player::Allocator allocator;
  supple::player::World world;

  const supple::format::Header* header;
  const supple::format::Summary* summary;
  const supple::format::Part* parts;
  const supple::format::Vertex* vertices;  ///< null: not in the file
  const supple::format::Space* spaces;     ///< of parts; null: bind space
  const supple::format::Object* objects;
  const supple::format::Mode* modes;  ///< the file's, or with scales in the program's units
  const double* coriolis;
  const std::uint32_t* blocks;
  const supple::format::Entry* entries;
  const unsigned char* shapes;  ///< the file's, or a copy in the program's axes
  std::size_t shapes_size;
  const char* text;

  const supple::format::Shell* shells;
  const supple::format::Medium* media;  ///< of shells; null: none
  const float* point_rows;
  const supple::format::Attachment* attachments;
  const std::uint32_t* strain;
  const double* factors;
  const float* rest;  ///< three for each node of a rotation-strain solve; null: not in the file
  std::uint32_t shell_count;
  std::uint32_t attachment_count;

  const supple::format::Scene* scenes;
  const supple::format::PaletteEntry* palette;
  const supple::format::Response* responses;
  const std::int16_t* states;
  const float* portraits;
  const std::uint16_t* next_responses;
  std::uint32_t scene_count;

  const supple::format::Light* light;  ///< null: none, and nothing of what follows
  const supple::format::LightInput* light_inputs;
  const double* light_centres;  ///< a row of dimensions each
  const double* light_weights;  ///< a row of the rank for each centre
  const std::uint16_t* light_frames;
  const float* light_scales;
  const unsigned char* transfer;

  void* own_bytes;  ///< the file, where it was made by rebinding; released with the asset

  double* constants;        ///< kConstantRows rows of lanes per object, objects in order
  std::size_t* first_lane;  ///< of each object, and the total at the end

  /// Null where the object is something else.
  [[nodiscard]] const supple::format::Shell* shell_of(std::size_t object) const {
    for (std::uint32_t i = 0; i < shell_count; ++i) {
      if (shells[i].object == object) return &shells[i];
    }
    return nullptr;
  }
  /// The shell that an attachment holds.
  [[nodiscard]] const supple::format::Shell& shell_with(std::uint32_t attachment) const {
    std::uint32_t i = 0;
    while (attachment >= shells[i].first_attachment + shells[i].attachment_count) ++i;
    return shells[i];
  }
  [[nodiscard]] std::size_t lanes(std::size_t object) const {
    return first_lane[object + 1] - first_lane[object];
  }
  [[nodiscard]] const double* constants_of(std::size_t object) const {
    return constants + supple::player::kConstantRows * first_lane[object];
  }
};
