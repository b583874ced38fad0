// SPDX-License-Identifier: Apache-2.0
// index.html?character=man shows man.glb with man.supple; click to poke.
import { SuppleMesh } from 'supple-three';
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(innerWidth, innerHeight);
document.body.append(renderer.domElement);
const scene = new THREE.Scene().add(new THREE.HemisphereLight(0xffffff, 0x606878, 3));
const camera = new THREE.PerspectiveCamera(30, innerWidth / innerHeight, 0.01, 100);
camera.position.set(0, 1, 4.5);

const name = new URLSearchParams(location.search).get('character') ?? 'man';
const gltf = await new GLTFLoader().loadAsync(`${name}.glb`);
const flesh = await (await fetch(`${name}.supple`)).arrayBuffer();
const character = (globalThis.character = await SuppleMesh.load(gltf, flesh));
scene.add(gltf.scene);
const mixer = new THREE.AnimationMixer(gltf.scene);
if (gltf.animations.length > 0) mixer.clipAction(gltf.animations[0]).play();

const ray = new THREE.Raycaster();
addEventListener('pointerdown', ({ clientX: x, clientY: y }) => {
  ray.setFromCamera(new THREE.Vector2((2 * x) / innerWidth - 1, 1 - (2 * y) / innerHeight), camera);
  const [hit] = ray.intersectObjects(character.meshes);
  const newtons = ray.ray.direction.clone().multiplyScalar(300).toArray(); // for one frame
  if (hit) character.player.push(character.vertexOf(hit), newtons);
});

const timer = new THREE.Timer();
renderer.setAnimationLoop(() => {
  timer.update();
  mixer.update(timer.getDelta());
  character.update(timer.getDelta());
  renderer.render(scene, camera);
});
