// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace supple::detail {

/// Wipes the progress bar if one is on the screen, so that a message does not run into it. The bar
/// comes back with its next report.
void clear_progress_line();

}  // namespace supple::detail
