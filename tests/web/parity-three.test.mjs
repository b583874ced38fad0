// SPDX-License-Identifier: Apache-2.0
// supple-three in Chromium: what three.js's own materials draw is where the CPU player says.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { withBrowser } from './browser.mjs';

// Of the size: what any GPU must keep, and what Chromium's software renderer does (1.1e-6 at most,
// 5.3e-6 for shells, whose turned normals skins of random matrices shorten), so that a loss of
// digits is seen.
const TOLERANCE = 1e-5;
const USUAL = 2e-6;
const USUAL_SHELLS = 8e-6;

const { skip, call } = withBrowser({ onePage: true });

function checkErrors(title, errors, usual = USUAL) {
  const text = Object.entries(errors).map(([key, error]) => `${key} ${error.toExponential(1)}`);
  console.log(`${title}: ${text.join(', ')}`);
  for (const [key, error] of Object.entries(errors)) {
    assert.ok(error < TOLERANCE, `${key} ${error}`);
    assert.ok(error < usual, `${key} ${error}: within the tolerance, and more than it was`);
  }
}

async function inPage(name, what, options) {
  const { found, errors } = await call('three_parity.js', what, `/files/${name}.supple`, options);
  assert.deepEqual(errors, []);
  return found;
}

const standard = { path: 'texture', material: 'standard' };
const cases = [
  ...[1, 5, 6, 30, 100].map((modes) => [`modes_${modes}_short`, standard]),
  ['modes_30_float', standard],
  ['layered', standard],
  ['modes_5_short', { ...standard, path: 'attributes' }],
  ['modes_1_float', { ...standard, path: 'attributes' }],
  ...['physical', 'basic', 'lambert', 'phong', 'toon'].map((material) => [
    'layered',
    { path: 'texture', material },
  ]),
  ['layered', { ...standard, glb: { skinned: false } }],
  ['layered', { ...standard, light: 'lamp' }],
  ['layered', { ...standard, textured: true }],
  ['layered', { ...standard, textured: true, light: 'lamp' }],
  ['layered', { ...standard, colourBy: 'displacement' }],
  ['layered', { ...standard, textured: true, scale: [-0.01, 0.01, 0.01] }],
  ['layered', { ...standard, glb: { skinned: false }, scale: [100, -100, 100] }],
  ['shell_many', standard],
  ['shell_float', { ...standard, path: 'attributes' }],
  ['shell_mixed', { ...standard, textured: true }],
  ['shell_mixed', { ...standard, glb: { skinned: false } }],
  ['shell_mixed', { ...standard, light: 'lamp', material: 'basic' }],
  ['shell_mixed', { ...standard, linear: true }],
  ['scene', standard],
  ['scene', { ...standard, glb: { skinned: false }, textured: true, light: 'lamp' }],
  ['scene_mixed', { ...standard, textured: true }],
];
for (const [name, options] of cases) {
  test(`${name} ${JSON.stringify(options)}`, { skip }, async () => {
    const found = await inPage(name, 'compareMesh', options);
    const { errors, shadows } = found;
    const usual = name.startsWith('shell') ? USUAL_SHELLS : USUAL;
    checkErrors(name, { ...errors, shadows: shadows.positions }, usual);
    assert.equal(errors.tangents !== undefined, options.textured === true);
    assert.ok(found.without.positions > 0.01, `flesh moves by ${found.without.positions} only`);
    // Two primitives; a lamp looks to six sides.
    assert.equal(found.shadowDraws, options.light === 'lamp' ? 12 : 2);
    assert.equal(found.shadowSides, options.light === 'lamp' ? 6 : 1);
    assert.equal(found.glError, 0);
    assert.equal(found.stats.draws, 2);
    assert.equal(found.stats.uploads, 1);
  });
}

const crowds = {
  skinned: { glb: { skinned: true } },
  rigid: { glb: { skinned: false } },
  'of meshes bound differently': { glb: { skinned: true }, bind: true },
  'of shells': { glb: { skinned: true }, shell: true },
  'in colours': { glb: { skinned: true }, colourBy: 'displacement' },
};
for (const [title, options] of Object.entries(crowds)) {
  test(`a crowd, ${title}`, { skip }, async () => {
    const name = options.shell ? 'shell_mixed' : 'layered';
    const found = await inPage(name, 'compareCrowd', { count: 7, ...options });
    assert.deepEqual(Object.keys(found.errors), ['positions', 'normals', 'tangents']);
    checkErrors(`a crowd, ${title}`, found.errors, options.shell ? USUAL_SHELLS : USUAL);
    assert.equal(found.draws, 2);
    assert.ok(found.inside, 'the bounds do not hold all vertices');
    assert.equal(found.stats.uploads, 3);
  });
}
