// SPDX-License-Identifier: Apache-2.0
// A skinned character in several skins, as exporters write bodies, visors and clothes; done by
// gltf-transform, which knows nothing of Supple.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { sourceRoot } from '../programs.mjs';

const require = createRequire(join(sourceRoot, 'web', 'package.json'));
const { NodeIO } = require('@gltf-transform/core');
const { ALL_EXTENSIONS } = require('@gltf-transform/extensions');
const { Matrix4, Quaternion, Vector3 } = await import(
  pathToFileURL(join(sourceRoot, 'web/node_modules/three/build/three.module.js'))
);

const makeIO = () => new NodeIO().registerExtensions(ALL_EXTENSIONS);

/** Numbers from 0 to 1, the same for the same seed. */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Which primitive of the file something is. */
const keyOf = (document, mesh, primitive) =>
  `${document.getRoot().listMeshes().indexOf(mesh)} ${primitive}`;

function addIndices(document, primitive) {
  if (primitive.getIndices() !== null) return;
  const count = primitive.getAttribute('POSITION').getCount();
  const corners = Uint16Array.from({ length: count }, (_, i) => i);
  const [buffer] = document.getRoot().listBuffers();
  primitive.setIndices(document.createAccessor().setArray(corners).setBuffer(buffer));
}

/** Writes a baked file as it was before its bake. Returns for each skinned primitive the numbers of
 * its vertices, counted through all of them. Materials are gone, and triangles have indices. */
export async function writePlain(from, to) {
  const io = makeIO();
  const document = await io.read(from);
  const root = document.getRoot();
  for (const mesh of root.listMeshes()) {
    mesh.setWeights([]).setExtras({});
    for (const primitive of mesh.listPrimitives()) {
      for (const target of primitive.listTargets()) primitive.removeTarget(target);
      primitive.setMaterial(null);
      addIndices(document, primitive);
    }
  }
  for (const node of root.listNodes()) node.setWeights([]);
  for (const animation of root.listAnimations()) {
    for (const channel of animation.listChannels()) {
      if (channel.getTargetPath() === 'weights') channel.dispose();
    }
  }
  root.getAsset().extras = {};
  await io.write(to, document);
  const numbers = {};
  let first = 0;
  for (const node of root.listNodes().filter((item) => item.getSkin() !== null)) {
    node.getMesh().listPrimitives().forEach((primitive, p) => {
      const count = primitive.getAttribute('POSITION').getCount();
      numbers[keyOf(document, node.getMesh(), p)] = Array.from({ length: count }, (_, v) => first + v);
      first += count;
    });
  }
  return numbers;
}

/** A skin's own bind space: turned, shifted, and in other units. */
function randomSpace(random, scale) {
  const number = () => 2 * random() - 1;
  return new Matrix4().compose(
    new Vector3(number(), number(), number()),
    new Quaternion(number(), number(), number(), number()).normalize(),
    new Vector3(scale, scale, scale),
  );
}

/** Triangles of a primitive in groups, by chance and in short runs, so that groups meet
 * everywhere. */
function groupTriangles(primitive, count, random) {
  const indices = primitive.getIndices().getArray();
  const groups = Array.from({ length: count }, () => []);
  let group = 0;
  for (let t = 0; t < indices.length; t += 3) {
    if ((t / 3) % 7 === 0) group = Math.floor(random() * count);
    groups[group].push(indices[t], indices[t + 1], indices[t + 2]);
  }
  return groups.filter((corners) => corners.length > 0);
}

function shuffled(items, random) {
  const result = [...items];
  for (let i = result.length - 1; i > 0; --i) {
    const j = Math.floor(random() * (i + 1));
    [result[i], result[j]] = [result[j], result[i]];
  }
  return result;
}

/** Joints that vertices use, and all of their influences. */
function readInfluences(primitive, vertices) {
  const joints = primitive.getAttribute('JOINTS_0');
  const weights = primitive.getAttribute('WEIGHTS_0');
  const used = new Set();
  const influences = vertices.map((v) => {
    const weight = weights.getElement(v, []);
    const joint = joints.getElement(v, []);
    joint.forEach((j, k) => weight[k] > 0 && used.add(j));
    return { joint, weight };
  });
  return { used: [...used], influences };
}

