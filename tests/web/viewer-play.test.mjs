// SPDX-License-Identifier: Apache-2.0
// Hands on the character: shaking, poking, sliders, modes, colours, comparison, clips.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';

import { browserMissing, openBrowser } from './browser.mjs';
import {
  advance, closePages, drawn, kItems, openViewer, passes, pictureDifference, serveViewer, settled,
  shot, until,
} from './support/viewer.mjs';

if (browserMissing) console.log(browserMissing);

const size = (numbers) => Math.hypot(...numbers);
const coefficients = (page) => page.evaluate(() => window.suppleViewer.coefficients());

/** The man in his rest pose. */
async function openPosed(browser, url, options = {}) {
  const opened = await openViewer(browser, url, {
    hash: '#item=man&paused', reducedMotion: 'reduce', ...options,
  });
  await opened.page.getByLabel('Clip', { exact: true }).selectOption('Rest pose');
  return opened;
}

/** The man in his rest pose, at rest. */
async function openMan(browser, url, options = {}) {
  const opened = await openPosed(browser, url, options);
  await settled(opened.page);
  return opened;
}

/** Median over frames drawn from now on. */
async function cpuMilliseconds(page) {
  return page.evaluate(async () => {
    const times = [];
    const viewer = window.suppleViewer;
    for (let last = viewer.frames; times.length < 7;) {
      await new Promise(requestAnimationFrame);
      if (viewer.frames === last) continue;
      last = viewer.frames;
      times.push(viewer.stats().cpuMilliseconds);
    }
    return Number(times.sort((a, b) => a - b)[3].toFixed(2));
  });
}

