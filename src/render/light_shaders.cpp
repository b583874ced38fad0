// SPDX-License-Identifier: Apache-2.0
#include "render/shaders.hpp"

namespace supple::render::shaders {

const std::string_view kScreen = R"(
uniform highp sampler2D u_depth;  // of the picture, one number per pixel
uniform vec2 u_depth_range;       // near and far plane

// From the camera along its view, world units.
float distance_at(ivec2 pixel) {
  float depth = texelFetch(u_depth, pixel, 0).r;
  return u_depth_range.x * u_depth_range.y /
         (u_depth_range.y - depth * (u_depth_range.y - u_depth_range.x));
}

// Evenly spread over small squares of pixels, so that neighbours err in different directions.
float pixel_noise() {
  return fract(52.9829189 * fract(dot(floor(gl_FragCoord.xy), vec2(0.06711056, 0.00583715))));
}
)";

const std::string_view kLight = R"(
uniform vec3 u_eye;
uniform vec3 u_key_direction;  // towards the light
uniform vec3 u_key;            // light reflected by a white matte surface facing the light
uniform float u_sky;
uniform vec3 u_bounce;         // colour of the ground
uniform vec3 u_rim_direction;
uniform int u_tone;  // 0 none, 1 for display
uniform highp sampler2DShadow u_shadow_compare;
uniform highp sampler2D u_shadow_depth;
uniform mat4 u_shadow_matrix;  // world to the map, 0..1
uniform mat3 u_shadow_axes;    // rows: right, up, towards the light
uniform vec3 u_shadow_scale;   // width of the map, which is its depth too, and of a texel (world
                               // units); tangent of the light's apparent radius
uniform sampler2D u_openness;
uniform vec3 u_back;  // from the subject towards the camera

// The map has one number per pixel, the picture several samples: along an edge use the neighbours
// at the fragment's own distance, otherwise the background would draw a line around everything.
float screen_openness(vec3 position) {
  ivec2 here = ivec2(gl_FragCoord.xy);
  ivec2 most = textureSize(u_openness, 0) - 1;
  float own = dot(u_eye - position, u_back);
  float here_apart = abs(distance_at(here) / own - 1.0);
  if (here_apart < 2e-3) return texelFetch(u_openness, here, 0).r;
  float sum = 0.0;
  float weights = 0.0;
  for (int i = 0; i < 9; ++i) {
    ivec2 there = clamp(here + ivec2(i % 3 - 1, i / 3 - 1), ivec2(0), most);
    float apart = abs(distance_at(there) / own - 1.0);
    float weight = 1.0 / (1e-5 + apart * apart * 400.0);
    sum += weight * texelFetch(u_openness, there, 0).r;
    weights += weight;
  }
  return sum / weights;
}

// Point i of n on a unit disc, evenly spread.
vec2 disc(int i, int n, float turn) {
  float angle = 2.39996323 * float(i) + turn;
  return sqrt((float(i) + 0.5) / float(n)) * vec2(cos(angle), sin(angle));
}

