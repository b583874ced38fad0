// SPDX-License-Identifier: Apache-2.0
// Thin shells in the viewer: pulled by a vertex, turned, pinned, compared, under gravity and wind.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';

import { browserMissing, openBrowser } from './browser.mjs';
import { writeAssets } from './programs.mjs';
import { serve } from './support/static_server.mjs';
import { kTip, kTriangles, makeComparison, makeStripGlb } from './support/strip.mjs';
import {
  closePages, drop, openViewer, passes, pictureDifference, settled, shot, viewerFolder,
} from './support/viewer.mjs';

if (browserMissing) console.log(browserMissing);

const kItem = {
  id: 'strip', title: 'A strip of paper', character: 'strip.glb', flesh: 'strip.supple',
  comparison: 'strip.comparison.json', action: 'drag',
};
const kNearTip = kTip - 7; // an edge is not hit for certain
const kLook = { viewport: { width: 760, height: 460 }, reducedMotion: 'reduce' };

describe('shells', { skip: browserMissing !== '' }, () => {
  let browser;
  let folder;
  let server;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'supple-strip-'));
    writeAssets(folder);
    writeFileSync(join(folder, 'strip.glb'), makeStripGlb());
    writeFileSync(join(folder, 'strip.comparison.json'), JSON.stringify(makeComparison()));
    const bare = { ...kItem, id: 'bare', comparison: undefined };
    const manifest = { version: 1, title: 'Shells', gallery: true, items: [kItem, bare] };
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
    server = await serve([viewerFolder(), folder]);
    browser = await openBrowser();
  });
  afterEach(() => closePages(browser));
  after(async () => {
    await browser?.close();
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const open = async (id = 'strip', options = {}) => {
    const opened = await openViewer(browser, server.url, {
      hash: `#item=${id}`, ...kLook, ...options,
    });
    await opened.page.keyboard.press('p'); // the plots would lie over it
    await settled(opened.page);
    return opened;
  };
  const vertex = (page, v = kNearTip) => page.evaluate((i) => window.suppleViewer.vertex(i), v);
  const handles = (page) => page.evaluate(() => window.suppleViewer.handles());
  const drag = async (page, dx, dy, v = kNearTip) => {
    const { page: [x, y] } = await vertex(page, v);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + dx, y + dy, { steps: 4 });
    return [x + dx, y + dy];
  };

  it('sags under gravity, and is pulled by a vertex that follows the hand', async () => {
    const { page, problems } = await open();
    const rest = await vertex(page);
    assert.ok(rest.position[1] < 0.65, `does not sag: ${rest.position}`);
    // Along the arc of its end: elsewhere a strip that keeps its length gives way.
    const target = await drag(page, 14, -60);
    assert.equal((await handles(page)).length, 1);
    await settled(page);
    const held = await vertex(page);
    const away = Math.hypot(held.page[0] - target[0], held.page[1] - target[1]);
    assert.ok(away < 3, `${away} pixels from the hand`);
    assert.ok(held.position[1] > rest.position[1] + 0.1);
    await page.mouse.up();
    assert.deepEqual(await handles(page), []);
    await settled(page);
    const back = await vertex(page);
    assert.ok(Math.abs(back.position[1] - rest.position[1]) < 1e-3, 'does not come back');
    assert.deepEqual(await page.evaluate(() => window.suppleViewer.rootOffset()), [0, 0, 0]);
    assert.deepEqual(problems, []);
  });

  it('never tears, wherever it is dragged, and comes back', async () => {
    const { page, problems } = await open();
    const area = () => page.evaluate((triangles) => {
      const at = new Map();
      const place = (v) => at.get(v)
        ?? at.set(v, window.suppleViewer.vertex(v).position).get(v);
      return triangles.reduce((sum, [a, b, c]) => {
        const [u, w] = [b, c].map((v) => place(v).map((x, i) => x - place(a)[i]));
        return sum + Math.hypot(u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2],
          u[0] * w[1] - u[1] * w[0]) / 2;
      }, 0);
    }, kTriangles.filter((corners) => Math.min(...corners) >= 14)); // beyond the clamp
    const rest = await vertex(page);
    const whole = await area();
    let worst = 0;
    let taken = 0;
    for (let i = 0; i < 12; ++i) {
      const angle = 2.4 * i;
      const far = [60, 80, 200][i % 3]; // pixels
      await drag(page, far * Math.cos(angle), far * Math.sin(angle), 3 + 7 * (30 - 2 * i));
      taken += (await handles(page)).length; // not where it swings away edge on
      for (let frame = 0; frame < 4; ++frame) {
        await page.evaluate(() => window.suppleViewer.advance(0.1));
        worst = Math.max(worst, Math.abs(await area() / whole - 1));
      }
      await page.mouse.up();
    }
    assert.ok(taken >= 6, `took hold ${taken} times`);
    assert.ok(worst < 0.2, `the area changed by ${100 * worst} %`);
    await settled(page);
    const back = await vertex(page);
    assert.ok(Math.hypot(...back.position.map((x, i) => x - rest.position[i])) < 4e-3,
      `came back to ${back.position}, not ${rest.position}`);
    assert.deepEqual(problems, []);
  });

  it('keeps what is pinned: a place and a turn, listed, dragged again, let go', async () => {
    const { page, problems } = await open();
    await page.getByRole('button', { name: 'Keep vertices held' }).click();
    await drag(page, 10, -40);
    await page.mouse.up();
    await page.keyboard.press('2');
    const middle = 16 * 7 + 3;
    await settled(page);
    const before = await vertex(page, middle);
    await drag(page, 0, 30, middle); // little: springs share what contradicts
    await page.mouse.up();
    await settled(page);
    const turned = await vertex(page, middle);
    const cosine = turned.orientation.reduce((sum, q, i) => sum + q * before.orientation[i], 0);
    const angle = 2 * Math.acos(Math.min(Math.abs(cosine), 1));
    assert.ok(angle > 0.05, `turned by ${angle}`);
    const [place, turn] = await handles(page);
    assert.deepEqual([place.mode, turn.mode], ['position', 'orientation']);
    assert.ok(place.pinned && turn.pinned && place.positionError < 0.01, JSON.stringify(place));
    await page.getByRole('tab', { name: 'Forces' }).click();
    await page.getByText(`vertex ${kNearTip}`).waitFor();
    // Taken by its ball: the same handle, elsewhere.
    const held = await vertex(page);
    await page.mouse.move(...held.page);
    await page.mouse.down();
    await page.mouse.move(held.page[0], held.page[1] + 25, { steps: 3 });
    await page.mouse.up();
    await settled(page);
    assert.equal((await handles(page)).length, 2);
    assert.ok((await vertex(page)).page[1] > held.page[1] + 15);
    await page.getByRole('button', { name: `Release vertex ${middle}` }).click();
    assert.equal((await handles(page)).length, 1);
    await page.getByRole('button', { name: 'Release all' }).click();
    assert.deepEqual(await handles(page), []);
    assert.deepEqual(problems, []);
  });

  it('takes a vertex that cannot follow by the handle it has', async () => {
    const { page, problems } = await open();
    await page.getByRole('button', { name: 'Keep vertices held' }).click();
    for (const far of [-70, -60]) { // towards the clamp: where a strip does not go
      await drag(page, far, 0);
      await page.mouse.up();
      await settled(page);
      assert.deepEqual((await handles(page)).map((handle) => handle.vertex), [kNearTip]);
    }
    assert.deepEqual(problems, []);
  });

  it('holds both at once, and says where nothing gives', async () => {
    const { page, problems } = await open();
    await page.keyboard.press('3');
    await drag(page, 0, -30);
    const [both] = await handles(page);
    assert.equal(both.mode, 'both');
    await page.mouse.up();
    await settled(page);
    // Beyond the first vertices that move, towards those that are clamped.
    const [first, second] = await Promise.all([10, 17].map((v) => vertex(page, v)));
    const place = first.page.map((x, i) => x - 0.8 * (second.page[i] - x));
    await page.mouse.click(...place);
    await page.getByText('This vertex is fixed').waitFor();
    assert.deepEqual(await handles(page), []);
    assert.deepEqual(problems, []);
  });

  it('shows linear, warped, rotation-strain and nonlinear beside each other', async () => {
    const { page, problems } = await open('strip', { viewport: { width: 900, height: 520 } });
    await page.getByRole('tab', { name: 'Forces' }).click();
    await page.getByRole('button', { name: 'Compare methods' }).click();
    assert.deepEqual(await page.evaluate(() => window.suppleViewer.sides),
      ['linear', 'warped', 'rotation-strain', 'nonlinear']);
    await page.getByText('rotation-strain').first().waitFor();
    await settled(page);
    const small = await shot(page);
    await page.getByRole('slider', { name: 'Gravity' }).fill('30');
    assert.deepEqual(await page.evaluate(() => window.suppleViewer.gravity()), [0, -30, 0]);
    await settled(page);
    const { mean } = await pictureDifference(page, small, await shot(page));
    assert.ok(mean > 0.5, `the picture stays: ${mean}`);
    // Linear modes only grow; warping turns the tip down and back.
    const [linear, warped] = await page.evaluate(() =>
      [window.suppleViewer.linearCoefficients()[0], window.suppleViewer.coefficients()[0]]);
    assert.ok(Math.abs(linear) > 1.1 * Math.abs(warped), `${linear} and ${warped}`);
    await page.getByRole('slider', { name: 'Tilt' }).fill('40');
    await page.getByText('recorded for another gravity').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('#stage').focus();
    await page.keyboard.press('m');
    assert.deepEqual(await page.evaluate(() => window.suppleViewer.sides), ['linear', 'warped']);
    await page.keyboard.press('Escape');
    await page.keyboard.press('c');
    assert.deepEqual(await page.evaluate(() => window.suppleViewer.sides), ['']);
    assert.deepEqual(problems, []);
  });

  it('compares without a recording by what the file itself can do', async () => {
    const { page, problems } = await open('bare', { hash: '#item=bare&compare' });
    assert.deepEqual(await page.evaluate(() => window.suppleViewer.sides),
      ['linear', 'warped', 'rotation-strain']);
    assert.deepEqual(problems, []);
  });

  it('warns beyond what modes follow, and feels the wind', async () => {
    const { page, problems } = await open('bare');
    await page.getByRole('tab', { name: 'Forces' }).click();
    const rest = await vertex(page);
    await page.getByRole('slider', { name: 'Gravity' }).fill('0');
    await page.getByRole('slider', { name: 'Wind' }).fill('8');
    await page.getByRole('slider', { name: 'Tilt' }).fill('180');
    await passes(page, ([v, before]) => Math.abs(window.suppleViewer.vertex(v).position[1] - before)
      > 0.05, [kNearTip, rest.position[1]]);
    await page.getByRole('slider', { name: 'Wind' }).fill('0');
    await page.getByRole('slider', { name: 'Gravity' }).fill('40');
    await page.getByLabel('Stiffness', { exact: true }).evaluate((slider) => {
      slider.value = '-1'; // a tenth
      slider.dispatchEvent(new Event('input'));
    });
    // Straight down a strip can only hang; sideways it bends and twists, and stays so.
    await page.getByRole('slider', { name: 'Tilt' }).fill('90');
    await settled(page);
    assert.ok(await page.evaluate(() => window.suppleViewer.bend().beyond) > 1.2);
    await page.getByText(/times as far as its modes can follow/).waitFor();
    await page.locator('#stage').focus();
    await page.keyboard.press('0');
    await settled(page);
    const back = await vertex(page);
    assert.ok(Math.abs(back.position[1] - rest.position[1]) < 1e-3,
      `came to rest at ${back.position}, not ${rest.position}`);
    assert.deepEqual(problems, []);
  });

  it('explains a comparison that does not fit', async () => {
    const { page, problems } = await open();
    await drop(page, ['strip.glb', 'strip.supple', {
      name: 'strip.comparison.json',
      bytes: Buffer.from(JSON.stringify({ ...makeComparison(), vertexCount: 5 })),
    }]);
    await page.getByRole('alert').filter({ hasText: '5 vertices' }).waitFor();
    assert.deepEqual(problems, []);
  });
});
