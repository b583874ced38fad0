// SPDX-License-Identifier: Apache-2.0
// Saved in the viewer and baked again: the same character, changed only by what was tuned.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

import { browserMissing, openBrowser } from './browser.mjs';
import { program, writeAssets } from './programs.mjs';
import { serve } from './support/static_server.mjs';
import { makeStripGlb } from './support/strip.mjs';
import { startSupple } from './support/supple_view.mjs';
import { closePages, drop, openViewer, until, viewerFolder } from './support/viewer.mjs';

if (browserMissing) console.log(browserMissing);

// Objects on several bones and masks, one and several layers, every way to damp.
const kFlesh = `
[[object]]
name = "trunk"
bones = ["Hips", "Spine", "Chest"]
elements = 900
modes = 4
layers = [{material = "skin", depth = 0.004}, {material = "fat", depth = 0.03}, {material = "muscle"}]
damping = {settle = 0.8}
sag = 0.3

[[object]]
name = "thighs"
bones = ["LeftThigh"]
elements = 600
capture = 0.6
layers = [{material = "fat", depth = 0.02}, {material = "muscle"}]
damping = {alpha = 1.2, beta = 0.004}

[[object]]
name = "arm"
bone = "RightUpperArm"
elements = 500
modes = 3
material = {E = 5100, nu = 0.46, rho = 1010}
damping = {ratio = 0.15}
limit = 0.02
`;

// Thin parts beside flesh, on bones.
const kMixed = `
[[object]]
name = "head"
bone = "Head"
elements = 500
modes = 3

[[shell]]
name = "hat"
mesh = "hat"
modes = 4
material = "felt"
tether = 2.5
damping = {mass = 0.9, stiffness = 0.002}
`;

const kWithin = 0.01; // relative, of frequencies and damping: .supple and .toml are rounded far less

