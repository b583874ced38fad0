// SPDX-License-Identifier: Apache-2.0
// Scene-specific parts: the structs of supple.h's section "Scenes" in JavaScript form. Asset and
// Player call these.
import { Status, SuppleError } from './errors.js';
import type { Module } from './module.js';

/** Something that a user can do to a scene. */
export interface SceneEntry {
  name: string;
  /** Of a keyboard; empty: none. */
  key: string;
  /** Strengths that were sampled; others are brought to these. */
  weakest: number;
  strongest: number;
  /** Entries that may act next. */
  followedBy: number[];
  /** Whether it may be the first. */
  fromRest: boolean;
}

export interface SceneInfo {
  /** Its index among the asset's objects. */
  object: number;
  entries: SceneEntry[];
  responseCount: number;
  stateCount: number;
  /** Seconds between states. */
  frameSeconds: number;
}

/** A recorded answer to an entry: states one frame apart. */
export interface SceneResponse {
  entry: number;
  strength: number;
  firstState: number;
  stateCount: number;
  /** Whether its last state is at rest. */
  rests: boolean;
}

/** Everything that a scene can replay. */
export interface ScenePortrait {
  responses: SceneResponse[];
  /** The coefficients of all states, in order: as many numbers each as the object has modes. */
  states: Float32Array;
}

/** Where in its portrait a scene is. */
export interface SceneState {
  /** For each entry, whether it may act now. */
  allowed: boolean[];
  /** That acted last; null: none yet. */
  entry: number | null;
  /** That is replayed; null: the scene is at rest as it began. */
  response: number | null;
  /** Of the response, with its fraction. */
  frame: number;
  atRest: boolean;
  /** Distance from the samples in phase space, relative to the size of the portrait. */
  off: number;
  /** The same distance just after the last transition. */
  lastBlend: number;
  transitions: number;
}

export interface SceneSettings {
  /** Seconds until half of the difference at a transition has gone. */
  halfLife: number;
  /** 'smooth': nothing jumps. 'paper': as published [JF03 eq. 12], for comparison. */
  blend: 'smooth' | 'paper';
}

/** SUPPLE_NO_ENTRY. */
const NO_ENTRY = 0xffffffff;
/** SUPPLE_BLEND_SMOOTH and SUPPLE_BLEND_PAPER. */
const BLENDS = ['smooth', 'paper'] as const;

const orNull = (number: number): number | null => (number === NO_ENTRY ? null : number);

function bitsOf(bits: bigint, count: number): boolean[] {
  return Array.from({ length: count }, (_, i) => ((bits >> BigInt(i)) & 1n) === 1n);
}

export function readSceneInfo(module: Module, asset: number, object: number): SceneInfo {
  const at = module.struct('supple_scene_info');
  module.check(module.call.supple_asset_scene(asset, object, at));
  const number = (name: string) => module.number(at, `supple_scene_info.${name}`);
  const entryCount = number('entry_count');
  return {
    object,
    responseCount: number('response_count'),
    stateCount: number('state_count'),
    frameSeconds: number('frame_seconds'),
    // Last: entries are read to the same memory.
    entries: Array.from({ length: entryCount }, (_, entry) =>
      readEntry(module, asset, object, entry, entryCount)),
  };
}

function readEntry(
  module: Module,
  asset: number,
  object: number,
  entry: number,
  count: number,
): SceneEntry {
  const at = module.struct('supple_entry_info');
  module.check(module.call.supple_asset_scene_entry(asset, object, entry, at));
  const number = (name: string) => module.number(at, `supple_entry_info.${name}`);
  const after = bitsOf(module.long(at, 'supple_entry_info.followed_by'), count);
  return {
    name: module.text(number('name')),
    key: module.text(number('key')),
    weakest: number('weakest'),
    strongest: number('strongest'),
    followedBy: after.flatMap((follows, next) => (follows ? [next] : [])),
    fromRest: number('from_rest') !== 0,
  };
}

function readResponse(module: Module, asset: number, object: number, response: number) {
  const at = module.struct('supple_response_info');
  module.check(module.call.supple_asset_scene_response(asset, object, response, at));
  const number = (name: string) => module.number(at, `supple_response_info.${name}`);
  return {
    entry: number('entry'),
    strength: number('strength'),
    firstState: number('first_state'),
    stateCount: number('state_count'),
    rests: number('rests') !== 0,
  };
}

export function readPortrait(
  module: Module,
  asset: number,
  info: SceneInfo,
  modeCount: number,
): ScenePortrait {
  const { object, responseCount, stateCount } = info;
  const responses = Array.from({ length: responseCount }, (_, response) =>
    readResponse(module, asset, object, response));
  const numbers = stateCount * modeCount;
  const states = module.borrow(Math.max(4 * numbers, 1), (block) => {
    module.check(module.call.supple_asset_scene_states(asset, object, 0, stateCount, block));
    return new Float32Array(module.buffer, block, numbers).slice();
  });
  return { responses, states };
}

export function readSceneState(module: Module, at: number, entryCount: number): SceneState {
  const number = (name: string) => module.number(at, `supple_scene_state.${name}`);
  return {
    allowed: bitsOf(module.long(at, 'supple_scene_state.allowed'), entryCount),
    entry: orNull(number('entry')),
    response: orNull(number('response')),
    frame: number('frame'),
    atRest: number('at_rest') !== 0,
    off: number('off'),
    lastBlend: number('last_blend'),
    transitions: Number(module.long(at, 'supple_scene_state.transitions')),
  };
}

export function readSceneSettings(module: Module, at: number): SceneSettings {
  return {
    halfLife: module.number(at, 'supple_scene_settings.half_life'),
    blend: BLENDS[module.number(at, 'supple_scene_settings.blend')] ?? 'smooth',
  };
}

export function writeSceneSettings(module: Module, at: number, settings: SceneSettings): void {
  module.setNumber(at, 'supple_scene_settings.half_life', settings.halfLife);
  module.setNumber(at, 'supple_scene_settings.blend', BLENDS.indexOf(settings.blend));
}

/** The index of an entry that is given by name; indices are checked by the player. */
export function findEntry({ entries }: SceneInfo, entry: number | string): number {
  if (typeof entry === 'number') return entry;
  const index = entries.findIndex(({ name }) => name === entry);
  if (index >= 0) return index;
  const names = entries.map(({ name }) => `'${name}'`).join(', ');
  throw new SuppleError(
    Status.badArgument,
    `The scene has no entry '${entry}'; its palette has ${names}.`,
  );
}
