// SPDX-License-Identifier: Apache-2.0
#include "bake/simulate/checkpoint.hpp"

#include "supple/core/files.hpp"

#include <fmt/format.h>

#include <cstring>

namespace supple::bake::detail {
namespace {

using geometry::Vec3;

constexpr const char* kStateFile = "state.bin";
constexpr const char* kFramesFile = "frames.bin";

/// In front of the world's own bytes.
struct StateHeader {
  Hash scene;
  std::uint64_t steps = 0;
};

std::vector<Vec3> all_positions(const simulator::World& world) {
  std::vector<Vec3> all;
  all.reserve(world.vertex_count());
  for (std::size_t b = 0; b < world.bodies().size(); ++b) {
    const std::vector<Vec3> some = world.positions(b);
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace

Result<Checkpoint> Checkpoint::create(const std::filesystem::path& folder, const Hash& scene,
                                      simulator::World& world) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) {
    return io_error(
        fmt::format("cannot create the folder '{}': {}", folder.string(), failure.message()));
  }
  // The state first: frames without one are never continued.
  std::filesystem::remove(folder / kStateFile, failure);
  Checkpoint checkpoint;
  checkpoint.m_folder = folder;
  checkpoint.m_scene = scene;
  SUPPLE_TRY(checkpoint.m_frames, FrameFile::create(folder / kFramesFile, world.vertex_count()));
  FrameNumbers start;
  start.intersections = world.count_intersections();
  start.smallest_distance = std::numeric_limits<double>::infinity();
  SUPPLE_TRY_VOID(checkpoint.add(start, world));
  return checkpoint;
}

Result<Checkpoint> Checkpoint::resume(const std::filesystem::path& folder, const Hash& scene,
                                      simulator::World& world) {
  const std::filesystem::path path = folder / kStateFile;
  if (!std::filesystem::exists(path)) return create(folder, scene, world);
  SUPPLE_TRY(const Bytes bytes, read_file(path));
  StateHeader header;
  if (bytes.size() < sizeof header) {
    return io_error(fmt::format("the checkpoint '{}' is damaged; start anew", path.string()));
  }
  std::memcpy(static_cast<void*>(&header), bytes.data(), sizeof header);
  if (header.scene != scene) {
    return bad_input(fmt::format(
        "the checkpoint in '{}' belongs to another scene, other settings or another version; "
        "start anew, or use the scene that it was made with",
        folder.string()));
  }
  SUPPLE_TRY_VOID(world.restore(std::span(bytes).subspan(sizeof header)));
  Checkpoint checkpoint;
  checkpoint.m_folder = folder;
  checkpoint.m_scene = scene;
  checkpoint.m_resumed_at = header.steps;
  SUPPLE_TRY(checkpoint.m_frames,
             FrameFile::open(folder / kFramesFile, world.vertex_count(), header.steps + 1));
  return checkpoint;
}

Result<void> Checkpoint::add(const FrameNumbers& numbers, const simulator::World& world) {
  return m_frames.append(numbers, all_positions(world));
}

Result<void> Checkpoint::save(const simulator::World& world) {
  SUPPLE_TRY_VOID(m_frames.flush());
  const StateHeader header{m_scene, m_frames.frames() - 1};
  Bytes bytes(sizeof header);
  std::memcpy(bytes.data(), &header, sizeof header);
  const auto state = world.save();
  bytes.insert(bytes.end(), state.begin(), state.end());
  return write_file(m_folder / kStateFile, bytes);
}

void remove_checkpoint_files(const std::filesystem::path& folder) {
  std::error_code ignored;
  std::filesystem::remove(folder / kStateFile, ignored);
  std::filesystem::remove(folder / kFramesFile, ignored);
  std::filesystem::remove(folder, ignored);  // fails, as it should, if it has other files
}

}  // namespace supple::bake::detail
