// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "process.hpp"

#include <string>

namespace supple::testing {

/// A flag of a few triangles that can be pushed, and after that pulled: seconds to bake.
[[nodiscard]] std::string flag_toml();

/// That scene, baked with its samples kept.
class BakedFlag {
 public:
  BakedFlag();
  [[nodiscard]] std::string path(const std::string& name) const { return m_directory.path(name); }
  [[nodiscard]] std::string file() const { return path("flag.supple"); }
  [[nodiscard]] std::string glb() const { return path("flag.glb"); }
  [[nodiscard]] std::string work() const { return path("flag.work"); }
  [[nodiscard]] std::string toml() const { return path("flag.toml"); }
  [[nodiscard]] const Outcome& baked() const { return m_baked; }

 private:
  TemporaryDirectory m_directory;
  Outcome m_baked;
};

}  // namespace supple::testing
