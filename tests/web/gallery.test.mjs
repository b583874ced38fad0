// SPDX-License-Identifier: Apache-2.0
// The gallery of `supple demo`, live and as a static export on a plain server: every card opens and
// does what it is there for.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';

import { browserMissing, openBrowser } from './browser.mjs';
import { program } from './programs.mjs';
import { serve } from './support/static_server.mjs';
import { startSupple } from './support/supple_view.mjs';
import { closePages, openViewer, settled, until, viewerFolder } from './support/viewer.mjs';

if (browserMissing) console.log(browserMissing);

/** Does something to resting flesh: it must move and come to rest. */
async function reacts(page, action) {
  await settled(page);
  const watch = await page.evaluateHandle(() => {
    const viewer = window.suppleViewer;
    const modes = viewer.modes();
    const rest = viewer.coefficients();
    const seen = { far: 0, now: 0 }; // metres, by the modes' own measure
    const item = viewer.itemId;
    const look = () => {
      if (viewer.itemId !== item) return; // the next card has other modes
      seen.now = Math.hypot(...viewer.coefficients().map((value, i) =>
        (value - rest[i]) * modes[i].largestDisplacement));
      seen.far = Math.max(seen.far, seen.now);
      requestAnimationFrame(look);
    };
    look();
    return seen;
  });
  await action();
  await page.waitForFunction((seen) => seen.far > 2e-4, watch, { timeout: 40_000 });
  await settled(page);
  const { far, now } = await watch.jsonValue();
  assert.ok(now < 0.2 * far, `the flesh moved by ${far} m and rests at ${now} m`);
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
  /** Takes hold of the shell wherever the pointer finds it: what is held follows the hand. */
  async drag(page) {
    await page.getByLabel('Clip', { exact: true }).selectOption('Rest pose');
    const { width, height } = page.viewportSize();
    const held = () => page.evaluate(() => window.suppleViewer.handles().map((one) => one.vertex));
    await page.waitForTimeout(1500); // for the clip to end and a large shell to be drawn
    const rows = [0.45, 0.53, 0.37, 0.61, 0.29, 0.69, 0.21]; // from the middle outwards
    for (let i = 0; i < 11 * rows.length; ++i) {
      const x = width * (0.25 + 0.05 * (i % 11));
      const y = height * rows[Math.floor(i / 11)];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x, y - 6, { steps: 2 });
      const [vertex] = await held();
      if (vertex !== undefined) {
        await page.mouse.move(x, y - 12, { steps: 4 });
        await until(page, ([v, px, py]) => {
          const [vx, vy] = window.suppleViewer.vertex(v).page;
          return Math.hypot(vx - px, vy - py) < 8;
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
      await until(page, () => window.suppleViewer.clipTime > 0.1);
      assert.match(await page.locator('.hint').textContent(), /supple view --swim/);
      return;
    }
    await until(page, () => (window.suppleViewer.swim()?.frames ?? 0) > 3);
    await page.keyboard.down('ArrowLeft');
    await until(page, () => window.suppleViewer.swim().held[1] === 1);
    await page.keyboard.up('ArrowLeft');
    await until(page, () => window.suppleViewer.swim().held[1] === 0);
  },
  async clips(page) {
    const clips = page.getByLabel('Clip', { exact: true });
    const names = (await clips.locator('option').allTextContents())
      .filter((name) => name !== 'Rest pose');
    assert.ok(names.length > 0);
    for (const name of names.slice(0, 3)) {
      await clips.selectOption(name);
      const time = await page.evaluate(() => window.suppleViewer.clipTime);
      await until(page, (before) => window.suppleViewer.clipTime !== before, time);
    }
  },
};

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
  });
  afterEach(() => closePages(browser));
  after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const options = () => ['-o', folder, '--elements', '1200', '--viewer', viewerFolder()];

  it('is baked and shown live', async (test) => {
    const demo = await startSupple(['demo', ...options()]);
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

  it('is there at once the second time', async () => {
    const start = performance.now();
    const demo = await startSupple(['demo', ...options()]);
    const seconds = (performance.now() - start) / 1000;
    await demo.stop();
    assert.ok(seconds < 5, `${seconds} s`);
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
    execFileSync(program('supple'), ['demo', ...options(), '--no-browser', '--no-pictures', '-q']);
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
