// SPDX-License-Identifier: Apache-2.0
#pragma once

/// On the web the size of the module counts: what does not run every frame is compiled for size.
#ifdef __wasm__
#define SUPPLE_FOR_SIZE __attribute__((noinline, minsize))
#else
#define SUPPLE_FOR_SIZE
#endif

/// Worth a copy at every call, but not on the web.
#ifdef __wasm__
#define SUPPLE_FOR_SPEED inline
#else
#define SUPPLE_FOR_SPEED [[gnu::always_inline]] inline
#endif

/// What is smaller than a call of it, which compilers for the web do not see.
#define SUPPLE_INLINE [[gnu::always_inline]] inline
