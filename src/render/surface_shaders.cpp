// SPDX-License-Identifier: Apache-2.0
#include "render/shaders.hpp"

namespace supple::render::shaders {

const std::string_view kSurfaceVertex = R"(
in vec3 a_position;
in vec3 a_normal;
in vec4 a_tangent;
in vec2 a_uv;
in vec4 a_colour;
in uvec4 a_joints_0;
in vec4 a_weights_0;
in uvec4 a_joints_1;
in vec4 a_weights_1;
uniform mat4 u_world;
uniform mat3 u_world_normal;
uniform mat4 u_view_projection;
uniform int u_influences;
uniform int u_first_vertex;  // -1: no flesh
uniform int u_vertices;
uniform int u_active_targets;
uniform highp sampler2D u_morphs;
uniform highp sampler2D u_morph_weights;  // (target, weight)
// Always inside the triangle: at the rim of a shape, values extrapolated beyond it are far off. The
// fourth number of the position is 1 (see surface_position()).
centroid out vec4 v_position;
centroid out vec3 v_normal;
centroid out vec4 v_tangent;
out vec2 v_uv;
out vec3 v_smooth_position;
centroid out vec4 v_colour;

vec3 morph(int texel) {
  int width = textureSize(u_morphs, 0).x;
  return texelFetch(u_morphs, ivec2(texel % width, texel / width), 0).xyz;
}

void main() {
  vec3 position = a_position;
  vec3 normal = a_normal;
  vec3 tangent = a_tangent.xyz;
  for (int i = 0; i < u_active_targets; ++i) {
    vec4 target = texelFetch(u_morph_weights, ivec2(i, 0), 0);
    int texel = 2 * (int(target.x) * u_vertices + gl_VertexID);
    position += target.y * morph(texel);
    normal += target.y * morph(texel + 1);
  }
#ifdef FLESH
  if (u_first_vertex >= 0) {
    vec3 displacement;
    vec3 normal_change;
    vec3 turn;
    supple_modal_sum(u_first_vertex + gl_VertexID, 0, displacement, normal_change, turn);
    supple_warp(turn, displacement, normal, tangent);
    supple_displace(displacement, normal_change, position, normal, tangent);
  }
#endif
  if (u_influences > 0) {
    mat4 blend = supple_blend(a_joints_0, a_weights_0, 0);
    if (u_influences > 4) blend += supple_blend(a_joints_1, a_weights_1, 0);
    supple_skin(blend, position, normal, tangent);
  } else {
    position = (u_world * vec4(position, 1.0)).xyz;
    normal = supple_unit(u_world_normal * normal);
    tangent = supple_unit(mat3(u_world) * tangent);
  }
  // If a compiler sees that it is always 1, it removes the interpolation.
  v_position = vec4(position, gl_VertexID >= 0 ? 1.0 : 0.0);
  v_smooth_position = position;
  v_normal = normal;
  v_tangent = vec4(tangent, a_tangent.w);
  v_uv = a_uv;
  v_colour = a_colour;
  gl_Position = u_view_projection * vec4(position, 1.0);
}
)";

const std::string_view kMaterial = R"(
centroid in vec4 v_position;
centroid in vec3 v_normal;
centroid in vec4 v_tangent;
in vec2 v_uv;
in vec3 v_smooth_position;  // evenly spaced from pixel to pixel: for derivatives
centroid in vec4 v_colour;
uniform sampler2D u_base_colour;
uniform sampler2D u_metallic_roughness;
uniform sampler2D u_normal_map;
uniform sampler2D u_occlusion;
uniform sampler2D u_emissive;
uniform vec3 u_transforms[10];  // two rows for each of the textures above
uniform vec4 u_base_factor;
uniform vec4 u_factors;  // metallic, roughness, normal scale, strength of occlusion
uniform vec3 u_emissive_factor;
uniform int u_alpha_mode;  // 0 opaque, 1 mask, 2 blend
uniform float u_alpha_cutoff;
uniform bool u_has_normals;
uniform bool u_has_tangents;
uniform bool u_has_normal_map;
uniform bool u_unlit;

// Mesa's software rasteriser samples inside the triangle, but divides by the depth of the
// triangle's plane at the pixel centre: everything is off by the same factor as the 1.
vec3 surface_position() {
  return v_position.xyz / v_position.w;
}

vec2 texture_place(int use) {
  vec3 uv = vec3(v_uv, 1.0);
  return vec2(dot(u_transforms[2 * use], uv), dot(u_transforms[2 * use + 1], uv));
}

