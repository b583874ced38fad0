// SPDX-License-Identifier: Apache-2.0
// Spheres around the vertices that a shader moves, for culling and picking.
import type { Asset } from 'supple';
import {
  type Bone,
  Box3,
  Matrix4,
  type Mesh,
  type SkinnedMesh,
  Sphere,
  Vector3,
} from 'three';

const corner = new Vector3();
const matrix = new Matrix4();

/** Of each part, by its first vertex: a number for each mode. */
type Largest = Map<number, Float32Array>;

const largestByAsset = new WeakMap<Asset, Largest>();

/** For each mode, how far it moves a vertex of a part at coefficient 1, at most, in the space of the
 * part's positions: skins may have been bound in different units. */
function largestOf(asset: Asset): Largest {
  const known = largestByAsset.get(asset);
  if (known !== undefined) return known;
  const { parts, modes } = asset;
  const largest: Largest = new Map(
    parts.map(({ firstVertex }) => [firstVertex, new Float32Array(modes.length)]),
  );
  for (let mode = 0; mode < modes.length; ++mode) {
    const { displacements } = asset.modeShape(mode);
    for (const { firstVertex, vertexCount } of parts) {
      const end = 3 * (firstVertex + vertexCount);
      const length = longest(displacements.subarray(3 * firstVertex, end));
      (largest.get(firstVertex) as Float32Array)[mode] = length;
    }
  }
  largestByAsset.set(asset, largest);
  return largest;
}

function longest(vectors: Float32Array): number {
  let square = 0;
  for (let i = 0; i < vectors.length; i += 3) {
    const x = vectors[i] as number;
    const y = vectors[i + 1] as number;
    const z = vectors[i + 2] as number;
    square = Math.max(square, x * x + y * y + z * z);
  }
  return Math.sqrt(square);
}

/** Largest displacement of any vertex of a part, from coefficients. Warping never lengthens a
 * displacement: it is a mean of rotated ones. */
export class DisplacementBound {
  readonly #largest: Largest;

  constructor(asset: Asset) {
    this.#largest = largestOf(asset);
  }

  of(coefficients: ArrayLike<number>, { firstVertex }: { firstVertex: number }): number {
    const largest = this.#largest.get(firstVertex) ?? [];
    let sum = 0;
    for (let k = 0; k < largest.length; ++k) {
      sum += Math.abs(coefficients[k] as number) * (largest[k] as number);
    }
    return sum;
  }
}

/** Bounds of a mesh in its own space, for the current bones and flesh that moves this far. */
export interface MeshBounds {
  into(sphere: Sphere, displacement: number): void;
}

class RigidBounds implements MeshBounds {
  readonly #rest: Sphere;

  constructor(mesh: Mesh) {
    mesh.geometry.computeBoundingSphere();
    this.#rest = (mesh.geometry.boundingSphere as Sphere).clone();
  }

  into(sphere: Sphere, displacement: number): void {
    sphere.copy(this.#rest);
    sphere.radius += displacement;
  }
}

/** A skinned vertex is a mean of its positions under each bone, so spheres around the vertices that
 * each bone moves contain it in every pose. */
class SkinnedBounds implements MeshBounds {
  readonly #mesh: SkinnedMesh;
  readonly #spheres: (Sphere | undefined)[];
  readonly #scales: number[];
  readonly #box = new Box3();

  constructor(mesh: SkinnedMesh) {
    this.#mesh = mesh;
    this.#spheres = jointBoxes(mesh).map((box) =>
      box.isEmpty() ? undefined : box.getBoundingSphere(new Sphere()),
    );
    this.#scales = mesh.skeleton.boneInverses.map((inverse) =>
      matrix.multiplyMatrices(inverse, mesh.bindMatrix).getMaxScaleOnAxis(),
    );
  }

  into(sphere: Sphere, displacement: number): void {
    const { bones } = this.#mesh.skeleton;
    const box = this.#box.makeEmpty();
    for (let joint = 0; joint < bones.length; ++joint) {
      const rest = this.#spheres[joint];
      if (rest === undefined) continue;
      const { matrixWorld } = bones[joint] as Bone;
      const reach = rest.radius + displacement * (this.#scales[joint] as number);
      const radius = reach * matrixWorld.getMaxScaleOnAxis();
      corner.copy(rest.center).applyMatrix4(matrixWorld);
      box.expandByPoint(corner.addScalar(radius));
      box.expandByPoint(corner.addScalar(-2 * radius));
    }
    box.getBoundingSphere(sphere).applyMatrix4(matrix.copy(this.#mesh.matrixWorld).invert());
  }
}

/** The vertices that each joint moves, in the joint's own space at bind time. */
function jointBoxes(mesh: SkinnedMesh): Box3[] {
  const boxes = mesh.skeleton.bones.map(() => new Box3());
  const toJoint = mesh.skeleton.boneInverses.map((inverse) =>
    new Matrix4().multiplyMatrices(inverse, mesh.bindMatrix),
  );
  const { position, skinIndex, skinWeight } = mesh.geometry.attributes;
  if (position === undefined || skinIndex === undefined || skinWeight === undefined) return boxes;
  for (let i = 0; i < position.count; ++i) {
    for (let c = 0; c < 4; ++c) {
      const joint = skinIndex.getComponent(i, c);
      const box = boxes[joint];
      if (skinWeight.getComponent(i, c) === 0 || box === undefined) continue;
      corner.fromBufferAttribute(position, i).applyMatrix4(toJoint[joint] as Matrix4);
      box.expandByPoint(corner);
    }
  }
  return boxes;
}

export function isSkinned(mesh: Mesh): mesh is SkinnedMesh {
  return 'isSkinnedMesh' in mesh;
}

export function boundsOf(mesh: Mesh): MeshBounds {
  return isSkinned(mesh) ? new SkinnedBounds(mesh) : new RigidBounds(mesh);
}

/** World units in a unit of a skinned mesh's positions, as its bones are now; 1 for others. */
export function unitOf(mesh: Mesh): number {
  if (!isSkinned(mesh)) return 1;
  const [bone] = mesh.skeleton.bones;
  const [inverse] = mesh.skeleton.boneInverses;
  if (bone === undefined || inverse === undefined) return 1;
  bone.updateWorldMatrix(true, false);
  const unit = matrix
    .multiplyMatrices(bone.matrixWorld, inverse)
    .multiply(mesh.bindMatrix)
    .getMaxScaleOnAxis();
  return unit > 0 && Number.isFinite(unit) ? unit : 1;
}
