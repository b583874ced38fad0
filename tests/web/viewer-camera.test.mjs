// SPDX-License-Identifier: Apache-2.0
// The camera stays with a character, wherever its clip leads.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';

import { browserMissing, openBrowser } from './browser.mjs';
import {
  advance, bakedSamples, closePages, drop, kItems, openViewer, serveViewer, until,
} from './support/viewer.mjs';

if (browserMissing) console.log(browserMissing);

const kJson = 20; // where the JSON of a .glb begins

/** The .glb with the root of all its clips elsewhere: `offset` metres away, and leaving at
 * `velocity`. */
function led(bytes, offset, velocity) {
  const glb = Buffer.from(bytes);
  const length = glb.readUInt32LE(12);
  const json = JSON.parse(glb.subarray(kJson, kJson + length).toString());
  const begin = kJson + length + 8;
  const numbers = (accessor, size) => {
    const { bufferView, byteOffset = 0, count } = json.accessors[accessor];
    const at = begin + (json.bufferViews[bufferView].byteOffset ?? 0) + byteOffset;
    return Array.from({ length: count * size }, (_, i) => at + 4 * i);
  };
  const done = new Set();
  for (const { channels, samplers } of json.animations) {
    for (const { sampler, target } of channels) {
      const { input, output } = samplers[sampler];
      if (json.nodes[target.node].name !== 'Hips' || target.path !== 'translation') continue;
      if (done.has(output)) continue;
      done.add(output);
      const times = numbers(input, 1).map((at) => glb.readFloatLE(at));
      numbers(output, 3).forEach((at, i) => {
        const moved = offset[i % 3] + velocity[i % 3] * times[Math.floor(i / 3)];
        glb.writeFloatLE(glb.readFloatLE(at) + moved, at);
      });
    }
  }
  assert.ok(done.size > 0, 'no clip moves the root');
  return glb;
}

/** The .glb with its scene turned about the vertical, by degrees. */
function turnedAbout(bytes, degrees) {
  const length = bytes.readUInt32LE(12);
  const json = JSON.parse(bytes.subarray(kJson, kJson + length).toString());
  const half = (degrees * Math.PI) / 360;
  json.nodes.push({ rotation: [0, Math.sin(half), 0, Math.cos(half)],
    children: json.scenes[0].nodes });
  json.scenes[0].nodes = [json.nodes.length - 1];
  let text = Buffer.from(JSON.stringify(json));
  text = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, ' ')]);
  const head = Buffer.from(bytes.subarray(0, kJson));
  head.writeUInt32LE(bytes.length - length + text.length, 8);
  head.writeUInt32LE(text.length, 12);
  return Buffer.concat([head, text, bytes.subarray(kJson + length)]);
}

describe('the camera', { skip: browserMissing !== '' }, () => {
  let browser;
  let server;
  before(async () => {
    browser = await openBrowser();
    server = await serveViewer({ gallery: true, items: kItems });
  });
  afterEach(() => closePages(browser));
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  const kSize = { width: 900, height: 600 };
  /** How the character lies in the picture. */
  const seen = async (page) => {
    const { left, right, top, bottom } = await page.evaluate(() => window.suppleViewer.covered());
    return {
      inside: left > 0 && right < kSize.width && top > 0 && bottom < kSize.height,
      centred: (left + right) / 2 > 0 && (left + right) / 2 < kSize.width
        && (top + bottom) / 2 > 0 && (top + bottom) / 2 < kSize.height,
      height: (bottom - top) / kSize.height,
    };
  };

  it('finds a character whose clip is elsewhere, and goes along', async () => {
    const glb = readFileSync(join(await bakedSamples(), 'man.glb'));
    const { page, problems } = await openViewer(browser, server.url, { viewport: kSize });
    let seed = 5; // the same places in every run
    const random = () => {
      seed = (seed * 48271) % 2147483647;
      return (2 * seed) / 2147483647 - 1;
    };
    const cases = [[[0, 0, 7], [0, 0, 0]], [[0, 0, 0], [0, 0, 0]]];
    for (let i = 0; i < 6; ++i) {
      cases.push([[20 * random(), 3 * random(), 20 * random()],
        [5 * random(), random(), 5 * random()]]);
    }
    for (const [i, [offset, velocity]] of cases.entries()) {
      const name = `away from ${offset} at ${velocity}`;
      const before = await page.evaluate(() => window.suppleViewer.opened);
      await drop(page, [{ name: `man${i}.glb`, bytes: led(glb, offset, velocity) }, 'man.supple']);
      await until(page, (count) => window.suppleViewer.opened > count, before);
      for (let second = 0; second < 5; ++second) {
        const { centred, height } = await seen(page);
        assert.ok(centred && height > 0.3 && height < 1.5, `${name}, ${second} s: ${height}`);
        await advance(page, 0.7);
      }
      await page.keyboard.press('f');
      const framed = await seen(page);
      assert.ok(framed.inside && framed.height > 0.4, `${name}: ${JSON.stringify(framed)}`);
    }
    assert.deepEqual(problems, []);
  });

  it('shows the front of characters that face -Z too', async () => {
    const glb = readFileSync(join(await bakedSamples(), 'man.glb'));
    const { page, problems } = await openViewer(browser, server.url, { viewport: kSize });
    for (const degrees of [180, 0, 190, 165, -4, 90]) {
      const before = await page.evaluate(() => window.suppleViewer.opened);
      const bytes = turnedAbout(glb, degrees);
      await drop(page, [{ name: `man${degrees}.glb`, bytes }]);
      await until(page, (count) => window.suppleViewer.opened > count, before);
      const behind = await page.evaluate(() => {
        const { left, right } = window.suppleViewer.covered();
        return { z: window.suppleViewer.camera()[2], seen: right > left };
      });
      assert.ok(behind.seen);
      const back = Math.abs(degrees - 180) < 45;
      assert.equal(Math.sign(behind.z), back ? -1 : 1, `${degrees} degrees: ${behind.z}`);
    }
    assert.deepEqual(problems, []);
  });

  it('stays where it is while a character walks on the spot', async () => {
    const { page } = await openViewer(browser, server.url,
      { viewport: kSize, hash: '#item=tissue' });
    const places = [];
    for (let i = 0; i < 4; ++i) {
      places.push(await page.evaluate(() => window.suppleViewer.camera()));
      await advance(page, 0.4);
    }
    for (const place of places) assert.deepEqual(place, places[0]);
  });

  it('shows the list before anything is drawn', async () => {
    const { page, problems } = await openViewer(browser, server.url, {
      viewport: kSize,
      script: () => {
        window.draws = 0;
        const { prototype } = WebGL2RenderingContext;
        for (const name of ['drawArrays', 'drawElements', 'compileShader']) {
          const original = prototype[name];
          prototype[name] = function count(...words) {
            ++window.draws;
            return original.apply(this, words);
          };
        }
      },
      quality: 'high',
    });
    await page.locator('.cards li').first().waitFor();
    assert.equal(await page.evaluate(() => window.draws), 0);
    await page.locator('[data-item=man]').click();
    await until(page, () => window.suppleViewer.itemId === 'man' && window.draws > 0);
    assert.deepEqual(problems, []);
  });
});
