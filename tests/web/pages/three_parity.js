// SPDX-License-Identifier: Apache-2.0
// supple-three's meshes as three.js draws them, beside the CPU player.
import { loadSupple } from 'supple';
import { SuppleCrowd, SuppleMesh } from 'supple-three';
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

import { Capture } from './capture.js';
import { makeGlb } from './make_glb.js';

/** `nodes`: WebGPURenderer, which can draw by WebGL 2 too, where its numbers can be read. */
async function stage(nodes = false) {
  const canvas = document.createElement('canvas');
  const gl = canvas.getContext('webgl2');
  const capture = new Capture(gl, nodes ? 'nodes' : 'chunks');
  const renderer = nodes
    ? await nodeRenderer(canvas, gl)
    : new THREE.WebGLRenderer({ canvas, context: gl });
  renderer.shadowMap.enabled = true;
  const camera = new THREE.Camera(); // at the origin, its projection the identity
  const scene = new THREE.Scene();
  return { gl, capture, renderer, camera, scene };
}

async function nodeRenderer(canvas, context) {
  const { WebGPURenderer } = await import('three/webgpu');
  await import('supple-three/webgpu');
  const renderer = new WebGPURenderer({ canvas, context, forceWebGL: true });
  await renderer.init();
  return renderer;
}

/** A page has only a few contexts. */
function leave({ renderer, gl }, asset) {
  renderer.dispose();
  gl.getExtension('WEBGL_lose_context').loseContext();
  asset.close();
}

export async function loadCharacter(url, options = {}) {
  const supple = await loadSupple();
  const asset = supple.openAsset(await (await fetch(url)).arrayBuffer());
  const glb = makeGlb(asset, { skinned: true, ...options.glb });
  const gltf = await new GLTFLoader().parseAsync(glb, '');
  return { supple, asset, gltf };
}

export function pose(gltf, phase) {
  gltf.scene.traverse((object) => {
    const index = Number(object.name.replace('node', ''));
    if (!(index >= 5)) return;
    object.rotation.set(0.3 * Math.sin(phase + index), 0.2 * Math.cos(phase), 0.1 * index);
    object.position.x = 5 * Math.sin(phase);
  });
}

function shake(mesh, gltf, frames = 30) {
  for (let frame = 0; frame < frames; ++frame) {
    pose(gltf, 0.3 * frame);
    mesh.update(1 / 60);
  }
}

/** World positions and normals by the CPU player, part by part. */
function expected(mesh, player, placement) {
  const { asset } = mesh;
  const vertices = asset.info.vertexCount;
  const rest = {
    positions: new Float32Array(3 * vertices),
    normals: new Float32Array(3 * vertices),
    tangents: new Float32Array(3 * vertices),
    joints: new Uint16Array(4 * vertices),
    weights: new Float32Array(4 * vertices),
  };
  const item = new THREE.Vector3();
  mesh.meshes.forEach((part, p) => {
    const { firstVertex } = asset.parts[p];
    const { position, normal, tangent, skinIndex, skinWeight } = part.geometry.attributes;
    for (let i = 0; i < position.count; ++i) {
      item.fromBufferAttribute(position, i).toArray(rest.positions, 3 * (firstVertex + i));
      item.fromBufferAttribute(normal, i).toArray(rest.normals, 3 * (firstVertex + i));
      if (tangent) {
        item.fromBufferAttribute(tangent, i).toArray(rest.tangents, 3 * (firstVertex + i));
      }
      for (let c = 0; c < 4; ++c) {
        rest.joints[4 * (firstVertex + i) + c] = skinIndex?.getComponent(i, c) ?? 0;
        rest.weights[4 * (firstVertex + i) + c] = skinWeight?.getComponent(i, c) ?? (c ? 0 : 1);
      }
    }
  });
  const surface = asset.createSurface(rest);
  const names = ['positions', 'normals', 'tangents'];
  const result = Object.fromEntries(names.map((name) => [name, new Float32Array(3 * vertices)]));
  mesh.meshes.forEach((part, p) => {
    player.deform(surface, { palette: paletteOf(part, placement) });
    const { firstVertex, vertexCount } = asset.parts[p];
    const [begin, end] = [3 * firstVertex, 3 * (firstVertex + vertexCount)];
    for (const name of names) result[name].set(surface[name].subarray(begin, end), begin);
  });
  surface.close();
  return result;
}

