// SPDX-License-Identifier: Apache-2.0
// What supple-three leaves behind, loads and shares; its shadows and its crowds.
import { loadedSupple, loadSupple } from 'supple';
import { SuppleCrowd, SuppleMesh } from 'supple-three';
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { clone } from 'three/addons/utils/SkeletonUtils.js';

import { makeGlb } from './make_glb.js';
import { cutOut, loadCharacter, pose } from './three_parity.js';

const URL_ = '/files/layered.supple';

const bytesOf = async (url) => (await fetch(url)).arrayBuffer();

/** All that a character changes in its scene and its clips. */
const stateOf = (gltf) => {
  const meshes = [];
  gltf.scene.traverse((object) => object.isMesh && meshes.push(object));
  return {
    meshes: meshes.map((mesh) => [
      ...[mesh.geometry, mesh.material, mesh.getVertexPosition, mesh.morphTargetInfluences],
      ...[mesh.customDepthMaterial, mesh.customDistanceMaterial, mesh.boundingSphere],
    ]),
    tracks: (gltf.animations ?? []).map((clip) => new Set(clip.tracks)),
  };
};

const same = (a, b) =>
  a.meshes.every((list, m) => list.every((item, i) => item === b.meshes[m][i])) &&
  a.tracks.every((set, i) => set.size === new Set([...set, ...b.tracks[i]]).size) &&
  a.tracks.every((set, i) => set.size === b.tracks[i].size);

async function loadWithMorphs(url) {
  const asset = (await loadSupple()).openAsset(await bytesOf(url));
  const shape = new Float32Array(3 * asset.info.vertexCount).fill(0.1);
  const names = ['smile', 'flesh 0 1 +', 'flesh 0 1 -'];
  const targets = names.map((name) => ({ name, shape }));
  const load = async (list) => {
    const glb = makeGlb(asset, { skinned: true, targets: list, weightTrack: true });
    return new GLTFLoader().parseAsync(glb, '');
  };
  return { asset, gltf: await load(targets), bare: await load(targets.slice(1)) };
}

/** A second part that does not fit leaves nothing of the first. */
export async function failure() {
  const { asset, gltf } = await loadWithMorphs('/files/modes_5_short.supple');
  const meshes = [];
  gltf.scene.traverse((object) => object.isMesh && meshes.push(object));
  const plain = meshes[1].geometry;
  meshes[1].geometry = plain.clone();
  for (let i = 0; i < 12; ++i) {
    meshes[1].geometry.setAttribute(`extra_${i}`, plain.getAttribute('position'));
  }
  const before = stateOf(gltf);
  let words = 'nothing';
  try {
    new SuppleMesh(gltf, asset, { path: 'attributes' });
  } catch (error) {
    words = error.message;
  }
  const restored = same(before, stateOf(gltf));
  // Shapes that are no longer in use are created again for the next user.
  const shapesOf = (mesh) => {
    const shader = { uniforms: {}, vertexShader: '', fragmentShader: '' };
    mesh.meshes[0].material.onBeforeCompile(shader);
    return shader.uniforms.supple_shapes.value;
  };
  const first = new SuppleMesh(gltf, asset);
  const shapes = shapesOf(first);
  let disposed = false;
  shapes.addEventListener('dispose', () => (disposed = true));
  first.dispose();
  return { words, restored, disposed };
}

/** Clips are cut while a character needs it, and whole after the last one. */
export async function clips() {
  const { asset, gltf, bare } = await loadWithMorphs(URL_);
  const before = [stateOf(gltf), stateOf(bare)];
  new SuppleMesh(gltf, asset).dispose(); // notes places, which a clone keeps
  const other = clone(gltf.scene);
  const first = new SuppleMesh(gltf, asset);
  const cut = gltf.animations[0].tracks.map((track) => track.values.length);
  const second = new SuppleMesh(bare, asset);
  const none = bare.animations[0].tracks.length;
  // Others may share the clips, and may add to them.
  const twin = new SuppleMesh({ ...gltf, scene: other }, asset);
  first.dispose();
  const still = gltf.animations[0].tracks.map((track) => track.values.length);
  const added = new THREE.NumberKeyframeTrack('x.y', [0], [0]);
  bare.animations[0].tracks.push(added);
  second.dispose();
  const kept = bare.animations[0].tracks.includes(added);
  bare.animations[0].tracks = bare.animations[0].tracks.filter((track) => track !== added);
  twin.dispose();
  const restored = same(before[0], stateOf(gltf)) && same(before[1], stateOf(bare));
  return { cut, none, still, kept, restored };
}

