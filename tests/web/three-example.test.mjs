// SPDX-License-Identifier: Apache-2.0
// The example page of supple-three: it shows a character, which can be poked.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { loadSupple } from '../../web/packages/supple/dist/index.js';
import { browserMissing, openBrowser, openPage, serveTests } from './browser.mjs';
import { makeGlb } from './pages/make_glb.js';
import { writeAssets } from './programs.mjs';

test('the example loads, and a click pokes', { skip: browserMissing || false }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'supple-example-'));
  writeAssets(folder);
  const asset = (await loadSupple()).openAsset(readFileSync(join(folder, 'layered.supple')));
  writeFileSync(join(folder, 'layered.glb'), new Uint8Array(makeGlb(asset, { skinned: true })));
  const server = await serveTests(folder);
  const browser = await openBrowser();
  try {
    const example = '/web/packages/supple-three/example/index.html?character=/files/layered';
    const { page, errors } = await openPage(browser, server.address + example);
    await page.waitForFunction(() => globalThis.character?.player.diagnose().steps > 2);
    await page.evaluate(() => {
      const { player } = globalThis.character;
      const push = player.push.bind(player);
      player.push = (vertex, force) => {
        push(vertex, force);
        globalThis.pushed = { vertex, newtons: Math.hypot(...force) };
      };
    });
    const pushed = () => page.evaluate(() => globalThis.pushed);
    const { width, height } = page.viewportSize();
    // Somewhere in the middle there is a triangle.
    for (let i = 0; i < 25 && !(await pushed()); ++i) {
      const [x, y] = [0.3 + 0.1 * (i % 5), 0.3 + 0.1 * Math.floor(i / 5)];
      await page.mouse.click(width * x, height * y);
    }
    const { vertex, newtons } = await pushed();
    assert.ok(vertex >= 0 && vertex < asset.info.vertexCount);
    assert.ok(Math.abs(newtons - 300) < 1e-6);
    assert.deepEqual(errors, []);
  } finally {
    await browser.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
