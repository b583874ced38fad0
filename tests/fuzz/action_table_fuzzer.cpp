// SPDX-License-Identifier: Apache-2.0
#include "supple/io/action_table.hpp"

#include "fuzz/harness.hpp"

#include <cmath>

/// Actions that are read have names, strengths and frames that ascend.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace supple;
  const auto read = io::read_action_table(fuzz::bytes_of(data, size), "fuzz.csv");
  if (!read.ok()) return 0;
  SUPPLE_CHECK(!read->rows.empty());
  std::size_t last_line = 0;
  for (std::size_t i = 0; i < read->rows.size(); ++i) {
    const io::ActionTable::Row& row = read->rows[i];
    SUPPLE_CHECK(!row.entry.empty());
    SUPPLE_CHECK(std::isfinite(row.strength) && row.strength > 0);
    SUPPLE_CHECK_OP(row.line, >, last_line);
    if (i > 0) SUPPLE_CHECK_OP(row.frame, >, read->rows[i - 1].frame);
    last_line = row.line;
  }
  return 0;
}
