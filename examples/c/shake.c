/* SPDX-License-Identifier: Apache-2.0
 * Loads a .supple file, shakes its bones for a second and prints what the flesh does:
 *   cc shake.c $(pkg-config --cflags --libs supple-player) -lm && ./a.out hero.supple */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "supple.h"

/* The file's bytes in memory that malloc aligns to 16, as the player wants them. */
static void* read_file(const char* path, size_t* size) {
  FILE* file = fopen(path, "rb");
  void* bytes = NULL;
  long length;
  if (file == NULL) return NULL;
  if (fseek(file, 0, SEEK_END) == 0 && (length = ftell(file)) > 0) {
    *size = (size_t)length;
    bytes = malloc(*size);
    rewind(file);
    if (bytes != NULL && fread(bytes, 1, *size, file) != *size) {
      free(bytes);
      bytes = NULL;
    }
  }
  fclose(file);
  return bytes;
}

int main(int argc, char** argv) {
  size_t size = 0;
  void* bytes = argc == 2 ? read_file(argv[1], &size) : NULL;
  supple_asset* asset = NULL;
  supple_player* player = NULL;
  supple_asset_info info = {.struct_size = sizeof info};
  supple_status status;
  int frame;
  if (bytes == NULL) {
    fprintf(stderr, "usage: shake FILE.supple\n");
    return 2;
  }
  status = supple_asset_open(bytes, size, &asset);
  if (status == SUPPLE_OK) status = supple_player_create(asset, &player);
  if (status != SUPPLE_OK) {
    fprintf(stderr, "%s: %s (%s)\n", argv[1], supple_status_text(status), supple_error_detail());
    free(bytes);
    return 3;
  }
  supple_asset_describe(asset, &info);
  for (frame = 0; frame < 60; ++frame) {
    /* A bone that moves 5 cm to and fro, twice a second; your engine knows better. */
    const double metres = 0.05 * sin(2 * 3.14159265 * 2 * frame / 60.0);
    const float x = (float)(metres / info.metres_per_unit);
    const float bone[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0, 0, 1};
    uint32_t i;
    for (i = 0; i < info.object_count; ++i) supple_player_set_bone_matrix(player, i, bone);
    supple_player_step(player, 1.0 / 60);
    printf("%2d", frame);
    for (i = 0; i < info.mode_count; ++i) printf(" %9.5f", supple_player_coefficients(player)[i]);
    printf("\n");
  }
  supple_player_destroy(player);
  supple_asset_close(asset);
  free(bytes);
  return 0;
}
