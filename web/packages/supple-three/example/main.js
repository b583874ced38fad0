// SPDX-License-Identifier: Apache-2.0
// index.html?character=man: loads man.glb and man.supple; click to poke.
import { SuppleMesh } from 'supple-three';
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(innerWidth, innerHeight);
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color(0x30343c);
scene.add(new THREE.HemisphereLight(0xffffff, 0x606878, 2), new THREE.DirectionalLight());
const camera = new THREE.PerspectiveCamera(40, innerWidth / innerHeight, 0.01, 100);
camera.position.set(1.5, 1.5, 3);
const controls = new OrbitControls(camera, renderer.domElement);
controls.target.set(0, 1, 0);

const name = new URLSearchParams(location.search).get('character') ?? 'man';
const gltf = await new GLTFLoader().loadAsync(`${name}.glb`);
const flesh = await fetch(`${name}.supple`);
const character = await SuppleMesh.load(gltf, await flesh.arrayBuffer());
scene.add(gltf.scene);
const mixer = new THREE.AnimationMixer(gltf.scene);
if (gltf.animations.length > 0) mixer.clipAction(gltf.animations[0]).play();

addEventListener('pointerdown', ({ clientX, clientY }) => {
  const point = new THREE.Vector2((2 * clientX) / innerWidth - 1, 1 - (2 * clientY) / innerHeight);
  const ray = new THREE.Raycaster();
  ray.setFromCamera(point, camera);
  const [hit] = ray.intersectObjects(character.meshes);
  if (!hit) return;
  const force = ray.ray.direction.clone().multiplyScalar(300); // newtons, for one frame
  character.player.push(character.vertexOf(hit), force.toArray());
});

const clock = new THREE.Timer();
renderer.setAnimationLoop(() => {
  clock.update();
  mixer.update(clock.getDelta());
  character.update(clock.getDelta());
  controls.update();
  renderer.render(scene, camera);
});
globalThis.character = character; // for the console
