// SPDX-License-Identifier: Apache-2.0
// `supple view` and a real browser: the viewer runs under its policy, pages of others get nothing.
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';

import { browserMissing, openBrowser } from './browser.mjs';
import { startSupple } from './support/supple_view.mjs';
import {
  bakedSamples, closePages, drop, openViewer, until, viewerFolder,
} from './support/viewer.mjs';

if (browserMissing) console.log(browserMissing);

const kPolicyParts = ["default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'",
  "frame-ancestors 'none'", "base-uri 'none'"];

/** A textured triangle whose buffer and image stand inside the .gltf. */
function embeddedTriangle() {
  const corners = [0, 0, 0, 1, 0, 0, 0, 1, 0];
  const texture = [0, 0, 1, 0, 0, 1];
  const bytes = Buffer.from(new Float32Array([...corners, ...texture]).buffer);
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQ'
    + 'AAAABJRU5ErkJggg==';
  return JSON.stringify({
    asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }], nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0, TEXCOORD_0: 1 }, material: 0 }] }],
    materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
    textures: [{ source: 0 }], images: [{ uri: `data:image/png;base64,${pixel}` }],
    accessors: [
      {
        bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0],
      },
      { bufferView: 1, componentType: 5126, count: 3, type: 'VEC2' },
    ],
    bufferViews: [{ buffer: 0, byteLength: 36 }, { buffer: 0, byteOffset: 36, byteLength: 24 }],
    buffers: [{
      byteLength: 60, uri: `data:application/octet-stream;base64,${bytes.toString('base64')}`,
    }],
  });
}

/** An empty foreign page. */
async function foreignPage() {
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<!doctype html><link rel="icon" href="data:,"><title>foreign</title>');
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address();
  return { port, url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

describe('supple view', { skip: browserMissing !== '' }, () => {
  let browser;
  let folder;
  let view;
  before(async () => {
    // A foreign name that resolves to this machine.
    browser = await openBrowser(['--host-resolver-rules=MAP evil.test 127.0.0.1']);
    folder = mkdtempSync(join(tmpdir(), 'supple-view-'));
    const samples = await bakedSamples();
    for (const name of ['man.glb', 'man.supple']) {
      copyFileSync(join(samples, name), join(folder, name));
    }
    view = await startSupple(['view', join(folder, 'man.glb'), '--viewer', viewerFolder()]);
  });
  afterEach(() => closePages(browser));
  after(async () => {
    await browser?.close();
    await view?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('runs the viewer under a strict policy without a violation', async () => {
    const { page, problems } = await openViewer(browser, view.url, {
      clock: 'screen',
      script: () => {
        window.violations = [];
        document.addEventListener('securitypolicyviolation', (event) => {
          window.violations.push(`${event.violatedDirective}: ${event.blockedURI}`);
        });
      },
    });
    await until(page, () => window.suppleViewer.itemId === 'man' && window.suppleViewer.hasFlesh);
    await until(page, () => window.suppleViewer.frames > 3);
    assert.deepEqual(await page.evaluate(() => window.violations), []);
    assert.deepEqual(problems, []);
    const { headers } = await fetch(view.url);
    for (const part of kPolicyParts) {
      assert.ok(headers.get('content-security-policy').includes(part), part);
    }
  });

  it('shows a character with embedded buffers and images', async () => {
    const { page, problems } = await openViewer(browser, view.url);
    await drop(page, [{ name: 'triangle.gltf', bytes: embeddedTriangle() }]);
    await until(page, () => window.suppleViewer.itemId === 'triangle'
      || window.suppleViewer.errors.length > 0);
    assert.deepEqual(await page.evaluate(() => window.suppleViewer.errors), []);
    assert.deepEqual(problems, []);
  });

  it('blocks what the policy forbids', async () => {
    const { page } = await openViewer(browser, view.url);
    const ran = await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.ran = true';
      document.body.append(script);
      return window.ran === true;
    });
    assert.equal(ran, false);
    await assert.rejects(page.evaluate(() => fetch('http://127.0.0.1:9/')));
  });

  it('gives pages of others nothing', async () => {
    const foreign = await foreignPage();
    const page = await browser.newPage();
    await page.goto(foreign.url);
    const outcomes = await page.evaluate(async (url) => {
      const tried = async (promise) => {
        try {
          const response = await promise;
          return `${response.type} ${response.status}`;
        } catch {
          return 'refused';
        }
      };
      const element = (name, key, address) => new Promise((done) => {
        const one = document.createElement(name);
        one.onload = () => done('loaded');
        one.onerror = () => done('refused');
        one[key] = address;
        document.body.append(one);
      });
      return {
        fetch: await tried(fetch(`${url}/manifest.json`)),
        blind: await tried(fetch(`${url}/manifest.json`, { mode: 'no-cors' })),
        put: await tried(fetch(`${url}/api/settings/man`, { method: 'PUT', body: 'x = 1' })),
        post: await tried(fetch(`${url}/api/settings/man`,
          { method: 'POST', mode: 'no-cors', body: 'x = 1' })),
        script: await element('script', 'src', `${url}/manifest.json`),
        image: await element('img', 'src', `${url}/icon.svg`),
        events: await new Promise((done) => {
          const events = new EventSource(`${url}/api/events`);
          events.onopen = () => done('open');
          events.onerror = () => done('refused');
        }),
      };
    }, view.url);
    assert.deepEqual(new Set(Object.values(outcomes)), new Set(['refused']), outcomes);
    assert.equal(existsSync(join(folder, 'man.bake.toml')), false);
    foreign.close();
  });

  it('does not answer to the name of somebody else', async () => {
    const page = await browser.newPage();
    const answer = await page.goto(`http://evil.test:${view.port}/manifest.json`);
    assert.equal(answer.status(), 403);
    const own = await page.goto(`http://localhost:${view.port}/manifest.json`);
    assert.equal(own.status(), 200);
  });

  it('saves settings for its own page, and tells it what changed', async () => {
    const { page, problems } = await openViewer(browser, view.url);
    const toml = '[[object]]\nname = "belly"\nbone = "spine"\n';
    const status = await page.evaluate(async (body) => {
      const { live } = await (await fetch('manifest.json')).json();
      const put = (text) => fetch(`${live.save}/man`, {
        method: 'PUT', headers: { 'X-Supple-Token': live.token }, body: text,
      });
      const good = await put(body);
      const events = new EventSource(live.events);
      window.changed = new Promise((done) => {
        events.addEventListener('changed', (event) => done(JSON.parse(event.data).id));
      });
      await new Promise((open) => { events.onopen = open; });
      return good.status;
    }, toml);
    assert.equal(status, 200);
    assert.equal(readFileSync(join(folder, 'man.bake.toml'), 'utf8'), toml);
    utimesSync(join(folder, 'man.glb'), new Date(), new Date());
    assert.equal(await page.evaluate(() => window.changed), 'man');
    await page.getByText('Reloaded: the file changed').waitFor();
    assert.deepEqual(problems, []);
  });
});
