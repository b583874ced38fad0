// SPDX-License-Identifier: Apache-2.0
// Modal sum, any number of modes: shapes and coefficients from textures (supple_gpu_layout in
// supple.h). GLSL ES 3.00.
//
// With SUPPLE_FLOAT_SHAPES the shapes are RGBA32F, else RGBA16I.

#ifdef SUPPLE_FLOAT_SHAPES
uniform highp sampler2DArray supple_shapes;
#else
uniform highp isampler2DArray supple_shapes;
#endif
uniform highp usampler2D supple_table;
uniform highp sampler2D supple_coefficients;  // a row per instance

ivec3 supple_shape_place(int texel, ivec3 size) {
  int row = texel / size.x;
  return ivec3(texel % size.x, row % size.y, row / size.y);
}

// 16 texels further, without a division: what lies between two texels of a vertex.
ivec3 supple_shape_next(ivec3 place, ivec3 size) {
  place.x += 16;
  if (place.x >= size.x) {
    place.x -= size.x;
    if (++place.y == size.y) place.yz = ivec2(0, place.z + 1);
  }
  return place;
}

vec4 supple_shape(ivec3 place) {
  return vec4(texelFetch(supple_shapes, place, 0));
}

uvec4 supple_table_entry(int texel) {
  int width = textureSize(supple_table, 0).x;
  return texelFetch(supple_table, ivec2(texel % width, texel / width), 0);
}

// What the modes of all objects add to a vertex of the asset (parts counted through) and to its
// normal, in bind space. Of a shell's vertex the normal's change is 0, and its turn, a rotation
// vector, is for supple_warp (warping.glsl); the turn of flesh is 0.
void supple_modal_sum(int vertex, int instance, out vec3 displacement, out vec3 normal_change,
                      out vec3 turn) {
  displacement = vec3(0.0);
  normal_change = vec3(0.0);
  turn = vec3(0.0);
  ivec3 size = textureSize(supple_shapes, 0);
  int place = vertex / 16;
  do {
    uvec4 entry = supple_table_entry(place);
    ivec3 shape = supple_shape_place(int(entry.x) + vertex % 16, size);
    int coefficient = int(entry.y);
    int modes = int(entry.z & 0x7fffffffu);
    vec3 sum = vec3(0.0);  // of what a shell calls a turn, and flesh the normal's change
    for (int mode = 0; mode < modes; mode += 2, ++coefficient) {
      vec4 c = texelFetch(supple_coefficients, ivec2(coefficient, instance), 0);
      vec4 first = supple_shape(shape);
      shape = supple_shape_next(shape, size);
      vec4 middle = supple_shape(shape);
      shape = supple_shape_next(shape, size);
      displacement += c.x * first.xyz;
      sum += c.y * vec3(first.w, middle.xy);
      if (mode + 1 < modes) {
        vec4 second = supple_shape(shape);
        shape = supple_shape_next(shape, size);
        displacement += c.z * second.xyz;
        sum += c.w * vec3(second.w, middle.zw);
      }
    }
    if (entry.z > 0x7fffffffu) {
      turn += sum;
    } else {
      normal_change += sum;
    }
    place = int(entry.w);
  } while (place != 0);
}
