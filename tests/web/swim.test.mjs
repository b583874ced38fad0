// SPDX-License-Identifier: Apache-2.0
// `supple view --swim` in Chromium: a swimmer that the program simulates and pages steer.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';

import { browserMissing, kPatience, openBrowser } from './browser.mjs';
import { program } from './programs.mjs';
import { serve } from './support/static_server.mjs';
import { startSupple } from './support/supple_view.mjs';
import { swimFrames } from './support/swim_frames.mjs';
import { closePages, openViewer, until, viewerFolder } from './support/viewer.mjs';

if (browserMissing) console.log(browserMissing);

/** What a turn may change of the height, m, as in tests/swim/steering_test.cpp. */
const kHeldHeight = 0.6;

const state = (page) => page.evaluate(() => window.suppleViewer.swim());

/** Waits for this many simulated seconds, which a busy machine slows down. */
async function swims(page, seconds) {
  const { time, run } = await state(page);
  await page.waitForFunction(([end]) => window.suppleViewer.swim().time >= end, [time + seconds],
    { polling: 100, timeout: kPatience });
  assert.equal((await state(page)).run, run, 'the swimmer was lost and started again');
}

/** The way the body points, mean over some seconds: radians to the left of +x. */
async function heading(page, seconds = 2.5) {
  const left = await page.evaluate((wanted) => new Promise((done) => {
    // A slow page may miss half a turn between two headings, so that every turn is followed from
    // the first one on.
    const follow = () => {
      const { forward } = window.suppleViewer.swim();
      const angle = Math.atan2(-forward[2], forward[0]);
      const before = window.followedAngle ?? angle;
      window.followedAngle = before + Math.atan2(Math.sin(angle - before), Math.cos(angle - before));
    };
    window.following ??= setInterval(follow, 20);
    let sum = 0;
    const first = window.suppleViewer.swim().time;
    let last = first;
    const look = () => {
      follow();
      const { time } = window.suppleViewer.swim();
      if (time > last) sum += window.followedAngle * (time - last);
      last = time;
      if (time - first < wanted) setTimeout(look, 20);
      else done(sum / (last - first));
    };
    look();
  }), seconds);
  return { left };
}

const turned = (from, to) => to - from;

/** Drawn while swimming, or with `clock: 'held'` not drawn, which saves time. */
async function openSwimmer(browser, url, options) {
  const opened = await openViewer(browser, url, {
    clock: 'screen', viewport: { width: 240, height: 180 }, ...options,
  });
  await until(opened.page, () => (window.suppleViewer.swim()?.frames ?? 0) > 3);
  return opened;
}

/** A separate browser and swimmer for a group of tests. */
function withSwimmer() {
  const given = {};
  before(async () => {
    given.browser = await openBrowser();
    given.view = await startSwimmer();
  });
  afterEach(() => closePages(given.browser));
  after(async () => {
    await given.browser?.close();
    if (given.view) assert.equal(await given.view.stop(), 0);
  });
  return given;
}

const startSwimmer = () => startSupple(['view', '--swim', '--viewer', viewerFolder()]);

async function post({ url }, body, token) {
  const { live } = await (await fetch(`${url}/manifest.json`)).json();
  const response = await fetch(`${url}/${live.swim}`, {
    method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'X-Supple-Token': token ?? live.token },
  });
  return { status: response.status, text: await response.text() };
}

/** Starts the swimmer anew and waits until the page knows. */
async function startAgain(page, view) {
  const { run } = await state(page);
  await post(view, { reset: true });
  await until(page, ([before]) => window.suppleViewer.swim().run > before, [run]);
}

/** The same moment as two pages have it. */
async function seenByBoth(one, other) {
  const kTries = 20; // pages that are late look at other moments
  for (let i = 0; i < kTries; ++i) {
    const [a, b] = await Promise.all([one, other].map((page) => page.evaluate(async () => {
      const seen = new Map();
      while (seen.size < 40) {
        const now = window.suppleViewer.swim();
        seen.set(now.time, now);
        await new Promise((done) => { setTimeout(done, 5); });
      }
      return [...seen.values()];
    })));
    for (const mine of a) {
      const same = b.find(({ time }) => time === mine.time);
      if (same) return [mine, same];
    }
  }
  return assert.fail('the two pages never have the same moment');
}

