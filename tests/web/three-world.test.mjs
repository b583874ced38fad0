// SPDX-License-Identifier: Apache-2.0
// Characters that a program has scaled, mirrored, rotated or put under other parents: the same
// motion gives the same flesh. In Node, because nothing is drawn.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';

import { makeGlb } from './pages/make_glb.js';
import { sourceRoot, writeAssets } from './programs.mjs';
import { kTip, makeStripGlb } from './support/strip.mjs';
import { seededRandom } from './synthetic.mjs';

const fromWeb = (path) => import(pathToFileURL(join(sourceRoot, 'web', path)));
const THREE = await fromWeb('node_modules/three/build/three.module.js');
const { GLTFLoader } = await fromWeb('node_modules/three/examples/jsm/loaders/GLTFLoader.js');
const { loadSupple } = await fromWeb('packages/supple/dist/index.js');
const { SuppleCrowd, SuppleMesh } = await fromWeb('packages/supple-three/dist/index.js');

const FRAMES = 40;
// Matrices are handed over in 32 bits, and accelerations are second differences of them.
const SAME = { layered: 1e-6, strip: 1e-4 }; // of the largest coefficient

const random = seededRandom(15);
const between = (low, high) => low + (high - low) * random();

function randomRotation() {
  return new THREE.Quaternion(between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1))
    .normalize();
}

/** Rotated, scaled evenly, mirrored along an axis of its own, and moved by a few body lengths. */
function placement({ size, mirror = -1, rotation = randomRotation() }) {
  const scale = [0, 1, 2].map((axis) => (axis === mirror ? -size : size));
  const far = () => size * between(-20, 20);
  return new THREE.Matrix4().compose(
    new THREE.Vector3(far(), far(), far()), rotation, new THREE.Vector3(...scale));
}

function set(object, matrix) {
  object.matrixAutoUpdate = false;
  object.matrix.copy(matrix);
  object.matrixWorldNeedsUpdate = true;
}

/** Where a program may put a transform: `move` receives the character's own path. */
const parents = {
  'on the scene': (gltf, matrix) => (path) => set(gltf.scene, matrix.clone().multiply(path)),
  'far above the scene': (gltf, matrix) => {
    const [above, between_] = [new THREE.Group(), new THREE.Group()];
    const part = new THREE.Matrix4().makeScale(3, 3, 3);
    set(above, matrix.clone().multiply(part.clone().invert()));
    set(between_, part);
    above.add(between_.add(gltf.scene));
    return (path) => set(gltf.scene, path);
  },
  'on its nodes, taken out of the scene': (gltf, matrix) => {
    const group = new THREE.Group();
    const top = new THREE.Group().add(group);
    group.add(...gltf.scene.children);
    set(top, matrix);
    return (path) => set(group, path);
  },
  'on a node of the file': (gltf, matrix) => {
    const group = new THREE.Group();
    const node = gltf.scene.getObjectByName('strip') ?? gltf.scene.getObjectByName('node1');
    group.add(...gltf.scene.children);
    node.updateMatrix();
    const own = node.matrix.clone();
    return (path) => set(node, matrix.clone().multiply(path).multiply(own));
  },
};

