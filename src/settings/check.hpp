// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/settings/field.hpp"

namespace supple::settings {

/// Ranges, texts with a syntax, and rules. `table` is what the struct was read from, and has the
/// places, or what it was written to.
[[nodiscard]] Result<void> check_table(const FieldList& list, const Value& table,
                                       std::string_view file, const void* settings,
                                       const std::string& path);

}  // namespace supple::settings
