// SPDX-License-Identifier: Apache-2.0
// supple-three with files that gltf-transform compressed, quantised or reordered after the bake;
// three.js decodes them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

import { browserMissing, openBrowser, openPage, serveTests } from './browser.mjs';
import { program } from './programs.mjs';
import { compress, kWays } from './support/compress.mjs';
import { bakedSamples } from './support/viewer.mjs';

if (browserMissing) console.log(browserMissing);

/** Of the displacement: shapes of 16 bits in another scale, and skins blended from rounded weights
 * (8 bits, so 1/255 each). */
const kDisplacement = 0.01;

describe('compressed after the bake', { skip: browserMissing !== '' }, () => {
  let folder, server, browser;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'supple-three-codecs-'));
    cpSync(await bakedSamples(), folder, { recursive: true });
    execFileSync(program('supple'), ['bake', '--sample', 'bather', '--elements', '1200', '--modes',
      '3', '--quiet', '-o', join(folder, 'bather.glb')], { stdio: ['ignore', 'ignore', 'inherit'] });
    server = await serveTests(folder);
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const way of Object.keys(kWays)) {
    it(way, async () => {
      for (const name of ['man', 'tissue', 'bather']) {
        await compress(join(folder, `${name}.glb`), join(folder, `${name}.${way}.glb`), way);
        const { page, errors } = await openPage(browser, server.address);
        const found = await page.evaluate(
          async (given) => (await import('/tests/pages/codecs.js')).compare(...given),
          [`${name}.glb`, `${name}.${way}.glb`, `${name}.supple`],
        );
        await page.close();
        assert.deepEqual(errors, []);
        const { far, wrong, largest, said, vertices } = found;
        console.log(`${way} ${name}: ${vertices.was} to ${vertices.is} vertices, moved by up to `
          + `${far.toExponential(1)} of the size; displacements within ${wrong.toExponential(1)} `
          + `of ${largest.toPrecision(3)}. ${said.join(' ')}`);
        assert.ok(largest > 1e-3);
        assert.ok(far <= 2 * kWays[way].error + 1e-6, `${name}: ${far}`);
        assert.ok(wrong <= kDisplacement, `${name}: ${wrong}`);
        for (const line of said) assert.match(line, /^supple: the mesh has changed .* matched/);
        if (/draco|reorder|quantize|meshopt/.test(way)) assert.equal(said.length, 1);
      }
    });
  }
});
