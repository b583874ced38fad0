// SPDX-License-Identifier: Apache-2.0
// From modal sums (of shells: warped) to a surface: normals made unit again, tangents taken along.
// GLSL ES 3.00.

vec3 supple_unit(vec3 v) {
  float square = dot(v, v);
  return square > 0.0 ? v * inversesqrt(square) : v;
}

// The smallest turn that takes one unit normal to the other takes the tangent along. Opposite
// normals have no smallest turn; any finite answer will do.
vec3 supple_turn_along(vec3 from, vec3 to, vec3 tangent) {
  vec3 sum = from + to;
  float open = max(1.0 + dot(from, to), 1e-6);
  return tangent - dot(sum, tangent) / open * sum + 2.0 * dot(from, tangent) * to;
}

// Position, normal and tangent in bind space, displaced.
void supple_displace(vec3 displacement, vec3 normal_change, inout vec3 position, inout vec3 normal,
                     inout vec3 tangent) {
  vec3 rest_normal = supple_unit(normal);
  position += displacement;
  normal = supple_unit(normal + normal_change);
  tangent = supple_turn_along(rest_normal, normal, tangent);
}
