// SPDX-License-Identifier: Apache-2.0
import { Matrix4, type Object3D } from 'three';

import { type LoadedGltf, placesOf } from './parts.js';

/** The nodes of a file, wherever a program has put them since. */
export class FileNodes {
  readonly #root: Object3D;
  /** Determinants of their matrices in the file. */
  readonly #volumes = new Map<Object3D, number>();

  constructor(gltf: LoadedGltf) {
    this.#root = gltf.scene;
    const nodes = (gltf.parser?.json as { nodes?: NodeOfFile[] } | undefined)?.nodes;
    gltf.scene.traverse((object) => {
      const { nodes: index } = placesOf(gltf, object);
      if (index !== undefined) this.#volumes.set(object, volumeOf(nodes?.[index], object));
    });
  }

  /** The highest node of the file above an object: what lies above it places the character. */
  topOf(object: Object3D): Object3D {
    let top = object;
    while (top.parent !== null && this.#volumes.has(top.parent)) top = top.parent;
    return top;
  }

  /** The determinant of a node's matrix in the file; 1 for the scene itself. */
  volumeOf(node: Object3D): number {
    return this.#volumes.get(node) ?? 1;
  }

  /** Updates the world matrices of the scene, and of objects that a program has taken out of it. */
  updateWorld(objects: Iterable<Object3D>): void {
    this.#root.updateWorldMatrix(true, true);
    const tops = new Set<Object3D>();
    for (const object of objects) {
      if (!isWithin(object, this.#root)) tops.add(this.topOf(object));
    }
    for (const top of tops) top.updateWorldMatrix(true, true);
  }
}

function isWithin(object: Object3D, root: Object3D): boolean {
  let above: Object3D | null = object;
  while (above !== null && above !== root) above = above.parent;
  return above === root;
}

interface NodeOfFile {
  matrix?: number[];
  scale?: number[];
}

/** Clones come without their file: they count as unscaled. */
function volumeOf(node: NodeOfFile | undefined, object: Object3D): number {
  const { matrix, scale = node === undefined ? object.scale.toArray() : [1, 1, 1] } = node ?? {};
  const volume =
    matrix === undefined
      ? scale.reduce((product, factor) => product * factor, 1)
      : new Matrix4().fromArray(matrix).determinant();
  return volume === 0 || !Number.isFinite(volume) ? 1 : volume;
}
