// SPDX-License-Identifier: Apache-2.0
import type { Asset } from './asset.js';
import { Status, SuppleError } from './errors.js';
import type { Module } from './module.js';
import type { Surface } from './surface.js';

export interface ObjectSettings {
  /** false: coefficients are 0 and cost nothing. */
  enabled: boolean;
  /** 1: as physics says. */
  gain: number;
  /** Soft clamp: about how far a vertex may move; 0: none. */
  limitMetres: number;
  /** Level of detail: only the first so many move. */
  modes: number;
  /** m/s^2: harder jerks are cut to this length; 0: none. */
  maxAcceleration: number;
  /** rad/s: the same for angular velocity in the centrifugal term. */
  maxSpin: number;
  /** m/s: faster is a jump; 0: never. */
  teleportSpeed: number;
  coriolis: boolean;
  /** Times the file's: 4 doubles the frequencies. */
  stiffness: number;
  /** Times the file's damping ratios. */
  damping: number;
}

/** What went wrong so far, counted. */
export interface Diagnostics {
  steps: number;
  badTransforms: number;
  badTimeSteps: number;
  pauses: number;
  teleports: number;
  clampedAccelerations: number;
}

export interface DeformOptions {
  /** World * inverse bind, 16 numbers a joint by columns; absent: no skinning. */
  palette?: ArrayLike<number>;
  /** A multiple of 16. */
  firstVertex?: number;
  /** 0 or absent: to the end. */
  vertexCount?: number;
}

type Triple = ArrayLike<number>;

const NUMBERS = {
  gain: 'gain',
  limitMetres: 'limit_metres',
  modes: 'modes',
  maxAcceleration: 'max_acceleration',
  maxSpin: 'max_spin',
  teleportSpeed: 'teleport_speed',
  stiffness: 'stiffness',
  damping: 'damping',
} as const;
type NumberSetting = keyof typeof NUMBERS;
const NUMBER_SETTINGS = Object.keys(NUMBERS) as NumberSetting[];

/** One character that moves. */
export class Player {
  readonly asset: Asset;
  readonly #module: Module;
  readonly #forget: (player: Player) => void;
  readonly #coefficients: number;
  readonly #texels: number;
  #player: number;
  #view: Float32Array | undefined;
  #texelView: Float32Array | undefined;

  /** @internal */
  constructor(asset: Asset, forget: (player: Player) => void) {
    this.asset = asset;
    this.#forget = forget;
    const module = (this.#module = asset.module);
    module.check(module.call.supple_player_create(asset.address, module.scratch));
    this.#player = module.view.getUint32(module.scratch, true);
    this.#coefficients = module.call.supple_player_coefficients(this.#player);
    this.#texels = module.allocate(16 * asset.gpuLayout.coefficientTexels);
  }

  get #address(): number {
    if (this.#player === 0) {
      throw new SuppleError(Status.badArgument, 'This player was closed; create a new one.');
    }
    return this.#player;
  }