function paletteOf(part, placement) {
  const matrices = part.isSkinnedMesh
    ? part.skeleton.bones.map((bone, j) =>
        new THREE.Matrix4()
          .multiplyMatrices(bone.matrixWorld, part.skeleton.boneInverses[j])
          .multiply(part.bindMatrix),
      )
    : [part.matrixWorld.clone()];
  return Float32Array.from(matrices.flatMap((matrix) => matrix.premultiply(placement).toArray()));
}

/** Compares one draw with the CPU; positions go through `clip`. */
function compareDraw(draw, part, truth, clip, errors, instance = 0) {
  const point = new THREE.Vector4();
  const normal = new THREE.Vector3();
  const given = new THREE.Vector3();
  let size = 0;
  let worst = 0;
  for (let i = 0; i < draw.count; ++i) {
    const at = 3 * (part.firstVertex + i);
    point.set(truth.positions[at], truth.positions[at + 1], truth.positions[at + 2], 1);
    point.applyMatrix4(clip);
    for (let c = 0; c < 3; ++c) {
      const shown = draw.gl_Position[4 * (instance * draw.count + i) + c];
      worst = Math.max(worst, Math.abs(shown - point.getComponent(c)));
      size = Math.max(size, Math.abs(point.getComponent(c)));
    }
    for (const [name, varying] of [
      ['normals', draw.vNormal],
      ['tangents', draw.vTangent],
    ]) {
      if (varying === undefined) continue;
      normal.fromArray(truth[name], at).normalize();
      given.fromArray(varying, 3 * (instance * draw.count + i)).normalize();
      errors[name] = Math.max(errors[name] ?? 0, given.distanceTo(normal));
    }
  }
  errors.positions = Math.max(errors.positions ?? 0, worst / size);
}

const MATERIALS = {
  standard: THREE.MeshStandardMaterial,
  physical: THREE.MeshPhysicalMaterial,
  basic: THREE.MeshBasicMaterial,
  lambert: THREE.MeshLambertMaterial,
  phong: THREE.MeshPhongMaterial,
  toon: THREE.MeshToonMaterial,
};

/** White, of which some columns out of eight are there and the others are cut out. */
export function cutOut(columns) {
  const texels = Uint8Array.from({ length: 32 }, (_, i) =>
    i % 4 === 3 && i / 4 > columns ? 0 : 255,
  );
  const map = new THREE.DataTexture(texels, 8, 1);
  map.needsUpdate = true;
  return { map, alphaTest: 0.5 };
}

// Half cut out, with bumps that need tangents.
function texturesFor(textured) {
  if (!textured) return {};
  const blue = new THREE.DataTexture(Uint8Array.from([128, 128, 255, 255]), 1, 1);
  blue.needsUpdate = true;
  return { ...cutOut(4), normalMap: blue };
}

function useMaterial(gltf, kind, textured) {
  gltf.scene.traverse((object) => {
    if (!object.isMesh) return;
    const more = texturesFor(textured);
    object.material = new MATERIALS[kind]({ side: THREE.DoubleSide, ...more });
    object.castShadow = true;
    object.receiveShadow = true; // WebGPURenderer draws no shadows that nothing receives
  });
}

/** One character in one material, with the shadow of a lamp or the sun. */
export async function compareMesh(url, options) {
  const { path, material, glb, textured, light = 'sun', colourBy = 'none' } = options;
  const { linear = false, scale = [1, 1, 1], nodes = false } = options;
  const { asset, gltf } = await loadCharacter(url, { glb });
  gltf.scene.scale.set(...scale);
  const around = await stage(nodes);
  const { capture, renderer, camera, scene } = around;
  useMaterial(gltf, material, textured);
  const mesh = new SuppleMesh(gltf, asset, { path, linear });
  mesh.colourBy = colourBy;
  const lamp = light === 'sun' ? new THREE.DirectionalLight() : new THREE.PointLight();
  lamp.castShadow = true;
  lamp.position.set(3, 40, 4);
  scene.add(gltf.scene, lamp);
  // Where the sun or a side of the lamp looks, draw by draw.
  const views = [];
  for (const [order, part] of mesh.meshes.entries()) {
    part.renderOrder = order;
    part.frustumCulled = false;
    part.onBeforeShadow = (...given) => {
      const { projectionMatrix, matrixWorldInverse } = given[3];
      views.push(new THREE.Matrix4().multiplyMatrices(projectionMatrix, matrixWorldInverse));
    };
  }
  shake(mesh, gltf);
  const draws = capture.during(() => renderer.render(scene, camera));
  const truth = expected(mesh, mesh.player, new THREE.Matrix4());
  const shown = draws.slice(-2);
  const errors = { positions: 0, normals: 0 };
  const identity = new THREE.Matrix4();
  shown.forEach((draw, p) => compareDraw(draw, asset.parts[p], truth, identity, errors));
  const shadows = { positions: 0 };
  const inShadow = draws.slice(0, draws.length - 2);
  inShadow.forEach((draw, i) => compareDraw(draw, asset.parts[i % 2], truth, views[i], shadows));
  // Without flesh the same comparison must fail, or it shows nothing.
  mesh.enabled = false;
  const without = { positions: 0 };
  const still = capture.during(() => renderer.render(scene, camera)).slice(-2);
  still.forEach((draw, p) => compareDraw(draw, asset.parts[p], truth, identity, without));
  const result = {
    errors,
    shadows,
    without,
    shadowDraws: inShadow.length,
    shadowSides: new Set(views.map((view) => view.elements.join())).size,
    glError: around.gl.getError(),
    stats: mesh.stats,
  };
  mesh.dispose();
  leave(around, asset);
  return result;
}

