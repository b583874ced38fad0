// SPDX-License-Identifier: Apache-2.0
// A glTF file for the synthetic assets: one mesh of two primitives, five joints of which the third
// (node 7) drives the flesh. The second primitive is interleaved, its normals are bytes.
import { meshIndices, restNumber } from '../synthetic.mjs';

const JOINT_NODES = [5, 6, 7, 8, 9];

class Binary {
  bytes = [];
  views = [];
  accessors = [];

  view(typed, stride) {
    while (this.bytes.length % 4 !== 0) this.bytes.push(0);
    const byteOffset = this.bytes.length;
    const raw = new Uint8Array(typed.buffer, typed.byteOffset, typed.byteLength);
    for (const byte of raw) this.bytes.push(byte);
    const view = { buffer: 0, byteOffset, byteLength: typed.byteLength };
    this.views.push(stride === undefined ? view : { ...view, byteStride: stride });
    return this.views.length - 1;
  }

  accessor(bufferView, componentType, type, count, more = {}) {
    this.accessors.push({ bufferView, componentType, type, count, ...more });
    return this.accessors.length - 1;
  }
}

const FLOAT = 5126;
const SHORTS = 5123;
const BYTE = 5120;
const UBYTE = 5121;

function unit(numbers) {
  const length = Math.hypot(...numbers);
  return numbers.map((x) => Math.fround(x / length));
}

function vertex(v) {
  return {
    position: [0, 1, 2].map((c) => restNumber(3 * v + c)),
    normal: unit([0, 1, 2].map((c) => restNumber(3 * v + c + 100))),
    tangent: [...unit([0, 1, 2].map((c) => restNumber(3 * v + c + 200))), 1],
    uv: [(v % 7) / 7, (v % 5) / 5],
    joints: [0, 1, 2, 3].map((i) => (v + i) % JOINT_NODES.length),
    weights: [0.25, 0.25, 0.25, 0.25],
  };
}

function primitive(binary, part, indices, options) {
  const vertices = Array.from({ length: part.vertexCount }, (_, i) => vertex(part.firstVertex + i));
  const floats = (name) => Float32Array.from(vertices.flatMap((item) => item[name]));
  const count = part.vertexCount;
  const plain = (name, type) => binary.accessor(binary.view(floats(name)), FLOAT, type, count);
  const attributes = { TEXCOORD_0: plain('uv', 'VEC2') };
  const min = [-1, -1, -1];
  const max = [1, 1, 1];
  if (part.primitive === 0) {
    attributes.POSITION = plain('position', 'VEC3');
    attributes.NORMAL = plain('normal', 'VEC3');
    attributes.TANGENT = plain('tangent', 'VEC4');
  } else {
    const woven = new DataView(new ArrayBuffer(16 * count));
    vertices.forEach(({ position, normal }, i) => {
      position.forEach((x, c) => woven.setFloat32(16 * i + 4 * c, x, true));
      normal.forEach((x, c) => woven.setInt8(16 * i + 12 + c, Math.round(127 * x)));
    });
    const view = binary.view(new Uint8Array(woven.buffer), 16);
    attributes.POSITION = binary.accessor(view, FLOAT, 'VEC3', count);
    attributes.NORMAL = binary.accessor(view, BYTE, 'VEC3', count, {
      byteOffset: 12,
      normalized: true,
    });
  }
  Object.assign(binary.accessors[attributes.POSITION], { min, max });
  if (options.skinned) {
    const joints = Uint8Array.from(vertices.flatMap((item) => item.joints));
    attributes.JOINTS_0 = binary.accessor(binary.view(joints), UBYTE, 'VEC4', count);
    attributes.WEIGHTS_0 = plain('weights', 'VEC4');
  }
  const local = Uint16Array.from(indices, (index) => index - part.firstVertex);
  const corners = binary.accessor(binary.view(local), SHORTS, 'SCALAR', local.length);
  const targets = (options.targets ?? []).map((target) => {
    const shape = target.shape.slice(3 * part.firstVertex, 3 * (part.firstVertex + count));
    const position = binary.accessor(binary.view(shape), FLOAT, 'VEC3', count, { min, max });
    return { POSITION: position };
  });
  return {
    attributes,
    indices: corners,
    material: 0,
    ...(targets.length > 0 ? { targets } : {}),
  };
}

/** options: skinned, targets ([{ name, shape }]), weightTrack (times of a weights animation). */
export function makeGlb(asset, options = { skinned: true }) {
  const binary = new Binary();
  const primitives = asset.parts.map((part) =>
    primitive(binary, part, meshIndices([part]), options),
  );
  const targetNames = (options.targets ?? []).map((target) => target.name);
  const mesh = { primitives, ...(targetNames.length > 0 ? { extras: { targetNames } } : {}) };
  const nodes = Array.from({ length: 10 }, (_, i) => ({ name: `node${i}` }));
  Object.assign(nodes[0], { mesh: 0 }, options.skinned ? { skin: 0 } : {});
  nodes[1].children = [5];
  for (let i = 5; i < 9; ++i) nodes[i].children = [i + 1];
  for (let i = 5; i < 10; ++i) nodes[i].translation = [0.1 * i, 0.5, 0];
  if (!options.skinned) nodes[9].children = [0];
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: options.skinned ? [0, 1] : [1] }],
    nodes,
    meshes: [mesh],
    materials: [
      {
        doubleSided: true,
        pbrMetallicRoughness: { baseColorFactor: [1, 0.5, 0.4, 1], metallicFactor: 0 },
      },
    ],
  };
  if (options.skinned) {
    const matrices = new Float32Array(16 * JOINT_NODES.length);
    JOINT_NODES.forEach((node, j) => {
      matrices.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -0.1 * node, -0.2, 0.1, 1], 16 * j);
    });
    const bind = binary.accessor(binary.view(matrices), FLOAT, 'MAT4', JOINT_NODES.length);
    json.skins = [{ joints: JOINT_NODES, inverseBindMatrices: bind }];
  }
  if (options.weightTrack) {
    const times = Float32Array.from([0, 1]);
    const weights = new Float32Array(2 * targetNames.length).map((_, i) => i);
    const sampler = {
      input: binary.accessor(binary.view(times), FLOAT, 'SCALAR', 2, { min: [0], max: [1] }),
      output: binary.accessor(binary.view(weights), FLOAT, 'SCALAR', weights.length),
    };
    const channels = [{ sampler: 0, target: { node: 0, path: 'weights' } }];
    json.animations = [{ name: 'wobble', samplers: [sampler], channels }];
  }
  json.buffers = [{ byteLength: binary.bytes.length }];
  json.bufferViews = binary.views;
  json.accessors = binary.accessors;
  return assemble(json, Uint8Array.from(binary.bytes));
}

function assemble(json, binary) {
  const pad = (bytes, fill) => {
    const padded = new Uint8Array(Math.ceil(bytes.length / 4) * 4).fill(fill);
    padded.set(bytes);
    return padded;
  };
  const text = pad(new TextEncoder().encode(JSON.stringify(json)), 0x20);
  const data = pad(binary, 0);
  const glb = new Uint8Array(28 + text.length + data.length);
  const view = new DataView(glb.buffer);
  const words = [0x46546c67, 2, glb.length, text.length, 0x4e4f534a];
  words.forEach((word, i) => view.setUint32(4 * i, word, true));
  glb.set(text, 20);
  view.setUint32(20 + text.length, data.length, true);
  view.setUint32(24 + text.length, 0x004e4942, true);
  glb.set(data, 28 + text.length);
  return glb.buffer;
}
