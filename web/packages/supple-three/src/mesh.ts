// SPDX-License-Identifier: Apache-2.0
import { type Asset, loadSupple, type Player, type Supple, type WasmSource } from 'supple';
import type { DataTexture, Intersection, Material, Mesh, Object3D } from 'three';
import { Vector3 } from 'three';

import { DisplacementBound } from './bounds.js';
import { FleshSurface } from './flesh_surface.js';
import { MovingPart } from './moving_part.js';
import { findBones, findParts, type LoadedGltf } from './parts.js';
import { floatTexture, releaseShapeTextures, takeShapeTextures } from './textures.js';

export interface SuppleMeshOptions {
  /** Where the shader reads shapes: textures (any number of modes) or vertex attributes (five
   * modes an object at most, one object a vertex). */
  path?: 'texture' | 'attributes';
  /** For the bytes of a .supple file in place of an asset. */
  supple?: Supple;
}

/** What one frame costs, counted. */
export interface SuppleStats {
  /** Draw calls of the meshes, shadows not counted. */
  draws: number;
  uploads: number;
  uploadedBytes: number;
  /** Milliseconds of the last update on the CPU. */
  updateMs: number;
}

let defaultPlayer: Promise<Supple> | undefined;

/** One character: a loaded glTF file with its flesh. */
export class SuppleMesh {
  readonly root: Object3D;
  readonly asset: Asset;
  readonly player: Player;
  readonly meshes: Mesh[];
  readonly stats: SuppleStats;
  /** @internal */
  readonly parts: MovingPart[];
  /** @internal */
  readonly bones: Object3D[];
  readonly #ownsAsset: boolean;
  readonly #bound: DisplacementBound;
  readonly #surface: FleshSurface;
  readonly #coefficients: DataTexture;
  #override: Float32Array | null = null;
  #colourBy: 'none' | 'displacement' = 'none';
  #enabled = true;

  constructor(
    gltf: LoadedGltf,
    flesh: Asset | Uint8Array | ArrayBuffer,
    options: SuppleMeshOptions = {},
  ) {
    const { asset, owned } = open(flesh, options.supple);
    this.asset = asset;
    this.#ownsAsset = owned;
    this.root = gltf.scene;
    try {
      const found = findParts(gltf, asset);
      this.bones = findBones(gltf, asset);
      this.#surface = new FleshSurface(asset, found);
      this.#coefficients = floatTexture(asset.gpuLayout.coefficientTexels, 1);
      const textures = takeShapeTextures(asset);
      this.parts = found.map(
        (item) =>
          new MovingPart(item, {
            asset,
            textures,
            coefficients: this.#coefficients,
            path: options.path ?? 'texture',
            clips: gltf.animations ?? [],
            surface: this.#surface,
          }),
      );
    } catch (error) {
      if (owned) asset.close();
      throw error;
    }
    this.meshes = this.parts.map((part) => part.mesh);
    this.player = asset.createPlayer();
    this.#bound = new DisplacementBound(asset);
    this.stats = { draws: this.meshes.length, uploads: 0, uploadedBytes: 0, updateMs: 0 };
    this.colourRange = this.#defaultRange();
    this.#show();
  }

  /** Loads the player too: from `options.wasm`, or from beside the package `supple`. */
  static async load(
    gltf: LoadedGltf,
    flesh: Uint8Array | ArrayBuffer,
    options: SuppleMeshOptions & { wasm?: WasmSource } = {},
  ): Promise<SuppleMesh> {
    const { wasm, ...rest } = options;
    const loading = wasm === undefined ? (defaultPlayer ??= loadSupple()) : loadSupple(wasm);
    return new SuppleMesh(gltf, flesh, { ...rest, supple: rest.supple ?? (await loading) });
  }

