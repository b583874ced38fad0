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
import { compress, kWays, readMotion } from './support/compress.mjs';

const kAssets = join(sourceRoot, '..', 'shared', 'assets');
const kCharacters = [
  'khronos/CesiumMan/CesiumMan.glb',
  'khronos/RiggedFigure/RiggedFigure.glb',
  'khronos/Fox/Fox.glb',
  'quaternius/Dolphin.glb',
];
const kSamples = ['tissue', 'bather'];

/** Vertices move by up to 2^-14 of the size, 1e-4 of a length, and volumes by a few times that. */
const kMasses = 0.01;
/** Flesh is stiffened until no vertex sags by more than a part of its thickness, and the few elements
 * of this test find another largest sag when the skin moves by 1e-4: 0.07 was seen at 400 elements,
 * 0.036 at 1,500, 0.004 at 20,000, all on CesiumMan. */
const kFrequencies = 0.05;
/** Of the largest displacement of a part: shapes are numbers of 16 bits, rounded by half of 2^-15
 * when they are written and once more in another scale, over some modes together. The scale of a
 * quantised mesh is known far better, from all of its vertices. */
const kShapes = 2 ** -13;
/** Of coefficients: the scale of a quantised mesh, from n vertices that were rounded by 1e-4 of the
 * size or so, is known to 1e-4 over the root of n. */
const kCoefficients = 1e-5;

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
          const error = Math.abs(value - is.coefficients[i][k]);
          assert.ok(error <= kCoefficients * (1 + Math.abs(value)), `${name}: mode ${k}: ${error}`);
        }));
        await checkMotion(`${way} ${name}: ${mesh.matched}`, was, { file: output, report: is },
          kWays[way].error);
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
        // By name: they are sorted by size, and two may be as large.
        const change = (figure) => Math.max(...was.objects.map((object) => {
          const same = is.objects.find((other) => other.name === object.name);
          return Math.abs(figure(same) / figure(object) - 1);
        }));
        const masses = change((object) => object.mass_kg);
        const lowest = change(({ modes }) => Math.min(...modes.map((mode) => mode.frequency_hz)));
        console.log(`${way} ${name}: masses within ${masses.toExponential(1)}, lowest frequencies `
          + `within ${lowest.toExponential(1)}`);
        assert.ok(masses <= kMasses, `${name}: masses ${masses}`);
        assert.ok(lowest <= kFrequencies, `${name}: frequencies ${lowest}`);
      }
    });
  }
});

/** Two files in the same motion. A shell's recording states by how much it may be off. */
async function checkMotion(name, was, is, rounding) {
  const times = Array.from({ length: 12 }, (_, i) => ((i + 0.37) / 12) * was.report.duration);
  const stated = [was, is].reduce((sum, { report }) =>
    sum + Math.max(0, ...(report.shells ?? []).map((shell) => shell.largest_error_m)), 0);
  const parts = await compareMotion(was.file, is.file, rounding, times);
  for (const { worst, largest } of parts) {
    console.log(`${name}; moves by ${largest.toPrecision(3)} m, differs by ${worst.toExponential(1)} m`);
    assert.ok(worst <= kShapes * largest + stated, `${name}: ${worst} m of ${largest} m`);
  }
}

function jsonOf(glb) {
  const bytes = readFileSync(glb);
  return JSON.parse(bytes.subarray(20, 20 + bytes.readUInt32LE(12)).toString());
}

/** The largest difference of a vertex's displacement from that of the plain file's nearest vertex,
 * at any of the times, and the largest displacement, for each part, in metres. Targets themselves
 * cannot be compared: those of shells are singular vectors of the motion, which may come out with
 * another sign or mixed. Files are read by gltf-transform. */
async function compareMotion(plain, changed, rounding, times) {
  const was = await readMotion(plain, 'jump', times);
  const is = await readMotion(changed, 'jump', times);
  assert.equal(is.length, was.length);
  assert.ok(is.length > 0);
  return was.map((part, p) => {
    const step = rounding * is[p].unit;
    const reach = step + 1e-6 * part.unit; // floats
    const grid = new Map();
    const key = (place, by) => place.map((x, i) => Math.round(x / (2 * reach)) + by[i]).join();
    let largest = 0;
    for (const vertex of part.vertices) {
      const at = key(vertex.place, [0, 0, 0]);
      grid.set(at, [...(grid.get(at) ?? []), vertex]);
      for (const x of vertex.moved) largest = Math.max(largest, Math.abs(x));
    }
    let worst = 0;
    for (const { place, moved } of is[p].vertices) {
      const near = kAround.flatMap((by) => grid.get(key(place, by)) ?? [])
        .filter((other) => place.every((x, i) => Math.abs(x - other.place[i]) <= reach));
      const errors = near.map((other) =>
        moved.reduce((most, x, i) => Math.max(most, Math.abs(x - other.moved[i])), 0));
      worst = Math.max(worst, Math.min(...errors));
    }
    return { worst, largest, step, size: part.unit };
  });
}

const kAround = [-1, 0, 1].flatMap((x) => [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((z) => [x, y, z])));
