// SPDX-License-Identifier: Apache-2.0
import type { Asset } from './asset.js';
import { Status, SuppleError } from './errors.js';

/** All vertices of an asset at rest, in bind space, part by part. */
export interface RestSurface {
  /** x y z per vertex. */
  positions: Float32Array;
  normals?: Float32Array;
  /** x y z per vertex; needs normals. */
  tangents?: Float32Array;
  /** 4 or 8 per vertex, with as many weights. */
  joints?: Uint16Array;
  weights?: Float32Array;
}

type Stream = 'positions' | 'normals' | 'tangents';
const STREAMS: readonly Stream[] = ['positions', 'normals', 'tangents'];

/** A rest shape and its deformed copy, both in the player's memory. */
export class Surface {
  readonly influences: number;
  readonly #asset: Asset;
  readonly #forget: (surface: Surface) => void;
  readonly #rest = new Map<Stream, number>();
  readonly #deformed = new Map<Stream, number>();
  #joints = 0;
  #weights = 0;
  #palette = 0;
  #paletteFloats = 0;
  #closed = false;

  /** @internal */
  constructor(asset: Asset, rest: RestSurface, forget: (surface: Surface) => void) {
    this.#asset = asset;
    this.#forget = forget;
    const vertices = asset.info.vertexCount;
    this.influences = rest.joints === undefined ? 0 : rest.joints.length / Math.max(vertices, 1);
    const skinned = rest.joints !== undefined;
    if (
      STREAMS.some((name) => (rest[name]?.length ?? 3 * vertices) !== 3 * vertices) ||
      (skinned && ![4, 8].includes(this.influences)) ||
      rest.joints?.length !== rest.weights?.length
    ) {
      throw new SuppleError(
        Status.badArgument,
        `A surface of this asset needs 3 numbers for each of its ${vertices} vertices, and 4 or ` +
          '8 joints with as many weights if it is skinned.',
      );
    }
    const { module } = asset;
    for (const name of STREAMS) {
      const values = rest[name];
      if (values === undefined) continue;
      this.#rest.set(name, this.#copy(values));
      this.#deformed.set(name, module.allocate(values.byteLength + 1));
    }
    if (rest.joints !== undefined && rest.weights !== undefined) {
      this.#joints = this.#copy(rest.joints);
      this.#weights = this.#copy(rest.weights);
    }
  }

  #copy(values: Float32Array | Uint16Array): number {
    const { module } = this.#asset;
    const block = module.allocate(values.byteLength + 1);
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    module.bytes.set(bytes, block);
    return block;
  }

  #look(name: Stream): Float32Array {
    this.checkOpen();
    const block = this.#deformed.get(name);
    if (block === undefined) return new Float32Array(0);
    return new Float32Array(this.#asset.module.buffer, block, 3 * this.#asset.info.vertexCount);
  }

  /** Deformed vertices: a view of the player's memory. Call the getter again after opening or
   * creating anything: growing memory empties old views. */
  get positions(): Float32Array {
    return this.#look('positions');
  }

  get normals(): Float32Array {
    return this.#look('normals');
  }

  get tangents(): Float32Array {
    return this.#look('tangents');
  }

  /** @internal */
  checkOpen(): void {
    if (this.#closed) {
      throw new SuppleError(Status.badArgument, 'This surface was closed; create a new one.');
    }
  }

  /** @internal supple_deformation in the scratch memory, for a player of `asset`. */
  describe(asset: Asset, palette: ArrayLike<number> | undefined): number {
    this.checkOpen();
    if (asset !== this.#asset) {
      throw new SuppleError(
        Status.badArgument,
        'The surface was made by another asset; create one with the asset of this player.',
      );
    }
    const { module } = this.#asset;
    const at = module.struct('supple_deformation');
    const data = module.member('supple_stream_in.data').offset;
    for (const name of STREAMS) {
      const rest = module.member(`supple_deformation.rest_${name}`).offset;
      const deformed = module.member(`supple_deformation.${name}`).offset;
      module.view.setUint32(at + rest + data, this.#rest.get(name) ?? 0, true);
      module.view.setUint32(at + deformed + data, this.#deformed.get(name) ?? 0, true);
    }
    if (palette === undefined) return at;
    if (palette.length > this.#paletteFloats) {
      if (this.#palette !== 0) module.release(this.#palette);
      this.#palette = this.#paletteFloats = 0;
      this.#palette = module.allocate(4 * palette.length);
      this.#paletteFloats = palette.length;
    }
    module.floats.set(palette, this.#palette / 4);
    const set = (name: string, value: number) =>
      module.setNumber(at, `supple_deformation.${name}`, value);
    set('palette', this.#palette);
    set('joint_count', Math.floor(palette.length / 16));
    set('influences', this.influences);
    set('joints', this.#joints);
    set('weights', this.#weights);
    return at;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    const blocks = [...this.#rest.values(), ...this.#deformed.values()];
    for (const block of [...blocks, this.#joints, this.#weights, this.#palette]) {
      this.#asset.module.release(block);
    }
    this.#forget(this);
  }
}
