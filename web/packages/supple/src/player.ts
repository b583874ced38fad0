// SPDX-License-Identifier: Apache-2.0
import type { Asset } from './asset.js';
import { Status, SuppleError } from './errors.js';
import type { Module } from './module.js';
import {
  findEntry,
  readSceneSettings,
  readSceneState,
  type SceneSettings,
  type SceneState,
  writeSceneSettings,
} from './scenes.js';
import { type ObjectSettings, readSettings, writeSettings } from './settings.js';
import {
  type Handle,
  type HandleState,
  readHandleState,
  readShellState,
  type ShellState,
  type VertexPose,
  type Wind,
  writeHandle,
  writeWind,
} from './shells.js';
import type { Surface } from './surface.js';

/** Counts of problems so far. */
export interface Diagnostics {
  steps: number;
  badTransforms: number;
  badTimeSteps: number;
  pauses: number;
  /** Bones that jumped. */
  teleports: number;
  clampedAccelerations: number;
  badForces: number;
  /** Objects put to rest because a coefficient was beyond all numbers. */
  numericResets: number;
}

export interface DeformOptions {
  /** World * inverse bind, 16 column-major numbers per joint; absent: no skinning. */
  palette?: ArrayLike<number>;
  /** A multiple of 16. */
  firstVertex?: number;
  /** 0 or absent: to the end. */
  vertexCount?: number;
}

type Triple = ArrayLike<number>;

