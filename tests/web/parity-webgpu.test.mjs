// SPDX-License-Identifier: Apache-2.0
// supple-three in WebGPURenderer: its nodes put vertices where the CPU player says. By the
// renderer's WebGL 2 backend, whose vertices can be read; both backends compile the same nodes.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { withBrowser } from './browser.mjs';

const USUAL = 2e-6; // of the size, as in parity-three.test.mjs

const { skip, call } = withBrowser({ onePage: true });

async function inPage(name, what, options) {
  const { found, errors } = await call('three_parity.js', what, `/files/${name}.supple`, options);
  assert.deepEqual(errors, []);
  return found;
}

function checkErrors(title, errors) {
  const text = Object.entries(errors).map(([key, error]) => `${key} ${error.toExponential(1)}`);
  console.log(`${title}: ${text.join(', ')}`);
  for (const [key, error] of Object.entries(errors)) assert.ok(error < USUAL, `${key} ${error}`);
}

// First, because the entry for nodes stays once it was imported.
test('without nodes, it says once why there is no flesh', { skip }, async () => {
  const url = '/files/layered.supple';
  const { found, errors } = await call('three_parity.js', 'drawWithoutNodes', url);
  assert.ok(found > 0);
  assert.equal(errors.length, 1, errors.join());
  assert.match(errors[0], /WebGPURenderer shows no flesh.*'supple-three\/webgpu'.*WebGLRenderer/);
});

const standard = { path: 'texture', material: 'standard', nodes: true };
const cases = [
  ['modes_30_float', standard],
  ['layered', { ...standard, material: 'physical', textured: true }],
  ['layered', { ...standard, light: 'lamp', textured: true }],
  ['layered', { ...standard, material: 'toon', glb: { skinned: false } }],
  ['layered', { ...standard, colourBy: 'displacement', scale: [-0.01, 0.01, 0.01] }],
  ['shell_mixed', { ...standard, textured: true }],
  ['shell_mixed', { ...standard, linear: true, glb: { skinned: false } }],
];
for (const [name, options] of cases) {
  test(`${name} ${JSON.stringify(options)}`, { skip }, async () => {
    const { errors, shadows, without, ...found } = await inPage(name, 'compareMesh', options);
    checkErrors(name, { ...errors, shadows: shadows.positions });
    assert.equal(errors.tangents !== undefined, options.textured === true);
    assert.ok(without.positions > 0.01, `flesh moves by ${without.positions} only`);
    // Two primitives; a lamp looks to six sides.
    assert.equal(found.shadowDraws, options.light === 'lamp' ? 12 : 2);
    assert.equal(found.glError, 0);
    assert.equal(found.stats.uploads, 1);
  });
}

const crowds = {
  skinned: { glb: { skinned: true } },
  'of shells, rigid': { glb: { skinned: false }, shell: true },
};
for (const [title, options] of Object.entries(crowds)) {
  test(`a crowd, ${title}`, { skip }, async () => {
    const name = options.shell ? 'shell_mixed' : 'layered';
    const given = { count: 7, nodes: true, ...options };
    const { errors, draws } = await inPage(name, 'compareCrowd', given);
    // three.js itself does not turn the tangents of instances here.
    checkErrors(`a crowd, ${title}`, { positions: errors.positions, normals: errors.normals });
    assert.equal(draws, 2);
  });
}
