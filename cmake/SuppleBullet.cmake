# SPDX-License-Identifier: Apache-2.0
# supple_dep::bullet where Bullet is installed: a peer for measurements, and a foreign simulator of
# scenes. No part of the product uses it. Debian's CMake package for it names directories that fit
# only its own prefix.
if(TARGET supple_dep::bullet)
  return()
endif()
find_path(SUPPLE_BULLET_INCLUDE PATH_SUFFIXES bullet
          NAMES BulletSoftBody/BulletReducedDeformableBody/btReducedDeformableBody.h)
set(SUPPLE_BULLET_LIBRARIES)
foreach(LIBRARY BulletSoftBody BulletDynamics BulletCollision LinearMath)
  find_library(SUPPLE_LIB_${LIBRARY} ${LIBRARY})
  list(APPEND SUPPLE_BULLET_LIBRARIES ${SUPPLE_LIB_${LIBRARY}})
endforeach()
if(SUPPLE_BULLET_INCLUDE AND SUPPLE_LIB_BulletSoftBody)
  add_library(supple_dep::bullet INTERFACE IMPORTED)
  target_include_directories(supple_dep::bullet SYSTEM INTERFACE ${SUPPLE_BULLET_INCLUDE})
  target_link_libraries(supple_dep::bullet INTERFACE ${SUPPLE_BULLET_LIBRARIES})
else()
  message(WARNING "Bullet was not found (libbullet-dev): benchmarks of vertices and of the simulator have no peer, and the scene from a foreign simulator is not tested")
endif()
