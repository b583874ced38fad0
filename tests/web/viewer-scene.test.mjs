// SPDX-License-Identifier: Apache-2.0
// Scenes in the viewer: the palette by buttons, keys and touch, strength by holding, the portrait,
// the timeline, the log of the worst blends.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';

import { loadSupple } from '../../web/packages/supple/dist/index.js';
import { browserMissing, openBrowser } from './browser.mjs';
import { makeGlb } from './pages/make_glb.js';
import { writeAssets } from './programs.mjs';
import { bakedBlocks, bakedFlag } from './support/flag.mjs';
import { serve } from './support/static_server.mjs';
import {
  advance, closePages, downloaded, drawn, drop, openViewer, passes, pictureDifference, shot, until,
  viewerFolder,
} from './support/viewer.mjs';

if (browserMissing) console.log(browserMissing);

const scene = (page) => page.evaluate(() => window.suppleViewer.scene());
const entry = (page, name) => page.locator('.entry', { hasText: name });
const forbidden = async (page) => {
  await drawn(page);
  return page.locator('.entry[aria-disabled=true] .name').allTextContents();
};
const rests = (page) => passes(page, () => window.suppleViewer.scene().atRest);

describe('scenes', { skip: browserMissing !== '' }, () => {
  let browser;
  let folder;
  let server;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'supple-scene-'));
    writeAssets(folder);
    const asset = (await loadSupple()).openAsset(readFileSync(join(folder, 'scene.supple')));
    writeFileSync(join(folder, 'scene.glb'), Buffer.from(makeGlb(asset, { skinned: false })));
    asset.close();
    const item = { id: 'scene', title: 'Swings', character: 'scene.glb', flesh: 'scene.supple' };
    writeFileSync(join(folder, 'manifest.json'),
      JSON.stringify({ version: 1, title: 'Scenes', gallery: false, items: [item] }));
    server = await serve([viewerFolder(), folder, await bakedFlag(), await bakedBlocks()]);
    browser = await openBrowser();
  });
  afterEach(() => closePages(browser));
  after(async () => {
    await browser?.close();
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const open = (options = {}) => openViewer(browser, server.url, {
    viewport: { width: 1000, height: 640 }, ...options,
  });

  it('keys let entries act, and buttons follow the rules of the palette', async () => {
    const { page, problems } = await open();
    assert.equal(await page.locator('.transport').isVisible(), false);
    assert.deepEqual(await page.locator('[role=tab]:visible').allTextContents(),
      ['Scene', 'File']);
    assert.deepEqual(await forbidden(page), ['wind']);
    const begin = await scene(page);
    assert.deepEqual([begin.allowed, begin.atRest], [['push', 'lift'], true]);

    await page.keyboard.press('w');
    await advance(page, 0.1);
    const lifted = await scene(page);
    assert.deepEqual([lifted.entry, lifted.atRest], ['lift', false]);
    assert.deepEqual(await forbidden(page), []);
    const shown = (await scene(page)).point;
    const way = Math.hypot(shown.x - begin.point.x, shown.y - begin.point.y);
    assert.ok(way > 5, `the point of the portrait moved by ${way} pixels`);

    await page.keyboard.press('3'); // of the entry without a key
    await advance(page, 0.1);
    assert.equal((await scene(page)).entry, 'wind');
    assert.deepEqual(await forbidden(page), ['wind']);
    await page.keyboard.press('3');
    assert.match(await page.locator('.hint').textContent(), /“wind” cannot act now/);
    assert.equal((await scene(page)).acts.length, 2);
    assert.match(await page.locator('.timeline canvas').getAttribute('aria-label'), /lift, wind$/);
    await rests(page);
    assert.ok((await scene(page)).off < 0.05);
    assert.deepEqual(problems, []);
  });

  it('holding a button or a key sets the strength', async () => {
    const { page, problems } = await open();
    const box = await entry(page, 'push').boundingBox();
    await page.mouse.move(box.x + 20, box.y + 20);
    await page.mouse.down();
    await advance(page, 0.4);
    await drawn(page);
    assert.equal(await entry(page, 'push').evaluate((b) => b.style.getPropertyValue('--held')),
      '50%');
    assert.deepEqual((await scene(page)).acts, [], 'it acts when it is let go');
    await page.mouse.up();
    const [half] = (await scene(page)).acts;
    assert.ok(Math.abs(half.strength - 0.75) < 1e-9, `${half.strength}`);
    assert.equal(await page.evaluate(() => document.activeElement.id), 'stage');

    await page.keyboard.press('w');
    await page.keyboard.down('a');
    await advance(page, 2);
    await page.keyboard.up('a');
    await page.keyboard.press('w');
    await page.keyboard.press('a');
    assert.deepEqual((await scene(page)).acts.slice(1).map((act) => [act.entry, act.strength]),
      [['lift', 1], ['push', 1], ['lift', 1], ['push', 0.5]]);
    assert.deepEqual(problems, []);
  });

  it('buttons keep the focus of the keyboard, and Shift leaves keys to the page', async () => {
    const { page, problems } = await open();
    await entry(page, 'lift').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press(' ');
    assert.deepEqual((await scene(page)).acts.map((act) => act.entry), ['lift', 'lift']);
    await entry(page, 'wind').focus();
    await page.keyboard.press('Enter');
    assert.deepEqual(await forbidden(page), ['wind']);
    assert.equal(await page.evaluate(() => document.activeElement.textContent.trim()), 'wind3');
    await page.keyboard.press('Enter');
    assert.equal((await scene(page)).acts.length, 3);
    // What assistive programs do: a click without a pointer.
    await entry(page, 'push').evaluate((button) => button.click());
    assert.equal((await scene(page)).acts.length, 4);
    await page.keyboard.press('?');
    await page.keyboard.press('a'); // the dialog has the keys
    assert.equal((await scene(page)).acts.length, 4);
    assert.deepEqual(problems, []);
  });

  it('keeps a log of the worst blends, and starts again', async () => {
    const { page, problems } = await open();
    assert.ok(await page.getByRole('button', { name: 'Save log' }).isDisabled());
    for (const key of ['w', '3', 'w', 'a', 'w', 'w', '3', 'a']) {
      await page.keyboard.press(key);
      await advance(page, 0.15);
    }
    await drawn(page);
    const { name, bytes } = await downloaded(page,
      () => page.getByRole('button', { name: 'Save log' }).click());
    assert.equal(name, 'scene_log.json');
    const log = JSON.parse(bytes.toString());
    assert.deepEqual([log.supple, log.scene], ['scene log', 'scene']);
    assert.equal(log.blends.length, 7, 'all but the one that began at rest');
    log.blends.forEach((blend, i) => {
      assert.deepEqual(Object.keys(blend),
        ['entry', 'strength', 'off', 'response', 'frame', 'next']);
      assert.ok(blend.off > 0 && (i === 0 || blend.off <= log.blends[i - 1].off));
      assert.ok(blend.response < 8 && blend.next < 8 && Number.isInteger(blend.frame));
    });
    await page.getByRole('button', { name: 'Start again' }).click();
    const now = await scene(page);
    assert.deepEqual([now.acts, now.atRest, now.response], [[], true, null]);
    assert.equal(now.worst.length, 7, 'the log is of the session');
    assert.deepEqual(problems, []);
  });

  it('opens what “supple scene” writes by a drop', async () => {
    const { page, problems } = await open();
    await drop(page, ['flag.glb', 'flag.supple']);
    await until(page, () => window.suppleViewer.scene()?.name === 'flag');
    await drawn(page);
    assert.deepEqual(await page.locator('.entry .name').allTextContents(), ['push', 'pull']);
    assert.equal(await page.locator('.transport').isVisible(), false);
    const still = await shot(page, page.locator('#stage'));
    await page.keyboard.press('i');
    await passes(page, () => window.suppleViewer.scene().frame > 6);
    const swung = await shot(page, page.locator('#stage'));
    assert.ok((await pictureDifference(page, still, swung)).largest > 20, 'the flag swings');
    // In view, clear of the palette.
    const box = await page.evaluate(() => window.suppleViewer.covered());
    const dock = await page.locator('.dock').boundingBox();
    assert.ok(box.left > 0 && box.top > 0 && box.bottom < dock.y, JSON.stringify(box));
    await page.keyboard.press('o'); // opens no files here
    assert.equal((await scene(page)).acts.at(-1).entry, 'push');
    await passes(page, () => !window.suppleViewer.moving); // the page draws no more
    assert.deepEqual(problems, []);
  });

  it('plays a scene of several parts', async () => {
    const { page, problems } = await open();
    await drop(page, ['blocks.glb', 'blocks.supple']);
    await until(page, () => window.suppleViewer.scene()?.name === 'one');
    await drawn(page);
    const [{ modes }, ...rest] = (await scene(page)).parts;
    assert.deepEqual(rest.map(({ name }) => name), ['other']);
    assert.deepEqual(await page.locator('.entry .name').allTextContents(), ['left', 'up']);
    const states = async () => {
      const now = await page.evaluate(() => window.suppleViewer.coefficients());
      return [now.slice(0, modes), now.slice(modes)].map((part) => Math.hypot(...part));
    };
    await page.keyboard.press('w');
    await advance(page, 0.2);
    const up = await states();
    assert.equal(up[0], 0, 'what acts on one part leaves the other at rest');
    assert.ok(up[1] > 0);
    assert.equal((await scene(page)).response, null, 'the portrait is that of the first part');
    await page.keyboard.press('a');
    await advance(page, 0.1);
    const left = await states();
    assert.ok(left[0] > 0 && left[1] > 0);
    assert.equal((await scene(page)).entry, 'left');
    assert.equal((await scene(page)).acts.length, 2);
    const before = (await scene(page)).point;
    await page.locator('.scene-panel').getByLabel('Portrait', { exact: true }).selectOption('other');
    await drawn(page);
    assert.notDeepEqual((await scene(page)).point, before);
    await rests(page);
    assert.deepEqual(problems, []);
  });

  it('serves fingers on a phone', async () => {
    const { page, problems } = await open({
      viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true,
    });
    await drawn(page);
    const dock = await page.locator('.dock').boundingBox();
    const sheet = await page.locator('.panel').boundingBox();
    assert.ok(dock.y + dock.height <= sheet.y, 'the palette lies above the sheet');
    for (const button of await page.locator('.entry').all()) {
      const { width, height } = await button.boundingBox();
      assert.ok(width >= 44 && height >= 44, `${width} x ${height}`);
    }
    await entry(page, 'lift').tap();
    await advance(page, 0.1);
    assert.deepEqual((await scene(page)).acts.map((act) => act.entry), ['lift']);
    await page.getByRole('tab', { name: 'Scene' }).tap();
    await drawn(page);
    assert.ok(await page.locator('.portrait canvas').isVisible());
    const raised = await page.locator('.dock').boundingBox();
    const opened = await page.locator('.panel').boundingBox();
    assert.ok(raised.y + raised.height <= opened.y, 'also above the open sheet');
    for (const name of ['Start again', 'Save log']) {
      assert.ok((await page.getByRole('button', { name }).boundingBox()).height >= 44);
    }
    assert.deepEqual(problems, []);
  });
});
