// SPDX-License-Identifier: Apache-2.0
// supple-three with characters in several skins: what three.js draws is what it draws of the same
// character in one.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

import { browserMissing, openBrowser, openPage, serveTests } from './browser.mjs';
import { program, sourceRoot } from './programs.mjs';
import { compress, kWays } from './support/compress.mjs';
import { splitSkins, writePlain } from './support/split_skins.mjs';

if (browserMissing) console.log(browserMissing);

/** Of the character's size: positions and inverse bind matrices are floats in units of their own. */
const kSame = 1e-4;

/** Of the answer: volumes around rounded positions may differ in a few elements. */
const kSamePush = 0.01;

/** Shapes are rounded to 16 bits of the largest, each component, in axes of their own. */
const kRounded = 1e-4;

const kept = join(sourceRoot, '../shared/assets');
const characters = {
  'dyrt-man': null,
  CesiumMan: join(kept, 'khronos/CesiumMan/CesiumMan.glb'),
  Fox: join(kept, 'khronos/Fox/Fox.glb'),
};

function bake(from, to) {
  execFileSync(program('supple'), ['bake', ...from, '--elements', '400', '--modes', '3', '--quiet',
    '-o', to], { stdio: ['ignore', 'ignore', 'inherit'] });
}

describe('several skins', { skip: browserMissing !== '' }, () => {
  let folder, server, browser;
  const inFolder = (name) => join(folder, name);
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'supple-skins-'));
    server = await serveTests(folder);
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Writes the character before its bake; returns the numbers of its vertices. */
  async function plain(name, file) {
    if (file === null) {
      bake(['--sample', name], inFolder(`${name}.baked.glb`));
      file = inFolder(`${name}.baked.glb`);
    }
    return writePlain(file, inFolder('one.source.glb'));
  }

  /** Calls a function of a page, which must not complain. */
  async function inPage(module, ...given) {
    const { page, errors } = await openPage(browser, server.address);
    const found = await page.evaluate(
      async ([from, values]) => (await import(`/tests/pages/${from}`)).compare(...values),
      [module, given],
    );
    await page.close();
    assert.deepEqual(errors, []);
    return found;
  }

  /** Tools give every quantised mesh a box of its own, and every skin matrices to match. */
  async function checkQuantised() {
    const { error } = kWays.quantize;
    await compress(inFolder('several.glb'), inFolder('small.glb'), 'quantize');
    const found = await inPage('codecs.js', 'several.glb', 'small.glb', 'several.supple');
    console.log(`quantised: moved by up to ${found.far.toExponential(1)} of the size; `
      + `displacements within ${found.wrong.toExponential(1)}. ${found.said.join(' ')}`);
    assert.ok(found.far <= 2 * error + 1e-6, `${found.far}`);
    assert.ok(found.wrong <= 0.01, `${found.wrong}`);
    assert.equal(found.said.length, 1);
  }

  for (const [name, file] of Object.entries(characters)) {
    for (const [seed, scales] of [[1, [1, 1, 1]], [2, [1, 0.01, 20]]]) {
      it(`${name} in units ${scales.join(', ')}`, async (test) => {
        if (file !== null && !existsSync(file)) return test.skip(`SKIPPED: ${file} is not there`);
        const one = await plain(name, file);
        const several = await splitSkins(
          inFolder('one.source.glb'), inFolder('several.source.glb'), { seed, scales });
        for (const way of ['one', 'several']) {
          bake([inFolder(`${way}.source.glb`)], inFolder(`${way}.glb`));
        }
        const found = await inPage('skins.js', 'one', 'several', { one, several });
        const { moving, still, crowd, flesh, pushes, skins, inside, radius } = found;
        const text = [moving, still, crowd].map((d) => d.position.toExponential(1)).join(', ');
        console.log(`${name} [${scales}]: ${skins.join(' and ')} skins, ${moving.count} vertices; `
          + `moving, still, crowd differ by ${text}, normals by ${moving.normal.toExponential(1)}; `
          + `flesh moves by ${flesh.toPrecision(2)}`);
        assert.ok(skins[0] === 1 && skins[1] >= 3, `${skins}`);
        assert.ok(flesh > kSame && flesh > 10 * moving.position, `flesh moves by ${flesh} only`);
        for (const { position } of [moving, still, crowd]) assert.ok(position < kSame, `${position}`);
        assert.ok(moving.normal < 0.01, `${moving.normal}`);
        assert.ok(inside, 'the bounds do not hold all vertices');
        assert.ok(radius < 1.5, `bounds ${radius} times as large`);
        const most = Math.max(...pushes.map(({ largest }) => largest));
        assert.ok(most > 1e-6, `${most}`);
        for (const { largest, wrong } of pushes) {
          assert.ok(wrong <= kSamePush * largest + kRounded * most, `${wrong} of ${largest}`);
        }
        if (moving.count < 10_000) await checkQuantised(); // vertices are compared in pairs
      });
    }
  }
});
