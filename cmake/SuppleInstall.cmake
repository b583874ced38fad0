# SPDX-License-Identifier: Apache-2.0
# Installs the player, the program, the viewer, the modules and their headers.
get_property(MODULES GLOBAL PROPERTY SUPPLE_MODULES)
get_property(PRODUCTS GLOBAL PROPERTY SUPPLE_PLAYER_TARGETS)
list(TRANSFORM MODULES PREPEND supple_ OUTPUT_VARIABLE MODULE_TARGETS)
list(APPEND PRODUCTS supple_cli ${MODULE_TARGETS})

add_custom_target(supple_product DEPENDS ${PRODUCTS} COMMENT "All that an installation consists of")
if(TARGET supple_viewer)
  add_dependencies(supple_product supple_viewer)
endif()

# Half a prefix is worse than none: check for everything before copying the first file.
list(TRANSFORM PRODUCTS REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE PRODUCT_FILES)
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/check_product.cmake CONTENT "
foreach(FILE ${PRODUCT_FILES})
  if(NOT EXISTS \"\${FILE}\")
    message(FATAL_ERROR \"\${FILE} is missing. Nothing was installed. First run\\n\"
            \"  cmake --build ${CMAKE_BINARY_DIR} --target supple_product\")
  endif()
endforeach()
")
install(SCRIPT ${CMAKE_BINARY_DIR}/check_product.cmake)

include(SuppleInstallPlayer)

install(TARGETS supple_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# The program looks for it relative to its own directory: ../share/supple/viewer.
install(DIRECTORY ${CMAKE_BINARY_DIR}/share/supple/viewer
        DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/supple OPTIONAL)

install(TARGETS ${MODULE_TARGETS} EXPORT supple-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/supple DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT supple-targets NAMESPACE supple:: DESTINATION ${SUPPLE_PACKAGE_DIR})
install(FILES cmake/SuppleDependencies.cmake DESTINATION ${SUPPLE_PACKAGE_DIR})
