# SPDX-License-Identifier: Apache-2.0
# The web half: the player by Emscripten, the npm packages around it, the viewer. Their output lies
# in their dist folders; the viewer's pages go to share/supple/viewer of the build.
find_program(SUPPLE_NODE node)
find_program(SUPPLE_NPM npm)
find_program(SUPPLE_EMCC em++)

set(MISSING "")
if(SUPPLE_SANITIZE)
  set(MISSING "this is a sanitizer build")
elseif(NOT SUPPLE_EMCC)
  set(MISSING "em++ is not there (Debian's emscripten)")
elseif(NOT SUPPLE_NODE OR NOT SUPPLE_NPM)
  set(MISSING "node or npm is not there")
elseif(NOT EXISTS ${PROJECT_SOURCE_DIR}/web/node_modules/typescript)
  set(MISSING "web/node_modules is not there (scripts/setup.sh installs it)")
endif()
# AUTO checks each time: something missing before may be present now.
set(SUPPLE_BUILD_WEB AUTO CACHE STRING
    "Build the WebAssembly player, the npm packages and the viewer: ON, OFF or AUTO")
set(SUPPLE_HAS_WEB OFF)
if(SUPPLE_BUILD_WEB STREQUAL "AUTO")
  if(NOT MISSING)
    set(SUPPLE_HAS_WEB ON)
  endif()
elseif(SUPPLE_BUILD_WEB)
  if(MISSING)
    message(FATAL_ERROR "SUPPLE_BUILD_WEB is ON, but ${MISSING}")
  endif()
  set(SUPPLE_HAS_WEB ON)
else()
  set(MISSING "SUPPLE_BUILD_WEB is OFF")
endif()
if(NOT SUPPLE_HAS_WEB)
  message(STATUS "THE WEB PACKAGES AND THE VIEWER ARE NOT BUILT: ${MISSING}")
  return()
endif()

file(GLOB_RECURSE SUPPLE_WEB_SOURCES CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/runtime/include/*.h
  ${PROJECT_SOURCE_DIR}/runtime/shaders/*.glsl
  ${PROJECT_SOURCE_DIR}/runtime/src/*.?pp
  ${PROJECT_SOURCE_DIR}/runtime/wasm/*.cpp
  ${PROJECT_SOURCE_DIR}/src/format/*.cpp
  ${PROJECT_SOURCE_DIR}/include/supple/format/*.hpp
  ${PROJECT_SOURCE_DIR}/web/scripts/*.mjs
  ${PROJECT_SOURCE_DIR}/web/packages/*/src/*.ts
  ${PROJECT_SOURCE_DIR}/web/packages/*/scripts/*.mjs)
file(GLOB PACKAGE_FILES CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/web/packages/*/package.json
  ${PROJECT_SOURCE_DIR}/web/packages/*/tsconfig.json)
# Written by the build itself.
list(FILTER SUPPLE_WEB_SOURCES EXCLUDE REGEX "/packages/supple/src/(embedded_wasm|members|shaders)\\.ts$")

set(WEB_STAMP ${CMAKE_BINARY_DIR}/web.stamp)
add_custom_command(OUTPUT ${WEB_STAMP}
  COMMAND ${SUPPLE_NPM} run --silent build -w supple
  COMMAND ${SUPPLE_NPM} run --silent build -w supple-three
  COMMAND ${CMAKE_COMMAND} -E touch ${WEB_STAMP}
  DEPENDS ${SUPPLE_WEB_SOURCES} ${PACKAGE_FILES}
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/web
  COMMENT "The WebAssembly player and its packages" VERBATIM)
add_custom_target(supple_web ALL DEPENDS ${WEB_STAMP})

# The viewer follows the packages.
if(EXISTS ${PROJECT_SOURCE_DIR}/web/viewer/index.html)
  file(GLOB_RECURSE VIEWER_SOURCES CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/web/viewer/src/* ${PROJECT_SOURCE_DIR}/web/viewer/public/*)
  set(SUPPLE_VIEWER_DIR ${CMAKE_BINARY_DIR}/share/supple/viewer)
  set(VIEWER_STAMP ${CMAKE_BINARY_DIR}/viewer.stamp)
  add_custom_command(OUTPUT ${VIEWER_STAMP}
    COMMAND ${SUPPLE_NODE} ${PROJECT_SOURCE_DIR}/web/node_modules/typescript/bin/tsc
            -p viewer --noEmit
    COMMAND ${SUPPLE_NODE} ${PROJECT_SOURCE_DIR}/web/node_modules/vite/bin/vite.js build viewer
            --outDir ${SUPPLE_VIEWER_DIR} --emptyOutDir --logLevel warn
    COMMAND ${CMAKE_COMMAND} -E touch ${VIEWER_STAMP}
    DEPENDS ${WEB_STAMP} ${VIEWER_SOURCES} ${PROJECT_SOURCE_DIR}/web/viewer/index.html
            ${PROJECT_SOURCE_DIR}/web/viewer/package.json
            ${PROJECT_SOURCE_DIR}/web/viewer/tsconfig.json
            ${PROJECT_SOURCE_DIR}/web/viewer/vite.config.ts
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/web
    COMMENT "The viewer" VERBATIM)
  add_custom_target(supple_viewer ALL DEPENDS ${VIEWER_STAMP})
endif()