describe('saved and baked again', { skip: browserMissing !== '' }, () => {
  let browser;
  let folder;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'supple-rebake-'));
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const run = (...words) => execFileSync(program('supple'), words, { encoding: 'utf8' });
  const file = (name) => join(folder, name);
  const parts = (name) => Object.fromEntries(JSON.parse(run('info', '--json', file(name))).objects
    .map((part) => [part.name, part]));
  const near = (value, expected, what) =>
    assert.ok(Math.abs(value / expected - 1) < kWithin, `${what}: ${value}, not ${expected}`);

  /** Bakes `input` to NAME.glb, tunes it in the page of `supple view`, saves, and bakes again with
   * the saved file to NAME-again.glb. */
  async function rebake({ command, input, name, options = [], tunings = {} }) {
    run(command, ...input, ...options, '-q', '-o', file(`${name}.glb`));
    const saved = file(`${name}.${command}.toml`);
    assert.ok(!existsSync(saved));
    const view = await startSupple(['view', file(`${name}.glb`), '--viewer', viewerFolder()]);
    try {
      const { page, problems } = await openViewer(browser, view.url,
        { viewport: { width: 1000, height: 700 } });
      await until(page, () => window.suppleViewer.hasFlesh);
      for (const [part, change] of Object.entries(tunings)) {
        await page.evaluate(([of, set]) => window.suppleViewer.setSettings(of, set),
          [part, change]);
      }
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Settings saved').waitFor();
      assert.deepEqual(problems, []);
    } finally {
      await closePages(browser);
      await view.stop();
    }
    run(command, ...input, '-c', saved, '-q', '-o', file(`${name}-again.glb`));
  }

  /** Frequencies of all parts, times the root of their stiffness, and damping ratios. */
  function compare(name, tunings) {
    const first = parts(`${name}.supple`);
    const again = parts(`${name}-again.supple`);
    assert.deepEqual(Object.keys(again), Object.keys(first));
    for (const [part, { kind, bone, mass_kg: mass, modes }] of Object.entries(first)) {
      const { stiffness = 1, damping = 1, modes: kept = modes.length } = tunings[part]
        ?? tunings.all ?? {};
      const now = again[part];
      assert.deepEqual([now.kind, now.bone], [kind, bone]);
      near(now.mass_kg, mass, `mass of ${part}`);
      assert.equal(now.modes.length, kept, part);
      now.modes.forEach((mode, k) => {
        near(mode.frequency_hz, modes[k].frequency_hz * Math.sqrt(stiffness), `${part} ${k}`);
        near(mode.damping, modes[k].damping * damping, `damping of ${part} ${k}`);
      });
    }
  }

  const man = () => {
    if (!existsSync(file('man.glb'))) {
      run('bake', '--sample', 'dyrt-man', '--elements', '300', '--modes', '1', '-q',
        '-o', file('man.glb'));
    }
    return file('man.glb');
  };
  const settings = (name, text) => {
    writeFileSync(file(name), text);
    return ['-c', file(name)];
  };

  it('keeps every byte if nothing was tuned', async () => {
    const cases = [
      { command: 'bake', input: [man()], name: 'same', options: settings('a.toml', kFlesh) },
      { command: 'bake', input: [man()], name: 'chosen', options: ['--elements', '300'] },
      { command: 'shell', input: ['--sample', 'v-beam'], name: 'beam', options: ['--modes', '3'] },
    ];
    for (const one of cases) {
      await rebake(one);
      assert.ok(readFileSync(file(`${one.name}.supple`))
        .equals(readFileSync(file(`${one.name}-again.supple`))), one.name);
    }
  });

  it('rings √2 times as fast with twice the stiffness, on the same bones and layers', async () => {
    const tunings = { all: { stiffness: 2 } };
    await rebake({
      command: 'bake', input: [man()], name: 'stiff', options: settings('b.toml', kFlesh), tunings,
    });
    compare('stiff', tunings);
    const saved = readFileSync(file('stiff.bake.toml'), 'utf8');
    assert.match(saved, /^bones = \["Hips", "Spine", "Chest"\]/m);
    assert.deepEqual([...saved.matchAll(/depth = ([\d.]+)/g)].map(([, depth]) => Number(depth)),
      [0.004, 0.03, 0.02]);
    assert.equal(saved.match(/"skin", E = 400000/g).length, 1);
    assert.equal(saved.match(/"muscle", E = 24000/g).length, 2);
  });

  it('changes each part by its own sliders', async () => {
    const tunings = {
      trunk: { stiffness: 0.4, damping: 1.7 },
      thighs: { damping: 0.5 },
      arm: { stiffness: 3.3, damping: 0.8, limitMetres: 0, modes: 2 },
    };
    await rebake({
      command: 'bake', input: [man()], name: 'each', options: settings('c.toml', kFlesh), tunings,
    });
    compare('each', tunings);
    assert.ok(parts('each-again.supple').arm.limit_m > 100, 'no limit in the viewer: none here');
    assert.equal(parts('each-again.supple').trunk.limit_m, parts('each.supple').trunk.limit_m);
  });

  it('does the same for shells, alone and beside flesh', async () => {
    const alone = { all: { stiffness: 2, damping: 1.5 } };
    for (const sample of ['leaf', 'v-beam']) {
      await rebake({ command: 'shell', input: ['--sample', sample], name: sample, tunings: alone });
      compare(sample, alone);
    }
    run('shell', '--sample', 'dancer', '-q', '-o', file('dancer.glb'));
    const both = { head: { stiffness: 2 }, hat: { stiffness: 0.5, damping: 2, modes: 9 } };
    await rebake({
      command: 'bake', input: [file('dancer.glb')], name: 'mixed',
      options: settings('d.toml', kMixed), tunings: both,
    });
    compare('mixed', both);
  });

  it('refuses to guess the settings of a file that has none', async () => {
    writeAssets(folder);
    writeFileSync(file('strip.glb'), makeStripGlb());
    const server = await serve([viewerFolder()]);
    const { page } = await openViewer(browser, server.url);
    await drop(page, ['strip.glb', 'strip.supple']
      .map((name) => ({ name, bytes: readFileSync(file(name)) })));
    await until(page, () => window.suppleViewer.hasFlesh);
    await page.keyboard.press('e');
    await page.getByText('strip.supple does not contain the settings it was baked with').waitFor();
    await server.close();
  });
});
