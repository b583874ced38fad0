# SPDX-License-Identifier: Apache-2.0
include(CMakePackageConfigHelpers)

get_property(MODULES GLOBAL PROPERTY SUPPLE_MODULES)
list(TRANSFORM MODULES PREPEND supple_ OUTPUT_VARIABLE MODULE_TARGETS)
install(TARGETS ${MODULE_TARGETS} supple_player EXPORT supple-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS supple_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
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
