// SPDX-License-Identifier: Apache-2.0
// time_player.mjs FOLDER: as time_player.cpp, for the WebAssembly player through its package.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { loadSupple } from '../../web/packages/supple/dist/index.js';

const CHARACTERS = 100;
const ROUNDS = 1001;
const folder = process.argv[2];
const supple = await loadSupple();

function median(repeats, call) {
  const times = Array.from({ length: ROUNDS }, () => {
    const begin = process.hrtime.bigint();
    for (let i = 0; i < repeats; ++i) call();
    return Number(process.hrtime.bigint() - begin) / repeats;
  });
  return times.sort((a, b) => a - b)[(ROUNDS - 1) / 2];
}

function stage(file, characters) {
  const asset = supple.openAsset(readFileSync(join(folder, file)));
  const players = Array.from({ length: characters }, () => asset.createPlayer());
  const matrix = new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
  let at = 0;
  const frame = (changing) => {
    ++at;
    for (let i = 0; i < players.length; ++i) {
      const phase = (at + 17 * i) % 240;
      matrix[12] = (10 * (phase < 120 ? phase : 240 - phase)) / 120;
      for (let k = 0; k < asset.info.objectCount; ++k) players[i].setBoneMatrix(k, matrix);
      players[i].step(changing ? 0.01 + 0.0001 * phase : 1 / 60);
    }
  };
  return { asset, players, frame };
}

function timeStep(changing) {
  const { asset, frame } = stage('step.supple', CHARACTERS);
  for (let i = 0; i < 240; ++i) frame(changing);
  const time = median(1, () => frame(changing)) / (CHARACTERS * asset.info.objectCount);
  asset.close();
  return time;
}

function timeVertices(file) {
  const { asset, players, frame } = stage(file, 1);
  for (let i = 0; i < 30; ++i) frame(false);
  const rest = new Float32Array(3 * asset.info.vertexCount).fill(0.5);
  const surface = asset.createSurface({ positions: rest, normals: rest });
  const time = median(1, () => players[0].deform(surface));
  asset.close();
  return time;
}

const here = dirname(fileURLToPath(import.meta.url));
const module = readFileSync(join(here, '../../web/packages/supple/dist/supple.wasm'));
const figures = {
  step: timeStep(false),
  changing: timeStep(true),
  short: timeVertices('short.supple'),
  float: timeVertices('float.supple'),
  moduleBytes: module.length,
  moduleGzipped: gzipSync(module, { level: 9 }).length,
};
console.log(JSON.stringify(figures));
