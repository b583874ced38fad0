// SPDX-License-Identifier: Apache-2.0
import { type Player, Status, SuppleError } from 'supple';
import {
  type Bone,
  type DataTexture,
  Group,
  InstancedMesh,
  Matrix4,
  type Mesh,
  type Object3D,
  type Skeleton,
  Sphere,
} from 'three';

import { DisplacementBound, isSkinned } from './bounds.js';
import type { Variant } from './chunks.js';
import { colourScale, Flesh } from './flesh.js';
import { movingMaterial, shadowMaterials, type Uniforms, watchRenderer } from './material.js';
import type { SuppleMesh } from './mesh.js';
import type { MovingPart } from './moving_part.js';
import { floatTexture, numbersOf, releaseShapeTextures, takeShapeTextures } from './textures.js';
import { WorldMap } from './world_map.js';

export interface SuppleCrowdOptions {
  /** renderer.capabilities.maxTextureSize: joints take four texels of a row, characters a row.
   * WebGL 2 guarantees 2048; all but a few old phones have 4096 or more. */
  maxTextureSize?: number;
}

/** Offset of the part's joint matrices in a row of the palette. */
interface PaletteSlot {
  first: number;
  /** Absent: a single matrix, that of the mesh. */
  skeleton: Skeleton | undefined;
  bind: Matrix4;
  mesh: Mesh;
}

const matrix = new Matrix4();
const sphere = new Sphere();

/** Many characters of one kind, each with its own pose and flesh: one draw call per primitive.
 * Poses come from the skeleton of the source, which need not be in a scene. */
export class SuppleCrowd extends Flesh {
  readonly root = new Group();
  readonly source: SuppleMesh;
  readonly players: Player[] = [];
  readonly meshes: InstancedMesh[] = [];
  readonly #maps: WorldMap[] = [];
  readonly #slots: PaletteSlot[] = [];
  readonly #palette: DataTexture;
  readonly #coefficients: DataTexture;
  readonly #bound: DisplacementBound;

