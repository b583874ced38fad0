// SPDX-License-Identifier: Apache-2.0
// What people do to glTF files, done by gltf-transform.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { sourceRoot } from '../programs.mjs';

const require = createRequire(join(sourceRoot, 'web', 'package.json'));
const { NodeIO } = require('@gltf-transform/core');
const { ALL_EXTENSIONS } = require('@gltf-transform/extensions');
const functions = require('@gltf-transform/functions');
const draco3d = require('draco3dgltf');
const { MeshoptDecoder, MeshoptEncoder } = await import(
  pathToFileURL(require.resolve('meshoptimizer'))
);

const { dedup, draco, meshopt, prune, quantize, reorder, unweld, weld } = functions;
const encoder = MeshoptEncoder;

/** Each way, and how far it may move a vertex: in parts of the longest side of its mesh. */
export const kWays = {
  draco: { steps: [draco()], error: 2 ** -14 },
  'draco-sequential': { steps: [draco({ method: 'sequential' })], error: 2 ** -14 },
  'draco-coarse': { steps: [draco({ quantizePosition: 11 })], error: 2 ** -11 },
  meshopt: { steps: [meshopt({ encoder, level: 'medium' })], error: 2 ** -14 },
  'meshopt-high': { steps: [meshopt({ encoder, level: 'high' })], error: 2 ** -14 },
  quantize: { steps: [quantize()], error: 2 ** -14 },
  'quantize-scene': {
    steps: [quantize({ quantizationVolume: 'scene', quantizePosition: 16 })],
    error: 2 ** -15,
  },
  reorder: { steps: [reorder({ encoder, target: 'performance' })], error: 0 },
  weld: { steps: [weld()], error: 0 },
  unweld: { steps: [unweld()], error: 0 },
  tidy: { steps: [dedup(), prune()], error: 0 },
  everything: { steps: [dedup(), prune(), weld(), reorder({ encoder }), draco()], error: 2 ** -14 },
};

let io;

async function makeIO() {
  await Promise.all([MeshoptDecoder.ready, MeshoptEncoder.ready]);
  return new NodeIO().registerExtensions(ALL_EXTENSIONS).registerDependencies({
    'draco3d.encoder': await draco3d.createEncoderModule(),
    'draco3d.decoder': await draco3d.createDecoderModule(),
    'meshopt.decoder': MeshoptDecoder,
    'meshopt.encoder': MeshoptEncoder,
  });
}

/** Writes the file once more, changed in this way. */
export async function compress(from, to, way) {
  io ??= await makeIO();
  const document = await io.read(from);
  await document.transform(...kWays[way].steps);
  await io.write(to, document);
}

/** Weights of a clip's channel at a time, between linear keys. */
function weightsAt(sampler, count, time) {
  const times = sampler.getInput().getArray();
  const output = sampler.getOutput();
  const next = Math.max(1, times.findIndex((t) => t >= time));
  const last = times.length === 1 ? 0 : next;
  const first = Math.max(0, last - 1);
  const span = times[last] - times[first];
  const share = span > 0 ? Math.min(1, Math.max(0, (time - times[first]) / span)) : 1;
  return Array.from({ length: count }, (_, k) =>
    (1 - share) * output.getElement(first * count + k, [])[0]
    + share * output.getElement(last * count + k, [])[0]);
}

/** From a mesh's numbers to the world, as its first joint or its node places them. Quantised meshes
 * have their box in it. */
function worldFromMesh(node) {
  const skin = node.getSkin();
  if (!skin) return node.getWorldMatrix();
  const joint = skin.listJoints()[0].getWorldMatrix();
  const bind = skin.getInverseBindMatrices().getElement(0, []);
  return Array.from({ length: 16 }, (_, at) => [0, 1, 2, 3].reduce(
    (sum, k) => sum + joint[4 * k + (at % 4)] * bind[4 * Math.floor(at / 4) + k], 0));
}

function transformed(matrix, v, w) {
  return [0, 1, 2].map((i) =>
    matrix[i] * v[0] + matrix[4 + i] * v[1] + matrix[8 + i] * v[2] + w * matrix[12 + i]);
}

/** The vertices of each primitive that a clip's weights move: where they are at rest in the world,
 * and `moved`, their displacements by all targets together, x y z at each of the times. `unit` is
 * the length of which quantisation keeps a number of bits. */
export async function readMotion(file, clip, times) {
  io ??= await makeIO();
  const root = (await io.read(file)).getRoot();
  const animation = root.listAnimations().find((one) => one.getName() === clip);
  const parts = [];
  for (const channel of animation.listChannels()) {
    if (channel.getTargetPath() !== 'weights') continue;
    const node = channel.getTargetNode();
    const matrix = worldFromMesh(node);
    const primitives = node.getMesh().listPrimitives();
    const count = primitives[0].listTargets().length;
    const weights = times.map((time) => weightsAt(channel.getSampler(), count, time));
    for (const primitive of primitives) {
      const positions = primitive.getAttribute('POSITION');
      const [low, high] = [positions.getMinNormalized([]), positions.getMaxNormalized([])];
      const side = positions.getNormalized() ? 2 : Math.max(...high.map((x, i) => x - low[i]));
      const unit = side * Math.hypot(...matrix.slice(0, 3));
      parts.push({ unit, vertices: movedVertices(primitive, weights, matrix) });
    }
  }
  return parts;
}

function movedVertices(primitive, weights, matrix) {
  const positions = primitive.getAttribute('POSITION');
  const used = primitive.listTargets().map((target, k) => [target.getAttribute('POSITION'), k])
    .filter(([target, k]) => target && weights.some((row) => row[k] !== 0));
  const place = [];
  const shape = [];
  return Array.from({ length: positions.getCount() }, (_, v) => {
    const moved = new Float64Array(3 * weights.length);
    for (const [target, k] of used) {
      const [x, y, z] = target.getElement(v, shape);
      if (x === 0 && y === 0 && z === 0) continue;
      const along = transformed(matrix, shape, 0);
      weights.forEach((row, t) => {
        for (let i = 0; i < 3; ++i) moved[3 * t + i] += row[k] * along[i];
      });
    }
    return { place: transformed(matrix, positions.getElement(v, place), 1), moved };
  });
}
