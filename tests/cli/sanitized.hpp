// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Whether the address sanitizer is in the program: it needs terabytes of addresses, and several
/// times the memory.
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define SUPPLE_IS_SANITIZED 1
#endif
#endif
#ifndef SUPPLE_IS_SANITIZED
#define SUPPLE_IS_SANITIZED 0
#endif

namespace supple::testing {
inline constexpr bool kIsSanitized = SUPPLE_IS_SANITIZED != 0;
}  // namespace supple::testing
