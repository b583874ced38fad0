// SPDX-License-Identifier: Apache-2.0
// The native player and the WebAssembly one on the same input: coefficients to the last bit.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { loadSupple, Status } from '../../web/packages/supple/dist/index.js';
import { program, writeAssets } from './programs.mjs';
import { restSurface, seededRandom } from './synthetic.mjs';

const FRAMES = 4000;
const STREAMS = ['positions', 'normals', 'tangents'];

/** Of the size. Natively products and sums may be fused and roots estimated otherwise. */
const TOLERANCE = { positions: 1e-6, normals: 2e-6, tangents: 1e-5 };

/** Shells here turn by hundreds of radians: a rounding of the turn is one of the direction. */
const SHELL_TOLERANCE = { positions: 1e-5, normals: 5e-3, tangents: 5e-3 };

/** Vertices whose normal turned to almost the opposite side: there tangents are divided by almost
 * nothing. */
function turnedFar(before, after) {
  return Array.from({ length: before.length / 3 }, (_, v) => {
    const a = before.subarray(3 * v, 3 * v + 3);
    const b = after.subarray(3 * v, 3 * v + 3);
    const lengths = Math.hypot(...a) * Math.hypot(...b);
    const cosine = (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / lengths;
    return !(1 + cosine > 0.1);
  });
}

let folder;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'supple-parity-'));
  writeAssets(folder);
  execFileSync(program('write_sample'), [join(folder, 'sample.supple')]);
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** A matrix by columns: some turn about some axis, a place, and a scale now and then. */
function boneMatrix(random, place) {
  const axis = [random() - 0.5, random() - 0.5, random() - 0.5];
  const length = Math.hypot(...axis) + 1e-9;
  const [x, y, z] = axis.map((a) => a / length);
  const angle = 0.2 * random();
  const [s, c] = [Math.sin(angle), Math.cos(angle)];
  const t = 1 - c;
  const scale = random() < 0.1 ? 2 : 1;
  const turn = [
    [t * x * x + c, t * x * y + s * z, t * x * z - s * y, 0],
    [t * x * y - s * z, t * y * y + c, t * y * z + s * x, 0],
    [t * x * z + s * y, t * y * z - s * x, t * z * z + c, 0],
  ];
  return [...turn.flat().map((a) => Math.fround(scale * a)), ...place.map(Math.fround), 1];
}

function settings(object, random) {
  const pick = (...values) => values[Math.floor(random() * values.length)];
  return [
    ...[object, pick(1, 1, 1, 1, 0), pick(1, 0.5, 3), pick(0, 0.001, 0.1), pick(2, 999, 999)],
    ...[pick(0, 10, 500), pick(0, 1, 60), pick(0, 60), pick(0, 1)],
    ...[pick(1, 0.3, 4, 17.5), pick(1, 0, 0.5, 20), pick(1, 1, 1, 0)],
  ];
}

/** What happens to shells alone: handles come and go, bones hold, wind turns. */
function holdShells(asset, random, place) {
  const lines = [];
  const near = () => place.map((x) => x + random() - 0.5);
  const { attachmentCount, vertexCount } = asset.info;
  for (let attachment = 0; attachment < attachmentCount; ++attachment) {
    if (random() < 0.3) lines.push(['attach', attachment, ...boneMatrix(random, near())]);
    if (random() < 0.02) lines.push(['detach', attachment]);
  }
  const slot = Math.floor(4 * random());
  if (random() < 0.1) {
    const components = 1 + Math.floor(63 * random());
    const turn = [random() - 0.5, random() - 0.5, random() - 0.5, 1 + random()];
    const vertex = Math.floor(random() * vertexCount);
    const stiffness = random() < 0.5 ? 0 : 1000 * random();
    lines.push(['handle', slot, vertex, components, ...near(), ...turn, stiffness]);
  }
  if (random() < 0.05) lines.push(['loose', slot]);
  if (random() < 0.01) {
    const density = [-1, 0, 1.2, 1000][Math.floor(4 * random())];
    lines.push(['wind', ...near(), random(), 0.1 + random(), density]);
  }
  return lines;
}

/** What happens to scenes alone: entries act, most of them where the rules allow it, with strengths
 * between those sampled and beyond them. */
