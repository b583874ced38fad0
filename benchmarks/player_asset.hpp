// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "benchmarks/measure.hpp"
#include "supple/core/result.hpp"
#include "supple/io/supple_file.hpp"

#include "supple.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace supple::bench {

/// Vertices of the character shared by several sections, and modes of each of its objects.
inline constexpr std::uint32_t kCharacterVertices = 17'953;
inline constexpr std::size_t kCharacterModes = 5;

struct AssetSpec {
  std::size_t objects = 1;
  std::size_t modes = kCharacterModes;
  std::uint32_t vertices = 0;  ///< all moved by every object; for shells, each by one
  bool coriolis = false;
  bool float32 = false;
  bool shells = false;         ///< all objects, with turns on both sides of 1 radian
  std::size_t light_rank = 0;  ///< with light of 4 bands from 50 shapes; 0: without light
};

/// A player file in memory; from a spec, with random numbers of realistic size.
class OpenAsset {
 public:
  [[nodiscard]] static Result<OpenAsset> make(const AssetSpec& spec);
  [[nodiscard]] static Result<OpenAsset> make(const soft::Asset& asset, bool float32);
  [[nodiscard]] std::size_t bytes() const { return m_bytes.size(); }
  [[nodiscard]] const supple_asset* get() const { return m_asset.get(); }

 private:
  explicit OpenAsset(const Bytes& bytes);
  struct Close {
    void operator()(supple_asset* asset) const { supple_asset_close(asset); }
  };
  AlignedArray<std::byte> m_bytes;
  std::unique_ptr<supple_asset, Close> m_asset;
};

struct DestroyPlayer {
  void operator()(supple_player* player) const { supple_player_destroy(player); }
};
using Player = std::unique_ptr<supple_player, DestroyPlayer>;

[[nodiscard]] Player make_player(const OpenAsset& asset);

/// World matrix of a bone that swings and makes one full turn in `period` seconds.
struct Swing {
  double period = 4;
  void at(double seconds, float matrix[16]) const;
};

}  // namespace supple::bench
