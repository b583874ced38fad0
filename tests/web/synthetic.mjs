// SPDX-License-Identifier: Apache-2.0
// The rules by which web_assets.cpp and play_script.cpp make their meshes.

export const restNumber = (i) => Math.fround(((i * 7919) % 1000) / 500 - 1);

export function restNumbers(count, from = 0) {
  return Float32Array.from({ length: count }, (_, i) => restNumber(i + from));
}

/** Triangle corners of all parts, counted through. */
export function meshIndices(parts) {
  const indices = [];
  for (const { firstVertex, vertexCount } of parts) {
    for (let i = 0; i + 2 < vertexCount; ++i) {
      indices.push(firstVertex + i, firstVertex + i + 1, firstVertex + i + 2);
    }
  }
  return Uint32Array.from(indices);
}

export const JOINTS = 5;

/** A rest surface with everything that can be deformed, and a palette. */
export function restSurface(vertexCount) {
  return {
    rest: {
      positions: restNumbers(3 * vertexCount),
      normals: restNumbers(3 * vertexCount, 100),
      tangents: restNumbers(3 * vertexCount, 200),
      joints: Uint16Array.from({ length: 4 * vertexCount }, (_, i) => i % JOINTS),
      weights: new Float32Array(4 * vertexCount).fill(0.25),
    },
    palette: restNumbers(16 * JOINTS, 300),
  };
}

/** Random numbers from 0 to 1 that are the same every time (xorshift). */
export function seededRandom(seed) {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}