function triggerScenes(asset, random) {
  const lines = [];
  for (const { object, entries } of asset.scenes) {
    if (random() < 0.08) {
      lines.push(['trigger', object, Math.floor(entries.length * random()), 1.5 * random()]);
    }
    if (random() < 0.005) {
      lines.push(['blend', object, 0.02 + 0.3 * random(), random() < 0.5 ? 0 : 1]);
    }
  }
  return lines;
}

/** What the player may refuse: a vertex that no shell moves. */
function tolerate(act) {
  try {
    act();
  } catch (error) {
    if (error.status !== Status.badArgument) throw error;
  }
}

/** Everything that can happen to a player, at random. */
function makeScript(asset, random) {
  const lines = [];
  const { objectCount, vertexCount } = asset.info;
  const place = [0, 1, 0];
  for (let frame = 0; frame < FRAMES; ++frame) {
    for (let i = 0; i < 3; ++i) place[i] += 3 * (random() - 0.5);
    if (random() < 0.01) place[0] += 1e5; // a teleport
    for (let object = 0; object < objectCount; ++object) {
      if (random() < 0.02) continue; // a bone that stays
      if (random() < 0.1) {
        const turn = [random() - 0.5, random() - 0.5, random() - 0.5, random()];
        lines.push(['pose', object, ...place, ...turn]);
      } else {
        lines.push(['matrix', object, ...boneMatrix(random, place)]);
      }
    }
    if (random() < 0.005) lines.push(['matrix', 0, ...new Array(16).fill(0)]); // no transform
    if (random() < 0.1) {
      const force = [0, 0, 0].map(() => 50 * (random() - 0.5));
      lines.push(['push', Math.floor(random() * vertexCount), ...force]);
    }
    if (random() < 0.01) lines.push(['gravity', random() - 0.5, -9.81 * random(), 1]);
    const some = Math.floor(random() * objectCount);
    if (random() < 0.01) lines.push(['settings', ...settings(some, random)]);
    if (random() < 0.002) lines.push(['reset', some]);
    if (asset.shells.length > 0) lines.push(...holdShells(asset, random, place));
    if (asset.scenes.length > 0) lines.push(...triggerScenes(asset, random));
    const kind = random();
    const dt = kind < 0.5 ? 1 / 60 : kind < 0.99 ? 0.002 + 0.04 * random() : 3 * random();
    lines.push(['step', random() < 0.005 ? 0 : dt]); // now and then none
    if (frame % 200 === 0) lines.push(['deform', 0], ['deform', 1]); // bare, then skinned
  }
  return lines;
}

/** What play_script.cpp does. */
function play(asset, lines) {
  const player = asset.createPlayer();
  const { rest, palette } = restSurface(asset.info.vertexCount);
  const surface = asset.createSurface(rest);
  const coefficients = [];
  const vertices = [];
  let triggered = 0;
  const acts = {
    matrix: (object, ...matrix) => player.setBoneMatrix(object, matrix),
    pose: (object, ...n) => player.setBonePose(object, n.slice(0, 3), n.slice(3)),
    push: (vertex, ...force) => player.push(vertex, force),
    gravity: (...g) => player.setGravity(g),
    reset: (object) => player.resetObject(object),
    settings: (object, ...s) =>
      player.setSettings(object, {
        ...{ enabled: s[0] !== 0, gain: s[1], limitMetres: s[2], modes: s[3] },
        ...{ maxAcceleration: s[4], maxSpin: s[5], teleportSpeed: s[6], coriolis: s[7] !== 0 },
        ...{ stiffness: s[8], damping: s[9], warp: s[10] !== 0 },
      }),
    attach: (attachment, ...matrix) => player.setAttachmentMatrix(attachment, matrix),
    detach: (attachment) => player.releaseAttachment(attachment),
    handle: (slot, vertex, components, ...n) => tolerate(() => player.setHandle(slot, {
      ...{ vertex, components, rest: rest.positions.subarray(3 * vertex, 3 * vertex + 3) },
      ...{ position: n.slice(0, 3), orientation: n.slice(3, 7), stiffness: n[7] },
    })),
    loose: (slot) => tolerate(() => player.removeHandle(slot)),
    wind: (x, y, z, gusts, gustSize, density) =>
      player.setWind({ velocity: [x, y, z], gusts, gustSize, density }),
    trigger: (object, entry, strength) => {
      if (player.trigger(object, entry, strength)) ++triggered;
    },
    blend: (object, halfLife, blend) =>
      player.setSceneSettings(object, { halfLife, blend: ['smooth', 'paper'][blend] }),
    step: (dt) => {
      player.step(dt);
      coefficients.push(player.coefficients.slice());
    },
    deform: (skinned) => {
      player.deform(surface, skinned ? { palette } : {});
      for (const name of STREAMS) {
        vertices.push(surface[name].slice());
      }
    },
  };
  for (const [verb, ...numbers] of lines) acts[verb](...numbers);
  return { coefficients, vertices, triggered, diagnostics: player.diagnose() };
}

