# SPDX-License-Identifier: Apache-2.0
# supple_module(fem SOURCES a.cpp b.cpp USES supple::geometry PRIVATE_USES Foo::foo) makes the
# target supple_fem, alias supple::fem, with its public headers in include/supple/fem. USES appear
# in the module's public headers; PRIVATE_USES only in its .cpp files.
function(supple_module NAME)
  cmake_parse_arguments(ARG "" "" "SOURCES;USES;PRIVATE_USES" ${ARGN})
  add_library(supple_${NAME} STATIC ${ARG_SOURCES})
  add_library(supple::${NAME} ALIAS supple_${NAME})
  target_include_directories(supple_${NAME}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_features(supple_${NAME} PUBLIC cxx_std_20)
  target_link_libraries(supple_${NAME}
    PUBLIC ${ARG_USES}
    PRIVATE ${ARG_PRIVATE_USES} $<BUILD_INTERFACE:supple_compiler>)
  set_target_properties(supple_${NAME} PROPERTIES
    EXPORT_NAME ${NAME} POSITION_INDEPENDENT_CODE ON)
  set_property(GLOBAL APPEND PROPERTY SUPPLE_MODULES ${NAME})
endfunction()
