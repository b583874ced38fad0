// SPDX-License-Identifier: Apache-2.0
import type { Module } from './module.js';

export interface ObjectSettings {
  /** false: coefficients are 0 and cost nothing. */
  enabled: boolean;
  /** 1: physically correct. */
  gain: number;
  /** Soft clamp: approximate limit on a vertex's movement; 0: none. */
  limitMetres: number;
  /** Level of detail: only this many modes move. */
  modes: number;
  /** m/s^2: larger accelerations are limited to this; 0: none. */
  maxAcceleration: number;
  /** rad/s: the same for angular velocity in the centrifugal term. */
  maxSpin: number;
  /** m/s: faster motion counts as a teleport; 0: never. */
  teleportSpeed: number;
  coriolis: boolean;
  /** Multiple of the file's stiffness: 4 doubles the frequencies. */
  stiffness: number;
  /** Multiple of the file's damping ratios. */
  damping: number;
  /** Shells; false: plain linear modes, for comparison, without bounds. 'rotation-strain': handles
   * hold what rotationStrain() draws. */
  warp: boolean | 'rotation-strain';
  /** Shells: fraction by which areas may change, as a root mean square; 0: any. */
  areaBound: number;
  /** Shells: radians by which a vertex may turn; 0: any. */
  turnBound: number;
}

const NUMBERS = {
  gain: 'gain',
  limitMetres: 'limit_metres',
  modes: 'modes',
  maxAcceleration: 'max_acceleration',
  maxSpin: 'max_spin',
  teleportSpeed: 'teleport_speed',
  stiffness: 'stiffness',
  damping: 'damping',
  areaBound: 'area_bound',
  turnBound: 'turn_bound',
} as const;
type NumberSetting = keyof typeof NUMBERS;
const NUMBER_SETTINGS = Object.keys(NUMBERS) as NumberSetting[];

const FLAGS = ['enabled', 'coriolis'] as const;

/** Values of SUPPLE_WARP_*, in their order. */
const WARPS = [false, true, 'rotation-strain'] as const;

export function readSettings(module: Module, at: number): ObjectSettings {
  const number = (name: string) => module.number(at, `supple_object_settings.${name}`);
  const numbers = NUMBER_SETTINGS.map((name) => [name, number(NUMBERS[name])]);
  const flags = FLAGS.map((name) => [name, number(name) !== 0]);
  const warp = ['warp', WARPS[number('warp')] ?? true];
  return Object.fromEntries([...numbers, ...flags, warp]) as unknown as ObjectSettings;
}

export function writeSettings(module: Module, at: number, settings: ObjectSettings): void {
  const set = (name: string, value: number) =>
    module.setNumber(at, `supple_object_settings.${name}`, value);
  for (const name of NUMBER_SETTINGS) set(NUMBERS[name], settings[name]);
  for (const name of FLAGS) set(name, settings[name] ? 1 : 0);
  set('warp', WARPS.indexOf(settings.warp));
}
