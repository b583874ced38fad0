// SPDX-License-Identifier: Apache-2.0
// What supple-three does around drawing.
import { loadSupple } from 'supple';
import { SuppleMesh } from 'supple-three';
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { clone } from 'three/addons/utils/SkeletonUtils.js';

import { makeGlb } from './make_glb.js';
import { loadCharacter, pose } from './three_parity.js';

const URL_ = '/files/layered.supple';

function shake(mesh, gltf, frames = 20) {
  for (let frame = 0; frame < frames; ++frame) {
    pose(gltf, 0.3 * frame);
    mesh.update(1 / 60);
  }
}

function makeStage() {
  const renderer = new THREE.WebGLRenderer({ preserveDrawingBuffer: true });
  renderer.setSize(200, 200);
  const scene = new THREE.Scene();
  scene.add(new THREE.HemisphereLight(0xffffff, 0x888888, 3));
  const camera = new THREE.PerspectiveCamera(60, 1, 0.1, 100);
  const picture = (mesh) => {
    const part = mesh.meshes[0];
    part.updateWorldMatrix(true, false);
    const { center, radius } = part.boundingSphere.clone().applyMatrix4(part.matrixWorld);
    camera.position.copy(center).add(new THREE.Vector3(0, 0, 0.5 * radius));
    renderer.render(scene, camera);
    const gl = renderer.getContext();
    const pixels = new Uint8Array(4 * 200 * 200);
    gl.readPixels(0, 0, 200, 200, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    return pixels;
  };
  return { renderer, scene, camera, picture };
}

const differing = (a, b) => {
  let count = 0;
  for (let i = 0; i < a.length; i += 4) {
    if (a[i] !== b[i] || a[i + 1] !== b[i + 1] || a[i + 2] !== b[i + 2]) ++count;
  }
  return count;
};

/** The baker's morph targets go, those of others stay; so do the weights of their clips. */
export async function morphs() {
  const supple = await loadSupple();
  const asset = supple.openAsset(await (await fetch(URL_)).arrayBuffer());
  const shape = new Float32Array(3 * asset.info.vertexCount).fill(0.1);
  const names = ['smile', 'flesh 0 1 +', 'flesh 0 1 -', 'flesh 1 7 + (2)', 'flesh 1 8 +'];
  const load = async (list) => {
    const targets = list.map((name) => ({ name, shape }));
    const glb = makeGlb(asset, { skinned: true, targets, weightTrack: true });
    return new GLTFLoader().parseAsync(glb, '');
  };
  const mixed = await load(names);
  const mesh = new SuppleMesh(mixed, asset);
  const part = mesh.meshes[0];
  const kept = {
    names: Object.keys(part.morphTargetDictionary),
    influences: part.morphTargetInfluences.length,
    attributes: part.geometry.morphAttributes.position.length,
    tracks: mixed.animations[0].tracks.map((track) => [...track.values]),
  };
  const stage = makeStage();
  stage.scene.add(mixed.scene);
  shake(mesh, mixed);
  stage.picture(mesh);
  mesh.dispose();
  const restored = part.morphTargetInfluences.length;
  const baked = await load(names.slice(1, 4));
  const bare = new SuppleMesh(baked, asset);
  return {
    kept,
    restored,
    bare: {
      influences: bare.meshes[0].morphTargetInfluences ?? null,
      attributes: Object.keys(bare.meshes[0].geometry.morphAttributes),
      tracks: baked.animations[0].tracks.length,
    },
  };
}

/** Other meshes are refused, in words. */
export async function refusals() {
  const words = {};
  const attempt = (name, call) => {
    try {
      call();
      words[name] = 'nothing';
    } catch (error) {
      words[name] = `${error.name} ${error.status}: ${error.message}`;
    }
  };
  attempt('early', () => new SuppleMesh({ scene: new THREE.Group() }, new Uint8Array(3)));
  const { asset, gltf, supple } = await loadCharacter(URL_);
  attempt('attributes', () => new SuppleMesh(gltf, asset, { path: 'attributes' }));
  attempt('coefficients', () => new SuppleMesh(gltf, asset).setCoefficients([1]));
  attempt('damaged', () => new SuppleMesh(gltf, new Uint8Array(99), { supple }));
  gltf.scene.getObjectByProperty('isMesh', true).geometry.attributes.position.array[3] += 0.5;
  attempt('moved', () => new SuppleMesh(gltf, asset));
  const cube = { scene: new THREE.Mesh(new THREE.BoxGeometry()), animations: [] };
  attempt('cube', () => new SuppleMesh(cube, asset));
  return words;
}

/** Rays hit the flesh where it is drawn, and name its vertices. */
export async function picking(url = URL_) {
  const { asset, gltf } = await loadCharacter(url);
  const mesh = new SuppleMesh(gltf, asset);
  gltf.scene.position.set(1, 2, 3);
  gltf.scene.rotation.y = 1;
  gltf.scene.children[0].position.set(4, 5, 6); // where a skinned mesh is does not matter
  shake(mesh, gltf);
  const ray = new THREE.Raycaster();
  const point = new THREE.Vector3();
  const found = { tried: 0, hit: 0, right: 0, outside: 0 };
  const check = () => {
    mesh.meshes.forEach((part, p) => {
      for (let i = 2; i < part.geometry.attributes.position.count - 2; i += 7) {
        part.localToWorld(part.getVertexPosition(i, point));
        const sphere = part.boundingSphere.clone().applyMatrix4(part.matrixWorld);
        if (!sphere.containsPoint(point)) ++found.outside;
        // From just outside the corner of a triangle towards its middle.
        const corners = [i, i + 1, i + 2].map((index) =>
          part.localToWorld(part.getVertexPosition(index, new THREE.Vector3())),
        );
        const middle = corners[0].clone().multiplyScalar(0.9);
        middle.addScaledVector(corners[1], 0.05).addScaledVector(corners[2], 0.05);
        const normal = new THREE.Triangle(...corners).getNormal(new THREE.Vector3());
        ray.set(middle.clone().addScaledVector(normal, 1e-3), normal.clone().negate());
        const hits = ray.intersectObject(part).filter((hit) => hit.distance < 2e-3);
        ++found.tried;
        if (hits.length > 0) ++found.hit;
        const vertices = hits.map((hit) => mesh.vertexOf(hit));
        if (vertices.includes(asset.parts[p].firstVertex + i)) ++found.right;
      }
    });
  };
  check();
  const still = mesh.meshes[0].getVertexPosition(4, new THREE.Vector3());
  mesh.setCoefficients(new Float32Array(asset.info.modeCount).fill(0.05));
  const shown = mesh.meshes[0].getVertexPosition(4, new THREE.Vector3());
  check();
  found.override = still.distanceTo(shown);
  found.other = mesh.vertexOf({ object: new THREE.Object3D(), face: null, point });
  return found;
}

/** One material on two meshes, a second character by SkeletonUtils, disposal. */
export async function sharing() {
  const { asset, gltf } = await loadCharacter(URL_);
  const [first, second] = gltf.scene.children[0].children;
  const shared = first.material;
  second.material = shared;
  const before = { geometry: first.geometry, material: shared };
  const mesh = new SuppleMesh(gltf, asset);
  const twin = { scene: clone(gltf.scene), animations: [] };
  const other = new SuppleMesh(twin, asset);
  const stage = makeStage();
  stage.scene.add(gltf.scene, twin.scene);
  twin.scene.position.x = 3;
  shake(mesh, gltf);
  shake(other, twin, 3);
  stage.picture(mesh);
  const { programs } = stage.renderer.info;
  const result = {
    distinct: first.material !== second.material && first.material !== shared,
    untouched: !String(shared.onBeforeCompile).includes('supple'),
    programs: programs.length,
    textures: stage.renderer.info.memory.textures,
  };
  mesh.dispose();
  other.update(1 / 60);
  result.restored = first.geometry === before.geometry && first.material === before.material;
  stage.picture(other);
  other.dispose();
  stage.renderer.render(stage.scene, stage.camera);
  result.texturesLeft = stage.renderer.info.memory.textures;
  return result;
}

/** What a frame uploads, counted at the context. */
export async function uploads() {
  const { asset, gltf } = await loadCharacter(URL_);
  const mesh = new SuppleMesh(gltf, asset);
  const stage = makeStage();
  stage.scene.add(gltf.scene);
  shake(mesh, gltf, 3);
  stage.picture(mesh);
  const gl = stage.renderer.getContext();
  const log = [];
  const uploading = /^(tex(Sub)?Image[23]D|buffer(Sub)?Data)$/;
  for (const name in gl) {
    if (!uploading.test(name)) continue;
    const call = gl[name];
    gl[name] = (...given) => {
      const data = given.find((value) => ArrayBuffer.isView(value));
      log.push([name, data?.byteLength ?? 0]);
      return call.apply(gl, given);
    };
  }
  shake(mesh, gltf, 1);
  stage.picture(mesh);
  const { calls } = stage.renderer.info.render;
  const counted = [...log];
  let updateMs = 0;
  for (let i = 0; i < 500; ++i) {
    mesh.update(1 / 60);
    updateMs += mesh.stats.updateMs / 500;
  }
  return {
    log: counted,
    calls,
    updateMs,
    bytes: 16 * asset.gpuLayout.coefficientTexels,
    stats: mesh.stats,
  };
}

/** Colour and comparison change the picture; a lost context comes back with it. */
export async function pictures() {
  const { asset, gltf } = await loadCharacter(URL_);
  const mesh = new SuppleMesh(gltf, asset);
  const stage = makeStage();
  stage.scene.add(gltf.scene);
  shake(mesh, gltf);
  const flesh = stage.picture(mesh);
  mesh.enabled = false;
  const bones = stage.picture(mesh);
  mesh.enabled = true;
  mesh.colourBy = 'displacement';
  const colour = stage.picture(mesh);
  mesh.colourBy = 'none';
  const again = stage.picture(mesh);
  const lose = stage.renderer.getContext().getExtension('WEBGL_lose_context');
  const wait = (name) =>
    new Promise((done) => stage.renderer.domElement.addEventListener(name, done, { once: true }));
  const lost = wait('webglcontextlost');
  lose.loseContext();
  await lost;
  await new Promise((done) => setTimeout(done)); // a task later: the event is no longer on its way
  const back = wait('webglcontextrestored');
  lose.restoreContext();
  await back;
  const after = stage.picture(mesh);
  const black = new Uint8Array(flesh.length);
  return {
    visible: differing(flesh, black),
    bones: differing(flesh, bones),
    colour: differing(flesh, colour),
    again: differing(flesh, again),
    after: differing(flesh, after),
  };
}

/** A hook of the user's own still runs, and programs are told apart. */
export async function hooks() {
  const { asset, gltf } = await loadCharacter(URL_);
  let called = 0;
  gltf.scene.traverse((object) => {
    if (!object.isMesh) return;
    object.material.onBeforeCompile = (shader) => {
      ++called;
      shader.fragmentShader = shader.fragmentShader.replace(
        '#include <opaque_fragment>',
        '#include <opaque_fragment>\n  gl_FragColor = vec4(0.0, 1.0, 0.0, 1.0);',
      );
    };
  });
  const mesh = new SuppleMesh(gltf, asset);
  const stage = makeStage();
  const plain = new THREE.Mesh(new THREE.BoxGeometry(), new THREE.MeshStandardMaterial());
  stage.scene.add(gltf.scene, plain);
  shake(mesh, gltf, 3);
  const pixels = stage.picture(mesh);
  let green = 0;
  for (let i = 0; i < pixels.length; i += 4) {
    if (pixels[i] === 0 && pixels[i + 1] === 255 && pixels[i + 2] === 0) ++green;
  }
  const given = new THREE.MeshBasicMaterial({ color: 0xff0000, side: THREE.DoubleSide });
  const moved = mesh.setMaterial(mesh.meshes[0], given);
  const red = stage.picture(mesh);
  return { called, green, own: moved !== given, changed: differing(pixels, red) };
}

/** A scene answers to its palette, and moves in the frame of the world in which it stands. */
export async function scene() {
  const url = '/files/scene.supple';
  const options = { glb: { skinned: false } };
  const [here, there] = [await loadCharacter(url, options), await loadCharacter(url, options)];
  const meshes = [here, there].map(({ gltf, asset }) => new SuppleMesh(gltf, asset));
  const [still, moved] = meshes;
  const root = there.gltf.scene;
  const found = { states: [], away: 0, largest: 0, moving: 0, difference: 0 };
  found.refused = moved.trigger('wind');
  found.taken = meshes.map((mesh) => mesh.trigger('push', 0.75));
  const [a, b] = [new THREE.Vector3(), new THREE.Vector3()];
  for (let frame = 0; frame < 40; ++frame) {
    if (frame === 10) meshes.forEach((mesh) => mesh.trigger(1));
    root.position.set(frame, 2, -frame);
    root.rotation.set(0.1 * frame, 0.3, 0);
    root.scale.setScalar(2);
    meshes.forEach((mesh) => mesh.update(1 / 60));
    still.coefficients.forEach((q, k) => {
      found.difference = Math.max(found.difference, Math.abs(q - moved.coefficients[k]));
      found.largest = Math.max(found.largest, Math.abs(q));
    });
    for (let p = 0; p < still.meshes.length; ++p) {
      const [one, other] = meshes.map((mesh) => mesh.meshes[p]);
      for (let i = 0; i < 20; ++i) {
        one.localToWorld(one.getVertexPosition(i, a));
        other.localToWorld(other.getVertexPosition(i, b));
        found.away = Math.max(found.away, root.localToWorld(a).distanceTo(b));
      }
    }
  }
  found.states = meshes.map((mesh) => mesh.sceneState());
  meshes.forEach((mesh) => mesh.dispose());
  const { asset, gltf } = await loadCharacter(URL_);
  const flesh = new SuppleMesh(gltf, asset);
  try {
    flesh.trigger('push');
  } catch (error) {
    found.words = error.message;
  }
  return found;
}