/** One moving character. */
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

  #address(): number {
    if (this.#player === 0) {
      throw new SuppleError(Status.badArgument, 'This player was closed; create a new one.');
    }
    return this.#player;
  }

  /** Sets the world matrix of an object's bone, column-major. Takes effect at the next step. False
   * if it is not a transform: the last valid one stays, and the failure is counted. */
  setBoneMatrix(object: number, matrix: ArrayLike<number>): boolean {
    const { call, scratch } = this.#module;
    const player = this.#address();
    this.#writeMatrix(matrix);
    const status = call.supple_player_set_bone_matrix(player, object, scratch);
    return this.#taken(status, Status.badTransform);
  }

  #writeMatrix(matrix: ArrayLike<number>): void {
    if (matrix.length < 16) {
      throw new SuppleError(Status.badArgument, 'A bone matrix has 16 numbers, column-major.');
    }
    const { floats, scratch } = this.#module;
    for (let i = 0; i < 16; ++i) floats[(scratch >> 2) + i] = matrix[i] as number;
  }

  /** The same as a position and a quaternion x y z w. */
  setBonePose(object: number, position: Triple, rotation: ArrayLike<number>): boolean {
    const module = this.#module;
    const turn = module.scratch + 32;
    module.setDoubles(module.scratch, position, 3);
    module.setDoubles(turn, rotation, 4);
    return this.#taken(
      module.call.supple_player_set_bone_pose(this.#address(), object, module.scratch, turn),
      Status.badTransform,
    );
  }

  /** Advances by dt seconds, any dt. False for 0, negative or NaN: no step was taken. */
  step(dt: number): boolean {
    return this.#taken(
      this.#module.call.supple_player_step(this.#address(), dt),
      Status.badTimeStep,
    );
  }

  // Conditions that can occur in any frame are counted by the player and do not throw.
  #taken(status: number, bearable: number): boolean {
    if (status === bearable) return false;
    this.#module.check(status);
    return true;
  }

  /** modeCount numbers: a view of the player's memory that changes with every step. Call the getter
   * again after opening or creating anything: growing memory empties old views. */
  get coefficients(): Float32Array {
    void this.#address();
    if (this.#view === undefined || this.#view.buffer !== this.#module.buffer) {
      const { modeCount } = this.asset.info;
      this.#view = new Float32Array(this.#module.buffer, this.#coefficients, modeCount);
    }
    return this.#view;
  }

  /** 4 * gpuLayout.coefficientTexels numbers for the shaders. */
  gpuCoefficients(target: Float32Array, offset = 0): void {
    const module = this.#module;
    module.check(module.call.supple_player_gpu_coefficients(this.#address(), this.#texels));
    if (this.#texelView === undefined || this.#texelView.buffer !== module.buffer) {
      const floats = 4 * this.asset.gpuLayout.coefficientTexels;
      this.#texelView = new Float32Array(module.buffer, this.#texels, floats);
    }
    target.set(this.#texelView, offset);
  }

  /** Resets to rest, without history. */
  reset(): void {
    this.#module.call.supple_player_reset(this.#address());
  }

  resetObject(object: number): void {
    this.#module.check(this.#module.call.supple_player_reset_object(this.#address(), object));
  }

  /** Force in newtons, in world axes, on a vertex, during the next step; pushes add up. */
  push(vertex: number, force: Triple): void {
    const module = this.#module;
    module.setDoubles(module.scratch, force, 3);
    module.check(module.call.supple_player_push(this.#address(), vertex, module.scratch));
  }

  /** m/s^2 in world axes; initially (0, -9.81, 0). */
  setGravity(gravity: Triple): void {
    const module = this.#module;
    module.setDoubles(module.scratch, gravity, 3);
    module.check(module.call.supple_player_set_gravity(this.#address(), module.scratch));
  }

  settings(object: number): ObjectSettings {
    const module = this.#module;
    const at = module.struct('supple_object_settings');
    module.check(module.call.supple_player_get_settings(this.#address(), object, at));
    return readSettings(module, at);
  }

  /** Changes the given settings and keeps the rest. */
  setSettings(object: number, change: Partial<ObjectSettings>): void {
    const module = this.#module;
    const settings = { ...this.settings(object), ...change };
    const at = module.struct('supple_object_settings');
    writeSettings(module, at, settings);
    module.check(module.call.supple_player_set_settings(this.#address(), object, at));
  }

  diagnose(): Diagnostics {
    const module = this.#module;
    const at = module.struct('supple_diagnostics');
    module.check(module.call.supple_player_diagnose(this.#address(), at));
    const number = (name: string) => Number(module.long(at, `supple_diagnostics.${name}`));
    return {
      steps: number('steps'),
      badTransforms: number('bad_transforms'),
      badTimeSteps: number('bad_time_steps'),
      pauses: number('pauses'),
      teleports: number('teleports'),
      clampedAccelerations: number('clamped_accelerations'),
      badForces: number('bad_forces'),
      numericResets: number('numeric_resets'),
    };
  }

  /** Sets the world matrix of an attachment's bone, column-major. It holds from the first call
   * until it is released. False if it is not a transform. */
  setAttachmentMatrix(attachment: number, matrix: ArrayLike<number>): boolean {
    const { call, scratch } = this.#module;
    const player = this.#address();
    this.#writeMatrix(matrix);
    const status = call.supple_player_set_attachment_matrix(player, attachment, scratch);
    return this.#taken(status, Status.badTransform);
  }

  releaseAttachment(attachment: number): void {
    const module = this.#module;
    module.check(module.call.supple_player_release_attachment(this.#address(), attachment));
  }

  attachmentState(attachment: number): HandleState {
    const module = this.#module;
    const at = module.struct('supple_handle_state');
    module.check(module.call.supple_player_attachment_state(this.#address(), attachment, at));
    return readHandleState(module, at);
  }

  /** Holds a vertex of a shell until the handle is changed or removed. There are 16 slots at first.
   * */
  setHandle(slot: number, handle: Handle): void {
    const module = this.#module;
    const at = module.struct('supple_handle');
    writeHandle(module, at, handle);
    const status = module.call.supple_player_set_handle(this.#address(), slot, at);
    if (status !== Status.badArgument) return module.check(status);
    throw new SuppleError(status, this.#whyNoHandle(slot, handle));
  }

  // In this package's terms, which the player does not know.
  #whyNoHandle(slot: number, { vertex }: Handle): string {
    const { call, scratch } = this.#module;
    const { vertexCount } = this.asset.info;
    if (!(vertex >= 0 && vertex < vertexCount)) {
      return `Cannot hold vertex ${vertex}; the file has 0 to ${vertexCount - 1}.`;
    }
    this.#module.floats.fill(0, scratch / 4, scratch / 4 + 3);
    if (call.supple_player_vertex(this.#address(), vertex, scratch, 0, 0) !== Status.ok) {
      return `Vertex ${vertex} cannot be held: it is not in a shell, or the shell is fixed there.`;
    }
    const state = this.#module.struct('supple_handle_state');
    if (call.supple_player_handle_state(this.#address(), slot, state) !== Status.ok) {
      return `Handle slot ${slot} does not exist; reserveHandles(${slot + 1}) creates it.`;
    }
    return (
      `The handle on vertex ${vertex} holds nothing, or contains invalid numbers: give rest, ` +
      'and position or orientation as far as components hold them, and a stiffness of 0 or more.'
    );
  }

  removeHandle(slot: number): void {
    this.#module.check(this.#module.call.supple_player_remove_handle(this.#address(), slot));
  }

  /** Allocates this many slots; slots in use are kept. */
  reserveHandles(slots: number): void {
    this.#module.check(this.#module.call.supple_player_reserve_handles(this.#address(), slots));
  }

  handleState(slot: number): HandleState {
    const module = this.#module;
    const at = module.struct('supple_handle_state');
    module.check(module.call.supple_player_handle_state(this.#address(), slot, at));
    return readHandleState(module, at);
  }

  /** For an object that is a shell. */
  shellState(object: number): ShellState {
    const module = this.#module;
    const at = module.struct('supple_shell_state');
    module.check(module.call.supple_player_shell_state(this.#address(), object, at));
    return readShellState(module, at);
  }

  /** The current pose of a shell vertex; `rest` is its rest position in bind space. */
  vertex(vertex: number, rest: Triple): VertexPose {
    const module = this.#module;
    const at = module.scratch;
    const [position, orientation] = [at + 16, at + 48];
    for (let i = 0; i < 3; ++i) module.floats[at / 4 + i] = rest[i] as number;
    const { call } = module;
    module.check(call.supple_player_vertex(this.#address(), vertex, at, position, orientation));
    return {
      position: module.doublesAt(position, 3),
      orientation: module.doublesAt(orientation, 4),
    };
  }

  /** Sets the air or water around the shells. */
  setWind(wind: Wind): void {
    const module = this.#module;
    const at = module.struct('supple_wind');
    writeWind(module, at, wind);
    module.check(module.call.supple_player_set_wind(this.#address(), at));
  }

  /** Lets an entry of a scene's palette act now, by index or by name; strength 1 is its own. False
   * if the palette's rules do not allow it now: nothing happened. */
  trigger(object: number, entry: number | string, strength = 1): boolean {
    const module = this.#module;
    const player = this.#address();
    const index = findEntry(this.asset.scene(object), entry);
    const status = module.call.supple_player_trigger(player, object, index, strength);
    if (status === Status.ok) return true;
    const error = module.error(status);
    if (this.sceneState(object).allowed[index] === false && Number.isFinite(strength)) return false;
    throw error;
  }

  /** Where in its portrait an object that is a scene is. */
  sceneState(object: number): SceneState {
    const module = this.#module;
    const { entries } = this.asset.scene(object);
    const at = module.struct('supple_scene_state');
    module.check(module.call.supple_player_scene_state(this.#address(), object, at));
    return readSceneState(module, at, entries.length);
  }

  sceneSettings(object: number): SceneSettings {
    const module = this.#module;
    const at = module.struct('supple_scene_settings');
    module.check(module.call.supple_player_get_scene_settings(this.#address(), object, at));
    return readSceneSettings(module, at);
  }

  /** Changes the given settings and keeps the rest. */
  setSceneSettings(object: number, change: Partial<SceneSettings>): void {
    const module = this.#module;
    const settings = { ...this.sceneSettings(object), ...change };
    const at = module.struct('supple_scene_settings');
    writeSceneSettings(module, at, settings);
    module.check(module.call.supple_player_set_scene_settings(this.#address(), object, at));
  }

  /** Positions of the surface's vertices that a shell moves, by rotation-strain coordinates instead
   * of warping; other vertices stay, so call deform() first. Requires hasRotationStrain. */
  rotationStrain(object: number, surface: Surface): void {
    const module = this.#module;
    const at = surface.describe(this.asset, undefined);
    const place = (name: string) => at + module.member(`supple_deformation.${name}`).offset;
    const [rest, positions] = [place('rest_positions'), place('positions')];
    const { call } = module;
    module.check(call.supple_player_rotation_strain(this.#address(), object, rest, positions));
  }

  /** Vertices on the CPU: the surface's positions, normals and tangents become the deformed ones.
   * */
  deform(surface: Surface, options: DeformOptions = {}): void {
    const module = this.#module;
    const at = surface.describe(this.asset, options.palette);
    module.setNumber(at, 'supple_deformation.first_vertex', options.firstVertex ?? 0);
    module.setNumber(at, 'supple_deformation.vertex_count', options.vertexCount ?? 0);
    module.check(module.call.supple_player_deform(this.#address(), at));
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
