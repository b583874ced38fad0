// SPDX-License-Identifier: Apache-2.0
// The packages in bundlers that are too large for the tests: by hand, with the network.
//   SUPPLE_BIN=build/release/bin node tests/web/bundlers.mjs [webpack rspack parcel rollup vite
//     next]
// Each is installed from npm in its newest version, builds the same page with its default settings,
// and Chromium runs the result. Prints a row for each, as docs/web.md lists them.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { kPatience, openBrowser, serve } from './browser.mjs';
import { kPage, kPlay, makeApp, packPackages, page } from './support/packed_app.mjs';

const kInstalled = {
  webpack: ['webpack', 'webpack-cli'],
  rspack: ['@rspack/core', '@rspack/cli'],
  parcel: ['parcel'],
  rollup: ['rollup', '@rollup/plugin-node-resolve'],
  vite: ['vite'],
  next: ['next', 'react', 'react-dom'],
};

const kRollup = `import resolve from '@rollup/plugin-node-resolve';
export default { input: 'main.js', output: { dir: 'out' }, plugins: [resolve()] };`;

/** Loads the player on the server, and again in the page. */
const kNextPage = `
import { readFileSync } from 'node:fs';
import { loadSupple } from 'supple';
import Client from './client';
${kPlay}
export const dynamic = 'force-dynamic';
export default async function Page() {
  const found = await play(readFileSync('public/sample.supple'));
  return <><pre id="server">{JSON.stringify(found)}</pre><Client /></>;
}`;
const kNextClient = `'use client';
import { useEffect } from 'react';
import { loadSupple } from 'supple';
import { SuppleMesh } from 'supple-three';
${kPlay}
export default function Client() {
  useEffect(() => {
    fetch('/sample.supple').then((response) => response.arrayBuffer()).then(play)
      .then((found) => { window.outcome = { found, mesh: typeof SuppleMesh.load }; },
        (error) => { window.outcome = { error: String(error) }; });
  }, []);
  return null;
}`;
const kNextLayout = `export default function Layout({ children }) {
  return <html><body>{children}</body></html>;
}`;

const kBuilds = {
  webpack: { words: ['webpack', './main.js', '-o', 'out', '--mode', 'production'] },
  rspack: { words: ['rspack', 'build', '--entry', './main.js', '-o', 'out'] },
  parcel: { words: ['parcel', 'build', 'main.html', '--dist-dir', 'out'] },
  rollup: { words: ['rollup', '-c', 'rollup.config.mjs'], files: { 'rollup.config.mjs': kRollup } },
  vite: { words: ['vite', 'build', '--outDir', 'out'] },
  next: {
    words: ['next', 'build'],
    files: {
      'app/page.jsx': kNextPage, 'app/client.jsx': kNextClient, 'app/layout.jsx': kNextLayout,
    },
  },
};

function makeFolder(name) {
  const folder = mkdtempSync(join(tmpdir(), `supple-${name}-`));
  const sample = makeApp();
  cpSync(join(sample, 'public'), join(folder, 'public'), { recursive: true });
  rmSync(sample, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  writeFileSync(join(folder, 'main.js'), kPage);
  const pages = { 'main.html': page('main.js'), 'index.html': page('main.js') };
  const files = { ...pages, ...kBuilds[name].files };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const packed = packPackages(folder).map(({ path }) => path);
  const words = ['install', '--no-audit', '--no-fund', ...packed, 'three', ...kInstalled[name]];
  execFileSync('npm', words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  return folder;
}

const versionOf = (folder, name) =>
  JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version;

/** `next start`, once it answers. */
async function startNext(folder) {
  const port = 3000 + (process.pid % 20000);
  const words = [join(folder, 'node_modules/next/dist/bin/next'), 'start', '-p', String(port)];
  const child = spawn(process.execPath, words, { cwd: folder, stdio: 'ignore' });
  const address = `http://127.0.0.1:${port}`;
  for (const end = Date.now() + kPatience; Date.now() < end;) {
    const answered = await fetch(address).then((response) => response.ok, () => false);
    if (answered) return { address: `${address}/`, close: () => child.kill() };
    await new Promise((resolve) => { setTimeout(resolve, 200); });
  }
  child.kill();
  throw new Error('next start does not answer');
}

/** Bundles that come without a page get the same one as in the tests. */
async function serveBuilt(name, folder) {
  if (name === 'next') return startNext(folder);
  if (['webpack', 'rspack', 'rollup'].includes(name)) {
    writeFileSync(join(folder, 'out/main.html'), page('main.js'));
  }
  cpSync(join(folder, 'public/sample.supple'), join(folder, 'out/sample.supple'));
  const server = await serve({ '/': join(folder, 'out') });
  const file = name === 'vite' ? 'index.html' : 'main.html';
  return { address: `${server.address}/${file}`, close: () => server.close() };
}

async function outcomeOf(browser, address) {
  const tab = await browser.newPage();
  await tab.goto(address);
  const told = await tab.waitForFunction(() => window.outcome, undefined, { timeout: kPatience });
  const outcome = await told.jsonValue();
  const server = tab.locator('#server');
  const onServer = await server.count() > 0 ? JSON.parse(await server.textContent()) : undefined;
  await tab.close();
  return { ...outcome, onServer };
}

function expectedNumbers() {
  const app = makeApp();
  writeFileSync(join(app, 'program.mjs'), `
    import { readFileSync } from 'node:fs';
    import { loadSupple } from 'supple';
    ${kPlay}
    console.log(JSON.stringify(await play(readFileSync('public/sample.supple'))));`);
  const told = execFileSync(process.execPath, ['program.mjs'], { cwd: app, encoding: 'utf8' });
  rmSync(app, { recursive: true });
  return JSON.parse(told);
}

const asked = process.argv.slice(2);
const expected = expectedNumbers();
const browser = await openBrowser();
for (const name of asked.length > 0 ? asked : Object.keys(kBuilds)) {
  const folder = makeFolder(name);
  try {
    const begin = performance.now();
    execFileSync('npx', kBuilds[name].words, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    const seconds = (performance.now() - begin) / 1000;
    const server = await serveBuilt(name, folder);
    const { found, error, onServer } = await outcomeOf(browser, server.address);
    await server.close();
    assert.equal(error, undefined);
    assert.deepEqual(found, expected);
    if (name === 'next') assert.deepEqual(onServer, expected);
    const version = versionOf(folder, kInstalled[name][0]);
    const where = onServer ? 'page and server' : 'page';
    console.log(`| ${name} | ${version} | ${where} | built in ${seconds.toFixed(0)} s |`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
await browser.close();
