// SPDX-License-Identifier: Apache-2.0
// A program that uses our packages as npm packs them, and knows nothing else of them.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { program, sourceRoot } from '../programs.mjs';

const web = join(sourceRoot, 'web');

/** Opens a file, pushes it and steps: the same numbers everywhere. */
export const kPlay = `
async function play(bytes) {
  const asset = (await loadSupple()).openAsset(bytes);
  const player = asset.createPlayer();
  player.push(0, [5, 5, 5]);
  for (let i = 0; i < 20; ++i) player.step(1 / 60);
  return Array.from(player.coefficients);
}
`;
export const kPage = `
import { loadSupple } from 'supple';
import { SuppleMesh } from 'supple-three';
${kPlay}
const tell = (outcome) => { window.outcome = outcome; };
fetch('/sample.supple').then((response) => response.arrayBuffer()).then(play)
  .then((found) => tell({ found, mesh: typeof SuppleMesh.load }),
    (error) => tell({ error: String(error) }));
`;
const kWorker = `
import { loadSupple } from 'supple';
${kPlay}
onmessage = ({ data }) => play(data).then((found) => postMessage({ found }),
  (error) => postMessage({ error: String(error) }));
`;
const kStarter = (type) => `
const worker = new Worker(new URL('./worker.js', import.meta.url)${type});
worker.onmessage = ({ data }) => { window.outcome = data; };
worker.onerror = ({ message }) => { window.outcome = { error: message }; };
fetch('/sample.supple').then((response) => response.arrayBuffer())
  .then((bytes) => worker.postMessage(bytes));
`;
export const page = (script) =>
  `<!doctype html><link rel="icon" href="data:,"><script type="module" src="./${script}"></script>`;

/** Packs both packages, as `npm pack` does, into a folder; the paths of the .tgz files. */
export function packPackages(folder) {
  return ['supple', 'supple-three'].map((name) => {
    const words = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
    const told = execFileSync('npm', words, {
      cwd: join(web, 'packages', name), encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'],
    });
    return { name, path: join(folder, JSON.parse(told)[0].filename) };
  });
}

/** Pages, workers and a file to play, in a folder that must be removed. */
export function makeApp() {
  const app = mkdtempSync(join(tmpdir(), 'supple-npm-'));
  for (const { name, path } of packPackages(app)) {
    const folder = join(app, 'node_modules', name);
    mkdirSync(folder, { recursive: true });
    execFileSync('tar', ['xzf', path, '-C', folder, '--strip-components=1']);
  }
  symlinkSync(join(web, 'node_modules/three'), join(app, 'node_modules/three'));
  mkdirSync(join(app, 'public'));
  execFileSync(program('write_sample'), [join(app, 'public/sample.supple')]);
  writeFileSync(join(app, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(app, 'main.js'), kPage);
  writeFileSync(join(app, 'webgpu.js'), kPage.replace('supple-three', 'supple-three/webgpu'));
  writeFileSync(join(app, 'worker.js'), kWorker);
  writeFileSync(join(app, 'module_worker.js'), kStarter(", { type: 'module' }"));
  writeFileSync(join(app, 'classic_worker.js'), kStarter(''));
  writeFileSync(join(app, 'separate.js'), kPage.replace("from 'supple'", "from 'supple/separate'"));
  const names = ['index', 'main', 'webgpu', 'module_worker', 'classic_worker', 'separate'];
  for (const name of names) {
    writeFileSync(join(app, `${name}.html`), page(`${name === 'index' ? 'main' : name}.js`));
  }
  return app;
}
