// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace supple::reduction {

/// Makes OpenBLAS use the right kernels on one thread per call; every solver calls it, only the
/// first call does anything. Returns the name of the kernels in use.
///
/// OpenBLAS 0.3.21 does not know CPUs newer than itself and then falls back to its slowest kernels
/// (2.3 times slower factorisation, measured). What counts are the instructions, so we look at
/// those and choose again. OPENBLAS_CORETYPE, when set by the user, wins.
const std::string& prepare_blas();

}  // namespace supple::reduction
