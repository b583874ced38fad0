// SPDX-License-Identifier: Apache-2.0
// What leaves the viewer: films, pictures.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';

import { browserMissing, openBrowser } from './browser.mjs';
import {
  closePages, downloaded, kItems, openViewer, serveViewer, until,
} from './support/viewer.mjs';

if (browserMissing) console.log(browserMissing);

describe('output', { skip: browserMissing !== '' }, () => {
  let browser;
  let server;
  let folder;
  before(async () => {
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
});