// The visible share of the light, 0..1. The mean distance to the blockers gives the width of the
// penumbra, as for an area light. The surface's own plane is compared with the map instead of one
// depth for all taps, so that wide filters cause no acne on slopes.
float key_visibility(vec3 position, vec3 normal) {
  float texel = u_shadow_scale.y;
  vec3 axes_normal = u_shadow_axes * normal;
  vec3 lifted = position + normal * (1.6 * texel);
  vec3 place = (u_shadow_matrix * vec4(lifted, 1.0)).xyz;
  if (any(lessThan(place.xy, vec2(0.0))) || any(greaterThan(place.xy, vec2(1.0)))) return 1.0;
  vec2 slope = axes_normal.xy / max(axes_normal.z, 0.2);
  float turn = 6.2831853 * pixel_noise();
  float bias = 0.7 * texel / u_shadow_scale.x;
  float widest = 0.45 * u_shadow_scale.z;  // in widths of the map
  const int kSearch = 32;
  float gap = 0.0;
  float blockers = 0.0;
  for (int i = 0; i < kSearch; ++i) {
    vec2 o = widest * disc(i, kSearch, turn);
    float plane = place.z + dot(slope, o) - bias;
    float depth = texture(u_shadow_depth, place.xy + o).r;
    float blocked = depth < min(plane, 0.9999) ? 1.0 : 0.0;
    blockers += blocked;
    gap += blocked * (plane - depth);
  }
  if (blockers == 0.0) return 1.0;
  float radius = gap / blockers * u_shadow_scale.z;
  radius = clamp(radius, 1.6 * texel / u_shadow_scale.x, widest);
  const int kTaps = 40;
  float seen = 0.0;
  for (int i = 0; i < kTaps; ++i) {
    vec2 o = radius * disc(i, kTaps, turn);
    float plane = min(place.z + dot(slope, o) - bias, 0.9999);
    seen += texture(u_shadow_compare, vec3(place.xy + o, plane));
  }
  return seen / float(kTaps);
}

struct Surface {
  vec3 position;
  vec3 face;    // normal, interpolated from the corners
  vec3 normal;  // with the normal map
  vec3 colour;
  float metallic;
  float roughness;
  float openness;
};

// A studio without walls: bright above, softer at the horizon, the ground below; a strip of light
// behind outlines the contour. Blurred by `roughness` in closed form.
vec3 environment(vec3 d, float roughness) {
  float blur = 0.10 + 0.9 * roughness;
  vec3 zenith = vec3(1.06, 1.08, 1.12);
  vec3 horizon = vec3(0.70, 0.72, 0.76);
  vec3 upper = mix(horizon, zenith, smoothstep(-0.2 * blur, 0.75 + 0.25 * blur, d.y));
  vec3 around = mix(0.55 * u_bounce, upper, smoothstep(-blur, blur, d.y));
  float sharpness = 9.0 / (1.0 + 9.0 * roughness * roughness);
  float strip = sharpness / 9.0 * exp(sharpness * (dot(d, u_rim_direction) - 1.0));
  return around + 2.6 * strip * vec3(0.96, 0.98, 1.05);
}

vec3 irradiance(vec3 n) {
  vec3 around = mix(0.55 * u_bounce, vec3(0.93, 0.95, 1.0), 0.5 + 0.5 * n.y);
  float rim = max(0.0, 0.25 + 0.75 * dot(n, u_rim_direction));
  return around + 0.42 * rim * rim * vec3(0.96, 0.98, 1.05);
}

// Karis' fit of the environment's share by reflectance at normal incidence: scale and offset.
vec2 environment_share(float n_v, float roughness) {
  vec4 r = roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
  float a = min(r.x * r.x, exp2(-9.28 * n_v)) * r.x + r.y;
  return vec2(-1.04, 1.04) * a + r.zw;
}

// glTF's metallic-roughness model, appendix B: Lambert and GGX with the height-correlated Smith
// term; everything times pi, so that white facing a key of 1 is 1.
vec3 key_reflection(Surface s, vec3 view, vec3 f0) {
  vec3 l = u_key_direction;
  float n_l = dot(s.normal, l);
  if (n_l <= 0.0) return vec3(0.0);
  vec3 h = normalize(l + view);
  float n_v = max(dot(s.normal, view), 1e-3);
  float n_h = max(dot(s.normal, h), 0.0);
  float alpha = s.roughness * s.roughness;
  float a2 = alpha * alpha;
  float d = n_h * n_h * (a2 - 1.0) + 1.0;
  float distribution = a2 / (d * d);
  float visibility = 0.5 / (n_l * sqrt(n_v * n_v * (1.0 - a2) + a2) +
                            n_v * sqrt(n_l * n_l * (1.0 - a2) + a2));
  vec3 fresnel = f0 + (1.0 - f0) * pow(1.0 - max(dot(view, h), 0.0), 5.0);
  vec3 diffuse = (1.0 - fresnel) * (1.0 - s.metallic) * s.colour;
  return n_l * (diffuse + fresnel * min(distribution * visibility, 12.0));
}

