// SPDX-License-Identifier: Apache-2.0
import { Status, SuppleError } from './errors.js';
import { memberNames } from './members.js';

/** The functions of the module: those of supple.h and of runtime/wasm/exports.cpp. Addresses and
 * sizes are numbers, 64 bit integers are bigint. */
export interface Functions {
  supple_version(): number;
  supple_version_text(): number;
  supple_status_text(status: number): number;
  supple_error_detail(): number;
  supple_asset_open_with(bytes: number, size: number, options: number, asset: number): number;
  supple_asset_close(asset: number): void;
  supple_asset_describe(asset: number, info: number): number;
  supple_asset_part(asset: number, part: number, info: number): number;
  supple_asset_object(asset: number, object: number, info: number): number;
  supple_asset_mode(asset: number, mode: number, info: number): number;
  supple_mesh_hash(positions: number, vertices: number, indices: number, count: number): bigint;
  supple_asset_check_mesh(asset: number, hash: bigint): number;
  supple_asset_rebind(asset: number, mesh: number, info: number, rebound: number): number;
  supple_asset_mode_shape(asset: number, mode: number, shape: number, normals: number): number;
  supple_player_create(asset: number, player: number): number;
  supple_player_destroy(player: number): void;
  supple_player_set_bone_matrix(player: number, object: number, matrix: number): number;
  supple_player_set_bone_pose(
    player: number,
    object: number,
    position: number,
    rotation: number,
  ): number;
  supple_player_step(player: number, dt: number): number;
  supple_player_coefficients(player: number): number;
  supple_player_reset(player: number): void;
  supple_player_reset_object(player: number, object: number): number;
  supple_player_push(player: number, vertex: number, force: number): number;
  supple_player_set_gravity(player: number, gravity: number): number;
  supple_player_get_settings(player: number, object: number, settings: number): number;
  supple_player_set_settings(player: number, object: number, settings: number): number;
  supple_player_diagnose(player: number, diagnostics: number): number;
  supple_asset_shell(asset: number, object: number, info: number): number;
  supple_asset_attachment(asset: number, attachment: number, info: number): number;
  supple_player_set_attachment_matrix(player: number, attachment: number, matrix: number): number;
  supple_player_release_attachment(player: number, attachment: number): number;
  supple_player_set_handle(player: number, slot: number, handle: number): number;
  supple_player_remove_handle(player: number, slot: number): number;
  supple_player_reserve_handles(player: number, slots: number): number;
  supple_player_handle_state(player: number, slot: number, state: number): number;
  supple_player_attachment_state(player: number, attachment: number, state: number): number;
  supple_player_shell_state(player: number, object: number, state: number): number;
  supple_player_vertex(
    player: number,
    vertex: number,
    rest: number,
    position: number,
    orientation: number,
  ): number;
  supple_player_set_wind(player: number, wind: number): number;
  supple_asset_scene(asset: number, object: number, info: number): number;
  supple_asset_scene_entry(asset: number, object: number, entry: number, info: number): number;
  supple_asset_scene_response(
    asset: number,
    object: number,
    response: number,
    info: number,
  ): number;
  supple_asset_scene_states(
    asset: number,
    object: number,
    first: number,
    count: number,
    coefficients: number,
  ): number;
  supple_player_trigger(player: number, object: number, entry: number, strength: number): number;
  supple_player_scene_state(player: number, object: number, state: number): number;
  supple_player_get_scene_settings(player: number, object: number, settings: number): number;
  supple_player_set_scene_settings(player: number, object: number, settings: number): number;
  supple_asset_gpu_layout(asset: number, layout: number): number;
  supple_asset_gpu_textures(asset: number, shapes: number, table: number): number;
  supple_asset_gpu_attributes(
    asset: number,
    firstVertex: number,
    count: number,
    vectors: number,
  ): number;
  supple_player_gpu_coefficients(player: number, texels: number): number;
  supple_asset_gpu_coefficients(asset: number, coefficients: number, texels: number): number;
  supple_player_deform(player: number, deformation: number): number;
  supple_player_rotation_strain(
    player: number,
    object: number,
    rest: number,
    positions: number,
  ): number;
  supple_wasm_members(): number;
  supple_wasm_allocate(size: number): number;
  supple_wasm_release(block: number): void;
}

interface Member {
  offset: number;
  size: number;
  isFloat: boolean;
}

const MEMBER_BYTES = 4; // offset (two), size, kind
const KIND_FLOAT = 1;
const SCRATCH_BYTES = 512; // more than any struct and matrix of the interface

/** The running module: its memory, its structs, its strings. */
export class Module {
  readonly call: Functions;
  /** For the inputs and outputs of one call. */
  readonly scratch: number;
  readonly #memory: WebAssembly.Memory;
  readonly #members = new Map<string, Member>();
  #view: DataView;
  #bytes: Uint8Array;
  #floats: Float32Array;