  /** Where the bone of an object is now: its world matrix, by columns. Takes effect at the next
   * step. False for what is no transform: the last good one stays, and is counted. */
  setBoneMatrix(object: number, matrix: ArrayLike<number>): boolean {
    const module = this.#module;
    const player = this.#address;
    if (matrix.length < 16) {
      throw new SuppleError(Status.badArgument, 'A bone matrix has 16 numbers, by columns.');
    }
    const floats = module.floats;
    const at = module.scratch >> 2;
    for (let i = 0; i < 16; ++i) floats[at + i] = matrix[i] as number;
    return this.#taken(
      module.call.supple_player_set_bone_matrix(player, object, module.scratch),
      Status.badTransform,
    );
  }

  /** The same as a position and a quaternion x y z w. */
  setBonePose(object: number, position: Triple, rotation: ArrayLike<number>): boolean {
    const module = this.#module;
    const turn = module.scratch + 32;
    module.setDoubles(module.scratch, position, 3);
    module.setDoubles(turn, rotation, 4);
    return this.#taken(
      module.call.supple_player_set_bone_pose(this.#address, object, module.scratch, turn),
      Status.badTransform,
    );
  }

  /** Advances by dt seconds, any dt. False for 0, negative or NaN: nothing was stepped. */
  step(dt: number): boolean {
    return this.#taken(
      this.#module.call.supple_player_step(this.#address, dt),
      Status.badTimeStep,
    );
  }

  // What can happen in any frame is counted by the player and is no reason to throw in a loop.
  #taken(status: number, bearable: number): boolean {
    if (status === bearable) return false;
    this.#module.check(status);
    return true;
  }

  /** modeCount numbers: a view of the player's memory that changes with every step. Ask again
   * after opening or creating anything: memory that grows leaves old views empty. */
  get coefficients(): Float32Array {
    void this.#address;
    if (this.#view === undefined || this.#view.buffer !== this.#module.buffer) {
      const { modeCount } = this.asset.info;
      this.#view = new Float32Array(this.#module.buffer, this.#coefficients, modeCount);
    }
    return this.#view;
  }

  /** 4 * gpuLayout.coefficientTexels numbers for the shaders. */
  gpuCoefficients(target: Float32Array, offset = 0): void {
    const module = this.#module;
    module.check(module.call.supple_player_gpu_coefficients(this.#address, this.#texels));
    if (this.#texelView === undefined || this.#texelView.buffer !== module.buffer) {
      const floats = 4 * this.asset.gpuLayout.coefficientTexels;
      this.#texelView = new Float32Array(module.buffer, this.#texels, floats);
    }
    target.set(this.#texelView, offset);
  }

  /** At rest, and without a past. */
  reset(): void {
    this.#module.call.supple_player_reset(this.#address);
  }

  resetObject(object: number): void {
    this.#module.check(this.#module.call.supple_player_reset_object(this.#address, object));
  }

  /** Force in newtons, in world axes, on a vertex, during the next step; pushes add up. */
  push(vertex: number, force: Triple): void {
    const module = this.#module;
    module.setDoubles(module.scratch, force, 3);
    module.check(module.call.supple_player_push(this.#address, vertex, module.scratch));
  }

  /** m/s^2 in world axes; (0, -9.81, 0) at first. */
  setGravity(gravity: Triple): void {
    const module = this.#module;
    module.setDoubles(module.scratch, gravity, 3);
    module.check(module.call.supple_player_set_gravity(this.#address, module.scratch));
  }

  settings(object: number): ObjectSettings {
    const module = this.#module;
    const at = module.scratch;
    module.check(module.call.supple_player_get_settings(this.#address, object, at));
    const number = (name: string) => module.number(at, `supple_object_settings.${name}`);
    const numbers = Object.fromEntries(
      NUMBER_SETTINGS.map((name) => [name, number(NUMBERS[name])]),
    ) as Record<NumberSetting, number>;
    return {
      ...numbers,
      enabled: number('enabled') !== 0,
      coriolis: number('coriolis') !== 0,
    };
  }

  /** Changes what is named and leaves the rest. */
  setSettings(object: number, change: Partial<ObjectSettings>): void {
    const module = this.#module;
    const at = module.scratch;
    const settings = { ...this.settings(object), ...change };
    const set = (name: string, value: number) =>
      module.setNumber(at, `supple_object_settings.${name}`, value);
    for (const name of NUMBER_SETTINGS) set(NUMBERS[name], settings[name]);
    set('enabled', settings.enabled ? 1 : 0);
    set('coriolis', settings.coriolis ? 1 : 0);
    module.check(module.call.supple_player_set_settings(this.#address, object, at));
  }

  diagnose(): Diagnostics {
    const module = this.#module;
    const at = module.scratch;
    module.check(module.call.supple_player_diagnose(this.#address, at));
    const number = (name: string) => Number(module.long(at, `supple_diagnostics.${name}`));
    return {
      steps: number('steps'),
      badTransforms: number('bad_transforms'),
      badTimeSteps: number('bad_time_steps'),
      pauses: number('pauses'),
      teleports: number('teleports'),
      clampedAccelerations: number('clamped_accelerations'),
    };
  }

  /** Vertices on the CPU: the surface's positions, normals and tangents become the deformed
   * ones. */
  deform(surface: Surface, options: DeformOptions = {}): void {
    const module = this.#module;
    const at = module.scratch;
    surface.describe(this.asset, at, options.palette);
    module.setNumber(at, 'supple_deformation.first_vertex', options.firstVertex ?? 0);
    module.setNumber(at, 'supple_deformation.vertex_count', options.vertexCount ?? 0);
    module.check(module.call.supple_player_deform(this.#address, at));
  }

  close(): void {
    if (this.#player === 0) return;
    this.#module.call.supple_player_destroy(this.#player);
    this.#module.release(this.#texels);
    this.#player = 0;
    this.#view = this.#texelView = undefined;
    this.#forget(this);
  }
}