  constructor(source: SuppleMesh, count: number, options: SuppleCrowdOptions = {}) {
    const { asset } = source;
    super(asset);
    this.source = source;
    const firstJoints = source.parts.map((part) => this.#slotOf(part));
    const last = this.#slots.at(-1);
    const joints = last === undefined ? 1 : last.first + jointsOf(last);
    const texels = asset.gpuLayout.coefficientTexels;
    checkSizes(joints, texels, count, options.maxTextureSize ?? 4096);
    for (let i = 0; i < count; ++i) {
      this.players.push(asset.createPlayer());
      this.#maps.push(new WorldMap());
    }
    this.#palette = floatTexture(4 * joints, count);
    this.#coefficients = floatTexture(texels, count);
    this.#bound = new DisplacementBound(asset);
    const textures = takeShapeTextures(asset);
    const common: Uniforms = {
      ...this.look.uniforms,
      supple_shapes: { value: textures.shapes },
      supple_table: { value: textures.table },
      supple_coefficients: { value: this.#coefficients },
      supple_palette: { value: this.#palette },
    };
    source.parts.forEach((part, i) => {
      const uniforms = { ...common, supple_first_joint: { value: firstJoints[i] } };
      this.meshes.push(this.#makeMesh(part, count, uniforms));
    });
    // All parts of a character share its placement: one buffer, one upload.
    for (const mesh of this.meshes.slice(1)) {
      mesh.instanceMatrix = (this.meshes[0] as InstancedMesh).instanceMatrix;
    }
    this.root.add(...this.meshes);
    this.stats.draws = this.meshes.length;
    this.releases.push(() => this.#release());
  }

  protected override ownPlayers(): Player[] {
    return this.players;
  }

  #slotOf({ mesh }: MovingPart): number {
    const skeleton = isSkinned(mesh) ? mesh.skeleton : undefined;
    const bind = isSkinned(mesh) ? mesh.bindMatrix : new Matrix4();
    const known = this.#slots.find(
      (slot) => skeleton !== undefined && slot.skeleton === skeleton && slot.bind.equals(bind),
    );
    if (known !== undefined) return known.first;
    const last = this.#slots.at(-1);
    const first = last === undefined ? 0 : last.first + jointsOf(last);
    this.#slots.push({ first, skeleton, bind, mesh });
    return first;
  }

  #makeMesh(part: MovingPart, count: number, common: Uniforms): InstancedMesh {
    const uniforms = {
      ...common,
      supple_colour_scale: colourScale(this.look, part.unit),
      supple_first_vertex: { value: part.info.firstVertex },
    };
    const floatShapes = this.asset.info.encodingBits === 32;
    const skin = isSkinned(part.mesh) ? 'palette' : 'rigid';
    const variant = (): Variant => ({
      ...{ path: 'texture', floatShapes, skin },
      warp: this.look.warp,
      colour: this.look.colour,
    });
    const materials = [part.original].flat().map((original) =>
      movingMaterial(original, uniforms, variant),
    );
    const material = Array.isArray(part.original) ? materials : materials[0];
    const mesh = new InstancedMesh(part.mesh.geometry, material, count);
    const shadows = shadowMaterials(uniforms, variant);
    mesh.customDepthMaterial = shadows.depth;
    mesh.customDistanceMaterial = shadows.distance;
    mesh.castShadow = part.mesh.castShadow;
    mesh.receiveShadow = part.mesh.receiveShadow;
    mesh.boundingSphere = new Sphere();
    watchRenderer(mesh);
    return mesh;
  }

  /** A frame. `place` is called for each character: it poses the source's skeleton and returns the
   * character's placement. */
  update(dt: number, place: (index: number) => Matrix4): void {
    const begin = performance.now();
    for (const mesh of this.meshes) (mesh.boundingSphere as Sphere).makeEmpty();
    for (let index = 0; index < this.players.length; ++index) {
      this.#updateOne(index, dt, place(index));
    }
    this.#send();
    this.stats.updateMs = performance.now() - begin;
  }

  #updateOne(index: number, dt: number, placement: Matrix4): void {
    const { source } = this;
    const player = this.players[index] as Player;
    const map = this.#maps[index] as WorldMap;
    source.updateWorld();
    map.take(matrix.multiplyMatrices(placement, source.anchor.matrixWorld), source.anchorVolume);
    for (let object = 0; object < source.bones.length; ++object) {
      matrix.multiplyMatrices(placement, (source.bones[object] as Object3D).matrixWorld);
      player.setBoneMatrix(object, map.matrix(matrix).elements);
    }
    source.attachmentNodes.forEach((node, attachment) => {
      if (!source.isAttached(attachment)) return;
      matrix.multiplyMatrices(placement, node.matrixWorld);
      player.setAttachmentMatrix(attachment, map.matrix(matrix).elements);
    });
    player.step(dt);
    player.gpuCoefficients(numbersOf(this.#coefficients), this.#rowOf(this.#coefficients) * index);
    this.#writePalette(index);
    this.meshes[0]?.setMatrixAt(index, placement);
    const { coefficients } = player;
    for (let i = 0; i < this.meshes.length; ++i) {
      const part = source.parts[i] as MovingPart;
      part.bounds.into(sphere, this.#bound.of(coefficients, part.info));
      sphere.applyMatrix4(part.mesh.matrixWorld).applyMatrix4(placement);
      ((this.meshes[i] as InstancedMesh).boundingSphere as Sphere).union(sphere);
    }
  }

  #rowOf(texture: DataTexture): number {
    return 4 * (texture.image.width as number);
  }

  #writePalette(index: number): void {
    const numbers = numbersOf(this.#palette);
    const row = this.#rowOf(this.#palette) * index;
    for (const { first, skeleton, bind, mesh } of this.#slots) {
      if (skeleton === undefined) {
        mesh.matrixWorld.toArray(numbers, row + 16 * first);
        continue;
      }
      for (let joint = 0; joint < skeleton.bones.length; ++joint) {
        const { matrixWorld } = skeleton.bones[joint] as Bone;
        matrix.multiplyMatrices(matrixWorld, skeleton.boneInverses[joint] as Matrix4);
        matrix.multiply(bind).toArray(numbers, row + 16 * (first + joint));
      }
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

  #release(): void {
    for (const mesh of this.meshes) {
      for (const material of [mesh.material].flat()) material.dispose();
      mesh.customDepthMaterial?.dispose();
      mesh.customDistanceMaterial?.dispose();
      mesh.dispose();
    }
    for (const player of this.players) player.close();
    this.#palette.dispose();
    this.#coefficients.dispose();
    releaseShapeTextures(this.asset);
    this.root.removeFromParent();
  }
}

function jointsOf(slot: PaletteSlot): number {
  return slot.skeleton?.bones.length ?? 1;
}

// Larger textures would silently draw nothing, with at most a console message.
function checkSizes(joints: number, texels: number, count: number, most: number): void {
  const too = (what: string) =>
    new SuppleError(
      Status.badArgument,
      `${what} do not fit in a texture of ${most} texels per side: make several crowds, or give ` +
        '`maxTextureSize` (renderer.capabilities.maxTextureSize) if it is larger.',
    );
  if (4 * joints > most) throw too(`${joints} joints of a character (four texels each)`);
  if (texels > most) throw too(`Coefficients of a character (${texels} texels)`);
  if (count > most) throw too(`${count} characters (a row each)`);
}
