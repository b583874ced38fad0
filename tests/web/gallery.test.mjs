// SPDX-License-Identifier: Apache-2.0
// The gallery of `supple demo`, live and as a static export on a plain server: every card opens and
// shows its feature.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { browserMissing, openBrowser } from './browser.mjs';
import { program } from './programs.mjs';
import { cachedFolder } from './support/cache.mjs';
import { serve } from './support/static_server.mjs';
import { startSupple } from './support/supple_view.mjs';
import {
  advance, closePages, drawn, openViewer, passes, settled, until, viewerFolder,
} from './support/viewer.mjs';

if (browserMissing) console.log(browserMissing);

/** Does something to resting flesh: it must move and come to rest. */
async function reacts(page, action) {
  await settled(page);
  await action();
  const { far, now } = await settled(page);
  assert.ok(far > 2e-4, `the flesh moved by ${far} m`);
  assert.ok(now < 0.2 * far, `the flesh moved by ${far} m and rests at ${now} m`);
}

/** Where vertices of a shell are seen: some of all, in no order, because edges may be missed. */
function shellPlaces(page) {
  return page.evaluate(() => {
    const viewer = window.suppleViewer;
    const places = [];
    for (let i = 0; i < 200; ++i) {
      try {
        const [x, y] = viewer.vertex((7919 * i) % viewer.vertexCount).page;
        if (document.elementFromPoint(x, y)?.id === 'stage') places.push([x, y]);
      } catch {
        // No shell moves it.
      }
    }
    return places;
  });
}

const kInteractions = {
  async shake(page) {
    await page.getByLabel('Clip', { exact: true }).selectOption('Rest pose');
    await reacts(page, () => page.keyboard.press('ArrowRight'));
  },
  async poke(page) {
    const { width, height } = page.viewportSize();
    await reacts(page, () => page.mouse.click(width / 2, height / 2));
  },
  /** Takes hold of the shell wherever the pointer finds it: what is held follows the hand, or
   *  the hand tells by how much it was missed. */
  async drag(page) {
    await page.getByLabel('Clip', { exact: true }).selectOption('Rest pose');
    await settled(page);
    const held = () => page.evaluate(() => window.suppleViewer.handles().map((one) => one.vertex));
    for (const [x, y] of await shellPlaces(page)) {
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x, y - 6, { steps: 2 });
      const [vertex] = await held();
      if (vertex !== undefined) {
        await page.mouse.move(x, y - 12, { steps: 4 });
        await passes(page, ([v, px, py]) => {
          const [vx, vy] = window.suppleViewer.vertex(v).page;
          const [hand] = window.suppleViewer.handles();
          return Math.hypot(vx - px, vy - py) < 8 || hand.positionError > 0;
        }, [vertex, x, y - 12]);
        await page.mouse.up();
        assert.deepEqual(await held(), []);
        return;
      }
      await page.mouse.up();
    }
    const item = await page.evaluate(() => window.suppleViewer.itemId);
    assert.fail(`${item}: no shell under the pointer anywhere`);
  },
  /** Steered where a program runs, else a recording. */
  async swim(page) {
    const live = await page.evaluate(async () =>
      'live' in await (await fetch('manifest.json')).json());
    if (!live) {
      await advance(page, 0.2);
      assert.ok(await page.evaluate(() => window.suppleViewer.clipTime) > 0.1);
      assert.match(await page.locator('.hint').textContent(), /supple view --swim/);
      return;
    }
    await until(page, () => (window.suppleViewer.swim()?.frames ?? 0) > 3);
    await page.keyboard.down('ArrowLeft');
    await until(page, () => window.suppleViewer.swim().held[1] === 1);
    await page.keyboard.up('ArrowLeft');
    await until(page, () => window.suppleViewer.swim().held[1] === 0);
  },
  /** Entries act one after the other, as far as the rules of the palette allow. */
  async palette(page) {
    const acts = () => page.evaluate(() => window.suppleViewer.scene().acts.length);
    for (let i = 1; i <= 3; ++i) {
      await page.locator('.entry[aria-disabled=false]').first().click();
      assert.equal(await acts(), i);
      await advance(page, 0.3);
      await drawn(page);
    }
    const { far } = await settled(page);
    assert.ok(far > 1e-3, `the scene moved by ${far} m`);
    assert.ok(await page.evaluate(() => window.suppleViewer.scene().atRest));
  },
  async clips(page) {
    const clips = page.getByLabel('Clip', { exact: true });
    const names = (await clips.locator('option').allTextContents())
      .filter((name) => name !== 'Rest pose');
    assert.ok(names.length > 0);
    for (const name of names.slice(0, 3)) {
      await clips.selectOption(name);
      const time = () => page.evaluate(() => window.suppleViewer.clipTime);
      const before = await time();
      await advance(page, 0.1);
      assert.notEqual(await time(), before);
    }
  },
};

/** Asks again until the answer is yes. */
async function comesTrue(question) {
  while (!await question()) await sleep(100);
}

/** The program opens the gallery with its first card: waits for the last. */
async function allBaked(demo, folder) {
  await comesTrue(async () => {
    const { items } = await (await fetch(`${demo.url}/manifest.json`)).json();
    return items.every((item) => !item.baking) && existsSync(join(folder, 'gallery.json'));
  });
}

