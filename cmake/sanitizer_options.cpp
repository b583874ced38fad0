// SPDX-License-Identifier: Apache-2.0
// Part of every program that is built with the address sanitizer.

/// The runtimes up to LLVM 16 take a thread's variables of a loaded library (Mesa has some) for a
/// block of glibc 2.19 whenever its address ends in 0x010: they read its bounds from the bytes
/// before it, and the search for leaks at exit dies of them ("Tracer caught signal 11"). Where the
/// block lies is chance, so any change may bring it there. Without the interceptor no such bounds
/// are made up; what these variables point to still counts as reachable, because the search takes
/// what the dynamic loader allocated as its roots. ASAN_OPTIONS still has the last word.
extern "C" const char* __asan_default_options() { return "intercept_tls_get_addr=0"; }
