# SPDX-License-Identifier: Apache-2.0
# The player through the package, from C, both ways. Included by projects that found it.
foreach(KIND player player_shared)
  add_executable(shake_${KIND} ${SHAKE})
  target_link_libraries(shake_${KIND} PRIVATE supple::${KIND} m)
endforeach()