/** The player is loaded when it is needed, and again after a failure. */
export async function loading() {
  const bytes = await bytesOf(URL_);
  const own = await loadSupple(await fetch('/web/packages/supple/dist/supple.wasm'));
  const { instantiate } = WebAssembly;
  let made = 0;
  let broken = true;
  WebAssembly.instantiate = (...given) => {
    ++made;
    return broken ? Promise.reject(new Error('no memory left')) : instantiate(...given);
  };
  const asset = own.openAsset(bytes);
  const gltf = await new GLTFLoader().parseAsync(makeGlb(asset), '');
  (await SuppleMesh.load(gltf, bytes, { supple: own })).dispose();
  const needless = made;
  const failed = await SuppleMesh.load(gltf, bytes).then(
    () => 'nothing',
    (error) => error.message,
  );
  broken = false;
  (await SuppleMesh.load(gltf, bytes)).dispose();
  await Promise.all([SuppleMesh.ready(), loadSupple(), SuppleMesh.ready()]);
  const direct = new SuppleMesh(gltf, bytes);
  pose(gltf, 1);
  direct.update(1 / 60);
  direct.dispose();
  let closed = 'open';
  try {
    direct.asset.createPlayer();
  } catch {
    closed = 'closed';
  }
  const common = (await loadSupple()) === loadedSupple();
  WebAssembly.instantiate = instantiate;
  return { needless, failed, made, common, closed };
}

// A floor below the character, a light above, and a camera between that sees the floor alone.
function floorStage(light) {
  const renderer = new THREE.WebGLRenderer({ preserveDrawingBuffer: true });
  renderer.setSize(200, 200);
  renderer.shadowMap.enabled = true;
  const scene = new THREE.Scene();
  const floor = new THREE.Mesh(new THREE.PlaneGeometry(60, 60), new THREE.MeshLambertMaterial());
  floor.rotation.x = -Math.PI / 2;
  floor.position.y = -10;
  floor.receiveShadow = true;
  const lamp = light === 'sun' ? new THREE.DirectionalLight(0xffffff, 3) : new THREE.PointLight();
  lamp.castShadow = true;
  lamp.position.set(0, 20, 0);
  if (light === 'lamp') Object.assign(lamp, { intensity: 3000, decay: 2 });
  const view = lamp.shadow.camera;
  if (light === 'sun') Object.assign(view, { left: -9, right: 9, bottom: -9, top: 9 });
  Object.assign(view, { far: 100 }).updateProjectionMatrix();
  lamp.shadow.mapSize.set(1024, 1024);
  scene.add(floor, lamp);
  const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 100);
  camera.position.y = -2;
  camera.lookAt(0, -10, 0);
  const picture = () => {
    renderer.render(scene, camera);
    const gl = renderer.getContext();
    const pixels = new Uint8Array(4 * 200 * 200);
    gl.readPixels(0, 0, 200, 200, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    return Array.from({ length: 200 * 200 }, (_, i) => pixels[4 * i]);
  };
  return { renderer, scene, camera, picture };
}

// Above the floor, behind the camera.
function centre(mesh, scene) {
  mesh.update(1 / 60);
  const part = mesh.meshes[0];
  const { center } = part.boundingSphere.clone().applyMatrix4(part.matrixWorld);
  scene.position.set(-center.x, 3 - center.y, -center.z);
  mesh.update(1 / 60);
}

/** Texels that are cut out throw no shadow, whether the material was there from the beginning or
 * came later. */