function steeredToTheLeft() {
  const given = withSwimmer();

  it('turns where a held key says, and goes straight on after its release', async () => {
    const { page, problems } = await openSwimmer(given.browser, given.view.url, {
      clock: 'held',
    });
    await startAgain(page, given.view);
    await swims(page, 3);
    const start = await heading(page);
    await swims(page, 4);
    const before = await heading(page);
    const drifted = turned(start.left, before.left);
    const { centre: [, height] } = await state(page);
    await page.keyboard.down('ArrowLeft');
    await until(page, () => window.suppleViewer.swim().held[1] === 1);
    await swims(page, 1.5);
    const after = await heading(page);
    await swims(page, 2); // six seconds in all
    const climbed = (await state(page)).centre[1] - height;
    console.log(`climbed ${climbed.toFixed(2)} m`);
    assert.ok(Math.abs(climbed) < kHeldHeight, `climbed ${climbed} m`);
    const toLeft = turned(before.left, after.left);
    console.log(`turned ${toLeft.toFixed(2)} rad to the left; ${drifted.toFixed(2)} without a key`);
    assert.ok(toLeft > 0.35, `${toLeft} rad to the left`);
    assert.ok(toLeft > Math.abs(drifted) + 0.25, `${toLeft} with the key, ${drifted} without`);
    await page.keyboard.up('ArrowLeft');
    await until(page, () => window.suppleViewer.swim().held[1] === 0);
    await swims(page, 4); // the target returns to the front of the swimmer
    const released = await heading(page);
    await swims(page, 2);
    const later = turned(released.left, (await heading(page)).left);
    assert.ok(Math.abs(later) < 0.6 * toLeft, `it turns on by ${later} rad`);
    assert.deepEqual(problems, []);
  });
}

function steeredToTheRight() {
  const given = withSwimmer();

  it('turns the other way by the other key', async () => {
    const { page, problems } = await openSwimmer(given.browser, given.view.url, {
      clock: 'held',
    });
    await startAgain(page, given.view);
    await swims(page, 3);
    const before = await heading(page);
    await page.keyboard.down('KeyD');
    await until(page, () => window.suppleViewer.swim().held[1] === -1);
    await swims(page, 2);
    const toRight = turned(before.left, (await heading(page)).left);
    await page.keyboard.up('KeyD');
    assert.ok(toRight < -0.3, `${toRight} rad to the left by the right key`);
    assert.deepEqual(problems, []);
  });
}

