// SPDX-License-Identifier: Apache-2.0
// supple-three around drawing: morph targets, refusals, rays, sharing, uploads, lost contexts.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { withBrowser } from './browser.mjs';

const { skip, call } = withBrowser();

async function inPage(name, ...given) {
  const { found, errors } = await call('three_behaviour.js', name, ...given);
  return { ...found, consoleErrors: errors };
}

test("the baker's morph targets are left out, others stay", { skip }, async () => {
  const { kept, restored, bare, consoleErrors } = await inPage('morphs');
  assert.deepEqual(consoleErrors, []);
  assert.deepEqual(kept.names, ['smile', 'flesh 1 8 +']); // object 1 has seven modes
  assert.equal(kept.influences, 2);
  assert.equal(kept.attributes, 2);
  assert.deepEqual(kept.tracks, [
    [0, 4, 5, 9],
    [0, 4, 5, 9],
  ]);
  assert.equal(restored, 5);
  assert.deepEqual(bare, { influences: null, attributes: [], tracks: 0 });
});

test('another mesh is refused in words', { skip }, async () => {
  const words = await inPage('refusals');
  assert.match(words.attributes, /SuppleError 8: .*path 'texture'/);
  assert.match(words.early, /SuppleError 8: .*SuppleMesh\.ready\(\).*SuppleMesh\.load/);
  assert.match(words.coefficients, /SuppleError 8: .*11 coefficients/);
  assert.match(words.damaged, /SuppleError 1: .*not a \.supple file/);
  assert.match(words.moved, /SuppleError 6: .*another mesh/);
  assert.match(words.cube, /SuppleError 6: .*another mesh.*primitive 0/);
});

for (const name of ['layered', 'shell_mixed']) test(`rays hit ${name}, and bounds hold it`, {
  skip,
}, async () => {
  const found = await inPage('picking', `/files/${name}.supple`);
  assert.deepEqual(found.consoleErrors, []);
  assert.ok(found.tried > 60);
  // Random triangles that shells bend may be slivers, which a ray passes.
  const missed = name === 'layered' ? 0 : 2;
  assert.ok(found.hit >= found.tried - missed && found.right >= found.tried - missed, found);
  assert.equal(found.outside, 0);
  assert.ok(found.override > 0.01);
  assert.equal(found.other, -1);
});

test('materials and shapes are shared where they can be', { skip }, async () => {
  const found = await inPage('sharing');
  assert.deepEqual(found.consoleErrors, []);
  assert.ok(found.distinct && found.untouched && found.restored);
  assert.equal(found.programs, 1); // for two primitives of two characters
  // Shapes and table once, and the coefficients of each; the rest belongs to three.js.
  assert.equal(found.textures - found.texturesLeft, 4);
});

test('a frame uploads one small texture', { skip }, async () => {
  const found = await inPage('uploads');
  const { uploadedBytes } = found.stats;
  const cost = `${(1000 * found.updateMs).toFixed(0)} µs`;
  console.log(`a frame: 2 draws, ${uploadedBytes} bytes, ${cost} on the CPU`);
  assert.equal(found.calls, 2);
  const ours = found.log.filter(([, bytes]) => bytes === found.bytes);
  // three.js itself uploads the bones.
  assert.deepEqual(
    found.log.map(([name]) => name),
    ['texSubImage2D', 'texSubImage2D'],
  );
  assert.equal(ours.length, 1);
  assert.equal(found.stats.uploadedBytes, found.bytes);
  assert.ok(found.bytes < 300);
});

test('comparison, colours, and a lost context', { skip }, async () => {
  const found = await inPage('pictures');
  assert.ok(found.visible > 2000, `${found.visible} pixels show something`);
  assert.ok(found.bones > 500);
  assert.ok(found.colour > 2000);
  assert.equal(found.again, 0);
  assert.equal(found.after, 0);
});

test("the user's own hooks and materials", { skip }, async () => {
  const found = await inPage('hooks');
  assert.deepEqual(found.consoleErrors, []);
  assert.ok(found.called >= 2 && found.green > 2000);
  assert.ok(found.own && found.changed > 500);
});

test("a scene answers to its palette, in the world's frame", { skip }, async () => {
  const found = await inPage('scene');
  assert.deepEqual(found.consoleErrors, []);
  assert.equal(found.refused, false);
  assert.deepEqual(found.taken, [true, true]);
  assert.ok(found.largest > 0.05, `moves by ${found.largest} only`);
  assert.equal(found.difference, 0, 'the frame in which it stands excites nothing');
  // Floats of positions up to 60 units away.
  assert.ok(found.away < 1e-4, `${found.away} from where the frame takes it`);
  for (const { entry, transitions, allowed } of found.states) {
    assert.deepEqual([entry, transitions >= 2, allowed.length], [1, true, 3]);
  }
  assert.match(found.words, /no scene/);
});
