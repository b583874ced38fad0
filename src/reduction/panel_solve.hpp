// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace supple::reduction {

/// Triangular solves with one panel [L11; L21] of a factor (height x columns, column-major) and a
/// few right-hand sides (row-major, `width` numbers per row). The time is bound by reading the
/// panel, once for any width; a general matrix product would first copy it. `parallel` spreads one
/// panel over the threads; the result stays the same bit for bit.

/// own <- L11^-1 own, update <- update - L21 own.
template <class Scalar>
void forward_panel(int height, int columns, const Scalar* panel, int width, Scalar* own,
                   Scalar* update, bool parallel);

/// own <- L11^-T (own - L21^T known).
template <class Scalar>
void backward_panel(int height, int columns, const Scalar* panel, int width, Scalar* own,
                    const Scalar* known, bool parallel);

}  // namespace supple::reduction
