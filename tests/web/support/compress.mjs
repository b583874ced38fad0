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

/** The vertices of each primitive that has morph targets, in their mesh's box: its corner is the
 * origin, its longest side 1. `shapes` are the displacements of all targets, one after another. */
export async function readVertices(file) {
  io ??= await makeIO();
  const parts = [];
  for (const mesh of (await io.read(file)).getRoot().listMeshes()) {
    for (const primitive of mesh.listPrimitives()) {
      const targets = primitive.listTargets().map((target) => target.getAttribute('POSITION'));
      if (targets.length === 0) continue;
      const positions = primitive.getAttribute('POSITION');
      const low = positions.getMinNormalized([]);
      const high = positions.getMaxNormalized([]);
      const side = Math.max(...high.map((x, i) => x - low[i]));
      const vertices = Array.from({ length: positions.getCount() }, (_, v) => ({
        place: positions.getElement(v, []).map((x, i) => (x - low[i]) / side),
        shapes: targets.flatMap((target) => target.getElement(v, []).map((x) => x / side)),
      }));
      parts.push({ vertices });
    }
  }
  return parts;
}
