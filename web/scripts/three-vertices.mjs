// SPDX-License-Identifier: Apache-2.0
// Prints the vertex positions of a glTF file in three.js: three-vertices.mjs FILE.glb CLIP
// SECONDS... prints JSON on standard output, as tests/oracle/blender_vertices.py does. CLIP counts
// from 0.
import { readFile } from 'node:fs/promises';
import * as THREE from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';

// Browser features that the loader needs; pictures do not affect vertices.
globalThis.self = globalThis;
const [path, clip, ...moments] = process.argv.slice(2);
const bytes = await readFile(path);
const loader = new GLTFLoader();
loader.register(() => ({ name: 'no_textures', loadTexture: async () => new THREE.Texture() }));
const gltf = await loader.parseAsync(
  bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength),
  '',
);

const mixer = new THREE.AnimationMixer(gltf.scene);
const action = mixer.clipAction(gltf.animations[Number(clip)]);
action.setLoop(THREE.LoopOnce, 1);
action.clampWhenFinished = true;
action.play();

const point = new THREE.Vector3();
const frames = moments.map((moment) => {
  mixer.setTime(0);
  action.time = Number(moment);
  action.paused = false;
  mixer.update(0);
  gltf.scene.updateMatrixWorld(true);
  const meshes = [];
  gltf.scene.traverse((item) => {
    if (!item.isMesh) return;
    if (item.isSkinnedMesh) item.skeleton.update();
    const points = [];
    for (let i = 0; i < item.geometry.attributes.position.count; ++i) {
      item.getVertexPosition(i, point);
      point.applyMatrix4(item.matrixWorld);
      points.push([point.x, point.y, point.z]);
    }
    meshes.push([item.name, points]);
  });
  return meshes;
});
process.stdout.write(JSON.stringify(frames));
