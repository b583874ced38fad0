// SPDX-License-Identifier: Apache-2.0

/// Linear RGB at t from 0 to 1: the colours with which supple-three shows displacements.
export function ramp(t: number): [number, number, number] {
  const share = Math.min(Math.max(t, 0), 1);
  const hue = 4.9 + (8.1 - 4.9) * share;
  const chroma = 0.13 + 0.06 * Math.sin(Math.PI * share);
  const lightness = 0.42 + (0.93 - 0.42) * share;
  const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const channel = (x: number, y: number, z: number): number =>
    Math.min(Math.max(x * l + y * m + z * s, 0), 1);
  return [
    channel(4.0767416621, -3.3077115913, 0.2309699292),
    channel(-1.2684380046, 2.6097574011, -0.3413193965),
    channel(-0.0041960863, -0.7034186147, 1.707614701),
  ];
}