function live() {
  const given = withSwimmer();

  it('swims ahead by itself', async () => {
    const { page, problems } = await openSwimmer(given.browser, given.view.url);
    await startAgain(page, given.view);
    await swims(page, 5);
    const { distance, speed, centre, power } = await state(page);
    assert.ok(distance > 1 && speed > 0.3, `${distance} m, ${speed} m/s`);
    assert.ok(centre[0] > 1, `it went to ${centre}`);
    assert.ok(power > 0);
    const figure = page.locator('.swim-hud output').first();
    await figure.waitFor();
    await figure.getByText(/^\d\.\d\d$/).waitFor();
    assert.deepEqual(problems, []);
  });

  it('names its figures for people', async () => {
    const { page, problems } = await openSwimmer(given.browser, given.view.url);
    const hud = page.locator('.swim-hud');
    const texts = async () => ({
      labels: await hud.locator('dt').allTextContents(),
      values: await hud.locator('dd output').allTextContents(),
      pose: await hud.locator('.pose').textContent(),
    });
    const names = await page.getByLabel('Stroke').locator('option')
      .evaluateAll((all) => all.map((option) => option.value));
    for (const stroke of names) {
      await page.getByLabel('Stroke').selectOption(stroke);
      await until(page, (name) => window.suppleViewer.swim().stroke === name, stroke);
      await startAgain(page, given.view);
      await swims(page, 0.5);
      const surface = await page.evaluate(() => window.suppleViewer.surface);
      const { labels, values, pose } = await texts();
      const depth = labels[3];
      assert.ok((surface === null ? ['Above start', 'Below start'] : ['Depth', 'Above water'])
        .includes(depth), `${stroke}: ${depth}`);
      for (const value of values) assert.match(value, /^\d+(\.\d+)?$/, `${stroke}: ${values}`);
      assert.match(pose, /^(Pose \d+ of \d+|[A-Z][a-z]+( [a-z]+)*)$/, stroke);
    }
    assert.deepEqual(problems, []);
  });

  it('forgets a key whose page is gone', async () => {
    const frames = swimFrames(given.view.url);
    const { value: { time: begun } } = await frames.next();
    assert.equal((await post(given.view, { hold: { up: 1 } })).status, 200);
    let held = 0; // seconds of the simulation
    let last = begun;
    for await (const { time, held: [up] } of frames) {
      if (up === 1) held += time - last;
      if (up === 0 && held > 0) break;
      last = time;
      assert.ok(time < begun + 10, `held for ${held} s`);
    }
    assert.ok(Math.abs(held - 1.2) < 0.2, `held for ${held} s`); // docs/server.md
  });

  it('takes fingers on the page’s pad', async () => {
    const { page, problems } = await openSwimmer(given.browser, given.view.url,
      { viewport: { width: 420, height: 720 }, hasTouch: true });
    const pad = page.getByLabel('Roll left (Q)');
    const box = await pad.boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await until(page, () => window.suppleViewer.swim().held[2] === 1);
    await page.mouse.up();
    await until(page, () => window.suppleViewer.swim().held[2] === 0);
    assert.deepEqual(problems, []);
  });

  it('is one swimmer for two pages', async () => {
    const one = await openSwimmer(given.browser, given.view.url, { clock: 'held' });
    const other = await openSwimmer(given.browser, given.view.url, { clock: 'held' });
    const names = await one.page.getByLabel('Stroke').locator('option')
      .evaluateAll((all) => all.map((option) => option.value));
    assert.ok(names.length >= 2);
    const { stroke } = await state(one.page);
    const next = names.find((name) => name !== stroke);
    await one.page.getByLabel('Stroke').selectOption(next);
    for (const { page } of [one, other]) {
      await until(page, (name) => window.suppleViewer.swim().stroke === name, next);
    }
    assert.equal(await other.page.getByLabel('Stroke').inputValue(), next);
    const [a, b] = await seenByBoth(one.page, other.page);
    assert.equal(a.run, b.run);
    assert.deepEqual(a.centre, b.centre, `at ${a.time} s`);
    await other.page.keyboard.press('Space');
    await until(one.page, (name) => window.suppleViewer.swim().stroke !== name, next);
    await one.page.getByLabel('Stroke').selectOption(stroke);
    await until(other.page, (name) => window.suppleViewer.swim().stroke === name, stroke);
    assert.deepEqual([...one.problems, ...other.problems], []);
  });

  it('rests while nobody looks', async (test) => {
    const { page } = await openSwimmer(given.browser, given.view.url);
    const alone = swimFrames(given.view.url);
    await alone.next();
    await page.close();
    const { value: { time } } = await alone.next();
    await alone.return();
    // Another swimmer, which does not pause, serves as the clock.
    const other = await startSwimmer();
    test.after(other.stop);
    let begun;
    for await (const frame of swimFrames(other.url)) {
      begun ??= frame.time;
      if (frame.time > begun + 3) break;
    }
    const again = swimFrames(given.view.url);
    const since = (await again.next()).value.time - time;
    await again.return();
    assert.ok(since < 1.5, `${since} s went by`);
  });

  it('says why the swimmer stopped, once, and how to start him again', async () => {
    const { page } = await openSwimmer(given.browser, given.view.url, {
      script: () => {
        const Real = window.EventSource;
        window.EventSource = class extends Real {
          constructor(...given) {
            super(...given);
            window.lastSource = this;
          }
        };
      },
    });
    await page.evaluate(() => {
      for (let i = 0; i < 2; ++i) {
        window.lastSource.dispatchEvent(new MessageEvent('stopped', { data: 'a cramp' }));
      }
    });
    const alerts = page.getByRole('alert');
    await alerts.first().waitFor();
    assert.match(await alerts.first().textContent(),
      /The swimmer has stopped.*A cramp.*Press 0.*another stroke/);
    assert.equal(await alerts.count(), 1);
  });

  it('says what is wrong with a call', async () => {
    const cases = [
      ['{', /JSON object/], ['[]', /JSON object/], ['{}', /JSON object/], ['', /JSON object/],
      [{ hold: 1 }, /'up', 'left' and 'roll'/], [{ hold: { up: 2 } }, /-1, 0 or 1/],
      [{ hold: { down: 1 } }, /unknown key 'down'/], [{ stroke: 'doggypaddle' }, /unknown stroke 'doggypaddle'/],
      [{ stroke: 3 }, /must be a name/], [{ command: 'fly' }, /has no commands?/],
      [{ target: [1, 2] }, /\[x, y, z\]/], [{ target: [1, 2, 1e9] }, /each within/],
      [{ reset: false }, /'reset' must be true/], [{ jump: 1 }, /unknown key 'jump'/],
    ];
    for (const [body, why] of cases) {
      const { status, text } = await post(given.view, body);
      assert.equal(status, 400, JSON.stringify(body));
      assert.match(text, why);
    }
    assert.equal((await post(given.view, { reset: true }, 'x'.repeat(64))).status, 403);
    const elsewhere = await fetch(`${given.view.url}/api/swim/x`);
    assert.equal(elsewhere.status, 404);
    assert.equal((await fetch(`${given.view.url}/api/swim`, { method: 'DELETE' })).status, 403);
  });
}

