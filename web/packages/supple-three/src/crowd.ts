// SPDX-License-Identifier: Apache-2.0
import type { Player } from 'supple';
import {
  type DataTexture,
  Group,
  InstancedMesh,
  Matrix4,
  type Mesh,
  type Skeleton,
  type SkinnedMesh,
  Sphere,
} from 'three';

import { DisplacementBound } from './bounds.js';
import type { Variant } from './chunks.js';
import { movingMaterial, shadowMaterials, type Uniforms } from './material.js';
import type { SuppleMesh, SuppleStats } from './mesh.js';
import type { MovingPart } from './moving_part.js';
import { floatTexture, releaseShapeTextures, takeShapeTextures } from './textures.js';

/** Where the matrices of a part's joints begin in a row of the palette. */
interface PaletteSlot {
  first: number;
  skeleton: Skeleton | undefined;
  mesh: Mesh;
}

const matrix = new Matrix4();
const sphere = new Sphere();

/** Many characters of one kind, each with a pose and flesh of its own: one draw call a primitive.
 * Poses come from the skeleton of the source, which need not be in a scene. */
export class SuppleCrowd {
  readonly root = new Group();
  readonly source: SuppleMesh;
  readonly players: Player[];
  readonly meshes: InstancedMesh[];
  readonly stats: SuppleStats;
  readonly #slots: PaletteSlot[] = [];
  readonly #palette: DataTexture;
  readonly #coefficients: DataTexture;
  readonly #bound: DisplacementBound;
  readonly #enabled = { value: 1 };

