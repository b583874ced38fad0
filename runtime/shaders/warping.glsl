// SPDX-License-Identifier: Apache-2.0
// Modal warping of shells [CWK07]: the turn w of a vertex bends its displacement and carries its
// normal and tangent along. In closed form, which cannot drift. Between the modal sum and
// surface.glsl. GLSL ES 3.00.
//
// With SUPPLE_LINEAR the displacement stays as it is, to compare with plain linear modes.

// A = sin t / t, B = (1 - cos t) / t^2, C = (t - sin t) / t^3, each to 2e-7. The sin and cos of a
// GPU may be as coarse as 2^-11, and the quotients lose digits near 0: series up to t = 1, beyond
// it our own polynomials for sine and cosine of half the angle, brought to [-pi/2, pi/2].
vec3 supple_turn_factors(float square) {
  if (square < 1.0) {
    return vec3(1.0, 0.5, 1.0 / 6.0) -
           square * (vec3(1.0 / 6.0, 1.0 / 24.0, 1.0 / 120.0) -
                     square * (vec3(1.0 / 120.0, 1.0 / 720.0, 1.0 / 5040.0) -
                               square * (vec3(1.0 / 5040.0, 1.0 / 40320.0, 1.0 / 362880.0) -
                                         square * vec3(1.0 / 362880.0, 1.0 / 3628800.0,
                                                       1.0 / 39916800.0))));
  }
  float angle = sqrt(square);
  float turns = floor(angle * 0.159154943 + 0.5);
  // pi in two parts, the first of few bits: no digits are lost.
  float x = (0.5 * angle - turns * 3.140625) - turns * 9.67653590e-4;
  float u = x * x;
  float s = x + x * u * (-0.166666579 +
                         u * (0.00833304933 + u * (-1.98089539e-4 + u * 2.60496083e-6)));
  float c = 0.999999953 + u * (-0.499999044 +
                               u * (0.041663564 + u * (-0.00138535604 + u * 2.31508169e-5)));
  float sine = 2.0 * s * c;
  return vec3(sine / angle, 2.0 * s * s / square, (angle - sine) / (square * angle));
}

// The displacement p of a shell's vertex becomes Rt(w) p = p + B w x p + C w x (w x p), and its
// normal and tangent become R(w) n = n + A w x n + B w x (w x n). A turn of 0, as that of flesh,
// changes nothing.
void supple_warp(vec3 turn, inout vec3 displacement, inout vec3 normal, inout vec3 tangent) {
#ifdef SUPPLE_LINEAR
  normal += cross(turn, normal);
  tangent += cross(turn, tangent);
#else
  float square = dot(turn, turn);
  if (square == 0.0) return;
  vec3 factors = supple_turn_factors(square);
  vec3 across = cross(turn, displacement);
  displacement += factors.y * across + factors.z * cross(turn, across);
  across = cross(turn, normal);
  normal += factors.x * across + factors.y * cross(turn, across);
  across = cross(turn, tangent);
  tangent += factors.x * across + factors.y * cross(turn, across);
#endif
}
