// SPDX-License-Identifier: Apache-2.0
import { Status, SuppleError } from './errors.js';
import type {
  AssetInfo,
  GpuLayout,
  ModeInfo,
  ObjectInfo,
  ObjectKind,
  PartInfo,
} from './infos.js';
import { hashOfMesh, type Module } from './module.js';
import { type OpenOptions, writeOptions } from './options.js';
import { Player } from './player.js';
import { type ChangedMesh, type MatchInfo, rebind } from './rebind.js';
import { readPortrait, readSceneInfo, type SceneInfo, type ScenePortrait } from './scenes.js';
import {
  type AttachmentInfo,
  readAttachmentInfo,
  readShellInfo,
  type ShellInfo,
} from './shells.js';
import { type RestSurface, Surface } from './surface.js';

// supple_object_kind; every other number is a kind that this player does not know.
const KINDS: readonly ObjectKind[] = ['flesh', 'shell', 'scene'];

/** The contents of a .supple file. Any number of players can share it. */
export class Asset {
  readonly info: AssetInfo;
  readonly parts: PartInfo[];
  readonly objects: ObjectInfo[];
  readonly modes: ModeInfo[];
  /** The objects that are shells, in order. */
  readonly shells: ShellInfo[];
  readonly attachments: AttachmentInfo[];
  /** The objects that are scenes, in order. */
  readonly scenes: SceneInfo[];
  readonly gpuLayout: GpuLayout;
  readonly #module: Module;
  readonly #dependents = new Set<{ close(): void }>();
  #bytes: number;
  #asset: number;

