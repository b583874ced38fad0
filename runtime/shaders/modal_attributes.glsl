// SPDX-License-Identifier: Apache-2.0
// Modal sum of up to five modes from vertex attributes (supple_asset_gpu_attributes in supple.h):
// no texture is read but that of the coefficients. GLSL ES 3.00, vertex stage.

in vec4 supple_shape_0;
in vec4 supple_shape_1;
in vec4 supple_shape_2;
in vec4 supple_shape_3;
in vec4 supple_shape_4;
in vec4 supple_shape_5;
in vec4 supple_shape_6;
in vec4 supple_shape_7;
uniform highp sampler2D supple_coefficients;  // a row per instance

// As in modal_texture.glsl; the vertex is the one whose attributes are at hand.
void supple_modal_sum(int vertex, int instance, out vec3 displacement, out vec3 normal_change,
                      out vec3 turn) {
  int first = int(supple_shape_7.z);
  vec4 c = texelFetch(supple_coefficients, ivec2(first, instance), 0);
  vec4 d = texelFetch(supple_coefficients, ivec2(first + 1, instance), 0);
  vec4 e = texelFetch(supple_coefficients, ivec2(first + 2, instance), 0);
  displacement = c.x * supple_shape_0.xyz + c.z * supple_shape_2.xyz + d.x * supple_shape_3.xyz +
                 d.z * supple_shape_5.xyz + e.x * supple_shape_6.xyz;
  vec3 sum = c.y * vec3(supple_shape_0.w, supple_shape_1.xy) +
             c.w * vec3(supple_shape_2.w, supple_shape_1.zw) +
             d.y * vec3(supple_shape_3.w, supple_shape_4.xy) +
             d.w * vec3(supple_shape_5.w, supple_shape_4.zw) +
             e.y * vec3(supple_shape_6.w, supple_shape_7.xy);
  bool shell = supple_shape_7.w > 0.5;
  turn = shell ? sum : vec3(0.0);
  normal_change = shell ? vec3(0.0) : sum;
}