  constructor(source: SuppleMesh, count: number) {
    const { asset } = source;
    this.source = source;
    this.players = Array.from({ length: count }, () => asset.createPlayer());
    const firstJoints = source.parts.map((part) => this.#slotOf(part));
    const last = this.#slots.at(-1);
    const joints = last === undefined ? 0 : last.first + jointsOf(last);
    this.#palette = floatTexture(4 * Math.max(joints, 1), count);
    this.#coefficients = floatTexture(asset.gpuLayout.coefficientTexels, count);
    this.#bound = new DisplacementBound(asset);
    const textures = takeShapeTextures(asset);
    const common: Uniforms = {
      supple_shapes: { value: textures.shapes },
      supple_table: { value: textures.table },
      supple_coefficients: { value: this.#coefficients },
      supple_palette: { value: this.#palette },
      supple_enabled: this.#enabled,
    };
    this.meshes = source.parts.map((part, i) =>
      this.#makeMesh(part, count, { ...common, supple_first_joint: { value: firstJoints[i] } }),
    );
    // All parts of a character stand where it does: one buffer, one upload.
    for (const mesh of this.meshes.slice(1)) {
      mesh.instanceMatrix = (this.meshes[0] as InstancedMesh).instanceMatrix;
    }
    this.root.add(...this.meshes);
    this.stats = { draws: this.meshes.length, uploads: 0, uploadedBytes: 0, updateMs: 0 };
  }

  #slotOf(part: MovingPart): number {
    const skinned = 'isSkinnedMesh' in part.mesh ? (part.mesh as SkinnedMesh) : undefined;
    const skeleton = skinned?.skeleton;
    const known = this.#slots.find((slot) => skeleton !== undefined && slot.skeleton === skeleton);
    if (known !== undefined) return known.first;
    const last = this.#slots.at(-1);
    const first = last === undefined ? 0 : last.first + jointsOf(last);
    this.#slots.push({ first, skeleton, mesh: part.mesh });
    return first;
  }

  #makeMesh(part: MovingPart, count: number, common: Uniforms): InstancedMesh {
    const uniforms = { ...common, supple_first_vertex: { value: part.info.firstVertex } };
    const variant: Variant = {
      path: 'texture',
      floatShapes: this.source.asset.info.encodingBits === 32,
      skin: 'isSkinnedMesh' in part.mesh ? 'palette' : 'rigid',
      colour: false,
    };
    const materials = [part.original].flat().map((original) =>
      movingMaterial(original, uniforms, () => variant),
    );
    const material = Array.isArray(part.original) ? materials : materials[0];
    const mesh = new InstancedMesh(part.mesh.geometry, material, count);
    const shadows = shadowMaterials(uniforms, () => variant);
    mesh.customDepthMaterial = shadows.depth;
    mesh.customDistanceMaterial = shadows.distance;
    mesh.castShadow = part.mesh.castShadow;
    mesh.receiveShadow = part.mesh.receiveShadow;
    mesh.boundingSphere = new Sphere();
    return mesh;
  }

  /** false: bones only. */
  get enabled(): boolean {
    return this.#enabled.value !== 0;
  }

  set enabled(value: boolean) {
    this.#enabled.value = value ? 1 : 0;
  }

  /** A frame. `place` is called for each character: it poses the source's skeleton and says where
   * the character stands. */
  update(dt: number, place: (index: number) => Matrix4): void {
    const begin = performance.now();
    for (const mesh of this.meshes) (mesh.boundingSphere as Sphere).makeEmpty();
    this.players.forEach((player, index) => this.#updateOne(player, index, dt, place(index)));
    this.#send();
    this.stats.updateMs = performance.now() - begin;
  }

  #updateOne(player: Player, index: number, dt: number, placement: Matrix4): void {
    const { source } = this;
    source.root.updateWorldMatrix(true, true);
    source.bones.forEach((bone, object) => {
      matrix.multiplyMatrices(placement, bone.matrixWorld);
      player.setBoneMatrix(object, matrix.elements);
    });
    player.step(dt);
    player.gpuCoefficients(numbersOf(this.#coefficients), this.#rowOf(this.#coefficients) * index);
    this.#writePalette(index);
    const bound = this.enabled ? this.#bound.of(player.coefficients) : 0;
    this.meshes[0]?.setMatrixAt(index, placement);
    this.meshes.forEach((mesh, i) => {
      const part = source.parts[i] as MovingPart;
      part.bounds.update(bound);
      sphere.copy(part.sphere).applyMatrix4(part.mesh.matrixWorld).applyMatrix4(placement);
      (mesh.boundingSphere as Sphere).union(sphere);
    });
  }

  #rowOf(texture: DataTexture): number {
    return 4 * (texture.image.width as number);
  }

  #writePalette(index: number): void {
    const numbers = numbersOf(this.#palette);
    const row = this.#rowOf(this.#palette) * index;
    for (const { first, skeleton, mesh } of this.#slots) {
      if (skeleton === undefined) {
        mesh.matrixWorld.toArray(numbers, row + 16 * first);
        continue;
      }
      skeleton.bones.forEach((bone, joint) => {
        matrix.multiplyMatrices(bone.matrixWorld, skeleton.boneInverses[joint] as Matrix4);
        matrix.multiply((mesh as SkinnedMesh).bindMatrix);
        matrix.toArray(numbers, row + 16 * (first + joint));
      });
    }
  }

  #send(): void {
    this.#palette.needsUpdate = true;
    this.#coefficients.needsUpdate = true;
    const placements = this.meshes[0]?.instanceMatrix;
    if (placements !== undefined) placements.needsUpdate = true;
    this.stats.uploads = 3;
    this.stats.uploadedBytes =
      numbersOf(this.#palette).byteLength +
      numbersOf(this.#coefficients).byteLength +
      (placements?.array.byteLength ?? 0);
  }

  /** Leaves the source as it is. */
  dispose(): void {
    for (const mesh of this.meshes) {
      for (const material of [mesh.material].flat()) material.dispose();
      mesh.customDepthMaterial?.dispose();
      mesh.customDistanceMaterial?.dispose();
      mesh.dispose();
    }
    for (const player of this.players) player.close();
    this.#palette.dispose();
    this.#coefficients.dispose();
    releaseShapeTextures(this.source.asset);
    this.root.removeFromParent();
  }
}

function jointsOf(slot: PaletteSlot): number {
  return slot.skeleton?.bones.length ?? 1;
}

function numbersOf(texture: DataTexture): Float32Array {
  return texture.image.data as unknown as Float32Array;
}
