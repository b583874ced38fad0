// SPDX-License-Identifier: Apache-2.0
// How the viewer looks: pictures kept, themes, phones, accessible names.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';

import { browserMissing, openBrowser } from './browser.mjs';
import {
  advance, closePages, downloaded, drop, golden, kItems, openViewer, pictureDifference, serveViewer,
  settled, shot, until,
} from './support/viewer.mjs';

if (browserMissing) console.log(browserMissing);

// The software renderer repeats itself to the bit on one machine (0 measured); others may round
// edges and shadows differently. Sides of the comparison swapped are 2.0 and 127.
const kMean = 0.25; // of 255, over the picture
const kBlurred = 12; // in any block of 8 x 8 pixels
const kSmall = { width: 270, height: 230 };

describe('look', { skip: browserMissing !== '' }, () => {
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

  const still = async (options) => {
    const opened = await openViewer(browser, server.url, { reducedMotion: 'reduce', ...options });
    await settled(opened.page);
    return opened;
  };
  const same = async (page, name) => {
    await page.keyboard.press('h'); // the character alone
    const { bytes } = await downloaded(page, () => page.keyboard.press('s'));
    assert.ok(bytes.length < 60_000, `${bytes.length} bytes are too many to keep`);
    const { mean, largest } = await golden(page, name, bytes);
    console.log(`${name}: differs by ${mean.toFixed(3)}, in a block by ${largest.toFixed(2)}`);
    assert.ok(mean < kMean && largest < kBlurred, `${name}: mean ${mean}, block ${largest}`);
  };

  it('draws the man as it did', async () => {
    const { page, problems } = await still({ hash: '#item=man&paused', viewport: kSmall });
    await same(page, 'viewer-man');
    assert.deepEqual(problems, []);
  });

  it('draws a mode in colours beside the undeformed as it did', async () => {
    const { page, problems } = await still({
      hash: '#item=man&paused&colour&compare', colorScheme: 'light', viewport: kSmall,
    });
    await page.evaluate(() => {
      const shape = window.suppleViewer.modes().map(() => 0);
      shape[6] = 0.02 / window.suppleViewer.modes()[6].largestDisplacement;
      window.suppleViewer.showShape(shape);
    });
    await same(page, 'viewer-compare');
    assert.deepEqual(problems, []);
  });

  it('follows the system from dark to light, and remembers a choice', async () => {
    const { page } = await still({ hash: '#item=man&paused', colorScheme: 'light' });
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    assert.equal(await theme(), 'light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await until(page, () => document.documentElement.dataset.theme === 'dark');
    await page.getByRole('button', { name: 'Dark or light' }).click();
    assert.equal(await theme(), 'light');
    await page.reload();
    assert.equal(await theme(), 'light');
  });

  it('fits a phone: nothing beyond the edge, panels as a sheet', async () => {
    const { page, problems } = await still({
      hash: '#item=man&paused', viewport: { width: 360, height: 640 }, hasTouch: true,
    });
    for (const tab of ['Flesh', 'Modes', 'Plots', 'File']) {
      await page.getByRole('tab', { name: tab }).tap();
      if (tab === 'Flesh') await page.getByRole('slider', { name: 'Stiffness' }).waitFor();
      const beyond = await page.evaluate(() => [...document.querySelectorAll('body *')]
        .filter((node) => {
          const { left, right, width } = node.getBoundingClientRect();
          return width > 0 && (left < -1 || right > window.innerWidth + 1);
        }).map((node) => node.className || node.tagName));
      assert.deepEqual(beyond, [], tab);
    }
    const small = await page.evaluate(() =>
      [...document.querySelectorAll('.bar button, .tabs button')].filter((node) =>
        node.offsetHeight > 0 && node.offsetHeight < 34).length);
    assert.equal(small, 0, 'buttons too small for a finger');
    assert.deepEqual(problems, []);
  });

  it('turns and zooms by touch', async () => {
    const { page } = await still({
      hash: '#item=man&paused', viewport: { width: 360, height: 640 }, hasTouch: true,
    });
    const session = await page.context().newCDPSession(page);
    const touch = (type, ...points) => session.send('Input.dispatchTouchEvent', {
      type, touchPoints: points.map(([x, y], id) => ({ x, y, id })),
    });
    const frames = await page.evaluate(() => window.suppleViewer.frames);
    await touch('touchStart', [140, 300], [220, 300]);
    await touch('touchMove', [100, 300], [260, 300]);
    await touch('touchEnd');
    await until(page, (before) => window.suppleViewer.frames > before, frames);
    await settled(page);
    assert.deepEqual(await page.evaluate(() => window.suppleViewer.rootOffset()), [0, 0, 0]);
  });

  it('has a name for everything that can be used, and a list of keys', async () => {
    const { page } = await still({
      hash: '#item=man&paused', viewport: { width: 1100, height: 600 },
    });
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll('button, select, input, canvas, dialog')].filter((node) =>
        !node.getAttribute('aria-label') && !node.getAttribute('aria-labelledby')
        && !node.textContent.trim() && !node.labels?.length).map((node) => node.outerHTML));
    assert.deepEqual(nameless, []);
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('jolt the character').waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await page.getByRole('dialog').count(), 0);
  });

  it('goes by keyboard alone: focus follows, keys act only on what is seen, and once', async () => {
    const { page, problems } = await openViewer(browser, server.url, { reducedMotion: 'reduce' });
    let downloads = 0;
    page.on('download', () => { ++downloads; });
    const focused = (selector) => until(page, (wanted) => document.activeElement.matches(wanted),
      selector);
    for (const key of ['s', 'd', 'h', 'r']) await page.keyboard.press(key);
    await page.locator('[data-item=man]').focus();
    await page.keyboard.press('Enter');
    await until(page, () => window.suppleViewer.hasFlesh);
    await focused('#stage');
    const colour = page.getByRole('button', { name: 'Colour by displacement' });
    assert.equal(await colour.getAttribute('aria-pressed'), 'false', 'by a key in the gallery');
    assert.equal(downloads, 0);
    await page.keyboard.down('d');
    await page.keyboard.down('d'); // repeats
    await page.keyboard.down('d');
    await page.keyboard.up('d');
    assert.equal(await colour.getAttribute('aria-pressed'), 'true');

    await settled(page);
    const before = await shot(page);
    for (let i = 0; i < 4; ++i) await page.keyboard.press('End');
    await settled(page);
    const { mean } = await pictureDifference(page, before, await shot(page));
    assert.ok(mean > 1, `the view did not move: ${mean}`);
    await page.keyboard.press('g');
    await focused('[data-item=man]');
    assert.deepEqual(problems, []);
  });

  it('says aloud what went wrong, once', async () => {
    const { page } = await still({ hash: '#item=man&paused' });
    await drop(page, ['tissue.glb']);
    await until(page, () => !window.suppleViewer.hasFlesh);
    await page.keyboard.press('x');
    const status = page.getByRole('status').filter({ hasText: 'No flesh' });
    assert.equal(await status.count(), 1);
    await drop(page, [{ name: 'note.txt', bytes: Buffer.from('hello') }]);
    await page.getByRole('alert').filter({ hasText: 'note.txt' }).waitFor();
    assert.equal(await page.locator('[aria-live] [role=alert], [aria-live] [role=status]').count(),
      0, 'announced twice');
  });

  it('has text that can be read: contrast of 4.5 in both themes', async () => {
    for (const colorScheme of ['dark', 'light']) {
      const { page } = await still({ hash: '#item=man&paused', colorScheme });
      const ratios = await page.evaluate(() => {
        const style = getComputedStyle(document.documentElement);
        const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
        const light = (...names) => { // WCAG 2.2, relative luminance
          for (const name of names) {
            context.fillStyle = style.getPropertyValue(name);
            context.fillRect(0, 0, 1, 1);
          }
          const linear = [...context.getImageData(0, 0, 1, 1).data].slice(0, 3).map((byte) => {
            const c = byte / 255;
            return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
          });
          return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
        };
        const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        const panel = light('--ground', '--surface');
        return {
          text: ratio(light('--text'), panel),
          quiet: ratio(light('--quiet'), panel),
          accent: ratio(light('--accent'), panel),
          danger: ratio(light('--danger'), light('--danger-ground')),
          button: ratio(light('--accent-text'), light('--accent')),
        };
      });
      for (const [name, ratio] of Object.entries(ratios)) {
        assert.ok(ratio >= 4.5, `${colorScheme} ${name}: ${ratio.toFixed(2)}`);
      }
    }
  });

  it('does not start clips where motion is not wanted', async () => {
    const { page } = await still({ hash: '#item=man' });
    await advance(page, 1);
    assert.equal(await page.evaluate(() => window.suppleViewer.clipTime), 0);
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  });
});
