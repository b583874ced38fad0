# SPDX-License-Identifier: Apache-2.0
include(CMakePackageConfigHelpers)

get_property(MODULES GLOBAL PROPERTY SUPPLE_MODULES)
list(TRANSFORM MODULES PREPEND supple_ OUTPUT_VARIABLE MODULE_TARGETS)
install(TARGETS ${MODULE_TARGETS} EXPORT supple-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
# The player is no module, but bake links it.
set(PLAYER_TARGETS supple_player)
if(TARGET supple_player_shared)
  list(APPEND PLAYER_TARGETS supple_player_shared)
endif()
install(TARGETS ${PLAYER_TARGETS} EXPORT supple-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES runtime/include/supple.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# Where the prefix is, seen from the folder of the .pc file: the installed tree may be moved.
file(RELATIVE_PATH SUPPLE_PC_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(runtime/supple-player.pc.in ${CMAKE_BINARY_DIR}/supple-player.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/supple-player.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(TARGETS supple_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# The program looks for it beside its own directory: ../share/supple/viewer.
install(DIRECTORY ${CMAKE_BINARY_DIR}/share/supple/viewer
        DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/supple OPTIONAL)
install(DIRECTORY include/supple DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT supple-targets NAMESPACE supple::
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/supple)

configure_package_config_file(cmake/supple-config.cmake.in
  ${CMAKE_BINARY_DIR}/supple-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/supple)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/supple-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/supple-config.cmake
              ${CMAKE_BINARY_DIR}/supple-config-version.cmake
              cmake/SuppleDependencies.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/supple)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
