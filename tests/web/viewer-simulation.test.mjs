// SPDX-License-Identifier: Apache-2.0
// A scene beside its true simulation: the page of `supple view` has it simulated by the program.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';

import { loadSupple } from '../../web/packages/supple/dist/index.js';
import { browserMissing, openBrowser } from './browser.mjs';
import { makeGlb } from './pages/make_glb.js';
import { program, writeAssets } from './programs.mjs';
import { bakedFlag } from './support/flag.mjs';
import { serve } from './support/static_server.mjs';
import { startSupple } from './support/supple_view.mjs';
import {
  advance, closePages, drawn, drop, noticeText, openViewer, passes, pictureDifference, shot, until,
  viewerFolder,
} from './support/viewer.mjs';

if (browserMissing) console.log(browserMissing);

// Positions of a metre in 32 bits, on both sides.
const kRounding = 1e-6; // m

const beside = (page) => page.evaluate(() => window.suppleViewer.scene().beside);
const button = (page, name) => page.getByRole('button', { name, exact: true });

describe('a scene beside its simulation', { skip: browserMissing !== '' }, () => {
  let browser;
  let baked;
  let view;
  before(async () => {
    baked = await bakedFlag();
    browser = await openBrowser();
    view = await startSupple(['view', join(baked, 'flag.glb'), '--viewer', viewerFolder()]);
  });
  afterEach(() => closePages(browser));
  after(async () => {
    await browser?.close();
    assert.equal(await view?.stop(), 0);
  });
  const open = (url = view.url) =>
    openViewer(browser, url, { viewport: { width: 1000, height: 700 } });

  /** What the program says of the same sequence. */
  const computed = ({ actions, frames }) => {
    const names = ['push', 'pull'];
    const palette = actions.map(([frame, entry, strength]) =>
      `${names[entry]}@${frame / 60}*${strength}`).join(',');
    return JSON.parse(execFileSync(program('supple'), ['play', join(baked, 'flag.supple'),
      '--palette', palette, '--seconds', `${frames / 60}`, '--simulate', '--json'],
    { encoding: 'utf8', maxBuffer: 1 << 26 }));
  };

  it('shows both in step, and how far they are apart', async () => {
    const { page, problems } = await open();
    await page.keyboard.press('i');
    await advance(page, 0.3);
    await page.keyboard.down('o');
    await advance(page, 0.4); // half the strength
    await page.keyboard.up('o');
    await advance(page, 0.5);
    await button(page, 'Side by side').click();
    await until(page, () => window.suppleViewer.scene().beside?.complete);
    const begun = await beside(page);
    assert.deepEqual(begun.actions.map(([frame, entry, strength]) => [frame, entry,
      Math.round(100 * strength)]), [[0, 1, 100], [42, 0, 75]]);
    assert.equal(begun.known, begun.frames);
    assert.deepEqual(await page.evaluate(() => window.suppleViewer.sides),
      ['played back', 'simulated']);

    const told = computed(begun);
    assert.equal(told.simulation.frames.length, begun.rms.length);
    begun.rms.forEach((rms, frame) => assert.ok(
      Math.abs(rms - told.simulation.frames[frame]) < kRounding,
      `frame ${frame}: ${rms} and ${told.simulation.frames[frame]}`));
    assert.ok(Math.max(...begun.rms) > 100 * kRounding, 'they differ by more than rounding');
    assert.ok(Math.abs(begun.rmsAll - told.simulation.rms_m) < kRounding);
    assert.ok(Math.abs(begun.relative / told.simulation.relative - 1) < 1e-3);

    // In step, to the end; what is shown is what the program plays.
    await passes(page, () => !window.suppleViewer.moving);
    const ended = await beside(page);
    assert.equal(ended.frame, ended.frames);
    const percent = (100 * told.simulation.relative).toPrecision(3);
    assert.match(await page.locator('.beside').textContent(), new RegExp(`${percent} %`));
    const showsFrame = async (frame) => {
      await page.getByLabel('Frame', { exact: true }).fill(String(frame));
      assert.equal((await beside(page)).frame, frame);
      const shown = await page.evaluate(() => window.suppleViewer.coefficients());
      shown.forEach((value, mode) => assert.ok(
        Math.abs(value - told.coefficients[frame][mode]) < 1e-6, `frame ${frame}, mode ${mode}`));
    };
    await showsFrame(20);
    await showsFrame(60);
    await showsFrame(7); // back: the player goes there from the beginning
    await showsFrame(50);
    const plain = await shot(page, page.locator('#stage'));
    await button(page, 'Colour by displacement').click();
    await page.getByText('distance', { exact: true }).waitFor();
    const coloured = await shot(page, page.locator('#stage'));
    assert.ok((await pictureDifference(page, plain, coloured)).largest > 20);

    await button(page, 'Close').click();
    assert.equal(await beside(page), null);
    assert.deepEqual(await page.evaluate(() => window.suppleViewer.sides), ['']);
    assert.deepEqual(await page.evaluate(() => window.suppleViewer.scene().acts), []);
    await page.keyboard.press('i');
    assert.equal(await page.evaluate(() => window.suppleViewer.scene().entry), 'pull');
    assert.deepEqual(problems, []);
  });

  it('can be cancelled, and a press of the palette goes back to play', async () => {
    const { page, problems } = await open();
    await button(page, 'Side by side').click();
    await page.getByText('Press a button of the palette first').waitFor();
    await page.keyboard.press('i');
    await advance(page, 0.2);
    // The page does not hear that the simulation is done, however fast it is.
    let go;
    const held = new Promise((resolve) => { go = resolve; });
    await page.route(/api\/simulation\/[0-9a-f]+$/, async (route) => {
      if (route.request().method() === 'GET') await held;
      await route.continue();
    });
    await button(page, 'Side by side').click();
    await button(page, 'Cancel').click();
    assert.equal(await beside(page), null);
    // A question about the first one must not come after the second one has begun.
    const answered = page.waitForResponse((response) =>
      response.request().method() === 'GET' && /api\/simulation\/[0-9a-f]+$/.test(response.url()));
    go();
    await answered;
    // The server is free again.
    await page.keyboard.press('i');
    await advance(page, 0.2);
    await page.keyboard.press('c'); // the key for comparing
    await until(page, () => window.suppleViewer.scene().beside?.complete);
    await page.keyboard.press('i');
    assert.equal(await beside(page), null);
    assert.deepEqual(await page.evaluate(() => window.suppleViewer.scene().acts
      .map(({ entry }) => entry)), ['pull']);
    assert.deepEqual(problems, []);
  });

  it('says why a file cannot be simulated', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'supple-simulation-'));
    writeAssets(folder);
    const supple = readFileSync(join(folder, 'scene.supple'));
    rmSync(folder, { recursive: true });
    const asset = (await loadSupple()).openAsset(supple);
    const glb = Buffer.from(makeGlb(asset, { skinned: false }));
    asset.close();
    const { page, problems } = await open();
    await drop(page, [{ name: 'scene.glb', bytes: glb }, { name: 'scene.supple', bytes: supple }]);
    await until(page, () => window.suppleViewer.scene()?.name === 'scene');
    await page.keyboard.press('w');
    await advance(page, 0.1);
    await button(page, 'Side by side').click();
    await page.locator('.notice.error').waitFor();
    assert.match(await noticeText(page), /does not contain the scene that was simulated/);
    assert.equal(await beside(page), null);
    assert.deepEqual(problems, []);
  });

  it('explains itself on a page without the program', async () => {
    const item = { id: 'flag', title: 'Flag', character: 'flag.glb', flesh: 'flag.supple' };
    const server = await serve([viewerFolder(), baked], {
      '/manifest.json': (_request, response) => {
        response.setHeader('Content-Type', 'application/json');
        response.end(JSON.stringify({ version: 1, title: 'Flag', gallery: false, items: [item] }));
      },
    });
    const { page, problems } = await open(server.url);
    await drawn(page);
    await page.getByText('Under “supple view” this is shown beside the true simulation').waitFor();
    assert.equal(await button(page, 'Side by side').count(), 0);
    assert.ok(await page.locator('.bar').getByRole('button', { name: /simulation/ }).isDisabled());
    assert.deepEqual(problems, []);
    await server.close();
  });
});
