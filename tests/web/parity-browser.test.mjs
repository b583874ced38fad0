// SPDX-License-Identifier: Apache-2.0
// The shader chunks in Chromium's WebGL 2 beside the CPU player.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { browserMissing, openBrowser, openPage, serveTests } from './browser.mjs';
import { writeAssets } from './programs.mjs';

// Of the size.
const TOLERANCE = { positions: 1e-5, normals: 1e-5, tangents: 1e-5 };

const skip = browserMissing || false;
let folder, server, browser;
before(async () => {
  if (skip) return;
  folder = mkdtempSync(join(tmpdir(), 'supple-browser-'));
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

const cases = [1, 5, 6, 30, 100].flatMap((modes) =>
  ['short', 'float'].map((encoding) => `modes_${modes}_${encoding}`),
);
for (const name of [...cases, 'layered']) {
  for (const path of ['texture', 'attributes']) {
    test(`${name} by ${path}`, { skip }, async () => {
      const { page, errors } = await openPage(browser, server.address);
      const found = await page.evaluate(
        async ([url, way]) => (await import('/tests/pages/modal_sum.js')).compare(url, way),
        [`/files/${name}.supple`, path],
      );
      await page.close();
      assert.deepEqual(errors, []);
      const few = /_(1|5)_/.test(name);
      assert.equal(found.fits, path === 'texture' || few);
      if (!found.fits) return;
      const figures = Object.keys(TOLERANCE).map((key) => `${key} ${found[key].toExponential(1)}`);
      console.log(`${name} by ${path}: ${figures.join(', ')}`);
      for (const [key, most] of Object.entries(TOLERANCE)) assert.ok(found[key] < most, key);
    });
  }
}