function bindOneOtherwise(gltf) {
  const meshes = [];
  gltf.scene.traverse((object) => object.isSkinnedMesh && meshes.push(object));
  const turned = new THREE.Matrix4().makeRotationX(0.7).setPosition(1, 2, 3);
  meshes[1].bind(meshes[1].skeleton, turned);
}

/** Without the entry for nodes, WebGPURenderer cannot show flesh. */
export async function drawWithoutNodes(url) {
  const { asset, gltf } = await loadCharacter(url);
  const { WebGPURenderer } = await import('three/webgpu');
  const renderer = new WebGPURenderer({ forceWebGL: true });
  await renderer.init();
  const mesh = new SuppleMesh(gltf, asset);
  const scene = new THREE.Scene();
  scene.add(gltf.scene);
  for (const part of mesh.meshes) part.frustumCulled = false;
  const camera = new THREE.PerspectiveCamera();
  for (let frame = 0; frame < 3; ++frame) renderer.render(scene, camera);
  return renderer.info.render.drawCalls;
}

/** Many characters in one draw call a primitive. */
export async function compareCrowd(url, { count, glb, bind = false, colourBy = 'none', nodes }) {
  const { asset, gltf } = await loadCharacter(url, { glb });
  useMaterial(gltf, 'standard', true);
  if (bind) bindOneOtherwise(gltf);
  const around = await stage(nodes);
  const { capture, renderer, camera, scene } = around;
  const source = new SuppleMesh(gltf, asset);
  const crowd = new SuppleCrowd(source, count);
  crowd.colourBy = colourBy;
  scene.add(crowd.root);
  const place = (index) =>
    new THREE.Matrix4().makeRotationY(0.4 * index).setPosition(3 * index, 0, -2 * index);
  let frame = 0;
  // Slowly enough that no normal turns by nearly 180 degrees: which way a tangent goes is then
  // decided by rounding.
  const poseOf = (index) => 0.1 * frame + index;
  for (; frame < 25; ++frame) {
    crowd.update(1 / 60, (index) => {
      pose(gltf, poseOf(index));
      return place(index);
    });
  }
  --frame;
  for (const [order, mesh] of crowd.meshes.entries()) {
    mesh.frustumCulled = false;
    mesh.renderOrder = order;
  }
  const draws = capture.during(() => renderer.render(scene, camera));
  const errors = { positions: 0, normals: 0 };
  const inside = { all: true };
  const point = new THREE.Vector3();
  for (let index = 0; index < count; ++index) {
    pose(gltf, poseOf(index));
    gltf.scene.updateMatrixWorld(true);
    const truth = expected(source, crowd.players[index], place(index));
    draws.forEach((draw, p) =>
      compareDraw(draw, asset.parts[p], truth, new THREE.Matrix4(), errors, index),
    );
    crowd.meshes.forEach((mesh, p) => {
      const { firstVertex, vertexCount } = asset.parts[p];
      for (let i = 0; i < vertexCount; ++i) {
        point.fromArray(truth.positions, 3 * (firstVertex + i));
        inside.all &&= mesh.boundingSphere.containsPoint(point);
      }
    });
  }
  const { stats } = crowd;
  crowd.dispose();
  source.dispose();
  leave(around, asset);
  return { errors, draws: draws.length, inside: inside.all, stats };
}
