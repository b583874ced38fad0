// SPDX-License-Identifier: Apache-2.0
// Part of every test and of the command line when they are built with the address sanitizer.

/// The runtime of clang 14 takes a thread's variables of a loaded library (Mesa has some) for a
/// block of glibc 2.19 whenever its address ends in 0x010: it reads bounds from the bytes before
/// it, and the search for leaks at exit dies of them ("Tracer caught signal 11"). Where the block
/// lies is chance, so any change may bring it there. Without the interceptor no such bounds are
/// made up, and what these variables point to is found all the same: their block is an allocation
/// like any other. ASAN_OPTIONS still has the last word.
extern "C" const char* __asan_default_options() {
  return "intercept_tls_get_addr=0";
}

/// Fontconfig keeps what it has read about fonts until the process ends.
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libfontconfig.so\n";
}

/// Tests read what the program prints: no table of what was suppressed.
extern "C" const char* __lsan_default_options() {
  return "print_suppressions=0";
}
