// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bake/simulate/frames.hpp"

#include "supple/core/hash.hpp"
#include "supple/simulator/world.hpp"

#include <filesystem>

namespace supple::bake::detail {

/// A simulation on disk: the frames so far and the state to continue from. A process that is killed
/// at any moment leaves a state that was complete, and at least the frames before it.
class Checkpoint {
 public:
  /// Starts anew in the folder; what was there of an earlier run is removed.
  [[nodiscard]] static Result<Checkpoint> create(const std::filesystem::path& folder,
                                                 const Hash& scene, simulator::World& world);
  /// Continues where the folder says. Without a state in it, the same as `create`; a state of
  /// another scene is an error.
  [[nodiscard]] static Result<Checkpoint> resume(const std::filesystem::path& folder,
                                                 const Hash& scene, simulator::World& world);

  [[nodiscard]] std::size_t resumed_at() const { return m_resumed_at; }  ///< steps
  [[nodiscard]] const FrameFile& frames() const { return m_frames; }

  [[nodiscard]] Result<void> add(const FrameNumbers& numbers, const simulator::World& world);
  /// Makes the present state the one to continue from.
  [[nodiscard]] Result<void> save(const simulator::World& world);

 private:
  std::filesystem::path m_folder;
  Hash m_scene;
  FrameFile m_frames;
  std::size_t m_resumed_at = 0;
};

/// The files of a checkpoint, and the folder if nothing else is in it.
void remove_checkpoint_files(const std::filesystem::path& folder);

}  // namespace supple::bake::detail
