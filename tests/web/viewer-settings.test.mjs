// SPDX-License-Identifier: Apache-2.0
// Settings in the viewer: read and printed by `supple view`, edited by key, saved beside the character.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';

import { browserMissing, openBrowser } from './browser.mjs';
import { program, sourceRoot } from './programs.mjs';
import { serve } from './support/static_server.mjs';
import { startSupple } from './support/supple_view.mjs';
import {
  bakedSamples, closePages, downloaded, drop, openViewer, until, viewerFolder,
} from './support/viewer.mjs';

if (browserMissing) console.log(browserMissing);

describe('settings', { skip: browserMissing !== '' }, () => {
  let browser;
  let folder;
  let view;
  let original;
  before(async () => {
    const samples = await bakedSamples();
    browser = await openBrowser();
    folder = mkdtempSync(join(tmpdir(), 'supple-settings-'));
    for (const name of ['man.glb', 'man.supple']) {
      copyFileSync(join(samples, name), join(folder, name));
    }
    original = `# my own words\n${readFileSync(join(samples, 'man.toml'), 'utf8')}# the end\n`;
    writeFileSync(join(folder, 'man.bake.toml'), original);
    view = await startSupple(['view', join(folder, 'man.glb'), '--viewer', viewerFolder()]);
  });
  afterEach(() => closePages(browser));
  after(async () => {
    await browser?.close();
    await view?.stop();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  /** What `supple bake` understands of a file, as TOML without comments. */
  const understood = (toml) => {
    const path = join(folder, 'understood.toml');
    writeFileSync(path, toml);
    return execFileSync(program('supple'), ['bake', join(folder, 'man.glb'), '-c', path,
      '--print-config'], { encoding: 'utf8' }).replaceAll(/\s*#.*/g, '');
  };
  const object = (toml, name) => toml.split('[[object]]')
    .find((block) => block.includes(`name = "${name}"`));
  const exported = (page) => page.evaluate(() => window.suppleViewer.exportSettings());
  const bytesOf = (name) => ({ name, bytes: readFileSync(join(folder, name)) });
  /** Serves files of a folder without the program. */
  const serveStatic = (root) => serve([root]);
  const tune = (page) => page.evaluate(() => {
    window.suppleViewer.setSettings('all', { gain: 1.5 });
    window.suppleViewer.setSettings('left_thigh', { stiffness: 4, damping: 0.5 });
    window.suppleViewer.setSettings('abdomen', { stiffness: 2, limitMetres: 0.033, modes: 2 });
  });
  const checkTuned = (text) => {
    const toml = understood(text);
    assert.match(toml, /^gain = 1\.5$/m);
    const left = object(toml, 'left_thigh');
    // Presets of docs/flesh.md: fat 3.25 kPa, muscle 12 kPa; four times.
    assert.match(left, /"fat", E = 13000, nu = 0\.49, rho = 950.*depth = 0\.02/);
    assert.match(left, /"muscle", E = 48000, nu = 0\.49, rho = 1050/);
    assert.match(left, /damping = \{ratio = 0\.06\}/);
    assert.equal(object(toml, 'right_thigh'), object(understood(original), 'right_thigh'),
      'others stay');
    const belly = object(toml, 'abdomen');
    assert.match(belly, /E = 6500,/);
    assert.match(belly, /^limit = 0\.033$/m);
    assert.match(belly, /^modes = 2$/m);
    assert.match(belly, /^mask = "_BELLY"$/m);
  };

  it('exports what was set, and leaves everything else as it was written', async () => {
    const { page, problems } = await openViewer(browser, view.url);
    assert.equal(await exported(page), original, 'nothing was set');
    await tune(page);
    const file = await downloaded(page, () => page.keyboard.press('e'));
    assert.equal(file.name, 'man.bake.toml');
    const text = file.bytes.toString();
    checkTuned(text);
    const changed = text.split('\n').filter((line) => !original.includes(line));
    assert.ok(changed.length <= 9, changed.join('\n'));
    assert.ok(text.startsWith('# my own words\n') && text.endsWith('# the end\n'), text);
    assert.deepEqual(problems, []);
  });

  it('exports the same from a page without a server', async () => {
    const site = join(folder, 'site');
    execFileSync(program('supple'), ['view', join(folder, 'man.glb'), '--viewer', viewerFolder(),
      '--export', site, '--quiet']);
    const server = await serveStatic(site);
    const { page, problems } = await openViewer(browser, server.url);
    await tune(page);
    checkTuned(await exported(page));
    await drop(page, [{ name: 'other.toml', bytes: Buffer.from('unit = 1\n') }]);
    await page.getByText('Only a page of “supple view” can read settings').waitFor();
    assert.deepEqual(problems, []);
    await server.close();
  });

  it('bakes what was seen: four times the stiffness is twice the frequency', async () => {
    const { page } = await openViewer(browser, view.url);
    await page.evaluate(() => window.suppleViewer.setSettings('all', { stiffness: 4 }));
    const path = join(folder, 'stiff.toml');
    writeFileSync(path, await exported(page));
    execFileSync(program('supple'), ['bake', join(folder, 'man.glb'), '-c', path,
      '--only', 'abdomen', '--quiet', '-o', join(folder, 'stiff.glb')]);
    const info = (name) => JSON.parse(execFileSync(program('supple'), ['info', '--json', name],
      { encoding: 'utf8' })).objects.find(({ name: part }) => part === 'abdomen');
    const before = info(join(folder, 'man.supple')).modes.map((m) => m.frequency_hz);
    const after = info(join(folder, 'stiff.supple')).modes.map((m) => m.frequency_hz);
    after.forEach((hz, k) => assert.ok(Math.abs(hz / before[k] - 2) < 1e-3, `${before[k]}: ${hz}`));
  });

  it('reads the settings that the flesh contains where the character came without a file', async () => {
    const plain = await serveStatic(viewerFolder());
    for (const url of [view.url, plain.url]) { // with the program, and without
      const { page } = await openViewer(browser, url);
      const before = await page.evaluate(() => window.suppleViewer.opened);
      await drop(page, [bytesOf('man.glb'), bytesOf('man.supple')]);
      await until(page, (count) => window.suppleViewer.opened > count, before);
      assert.equal(understood(await exported(page)), understood(original));
      await tune(page);
      checkTuned(await exported(page));
      await page.evaluate(() => window.suppleViewer.setSettings('left_thigh', { gain: 3 }));
      assert.match(await exported(page), /gain of left_thigh in the viewer: 3/);
    }
    await plain.close();
  });

  it('scales the numbers of the bake on screen, and keeps what waits in the file', async () => {
    const { page } = await openViewer(browser, view.url);
    const waiting = original.replace('elements = 1200', 'elements = 1300')
      .replaceAll('limit = 0.08', 'limit = 0.07');
    await drop(page, [bytesOf('man.glb'), bytesOf('man.supple'),
      { name: 'man.bake.toml', bytes: Buffer.from(waiting.replaceAll('"fat"', '"gelatine"')) }]);
    await until(page, () => window.suppleViewer.opened === 2);
    await page.evaluate(() => window.suppleViewer.setSettings('abdomen', { stiffness: 2 }));
    const toml = understood(await exported(page));
    assert.match(object(toml, 'abdomen'), /"fat", E = 6500,/, 'the flesh on screen is fat');
    assert.match(object(toml, 'abdomen'), /^limit = 0\.07$/m);
    assert.match(object(toml, 'left_thigh'), /"gelatine"/);
    assert.match(object(toml, 'left_thigh'), /^elements = 1300$/m);
  });

  it('knows the materials of the program', () => {
    const help = execFileSync(program('supple'), ['bake', '--help'], { encoding: 'utf8' });
    const list = help.slice(help.indexOf('Materials for a bake.toml'));
    const rows = [...list.matchAll(/^ +(\w+) +([\d.e+]+) Pa +nu ([\d.]+) +(\d+) kg/gm)];
    assert.ok(rows.length >= 6);
    const table = JSON.parse(readFileSync(
      join(sourceRoot, 'web/viewer/src/data/settings_table.json'), 'utf8'));
    const fields = (list, key) => list.find((field) => field.key === key).forms;
    const { means } = fields(fields(table, 'object')[0].fields, 'material')
      .find((form) => form.means);
    assert.equal(Object.keys(means).length, rows.length);
    for (const [, name, youngs, nu, rho] of rows) {
      assert.deepEqual([means[name].E, means[name].nu, means[name].rho],
        [youngs, nu, rho].map(Number));
    }
  });

  it('edits settings by key', async () => {
    const { page, problems } = await openViewer(browser, view.url,
      { viewport: { width: 1000, height: 700 } });
    await page.evaluate(() => window.suppleViewer.select('abdomen'));
    await page.getByText('All settings of the bake').click();
    const field = (name) => page.getByLabel(name, { exact: true });
    const set = async (name, value) => {
      await field(name).fill(value);
      await field(name).press('Tab');
    };
    await set('elements', '7000');
    await set('damping.ratio', '0.5');
    await field('coriolis').check();
    await field('material').selectOption('muscle');
    await set('border', '1'); // must be below 1
    assert.equal(await field('border').evaluate((input) => input.validationMessage),
      'must be below 1');
    const belly = object(understood(await exported(page)), 'abdomen');
    assert.match(belly, /^elements = 7000$/m);
    assert.match(belly, /damping = \{ratio = 0\.5\}/);
    assert.match(belly, /^coriolis = true$/m);
    assert.match(belly, /^material = "muscle"$/m);
    assert.match(belly, /^border = 0\.25$/m, 'a refused value is not written');
    await page.getByRole('button', { name: 'Reset all' }).click();
    assert.equal(await exported(page), original);
    assert.equal(await field('elements').inputValue(), '1200');
    assert.deepEqual(problems, []);
  });

  it('says what is wrong with settings that were dropped', async () => {
    const { page } = await openViewer(browser, view.url);
    await drop(page, [bytesOf('man.glb'), bytesOf('man.supple'),
      { name: 'bad.toml', bytes: Buffer.from('[[object]]\nbone = "a"\nmodes = 0\n') }]);
    await page.getByText('bad.toml was not read').waitFor();
    await page.getByText('modes is 0; it must be from 1 to 1000', { exact: false }).waitFor();
  });

  it('saves beside the character', async () => {
    const { page } = await openViewer(browser, view.url, { viewport: { width: 1000, height: 500 } });
    const file = join(folder, 'man.bake.toml');
    await page.evaluate(() => window.suppleViewer.setSettings('abdomen', { stiffness: 2 }));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Settings saved').waitFor();
    const saved = readFileSync(file, 'utf8');
    assert.match(object(understood(saved), 'abdomen'), /E = 6500,/);
    assert.ok(saved.startsWith('# my own words\n'));
    utimesSync(join(folder, 'man.glb'), new Date(), new Date());
    await page.getByText('Reloaded: the file changed').waitFor();
    assert.match(object(understood(await exported(page)), 'abdomen'), /E = 6500,/, 'scaled twice');
    chmodSync(file, 0o444);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('409', { exact: false }).waitFor();
    chmodSync(file, 0o644);
    writeFileSync(file, original);
  });
});