vec4 base_colour() {
  return u_base_factor * (v_colour / v_position.w) * texture(u_base_colour, texture_place(0));
}

// Without normals the triangles are flat, as glTF requires.
vec3 face_normal() {
  vec3 normal = u_has_normals ? v_normal : cross(dFdx(v_smooth_position), dFdy(v_smooth_position));
  normal = normalize(normal);
  return gl_FrontFacing || !u_has_normals ? normal : -normal;
}

vec3 mapped_normal(vec3 normal) {
  if (!u_has_normal_map) return normal;
  vec2 uv = texture_place(2);
  vec3 tangent = v_tangent.xyz;
  vec3 bitangent;
  if (u_has_tangents && dot(tangent, tangent) > 0.0) {
    tangent = normalize(tangent - dot(tangent, normal) * normal);
    bitangent = cross(normal, tangent) * v_tangent.w;
    if (!gl_FrontFacing) bitangent = -bitangent;
  } else {
    // The gradient of the texture coordinates on the surface, from neighbouring pixels.
    vec3 across = dFdx(v_smooth_position);
    vec3 along = dFdy(v_smooth_position);
    vec2 uv_across = dFdx(uv);
    vec2 uv_along = dFdy(uv);
    vec3 a = cross(along, normal);
    vec3 b = cross(normal, across);
    tangent = a * uv_across.x + b * uv_along.x;
    bitangent = -(a * uv_across.y + b * uv_along.y);
    float longest = max(dot(tangent, tangent), dot(bitangent, bitangent));
    if (!(longest > 0.0)) return normal;
    tangent *= inversesqrt(longest);
    bitangent *= inversesqrt(longest);
  }
  vec3 mapped = texture(u_normal_map, uv).xyz * 2.0 - 1.0;
  mapped.xy *= u_factors.z;
  return normalize(mapped.x * tangent + mapped.y * bitangent + mapped.z * normal);
}
)";

const std::string_view kCutOut = R"(
void main() {
  if (u_alpha_mode != 0 && base_colour().a < (u_alpha_mode == 1 ? u_alpha_cutoff : 0.5)) discard;
}
)";

const std::string_view kCoverage = R"(
out vec4 o_colour;
void main() {
  if (u_alpha_mode != 0 && base_colour().a < (u_alpha_mode == 1 ? u_alpha_cutoff : 0.5)) discard;
  o_colour = vec4(1.0);
}
)";

const std::string_view kNormals = R"(
uniform mat3 u_view_axes;
out vec4 o_normal;
void main() {
  if (u_alpha_mode == 1 && base_colour().a < u_alpha_cutoff) discard;
  o_normal = vec4(0.5 + 0.5 * (u_view_axes * face_normal()), 1.0);
}
)";

const std::string_view kSurface = R"(
uniform bool u_coverage;  // alpha becomes coverage: edges of masks are smooth
out vec4 o_colour;

void main() {
  vec4 base = base_colour();
  float alpha = 1.0;
  if (u_alpha_mode == 1) {
    float sharp = (base.a - u_alpha_cutoff) / max(fwidth(base.a), 1e-4) + 0.5;
    alpha = u_coverage ? clamp(sharp, 0.0, 1.0) : step(u_alpha_cutoff, base.a);
    if (alpha <= 0.0) discard;
  } else if (u_alpha_mode == 2) {
    alpha = clamp(base.a, 0.0, 1.0);
  }
  if (u_unlit) {
    o_colour = vec4(base.rgb, alpha);
    return;
  }
  vec3 face = face_normal();
  vec3 normal = mapped_normal(face);
  vec4 packed_factors = texture(u_metallic_roughness, texture_place(1));
  Surface surface;
  surface.position = surface_position();
  surface.face = face;
  surface.normal = normal;
  surface.colour = max(base.rgb, 0.0);
  surface.metallic = clamp(u_factors.x * packed_factors.b, 0.0, 1.0);
  surface.roughness = clamp(u_factors.y * packed_factors.g, 0.045, 1.0);
  float baked = texture(u_occlusion, texture_place(3)).r;
  surface.openness = (1.0 + u_factors.w * (baked - 1.0)) * screen_openness(surface.position);
  vec3 light = lit(surface);
  light += u_emissive_factor * texture(u_emissive, texture_place(4)).rgb;
  o_colour = vec4(display(light), alpha);
}
)";

}  // namespace supple::render::shaders
