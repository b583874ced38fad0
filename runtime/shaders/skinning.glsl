// SPDX-License-Identifier: Apache-2.0
// Matrix-palette skinning [JP02 4.2] after the modal sum. Needs surface.glsl. GLSL ES 3.00.

// Four texels a joint, a matrix by columns; a row per instance.
uniform highp sampler2D supple_palette;

mat4 supple_joint(int joint, int instance) {
  return mat4(texelFetch(supple_palette, ivec2(4 * joint, instance), 0),
              texelFetch(supple_palette, ivec2(4 * joint + 1, instance), 0),
              texelFetch(supple_palette, ivec2(4 * joint + 2, instance), 0),
              texelFetch(supple_palette, ivec2(4 * joint + 3, instance), 0));
}

mat4 supple_blend(uvec4 joints, vec4 weights, int instance) {
  return weights.x * supple_joint(int(joints.x), instance) +
         weights.y * supple_joint(int(joints.y), instance) +
         weights.z * supple_joint(int(joints.z), instance) +
         weights.w * supple_joint(int(joints.w), instance);
}

// Directions take the blended matrix itself and are made unit again, as the CPU player does.
void supple_skin(mat4 blend, inout vec3 position, inout vec3 normal, inout vec3 tangent) {
  position = (blend * vec4(position, 1.0)).xyz;
  normal = supple_unit(mat3(blend) * normal);
  tangent = supple_unit(mat3(blend) * tangent);
}
