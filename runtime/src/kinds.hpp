// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "asset.hpp"

#include <cstddef>

namespace supple::player {

class FileReader;

/// What the player does with the objects of one kind. A new kind is a file with these functions and
/// an entry in kKinds; its state hangs at ObjectState::state.
struct Kind {
  format::Kind code;
  supple_object_kind name;
  /// The second three rows of its shapes are turns instead of changes of the normal.
  bool has_turns;

  /// Checks the sections that this kind brings; false, with a detail, where they are bad.
  bool (*read)(FileReader& file);

  /// Takes memory for its objects and whatever they share; called twice, see Arena. `placed` has no
  /// objects yet the first time.
  void (*lay_out)(Arena& arena, const supple_asset& asset, supple_player& placed);
  /// Once for each object, after its memory is there and its settings are the default.
  void (*prepare)(supple_player& player, std::size_t object);

  /// After the settings of an object or the player's gravity changed.
  void (*adjust)(supple_player& player, std::size_t object);
  /// At rest and without a past.
  void (*reset)(supple_player& player, std::size_t object);
  /// A force in newtons in the file's world axes, on a vertex of the entry's block.
  void (*push)(supple_player& player, const format::Entry& entry, std::uint32_t vertex, Vec3 force);
  void (*step)(supple_player& player, std::size_t object, double dt);
};

extern const Kind kFlesh;
extern const Kind kShell;
extern const Kind kScene;
/// Of a later format: its objects stay at rest.
extern const Kind kUnknownKind;

inline constexpr const Kind* kKinds[] = {&kFlesh, &kShell, &kScene};

[[nodiscard]] inline const Kind& kind_of(const format::Object& object) {
  for (const Kind* kind : kKinds) {
    if (kind->code == object.kind) return *kind;
  }
  return kUnknownKind;
}

/// Calls f(number, object) for all objects of a kind.
template <class F>
void each_object(const supple_asset& asset, const Kind& kind, const F& f) {
  for (std::size_t i = 0; i < asset.summary->object_count; ++i) {
    if (asset.objects[i].kind == kind.code) f(i, asset.objects[i]);
  }
}

}  // namespace supple::player
