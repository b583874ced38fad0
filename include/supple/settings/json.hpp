// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/settings/field.hpp"

#include <string>
#include <string_view>

namespace supple::settings {

/// A table as JSON, without what is only proposed.
[[nodiscard]] std::string print_json(const Value& table);
/// A JSON object as a table. Null is not accepted anywhere.
[[nodiscard]] Result<Value> parse_json(std::string_view text);

/// The list itself as JSON, for editors: keys, units, defaults, descriptions and forms.
[[nodiscard]] std::string describe_json(const FieldList& list);

}  // namespace supple::settings
