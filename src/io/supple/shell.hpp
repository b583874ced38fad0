// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/format/layout.hpp"
#include "supple/io/supple_file.hpp"

#include <cstdint>
#include <vector>

namespace supple::io {

/// The sections that only files with shells have.
struct ShellSections {
  std::vector<format::Shell> shells;
  std::vector<float> points;
  std::vector<format::Attachment> attachments;
  std::vector<format::Medium> media;
  std::vector<std::uint32_t> strain;
  std::vector<double> factors;
  std::vector<float> rest;
  std::size_t nodes = 0;  ///< of all rotation-strain solves
};

/// Errors name the object. What is no shell passes.
[[nodiscard]] Result<void> check_shell(const soft::Asset& asset, const soft::Object& object);

/// Adds the object number `index`, a checked shell, but for the names of its attachments' bones.
void add_shell(const soft::Object& object, std::uint32_t index, ShellSections& sections);

}  // namespace supple::io
