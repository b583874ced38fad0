// SPDX-License-Identifier: Apache-2.0
import type { Theme } from '../theme';

export interface WaterLook {
  above: string; // towards the light
  level: string; // far away, into which everything fades
  below: string;
  floor: string;
  line: string;
  caustics: string;
  mote: string;
  fog: number; // 1/m
}

export const kWaterLooks: Record<Theme, WaterLook> = {
  dark: {
    above: '#2f8ba3', level: '#0e4258', below: '#072433', floor: '#123f50', line: '#2a6a7c',
    caustics: '#6fd0d8', mote: '#b7ecf2', fog: 0.075,
  },
  light: {
    above: '#e6fbff', level: '#8fd3e3', below: '#3f9fc0', floor: '#a6dbe4', line: '#5fb2c6',
    caustics: '#ffffff', mote: '#ffffff', fog: 0.055,
  },
};

/// Waves of light: sines that distort each other. Cheap, never repeating, and free of copyright.
const kRipples = `
float ripples(vec2 at, float time) {
  vec2 p = at;
  float sum = 0.0;
  for (int i = 0; i < 3; ++i) {
    p += 0.55 * vec2(sin(1.7 * p.y + time), cos(1.5 * p.x - 0.8 * time));
    sum += abs(sin(p.x + p.y * 0.6 + float(i)));
  }
  return pow(1.0 - sum / 3.0, 3.0);
}`;

export const kPlaneVertex = `
varying vec3 vWorld;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  vWorld = world.xyz;
  gl_Position = projectionMatrix * viewMatrix * world;
}`;

export const kFloorFragment = `
uniform vec3 floorColour, lineColour, causticsColour, levelColour;
uniform vec2 middle;
uniform float time, fog;
varying vec3 vWorld;
${kRipples}
float grid(vec2 at, float width) {
  vec2 wide = fwidth(at) * width;
  vec2 near = abs(fract(at - 0.5) - 0.5) / max(wide, vec2(1e-6));
  float clear = 1.0 - smoothstep(0.15, 0.6, max(wide.x, wide.y));
  return (1.0 - min(min(near.x, near.y), 1.0)) * clear;
}
void main() {
  vec3 colour = mix(floorColour, lineColour, 0.55 * grid(vWorld.xz, 1.4));
  colour = mix(colour, lineColour, grid(vWorld.xz * 0.2, 2.6)); // every five metres
  colour += causticsColour * 0.85 * ripples(vWorld.xz * 2.6, time * 0.9);
  float away = distance(vWorld, cameraPosition) * fog;
  float fade = exp(-away * away) * (1.0 - smoothstep(14.0, 24.0, distance(vWorld.xz, middle)));
  gl_FragColor = vec4(mix(levelColour, colour, fade), fade);
  #include <colorspace_fragment>
}`;

/// Never opaque: the swimmer shows on the other side. Ripples finer than pixels fade out.
export const kSurfaceFragment = `
uniform vec3 aboveColour, causticsColour, levelColour;
uniform vec2 middle;
uniform float time, fog, metre;
varying vec3 vWorld;
${kRipples}
void main() {
  vec2 at = vWorld.xz / metre;
  vec3 toEye = normalize(cameraPosition - vWorld);
  float clear = 1.0 - smoothstep(0.15, 0.6, length(fwidth(at)));
  float waves = clear * ripples(at * 1.6 + 7.0, time * 0.7);
  float mirror = pow(1.0 - abs(toEye.y), 3.0);
  float away = distance(vWorld, cameraPosition) / metre * fog;
  float fade = exp(-away * away)
    * (1.0 - smoothstep(14.0, 24.0, distance(vWorld.xz, middle) / metre));
  vec3 body = mix(levelColour, aboveColour, toEye.y > 0.0 ? 0.25 + 0.75 * mirror : 0.8);
  vec3 colour = mix(body, causticsColour, min(1.0, 2.0 * waves));
  float alpha = min(0.6, 0.24 + 0.2 * mirror + 0.8 * waves);
  gl_FragColor = vec4(mix(levelColour, colour, fade), fade * alpha);
  #include <colorspace_fragment>
}`;

export const kSkyFragment = `
uniform vec3 aboveColour, levelColour, belowColour;
varying vec3 vWorld;
void main() {
  float up = normalize(vWorld - cameraPosition).y;
  vec3 colour = up > 0.0 ? mix(levelColour, aboveColour, smoothstep(0.0, 0.9, up))
    : mix(levelColour, belowColour, smoothstep(0.0, 0.8, -up));
  gl_FragColor = vec4(colour, 1.0);
  #include <colorspace_fragment>
}`;

/// Motes stay in place in the water; those that leave the box re-enter on the other side.
export const kMotesVertex = `
uniform vec3 centre;
uniform float time, box, pixels;
varying float vShown;
void main() {
  vec3 drift = 0.06 * vec3(sin(time * 0.4 + position.y * 9.0), cos(time * 0.3 + position.x * 7.0),
    sin(time * 0.35 + position.z * 8.0));
  vec3 world = centre + box * (fract(position + drift / box - centre / box) - 0.5);
  vec4 seen = viewMatrix * vec4(world, 1.0);
  float away = length(world - centre) / (0.5 * box);
  float depth = -seen.z;
  vShown = (1.0 - smoothstep(0.6, 1.0, away)) * smoothstep(0.25, 1.0, depth);
  gl_PointSize = clamp(pixels * (0.6 + fract(position.x * 37.0)) / max(depth, 0.1), 1.0, 9.0);
  gl_Position = projectionMatrix * seen;
}`;

export const kMotesFragment = `
uniform vec3 moteColour;
varying float vShown;
void main() {
  float round = 1.0 - smoothstep(0.1, 0.5, length(gl_PointCoord - 0.5));
  gl_FragColor = vec4(moteColour, 0.5 * round * vShown);
  #include <colorspace_fragment>
}`;
