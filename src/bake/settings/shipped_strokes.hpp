// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace supple::bake {

/// A file of src/bake/strokes.
struct ShippedStroke {
  std::string_view name;
  std::string_view text;
};
[[nodiscard]] std::span<const ShippedStroke> shipped_stroke_texts();

}  // namespace supple::bake
