// SPDX-License-Identifier: Apache-2.0
// The package `supple` in Node, in workers and in a page.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';

import {
  Hold,
  loadSupple,
  NO_BONE,
  shaders,
  Status,
  SuppleError,
} from '../../web/packages/supple/dist/index.js';
import { browserMissing, openBrowser, openPage, serveTests } from './browser.mjs';
import { program, sourceRoot, writeAssets } from './programs.mjs';
import { meshIndices, restNumbers } from './synthetic.mjs';

// 32 KB were enough for flesh alone; docs/web.md says what was added since.
const MOST_GZIPPED = 60 * 1024;
const packageUrl = new URL('../../web/packages/supple/dist/index.js', import.meta.url);
const wasmPath = join(sourceRoot, 'web/packages/supple/dist/supple.wasm');

let folder;
const bytesOf = (name) => readFileSync(join(folder, `${name}.supple`));
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'supple-package-'));
  writeAssets(folder);
  execFileSync(program('write_sample'), [join(folder, 'sample.supple')]);
});
after(() => rmSync(folder, { recursive: true, force: true }));

const isSuppleError = (status, words) => (error) => {
  assert.ok(error instanceof SuppleError);
  assert.equal(error.status, status);
  assert.match(error.message, words);
  return true;
};

test('the module is small and needs nothing from outside', () => {
  const bytes = readFileSync(wasmPath);
  assert.deepEqual(WebAssembly.Module.imports(new WebAssembly.Module(bytes)), []);
  const gzipped = gzipSync(bytes, { level: 9 }).length;
  console.log(`supple.wasm: ${bytes.length} bytes, ${gzipped} gzipped`);
  assert.ok(gzipped < MOST_GZIPPED);
});

