// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"

#include <string>

namespace supple::reduction {

/// Makes OpenBLAS use the best kernels and one thread per call. Every solver calls this; only the
/// first call has an effect. Returns the name of the kernels in use.
///
/// OpenBLAS 0.3.21 does not recognise CPUs newer than itself and then falls back to its slowest
/// kernels (measured: factorisation is 2.3 times slower). We check the supported instructions
/// instead and choose again. OPENBLAS_CORETYPE takes precedence if the user sets it.
const std::string& prepare_blas();

/// The same, and takes the memory that OpenBLAS needs for as many threads as there are: it never
/// gives it back, and where there is none it waits for ever. Too little is an error.
[[nodiscard]] Result<void> reserve_blas_memory();

}  // namespace supple::reduction
