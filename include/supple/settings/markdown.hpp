// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/settings/field.hpp"

#include <string>
#include <vector>

namespace supple::settings {

/// The list as a table of Markdown, with its sections and the keys of tables in a line. Sections
/// named in `elsewhere` are described in another table.
[[nodiscard]] std::string describe_markdown(const FieldList& list,
                                            const std::vector<std::string>& elsewhere = {});

}  // namespace supple::settings