test('the module knows every struct member and every function of supple.h', async () => {
  const supple = await loadSupple();
  const known = new Set(supple.module.memberNames);
  const header = readFileSync(join(sourceRoot, 'runtime/include/supple.h'), 'utf8');
  const text = header.replace(/\/\*[\s\S]*?\*\//g, '').replace(/ SUPPLE_SIZE_OF\(\w+\);/g, ';');
  const structs = [...text.matchAll(/typedef struct (supple_\w+) \{([^}]*)\}/g)];
  assert.ok(structs.length >= 9);
  for (const [, name, body] of structs) {
    assert.ok(known.delete(name), `runtime/wasm/exports.cpp lacks ${name}`);
    for (const declaration of body.split(';').filter((line) => line.trim() !== '')) {
      const names = declaration.replace(/\[\d+\]/g, '').trim().split(/\s*,\s*/);
      for (const item of names) {
        const member = `${name}.${item.match(/(\w+)$/)[1]}`;
        assert.ok(known.delete(member), `runtime/wasm/exports.cpp lacks ${member}`);
      }
    }
  }
  assert.deepEqual([...known], [], 'members that supple.h does not have');
  const functions = [...text.matchAll(/SUPPLE_API [^;(]*\b(supple_\w+)\(/g)].map((m) => m[1]);
  for (const name of functions) {
    // A module without imports makes no callbacks.
    const there = name === 'supple_player_set_force_field' ? 'undefined' : 'function';
    assert.equal(typeof supple.module.call[name], there, name);
  }
});

test('status numbers and sentences are those of the player', async () => {
  const header = readFileSync(join(sourceRoot, 'runtime/include/supple.h'), 'utf8');
  const names = header
    .match(/typedef enum supple_status \{([^}]*)\}/)[1]
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .split(',')
    .map((line) => line.trim().match(/SUPPLE_(\w+)/)[1].toLowerCase().replace(/_/g, ''));
  assert.deepEqual(
    Object.entries(Status).map(([name, value]) => [name.toLowerCase(), value]),
    names.map((name, i) => [name, i]),
  );
  const supple = await loadSupple();
  assert.throws(() => supple.openAsset(new Uint8Array(0)), isSuppleError(Status.truncated, /\w/));
  assert.throws(() => supple.openAsset(new Uint8Array(99)), isSuppleError(Status.notSupple, /not/));
  const damaged = Uint8Array.from(bytesOf('busy'));
  damaged[damaged.length >> 1] ^= 1;
  assert.throws(() => supple.openAsset(damaged), isSuppleError(Status.damaged, /\w/));
  const cut = bytesOf('busy').subarray(0, 1000);
  assert.throws(() => supple.openAsset(cut), isSuppleError(Status.truncated, /\w/));
});

test('errors say what exactly is wrong', async () => {
  const supple = await loadSupple();
  const damaged = Uint8Array.from(bytesOf('busy'));
  damaged[damaged.length >> 1] ^= 1;
  const checksum = /bake it again\. \(section \w{4} has a wrong checksum\)$/;
  assert.throws(() => supple.openAsset(damaged), isSuppleError(Status.damaged, checksum));
  const older = Uint8Array.from(bytesOf('busy'));
  older[8] = 2;
  const bake = /older Supple; bake it again\. \(the file has format 2\.0, this player reads 3\)$/;
  assert.throws(() => supple.openAsset(older), isSuppleError(Status.olderVersion, bake));
  const asset = supple.openAsset(bytesOf('busy'));
  const player = asset.createPlayer();
  const nobody = /\(there is no vertex 999; the file has 301\)$/;
  assert.throws(() => player.push(999, [1, 0, 0]), isSuppleError(Status.badArgument, nobody));
  assert.match(supple.version, /^\d+\.\d+\.\d+$/);
  asset.close();
});

test('a left-handed program in centimetres sees the same motion', async () => {
  const supple = await loadSupple();
  const plain = supple.openAsset(bytesOf('busy'));
  const other = supple.openAsset(bytesOf('busy'), { axes: ['-x', 'z', 'y'], metresPerUnit: 0.05 });
  assert.equal(other.info.metresPerUnit, 0.05);
  const scale = plain.info.metresPerUnit / 0.05;
  const move = ([x, y, z]) => [-x, z, y].map((a) => scale * a);
  const players = [plain, other].map((asset) => asset.createPlayer());
  for (let frame = 0; frame < 60; ++frame) {
    const place = [10 * Math.sin(frame / 5), frame / 20, 3 * Math.cos(frame / 7)];
    const angle = Math.sin(frame / 9) / 2;
    const turn = [Math.sin(angle), 0, 0, Math.cos(angle)]; // about x: -x after an odd mirror
    plain.objects.forEach((_, object) => {
      players[0].setBonePose(object, place, turn);
      players[1].setBonePose(object, move(place), [-turn[0], 0, 0, turn[3]]);
    });
    players.forEach((player) => player.step(1 / 60));
  }
  const [a, b] = players.map((player) => Array.from(player.coefficients));
  const largest = Math.max(...a.map(Math.abs));
  assert.ok(largest > 0);
  a.forEach((x, k) => assert.ok(Math.abs(x - b[k]) < 1e-6 * largest, `mode ${k}: ${x}, ${b[k]}`));
  const shapes = [plain, other].map((asset) => asset.modeShape(1).displacements);
  const [from, to] = shapes.map((shape) => shape.subarray(30, 33));
  move(from).forEach((x, i) => assert.ok(Math.abs(x - to[i]) < 1e-6));
  const twice = { axes: ['x', 'x', 'z'] };
  const words = /three different axes/;
  assert.throws(() => supple.openAsset(bytesOf('busy'), twice),
    isSuppleError(Status.badArgument, words));
  plain.close();
  other.close();
});

test('what a file holds', async () => {
  const supple = await loadSupple();
  const asset = supple.openAsset(bytesOf('busy'));
  assert.equal(asset.info.vertexCount, 301);
  assert.equal(asset.info.modeCount, 48);
  assert.equal(asset.info.encodingBits, 16);
  assert.equal(asset.info.metresPerUnit, 0.01);
  assert.equal(asset.info.generator, 'synthetic');
  assert.deepEqual(asset.parts[1], { mesh: 0, primitive: 1, firstVertex: 150, vertexCount: 151 });
  assert.deepEqual(
    asset.objects.map((o) => [o.name, o.bone, o.node, o.joint, o.firstMode, o.modeCount]),
    [40, 7, 1].map((modes, i) => [`flesh ${i}`, 'bone', 7, 2, [0, 40, 47][i], modes]),
  );
  assert.ok(asset.objects.every((o) => o.hasCoriolis && o.massKg === 2 && o.limitMetres === 0.02));
  assert.ok(Math.abs(asset.modes[3].frequencyHz - 5) < 1e-9);
  assert.equal(asset.modes[3].damping, 0.1);
  assert.equal(asset.modes[39].damping, 1.5);
  assert.equal(asset.modes[3].transfer.length, 6);
  const positions = restNumbers(3 * 301);
  const hash = supple.meshHash(positions, meshIndices(asset.parts));
  assert.equal(hash, asset.info.meshHash);
  assert.ok(asset.checkMesh(hash) && asset.isMadeFor(positions, meshIndices(asset.parts)));
  positions[7] += 1e-6;
  assert.ok(!asset.checkMesh(hash + 1n) && !asset.isMadeFor(positions, meshIndices(asset.parts)));
  asset.close();
});

test('a shell is held by a handle, and says where it is', async () => {
  const asset = (await loadSupple()).openAsset(bytesOf('strip'));
  assert.equal(asset.objects[0].kind, 'shell');
  const [shell] = asset.shells;
  assert.ok(shell.hasRotationStrain && shell.pointCount === 48 && shell.followTurn === 2);
  const player = asset.createPlayer();
  const vertex = 227; // in the middle of the free end, a metre from the clamped one
  const rest = [1, 0, 0];
  player.setBonePose(0, [0, 0, 0], [0, 0, 0, 1]);
  player.step(1 / 60);
  const before = player.vertex(vertex, rest);
  assert.ok(before.position[1] < -0.2, `sags to ${before.position[1]}`);
  const target = [before.position[0], before.position[1] + 0.1, 0];
  player.setHandle(3, { vertex, rest, position: target, components: Hold.y });
  for (let i = 0; i < 300; ++i) player.step(1 / 60);
  assert.ok(player.handleState(3).active && player.handleState(3).positionError < 1e-5);
  assert.ok(Math.abs(player.vertex(vertex, rest).position[1] - target[1]) < 1e-5);
  assert.ok(player.shellState(0).largestTurn > 0.05 && player.shellState(0).beyond < 1);
  const fixed = { vertex: 0, rest: [0, 0, 0], position: target };
  const refuses = (slot, handle, words) =>
    assert.throws(() => player.setHandle(slot, handle), isSuppleError(Status.badArgument, words));
  refuses(4, fixed,
    /^Vertex 0 cannot be held: it is not in a shell, or the shell is fixed there\.$/);
  refuses(4, { ...fixed, vertex: 1e6 }, /^Cannot hold vertex 1000000; the file has 0 to/);
  refuses(4, { vertex, rest, components: Hold.position }, /^The handle on vertex 227 holds noth/);
  refuses(99, { vertex, rest, position: target },
    /^Handle slot 99 does not exist; reserveHandles\(100\)/);
  player.setHandle(15, { vertex, rest, position: target });
  player.removeHandle(15);
  player.removeHandle(3);
  assert.ok(!player.handleState(3).active);
  asset.close();
});

test('a scene answers to its palette, by its rules', async () => {
  const asset = (await loadSupple()).openAsset(bytesOf('scene_mixed'));
  assert.deepEqual(asset.objects.map(({ kind }) => kind), ['flesh', 'scene']);
  assert.equal(asset.objects[1].node, NO_BONE);
  const [scene] = asset.scenes;
  assert.equal(asset.scene(1), scene);
  assert.throws(() => asset.scene(0), isSuppleError(Status.badArgument, /Object 0 .* not a scene/));
  assert.equal(scene.object, 1);
  assert.deepEqual(scene.entries, [
    { name: 'push', key: 'a', weakest: 0.5, strongest: 1, followedBy: [1, 2], fromRest: true },
    { name: 'lift', key: 'w', weakest: 1, strongest: 1, followedBy: [0, 1, 2], fromRest: true },
    { name: 'wind', key: '', weakest: 1, strongest: 1, followedBy: [0, 1], fromRest: false },
  ]);
  assert.deepEqual([scene.responseCount, scene.stateCount], [8, 8 * 24]);
  assert.equal(scene.frameSeconds, 1 / 60);

  const player = asset.createPlayer();
  const { firstMode, modeCount } = asset.objects[1];
  const q = () => player.coefficients.slice(firstMode, firstMode + modeCount);
  const begin = player.sceneState(1);
  assert.deepEqual(begin, {
    ...{ allowed: [true, true, false], entry: null, response: null, frame: 0, atRest: true },
    ...{ off: 0, lastBlend: 0, transitions: 0 },
  });
  assert.equal(player.trigger(1, 'wind'), false);
  assert.deepEqual(player.sceneState(1), begin, 'nothing happened');
  assert.equal(player.trigger(1, 'push', 1), true);
  player.step(5 / 60);
  const now = player.sceneState(1);
  assert.deepEqual([now.entry, now.response, now.atRest, now.transitions], [0, 1, false, 1]);
  assert.deepEqual(now.allowed, [false, true, true]);
  assert.ok(Math.abs(now.frame - 5) < 1e-9);
  assert.ok(q().some((x) => Math.abs(x) > 0.01));
  assert.ok(now.lastBlend > 0 && now.off < now.lastBlend, 'the offset dies out');
  for (let i = 0; i < 600 && !player.sceneState(1).atRest; ++i) player.step(1 / 60);
  for (let i = 0; i < 120; ++i) player.step(1 / 60);
  assert.equal(player.sceneState(1).atRest, true);
  assert.ok(q().every((x) => Math.abs(x) < 1e-6), 'it rests where its response ends');
  asset.close();
});

/** The coefficients of a state, from the portrait. */
function portraitOf(asset) {
  const { object } = asset.scenes[0];
  const { modeCount } = asset.objects[object];
  const { responses, states } = asset.portrait(object);
  return {
    responses,
    at: (response, frame) => {
      const first = (responses[response].firstState + frame) * modeCount;
      return states.subarray(first, first + modeCount);
    },
  };
}

test('the portrait of a scene is what it replays', async () => {
  const asset = (await loadSupple()).openAsset(bytesOf('scene'));
  const { responses, at } = portraitOf(asset);
  assert.deepEqual(responses.map(({ entry }) => entry), [0, 0, 1, 2, 0, 0, 1, 2]);
  assert.deepEqual(responses.map(({ strength }) => strength), [0.5, 1, 1, 1, 0.5, 1, 1, 1]);
  responses.forEach(({ firstState, stateCount, rests }, r) =>
    assert.deepEqual([firstState, stateCount, rests], [24 * r, 24, r < 4]));
  const player = asset.createPlayer();
  player.setSceneSettings(0, { halfLife: 1e-3 });
  assert.deepEqual(player.sceneSettings(0), { halfLife: 1e-3, blend: 'smooth' });
  assert.ok(player.trigger(0, 'push', 0.5));
  for (let frame = 1; frame < 24; ++frame) {
    player.step(1 / 60);
    if (frame < 3) continue; // what is left of the offset is below a millionth then
    player.coefficients.forEach((x, k) =>
      assert.ok(Math.abs(x - at(0, frame)[k]) < 1e-6, `frame ${frame}, mode ${k}`));
  }
  player.reset();
  assert.ok(player.trigger(0, 0, 0.75), 'half way between two strengths');
  for (let frame = 0; frame < 6; ++frame) player.step(1 / 60);
  player.coefficients.forEach((x, k) =>
    assert.ok(Math.abs(x - (at(0, 6)[k] + at(1, 6)[k]) / 2) < 1e-6, `mode ${k}`));
  const refused = (words) => isSuppleError(Status.badArgument, words);
  assert.throws(() => player.trigger(0, 'shove'), refused(/no entry 'shove'.*'push', 'lift'/));
  assert.throws(() => player.trigger(0, 3), refused(/entry 3/));
  assert.throws(() => player.trigger(0, 1, NaN), refused(/strength/));
  assert.throws(() => player.setSceneSettings(0, { halfLife: 0 }), refused(/half_life/));
  player.setSceneSettings(0, { blend: 'paper' });
  assert.deepEqual(player.sceneSettings(0), { halfLife: 1e-3, blend: 'paper' });
  asset.close();
});

test('shapes by themselves and from the texture agree', async () => {
  const asset = (await loadSupple()).openAsset(bytesOf('modes_6_float'));
  const { shapes, table } = asset.gpuTextures();
  const { displacements, normals } = asset.modeShape(0);
  for (const v of [0, 17, 300]) {
    const first = table[4 * Math.floor(v / 16)] + (v % 16);
    const texels = [0, 16].flatMap((t) => [...shapes.slice(4 * (first + t), 4 * (first + t) + 4)]);
    const told = [...displacements.slice(3 * v, 3 * v + 3), ...normals.slice(3 * v, 3 * v + 3)];
    told.forEach((x, i) => assert.ok(Math.abs(x - texels[i]) < 1e-6 * (1 + Math.abs(x))));
  }
  asset.close();
});

test('settings change what is named and nothing else', async () => {
  const asset = (await loadSupple()).openAsset(bytesOf('sample'));
  const player = asset.createPlayer();
  const before = player.settings(1);
  player.setSettings(1, { stiffness: 4, enabled: false });
  assert.deepEqual(player.settings(1), { ...before, stiffness: 4, enabled: false });
  const refused = isSuppleError(Status.badArgument, /\w/);
  assert.throws(() => player.setSettings(1, { gain: NaN }), refused);
  assert.throws(() => player.settings(2), refused);
  assert.throws(() => player.push(1e6, [0, 1, 0]), refused);
  assert.throws(() => player.push(0, [0, 1]), refused);
  assert.throws(() => player.setBoneMatrix(0, [1, 2]), isSuppleError(Status.badArgument, /16/));
  asset.close();
});

test('what can happen in a frame is counted, not thrown', async () => {
  const asset = (await loadSupple()).openAsset(bytesOf('sample'));
  const player = asset.createPlayer();
  assert.equal(player.step(0), false);
  assert.equal(player.step(NaN), false);
  assert.equal(player.setBoneMatrix(0, new Array(16).fill(NaN)), false);
  assert.equal(player.step(1 / 60), true);
  const { steps, badTimeSteps, badTransforms } = player.diagnose();
  assert.deepEqual([steps, badTimeSteps, badTransforms], [1, 2, 1]);
  asset.close();
});

test('views outlive growing memory', async () => {
  const supple = await loadSupple();
  const asset = supple.openAsset(bytesOf('sample'));
  const player = asset.createPlayer();
  const surface = asset.createSurface({ positions: restNumbers(3 * 53) });
  player.push(0, [5, 5, 5]);
  player.step(1 / 60);
  player.step(1 / 60);
  player.deform(surface);
  const coefficients = player.coefficients;
  assert.equal(player.coefficients, coefficients, 'no new view without need');
  const [before, positions] = [coefficients.slice(), surface.positions.slice()];
  assert.ok(before.some((c) => c !== 0));
  const bytes = supple.memoryBytes;
  const others = [];
  while (supple.memoryBytes === bytes) others.push(supple.openAsset(bytesOf('modes_100_float')));
  assert.equal(coefficients.length, 0, 'the old view is gone');
  assert.deepEqual(player.coefficients, before);
  assert.deepEqual(surface.positions, positions);
  player.step(1 / 60);
  assert.notDeepEqual(player.coefficients, before);
  for (const other of others) other.close();
});

test('a surface of another asset is refused before anything is written', async () => {
  const supple = await loadSupple();
  const small = supple.openAsset(bytesOf('sample'));
  const large = supple.openAsset(bytesOf('modes_100_float'));
  assert.ok(large.info.vertexCount > small.info.vertexCount);
  const surface = small.createSurface({ positions: restNumbers(3 * small.info.vertexCount) });
  const player = large.createPlayer();
  assert.throws(() => player.deform(surface), isSuppleError(Status.badArgument, /another asset/));
  for (const asset of [small, large]) asset.close();
});

test('closing gives memory back, and what is closed says so', async () => {
  const supple = await loadSupple();
  const openAndClose = () => {
    const asset = supple.openAsset(bytesOf('modes_100_float'));
    asset.createPlayer().step(1);
    asset.createSurface({ positions: restNumbers(3 * 301) });
    asset.gpuTextures();
    asset.close();
    return asset;
  };
  openAndClose();
  const bytes = supple.memoryBytes;
  for (let i = 0; i < 50; ++i) openAndClose();
  assert.equal(supple.memoryBytes, bytes);
  const asset = supple.openAsset(bytesOf('sample'));
  const [player, other] = [asset.createPlayer(), asset.createPlayer()];
  const surface = asset.createSurface({ positions: restNumbers(3 * 53) });
  player.close();
  player.close();
  for (const use of [() => player.step(1), () => player.coefficients, () => player.reset()]) {
    assert.throws(use, isSuppleError(Status.badArgument, /closed/));
  }
  other.step(1);
  asset.close();
  assert.throws(() => other.step(1), isSuppleError(Status.badArgument, /closed/));
  assert.throws(() => surface.positions, isSuppleError(Status.badArgument, /closed/));
  assert.throws(() => asset.createPlayer(), isSuppleError(Status.badArgument, /closed/));
});

test('coefficients from elsewhere become the same texels', async () => {
  const asset = (await loadSupple()).openAsset(bytesOf('busy'));
  const player = asset.createPlayer();
  player.push(3, [1, 2, 3]);
  player.step(1 / 60);
  player.step(1 / 60);
  const texels = [0, 1].map(() => new Float32Array(4 * asset.gpuLayout.coefficientTexels + 2));
  player.gpuCoefficients(texels[0], 2);
  asset.gpuCoefficients(player.coefficients, texels[1], 2);
  assert.deepEqual(texels[0], texels[1]);
  assert.ok(texels[0].some((x) => x !== 0) && texels[0][0] === 0);
  const tooFew = () => asset.gpuCoefficients([1], texels[0]);
  assert.throws(tooFew, isSuppleError(Status.badArgument, /48/));
});

test('loads from bytes, a module, a response and an address', async () => {
  const bytes = readFileSync(wasmPath);
  const sources = [
    bytes,
    new Uint8Array(bytes).buffer,
    new WebAssembly.Module(bytes),
    new Response(bytes),
    new URL(`file://${wasmPath}`),
  ];
  for (const source of sources) {
    (await loadSupple(source)).openAsset(bytesOf('sample')).close();
  }
  await assert.rejects(loadSupple(new Response('', { status: 404 })), /404/);
});

test('the shaders are those of runtime/shaders', () => {
  const file = (name) => readFileSync(join(sourceRoot, 'runtime/shaders', name), 'utf8');
  assert.equal(shaders.modalTexture, file('modal_texture.glsl'));
  assert.equal(shaders.modalAttributes, file('modal_attributes.glsl'));
  assert.equal(shaders.surface, file('surface.glsl'));
  assert.equal(shaders.skinning, file('skinning.glsl'));
});

/** Steps a player under a push; the same everywhere. */
const FRAMES = `
  const player = asset.createPlayer();
  player.push(0, [5, 5, 5]);
  for (let i = 0; i < 20; ++i) player.step(1 / 60);
  const result = Array.from(player.coefficients);`;

async function coefficientsHere() {
  const asset = (await loadSupple()).openAsset(bytesOf('sample'));
  return new Function('asset', `${FRAMES} return result;`)(asset);
}

test("in Node's workers", async () => {
  const code = `
    import { parentPort, workerData } from 'node:worker_threads';
    import(workerData.url).then(async ({ loadSupple }) => {
      const asset = (await loadSupple()).openAsset(workerData.bytes);
      ${FRAMES}
      parentPort.postMessage(result);
    });`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`), {
    workerData: { url: packageUrl.href, bytes: bytesOf('sample') },
  });
  const result = await new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  await worker.terminate();
  assert.deepEqual(result, await coefficientsHere());
});

test('in a page and in its worker', { skip: browserMissing || false }, async () => {
  const server = await serveTests(folder);
  const browser = await openBrowser();
  const { page, errors } = await openPage(browser, server.address);
  const found = await page.evaluate(async (frames) => {
    const bytes = await (await fetch('/files/sample.supple')).arrayBuffer();
    const { loadSupple } = await import('supple');
    const asset = (await loadSupple()).openAsset(bytes);
    const here = new Function('asset', `${frames} return result;`)(asset);
    const code = `
      import { loadSupple } from '${location.origin}/web/packages/supple/dist/index.js';
      onmessage = async ({ data }) => {
        const asset = (await loadSupple(data.module)).openAsset(data.bytes);
        ${frames}
        postMessage(result);
      };`;
    const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
    const worker = new Worker(url, { type: 'module' });
    const wasm = await (await fetch('/web/packages/supple/dist/supple.wasm')).arrayBuffer();
    worker.postMessage({ module: await WebAssembly.compile(wasm), bytes });
    const there = await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = reject;
    });
    return { here, there };
  }, FRAMES);
  await browser.close();
  await server.close();
  assert.deepEqual(errors, []);
  const expected = await coefficientsHere();
  assert.deepEqual(found.here, expected);
  assert.deepEqual(found.there, expected);
});
