// SPDX-License-Identifier: Apache-2.0
#include "supple.h"

#define SUPPLE_TEXT_OF(number) #number
#define SUPPLE_DOTTED(major, minor, patch) \
  SUPPLE_TEXT_OF(major) "." SUPPLE_TEXT_OF(minor) "." SUPPLE_TEXT_OF(patch)

extern "C" {

uint32_t supple_version(void) {
  return SUPPLE_VERSION;
}

const char* supple_version_text(void) {
  return SUPPLE_DOTTED(SUPPLE_VERSION_MAJOR, SUPPLE_VERSION_MINOR, SUPPLE_VERSION_PATCH);
}

const char* supple_status_text(supple_status status) {
  switch (status) {
    case SUPPLE_OK:
      return "Everything is in order.";
    case SUPPLE_NOT_SUPPLE:
      return "This is not a .supple file.";
    case SUPPLE_NEWER_VERSION:
      return "The file was written by a newer Supple; update the player.";
    case SUPPLE_TRUNCATED:
      return "The end of the file is missing.";
    case SUPPLE_DAMAGED:
      return "The file is damaged; bake it again.";
    case SUPPLE_MISALIGNED:
      return "The bytes of the file must begin at a multiple of 16.";
    case SUPPLE_OTHER_MESH:
      return "The file was made for another mesh; bake this one.";
    case SUPPLE_OUT_OF_MEMORY:
      return "There is not enough memory.";
    case SUPPLE_BAD_ARGUMENT:
      return "An argument is null, out of range or not a finite number.";
    case SUPPLE_BAD_TIME_STEP:
      return "The time step must be a finite number above 0.";
    case SUPPLE_BAD_TRANSFORM:
      return "A bone's transform is not finite, mirrored or without volume.";
    case SUPPLE_OLDER_VERSION:
      return "The file was written by an older Supple; bake it again.";
    case SUPPLE_UNSUPPORTED:
      return "The file needs a newer player; update it.";
  }
  return "Unknown status.";
}

}  // extern "C"