describe('characters under any transform', () => {
  let folder;
  let supple;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'supple-world-'));
    writeAssets(folder);
    supple = await loadSupple();
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  async function load(name) {
    const asset = supple.openAsset(readFileSync(join(folder, `${name}.supple`)));
    const glb = name === 'strip' ? Uint8Array.from(makeStripGlb()).buffer
      : makeGlb(asset, { skinned: true });
    const gltf = await new GLTFLoader().parseAsync(glb, '');
    const bones = [];
    gltf.scene.traverse((object) => object.isBone && bones.push(object));
    return { name, asset, gltf, bones, mesh: new SuppleMesh(gltf, asset) };
  }

  function pose(bones, frame) {
    bones.forEach((bone, index) => {
      const phase = 0.2 * frame + index;
      bone.rotation.set(0.2 * Math.sin(phase), 0.1 * Math.cos(0.5 * phase), 0.05 * index);
    });
  }

  /** The layered character is a few centimetres large, the strip a metre, each in its own units. */
  const pathAt = (frame) => new THREE.Matrix4()
    .makeRotationY(0.02 * frame)
    .setPosition(0.3 * Math.sin(0.2 * frame), 0.2 * Math.cos(0.3 * frame), 0.01 * frame);

  /** Coefficients of all frames, one after the other. Where the character stands is known once it
   * was updated; from then on `hold` is called for each frame. */
  function play({ mesh, asset, bones }, move, hold = () => {}) {
    const found = [];
    pose(bones, 0);
    move(pathAt(0));
    mesh.update(1 / 60);
    mesh.player.reset();
    for (let frame = 0; frame < FRAMES; ++frame) {
      pose(bones, frame);
      move(pathAt(frame));
      hold(mesh, frame);
      mesh.update(1 / 60);
      found.push(...mesh.coefficients);
    }
    assert.equal(mesh.player.diagnose().badTransforms, 0);
    mesh.dispose();
    asset.close();
    return found;
  }

  function compare(found, expected, what, same = SAME.layered) {
    const largest = Math.max(...expected.map(Math.abs));
    const worst = Math.max(...expected.map((value, i) => Math.abs(value - found[i])));
    assert.ok(largest > 0.01, `the flesh moves by ${largest} only`);
    assert.ok(worst <= same * largest, `${what}: ${worst / largest} of the largest`);
  }

  /** Of a character of its own size, without gravity, which a rotated character feels from another
   * side. */
  async function reference(name) {
    const character = await load(name);
    character.mesh.setGravity([0, 0, 0]);
    return play(character, (path) => set(character.gltf.scene, path),
      holder(name, new THREE.Matrix4()));
  }

  /** A handle lifts the tip of the strip while it moves. */
  const holder = (name, matrix) => (mesh, frame) => {
    if (name !== 'strip') return;
    const place = matrix.clone().multiply(pathAt(frame));
    const position = new THREE.Vector3(0.9, 1.1, 0.1).applyMatrix4(place).toArray();
    mesh.setHandle(0, { vertex: kTip, position });
  };

  const sizes = [0.01, 100, 10 ** between(-3, 3)];
  for (const name of ['layered', 'strip']) {
    for (const [where, put] of Object.entries(parents)) {
      it(`${name}, transformed ${where}`, async () => {
        const expected = await reference(name);
        for (const size of sizes) {
          for (const mirror of [-1, Math.floor(3 * random())]) {
            const character = await load(name);
            const matrix = placement({ size, mirror });
            const move = put(character.gltf, matrix);
            character.mesh.setGravity([0, 0, 0]);
            const found = play(character, move, holder(name, matrix));
            compare(found, expected, `size ${size}, mirrored along ${mirror}`, SAME[name]);
          }
        }
      });
    }
  }

  it('poses of vertices come back in the world', async () => {
    const straight = await load('strip');
    const other = await load('strip');
    const matrix = placement({ size: 30, mirror: 2 });
    set(other.gltf.scene, matrix);
    for (const { mesh } of [straight, other]) {
      mesh.setGravity([0, 0, 0]);
      mesh.player.reset();
      mesh.update(1 / 60);
    }
    const [one, two] = [straight, other].map(({ mesh }) =>
      new THREE.Vector3(...mesh.poseOf(kTip).position));
    assert.ok(one.applyMatrix4(matrix).distanceTo(two) < 30 * 1e-5);
    assert.ok(Math.abs(other.mesh.metresPerUnit * 30 - straight.mesh.metresPerUnit) < 1e-6);
  });

  it('gravity pulls down, as hard on a giant as on a dwarf', async () => {
    const upright = { rotation: new THREE.Quaternion().setFromAxisAngle(
      new THREE.Vector3(0, 1, 0), 2) };
    const found = [];
    for (const size of [1, 0.01, 100]) {
      const character = await load('layered');
      const matrix = placement({ size, mirror: size === 1 ? -1 : 0, ...upright });
      // Tilting the character changes gravity in its own axes.
      found.push(play(character, (path) => set(character.gltf.scene,
        matrix.clone().multiply(new THREE.Matrix4().makeRotationX(0.8)).multiply(path))));
    }
    compare(found[1], found[0], 'a dwarf');
    compare(found[2], found[0], 'a giant');
  });

  it('growing is not moving', async () => {
    const { gltf, mesh } = await load('layered');
    mesh.setGravity([0, 0, 0]);
    gltf.scene.position.set(50, 3, -20);
    let largest = 0;
    for (let frame = 0; frame < FRAMES; ++frame) {
      gltf.scene.scale.setScalar(1 + 0.05 * frame);
      mesh.update(1 / 60);
      largest = Math.max(largest, ...mesh.coefficients.map(Math.abs));
    }
    gltf.scene.position.x += 50; // at three times its size
    mesh.update(1 / 60);
    const jolted = Math.max(...mesh.coefficients.map(Math.abs));
    assert.ok(largest < 1e-3 * jolted, `${largest} while growing, ${jolted} when pushed`);
  });

  it('crowds place their members at any size', async () => {
    const expected = await reference('layered');
    const { mesh, asset, bones } = await load('layered');
    const matrices = [[1, -1], [0.01, 1], [100, 0]].map(([size, mirror]) =>
      placement({ size, mirror }));
    const crowd = new SuppleCrowd(mesh, matrices.length);
    for (const player of crowd.players) player.setGravity([0, 0, 0]);
    const found = matrices.map(() => []);
    const step = (frame) => {
      pose(bones, frame);
      crowd.update(1 / 60, (index) => matrices[index].clone().multiply(pathAt(frame)));
    };
    step(0);
    for (const player of crowd.players) player.reset();
    for (let frame = 0; frame < FRAMES; ++frame) {
      step(frame);
      crowd.players.forEach((player, i) => found[i].push(...player.coefficients));
    }
    found.forEach((numbers, i) => compare(numbers, expected, `member ${i}`));
    crowd.dispose();
    asset.close();
  });

  it('an emptied scene is named', async () => {
    const { asset, gltf, mesh } = await load('layered');
    mesh.dispose();
    new THREE.Group().add(...gltf.scene.children);
    assert.throws(() => new SuppleMesh(gltf, asset),
      /scene` is empty: create the SuppleMesh before/);
  });
});