/** From the first page through every card and back. */
async function walkThrough(browser, url) {
  const { page, problems } = await openViewer(browser, url);
  const manifest = await (await fetch(`${url}/manifest.json`)).json();
  const cards = page.locator('[data-item]');
  assert.equal(await cards.count(), manifest.items.length);
  assert.ok(manifest.items.length >= 3);
  for (const item of manifest.items) {
    await page.locator(`[data-item="${item.id}"]`).click();
    await until(page, (id) => window.suppleViewer.itemId === id, item.id);
    assert.equal(await page.evaluate(() => window.suppleViewer.hasFlesh), 'flesh' in item);
    await kInteractions[item.action](page);
    assert.deepEqual(await page.evaluate(() => window.suppleViewer.errors), [], item.id);
    await page.goBack();
    await page.locator(`[data-item="${item.id}"]`).waitFor();
  }
  assert.deepEqual(problems, []);
  return manifest;
}

describe('gallery', { skip: browserMissing !== '' }, () => {
  let browser;
  let folder;
  before(async () => {
    browser = await openBrowser();
    folder = mkdtempSync(join(tmpdir(), 'supple-gallery-'));
    const made = await cachedFolder('gallery', async (to) => {
      const demo = await startSupple(['demo', ...options(to)]);
      await allBaked(demo, to);
      await demo.stop();
    });
    cpSync(made, folder, { recursive: true });
  });
  afterEach(() => closePages(browser));
  after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const options = (to) => ['-o', to, '--elements', '1200', '--viewer', viewerFolder()];

  it('is baked and shown live', async (test) => {
    const demo = await startSupple(['demo', ...options(folder)]);
    test.after(demo.stop);
    const { live, items } = await walkThrough(browser, demo.url);
    assert.ok(live.token.length >= 32);
    for (const item of items) {
      const links = [item.character, item.flesh, item.settings, item.picture].filter(Boolean);
      for (const link of links) assert.equal((await fetch(`${demo.url}/${link}`)).status, 200);
    }
    if (!items[0].picture) console.log('SKIPPED: pictures of cards, for want of a GPU driver');
    assert.equal(await demo.stop(), 0);
  });

  it('opens with its first card and fills while the rest bakes', async (test) => {
    const to = mkdtempSync(join(tmpdir(), 'supple-gallery-'));
    const demo = await startSupple(['demo', ...options(to), '--no-pictures', '--only', 'v-beam',
      '--only', 'tissue', '--only', 'dyrt-man']);
    test.after(async () => {
      await demo.stop();
      rmSync(to, { recursive: true, force: true });
    });
    const { items } = await (await fetch(`${demo.url}/manifest.json`)).json();
    assert.equal(items.length, 3);
    assert.ok(items.some((item) => !item.baking));
    const { page, problems } = await openViewer(browser, demo.url);
    assert.equal(await page.locator('[data-item]').count(), 3);
    await until(page, () => document.querySelectorAll('a[data-item]').length === 3);
    assert.equal(await page.locator('.waits').count(), 0);
    await page.locator('a[data-item="dyrt-man"]').click();
    await until(page, () => window.suppleViewer.itemId === 'dyrt-man');
    assert.deepEqual(problems, []);
  });

  it('is there at once the second time', async () => {
    const { items } = JSON.parse(readFileSync(join(folder, 'gallery.json'), 'utf8'));
    const files = items.flatMap(({ character, picture }) => [character, picture ?? []].flat());
    const stamps = () => files.map((name) => statSync(join(folder, name)).mtimeMs);
    const before = stamps();
    const demo = await startSupple(['demo', ...options(folder)]);
    if (items[0].picture) {
      await comesTrue(() => demo.messages().includes('everything is up to date'));
    }
    await demo.stop();
    assert.doesNotMatch(demo.messages(), /baking/);
    assert.deepEqual(stamps(), before);
  });

  it('works from any static host', async (test) => {
    const site = join(folder, 'site');
    execFileSync(program('supple'), ['view', '--gallery', folder, '--export', site,
      '--viewer', viewerFolder(), '-q']);
    const server = await serve([site]);
    test.after(server.close);
    const { live } = await walkThrough(browser, server.url);
    assert.equal(live, undefined);
  });

  it('has a page for those without scripts', async () => {
    execFileSync(program('supple'), ['demo', ...options(folder), '--no-browser', '--no-pictures',
      '-q']);
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`file://${join(folder, 'index.html')}`);
    const { items } = JSON.parse(readFileSync(join(folder, 'gallery.json'), 'utf8'));
    assert.equal(await page.locator('li').count(), items.length);
    for (const item of items) await page.getByText(item.title).waitFor();
    const links = await page.locator('a, img').evaluateAll((all) =>
      all.map((one) => one.getAttribute('href') ?? one.getAttribute('src')));
    assert.ok(links.length >= 2 * items.length);
    for (const link of links) {
      assert.ok(existsSync(join(folder, link.replace(/#.*/, ''))), link);
    }
  });
});
