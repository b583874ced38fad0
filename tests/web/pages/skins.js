// SPDX-License-Identifier: Apache-2.0
// A character in one skin and in several, as three.js draws both.
import { SuppleCrowd, SuppleMesh } from 'supple-three';
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

import { Capture } from './capture.js';

const kFrames = 30;

async function load(name) {
  const gltf = await new GLTFLoader().loadAsync(`/files/${name}.glb`);
  gltf.scene.traverse((object) => {
    // Without normals three.js would shade triangles flat, by no varying that can be captured.
    const bare = object.isMesh && !object.geometry.hasAttribute('normal');
    if (bare) object.material = new THREE.MeshBasicMaterial();
  });
  const bytes = await (await fetch(`/files/${name}.supple`)).arrayBuffer();
  const soft = await SuppleMesh.load(gltf, bytes);
  const mixer = new THREE.AnimationMixer(gltf.scene);
  for (const clip of gltf.animations.slice(0, 1)) mixer.clipAction(clip).play();
  return { gltf, soft, mixer };
}

function stage() {
  const canvas = document.createElement('canvas');
  const gl = canvas.getContext('webgl2');
  const capture = new Capture(gl);
  const renderer = new THREE.WebGLRenderer({ canvas, context: gl });
  return { gl, capture, renderer, camera: new THREE.Camera(), scene: new THREE.Scene() };
}

/** What the shaders give, mesh by mesh: `camera` is at the origin, its projection the identity. */
function drawn({ capture, renderer, camera, scene }, root, meshes) {
  meshes.forEach((mesh, order) => Object.assign(mesh, { renderOrder: order, frustumCulled: false }));
  scene.add(root);
  const draws = capture.during(() => renderer.render(scene, camera));
  scene.remove(root);
  return draws;
}

/** Largest displacements by each mode after a push on a vertex: the same force, the same answer.
 * The sign of a mode is chance. */
function pushed(soft, vertex) {
  soft.player.reset();
  soft.setGravity([0, 0, 0]);
  for (let frame = 0; frame < 4; ++frame) {
    soft.push(vertex, [2, -1, 3]);
    soft.update(1 / 60);
  }
  // Objects are in the order of bones, which that of joints decides.
  const objects = [...soft.asset.objects].sort((a, b) => a.name.localeCompare(b.name));
  return objects.flatMap(({ firstMode, modeCount }) =>
    Array.from({ length: modeCount }, (_, k) => firstMode + k).map((mode) =>
      Math.abs(soft.coefficients[mode] * soft.asset.modes[mode].largestDisplacement)));
}

/** All that is compared, of one character. `originals`: which vertex of the one skin each is. */
async function show(name, originals, watched) {
  const { gltf, soft, mixer } = await load(name);
  const around = stage();
  const places = soft.parts.map(({ info }) => originals[`${info.mesh} ${info.primitive}`]);
  for (let frame = 0; frame < kFrames; ++frame) {
    mixer.setTime(frame / 60);
    soft.update(1 / 60);
  }
  const collect = (draws, into) =>
    draws.forEach((draw, p) =>
      places[p].forEach((original, i) => {
        const at = (array, width) => [...array.slice(width * i, width * i + 3)];
        into.set(original, [...(into.get(original) ?? []),
          { position: at(draw.gl_Position, 4), normal: draw.vNormal ? at(draw.vNormal, 3) : [0, 0, 1] }]);
      }));
  const moving = new Map();
  collect(drawn(around, gltf.scene, soft.meshes), moving);
  const inside = soft.meshes.every((mesh) => holdsAll(mesh));
  const spheres = soft.meshes.map((mesh) => {
    const sphere = mesh.boundingSphere.clone().applyMatrix4(mesh.matrixWorld);
    return sphere.radius;
  });
  soft.enabled = false;
  const still = new Map();
  collect(drawn(around, gltf.scene, soft.meshes), still);
  soft.enabled = true;
  const crowd = new Map();
  collect(crowdOf(around, soft, mixer), crowd);
  const pushes = watched.map((original) => {
    const part = places.findIndex((list) => list.includes(original));
    const { firstVertex } = soft.parts[part].info;
    return pushed(soft, firstVertex + places[part].indexOf(original));
  });
  const skins = new Set(soft.meshes.map((mesh) => mesh.skeleton)).size;
  soft.dispose();
  around.renderer.dispose();
  around.gl.getExtension('WEBGL_lose_context').loseContext();
  return { moving, still, crowd, pushes, skins, inside, radius: Math.max(...spheres) };
}

/** Where rays would hit it. */
function holdsAll(mesh) {
  const point = new THREE.Vector3();
  const { count } = mesh.geometry.getAttribute('position');
  return Array.from({ length: count }, (_, i) => mesh.getVertexPosition(i, point).clone())
    .every((corner) => mesh.boundingSphere.distanceToPoint(corner) < 1e-5 * mesh.boundingSphere.radius);
}

function crowdOf(around, soft, mixer) {
  const crowd = new SuppleCrowd(soft, 1);
  const place = new THREE.Matrix4().makeRotationY(0.4).setPosition(3, 0, -2);
  for (let frame = 0; frame < kFrames; ++frame) {
    crowd.update(1 / 60, () => {
      mixer.setTime(frame / 60);
      return place;
    });
  }
  const draws = drawn(around, crowd.root, crowd.meshes);
  crowd.dispose();
  return draws;
}

function difference(one, several) {
  const box = new THREE.Box3();
  for (const [{ position }] of one.values()) box.expandByPoint(new THREE.Vector3(...position));
  const size = box.getSize(new THREE.Vector3()).length();
  const apart = (a, b) => Math.hypot(...a.map((x, i) => x - b[i]));
  const unit = (v) => v.map((x) => x / Math.hypot(...v));
  const worst = { position: 0, normal: 0, count: 0 };
  for (const [original, list] of several) {
    const [same] = one.get(original);
    for (const { position, normal } of list) {
      ++worst.count;
      worst.position = Math.max(worst.position, apart(position, same.position) / size);
      worst.normal = Math.max(worst.normal, apart(unit(normal), unit(same.normal)));
    }
  }
  return worst;
}

/** Differences of the size, of all vertices; `flesh`: how far they move, which must be more. */
export async function compare(one, several, originals) {
  const count = 1 + Object.values(originals.several).flat().reduce((a, b) => Math.max(a, b), 0);
  const watched = Array.from({ length: 12 }, (_, i) => Math.floor(((i + 0.5) * count) / 12));
  const a = await show(one, originals.one, watched);
  const b = await show(several, originals.several, watched);
  const { position: flesh } = difference(a.still, a.moving);
  const pushes = watched.map((_, i) => {
    const largest = Math.hypot(...a.pushes[i]);
    return { largest, wrong: Math.hypot(...a.pushes[i].map((x, k) => x - b.pushes[i][k])) };
  });
  return {
    moving: difference(a.moving, b.moving),
    still: difference(a.still, b.still),
    crowd: difference(a.crowd, b.crowd),
    flesh,
    pushes,
    skins: [a.skins, b.skins],
    inside: a.inside && b.inside,
    radius: b.radius / a.radius,
  };
}
