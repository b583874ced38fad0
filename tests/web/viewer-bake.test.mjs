// SPDX-License-Identifier: Apache-2.0
// A file without flesh, dropped on the page of `supple view`: its server bakes it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';

import { browserMissing, openBrowser } from './browser.mjs';
import { program } from './programs.mjs';
import { startSupple } from './support/supple_view.mjs';
import {
  bakedSamples, closePages, downloaded, drop, openViewer, passes, reads, until, viewerFolder,
} from './support/viewer.mjs';

if (browserMissing) console.log(browserMissing);

const kQuick = '[[object]]\nname = "arm"\nbone = "RightUpperArm"\nelements = 300\nmodes = 3\n';
const kSlow = '[[object]]\nname = "arm"\nbone = "RightUpperArm"\nelements = 20000\nmodes = 40\n';

/** A .glb as .gltf with its bytes in a separate file. */
function split({ name, bytes }) {
  const stem = name.replace(/\.glb$/, '');
  const length = bytes.readUInt32LE(12);
  const json = JSON.parse(bytes.subarray(20, 20 + length).toString());
  json.buffers[0].uri = `${stem}.bin`;
  const begin = 20 + length + 8;
  return [
    { name: `${stem}.gltf`, bytes: Buffer.from(JSON.stringify(json)) },
    { name: `${stem}.bin`, bytes: bytes.subarray(begin, begin + json.buffers[0].byteLength) },
  ];
}

describe('baking from the page', { skip: browserMissing !== '' }, () => {
  let browser;
  let folder;
  let view;
  let man;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'supple-page-bake-'));
    process.env.TMPDIR = folder; // of the server's own files
    browser = await openBrowser();
    view = await startSupple(['view', '--viewer', viewerFolder()]);
    man = { name: 'man.glb', bytes: readFileSync(join(await bakedSamples(), 'man.glb')) };
  });
  afterEach(() => closePages(browser));
  after(async () => {
    await browser?.close();
    assert.equal(await view?.stop(), 0);
    assert.deepEqual(readdirSync(folder).filter((name) => name.startsWith('supple-bake')), []);
    rmSync(folder, { recursive: true, force: true });
  });

  const open = () => openViewer(browser, view.url, { viewport: { width: 1000, height: 700 } });
  const toml = (text) => ({ name: 'man.bake.toml', bytes: Buffer.from(text) });
  const button = (page, name) => page.getByRole('button', { name, exact: true });

  it('gives flesh to a dropped character, which moves, and hands out its files', async () => {
    const { page, problems } = await open();
    await page.getByText('can be baked here').waitFor();
    await drop(page, [...split(man), toml(kQuick)]);
    await button(page, 'Give it flesh').click();
    await until(page, () => window.suppleViewer.hasFlesh);
    assert.equal(await page.evaluate(() => window.suppleViewer.itemId), 'man_soft');
    assert.equal((await page.evaluate(() => window.suppleViewer.coefficients())).length, 3);
    await passes(page, () => {
      const now = window.suppleViewer.coefficients();
      const modes = window.suppleViewer.modes();
      return Math.hypot(...now.map((value, i) => value * modes[i].largestDisplacement)) > 1e-3;
    });
    // The same bytes as those of the program, with the same settings.
    const files = {};
    for (const ending of ['glb', 'supple']) {
      const got = await downloaded(page, () =>
        page.locator('.bake').getByTitle(`Download man_soft.${ending}`).click());
      assert.equal(got.name, `man_soft.${ending}`);
      files[ending] = got.bytes;
    }
    for (const { name, bytes } of split(man)) writeFileSync(join(folder, name), bytes);
    writeFileSync(join(folder, 'arm.toml'), kQuick);
    execFileSync(program('supple'), ['bake', join(folder, 'man.gltf'), '-q',
      '-c', join(folder, 'arm.toml'), '-o', join(folder, 'alone.glb')]);
    assert.ok(files.supple.equals(readFileSync(join(folder, 'alone.supple'))), '.supple');
    assert.ok(files.glb.equals(readFileSync(join(folder, 'alone.glb'))), '.glb');
    assert.deepEqual(problems, []);
  });

  it('shows progress, cancels, and says why a bake failed', async () => {
    const { page, problems } = await open();
    await drop(page, [man, toml(kSlow)]);
    await button(page, 'Give it flesh').click();
    await page.getByText('Baking flesh: arm').waitFor();
    const value = () => document.querySelector('.bake progress').value;
    const first = await reads(page, value, (share) => share > 0);
    await reads(page, value, (share) => share > first);

    await button(page, 'Cancel').click();
    await page.getByText('The bake was cancelled').waitFor();
    await drop(page, [toml('[[object]]\nname = "wing"\nbone = "Wing"\n')]);
    await button(page, 'Give it flesh').click();
    await page.getByText('no bone').waitFor();
    assert.equal(await page.evaluate(() => window.suppleViewer.hasFlesh), false);
    assert.deepEqual(problems, []);
  });
});
