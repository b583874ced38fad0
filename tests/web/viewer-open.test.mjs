// SPDX-License-Identifier: Apache-2.0
// What the viewer opens, and what it says about what it cannot open.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';

import { browserMissing, openBrowser } from './browser.mjs';
import { compress } from './support/compress.mjs';
import {
  advance, bakedSamples, closePages, drop, kItems, noticeText, openViewer, pictureDifference,
  serveViewer, settled, shot, until,
} from './support/viewer.mjs';

if (browserMissing) console.log(browserMissing);

/** A triangle as .gltf text with its bytes in a separate file. */
const kTriangle = JSON.stringify({
  asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }], nodes: [{ mesh: 0 }],
  meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
  accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3',
    min: [0, 0, 0], max: [1, 1, 0] }],
  bufferViews: [{ buffer: 0, byteLength: 36 }],
  buffers: [{ uri: 'corners.bin', byteLength: 36 }],
});
const kCorners = new Uint8Array(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]).buffer);

describe('opening', { skip: browserMissing !== '' }, () => {
  let browser;
  let empty;
  let listed;
  before(async () => {
    browser = await openBrowser();
    empty = await serveViewer(null);
    listed = await serveViewer({ gallery: true, items: kItems });
  });
  afterEach(() => closePages(browser));
  after(async () => {
    await browser?.close();
    await empty?.close();
    await listed?.close();
  });

  it('takes a character and its flesh in one drop, or one after the other', async () => {
    const { page, problems } = await openViewer(browser, empty.url);
    await page.getByText('Drop a character here').waitFor();
    await drop(page, ['man.glb', 'man.supple']);
    await until(page, () => window.suppleViewer.hasFlesh);
    assert.equal((await page.evaluate(() => window.suppleViewer.coefficients())).length, 9);

    await drop(page, ['tissue.glb']);
    await until(page, () => window.suppleViewer.itemId === 'tissue');
    assert.equal(await page.evaluate(() => window.suppleViewer.hasFlesh), false);
    await page.getByText('No flesh: drop the character’s .supple').waitFor();
    await drop(page, ['tissue.supple']);
    await until(page, () => window.suppleViewer.hasFlesh);
    assert.deepEqual(problems, []);
  });

  for (const way of ['draco', 'meshopt', 'quantize']) {
    it(`opens a character that was compressed after the bake: ${way}`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'supple-viewer-codecs-'));
      try {
        const samples = await bakedSamples();
        const small = join(folder, 'small.glb');
        await compress(join(samples, 'man.glb'), small, way);
        const { page, problems } = await openViewer(browser, empty.url);
        const said = [];
        page.on('console', (message) => said.push(message.text()));
        await page.getByText('Drop a character here').waitFor();
        await drop(page, [
          { name: 'small.glb', bytes: await readFile(small) },
          { name: 'small.supple', bytes: await readFile(join(samples, 'man.supple')) },
        ]);
        await until(page, () => window.suppleViewer.hasFlesh);
        assert.ok(said.some((text) => /vertices were matched/.test(text)), said.join());
        assert.deepEqual(problems, []);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
  }

  it('keeps flesh that comes first until its character comes', async () => {
    const { page, problems } = await openViewer(browser, empty.url);
    await drop(page, ['tissue.supple']);
    await page.getByText('tissue.supple waits for its character').waitFor();
    await drop(page, ['tissue.glb']);
    await until(page, () => window.suppleViewer.hasFlesh);
    assert.deepEqual(problems, []);
  });

  it('starts afresh with every drop, whatever was dropped before', async () => {
    const folder = await bakedSamples();
    const file = async (name, from) => ({ name, bytes: await readFile(join(folder, from)) });
    const bad = (name) => ({ name, bytes: Buffer.from('what is this') });
    // A drop, the character and the flesh that it brings (null: it keeps what is open), and the
    // error that it must show.
    const drops = [
      { files: [await file('man.glb', 'man.glb'), await file('man.supple', 'man.supple')],
        character: 'man', flesh: 'man.supple' },
      { files: [await file('man_v2.supple', 'man.supple')], for: 'man', flesh: 'man_v2.supple' },
      { files: [await file('a man.supple', 'man.supple')], for: 'man', flesh: 'a man.supple' },
      { files: [bad('bad.supple')], flesh: '', error: /bad\.supple was rejected/ },
      { files: [bad('bad.glb')], error: /bad\.glb is not a glTF file/ },
      { files: [bad('bad.glb'), await file('tissue.supple', 'tissue.supple')],
        error: /bad\.glb is not a glTF file/ },
      { files: [bad('note.txt')], error: /note\.txt cannot be opened/ },
      { files: [await file('tissue.glb', 'tissue.glb')], character: 'tissue', flesh: '' },
      { files: [await file('tissue.supple', 'tissue.supple')], for: 'tissue',
        flesh: 'tissue.supple' },
      { files: [await file('b.supple', 'man.supple'), await file('tissue.glb', 'tissue.glb'),
        await file('tissue.supple', 'tissue.supple')], character: 'tissue',
      flesh: 'tissue.supple' },
    ];
    const { page, problems } = await openViewer(browser, listed.url, { hash: '#item=man' });
    let state = { character: 'man', flesh: 'man.supple' };
    let seed = 15; // the same order in every run
    const random = (below) => {
      seed = (seed * 48271) % 2147483647;
      return seed % below;
    };
    for (let step = 0; step < 20; ++step) {
      const one = drops[random(drops.length)];
      const wrong = one.for && one.for !== state.character; // flesh of the other mesh
      const error = one.error ?? (wrong ? /was rejected.*another mesh/ : null);
      if (one.character) state = { character: one.character, flesh: one.flesh };
      else if (one.flesh !== undefined) state = { ...state, flesh: wrong ? '' : one.flesh };
      const name = one.files.map((given) => given.name).join(' and ');
      const seen = await page.evaluate(() => {
        window.before = window.suppleViewer.opened;
        return window.suppleViewer.errors.length;
      });
      await drop(page, one.files);
      if (error) {
        await until(page, (count) => window.suppleViewer.errors.length > count, seen);
        assert.match((await noticeText(page)).replaceAll('\n', ' '), error, `${step}: ${name}`);
        assert.equal(await page.locator('.notice.error').count(), 1, `${step}: ${name}`);
      } else {
        await until(page, () => window.suppleViewer.opened > window.before);
        assert.equal(await page.locator('.notice.error').count(), 0, `${step}: ${name}`);
      }
      const now = await page.evaluate(() => ({
        character: window.suppleViewer.itemId,
        flesh: window.suppleViewer.hasFlesh ? window.suppleViewer.fleshName : '',
      }));
      assert.deepEqual(now, state, `${step}: ${name}`);
    }
    // A character of the list, opened after others were dropped.
    const before = await page.evaluate(() => {
      window.location.hash = '#item=man';
      return window.suppleViewer.opened;
    });
    await until(page, (count) => window.suppleViewer.opened > count, before);
    await drop(page, [await file('man_v2.supple', 'man.supple')]);
    await until(page, () => window.suppleViewer.fleshName === 'man_v2.supple');
    assert.equal(await page.evaluate(() => window.suppleViewer.itemId), 'man');
    assert.deepEqual(problems, []);
  });

  it('plays a baked .glb alone, by its morph targets', async () => {
    const { page, problems } = await openViewer(browser, empty.url, { clock: 'screen' });
    await drop(page, ['man.glb']);
    await until(page, () => window.suppleViewer.itemId === 'man');
    const time = await page.evaluate(() => window.suppleViewer.clipTime);
    await until(page, (begun) => window.suppleViewer.clipTime !== begun, time);
    assert.deepEqual(problems, []);
  });

  it('takes a .gltf with the file it names, and asks for it otherwise', async () => {
    const { page, problems } = await openViewer(browser, empty.url);
    const gltf = { name: 'part.gltf', bytes: Buffer.from(kTriangle) };
    await drop(page, [gltf]);
    assert.match(await noticeText(page), /part\.gltf needs corners\.bin: drop both together/);
    await drop(page, [gltf, { name: 'corners.bin', bytes: kCorners }]);
    await until(page, () => window.suppleViewer.itemId === 'part');
    assert.equal(await page.locator('.notice.error').count(), 0);
    assert.deepEqual(problems, []);
  });

  it('says what and why for every file it cannot open', async () => {
    const folder = await bakedSamples();
    const supple = await readFile(join(folder, 'man.supple'));
    const glb = await readFile(join(folder, 'man.glb'));
    const damaged = Buffer.from(supple);
    damaged[damaged.length - 100] ^= 0xff;
    const cases = [
      [[{ name: 'note.txt', bytes: Buffer.from('hello') }], /note\.txt cannot be opened.*\.glb/],
      [[{ name: 'a.glb', bytes: Buffer.from('not a character') }], /a\.glb is not a glTF file/],
      [[{ name: 'a.gltf', bytes: Buffer.from('{"a": 1}') }], /asset\.version is missing/],
      [[{ name: 'a.gltf', bytes: Buffer.from('{"asset": {"version": "1.0"}}') }], /reads glTF 2/],
      [[{ name: 'a.gltf', bytes: Buffer.from('garbage') }], /contains no JSON/],
      [[{ name: 'a.glb', bytes: glb.subarray(0, 5000) }], /a\.glb is truncated/],
      [[{ name: 'a.glb', bytes: Buffer.alloc(0) }], /a\.glb is empty/],
      [['man.glb', { name: 'bad.supple', bytes: damaged }], /bad\.supple was rejected.*damaged/],
      [['man.glb', { name: 'bad.supple', bytes: supple.subarray(0, 3000) }],
        /bad\.supple was rejected.*end of the file/],
      [['man.glb', { name: 'bad.supple', bytes: Buffer.from('what is this') }],
        /bad\.supple was rejected.*\.supple/],
      [['man.glb', 'tissue.supple'], /tissue\.supple was rejected.*another mesh/],
    ];
    const { page, problems } = await openViewer(browser, empty.url);
    let count = 0;
    for (const [files, expected] of cases) {
      await drop(page, files);
      await until(page, (seen) => window.suppleViewer.errors.length > seen, count++);
      assert.match((await noticeText(page)).replaceAll('\n', ' '), expected);
    }
    assert.equal(await page.evaluate(() => window.suppleViewer.hasFlesh), false);
    assert.deepEqual(problems, []);
  });

  it('shows a gallery, opens its cards, and goes back', async () => {
    const { page, problems } = await openViewer(browser, listed.url);
    assert.equal(await page.locator('.cards li').count(), 2);
    await page.locator('[data-item=man]').click();
    await until(page, () => window.suppleViewer.itemId === 'man' && window.suppleViewer.hasFlesh);
    assert.equal(new URL(page.url()).hash, '#item=man');
    await page.keyboard.press('g');
    await page.locator('[data-item=tissue]').click();
    await until(page, () => window.suppleViewer.itemId === 'tissue');
    assert.deepEqual(problems, []);
  });

  it('follows a deep link, and says when there is nothing there', async () => {
    const { page, problems } = await openViewer(browser, listed.url, { hash: '#item=tissue' });
    assert.equal(await page.evaluate(() => window.suppleViewer.itemId), 'tissue');
    await page.evaluate(() => { window.location.hash = '#item=nobody'; });
    assert.match(await noticeText(page), /Unknown character “nobody”/);
    assert.deepEqual(problems, []);
  });

  it('says which file of the list is missing, or that the list is damaged', async () => {
    const missing = await serveViewer({
      items: [{ id: 'a', title: 'A', character: 'nowhere.glb' }],
    });
    const first = await openViewer(browser, missing.url);
    assert.match(await noticeText(first.page), /nowhere\.glb: the server returned 404/);
    await missing.close();
    const broken = await serveViewer(null, {
      '/manifest.json': (_request, response) => response.end('{"version": 2}'),
    });
    const second = await openViewer(browser, broken.url);
    assert.match(await noticeText(second.page), /version 2; this viewer reads 1/);
    await broken.close();
  });

  it('reloads what changed on disk and keeps what was set', async () => {
    let listening;
    const told = new Promise((ready) => { listening = ready; });
    const live = await serveViewer({
      items: kItems.slice(0, 1),
      live: { token: 't', events: 'api/events', save: 'api/settings', edit: 'api/edit' },
    }, {
      '/api/edit': (_request, response) => response.end('{"settings": "", "values": {}}'),
      '/api/events': (_request, response) => {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.write(': hello\n\n');
        listening((text) => response.write(text));
      },
    });
    const { page, problems } = await openViewer(browser, live.url);
    await page.evaluate(() => window.suppleViewer.setSettings('abdomen', { stiffness: 3 }));
    const tell = await told;
    tell('event: changed\ndata: {"id": "man"}\n\n');
    await page.getByText('Reloaded: the file changed').waitFor();
    const stiffness = await page.evaluate(() => window.suppleViewer.settings('abdomen').stiffness);
    assert.equal(stiffness, 3);
    tell('event: bye\ndata: {}\n\n');
    await page.getByText('The server has stopped').waitFor();
    assert.deepEqual(problems, []);
    await live.close();
  });

  it('goes on after a lost graphics context', async () => {
    const { page, problems } = await openViewer(browser, listed.url, {
      hash: '#item=man&paused', reducedMotion: 'reduce',
    });
    await settled(page);
    const stage = page.locator('#stage');
    await page.keyboard.press('h');
    const whole = await shot(page, stage);
    await page.evaluate(() => {
      const gl = document.querySelector('#stage').getContext('webgl2');
      window.lose = gl.getExtension('WEBGL_lose_context');
      window.lose.loseContext();
    });
    await page.getByText('The browser took the graphics context away').waitFor();
    await page.evaluate(() => window.lose.restoreContext());
    await page.getByText('The graphics context is back').waitFor();
    await advance(page, 5); // the message lies over the picture
    assert.equal(await page.locator('.notice').count(), 0);
    await settled(page);
    const { mean } = await pictureDifference(page, whole, await shot(page, stage));
    assert.ok(mean < 1, `the picture after is another: ${mean}`);
    assert.deepEqual(problems.filter((text) => !/Context (Lost|Restored)/i.test(text)), []);
  });

  it('explains itself where there is no WebGL 2', async () => {
    const { page, problems } = await openViewer(browser, listed.url, {
      ready: false,
      script: () => {
        const original = HTMLCanvasElement.prototype.getContext;
        HTMLCanvasElement.prototype.getContext = function context(kind, ...rest) {
          return kind === 'webgl2' ? null : original.call(this, kind, ...rest);
        };
      },
    });
    await page.getByRole('heading', { name: 'No WebGL 2' }).waitFor();
    assert.match(await page.locator('.fallback').textContent(), /hardware acceleration/);
    assert.deepEqual(problems, []);
  });
});
