// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/motion.hpp"
#include "supple/core/result.hpp"
#include "supple/flesh/flesh_object.hpp"

#include <Eigen/Core>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

struct supple_asset;

namespace supple::bake {

/// A .supple file in memory, checked whole. Errors say what is wrong with it.
class FleshFile {
 public:
  [[nodiscard]] static Result<FleshFile> open(std::span<const std::byte> bytes,
                                              std::string_view name);
  ~FleshFile();
  FleshFile(FleshFile&&) noexcept;
  FleshFile& operator=(FleshFile&&) noexcept;

  [[nodiscard]] const struct ::supple_asset* asset() const { return m_asset; }
  [[nodiscard]] const std::string& name() const { return m_name; }
  /// An error unless it was made for the mesh with this hash (io::mesh_hash).
  [[nodiscard]] Result<void> check_mesh(std::uint64_t mesh_hash) const;
  /// What export needs of each object: name, vertices, shapes.
  [[nodiscard]] std::vector<flesh::FleshObject> objects() const;
  /// The bones that drive the objects, at rest, each alone at the world's origin: enough for
  /// motions that need no glTF file.
  [[nodiscard]] flesh::Character bones() const;

 private:
  FleshFile() = default;
  struct AlignedDelete {
    void operator()(std::byte* bytes) const;
  };
  std::string m_name;
  std::unique_ptr<std::byte[], AlignedDelete> m_bytes;  ///< the player reads in place
  std::size_t m_size = 0;
  struct ::supple_asset* m_asset = nullptr;  ///< not to be mistaken for our function
};

struct PlaySettings {
  double gain = 1;
  int max_cycles = 100;     ///< a loop that is not periodic by then is closed by force
  double tolerance = 1e-4;  ///< of the largest coefficient: when a cycle repeats the last one
};

/// Coefficients over time: one row per frame of the motion, one column per mode of the file.
struct Tracks {
  std::string name;
  double duration = 0;
  Eigen::MatrixXd values;
  bool loops = false;
  int cycles = 0;                     ///< that a loop took to become periodic
  std::vector<std::string> warnings;  ///< jumps, limits, loops that do not settle

  [[nodiscard]] double time(Eigen::Index frame) const {
    return values.rows() < 2
               ? 0
               : duration * static_cast<double>(frame) / static_cast<double>(values.rows() - 1);
  }
};

/// Runs the player over a motion, one step per frame, as an engine at that rate would.
///
/// A loop runs until a cycle repeats the one before, and its first and last rows are equal. Any
/// other motion starts with the flesh settled in the first pose.
[[nodiscard]] Result<Tracks> play(const FleshFile& file, const Motion& motion,
                                  const PlaySettings& settings = {});

}  // namespace supple::bake
