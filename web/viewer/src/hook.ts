// SPDX-License-Identifier: Apache-2.0
import type { ModeInfo } from 'supple';

import type { Tunable } from './scene/flesh';

/// For tests and debugging: `window.suppleViewer`. Not a stable interface.
export interface ViewerHook {
  /// Resolves when the first page is shown: gallery, empty stage or character.
  ready: Promise<void>;
  readonly itemId: string | null;
  /// The file of its soft parts, rejected or not.
  readonly fleshName: string | null;
  /// Where the camera is, in the world.
  camera(): number[];
  /// The part of the page that the character covers, in pixels.
  covered(): { left: number; right: number; top: number; bottom: number };
  /// Counts the characters shown so far.
  readonly opened: number;
  /// Frames drawn so far.
  readonly frames: number;
  /// Whether anything moves; a still page draws nothing.
  readonly moving: boolean;
  /// Whether the picture is up to date, with no frame pending.
  readonly drawn: boolean;
  /// With `?clock=held` the page's time stands still: clips, flesh, interaction, fading messages.
  /// This call simulates that many seconds at once, in steps of 1/60 s, and draws the last step.
  advance(seconds: number): void;
  readonly hasFlesh: boolean;
  readonly shownMode: number;
  readonly clipTime: number;
  /// Messages shown as errors so far.
  readonly errors: string[];
  coefficients(): number[];
  /// Of one of the copies, if any.
  copyCoefficients(copy: number): number[];
  /// By the part's name, or 'all'.
  setSettings(part: string, change: Partial<Tunable>): void;
  settings(part: string): Tunable | null;
  select(part: string): void;
  /// Hz of the selected part's liveliest mode, and its index; 0 while it rests.
  measured(): { hz: number; mode: number };
  /// The file's data of each mode.
  modes(): ModeInfo[];
  /// Shows these coefficients instead of the player's; null: the player's again.
  showShape(coefficients: number[] | null): void;
  stats(): ViewerStats;
  /// What is held on the GPU and in the player's memory.
  memory(): { geometries: number; textures: number; playerBytes: number };
  exportSettings(): Promise<string | null>;
  /// For the baked objects.
  readonly vertexCount: number;
  /// The position of a shell vertex: in the world, and on the page.
  vertex(vertex: number): { position: number[]; orientation: number[]; page: number[] };
  handles(): { vertex: number; mode: string; pinned: boolean; positionError: number;
    turnError: number; }[];
  /// How far shells are bent, relative to what their modes can follow.
  bend(): { beyond: number; turn: number };
  /// m/s^2, in the world.
  gravity(): number[];
  /// The views shown side by side.
  readonly sides: string[];
  /// Coefficients of the linear copy while methods are compared.
  linearCoefficients(): number[];
  /// The newest frame of the live swimmer; null if there is none.
  swim(): SwimState | null;
  /// The height of the water's surface, of the live swimmer or of the file; null if there is none.
  readonly surface: number | null;
  /// The open scene; null if there is none.
  scene(): ScenePlayState | null;
  /// The current position of the character's root, in its units.
  rootOffset(): number[];
}

/// A scene beside its simulation.
export interface BesideState {
  actions: [number, number, number][];
  frames: number;
  known: number; // the last frame of the simulation so far
  frame: number;
  complete: boolean;
  rms: number[]; // metres, by frame
  rmsAll: number;
  relative: number;
}

export interface ScenePlayState {
  name: string;
  parts: { name: string; modes: number }[]; // what follows is of the one that is shown, but for what acts
  seconds: number; // of play
  entry: string;
  allowed: string[];
  response: number | null;
  frame: number;
  atRest: boolean;
  off: number;
  acts: { entry: string; strength: number; seconds: number }[];
  point: { x: number; y: number }; // on the portrait, in pixels
  beside: BesideState | null;
  worst: { entry: string; strength: number; off: number }[];
}

export interface SwimState {
  frames: number; // received so far
  time: number;
  run: number;
  stroke: string;
  held: number[];
  centre: number[];
  velocity: number[];
  forward: number[]; // x of the trunk
  aim: number[];
  speed: number;
  distance: number;
  power: number;
}

export interface ViewerStats {
  cpuMilliseconds: number;
  gpuMilliseconds: number | null;
  drawCalls: number;
  triangles: number;
  uploads: number;
  uploadBytes: number;
}

declare global {
  interface Window {
    suppleViewer?: ViewerHook;
  }
}