describe('playing', { skip: browserMissing !== '' }, () => {
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

  it('shakes by keyboard: the root moves, flesh answers, both settle', async () => {
    const { page, problems } = await openMan(browser, server.url);
    const rest = size(await coefficients(page));
    for (const key of ['ArrowRight', ' ', 't']) {
      await page.keyboard.press(key);
      const { largest } = await settled(page);
      const settledSize = size(await coefficients(page));
      assert.ok(largest > rest + 1e-3, `${key}: coefficients stay at ${largest}`);
      assert.ok(Math.abs(settledSize - rest) < 0.1 * (largest - rest), `${key} does not settle`);
    }
    assert.deepEqual(await page.evaluate(() => window.suppleViewer.rootOffset()), [0, 0, 0]);
    assert.deepEqual(problems, []);
  });

  it('moves by the screen’s clock, and draws nothing while nothing moves', async () => {
    const { page, problems } = await openPosed(browser, server.url, {
      clock: 'screen', viewport: { width: 200, height: 150 },
    });
    const still = () => until(page, () => !window.suppleViewer.moving && window.suppleViewer.drawn);
    const frames = () => page.evaluate(() => window.suppleViewer.frames);
    await still();
    const first = await frames();
    assert.ok(first < 40, `${first} frames for a character that stands still`);
    await page.evaluate(async () => {
      for (let i = 0; i < 20; ++i) await new Promise(requestAnimationFrame);
    });
    assert.equal(await frames(), first, 'something is drawn while nothing moves');
    await page.keyboard.press('ArrowRight');
    await until(page, (before) => window.suppleViewer.moving
      && window.suppleViewer.frames > before + 3, first);
    await still();
    assert.deepEqual(await page.evaluate(() => window.suppleViewer.rootOffset()), [0, 0, 0]);
    assert.deepEqual(problems, []);
  });

  it('shakes by dragging the character, and turns the view beside it', async () => {
    const { page, problems } = await openMan(browser, server.url);
    await page.mouse.move(320, 118); // his chest
    await page.mouse.down();
    await page.mouse.move(360, 118, { steps: 4 });
    await passes(page, () => Math.hypot(...window.suppleViewer.rootOffset()) > 0.05);
    await page.mouse.up();
    const { largest, offset } = await settled(page);
    assert.ok(offset > 0.05 && largest > 1e-3, `moved ${offset}, flesh ${largest}`);

    const before = await shot(page);
    const still = await page.evaluate(() => window.suppleViewer.rootOffset());
    await page.mouse.move(80, 150);
    await page.mouse.down();
    await page.mouse.move(200, 150, { steps: 4 });
    await page.mouse.up();
    await settled(page);
    const { mean } = await pictureDifference(page, before, await shot(page));
    assert.ok(mean > 1, `the view did not turn: ${mean}`);
    assert.deepEqual(await page.evaluate(() => window.suppleViewer.rootOffset()), still);
    assert.deepEqual(problems, []);
  });

  it('pokes flesh by a click and presses it while held; bone does not give', async () => {
    const { page, problems } = await openMan(browser, server.url);
    const rest = await coefficients(page);
    const moved = (now) => size(now.map((value, i) => value - rest[i]));
    const belly = { x: 318, y: 142 };
    await page.mouse.click(belly.x, belly.y);
    assert.ok((await settled(page)).largest > size(rest) + 1e-3, 'a click moves nothing');

    await page.mouse.move(belly.x, belly.y);
    await page.mouse.down();
    await advance(page, 2.5);
    const pressed = moved(await coefficients(page));
    await page.mouse.up();
    await settled(page);
    const after = moved(await coefficients(page));
    assert.ok(pressed > 1e-3 && after < 0.2 * pressed, `pressed ${pressed}, after ${after}`);
    assert.deepEqual(await page.evaluate(() => window.suppleViewer.rootOffset()), [0, 0, 0]);

    await page.mouse.click(319, 82); // his head
    await page.getByText('No flesh here').waitFor();
    assert.deepEqual(problems, []);
  });

  it('rings at the frequency of the file, and at twice that when four times as stiff', async () => {
    const { page, problems } = await openMan(browser, server.url);
    await page.getByLabel('Part').evaluate((select) => {
      select.value = '2'; // the abdomen
      select.dispatchEvent(new Event('change'));
    });
    const ring = async () => {
      await settled(page);
      await page.keyboard.press('x');
      await advance(page, 0.1);
      await passes(page, () => !window.suppleViewer.moving);
      await drawn(page);
      return page.evaluate(() => {
        const { hz, mode } = window.suppleViewer.measured();
        const { frequencyHz, damping } = window.suppleViewer.modes()[mode];
        return { hz, wanted: frequencyHz * Math.sqrt(1 - damping ** 2),
          shown: Number.parseFloat(document.querySelector('.measured').textContent) };
      });
    };
    const soft = await ring();
    const kTolerance = 0.1; // what an eye could read from the plot
    const near = (value, wanted) => Math.abs(value / wanted - 1) < kTolerance;
    assert.ok(near(soft.hz, soft.wanted), `${soft.hz} Hz instead of ${soft.wanted}`);
    assert.ok(near(soft.shown, soft.hz), `the page says ${soft.shown}`);
    await page.getByRole('tab', { name: 'Flesh' }).click();
    await page.getByLabel('Stiffness', { exact: true }).fill('0.6'); // 10^0.6 = 3.98 times
    const stiffness = await page.evaluate(() => window.suppleViewer.settings('abdomen').stiffness);
    assert.equal(stiffness, 3.98);
    await page.locator('#stage').focus();
    const stiff = await ring();
    assert.ok(near(stiff.hz / soft.hz, 2), `${soft.hz} Hz became ${stiff.hz} Hz`);
    const thigh = await page.evaluate(() => window.suppleViewer.settings('left_thigh').stiffness);
    assert.equal(thigh, 1, 'other parts keep theirs');
    assert.deepEqual(problems, []);
  });

  it('acts on all parts at once, and puts back', async () => {
    const { page } = await openMan(browser, server.url);
    await page.getByRole('tab', { name: 'Flesh' }).click();
    for (const [label, place] of [['Damping', '-0.3'], ['Gain', '2'], ['Limit', '30'],
      ['Modes', '2']]) {
      await page.getByRole('slider', { name: label, exact: true }).fill(place);
    }
    for (const part of ['left_thigh', 'right_thigh', 'abdomen']) {
      const { damping, gain, limitMetres, modes } = await page.evaluate(
        (name) => window.suppleViewer.settings(name), part);
      assert.deepEqual([damping, gain, limitMetres, modes], [0.501, 2, 0.03, 2]);
    }
    await page.getByRole('button', { name: 'Reset all' }).click();
    const { damping, gain, modes } = await page.evaluate(
      () => window.suppleViewer.settings('abdomen'));
    assert.deepEqual([damping, gain, modes], [1, 1, 3]);
  });

  it('shows modes one by one with their numbers', async () => {
    const { page, problems } = await openMan(browser, server.url);
    await page.getByRole('tab', { name: 'Modes' }).click();
    const row = page.locator('button.mode-row').nth(6);
    const { frequencyHz } = await page.evaluate(() => window.suppleViewer.modes()[6]);
    assert.ok((await row.textContent()).includes(frequencyHz.toFixed(2)));
    await row.click();
    assert.equal(await row.getAttribute('aria-pressed'), 'true');
    const first = await coefficients(page);
    await advance(page, 0.2);
    const now = await coefficients(page);
    now.forEach((value, k) => assert.equal(value !== first[k] && value !== 0, k === 6,
      `mode ${k} went from ${first[k]} to ${value}`));
    await page.locator('#stage').focus();
    await page.keyboard.press('m');
    assert.equal(await page.evaluate(() => window.suppleViewer.shownMode), 7);
    await page.keyboard.press('Escape');
    await settled(page);
    assert.equal(await page.evaluate(() => window.suppleViewer.shownMode), -1);
    assert.deepEqual(problems, []);
  });

  it('colours by displacement and compares with undeformed', async () => {
    const { page, problems } = await openMan(browser, server.url, {
      viewport: { width: 480, height: 400 },
    });
    await page.keyboard.press('d');
    await page.locator('.legend').getByText(/^\d+ mm$/).waitFor();
    await page.keyboard.press('c');
    await page.getByText('bones alone').waitFor();
    await page.evaluate(() => {
      const shape = window.suppleViewer.modes().map(() => 0);
      shape[6] = 0.07 / window.suppleViewer.modes()[6].largestDisplacement;
      window.suppleViewer.showShape(shape);
    });
    // The light end of the ramp is yellow and red: only flesh that moves has it.
    const hot = await page.evaluate(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes]));
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
      context.drawImage(image, 0, 0);
      const sides = [0, 0];
      const { data } = context.getImageData(0, 140, image.width, 150);
      for (let i = 0; i < data.length; i += 4) {
        const x = (i / 4) % image.width;
        if (data[i] > 140 && data[i + 2] < 0.75 * data[i]) ++sides[x < image.width / 2 ? 0 : 1];
      }
      return sides;
    }, (await shot(page)).toString('base64'));
    assert.ok(hot[1] > 30, `no hot pixels with flesh: ${hot}`);
    assert.ok(hot[0] < hot[1] / 10, `hot pixels without flesh: ${hot}`);
    assert.deepEqual(problems, []);
  });

  it('chooses, pauses, scrubs and slows clips', async () => {
    const { page, problems } = await openViewer(browser, server.url, { hash: '#item=man' });
    const time = () => page.evaluate(() => window.suppleViewer.clipTime);
    const begun = await time();
    await advance(page, 0.3);
    assert.ok(Math.abs(await time() - begun - 0.3) < 1e-6, `from ${begun} to ${await time()}`);
    await page.keyboard.press('k');
    const paused = await time();
    await advance(page, 0.3);
    assert.equal(await time(), paused);
    await page.getByLabel('Clip', { exact: true }).selectOption('jump');
    await page.getByLabel('Time in the clip').fill('1.5');
    assert.equal(await time(), 1.5);
    await page.getByLabel('Speed').selectOption('0.25');
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await advance(page, 0.4);
    assert.ok(Math.abs(await time() - 1.6) < 1e-6, `${await time()} s at a quarter of the speed`);
    assert.deepEqual(problems, []);
  });

  it('sends a few numbers per frame: two draws a mesh, two small uploads', async () => {
    const { page } = await openViewer(browser, server.url, {
      hash: '#item=man', clock: 'screen', viewport: { width: 320, height: 200 },
    });
    await until(page, () => window.suppleViewer.frames > 8);
    const stats = await page.evaluate(() => window.suppleViewer.stats());
    const one = await cpuMilliseconds(page);
    // Background, floor, the mesh and its shadow; bones (21 matrices, padded) and coefficients.
    assert.equal(stats.drawCalls, 4);
    assert.equal(stats.uploads, 2);
    assert.ok(stats.uploadBytes < 3000, `${stats.uploadBytes} bytes`);

    // Ten of them: one more draw and shadow, one more palette, coefficients and placements.
    await page.getByRole('tab', { name: 'File' }).click();
    await page.getByLabel('Characters').selectOption('10');
    const frames = await page.evaluate(() => window.suppleViewer.frames);
    await until(page, (before) => window.suppleViewer.frames > before + 3, frames);
    const crowd = await page.evaluate(() => window.suppleViewer.stats());
    assert.equal(crowd.drawCalls, 6);
    assert.equal(crowd.uploads, 5);
    assert.ok(crowd.uploadBytes < 20_000, `${crowd.uploadBytes} bytes`);
    const ten = await cpuMilliseconds(page);
    console.log(`CPU of a frame, man of 18,000 vertices, software renderer: 1: ${one} ms, `
      + `10: ${ten} ms`);
  });

  it('paints copies too', async () => {
    const blue = async (copies) => {
      const { page, problems } = await openViewer(browser, server.url, {
        hash: `#item=man&paused&colour&copies=${copies}`, reducedMotion: 'reduce',
      });
      await settled(page);
      await page.keyboard.press('h');
      const picture = (await shot(page, page.locator('#stage'))).toString('base64');
      assert.deepEqual(problems, []);
      return page.evaluate(async (base64) => {
        const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
        const image = await createImageBitmap(new Blob([bytes]));
        const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
        context.drawImage(image, 0, 0);
        const { data } = context.getImageData(0, 0, image.width, image.height);
        let count = 0;
        for (let i = 0; i < data.length; i += 4) if (data[i + 2] > 2 * data[i + 1] + 20) ++count;
        return count;
      }, picture);
    };
    const one = await blue(1);
    const five = await blue(5);
    assert.ok(one > 500 && five > 1.5 * one, `${one} painted pixels of one, ${five} of five`);
  });

  it('goes back from ten to one, and the sliders still act', async () => {
    const { page, problems } = await openViewer(browser, server.url, {
      hash: '#item=man&paused&copies=10', viewport: { width: 900, height: 500 },
    });
    await page.getByRole('tab', { name: 'File' }).click();
    const count = page.getByLabel('Characters');
    assert.equal(await count.inputValue(), '10');
    await count.selectOption('1');
    await page.getByRole('tab', { name: 'Flesh' }).click();
    await page.getByLabel('Stiffness', { exact: true }).fill('0.6');
    const { stiffness } = await page.evaluate(() => window.suppleViewer.settings('abdomen'));
    assert.equal(stiffness, 3.98);
    await page.keyboard.press('f');
    await drawn(page);
    assert.equal((await page.evaluate(() => window.suppleViewer.stats())).drawCalls, 4);
    assert.deepEqual(problems, []);
  });

  it('takes any number of characters from the address', async () => {
    for (const [asked, shown] of [['2.5', '2'], ['many', '1'], ['-3', '1'], ['7', '7']]) {
      const { page, problems } = await openViewer(browser, server.url, {
        hash: `#item=man&paused&copies=${asked}`,
      });
      assert.equal(await page.locator('#copies').inputValue(), shown, asked);
      assert.deepEqual(problems, []);
      await page.close();
    }
  });

  it('lets copies settle while a mode is shown', async () => {
    const { page, problems } = await openViewer(browser, server.url, {
      hash: '#item=man&copies=2', viewport: { width: 480, height: 400 },
    });
    await advance(page, 0.3);
    await page.keyboard.press('m');
    const copies = () => page.evaluate(() => window.suppleViewer.copyCoefficients(0));
    const change = async (seconds) => {
      const before = await copies();
      await advance(page, seconds);
      const now = await copies();
      return Math.max(...now.map((value, k) => Math.abs(value - before[k])));
    };
    assert.ok(await change(0.1) > 1e-6, 'they stand still at once');
    await advance(page, 5);
    assert.ok(await change(0.05) < 1e-4, 'they do not come to rest');
    assert.deepEqual(problems, []);
  });
});