export async function shadowCuts(light) {
  const stage = floorStage(light);
  const empty = stage.picture();
  const dark = (picture) => picture.filter((value, i) => value < empty[i] - 8).length;
  const shadow = async (columns, later) => {
    const { asset, gltf } = await loadCharacter(URL_);
    const materials = () => new THREE.MeshStandardMaterial({ side: 2, ...cutOut(columns) });
    gltf.scene.traverse((object) => {
      if (!object.isMesh) return;
      object.castShadow = true;
      object.frustumCulled = false;
      // Of an alpha test that comes or goes three.js knows by itself, of a map it does not.
      object.material = later
        ? new THREE.MeshStandardMaterial({ side: 2, alphaTest: 0.5 })
        : materials();
    });
    const mesh = new SuppleMesh(gltf, asset);
    stage.scene.add(gltf.scene);
    centre(mesh, gltf.scene);
    if (later) {
      stage.picture();
      for (const part of mesh.meshes) mesh.setMaterial(part, materials());
    }
    const picture = stage.picture();
    stage.scene.remove(gltf.scene);
    mesh.dispose();
    return picture;
  };
  const whole = await shadow(8, false);
  const part = await shadow(2, false);
  const later = await shadow(2, true);
  return {
    ...{ whole: dark(whole), part: dark(part), none: dark(await shadow(0, false)) },
    later: later.filter((value, i) => value !== part[i]).length,
  };
}

/** Switching flesh on and off between two drawings of a frame sends nothing more. */
export async function switching() {
  const { asset, gltf } = await loadCharacter(URL_);
  const mesh = new SuppleMesh(gltf, asset);
  const stage = floorStage('sun');
  stage.scene.add(gltf.scene);
  stage.camera.lookAt(0, 0, 0);
  gltf.scene.traverse((object) => (object.frustumCulled = false));
  const gl = stage.renderer.getContext();
  const bytes = 16 * asset.gpuLayout.coefficientTexels;
  let sent = 0;
  const upload = gl.texSubImage2D;
  gl.texSubImage2D = (...given) => {
    if (given.find((value) => ArrayBuffer.isView(value))?.byteLength === bytes) ++sent;
    return upload.apply(gl, given);
  };
  const frame = () => {
    sent = 0;
    mesh.update(1 / 60);
    for (const value of [false, true, false, true]) {
      mesh.enabled = value;
      stage.renderer.render(stage.scene, stage.camera);
    }
    return { sent, stats: mesh.stats.uploads };
  };
  frame();
  const usual = frame();
  const shape = new Float32Array(asset.info.modeCount).fill(0.02);
  mesh.setCoefficients(shape);
  shape.fill(9); // it keeps what it was given
  const given = { first: frame(), kept: mesh.coefficients[0], then: frame() };
  mesh.setCoefficients(null);
  return { usual, given, back: frame() };
}

/** A crowd's colours and limits, and what it leaves of its source. */
export async function crowd() {
  const { asset, gltf } = await loadCharacter(URL_);
  const source = new SuppleMesh(gltf, asset);
  source.update(1 / 60);
  const before = source.meshes.map((mesh) => mesh.boundingSphere.clone());
  const many = new SuppleCrowd(source, 3);
  const placement = new THREE.Matrix4();
  for (let frame = 0; frame < 20; ++frame) {
    many.update(1 / 60, (index) => {
      pose(gltf, 0.3 * frame);
      return placement.makeTranslation(0.5 * index, 0, 0);
    });
  }
  const untouched = source.meshes.every((mesh, i) => mesh.boundingSphere.equals(before[i]));
  const stage = floorStage('sun');
  stage.scene.add(many.root);
  const one = source.meshes[0];
  const there = one.localToWorld(one.getVertexPosition(5, new THREE.Vector3()));
  stage.camera.position.copy(there).add(new THREE.Vector3(0, 4, 0));
  stage.camera.lookAt(there);
  const differing = (a, b) => a.filter((value, i) => value !== b[i]).length;
  const plain = stage.picture();
  many.colourBy = 'displacement';
  const painted = stage.picture();
  const usual = many.colourRange;
  many.colourRange = usual / 10;
  const strong = stage.picture();
  many.colourBy = 'none';
  const again = stage.picture();
  const refuse = (count, options) => {
    try {
      new SuppleCrowd(source, count, options).dispose();
      return 'nothing';
    } catch (error) {
      return error.message;
    }
  };
  return {
    untouched,
    ...{ painted: differing(plain, painted), strong: differing(painted, strong) },
    ...{ again: differing(plain, again), range: usual === source.colourRange },
    ...{ many: refuse(5000), joints: refuse(2, { maxTextureSize: 16 }) },
    fits: refuse(5000, { maxTextureSize: 8192 }),
  };
}
