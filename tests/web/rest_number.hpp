// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace supple::web::testing {

/// Numbers of rest meshes by a rule that synthetic.mjs knows too.
inline float rest_number(std::size_t i) {
  return static_cast<float>(static_cast<double>(i * 7919 % 1000) / 500 - 1);
}

}  // namespace supple::web::testing