vec3 lit(Surface s) {
  vec3 view = normalize(u_eye - s.position);
  vec3 f0 = mix(vec3(0.04), s.colour, s.metallic);
  vec3 light = vec3(0.0);
  vec3 key = u_key * key_reflection(s, view, f0);
  if (max(key.r, max(key.g, key.b)) > 1e-4) {
    light += key_visibility(s.position, s.face) * key;
  }
  float n_v = max(dot(s.normal, view), 1e-3);
  vec2 share = environment_share(n_v, s.roughness);
  vec3 specular = f0 * share.x + share.y;
  vec3 diffuse = (1.0 - specular) * (1.0 - s.metallic) * s.colour;
  vec3 mirrored = reflect(-view, s.normal);
  // Occlusion from the sky affects reflections only as far as the surface is rough.
  float mirror_openness = clamp(pow(n_v + s.openness, exp2(-16.0 * s.roughness - 1.0)) - 1.0 +
                                s.openness, 0.0, 1.0);
  // Light that bounces between nearby surfaces takes on their colour, so creases stay warm.
  vec3 bounced = s.openness / max(vec3(1e-3), 1.0 - 0.6 * s.colour * (1.0 - s.openness));
  light += u_sky * (diffuse * irradiance(s.normal) * bounced +
                    specular * environment(mirrored, s.roughness) * mirror_openness);
  return light;
}

vec3 encode(vec3 c) {
  return mix(1.055 * pow(max(c, 0.0031308), vec3(1.0 / 2.4)) - 0.055, 12.92 * c,
             lessThan(c, vec3(0.0031308)));
}

vec3 decode(vec3 c) {
  return mix(pow((max(c, 0.04045) + 0.055) / 1.055, vec3(2.4)), c / 12.92,
             lessThan(c, vec3(0.04045)));
}

// Khronos' neutral tone map: the file's colours stay unchanged, only highlights roll off.
vec3 tone_map(vec3 c) {
  const float start = 0.76;
  const float desaturation = 0.15;
  float lowest = min(c.r, min(c.g, c.b));
  c -= lowest < 0.08 ? lowest - 6.25 * lowest * lowest : 0.04;
  float peak = max(c.r, max(c.g, c.b));
  if (peak < start) return c;
  float d = 1.0 - start;
  float pressed = 1.0 - d * d / (peak + d - start);
  c *= pressed / peak;
  return mix(vec3(pressed), c, 1.0 / (desaturation * (peak - pressed) + 1.0));
}

// Half a step of noise hides 8-bit banding.
vec3 dithered(vec3 c) {
  return decode(clamp(encode(c) + (pixel_noise() - 0.5) / 255.0, 0.0, 1.0));
}

vec3 display(vec3 light) {
  return u_tone == 0 ? light : dithered(tone_map(light));
}
)";

const std::string_view kBackdrop = R"(
uniform vec3 u_pool;     // the ground where the subject stands
uniform vec3 u_horizon;  // where ground and wall meet
uniform vec3 u_top;
uniform float u_reach;   // of the pool, world units
uniform vec3 u_centre;   // of the pool

vec3 ground_colour(vec3 position) {
  float distance = length(position.xz - u_centre.xz);
  return mix(u_pool, u_horizon, smoothstep(0.1 * u_reach, u_reach, distance));
}

vec3 wall_colour(vec3 direction) {
  return mix(u_horizon, u_top, smoothstep(0.0, 0.55, direction.y));
}
)";

const std::string_view kBackdropMain = R"(
in vec2 v_place;
uniform mat4 u_unproject;
out vec4 o_colour;
void main() {
  vec4 far = u_unproject * vec4(v_place, 1.0, 1.0);
  vec3 colour = wall_colour(normalize(far.xyz / far.w - u_eye));
  o_colour = vec4(u_tone == 0 ? colour : dithered(colour), 1.0);
}
)";

