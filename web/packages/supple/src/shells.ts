// SPDX-License-Identifier: Apache-2.0
// Shell-specific parts: the structs of supple.h's section "Shells" in JavaScript form. Asset and
// Player call these.
import type { Module } from './module.js';

/** Components that a handle holds: bits, in world axes. */
export const Hold = {
  x: 1,
  y: 2,
  z: 4,
  position: 7,
  turnX: 8,
  turnY: 16,
  turnZ: 32,
  orientation: 56,
} as const;

export interface ShellInfo {
  /** Its index among the asset's objects. */
  object: number;
  /** Number of points at which distributed forces are sampled. */
  pointCount: number;
  firstAttachment: number;
  attachmentCount: number;
  /** The rest shape already sags under gravity. */
  modelledUnderGravity: boolean;
  /** `Player.rotationStrain` works. */
  hasRotationStrain: boolean;
  /** Diagonal of the rest shape. */
  sizeMetres: number;
  /** Radians: rest modes cannot follow a larger turn. */
  followTurn: number;
  /** Relative error of sampled forces, as measured by the bake. */
  pointError: number;
  /** kg/m^3 of the medium it was baked for, such as water; 0: none. */
  mediumDensity: number;
}

/** A handle that the file ties to a bone. */
export interface AttachmentInfo {
  object: number;
  vertex: number;
  /** Bits of `Hold`. */
  components: number;
  /** The bone's index among the glTF file's nodes. */
  node: number;
  bone: string;
  /** N/m; 0: hard. */
  stiffness: number;
}

/** Holds a vertex of a shell: its position, its orientation, or both. */
export interface Handle {
  vertex: number;
  /** Its rest position, x y z in bind space, which the file does not contain. */
  rest: ArrayLike<number>;
  /** x y z in world units. */
  position?: ArrayLike<number>;
  /** x y z w: orientation of the vertex's axes (bind axes at rest) in the world. */
  orientation?: ArrayLike<number>;
  /** Bits of `Hold`; absent: everything given. */
  components?: number;
  /** N/m, for turns times the square of half the shell's size; 0 or absent: hard. 'hand': a spring
   * for the pointer, which bends the shell as far as its bounds and then gives way. */
  stiffness?: number | 'hand';
  /** N: the spring pulls no harder; 0 or absent: any force. */
  maxForce?: number;
}

/** A handle's distance from its target after the last step. */
export interface HandleState {
  active: boolean;
  /** Metres, over the components that it holds. */
  positionError: number;
  /** Radians. */
  turnError: number;
}

/** The state of a shell. */
export interface ShellState {
  /** Radians, over its force points. */
  largestTurn: number;
  /** largestTurn / followTurn: above 1 the shape cannot be trusted. */
  beyond: number;
  /** Metres: error of the worst hard handle; turns count by half the size. */
  handleResidual: number;
  /** Part of its bounds that it has reached, 0 to 1; see ObjectSettings.areaBound. */
  strained: number;
}

/** The air or water around shells, at rest or moving. */
export interface Wind {
  /** m/s in world axes. */
  velocity: ArrayLike<number>;
  /** 0 or absent: steady; 1: between 0 and twice the velocity. */
  gusts?: number;
  /** Metres from gust to gust; 1 if absent. */
  gustSize?: number;
  /** kg/m^3; 0: none. If absent, the medium each shell was baked for, or air if there is wind. */
  density?: number;
}

/** The pose of a shell vertex. */
export interface VertexPose {
  /** World units. */
  position: number[];
  /** x y z w, as in `Handle`. */
  orientation: number[];
}

export function readShellInfo(module: Module, at: number, object: number): ShellInfo {
  const number = (name: string) => module.number(at, `supple_shell_info.${name}`);
  return {
    object,
    pointCount: number('point_count'),
    firstAttachment: number('first_attachment'),
    attachmentCount: number('attachment_count'),
    modelledUnderGravity: number('modelled_under_gravity') !== 0,
    hasRotationStrain: number('has_rotation_strain') !== 0,
    sizeMetres: number('size_metres'),
    followTurn: number('follow_turn'),
    pointError: number('point_error'),
    mediumDensity: number('medium_density'),
  };
}

export function readAttachmentInfo(module: Module, at: number): AttachmentInfo {
  const number = (name: string) => module.number(at, `supple_attachment_info.${name}`);
  return {
    object: number('object'),
    vertex: number('vertex'),
    components: number('components'),
    node: number('node'),
    bone: module.text(number('bone')),
    stiffness: number('stiffness'),
  };
}

const ORIGIN = [0, 0, 0];
const IDENTITY = [0, 0, 0, 1];
const NOTHING: number[] = []; // missing numbers become NaN, which the player rejects

/** SUPPLE_HAND. */
const kHand = -1;

export function writeHandle(module: Module, at: number, handle: Handle): void {
  const { position, orientation, stiffness = 0, maxForce = 0 } = handle;
  const given = (position ? Hold.position : 0) | (orientation ? Hold.orientation : 0);
  const components = handle.components ?? given;
  const set = (name: string, value: number) =>
    module.setNumber(at, `supple_handle.${name}`, value);
  const put = (name: string, values: ArrayLike<number>, count: number) =>
    module.setDoubles(at + module.member(`supple_handle.${name}`).offset, values, count);
  set('vertex', handle.vertex);
  set('components', components);
  set('stiffness', stiffness === 'hand' ? kHand : stiffness);
  set('max_force', maxForce);
  const rest = (at + module.member('supple_handle.rest').offset) / 4;
  for (let i = 0; i < 3; ++i) module.floats[rest + i] = handle.rest[i] ?? Number.NaN;
  put('position', position ?? (components & Hold.position ? NOTHING : ORIGIN), 3);
  put('orientation', orientation ?? (components & Hold.orientation ? NOTHING : IDENTITY), 4);
}

export function readHandleState(module: Module, at: number): HandleState {
  const number = (name: string) => module.number(at, `supple_handle_state.${name}`);
  return {
    active: number('active') !== 0,
    positionError: number('position_error'),
    turnError: number('turn_error'),
  };
}

export function readShellState(module: Module, at: number): ShellState {
  const number = (name: string) => module.number(at, `supple_shell_state.${name}`);
  return {
    largestTurn: number('largest_turn'),
    beyond: number('beyond'),
    handleResidual: number('handle_residual'),
    strained: number('strained'),
  };
}

/** SUPPLE_MEDIUM_AS_BAKED. */
const kMediumAsBaked = -1;

export function writeWind(module: Module, at: number, wind: Wind): void {
  const { velocity, gusts = 0, gustSize = 1, density = kMediumAsBaked } = wind;
  module.setDoubles(at + module.member('supple_wind.velocity').offset, velocity, 3);
  module.setNumber(at, 'supple_wind.gusts', gusts);
  module.setNumber(at, 'supple_wind.gust_size', gustSize);
  module.setNumber(at, 'supple_wind.density', density);
}