  constructor(instance: WebAssembly.Instance) {
    this.#memory = instance.exports['memory'] as WebAssembly.Memory;
    this.call = instance.exports as unknown as Functions;
    (instance.exports['_initialize'] as () => void)();
    this.#view = new DataView(this.#memory.buffer);
    this.#bytes = new Uint8Array(this.#memory.buffer);
    this.#floats = new Float32Array(this.#memory.buffer);
    this.scratch = this.allocate(SCRATCH_BYTES);
    this.#readMembers();
  }

  get memoryBytes(): number {
    return this.#memory.buffer.byteLength;
  }

  // Growing memory detaches earlier views, which then have length 0: checking that is faster than
  // comparing the current buffer.
  #renew(): void {
    if (this.#floats.length !== 0) return;
    this.#view = new DataView(this.#memory.buffer);
    this.#bytes = new Uint8Array(this.#memory.buffer);
    this.#floats = new Float32Array(this.#memory.buffer);
  }

  get view(): DataView {
    this.#renew();
    return this.#view;
  }

  get bytes(): Uint8Array {
    this.#renew();
    return this.#bytes;
  }

  /** All memory as floats: at address / 4. */
  get floats(): Float32Array {
    this.#renew();
    return this.#floats;
  }

  get buffer(): ArrayBuffer {
    return this.#memory.buffer;
  }

  #readMembers(): void {
    let at = this.call.supple_wasm_members();
    for (const name of memberNames) {
      this.#members.set(name, {
        offset: this.view.getUint16(at, true),
        size: this.view.getUint8(at + 2),
        isFloat: this.view.getUint8(at + 3) === KIND_FLOAT,
      });
      at += MEMBER_BYTES;
    }
  }

  /** The offset of a struct member of supple.h, or the size of a struct. */
  member(name: string): Member {
    const member = this.#members.get(name);
    if (member === undefined) throw new Error(`The player's module has no ${name}.`);
    return member;
  }

  get memberNames(): string[] {
    return [...this.#members.keys()];
  }

  /** The scratch memory as a struct of supple.h: zeroed, with its size set. */
  struct(name: string): number {
    const { size } = this.member(name);
    const at = this.scratch;
    this.bytes.fill(0, at, at + size);
    this.setNumber(at, `${name}.struct_size`, size);
    return at;
  }

  number(address: number, name: string): number {
    const { offset, size, isFloat } = this.member(name);
    const at = address + offset;
    if (isFloat) return this.view.getFloat64(at, true);
    return size === 2 ? this.view.getUint16(at, true) : this.view.getUint32(at, true);
  }

  setNumber(address: number, name: string, value: number): void {
    const { offset, isFloat } = this.member(name);
    if (isFloat) this.view.setFloat64(address + offset, value, true);
    else this.view.setUint32(address + offset, value, true);
  }

  long(address: number, name: string): bigint {
    return this.view.getBigUint64(address + this.member(name).offset, true);
  }

  doubles(address: number, name: string): number[] {
    const { offset, size } = this.member(name);
    return this.doublesAt(address + offset, size / 8);
  }

  doublesAt(address: number, count: number): number[] {
    const { view } = this;
    return Array.from({ length: count }, (_, i) => view.getFloat64(address + 8 * i, true));
  }

  setDoubles(address: number, values: ArrayLike<number>, count: number): void {
    for (let i = 0; i < count; ++i) {
      this.view.setFloat64(address + 8 * i, values[i] ?? Number.NaN, true);
    }
  }

  /** A message or a name from the player. */
  text(address: number): string {
    const bytes = this.bytes;
    let end = address;
    while (bytes[end] !== 0) ++end;
    return new TextDecoder().decode(bytes.slice(address, end));
  }

  /** Zeroed, at a multiple of 64. */
  allocate(size: number): number {
    // A size beyond 32 bits would wrap around.
    const block = size < 2 ** 32 ? this.call.supple_wasm_allocate(size) : 0;
    if (block === 0) throw this.error(Status.outOfMemory);
    return block;
  }

  release(block: number): void {
    this.call.supple_wasm_release(block);
  }

  /** Memory for the duration of `use`. */
  borrow<T>(size: number, use: (block: number) => T): T {
    const block = this.allocate(size);
    try {
      return use(block);
    } finally {
      this.release(block);
    }
  }

  /** The player's sentence for a status, and what exactly was wrong at the last call. */
  error(status: number): SuppleError {
    const sentence = this.text(this.call.supple_status_text(status));
    const detail = this.text(this.call.supple_error_detail());
    return new SuppleError(status, detail === '' ? sentence : `${sentence} (${detail})`);
  }

  check(status: number): void {
    if (status !== Status.ok) throw this.error(status);
  }
}

/** supple_mesh_hash of arrays outside the module's memory. */
export function hashOfMesh(
  module: Module,
  positions: Float32Array,
  indices: Uint32Array,
): bigint {
  return module.borrow(positions.byteLength + indices.byteLength + 1, (block) => {
    const behind = block + positions.byteLength;
    new Float32Array(module.buffer, block, positions.length).set(positions);
    new Uint32Array(module.buffer, behind, indices.length).set(indices);
    const vertices = Math.floor(positions.length / 3);
    const hash = module.call.supple_mesh_hash(block, vertices, behind, indices.length);
    return BigInt.asUintN(64, hash);
  });
}
