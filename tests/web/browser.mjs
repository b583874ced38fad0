// SPDX-License-Identifier: Apache-2.0
// Debian's Chromium without a screen, and a server for it. By hand, SUPPLE_CHROMIUM names another,
// and SUPPLE_THREE the folder of another version of three.js.
import { createReadStream, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { after, before } from 'node:test';

import { sourceRoot, writeAssets } from './programs.mjs';

const require = createRequire(join(sourceRoot, 'web', 'package.json'));

/** Milliseconds until a test gives up on what it waits for. Long, so that a busy machine
 * does not fail it; only a broken test waits this long. */
export const kPatience = 300_000;

export const chromiumPath = process.env.SUPPLE_CHROMIUM ?? '/usr/bin/chromium';

const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.glb': 'model/gltf-binary',
};

// Bare names as a bundler or a page of three.js's own examples would resolve them.
const IMPORT_MAP = {
  imports: {
    three: '/three/build/three.module.js',
    'three/addons/': '/three/examples/jsm/',
    'three/webgpu': '/three/build/three.webgpu.js',
    'three/tsl': '/three/build/three.tsl.js',
    supple: '/web/packages/supple/dist/index.js',
    'supple-three': '/web/packages/supple-three/dist/index.js',
    'supple-three/webgpu': '/web/packages/supple-three/dist/webgpu.js',
  },
};
const EMPTY_PAGE = `<!doctype html><meta charset="utf-8"><title>test</title>
<link rel="icon" href="data:,"><script type="importmap">${JSON.stringify(IMPORT_MAP)}</script>`;

/** Serves folders under prefixes ('/web/': path) and an empty page with an import map at '/'. */
export async function serve(folders) {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname));
    if (path === '/') {
      response.writeHead(200, { 'content-type': 'text/html' }).end(EMPTY_PAGE);
      return;
    }
    const prefix = Object.keys(folders).find((key) => path.startsWith(key));
    const file = prefix === undefined ? '' : join(folders[prefix], path.slice(prefix.length));
    if (file === '' || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    address: `http://127.0.0.1:${server.address().port}`,
    close: () => new Promise((done) => server.close(done)),
  };
}

/** The web workspace, these tests, and a folder of files. */
export function serveTests(files) {
  return serve({
    '/web/': join(sourceRoot, 'web'),
    '/three/': process.env.SUPPLE_THREE ?? join(sourceRoot, 'web/node_modules/three'),
    '/tests/': join(sourceRoot, 'tests/web'),
    '/files/': files,
  });
}

export async function openBrowser(further = []) {
  const { chromium } = require('playwright-core');
  return chromium.launch({
    executablePath: chromiumPath,
    timeout: kPatience,
    args: [
      ...['--headless=new', '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader'],
      ...['--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
      // The CPU draws the page around the canvas: faster than an emulated GPU.
      ...['--disable-gpu-compositing', '--disable-gpu-rasterization'], ...further,
    ],
  });
}

/** A page, and what goes wrong in it. */
export async function openPage(browser, address) {
  const page = await browser.newPage({ viewport: { width: 320, height: 240 } });
  page.setDefaultTimeout(kPatience);
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error.stack ?? error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.goto(address);
  return { page, errors };
}

/** Why Chromium tests cannot run here, or '' if they can. */
export const browserMissing = existsSync(chromiumPath)
  ? ''
  : `SKIPPED: ${chromiumPath} is not there (Debian's chromium)`;

/** Chromium and the synthetic assets for the tests of a file: `skip` is their option, `call` runs
 * an exported function of a module in tests/web/pages in a page of its own, or, where `onePage`
 * says that these functions leave nothing behind, in one page for all. */
export function withBrowser({ onePage = false } = {}) {
  const skip = browserMissing || false;
  let folder, server, browser, opened;
  before(async () => {
    if (skip) return;
    folder = mkdtempSync(join(tmpdir(), 'supple-browser-'));
    writeAssets(folder);
    server = await serveTests(folder);
    browser = await openBrowser();
  });
  after(async () => {
    if (skip) return;
    await browser.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const call = async (module, name, ...given) => {
    opened ??= await openPage(browser, server.address);
    const { page, errors } = opened;
    try {
      const found = await page.evaluate(
        async ([from, what, values]) => (await import(from))[what](...values),
        [`/tests/pages/${module}`, name, given],
      );
      return { found, errors: errors.splice(0) };
    } finally {
      if (!onePage) {
        await page.close();
        opened = undefined;
      }
    }
  };
  return { skip, call };
}
