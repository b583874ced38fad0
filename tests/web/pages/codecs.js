// SPDX-License-Identifier: Apache-2.0
// Characters that were compressed after the bake, as three.js decodes them.
import { SuppleMesh } from 'supple-three';
import * as THREE from 'three';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { DRACOLoader } from 'three/addons/loaders/DRACOLoader.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

async function load(name, flesh) {
  const draco = new DRACOLoader();
  const loader = new GLTFLoader().setDRACOLoader(draco).setMeshoptDecoder(MeshoptDecoder);
  const gltf = await loader.loadAsync(`/files/${name}`);
  draco.dispose();
  const bytes = await (await fetch(`/files/${flesh}`)).arrayBuffer();
  const said = [];
  const { info } = console;
  console.info = (text) => said.push(text);
  try {
    return { gltf, soft: await SuppleMesh.load(gltf, bytes), said };
  } finally {
    console.info = info;
  }
}

/** World positions of all vertices with and without flesh, at the same coefficients. */
function positions({ gltf, soft }) {
  gltf.scene.updateMatrixWorld(true);
  const { modes } = soft.asset;
  soft.setCoefficients(
    Float32Array.from(modes, (mode, i) => ((i % 2 ? -1 : 1) * 0.01) / mode.largestDisplacement),
  );
  const corner = new THREE.Vector3();
  return soft.meshes.flatMap((mesh) => {
    const { count } = mesh.geometry.getAttribute('position');
    const read = () =>
      Array.from({ length: count }, (_, v) =>
        mesh.localToWorld(mesh.getVertexPosition(v, corner)).toArray());
    soft.enabled = false;
    const rest = read();
    soft.enabled = true;
    return read().map((moved, v) => ({ rest: rest[v], moved }));
  });
}

/** Compares each vertex with the plain file's nearest, of which several may coincide: the largest
 * distance at rest and of the displacement, in metres and in parts of the size. */
export async function compare(plain, changed, flesh) {
  const before = await load(plain, flesh);
  const after = await load(changed, flesh);
  const was = positions(before);
  const is = positions(after);
  const all = new THREE.Box3().setFromPoints(was.map(({ rest }) => new THREE.Vector3(...rest)));
  const size = Math.max(...all.getSize(new THREE.Vector3()).toArray());
  const cell = size / 200;
  const key = (place, d) => place.map((x, i) => Math.round(x / cell) + d[i]).join();
  const grid = new Map();
  for (const vertex of was) {
    const at = key(vertex.rest, [0, 0, 0]);
    grid.set(at, [...(grid.get(at) ?? []), vertex]);
  }
  const around = [-1, 0, 1].flatMap((x) => [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((z) => [x, y, z])));
  const apart = (a, b) => Math.hypot(...a.map((x, i) => x - b[i]));
  let far = 0;
  let wrong = 0;
  let largest = 0;
  for (const { rest, moved } of is) {
    const near = around.flatMap((d) => grid.get(key(rest, d)) ?? []);
    const nearest = Math.min(...near.map((other) => apart(other.rest, rest)));
    far = Math.max(far, nearest);
    const shift = moved.map((x, i) => x - rest[i]);
    const errors = near
      .filter((other) => apart(other.rest, rest) <= nearest + 1e-6 * size)
      .map((other) => apart(shift, other.moved.map((x, i) => x - other.rest[i])));
    wrong = Math.max(wrong, Math.min(...errors));
    largest = Math.max(largest, Math.hypot(...shift));
  }
  const found = { far: far / size, wrong: wrong / largest, largest, said: after.said };
  found.vertices = { was: was.length, is: is.length };
  before.soft.dispose();
  after.soft.dispose();
  return found;
}
