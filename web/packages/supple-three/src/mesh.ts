// SPDX-License-Identifier: Apache-2.0
import {
  type Asset,
  type FileBytes,
  type Handle,
  loadedSupple,
  loadSupple,
  type PartInfo,
  type Player,
  type SceneInfo,
  type SceneState,
  Status,
  type Supple,
  SuppleError,
  type VertexPose,
  type WasmSource,
  type Wind,
} from 'supple';
import type { DataTexture, Intersection, Material, Mesh, Object3D } from 'three';
import { Quaternion, Vector3 } from 'three';

import { DisplacementBound, unitOf } from './bounds.js';
import { FileNodes } from './file_nodes.js';
import { fitAsset } from './fit.js';
import { Flesh } from './flesh.js';
import { FleshSurface } from './flesh_surface.js';
import { MovingPart } from './moving_part.js';
import {
  checkGltf,
  findAttachmentNodes,
  findBones,
  findParts,
  type LoadedGltf,
  type PartMesh,
  restNormals,
  restPositions,
} from './parts.js';
import { floatTexture, numbersOf, releaseShapeTextures, takeShapeTextures } from './textures.js';
import { WorldMap } from './world_map.js';

export interface SuppleMeshOptions {
  /** Where the shader reads shapes: textures (any number of modes) or vertex attributes (at most
   * five modes per object, one object per vertex). */
  path?: 'texture' | 'attributes';
  /** Opens the bytes of a .supple file; absent: the shared player of `loadSupple()`. */
  supple?: Supple;
  /** Shells as plain linear modes, for comparison. */
  linear?: boolean;
}

/** One character: a loaded glTF file with its flesh. */
export class SuppleMesh extends Flesh {
  readonly root: Object3D;
  readonly player: Player;
  readonly meshes: Mesh[];
  /** @internal */
  readonly parts: MovingPart[] = [];
  /** @internal */
  readonly bones: Object3D[];
  /** @internal */
  readonly attachmentNodes: Object3D[];
  readonly #nodes: FileNodes;
  readonly #map = new WorldMap();
  #gravity: ArrayLike<number> | undefined;
  #wind: Wind | undefined;
  readonly #bound: DisplacementBound;
  readonly #surface: FleshSurface;
  readonly #coefficients: DataTexture;
  readonly #given: Float32Array;
  readonly #released = new Set<number>();
  #overridden = false;
  #uploads = 0;