function recorded() {
  it('plays from a static host and says how it can be steered', async (test) => {
    const folder = mkdtempSync(join(tmpdir(), 'supple-swim-'));
    test.after(() => rmSync(folder, { recursive: true, force: true }));
    const site = join(folder, 'site');
    execFileSync(program('supple'), ['view', '--swim', '--export', site,
      '--viewer', viewerFolder(), '-q']);
    const server = await serve([site]);
    test.after(server.close);
    const browser = await openBrowser();
    test.after(() => browser.close());
    const { page, problems } = await openViewer(browser, server.url, {
      clock: 'screen', viewport: { width: 240, height: 180 },
    });
    await until(page, () => window.suppleViewer.clipTime > 0.2);
    assert.equal(await state(page), null);
    assert.match(await page.locator('.hint').textContent(), /supple view --swim/);
    assert.deepEqual(problems, []);
  });

  it('opens the file of a swim at the surface in its water', async (test) => {
    const folder = mkdtempSync(join(tmpdir(), 'supple-swim-'));
    test.after(() => rmSync(folder, { recursive: true, force: true }));
    const browser = await openBrowser();
    test.after(() => browser.close());
    for (const [stroke, surface] of [['crawl', 0], ['breaststroke', null]]) {
      const glb = join(folder, `${stroke}.glb`);
      execFileSync(program('supple'), ['swim', stroke, '--seconds', '3', '-o', glb, '-q']);
      const site = join(folder, stroke);
      execFileSync(program('supple'), ['view', glb, '--export', site,
        '--viewer', viewerFolder(), '-q']);
      const server = await serve([site]);
      test.after(server.close);
      const { page, problems } = await openViewer(browser, server.url, {
        viewport: { width: 240, height: 180 },
      });
      assert.equal(await page.evaluate(() => window.suppleViewer.surface), surface);
      const inWater = await page.evaluate(() => document.body.classList.contains('swimming'));
      assert.equal(inWater, surface !== null, stroke);
      assert.deepEqual(problems, []);
    }
  });
}

// The swimmer runs in real time: tests that wait for it run together.
describe('swimmer', { skip: browserMissing !== '', concurrency: true }, () => {
  const inTurn = { concurrency: 1 };
  describe('steered to the left', inTurn, steeredToTheLeft);
  describe('steered to the right', inTurn, steeredToTheRight);
  describe('live', inTurn, live);
  describe('recorded', inTurn, recorded);
});