class Splitter {
  constructor(document, random) {
    this.document = document;
    this.random = random;
    this.buffer = document.getRoot().listBuffers()[0];
  }

  accessor(array, type) {
    return this.document.createAccessor().setArray(array).setType(type).setBuffer(this.buffer);
  }

  /** A mesh with a skin of its own: the joints in use, in another order, bound in another space. */
  add(primitive, skin, corners, space, scene) {
    const vertices = [...new Set(corners)];
    const place = new Map(vertices.map((v, i) => [v, i]));
    const { used, influences } = readInfluences(primitive, vertices);
    const joints = shuffled(used, this.random);
    const made = this.document
      .createPrimitive()
      .setIndices(this.accessor(Uint16Array.from(corners, (v) => place.get(v)), 'SCALAR'));
    this.addVectors(primitive, made, vertices, space);
    const bones = influences.flatMap(({ joint, weight }) =>
      joint.map((j, k) => (weight[k] > 0 ? joints.indexOf(j) : 0)));
    made.setAttribute('JOINTS_0', this.accessor(Uint16Array.from(bones), 'VEC4'));
    const weights = influences.flatMap(({ weight }) => weight);
    made.setAttribute('WEIGHTS_0', this.accessor(Float32Array.from(weights), 'VEC4'));
    const mesh = this.document.createMesh().addPrimitive(made);
    const own = this.skinOf(skin, joints, space);
    scene.addChild(this.document.createNode('piece').setMesh(mesh).setSkin(own));
    return { mesh, vertices };
  }

  addVectors(primitive, made, vertices, space) {
    const back = space.clone().invert();
    const numbers = (name, map) =>
      Float32Array.from(
        vertices.flatMap((v) =>
          map(new Vector3().fromArray(primitive.getAttribute(name).getElement(v, []))).toArray()),
      );
    const moved = numbers('POSITION', (p) => p.applyMatrix4(back));
    made.setAttribute('POSITION', this.accessor(moved, 'VEC3'));
    if (primitive.getAttribute('NORMAL') === null) return;
    const turned = numbers('NORMAL', (n) => n.transformDirection(back));
    made.setAttribute('NORMAL', this.accessor(turned, 'VEC3'));
  }

  skinOf(skin, joints, space) {
    const nodes = skin.listJoints();
    const matrices = joints.flatMap((j) =>
      new Matrix4()
        .fromArray(skin.getInverseBindMatrices().getElement(j, []))
        .multiply(space)
        .toArray());
    const own = this.document.createSkin();
    for (const j of joints) own.addJoint(nodes[j]);
    return own.setInverseBindMatrices(this.accessor(Float32Array.from(matrices), 'MAT4'));
  }
}

/** Writes the character in a skin for each of `scales`, its units. Returns for each skinned
 * primitive of the new file the vertices that its own were, counted through all of the old one. */
export async function splitSkins(from, to, { seed, scales }) {
  const io = makeIO();
  const document = await io.read(from);
  const random = randomNumbers(seed);
  const splitter = new Splitter(document, random);
  const scene = document.getRoot().listScenes()[0];
  const spaces = scales.map((scale) => randomSpace(random, scale));
  const pieces = [];
  let first = 0;
  for (const node of document.getRoot().listNodes()) {
    const skin = node.getSkin();
    if (skin === null) continue;
    const mesh = node.getMesh();
    for (const primitive of mesh.listPrimitives()) {
      const before = first;
      groupTriangles(primitive, scales.length, random).forEach((corners, g) => {
        const { mesh: made, vertices } = splitter.add(primitive, skin, corners, spaces[g], scene);
        pieces.push({ made, vertices: vertices.map((v) => before + v) });
      });
      first += primitive.getAttribute('POSITION').getCount();
    }
    node.setMesh(null).setSkin(null);
    mesh.dispose();
    skin.dispose();
  }
  await io.write(to, document);
  return Object.fromEntries(
    pieces.map(({ made, vertices }) => [keyOf(document, made, 0), vertices]),
  );
}