  /** @internal An asset of the module, and the block that it reads unless it owns its bytes. */
  constructor(module: Module, asset: number, bytes = 0) {
    this.#module = module;
    this.#asset = asset;
    this.#bytes = bytes;
    try {
      this.info = this.#readInfo();
      this.parts = count(this.info.partCount, (i) => this.#readPart(i));
      this.objects = count(this.info.objectCount, (i) => this.#readObject(i));
      this.modes = count(this.info.modeCount, (i) => this.#readMode(i));
      this.shells = this.#readShells();
      this.attachments = count(this.info.attachmentCount, (i) => this.#readAttachment(i));
      this.scenes = this.#readScenes();
      this.gpuLayout = this.#readLayout();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** @internal */
  static open(module: Module, bytes: Uint8Array, options: OpenOptions): Asset {
    const block = module.allocate(Math.max(bytes.byteLength, 1));
    module.bytes.set(bytes, block);
    const at = writeOptions(module, options);
    const result = at + module.member('supple_open_options').size;
    const status = module.call.supple_asset_open_with(block, bytes.byteLength, at, result);
    if (status !== Status.ok) module.release(block);
    module.check(status);
    return new Asset(module, module.view.getUint32(result, true), block);
  }

  /** @internal */
  get module(): Module {
    return this.#module;
  }

  /** @internal Its address; throws after closing. */
  get address(): number {
    if (this.#asset === 0) {
      throw new SuppleError(Status.badArgument, 'This asset was closed; open the file again.');
    }
    return this.#asset;
  }

  #readInfo(): AssetInfo {
    const { module } = this;
    const at = module.struct('supple_asset_info');
    module.check(module.call.supple_asset_describe(this.#asset, at));
    const number = (name: string) => module.number(at, `supple_asset_info.${name}`);
    return {
      versionMajor: number('version_major'),
      versionMinor: number('version_minor'),
      vertexCount: number('vertex_count'),
      indexCount: number('index_count'),
      partCount: number('part_count'),
      objectCount: number('object_count'),
      modeCount: number('mode_count'),
      encodingBits: number('encoding_bits'),
      attachmentCount: number('attachment_count'),
      meshHash: module.long(at, 'supple_asset_info.mesh_hash'),
      metresPerUnit: number('metres_per_unit'),
      generator: module.text(number('generator')),
    };
  }

  #readPart(part: number): PartInfo {
    const { module } = this;
    const at = module.struct('supple_part_info');
    module.check(module.call.supple_asset_part(this.#asset, part, at));
    const number = (name: string) => module.number(at, `supple_part_info.${name}`);
    return {
      mesh: number('mesh'),
      primitive: number('primitive'),
      firstVertex: number('first_vertex'),
      vertexCount: number('vertex_count'),
    };
  }

  #readObject(object: number): ObjectInfo {
    const { module } = this;
    const at = module.struct('supple_object_info');
    module.check(module.call.supple_asset_object(this.#asset, object, at));
    const number = (name: string) => module.number(at, `supple_object_info.${name}`);
    return {
      name: module.text(number('name')),
      kind: KINDS[number('kind')] ?? 'unknown',
      bone: module.text(number('bone')),
      node: number('node'),
      joint: number('joint'),
      firstMode: number('first_mode'),
      modeCount: number('mode_count'),
      hasCoriolis: number('has_coriolis') !== 0,
      limitMetres: number('limit_metres'),
      massKg: number('mass_kg'),
    };
  }

  #readMode(mode: number): ModeInfo {
    const { module } = this;
    const at = module.struct('supple_mode_info');
    module.check(module.call.supple_asset_mode(this.#asset, mode, at));
    const number = (name: string) => module.number(at, `supple_mode_info.${name}`);
    return {
      frequencyHz: number('frequency_hz'),
      damping: number('damping'),
      transfer: module.doubles(at, 'supple_mode_info.transfer'),
      centrifugal: module.doubles(at, 'supple_mode_info.centrifugal'),
      largestDisplacement: number('largest_displacement'),
      share: number('share'),
    };
  }

  #readShells(): ShellInfo[] {
    const { module } = this;
    return this.objects.flatMap(({ kind }, object) => {
      if (kind !== 'shell') return [];
      const at = module.struct('supple_shell_info');
      module.check(module.call.supple_asset_shell(this.#asset, object, at));
      return [readShellInfo(module, at, object)];
    });
  }

  #readAttachment(attachment: number): AttachmentInfo {
    const { module } = this;
    const at = module.struct('supple_attachment_info');
    module.check(module.call.supple_asset_attachment(this.#asset, attachment, at));
    return readAttachmentInfo(module, at);
  }

  #readScenes(): SceneInfo[] {
    return this.objects.flatMap(({ kind }, object) =>
      kind === 'scene' ? [readSceneInfo(this.module, this.#asset, object)] : []);
  }

  #readLayout(): GpuLayout {
    const { module } = this;
    const at = module.struct('supple_gpu_layout');
    module.check(module.call.supple_asset_gpu_layout(this.#asset, at));
    const number = (name: string) => module.number(at, `supple_gpu_layout.${name}`);
    return {
      width: number('width'),
      shapeHeight: number('shape_height'),
      shapeLayers: number('shape_layers'),
      tableHeight: number('table_height'),
      coefficientTexels: number('coefficient_texels'),
      attributes: number('attributes'),
    };
  }

  /** Whether it was made for the mesh with this hash. */
  checkMesh(hash: bigint): boolean {
    return this.#module.call.supple_asset_check_mesh(this.address, hash) === Status.ok;
  }

  /** The same from the mesh itself: positions of all parts in order, then triangle corners numbered
   * across all parts. */
  isMadeFor(positions: Float32Array, indices: Uint32Array): boolean {
    return this.checkMesh(hashOfMesh(this.#module, positions, indices));
  }

  /** The same asset for a mesh that tools changed after the bake: its vertices are matched by
   * position. Throws if the mesh is another. The new asset is independent of this one. */
  rebind(mesh: ChangedMesh): { asset: Asset; match: MatchInfo } {
    const { asset, match } = rebind(this.#module, this.address, mesh);
    return { asset: new Asset(this.#module, asset), match };
  }

  /** The shape of a mode on all vertices at coefficient 1, three numbers each; for a shell, the
   * normals are turns, as rotation vectors. */
  modeShape(mode: number): { displacements: Float32Array; normals: Float32Array } {
    const { module } = this;
    const floats = 3 * this.info.vertexCount;
    return module.borrow(Math.max(8 * floats, 1), (block) => {
      const normals = block + 4 * floats;
      module.check(module.call.supple_asset_mode_shape(this.address, mode, block, normals));
      return {
        displacements: new Float32Array(module.buffer, block, floats).slice(),
        normals: new Float32Array(module.buffer, normals, floats).slice(),
      };
    });
  }

  /** What is known of an object that is a scene. */
  scene(object: number): SceneInfo {
    const info = this.scenes.find((scene) => scene.object === object);
    if (info !== undefined) return info;
    throw new SuppleError(Status.badArgument, `Object ${object} of this asset is not a scene.`);
  }

  /** All responses and states of a scene, to draw them. The caller owns the copy. */
  portrait(object: number): ScenePortrait {
    const { modeCount = 0 } = this.objects[object] ?? {};
    return readPortrait(this.module, this.address, this.scene(object), modeCount);
  }

  #shapes(block: number, numbers: number): Int16Array | Float32Array {
    return this.info.encodingBits === 16
      ? new Int16Array(this.#module.buffer, block, numbers).slice()
      : new Float32Array(this.#module.buffer, block, numbers).slice();
  }

  /** Whole textures for modalTexture: 4 x width x shapeHeight x shapeLayers numbers, and 4 x width
   * x tableHeight. The caller owns these copies. */
  gpuTextures(): { shapes: Int16Array | Float32Array; table: Uint32Array } {
    const { module } = this;
    const { width, shapeHeight, shapeLayers, tableHeight } = this.gpuLayout;
    const shapeNumbers = 4 * width * shapeHeight * shapeLayers;
    const tableNumbers = 4 * width * tableHeight;
    const shapeBytes = (shapeNumbers * this.info.encodingBits) / 8;
    return module.borrow(shapeBytes + 4 * tableNumbers, (block) => {
      const table = block + shapeBytes;
      module.check(module.call.supple_asset_gpu_textures(this.address, block, table));
      return {
        shapes: this.#shapes(block, shapeNumbers),
        table: new Uint32Array(module.buffer, table, tableNumbers).slice(),
      };
    });
  }

  /** Vertex attributes for modalAttributes: gpuLayout.attributes vectors of four per vertex. */
  gpuAttributes(firstVertex: number, vertexCount: number): Int16Array | Float32Array {
    const { module } = this;
    const numbers = 4 * this.gpuLayout.attributes * vertexCount;
    const bytes = Math.max((numbers * this.info.encodingBits) / 8, 1);
    return module.borrow(bytes, (block) => {
      module.check(
        module.call.supple_asset_gpu_attributes(this.address, firstVertex, vertexCount, block),
      );
      return this.#shapes(block, numbers);
    });
  }

  /** Shader input for modeCount coefficients from elsewhere: recorded ones, or a single mode. 4 *
   * gpuLayout.coefficientTexels numbers. */
  gpuCoefficients(coefficients: ArrayLike<number>, target: Float32Array, offset = 0): void {
    const { module } = this;
    const { modeCount } = this.info;
    if (coefficients.length !== modeCount) {
      throw new SuppleError(Status.badArgument, `This asset has ${modeCount} coefficients.`);
    }
    const floats = 4 * this.gpuLayout.coefficientTexels;
    module.borrow(4 * (modeCount + floats), (block) => {
      const texels = block + 4 * modeCount;
      module.floats.set(coefficients, block / 4);
      module.check(module.call.supple_asset_gpu_coefficients(this.address, block, texels));
      target.set(module.floats.subarray(texels / 4, texels / 4 + floats), offset);
    });
  }

  createPlayer(): Player {
    return this.#keep(new Player(this, (player) => this.#dependents.delete(player)));
  }

  /** The rest shape of all vertices in the player's memory, for `Player.deform`. */
  createSurface(rest: RestSurface): Surface {
    return this.#keep(new Surface(this, rest, (surface) => this.#dependents.delete(surface)));
  }

  #keep<T extends { close(): void }>(dependent: T): T {
    this.#dependents.add(dependent);
    return dependent;
  }

  /** Frees its memory and that of its players and surfaces. */
  close(): void {
    if (this.#asset === 0) return;
    for (const dependent of [...this.#dependents]) dependent.close();
    this.#module.call.supple_asset_close(this.#asset);
    if (this.#bytes !== 0) this.#module.release(this.#bytes);
    this.#asset = this.#bytes = 0;
  }
}

function count<T>(length: number, make: (index: number) => T): T[] {
  return Array.from({ length }, (_, index) => make(index));
}
