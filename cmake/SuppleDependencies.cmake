# SPDX-License-Identifier: Apache-2.0
# Everything comes from Debian packages; scripts/setup.sh installs them. The installed CMake
# package includes this same file, so a dependency is named once.
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(TBB REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PNG REQUIRED)
find_package(JPEG REQUIRED)
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(SUPPLE_LIBRSVG REQUIRED IMPORTED_TARGET librsvg-2.0>=2.50)

# supple_find_library(NAME HEADER LIBRARY...) makes supple_dep::NAME for libraries without a CMake
# package.
function(supple_find_library NAME HEADER)
  if(TARGET supple_dep::${NAME})
    return()
  endif()
  add_library(supple_dep::${NAME} INTERFACE IMPORTED)
  find_path(SUPPLE_${NAME}_INCLUDE ${HEADER} REQUIRED
            PATH_SUFFIXES suitesparse netgen ${CMAKE_LIBRARY_ARCHITECTURE}/openblas-pthread
                          hdf5/serial)
  target_include_directories(supple_dep::${NAME} SYSTEM INTERFACE ${SUPPLE_${NAME}_INCLUDE})
  foreach(LIBRARY ${ARGN})
    find_library(SUPPLE_LIB_${LIBRARY} ${LIBRARY} REQUIRED PATH_SUFFIXES netgen)
    target_link_libraries(supple_dep::${NAME} INTERFACE ${SUPPLE_LIB_${LIBRARY}})
  endforeach()
endfunction()

supple_find_library(hdf5 hdf5.h hdf5_serial)
supple_find_library(metis metis.h metis)
supple_find_library(openblas cblas.h openblas)
supple_find_library(amd amd.h amd)
supple_find_library(nglib nglib.h nglib)
supple_find_library(xxhash xxhash.h xxhash)
supple_find_library(tomlplusplus toml++/toml.h)  # headers only
supple_find_library(boost_beast boost/beast.hpp)  # headers only
supple_find_library(boost_multiprecision boost/multiprecision/cpp_int.hpp)  # headers only
supple_find_library(mujoco mujoco/mujoco.h mujoco)

# Codecs of compressed glTF meshes, used where they are there: see src/io/CMakeLists.txt.
foreach(CODEC "draco draco/mesh/mesh.h draco" "meshoptimizer meshoptimizer.h meshoptimizer")
  separate_arguments(CODEC)
  list(GET CODEC 0 CODEC_NAME)
  list(GET CODEC 1 CODEC_HEADER)
  option(SUPPLE_WITH_${CODEC_NAME} "Read glTF meshes compressed with ${CODEC_NAME}" ON)
  find_path(SUPPLE_${CODEC_NAME}_HEADER ${CODEC_HEADER})
  if(SUPPLE_WITH_${CODEC_NAME} AND SUPPLE_${CODEC_NAME}_HEADER)
    supple_find_library(${CODEC})
  elseif(SUPPLE_WITH_${CODEC_NAME})
    message(WARNING "${CODEC_NAME} was not found: glTF meshes compressed with it will be refused")
  endif()
endforeach()

# Rays for the transfer of light, used where it is there: see src/light/CMakeLists.txt.
option(SUPPLE_WITH_embree "Trace rays for light with Embree 3" ON)
find_path(SUPPLE_embree_HEADER embree3/rtcore.h)
if(SUPPLE_WITH_embree AND SUPPLE_embree_HEADER)
  supple_find_library(embree embree3/rtcore.h embree3)
elseif(SUPPLE_WITH_embree)
  message(WARNING "Embree 3 was not found (libembree-dev): transfer of light will be refused")
endif()
