# SPDX-License-Identifier: Apache-2.0
# The player: libraries, its C header, the GLSL that goes with it, pkg-config and CMake packages.
include(CMakePackageConfigHelpers)

get_property(PLAYER_TARGETS GLOBAL PROPERTY SUPPLE_PLAYER_TARGETS)
install(TARGETS ${PLAYER_TARGETS} EXPORT supple-player-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES runtime/include/supple.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY runtime/shaders DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/supple)

# The prefix relative to the folder of the .pc file: the installed tree may be moved.
file(RELATIVE_PATH SUPPLE_PC_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(runtime/supple-player.pc.in ${CMAKE_BINARY_DIR}/supple-player.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/supple-player.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

set(SUPPLE_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/supple)
install(EXPORT supple-player-targets NAMESPACE supple:: DESTINATION ${SUPPLE_PACKAGE_DIR})
configure_package_config_file(cmake/supple-config.cmake.in ${CMAKE_BINARY_DIR}/supple-config.cmake
  INSTALL_DESTINATION ${SUPPLE_PACKAGE_DIR})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/supple-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/supple-config.cmake
              ${CMAKE_BINARY_DIR}/supple-config-version.cmake
        DESTINATION ${SUPPLE_PACKAGE_DIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
