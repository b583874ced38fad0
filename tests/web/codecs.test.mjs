// SPDX-License-Identifier: Apache-2.0
// Compressed, quantised and reordered files by gltf-transform: before the bake and after it, for
// characters by others and our own.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';

import { program, sourceRoot } from './programs.mjs';
import { compress, kWays, readVertices } from './support/compress.mjs';

const kAssets = join(sourceRoot, '..', 'shared', 'assets');
const kCharacters = [
  'khronos/CesiumMan/CesiumMan.glb',
  'khronos/RiggedFigure/RiggedFigure.glb',
  'quaternius/Dolphin.glb',
];
const kSamples = ['tissue'];

/** Vertices move by up to 2^-14 of the size, 1e-4 of a length, and volumes by a few times that. */
const kMasses = 0.01;
/** Of the largest displacement. The scale of a quantised part comes from its box, whose corners are
 * rounded to 2^-14 of the mesh; a part of a tenth of its mesh is known to 1e-3. */
const kShapes = 5e-3;

/** Ways that have been shown on our own flesh alone so far. */
const kOwnOnly = ['meshopt', 'meshopt-high', 'quantize', 'quantize-scene', 'unweld', 'everything'];

function supple(...given) {
  const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 28 };
  try {
    return JSON.parse(execFileSync(program('supple'), [...given, '--json', '--quiet'], options));
  } catch (error) {
    throw new Error(`supple ${given.join(' ')}: ${error.stderr ?? error.message}`);
  }
}

const quick = ['--elements', '1500'];

describe('compressed files', () => {
  let folder;
  const plain = []; // { name, glb, baked, flesh, was: { file, report } }
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'supple-codecs-'));
    for (const sample of kSamples) {
      const baked = join(folder, `${sample}.baked.glb`);
      supple('bake', '--sample', sample, ...quick, '-o', baked);
      plain.push({ name: sample, glb: baked, baked, flesh: baked.replace(/glb$/, 'supple') });
    }
    for (const file of kCharacters) {
      const glb = join(kAssets, file);
      if (!existsSync(glb)) {
        console.log(`SKIPPED: ${file} is not there`);
        continue;
      }
      const name = basename(file, '.glb');
      const baked = join(folder, `${name}.baked.glb`);
      try {
        supple('bake', glb, ...quick, '-o', baked);
      } catch (error) {
        // Whatever is refused for another reason is not for this test.
        assert.doesNotMatch(error.message, /compress|draco|meshopt/i);
        console.log(`${name} is refused: ${error.message.split('\n')[0]}`);
        continue;
      }
      plain.push({ name, glb, baked, flesh: baked.replace(/glb$/, 'supple') });
    }
    assert.ok(plain.length >= kSamples.length);
    for (const item of plain) {
      const file = item.baked.replace(/baked/, 'played');
      const given = [item.flesh, '--character', item.baked, '--motion', 'jump', '-o', file];
      item.was = { file, report: supple('play', ...given) };
    }
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const way of Object.keys(kWays)) {
    it(`${way}, after the bake: the same flesh on the same vertices`, async () => {
      for (const { name, baked, flesh, was } of plain) {
        if (kOwnOnly.includes(way) && !kSamples.includes(name)) continue;
        const changed = join(folder, `${name}.${way}.glb`);
        await compress(baked, changed, way);
        const { mesh } = supple('check', flesh, '--mesh', changed);
        assert.ok(mesh.matches, `${name}: ${JSON.stringify(mesh)}`);
        const output = join(folder, 'played.glb');
        const is = supple('play', flesh, '--character', changed, '--motion', 'jump', '-o', output);
        if (mesh.matched !== 'exactly') {
          assert.ok(is.warnings.some((line) => /were matched/.test(line)), is.warnings);
        }
        was.report.coefficients.forEach((row, i) => row.forEach((value, k) => {
          assert.ok(Math.abs(value - is.coefficients[i][k]) <= 1e-6 * (1 + Math.abs(value)));
        }));
        const error = await compareShapes(was.file, output, kWays[way].error);
        console.log(`${way} ${name}: ${mesh.matched}; shapes within ${error.toExponential(1)}`);
        assert.ok(error <= kShapes, `${name}: ${error}`);
      }
    });
  }

  for (const way of ['draco', 'meshopt', 'quantize-scene', 'everything']) {
    it(`${way}, before the bake: the same flesh`, async () => {
      for (const { name, glb, flesh } of plain.filter((item) => item.glb !== item.baked)) {
        const changed = join(folder, `${name}.${way}.input.glb`);
        await compress(glb, changed, way);
        const output = join(folder, `${name}.${way}.output.glb`);
        const report = supple('bake', changed, ...quick, '-o', output);
        const used = jsonOf(output).extensionsUsed ?? [];
        assert.ok(!used.some((extension) => /draco|meshopt/.test(extension)), String(used));
        if (way !== 'quantize-scene') {
          assert.ok(report.warnings.some((line) => /compressed with/.test(line)));
        }
        const was = supple('info', flesh);
        const is = supple('info', output.replace(/glb$/, 'supple'));
        assert.equal(is.objects.length, was.objects.length);
        const change = (figure) =>
          Math.max(...was.objects.map((object, o) =>
            Math.abs(figure(is.objects[o]) / figure(object) - 1)));
        const masses = change((object) => object.mass_kg);
        // Printed, not held: at this size another mesh of the same flesh changes them as much.
        const lowest = change(({ modes }) => Math.min(...modes.map((mode) => mode.frequency_hz)));
        console.log(`${way} ${name}: masses within ${masses.toExponential(1)}, lowest frequencies `
          + `within ${lowest.toExponential(1)}`);
        assert.ok(masses <= kMasses, `${name}: ${masses}`);
      }
    });
  }
});

function jsonOf(glb) {
  const bytes = readFileSync(glb);
  return JSON.parse(bytes.subarray(20, 20 + bytes.readUInt32LE(12)).toString());
}

/** The largest difference of a morph target from that of the nearest vertex of the other file, over
 * the largest target. Files are read by gltf-transform; lengths are in boxes of the meshes. */
async function compareShapes(plain, changed, rounding) {
  const was = await readVertices(plain);
  const is = await readVertices(changed);
  assert.equal(is.length, was.length);
  let worst = 0;
  was.forEach((part, p) => {
    const most = (sum, { shapes }) => shapes.reduce((a, x) => Math.max(a, Math.abs(x)), sum);
    const largest = part.vertices.reduce(most, 1e-12);
    const cell = 4 * rounding + 1e-5;
    const grid = new Map();
    const key = (place, dx = 0, dy = 0, dz = 0) =>
      [dx, dy, dz].map((d, i) => Math.round(place[i] / cell) + d).join();
    for (const vertex of part.vertices) {
      const at = key(vertex.place);
      grid.set(at, [...(grid.get(at) ?? []), vertex]);
    }
    for (const { place, shapes } of is[p].vertices) {
      let best = Infinity;
      for (const dx of [-1, 0, 1]) for (const dy of [-1, 0, 1]) for (const dz of [-1, 0, 1]) {
        for (const other of grid.get(key(place, dx, dy, dz)) ?? []) {
          const far = Math.max(...place.map((x, i) => Math.abs(x - other.place[i])));
          if (far > 2 * rounding + 1e-5) continue;
          const error = Math.max(...shapes.map((x, i) => Math.abs(x - other.shapes[i])), 0);
          best = Math.min(best, error / largest);
        }
      }
      worst = Math.max(worst, best);
    }
  });
  return worst;
}
