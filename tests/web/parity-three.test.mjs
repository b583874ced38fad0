// SPDX-License-Identifier: Apache-2.0
// supple-three in Chromium: what three.js's own materials draw is where the CPU player says.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { browserMissing, openBrowser, openPage, serveTests } from './browser.mjs';
import { writeAssets } from './programs.mjs';

const TOLERANCE = 1e-5; // of the size
const TANGENT_TOLERANCE = 1e-4; // divided by little where a normal turns almost to the other side

const skip = browserMissing || false;
let folder, server, browser;
before(async () => {
  if (skip) return;
  folder = mkdtempSync(join(tmpdir(), 'supple-three-'));
  writeAssets(folder);
  server = await serveTests(folder);
  browser = await openBrowser();
});
after(async () => {
  if (skip) return;
  await browser.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function inPage(name, call, options) {
  const { page, errors } = await openPage(browser, server.address);
  const found = await page.evaluate(
    async ([url, what, how]) => (await import('/tests/pages/three_parity.js'))[what](url, how),
    [`/files/${name}.supple`, call, options],
  );
  await page.close();
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
];
for (const [name, options] of cases) {
  test(`${name} ${JSON.stringify(options)}`, { skip }, async () => {
    const found = await inPage(name, 'compareMesh', options);
    const { errors, shadows } = found;
    const figures = [errors.positions, errors.normals, shadows.positions];
    console.log(`${name}: ${figures.map((x) => x.toExponential(1)).join(', ')}`);
    for (const error of figures) assert.ok(error < TOLERANCE, String(error));
    assert.equal(errors.tangents !== undefined, options.textured === true);
    if (options.textured) assert.ok(errors.tangents < TANGENT_TOLERANCE, `${errors.tangents}`);
    assert.ok(found.without.positions > 0.01, `flesh moves by ${found.without.positions} only`);
    // Two primitives; a lamp looks to six sides.
    assert.equal(found.shadowDraws, options.light === 'lamp' ? 12 : 2);
    assert.equal(found.glError, 0);
    assert.equal(found.stats.draws, 2);
    assert.equal(found.stats.uploads, 1);
  });
}

for (const skinned of [true, false]) {
  test(`a crowd, ${skinned ? 'skinned' : 'rigid'}`, { skip }, async () => {
    const found = await inPage('layered', 'compareCrowd', { count: 7, glb: { skinned } });
    assert.ok(found.errors.positions < TOLERANCE, `positions ${found.errors.positions}`);
    assert.ok(found.errors.normals < TOLERANCE, `normals ${found.errors.normals}`);
    assert.ok(found.errors.tangents < TANGENT_TOLERANCE, `tangents ${found.errors.tangents}`);
    assert.equal(found.draws, 2);
    assert.ok(found.inside, 'the bounds do not hold all vertices');
    assert.equal(found.stats.uploads, 3);
  });
}