  // Flesh that walks moves by a fraction of what it may.
  #defaultRange(): number {
    const limits = this.asset.objects.map((object) => object.limitMetres);
    const metres = Math.max(...limits, 0);
    return (metres > 0 ? metres / 4 : 0.02) / this.asset.info.metresPerUnit;
  }

  /** false: bones only. */
  get enabled(): boolean {
    return this.#enabled;
  }

  set enabled(value: boolean) {
    this.#enabled = value;
    for (const part of this.parts) part.enabled = value;
    this.#show();
  }

  get colourBy(): 'none' | 'displacement' {
    return this.#colourBy;
  }

  set colourBy(value: 'none' | 'displacement') {
    this.#colourBy = value;
    for (const part of this.parts) part.colour = value === 'displacement';
  }

  /** Displacement at the light end of the colours, in units of the mesh. */
  get colourRange(): number {
    return this.parts[0]?.colourRange ?? 1;
  }

  set colourRange(value: number) {
    for (const part of this.parts) part.colourRange = value;
  }

  /** What is shown in place of the player's own: one mode, or recorded ones. null: the player's. */
  setCoefficients(values: ArrayLike<number> | null): void {
    this.#override = values === null ? null : Float32Array.from(values);
    this.#show();
  }

  /** What is shown now. */
  get coefficients(): Float32Array {
    return this.#override ?? this.player.coefficients;
  }

  /** Reads where the bones are, steps, and sends the coefficients: one small texture. */
  update(dt: number): void {
    const begin = performance.now();
    this.root.updateWorldMatrix(true, true);
    this.bones.forEach((bone, object) => {
      this.player.setBoneMatrix(object, bone.matrixWorld.elements);
    });
    this.player.step(dt);
    this.#show();
    this.stats.updateMs = performance.now() - begin;
  }

  #show(): void {
    const texels = this.#coefficients.image.data as unknown as Float32Array;
    if (this.#override === null) this.player.gpuCoefficients(texels);
    else this.asset.gpuCoefficients(this.#override, texels);
    this.#coefficients.needsUpdate = true;
    this.stats.uploads = 1;
    this.stats.uploadedBytes = texels.byteLength;
    const coefficients = this.coefficients;
    this.#surface.show(this.#enabled ? coefficients : null, this.player, this.#override !== null);
    const bound = this.#enabled ? this.#bound.of(coefficients) : 0;
    for (const part of this.parts) part.bounds.update(bound);
  }

  /** The asset's vertex nearest to where a ray hit one of the meshes; -1 for other objects. */
  vertexOf(intersection: Pick<Intersection, 'object' | 'face' | 'point'>): number {
    const part = this.parts.find((item) => item.mesh === intersection.object);
    if (part === undefined || !intersection.face) return -1;
    const { a, b, c } = intersection.face;
    const corner = new Vector3();
    const distance = (index: number) => {
      part.mesh.localToWorld(part.mesh.getVertexPosition(index, corner));
      return corner.distanceTo(intersection.point);
    };
    const nearest = [a, b, c].reduce((best, i) => (distance(i) < distance(best) ? i : best));
    return part.info.firstVertex + nearest;
  }

  /** Gives a mesh of the character another material that moves with its flesh; a copy, which is
   * returned and belongs to this character. */
  setMaterial(mesh: Mesh, material: Material): Material {
    const part = this.parts.find((item) => item.mesh === mesh);
    if (part === undefined) throw new Error('That mesh is no part of this character.');
    return part.setMaterial(material);
  }

  /** The scene as it was before, without flesh. */
  dispose(): void {
    for (const part of this.parts) part.dispose();
    this.#coefficients.dispose();
    this.#surface.close();
    releaseShapeTextures(this.asset);
    this.player.close();
    if (this.#ownsAsset) this.asset.close();
  }
}

function open(
  flesh: Asset | Uint8Array | ArrayBuffer,
  supple: Supple | undefined,
): { asset: Asset; owned: boolean } {
  if (!(flesh instanceof Uint8Array || flesh instanceof ArrayBuffer)) {
    return { asset: flesh, owned: false };
  }
  if (supple === undefined) {
    throw new Error('To open bytes, give `supple` (from loadSupple()) or use SuppleMesh.load().');
  }
  return { asset: supple.openAsset(flesh), owned: true };
}
