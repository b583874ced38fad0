# SPDX-License-Identifier: Apache-2.0
# Flags for our own code only; third-party headers come in as system headers.
add_library(supple_compiler INTERFACE)
target_compile_options(supple_compiler INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
  -Woverloaded-virtual -Werror
  # Same bits everywhere: the compiler must not fuse a*b+c unless the source requests it.
  -ffp-contract=off
  # __FILE__ without the clone's path: messages are shorter, and clones share the cache below.
  -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
# GCC's array-bounds and stringop warnings misfire inside Eigen's and fmt's templates.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(supple_compiler INTERFACE
    -Wno-array-bounds -Wno-stringop-overflow -Wno-maybe-uninitialized)
endif()
if(SUPPLE_SANITIZE)
  target_compile_options(supple_compiler INTERFACE
    -fsanitize=${SUPPLE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # Relative to Ninja's working folder: every clone has the same command.
    file(RELATIVE_PATH IGNORE_LIST ${CMAKE_BINARY_DIR}
         ${PROJECT_SOURCE_DIR}/cmake/sanitizer_ignore.txt)
    target_compile_options(supple_compiler INTERFACE -fsanitize-ignorelist=${IGNORE_LIST})
  endif()
  target_link_options(supple_compiler INTERFACE -fsanitize=${SUPPLE_SANITIZE})
endif()
# For programs only: options that the sanitizers' runtime needs before it starts.
add_library(supple_program INTERFACE)
if(SUPPLE_SANITIZE MATCHES "address")
  target_sources(supple_program INTERFACE ${PROJECT_SOURCE_DIR}/cmake/sanitizer_options.cpp)
endif()

# Paths below the project count as relative, so that every clone shares the cache.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CCACHE_COMMAND ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
                     CCACHE_NOHASHDIR=1 ${CCACHE_PROGRAM})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_COMMAND})
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE_COMMAND})
endif()