const std::string_view kFullScreenVertex = R"(
out vec2 v_place;
void main() {
  v_place = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  gl_Position = vec4(v_place, 0.0, 1.0);
}
)";

const std::string_view kGroundVertex = R"(
uniform mat4 u_view_projection;
uniform vec3 u_ground;  // x and z of its middle, y: height
uniform float u_extent;
centroid out vec3 v_position;
void main() {
  vec2 corner = vec2(gl_VertexID % 2 == 0 ? -1.0 : 1.0, gl_VertexID < 2 ? 1.0 : -1.0);
  v_position = u_ground + u_extent * vec3(corner.x, 0.0, corner.y);
  gl_Position = u_view_projection * vec4(v_position, 1.0);
}
)";

const std::string_view kGroundMain = R"(
centroid in vec3 v_position;
uniform bool u_catcher;  // shows only the shadow
out vec4 o_colour;
void main() {
  const vec3 up = vec3(0.0, 1.0, 0.0);
  float far = smoothstep(0.35 * u_reach, u_reach, length(v_position.xz - u_centre.xz));
  vec3 share = vec3(1.0);
  if (far < 1.0) {
    float seen = key_visibility(v_position, up);
    vec3 key = u_key * max(u_key_direction.y, 0.0);
    vec3 sky = u_sky * irradiance(up) + 1e-6;
    share = (seen * key + screen_openness(v_position) * sky) / (key + sky);
    share = mix(share, vec3(1.0), far);
  }
  if (u_catcher) {
    o_colour = vec4(0.0, 0.0, 0.0, 1.0 - dot(share, vec3(1.0 / 3.0)));
    return;
  }
  vec3 colour = share * ground_colour(v_position);
  o_colour = vec4(u_tone == 0 ? colour : dithered(colour), 1.0);
}
)";

// Little hides what lies on the other side, even at a grazing angle: the swimmer matters more than
// the reflection. The ripples stand still and fade out where they are finer than pixels, so that
// nothing flickers in a video.
const std::string_view kWaterMain = R"(
centroid in vec3 v_position;
uniform float u_ripple;  // length, world units
out vec4 o_colour;

vec2 ripple_slope(vec2 p) {
  vec2 slope = vec2(0.0);
  const vec3 waves[4] = vec3[4](vec3(1.0, 0.35, 0.0), vec3(-0.55, 1.25, 1.7), vec3(1.9, -1.4, 4.1),
                                vec3(0.7, 2.6, 2.3));
  for (int i = 0; i < 4; ++i) {
    vec2 k = 6.2831853 * waves[i].xy;
    slope += normalize(k) * cos(dot(k, p) + waves[i].z + 0.8 * sin(2.1 * p.x - 1.3 * p.y));
  }
  return slope;
}

void main() {
  vec2 p = v_position.xz / u_ripple;
  float fine = length(fwidth(p));
  float rough = 0.035 * (1.0 - smoothstep(0.08, 0.3, fine));
  vec3 to_eye = normalize(u_eye - v_position);
  bool above = to_eye.y > 0.0;
  vec2 slope = rough * ripple_slope(p);
  vec3 normal = normalize(vec3(-slope.x, 1.0, -slope.y)) * (above ? 1.0 : -1.0);
  float facing = clamp(dot(normal, to_eye), 0.0, 1.0);
  float mirror = 0.02 + 0.98 * pow(1.0 - facing, 5.0);
  vec3 mirrored = environment(reflect(-to_eye, normal), 0.15);
  vec3 body = above ? vec3(0.03, 0.25, 0.34) : vec3(0.30, 0.62, 0.70);
  vec3 light = mix(body, mirrored * (above ? vec3(0.75, 0.9, 0.95) : vec3(0.45, 0.75, 0.82)),
                   0.15 + 0.6 * mirror);
  float glitter = pow(max(dot(reflect(-to_eye, normal), u_key_direction), 0.0), 120.0);
  light += 0.35 * glitter * u_key;
  float far = smoothstep(0.5 * u_reach, 0.95 * u_reach, length(v_position.xz - u_centre.xz));
  float alpha = (0.26 + 0.26 * mirror + 0.25 * glitter) * (1.0 - far);
  o_colour = vec4(u_tone == 0 ? light : display(light), alpha);
}
)";