const floatsOf = (path) => {
  const bytes = readFileSync(path);
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
};

const names = ['sample', 'busy', 'busy_float', 'modes_100_short', 'modes_1_float'];
for (const name of [...names, 'shell_mixed', 'shell_float', 'scene', 'scene_mixed']) {
  test(`${name}: the same coefficients, bit for bit, and vertices to rounding`, async () => {
    const path = join(folder, `${name}.supple`);
    const asset = (await loadSupple()).openAsset(readFileSync(path));
    const lines = makeScript(asset, seededRandom(name.length * 77));
    const out = ['script', 'coefficients', 'vertices'].map((end) => join(folder, `${name}.${end}`));
    writeFileSync(out[0], lines.map((line) => line.join(' ')).join('\n') + '\n');
    execFileSync(program('play_script'), [path, ...out]);
    const { coefficients, vertices, triggered, diagnostics } = play(asset, lines);

    const native = floatsOf(out[1]);
    const modes = asset.info.modeCount;
    assert.equal(native.length, FRAMES * modes);
    const nativeBits = new Uint32Array(native.buffer);
    let moved = 0;
    coefficients.forEach((row, frame) => {
      const bits = new Uint32Array(row.buffer);
      for (let k = 0; k < modes; ++k) {
        moved += row[k] !== 0 ? 1 : 0;
        if (bits[k] !== nativeBits[frame * modes + k]) {
          assert.fail(`frame ${frame}, mode ${k}: ${row[k]} and ${native[frame * modes + k]}`);
        }
      }
    });
    // The script must have been worth it.
    assert.ok(moved > 0.5 * native.length, `only ${moved} of ${native.length} are not 0`);
    if (asset.scenes.length > 0) assert.ok(triggered > 100, `only ${triggered} entries acted`);
    // A scene replays: no pause and no teleport matters to it.
    const replays = asset.objects.every(({ kind }) => kind === 'scene');
    const carried = replays ? [] : ['pauses', 'teleports'];
    for (const count of ['badTransforms', 'badTimeSteps', ...carried]) {
      assert.ok(diagnostics[count] > 0, `no ${count}`);
    }

    const nativeVertices = floatsOf(out[2]);
    const { rest } = restSurface(asset.info.vertexCount);
    const worst = Object.fromEntries(STREAMS.map((stream) => [stream, 0]));
    let turned = [];
    vertices.forEach((stream, i) => {
      const kind = STREAMS[i % 3];
      if (i % 6 === 1) turned = turnedFar(rest.normals, stream);
      const size = stream.reduce((most, x) => Math.max(most, Math.abs(x)), 1);
      stream.forEach((x, at) => {
        if (kind === 'tangents' && turned[Math.floor(at / 3)]) return;
        const error = Math.abs(x - nativeVertices[i * stream.length + at]) / size;
        worst[kind] = Math.max(worst[kind], error);
      });
    });
    assert.equal(vertices.length * 3 * asset.info.vertexCount, nativeVertices.length);
    console.log(`${name}: ${native.length} coefficients equal; vertices differ by`, worst);
    for (const stream of STREAMS) {
      const tolerance = asset.shells.length > 0 ? SHELL_TOLERANCE : TOLERANCE;
      assert.ok(worst[stream] < tolerance[stream], `${stream} differ by ${worst[stream]}`);
    }
    asset.close();
  });
}
