// SPDX-License-Identifier: Apache-2.0
// What leaves the viewer: films, pictures, settings.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';

import { browserMissing, openBrowser } from './browser.mjs';
import { program } from './programs.mjs';
import {
  bakedSamples, closePages, downloaded, drop, kItems, openViewer, serveViewer, until,
} from './support/viewer.mjs';

if (browserMissing) console.log(browserMissing);

describe('output', { skip: browserMissing !== '' }, () => {
  let browser;
  let server;
  let folder;
  let samples;
  before(async () => {
    samples = await bakedSamples();
    browser = await openBrowser();
    server = await serveViewer({ gallery: true, items: kItems });
    folder = mkdtempSync(join(tmpdir(), 'supple-viewer-'));
  });
  afterEach(() => closePages(browser));
  after(async () => {
    await browser?.close();
    await server?.close();
    if (folder) rmSync(folder, { recursive: true });
  });

  it('records a WebM film', async () => {
    const { page, problems } = await openViewer(browser, server.url, {
      hash: '#item=man', clock: 'screen', viewport: { width: 320, height: 240 },
      // The encoder is another thread: it has come so far as there are pieces of the film.
      script: () => {
        window.pieces = 0;
        const Real = window.MediaRecorder;
        window.MediaRecorder = class extends Real {
          constructor(...given) {
            super(...given);
            this.addEventListener('dataavailable', ({ data }) => {
              if (data.size > 0) ++window.pieces;
            });
          }
        };
      },
    });
    await page.keyboard.press('r');
    await page.getByRole('button', { name: 'Stop recording' }).waitFor();
    await until(page, () => window.pieces > 3);
    const film = await downloaded(page, () => page.keyboard.press('r'));
    assert.equal(film.name, 'man.webm');
    assert.ok(film.bytes.length > 2000, `${film.bytes.length} bytes`);
    assert.equal(film.bytes.readUInt32BE(0), 0x1a45dfa3, 'EBML'); // RFC 8794
    const path = join(folder, 'film.webm');
    writeFileSync(path, film.bytes);
    const probe = spawnSync('ffprobe', ['-v', 'error', '-count_frames', '-select_streams', 'v',
      '-show_entries', 'stream=codec_name,width,nb_read_frames', '-of', 'json', path]);
    if (probe.error) {
      console.log('SKIPPED: ffprobe is not there; the film was not decoded');
    } else {
      const [stream] = JSON.parse(probe.stdout).streams;
      assert.match(stream.codec_name, /^vp[89]$/);
      assert.equal(stream.width, 320);
      assert.ok(Number(stream.nb_read_frames) > 2, `${stream.nb_read_frames} frames`);
    }
    assert.deepEqual(problems, []);
  });

  it('takes a picture', async () => {
    const { page, problems } = await openViewer(browser, server.url, { hash: '#item=man' });
    const picture = await downloaded(page,
      () => page.getByRole('button', { name: 'Take a picture' }).click());
    assert.equal(picture.name, 'man.png');
    assert.deepEqual([...picture.bytes.subarray(0, 8)], [137, 80, 78, 71, 13, 10, 26, 10]);
    assert.deepEqual([picture.bytes.readUInt32BE(16), picture.bytes.readUInt32BE(20)], [640, 400]);
    assert.deepEqual(problems, []);
  });

  /** What `supple bake` understands of a file, as TOML without comments. */
  const understood = (toml) => {
    const path = join(folder, 'bake.toml');
    writeFileSync(path, toml);
    return execFileSync(program('supple'), ['bake', join(samples, 'man.glb'), '-c', path,
      '--print-config'], { encoding: 'utf8' }).replaceAll(/\s*#.*/g, '');
  };
  const object = (toml, name) => toml.split('[[object]]')
    .find((block) => block.includes(`name = "${name}"`));

  it('exports what was set, in the words of the file it was baked with', async () => {
    const { page, problems } = await openViewer(browser, server.url, { hash: '#item=man' });
    await page.evaluate(() => {
      window.suppleViewer.setSettings('all', { gain: 1.5 });
      window.suppleViewer.setSettings('left_thigh', { stiffness: 4, damping: 0.5 });
      window.suppleViewer.setSettings('abdomen', { stiffness: 2, limitMetres: 0.033, modes: 2 });
    });
    const file = await downloaded(page, () => page.keyboard.press('e'));
    assert.equal(file.name, 'man.bake.toml');
    const toml = understood(file.bytes.toString());
    const original = await readFile(join(samples, 'man.toml'), 'utf8');
    const was = understood(original);
    assert.match(toml, /^gain = 1\.5$/m);
    const left = object(toml, 'left_thigh');
    // Presets of docs/flesh.md: fat 3.25 kPa, muscle 12 kPa; four times.
    assert.match(left, /"fat", E = 13000, nu = 0\.49, rho = 950.*depth = 0\.02/);
    assert.match(left, /"muscle", E = 48000, nu = 0\.49, rho = 1050/);
    assert.match(left, /damping = \{ratio = 0\.06\}/);
    assert.equal(object(toml, 'right_thigh'), object(was, 'right_thigh'), 'others stay');
    const belly = object(toml, 'abdomen');
    assert.match(belly, /E = 6500,/);
    assert.match(belly, /^limit = 0\.033$/m);
    assert.match(belly, /^modes = 2$/m);
    assert.match(belly, /^mask = "_BELLY"$/m);
    assert.deepEqual(problems, []);
  });

  it('bakes what was seen: four times the stiffness is twice the frequency', async () => {
    const { page } = await openViewer(browser, server.url, { hash: '#item=man' });
    await page.evaluate(() => window.suppleViewer.setSettings('all', { stiffness: 4 }));
    const path = join(folder, 'stiff.toml');
    writeFileSync(path, await page.evaluate(() => window.suppleViewer.exportSettings()));
    execFileSync(program('supple'), ['bake', join(samples, 'man.glb'), '-c', path,
      '--only', 'abdomen', '--quiet', '-o', join(folder, 'stiff.glb')]);
    const info = (name) => JSON.parse(execFileSync(program('supple'), ['info', '--json', name],
      { encoding: 'utf8' })).objects.find(({ name: part }) => part === 'abdomen');
    const before = info(join(samples, 'man.supple')).modes.map((m) => m.frequency_hz);
    const after = info(join(folder, 'stiff.supple')).modes.map((m) => m.frequency_hz);
    after.forEach((hz, k) => assert.ok(Math.abs(hz / before[k] - 2) < 1e-3, `${before[k]}: ${hz}`));
  });

  it('writes a file that bakes where the character came without settings', async () => {
    const { page } = await openViewer(browser, server.url);
    await drop(page, ['man.glb', 'man.supple']);
    await until(page, () => window.suppleViewer.hasFlesh);
    await page.evaluate(() => window.suppleViewer.setSettings('left_thigh',
      { stiffness: 2, damping: 2, gain: 3, limitMetres: 0.02 }));
    const text = await page.evaluate(() => window.suppleViewer.exportSettings());
    assert.match(text, /gain of left_thigh in the viewer: 3/);
    const left = object(understood(text), 'left_thigh');
    assert.match(left, /^bone = "LeftThigh"$/m);
    assert.match(left, /E = 6500,/);
    assert.match(left, /damping = \{ratio = 0\.24\}/);
    assert.match(left, /^limit = 0\.02$/m);
  });

  it('knows the materials of the program', async () => {
    const help = execFileSync(program('supple'), ['bake', '--help'], { encoding: 'utf8' });
    const list = help.slice(help.indexOf('Materials of a bake.toml'));
    const rows = [...list.matchAll(/^ +(\w+) +([\d.e+]+) Pa +nu ([\d.]+) +(\d+) kg/gm)];
    assert.ok(rows.length >= 6);
    const { page } = await openViewer(browser, server.url);
    for (const [, name, youngs, nu, rho] of rows) {
      const toml = `[[object]]\nname = "abdomen"\nmask = "_BELLY"\nmaterial = "${name}"\n`;
      await drop(page, ['man.glb', 'man.supple', { name: 'a.toml', bytes: Buffer.from(toml) }]);
      await until(page, (wanted) =>
        window.suppleViewer.exportSettings()?.includes(`"${wanted}"`), name);
      const text = await page.evaluate(() => {
        window.suppleViewer.setSettings('all', { stiffness: 2 });
        return window.suppleViewer.exportSettings();
      });
      const found = /E = (\S+), nu = (\S+), rho = (\S+)}/.exec(text);
      assert.deepEqual(found.slice(1).map(Number), [2 * Number(youngs), Number(nu), Number(rho)]);
    }
  });

  it('saves to the server where there is one', async () => {
    const seen = [];
    let listening;
    const told = new Promise((ready) => { listening = ready; });
    const live = await serveViewer({
      items: kItems.slice(0, 1), live: { token: 'secret', events: 'api/events', save: 'api/save' },
    }, {
      '/api/events': (_request, response) => {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.write(': hello\n\n');
        listening((text) => response.write(text));
      },
      '/man.toml': async (_request, response) => {
        const original = await readFile(join(samples, 'man.toml'));
        response.end(seen[0]?.[3] ?? original); // serves what was saved
      },
      '/api/save': (request, response) => {
        let body = '';
        request.on('data', (piece) => { body += piece; });
        request.on('end', () => {
          seen.push([request.method, request.url, request.headers['x-supple-token'], body]);
          response.statusCode = seen.length > 1 ? 403 : 204;
          response.end();
        });
      },
    });
    const viewport = { width: 1000, height: 500 };
    const { page } = await openViewer(browser, live.url, { viewport });
    await page.evaluate(() => window.suppleViewer.setSettings('abdomen', { stiffness: 2 }));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Settings saved').waitFor();
    const [method, url, token, body] = seen[0];
    assert.deepEqual([method, url, token], ['PUT', '/api/save/man', 'secret']);
    assert.match(object(understood(body), 'abdomen'), /E = 6500,/);
    (await told)('event: changed\ndata: {"id": "man"}\n\n');
    await page.getByText('Reloaded: the file changed').waitFor();
    const again = await page.evaluate(() => window.suppleViewer.exportSettings());
    assert.match(object(understood(again), 'abdomen'), /E = 6500,/, 'scaled twice');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('the server returned 403', { exact: false }).waitFor();
    await live.close();
  });
});