const std::string_view kGroundNormals = R"(
uniform mat3 u_view_axes;
out vec4 o_normal;
void main() {
  o_normal = vec4(0.5 + 0.5 * (u_view_axes * vec3(0.0, 1.0, 0.0)), 1.0);
}
)";

// Scalable ambient obscurance after McGuire and others: neighbours on the screen that rise above
// the surface's plane hide the sky.
const std::string_view kOpenness = R"(
uniform sampler2D u_normals;
uniform vec2 u_lens;     // scale of x and y in the projection
uniform float u_radius;  // world units
uniform vec4 u_subject;  // a sphere in view space: nothing outside it occludes
out float o_openness;

vec3 position_at(ivec2 pixel, vec2 size) {
  float z = distance_at(pixel);
  return vec3((2.0 * (vec2(pixel) + 0.5) / size - 1.0) / u_lens * z, -z);
}

void main() {
  ivec2 size = textureSize(u_depth, 0);
  ivec2 here = ivec2(gl_FragCoord.xy);
  o_openness = 1.0;
  if (texelFetch(u_depth, here, 0).r >= 1.0) return;
  vec3 p = position_at(here, vec2(size));
  vec3 n = normalize(texelFetch(u_normals, here, 0).xyz * 2.0 - 1.0);
  float pixels = u_radius * u_lens.y * 0.5 * float(size.y) / -p.z;
  if (pixels < 1.0 || distance(p, u_subject.xyz) > u_subject.w + u_radius) return;
  pixels = min(pixels, 0.2 * float(size.y));
  float noise = pixel_noise();
  const int kTaps = 20;
  float sum = 0.0;
  float bias = 0.02 * u_radius;
  for (int i = 0; i < kTaps; ++i) {
    float share = (float(i) + 0.5) / float(kTaps);
    float angle = 6.2831853 * (7.0 * share + noise);
    ivec2 there = here + ivec2(pixels * share * vec2(cos(angle), sin(angle)));
    there = clamp(there, ivec2(0), size - 1);
    vec3 v = (position_at(there, vec2(size)) - p) / u_radius;
    float square = dot(v, v);
    float rise = dot(v, n) - bias / u_radius;
    float near = max(1.0 - square, 0.0);
    sum += near * near * near * max(rise / (square + 0.01), 0.0);
  }
  o_openness = max(0.0, 1.0 - sum * 3.2 / float(kTaps));
}
)";

const std::string_view kOpennessBlur = R"(
uniform sampler2D u_source;
uniform ivec2 u_step;
uniform float u_radius;
out float o_openness;

void main() {
  ivec2 size = textureSize(u_depth, 0);
  ivec2 here = ivec2(gl_FragCoord.xy);
  float sum = texelFetch(u_source, here, 0).r;
  float before = texelFetch(u_source, max(here - 4 * u_step, ivec2(0)), 0).r;
  float after = texelFetch(u_source, min(here + 4 * u_step, size - 1), 0).r;
  o_openness = 1.0;
  if (min(sum, min(before, after)) >= 1.0) return;  // most of the ground
  float z = distance_at(here);
  float weights = 1.0;
  for (int i = -4; i <= 4; ++i) {
    if (i == 0) continue;
    ivec2 there = clamp(here + i * u_step, ivec2(0), size - 1);
    float apart = abs(distance_at(there) - z) / u_radius;
    float weight = exp(-0.09 * float(i * i)) * max(0.0, 1.0 - 4.0 * apart);
    sum += weight * texelFetch(u_source, there, 0).r;
    weights += weight;
  }
  o_openness = sum / weights;
}
)";

}  // namespace supple::render::shaders
