// SPDX-License-Identifier: Apache-2.0
// The viewer on phones, its keys beside its pointer, and what it keeps over many characters.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';

import { browserMissing, openBrowser } from './browser.mjs';
import { writeAssets } from './programs.mjs';
import { makeComparison, makeStripGlb } from './support/strip.mjs';
import {
  advance, bakedSamples, closePages, drawn, drop, kItems, openViewer, serveViewer, until,
} from './support/viewer.mjs';

if (browserMissing) console.log(browserMissing);

const kFinger = 44; // CSS pixels

/** A .glb with some of its clips. */
function withClips(glb, keep) {
  const length = glb.readUInt32LE(12);
  const json = JSON.parse(glb.subarray(20, 20 + length).toString());
  json.animations = json.animations.filter(({ name }) => keep(name));
  const text = Buffer.from(JSON.stringify(json));
  const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, ' ')]);
  const rest = glb.subarray(20 + length);
  const head = Buffer.from(glb.subarray(0, 20));
  head.writeUInt32LE(20 + padded.length + rest.length, 8);
  head.writeUInt32LE(padded.length, 12);
  return Buffer.concat([head, padded, rest]);
}

/** Controls that are too small, outside the page, or under something else. Sheets scroll: what is
 * below their edge is not looked at. */
function unreachable(finger) {
  const wrong = [];
  const controls = 'button, select, summary, input[type=range], .open';
  for (const node of document.querySelectorAll(controls)) {
    const { left, top, width, height } = node.getBoundingClientRect();
    if (width === 0 || getComputedStyle(node).visibility === 'hidden') continue;
    const name = node.getAttribute('aria-label') ?? node.textContent;
    if (width < finger - 0.5 || height < finger - 0.5) wrong.push(`${name}: ${width} x ${height}`);
    const [x, y] = [left + width / 2, top + height / 2];
    const sheet = node.closest('.panel-body')?.getBoundingClientRect();
    if (sheet && (y < sheet.top || y > sheet.bottom)) continue;
    if (node.closest('.gallery') && y > innerHeight) continue;
    const hit = document.elementFromPoint(x, y);
    if (!hit || !(node.contains(hit) || hit.contains(node))) {
      wrong.push(`${name} at ${x}, ${y} is under ${hit?.className ?? 'nothing'}`);
    }
  }
  for (const node of document.querySelectorAll('output, .title')) {
    if (node.scrollWidth > node.clientWidth + 1) wrong.push(`${node.textContent} is cut off`);
  }
  return wrong;
}

/** Counts what a page creates and deletes in WebGL. */
function countObjects() {
  window.live = {};
  const { prototype } = WebGL2RenderingContext;
  for (const kind of ['Texture', 'Buffer', 'VertexArray', 'Framebuffer', 'Renderbuffer']) {
    const objects = new Set();
    const create = prototype[`create${kind}`];
    const remove = prototype[`delete${kind}`];
    prototype[`create${kind}`] = function created() {
      const object = create.call(this);
      objects.add(object);
      return object;
    };
    prototype[`delete${kind}`] = function deleted(object) {
      objects.delete(object);
      remove.call(this, object);
    };
    Object.defineProperty(window.live, kind, { get: () => objects.size, enumerable: true });
  }
}

