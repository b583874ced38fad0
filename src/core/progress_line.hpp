// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace supple::detail {

/// Erases the progress bar if one is on the screen, so that a message does not run into it. The
/// next report redraws the bar.
void clear_progress_line();

}  // namespace supple::detail
