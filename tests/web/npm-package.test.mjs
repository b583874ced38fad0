// SPDX-License-Identifier: Apache-2.0
// The packages as npm packs them, in programs that know nothing of them: bundlers with their
// default settings, import maps, workers, servers.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';

import { browserMissing, openBrowser, serve } from './browser.mjs';
import { sourceRoot } from './programs.mjs';
import { kPlay, makeApp, page } from './support/packed_app.mjs';

if (browserMissing) console.log(browserMissing);

const web = join(sourceRoot, 'web');
const require = createRequire(join(web, 'package.json'));

describe('packages from npm', () => {
  let app;
  let browser;
  let expected;
  const closing = [];
  before(async () => {
    app = makeApp();
    expected = inNode('supple');
    assert.ok(expected.some((value) => value !== 0));
    if (!browserMissing) browser = await openBrowser();
  });
  afterEach(async () => {
    while (closing.length > 0) await closing.pop()();
  });
  after(async () => {
    await browser?.close();
    rmSync(app, { recursive: true, force: true });
  });

  /** Runs text as a program of the app. */
  const node = (text, ...words) => {
    writeFileSync(join(app, 'program.mjs'), text);
    return execFileSync(process.execPath, ['program.mjs', ...words], { cwd: app, encoding: 'utf8' });
  };
  const inNode = (entry) => JSON.parse(node(`
    import { readFileSync } from 'node:fs';
    import { loadSupple } from '${entry}';
    ${kPlay}
    console.log(JSON.stringify(await play(readFileSync('public/sample.supple'))));`));
  /** What a page reports. */
  const outcome = async (address) => {
    const tab = await browser.newPage();
    closing.push(() => tab.close());
    await tab.goto(address);
    const told = await tab.waitForFunction(() => window.outcome, undefined, { timeout: 300_000 });
    return told.jsonValue();
  };
  const plays = async (address) => {
    const { found, error } = await outcome(address);
    assert.equal(error, undefined);
    assert.deepEqual(found, expected);
  };
  const vite = (settings) => ({
    root: app, configFile: false, logLevel: 'silent', cacheDir: join(app, '.vite'), ...settings,
  });
  const serveFolder = async (folder) => {
    const server = await serve({ '/': folder });
    closing.push(() => server.close());
    return server.address;
  };

  it('contain a licence, declarations, source maps, and no dead links', () => {
    for (const name of ['supple', 'supple-three']) {
      const folder = join(app, 'node_modules', name);
      assert.equal(readFileSync(join(folder, 'LICENSE'), 'utf8'),
        readFileSync(join(sourceRoot, 'LICENSE'), 'utf8'));
      const readme = readFileSync(join(folder, 'README.md'), 'utf8');
      for (const [, link] of readme.matchAll(/\]\(([^)]+)\)/g)) {
        assert.ok(/^https:/.test(link) || existsSync(join(folder, link)), `${name}: ${link}`);
      }
      const told = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      assert.ok(told.keywords.length > 5 && told.engines.node && told.scripts.prepack);
      for (const file of readdirSync(join(folder, 'dist')).filter((one) => one.endsWith('.js'))) {
        const map = JSON.parse(readFileSync(join(folder, 'dist', `${file}.map`), 'utf8'));
        assert.ok(map.sourcesContent.every((text) => text.length > 0), file);
        assert.ok(existsSync(join(folder, 'dist', file.replace(/js$/, 'd.ts'))), file);
      }
    }
  });

  it('run in Node, by both entries, and are imported by servers', () => {
    assert.deepEqual(inNode('supple/separate'), expected);
    const told = node(`
      import { SuppleMesh } from 'supple-three';
      import * as nodes from 'supple-three/webgpu';
      console.log(nodes.SuppleMesh === SuppleMesh, typeof document);`);
    assert.equal(told.trim(), 'true undefined');
  });

  it('run in what esbuild makes for Node', () => {
    const { buildSync } = require('esbuild');
    writeFileSync(join(app, 'entry.mjs'), `
      import { readFileSync } from 'node:fs';
      import { loadSupple } from 'supple';
      ${kPlay}
      play(readFileSync(process.argv[2])).then((found) => console.log(JSON.stringify(found)));`);
    const outfile = join(app, 'elsewhere', 'bundle.cjs');
    buildSync({
      entryPoints: [join(app, 'entry.mjs')], outfile, bundle: true, platform: 'node', format: 'cjs',
      logLevel: 'error',
    });
    const told = execFileSync(process.execPath, [outfile, join(app, 'public/sample.supple')],
      { encoding: 'utf8' });
    assert.deepEqual(JSON.parse(told), expected);
  });

  describe('in a browser', { skip: browserMissing !== '' }, () => {
    it('run from Vite’s dev server with its defaults, in pages and workers', async () => {
      const { createServer } = await import(require.resolve('vite'));
      const server = await createServer(vite({ server: { port: 0, host: '127.0.0.1' } }));
      await server.listen();
      closing.push(() => server.close());
      const { port } = server.httpServer.address();
      for (const name of ['main', 'webgpu', 'module_worker']) {
        await plays(`http://127.0.0.1:${port}/${name}.html`);
      }
      // The other entry needs a setting there, and says so instead of "expected magic word".
      const { error } = await outcome(`http://127.0.0.1:${port}/separate.html`);
      assert.match(error, /supple\.wasm (is not the player's|returned 404).*Import 'supple'/);
    });

    it('run from what Vite builds, by both entries and in both kinds of workers', async () => {
      const { build } = await import(require.resolve('vite'));
      const names = ['main', 'webgpu', 'separate', 'module_worker', 'classic_worker'];
      const outDir = join(app, 'built');
      await build(vite({
        build: { outDir, rollupOptions: { input: names.map((name) => join(app, `${name}.html`)) } },
      }));
      const address = await serveFolder(outDir);
      for (const name of names) await plays(`${address}/${name}.html`);
    });

    it('run from what esbuild makes', async () => {
      const { buildSync } = require('esbuild');
      for (const format of ['iife', 'esm']) {
        const folder = join(app, `esbuild-${format}`);
        buildSync({
          entryPoints: [join(app, 'main.js')], outfile: join(folder, 'main.js'), bundle: true,
          format, minify: true, logLevel: 'error',
        });
        writeFileSync(join(folder, 'main.html'), page('main.js'));
        symlinkSync(join(app, 'public/sample.supple'), join(folder, 'sample.supple'));
        await plays(`${await serveFolder(folder)}/main.html`);
      }
    });

    it('run by an import map, as from a CDN', async () => {
      const folder = join(app, 'cdn');
      mkdirSync(folder);
      symlinkSync(join(app, 'node_modules'), join(folder, 'npm'));
      symlinkSync(join(app, 'public/sample.supple'), join(folder, 'sample.supple'));
      const imports = {
        supple: '/npm/supple/dist/index.js', 'supple-three': '/npm/supple-three/dist/index.js',
        'supple-three/webgpu': '/npm/supple-three/dist/webgpu.js',
        three: '/npm/three/build/three.module.js',
        'three/webgpu': '/npm/three/build/three.webgpu.js',
        'three/tsl': '/npm/three/build/three.tsl.js',
      };
      const address = await serveFolder(folder);
      for (const name of ['main', 'webgpu']) {
        symlinkSync(join(app, `${name}.js`), join(folder, `${name}.js`));
        writeFileSync(join(folder, `${name}.html`),
          `<script type="importmap">${JSON.stringify({ imports })}</script>${page(`${name}.js`)}`);
        await plays(`${address}/${name}.html`);
      }
    });

    it('run from what Rollup makes', async () => {
      const { rollup } = await import(require.resolve('rollup'));
      const inModules = (path) => join(app, 'node_modules', path);
      const files = {
        supple: inModules('supple/dist/index.js'),
        'supple-three': inModules('supple-three/dist/index.js'),
        three: inModules('three/build/three.module.js'),
      };
      const resolve = { name: 'resolve', resolveId: (id) => files[id] ?? null };
      const bundle = await rollup({ input: join(app, 'main.js'), plugins: [resolve] });
      const folder = join(app, 'rollup');
      await bundle.write({ dir: folder, format: 'es' });
      writeFileSync(join(folder, 'main.html'), page('main.js'));
      symlinkSync(join(app, 'public/sample.supple'), join(folder, 'sample.supple'));
      await plays(`${await serveFolder(folder)}/main.html`);
    });
  });

  it('say what was given instead of a file', () => {
    const told = JSON.parse(node(`
      import { readFileSync } from 'node:fs';
      import { loadSupple } from 'supple';
      import { SuppleMesh } from 'supple-three';
      import { Object3D } from 'three';
      const supple = await loadSupple();
      const text = (string) => new TextEncoder().encode(string);
      const given = {
        response: new Response('x'), promise: Promise.resolve(), nothing: undefined,
        scene: new Object3D(), text: '/man.supple', list: [1, 2],
        page: text('<!doctype html><title>404</title>'), glb: text('glTF....'), none: text(''),
        pointer: text('version https://git-lfs.github.com/spec/v1'),
      };
      const said = {};
      const record = (name, action) => {
        try { action(); said[name] = 'nothing'; } catch (error) {
          said[name] = error.name + ': ' + error.message;
        }
      };
      for (const [name, value] of Object.entries(given)) {
        record(name, () => supple.openAsset(value));
      }
      const file = readFileSync('public/sample.supple');
      record('view', () => supple.openAsset(new DataView(file.buffer, file.byteOffset, file.length)));
      record('object3d', () => new SuppleMesh(new Object3D(), file));
      record('loading', () => new SuppleMesh(Promise.resolve(), file));
      const wasm = await loadSupple(text('<!doctype html>')).catch((error) => error.message);
      console.log(JSON.stringify({ ...said, wasm }));`));
    const words = {
      response: /await response\.arrayBuffer\(\)/, promise: /a promise: await it/,
      nothing: /undefined: was the file loaded/, scene: /a scene: the \.supple file is a second file/,
      text: /a text: fetch the file/, list: /an array: give a Uint8Array/,
      page: /a web page.*check the address/, glb: /a \.glb: give the \.supple/, none: /end of the file is missing/,
      pointer: /git lfs pull/, view: /^nothing$/,
      object3d: /give `gltf` instead of `gltf\.scene`/, loading: /a promise must be awaited/,
      wasm: /not the player's WebAssembly module.*web page/,
    };
    for (const [name, pattern] of Object.entries(words)) assert.match(told[name], pattern, name);
  });
});