  /** From an asset, or from the bytes of a .supple file once `await SuppleMesh.ready()` has loaded
   * the player. */
  constructor(
    gltf: LoadedGltf,
    flesh: Asset | FileBytes,
    options: SuppleMeshOptions = {},
  ) {
    checkGltf(gltf);
    const { asset, owned } = fit(gltf, open(flesh, options.supple));
    super(asset);
    if (owned) this.releases.push(() => asset.close());
    this.root = gltf.scene;
    this.#given = new Float32Array(asset.info.modeCount);
    try {
      const found = findParts(gltf, asset);
      this.bones = findBones(gltf, asset);
      this.attachmentNodes = findAttachmentNodes(gltf, asset);
      this.#nodes = new FileNodes(gltf);
      this.player = asset.createPlayer();
      this.releases.push(() => this.player.close());
      this.#surface = new FleshSurface(asset, found);
      this.releases.push(() => this.#surface.close());
      this.#coefficients = floatTexture(asset.gpuLayout.coefficientTexels, 1);
      this.releases.push(() => this.#coefficients.dispose());
      this.#makeParts(found, gltf, options.path ?? 'texture');
    } catch (error) {
      this.dispose();
      throw error;
    }
    this.meshes = this.parts.map((part) => part.mesh);
    this.#bound = new DisplacementBound(asset);
    this.stats.draws = this.meshes.length;
    this.linear = options.linear ?? false;
    this.#send();
    this.#follow();
  }

  /** Loads the player, once, for `new SuppleMesh(gltf, bytes)`. */
  static async ready(): Promise<void> {
    await loadSupple();
  }

  /** Also loads the player: from `options.wasm`, or the shared one. */
  static async load(
    gltf: LoadedGltf,
    flesh: FileBytes,
    options: SuppleMeshOptions & { wasm?: WasmSource } = {},
  ): Promise<SuppleMesh> {
    const { wasm, ...rest } = options;
    const supple = rest.supple ?? (await loadSupple(wasm));
    return new SuppleMesh(gltf, flesh, { ...rest, supple });
  }

  #makeParts(found: PartMesh[], gltf: LoadedGltf, path: 'texture' | 'attributes'): void {
    const { asset, look } = this;
    const textures = takeShapeTextures(asset);
    this.releases.push(() => releaseShapeTextures(asset));
    const surroundings = {
      ...{ asset, look, textures, path },
      coefficients: this.#coefficients,
      clips: gltf.animations ?? [],
      surface: this.#surface,
      firstUnit: found[0] === undefined ? 1 : unitOf(found[0].mesh),
    };
    for (const item of found) {
      const part = new MovingPart(item, surroundings);
      this.parts.push(part);
      this.releases.push(() => part.dispose());
    }
  }

  protected override ownPlayers(): Player[] {
    return [this.player];
  }

  protected override shownChanged(): void {
    this.#showSurface();
  }

  /** Shown instead of the player's own coefficients: one mode, or recorded ones. null: the
   * player's. */
  setCoefficients(values: ArrayLike<number> | null): void {
    const { modeCount } = this.asset.info;
    if (values !== null && values.length !== modeCount) {
      throw new SuppleError(Status.badArgument, `This asset has ${modeCount} coefficients.`);
    }
    if (values !== null) this.#given.set(values);
    this.#overridden = values !== null;
    this.#send();
    this.#follow();
  }

  /** The coefficients shown now. */
  get coefficients(): Float32Array {
    return this.#overridden ? this.#given : this.player.coefficients;
  }

  /** Reads the bones, steps, and sends the coefficients: one small texture. */
  update(dt: number): void {
    const begin = performance.now();
    this.updateWorld();
    const map = this.#map;
    if (map.take(this.anchor.matrixWorld, this.anchorVolume)) this.#mirrored();
    for (let object = 0; object < this.bones.length; ++object) {
      const { matrixWorld } = this.bones[object] as Object3D;
      this.player.setBoneMatrix(object, map.matrix(matrixWorld).elements);
    }
    this.attachmentNodes.forEach((node, attachment) => {
      if (this.#released.has(attachment)) return;
      this.player.setAttachmentMatrix(attachment, map.matrix(node.matrixWorld).elements);
    });
    this.player.step(dt);
    // Explicit coefficients were sent when they were set.
    if (!this.#overridden) this.#send();
    this.#follow();
    this.stats.uploads = Math.min(this.#uploads, 1); // three.js sends when it draws
    this.stats.uploadedBytes = this.stats.uploads * numbersOf(this.#coefficients).byteLength;
    this.#uploads = 0;
    this.stats.updateMs = performance.now() - begin;
  }

  #send(): void {
    const texels = numbersOf(this.#coefficients);
    if (this.#overridden) this.asset.gpuCoefficients(this.#given, texels);
    else this.player.gpuCoefficients(texels);
    this.#coefficients.needsUpdate = true;
    ++this.#uploads;
  }

  // Bounds include flesh that is switched off, so that switching costs nothing.
  #follow(): void {
    const { coefficients } = this;
    for (const part of this.parts) part.updateBounds(this.#bound.of(coefficients, part.info));
    this.#showSurface();
  }

  #showSurface(): void {
    const shown = this.#overridden ? this.#given : this.player;
    this.#surface.show(this.enabled ? shown : null, this.linear);
  }

  /** Also where a program has taken nodes out of the scene.
   * @internal */
  updateWorld(): void {
    const { bones, attachmentNodes, meshes } = this;
    this.#nodes.updateWorld([...bones, ...attachmentNodes, ...meshes]);
  }

  /** The node that carries the whole character: of the file, as far up as it goes.
   * @internal */
  get anchor(): Object3D {
    const bone = this.bones.find((node) => node !== this.root) ?? this.root;
    return this.#nodes.topOf(bone);
  }

  /** The determinant of the anchor's matrix in the file.
   * @internal */
  get anchorVolume(): number {
    return this.#nodes.volumeOf(this.anchor);
  }

  /** Metres per unit of the world, by the scale at which the character was last updated. */
  get metresPerUnit(): number {
    return this.asset.info.metresPerUnit / this.#map.scale;
  }

  /** Like player.push, with a force in the world's axes even if the character is mirrored. */
  push(vertex: number, newtons: ArrayLike<number>): void {
    this.player.push(vertex, this.#map.direction(newtons));
  }

  /** Like player.setGravity, in the world's axes even if the character is mirrored. */
  setGravity(gravity: ArrayLike<number>): void {
    this.player.setGravity(this.#map.direction(gravity));
    this.#gravity = Array.from(gravity);
  }

  /** Like player.setWind, in the world's axes even if the character is mirrored. */
  setWind(wind: Wind): void {
    this.player.setWind({ ...wind, velocity: this.#map.direction(wind.velocity) });
    this.#wind = { ...wind, velocity: Array.from(wind.velocity) };
  }

  #mirrored(): void {
    if (this.#gravity !== undefined) this.setGravity(this.#gravity);
    if (this.#wind !== undefined) this.setWind(this.#wind);
  }

  /** Sets whether a node holds its attachment of a shell (asset.attachments); all do at first. */
  isAttached(attachment: number): boolean {
    return !this.#released.has(attachment);
  }

  setAttached(attachment: number, held: boolean): void {
    if (held) {
      this.#released.delete(attachment);
    } else {
      this.player.releaseAttachment(attachment);
      this.#released.add(attachment);
    }
  }

  /** Lets an entry of a scene's palette act, by index or by name, like player.trigger: of the first
   * scene of the asset, or of the given object. False if the palette's rules do not allow it now. */
  trigger(entry: number | string, strength = 1, object = this.#scene.object): boolean {
    return this.player.trigger(object, entry, strength);
  }

  /** Where the first scene of the asset, or the given object, is. */
  sceneState(object = this.#scene.object): SceneState {
    return this.player.sceneState(object);
  }

  get #scene(): SceneInfo {
    const [scene] = this.asset.scenes;
    if (scene !== undefined) return scene;
    throw new SuppleError(Status.badArgument, 'This asset has no scene, so nothing to trigger.');
  }

  /** Holds a vertex of a shell, like player.setHandle, but without the rest position, and in the
   * world as the character is scaled and mirrored there. */
  setHandle(slot: number, handle: Omit<Handle, 'rest'>): void {
    const { position, orientation } = handle;
    const mapped: Handle = { ...handle, rest: this.#surface.restOf(handle.vertex) };
    if (position !== undefined) {
      mapped.position = this.#map.point(new Vector3().fromArray(position)).toArray();
    }
    if (orientation !== undefined) {
      mapped.orientation = this.#map.rotation(new Quaternion().fromArray(orientation)).toArray();
    }
    this.player.setHandle(slot, mapped);
  }

  /** The player's current pose of a shell vertex in the world, for handles. */
  poseOf(vertex: number): VertexPose {
    const pose = this.player.vertex(vertex, this.#surface.restOf(vertex));
    const position = this.#map.worldPoint(new Vector3().fromArray(pose.position));
    const orientation = this.#map.rotation(new Quaternion().fromArray(pose.orientation));
    return { position: position.toArray(), orientation: orientation.toArray() };
  }

  /** The asset's vertex nearest to a ray's hit on one of the meshes; -1 for other objects. */
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

  /** The vertices of the asset that a mesh of the character shows. */
  partOf(mesh: Object3D): PartInfo | undefined {
    return this.parts.find((item) => item.mesh === mesh)?.info;
  }

  /** Positions of all vertices of the asset before anything moves, in bind space, and normals if
   * all meshes have them: the input of `asset.createSurface`. */
  restShape(): { positions: Float32Array; normals?: Float32Array } {
    const found = this.parts.map(({ info, mesh }) => ({ part: info, mesh }));
    const positions = restPositions(this.asset, found);
    const normals = restNormals(this.asset, found);
    return normals === undefined ? { positions } : { positions, normals };
  }

  /** The original material of a mesh of the character. */
  originalMaterial(mesh: Object3D): Material | Material[] | undefined {
    return this.parts.find((item) => item.mesh === mesh)?.original;
  }

  /** Gives a mesh of the character another material that moves with its flesh; a copy, which is
   * returned and belongs to this character. Set `needsUpdate` of the mesh's customDepthMaterial and
   * customDistanceMaterial if you give the copy a map or an alpha test later. */
  setMaterial(mesh: Mesh, material: Material): Material {
    const part = this.parts.find((item) => item.mesh === mesh);
    if (part === undefined) throw new Error('That mesh is not part of this character.');
    return part.setMaterial(material);
  }
}

/** The asset for the mesh that the scene shows; see fit.ts. */
function fit(gltf: LoadedGltf, given: { asset: Asset; owned: boolean }) {
  try {
    const asset = fitAsset(gltf, given.asset);
    if (asset === given.asset) return given;
    if (given.owned) given.asset.close();
    return { asset, owned: true };
  } catch (error) {
    if (given.owned) given.asset.close();
    throw error;
  }
}

function open(
  flesh: Asset | FileBytes,
  supple = loadedSupple(),
): { asset: Asset; owned: boolean } {
  // Not by its class: a page may contain two copies of the package.
  if (typeof flesh === 'object' && flesh !== null && 'createPlayer' in flesh) {
    return { asset: flesh, owned: false };
  }
  if (supple === undefined) {
    throw new SuppleError(
      Status.badArgument,
      'The player that opens .supple files is not loaded yet: call `await SuppleMesh.ready()` ' +
        'first, or use `await SuppleMesh.load(gltf, bytes)`.',
    );
  }
  return { asset: supple.openAsset(flesh), owned: true };
}
