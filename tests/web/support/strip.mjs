// SPDX-License-Identifier: Apache-2.0
// The strip of strip_asset.hpp as a glTF file under a plain node, and a comparison for it.
const kAlong = 33;
const kAcross = 7;

export const kTip = kAlong * kAcross - 4; // the middle of the free end
export const kVertices = kAlong * kAcross;

function positions() {
  return Float32Array.from({ length: 3 * kVertices }, (_, i) => {
    const v = Math.floor(i / 3);
    return [Math.floor(v / kAcross) / 32, 0, ((v % kAcross) - 3) / 32][i % 3];
  });
}

function triangles() {
  const corners = [];
  for (let i = 0; i + 1 < kAlong; ++i) {
    for (let j = 0; j + 1 < kAcross; ++j) {
      const a = i * kAcross + j;
      corners.push([a, a + 1, a + kAcross], [a + 1, a + kAcross + 1, a + kAcross]);
    }
  }
  return corners;
}
export const kTriangles = triangles();

/** At rest its node stands 0.8 m above the ground. */
export function makeStripGlb() {
  const normals = new Float32Array(3 * kVertices).map((_, i) => (i % 3 === 1 ? 1 : 0));
  const arrays = [positions(), normals, Uint16Array.from(kTriangles.flat())];
  let byteLength = 0;
  const views = arrays.map((array) => {
    const view = { buffer: 0, byteOffset: byteLength, byteLength: array.byteLength };
    byteLength += array.byteLength;
    return view;
  });
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ name: 'strip', mesh: 0, translation: [0, 0.8, 0] }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0, NORMAL: 1 }, indices: 2, material: 0 }] }],
    materials: [{ doubleSided: true, pbrMetallicRoughness: {
      baseColorFactor: [0.86, 0.62, 0.3, 1], metallicFactor: 0, roughnessFactor: 0.7 } }],
    buffers: [{ byteLength }],
    bufferViews: views,
    accessors: [
      { bufferView: 0, componentType: 5126, type: 'VEC3', count: kVertices,
        min: [0, 0, -3 / 32], max: [1, 0, 3 / 32] },
      { bufferView: 1, componentType: 5126, type: 'VEC3', count: kVertices },
      { bufferView: 2, componentType: 5123, type: 'SCALAR', count: arrays[2].length },
    ],
  };
  const text = Buffer.from(JSON.stringify(json).padEnd(
    Math.ceil(JSON.stringify(json).length / 4) * 4));
  const data = Buffer.concat(arrays.map((array) => Buffer.from(array.buffer)));
  const binary = Buffer.concat([data, Buffer.alloc((4 - (data.length % 4)) % 4)]);
  const chunk = (kind, bytes) => {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(bytes.length, 0);
    head.writeUInt32LE(kind, 4);
    return Buffer.concat([head, bytes]);
  };
  const chunks = Buffer.concat([chunk(0x4e4f534a, text), chunk(0x004e4942, binary)]);
  const head = Buffer.alloc(12);
  head.writeUInt32LE(0x46546c67, 0);
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(12 + chunks.length, 8);
  return Buffer.concat([head, chunks]);
}

/** Arcs of a circle, which keep their length: near enough to what the strip does. */
export function makeComparison() {
  const loads = [0, 5, 10, 20, 40];
  const rest = positions();
  const bend = (load) => 0.5 * Math.atan(0.12 * load);
  const arc = (load) => Array.from(rest, (value, i) => {
    const x = rest[i - (i % 3)];
    const angle = 2 * bend(load) * x;
    const share = angle > 1e-6 ? [Math.sin(angle) / angle, (1 - Math.cos(angle)) / angle] : [1, 0];
    return [share[0] * x, -share[1] * x, value][i % 3];
  });
  const curve = (factor, power) => loads.map((load) => factor * (load / 40) ** power);
  return {
    direction: [0, -1, 0],
    loads,
    vertexCount: kVertices,
    nonlinear: loads.map(arc),
    area: { linear: curve(3, 2), warped: curve(-0.096, 1.5), rotationStrain: curve(-2e-4, 1),
      nonlinear: curve(-5e-5, 1) },
    error: { linear: curve(1.8, 1.2), warped: curve(0.12, 1.5), rotationStrain: curve(0.09, 1.5) },
  };
}