describe('phones, keys, and many characters', { skip: browserMissing !== '' }, () => {
  let browser;
  let server;
  let folder;
  let strip;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'supple-phone-'));
    writeAssets(folder);
    strip = [
      { name: 'strip.glb', bytes: makeStripGlb() },
      { name: 'strip.supple', bytes: readFileSync(join(folder, 'strip.supple')) },
      { name: 'strip.comparison.json', bytes: JSON.stringify(makeComparison()) },
    ];
    browser = await openBrowser();
    server = await serveViewer({ gallery: true, items: kItems });
  });
  afterEach(() => closePages(browser));
  after(async () => {
    await browser?.close();
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Waits until the page shows what `open` opens. */
  async function opens(page, open) {
    const before_ = await page.evaluate(() => window.suppleViewer.opened);
    await open();
    await until(page, (count) => window.suppleViewer.opened > count, before_);
    await drawn(page);
  }
  const openCard = (page, id) => opens(page, () =>
    page.evaluate((item) => { window.location.hash = `#item=${item}`; }, id));
  const openStrip = (page) => opens(page, () => drop(page, strip));

  const phones = {
    'a phone': { width: 390, height: 844 },
    'a small phone': { width: 320, height: 568 },
    'a phone on its side': { width: 844, height: 390 },
  };
  for (const [name, viewport] of Object.entries(phones)) {
    it(`every control of ${name} can be reached with a finger`, async () => {
      const { page, problems } = await openViewer(browser, server.url, {
        viewport, hasTouch: true, isMobile: true,
      });
      const check = async (where) =>
        assert.deepEqual(await page.evaluate(unreachable, kFinger), [], where);
      await check('gallery');
      await openCard(page, 'man');
      await check('the man');
      for (const tab of ['Flesh', 'Modes', 'Forces', 'File']) {
        await page.getByRole('tab', { name: tab }).tap();
        if (tab === 'Flesh') {
          await page.evaluate(() => window.suppleViewer.setSettings('all', { stiffness: 3 }));
        }
        await check(`the man, ${tab}`);
      }
      await openStrip(page);
      await check('a shell');
      await page.getByRole('button', { name: 'Gallery' }).tap();
      await until(page, () => document.body.classList.contains('in-gallery'));
      assert.deepEqual(problems, []);
    });
  }

  it('space and arrows belong to the character after a slider was dragged', async () => {
    const { page, problems } = await openViewer(browser, server.url, {
      hash: '#item=man&paused', viewport: { width: 1100, height: 600 },
    });
    const stiffness = () => page.evaluate(() => window.suppleViewer.settings('all').stiffness);
    const jolted = async (key) => {
      await page.keyboard.press(key);
      await advance(page, 0.1);
      const offset = await page.evaluate(() => Math.hypot(...window.suppleViewer.rootOffset()));
      await advance(page, 4);
      return offset > 1e-3;
    };
    const slider = page.getByRole('slider', { name: 'Stiffness' });
    const { x, y, width, height } = await slider.boundingBox();
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + 0.8 * width, y + height / 2);
    await page.mouse.up();
    const dragged = await stiffness();
    assert.ok(dragged > 2);
    for (const key of [' ', 'ArrowRight', 'ArrowUp']) assert.ok(await jolted(key), `“${key}”`);
    assert.equal(await stiffness(), dragged);
    await page.getByRole('button', { name: 'Colour by displacement' }).click();
    assert.ok(await jolted(' '), 'space after a click');
    assert.equal(await page.getByRole('button', { name: 'Colour by displacement' })
      .getAttribute('aria-pressed'), 'true');
    // By keyboard arrows stay with the slider, and space still jolts.
    await page.keyboard.press('Tab');
    await slider.focus();
    assert.ok(!await jolted('ArrowLeft'));
    assert.ok(await stiffness() < dragged);
    assert.ok(await jolted(' '));
    assert.deepEqual(problems, []);
  });

  it('a clip that a new version of the file adds is played', async () => {
    const whole = readFileSync(join(await bakedSamples(), 'man.glb'));
    let served = withClips(whole, (name) => name === 'walk');
    let listening;
    const told = new Promise((ready) => { listening = ready; });
    const live = await serveViewer({
      items: kItems.slice(0, 1),
      live: { token: 't', events: 'api/events', save: 'api/settings', edit: 'api/edit' },
    }, {
      '/man.glb': (_request, response) => response.end(served),
      '/api/edit': (_request, response) => response.end('{"settings": "", "values": {}}'),
      '/api/events': (_request, response) => {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.write(': hello\n\n');
        listening((text) => response.write(text));
      },
    });
    const { page, problems } = await openViewer(browser, live.url, { hash: '#paused' });
    const clip = page.getByRole('combobox', { name: 'Clip' });
    assert.equal(await clip.inputValue(), 'walk');
    served = withClips(whole, (name) => ['walk', 'jump'].includes(name));
    await opens(page, async () => (await told)('event: changed\ndata: {"id": "man"}\n\n'));
    await page.getByText('Reloaded: the file changed').waitFor();
    assert.equal(await clip.inputValue(), 'jump');
    const time = () => page.evaluate(() => window.suppleViewer.clipTime);
    await advance(page, 0.2);
    assert.ok(await time() > 0.1, 'it does not play');
    // Dropped: the same, and another character begins with its own clip.
    const bytes = withClips(whole, (name) => name !== 'dance');
    await opens(page, () => drop(page, [{ name: 'man.glb', bytes }]));
    assert.notEqual(await clip.inputValue(), 'jump');
    await opens(page, () => drop(page, [{ name: 'man.glb', bytes: whole }]));
    await until(page, () => document.querySelector('[aria-label=Clip]').value === 'dance');
    await opens(page, () => drop(page, [{ name: 'other.glb', bytes: whole }]));
    assert.equal(await clip.inputValue(), 'walk');
    assert.deepEqual(problems, []);
    await live.close();
  });

  it('keeps nothing of characters that were closed', async () => {
    const { page, problems } = await openViewer(browser, server.url, {
      script: countObjects, hash: '#compare',
    });
    const round = async () => {
      await openCard(page, 'man');
      await openCard(page, 'tissue');
      await openStrip(page);
      await advance(page, 0.1);
      await drawn(page);
    };
    const held = () => page.evaluate(() => ({ ...window.live, ...window.suppleViewer.memory() }));
    // Memory grows in steps, and pieces of it stay free between others.
    for (let i = 0; i < 2; ++i) await round();
    const first = await held();
    for (let i = 0; i < 4; ++i) await round();
    assert.deepEqual(await held(), first);
    assert.ok(first.Buffer > 5 && first.Texture > 5 && first.playerBytes > 1e6);
    assert.deepEqual(problems, []);
  });
});
