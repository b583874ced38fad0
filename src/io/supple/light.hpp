// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/supple/file_builder.hpp"

#include "supple/core/files.hpp"
#include "supple/core/result.hpp"
#include "supple/format/layout.hpp"
#include "supple/soft/light.hpp"

#include <cstdint>
#include <vector>

namespace supple::io {

/// The sections that only files with light have.
struct LightSections {
  format::Light light{};
  std::vector<format::LightInput> inputs;
  std::vector<double> centres;
  std::vector<std::uint16_t> frames;
  std::vector<float> scales;
  Bytes transfer;
  double error = 0;  ///< largest rounding error of a transfer coefficient, relative to the largest
};

/// What of a file its light must fit.
struct LitFile {
  std::uint32_t vertices = 0;
  std::uint32_t coefficients = 0;
  std::uint32_t objects = 0;
  bool float32 = false;
};

/// The light as sections; errors say which part of it does not fit.
[[nodiscard]] Result<LightSections> light_sections(const soft::Light& light, const LitFile& file);

void add_sections(const LightSections& light, FileBuilder& file);

}  // namespace supple::io
