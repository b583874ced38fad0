// SPDX-License-Identifier: Apache-2.0
import type { ModeInfo } from 'supple';

import type { Tunable } from './scene/flesh';

/// For tests and for the curious: `window.suppleViewer`. Not an interface to build on.
export interface ViewerHook {
  /// Settles when the first page is there: gallery, empty stage or character.
  ready: Promise<void>;
  readonly itemId: string | null;
  /// Frames drawn so far.
  readonly frames: number;
  /// Whether anything moves; a still page draws nothing.
  readonly moving: boolean;
  /// Whether the picture is up to date, with no frame pending.
  readonly drawn: boolean;
  /// With `?clock=held` the page's time stands still: clips, flesh, hands, fading messages. This
  /// call simulates that many seconds at once, in steps of 1/60 s, and draws the last step.
  advance(seconds: number): void;
  readonly hasFlesh: boolean;
  readonly shownMode: number;
  readonly clipTime: number;
  /// Messages shown as errors so far.
  readonly errors: string[];
  coefficients(): number[];
  /// Of one of the others, where there are some.
  copyCoefficients(copy: number): number[];
  /// By the part's name, or 'all'.
  setSettings(part: string, change: Partial<Tunable>): void;
  settings(part: string): Tunable | null;
  select(part: string): void;
  /// Hz of the selected part's liveliest mode, and which one that is; 0 while it rests.
  measured(): { hz: number; mode: number };
  /// What the file says of each mode.
  modes(): ModeInfo[];
  /// These coefficients instead of the player's; null: the player's again.
  showShape(coefficients: number[] | null): void;
  stats(): ViewerStats;
  exportSettings(): string | null;
  /// Of what is baked.
  readonly vertexCount: number;
  /// Where a vertex of a shell is: in the world, and on the page.
  vertex(vertex: number): { position: number[]; orientation: number[]; page: number[] };
  handles(): { vertex: number; mode: string; pinned: boolean; positionError: number;
    turnError: number; }[];
  /// How far shells are bent, in parts of what their modes follow.
  bend(): { beyond: number; turn: number };
  /// m/s^2, in the world.
  gravity(): number[];
  /// What is shown beside each other.
  readonly sides: string[];
  /// Coefficients of the linear copy, while methods are compared.
  linearCoefficients(): number[];
  /// The newest frame of the live swimmer; null where there is none.
  swim(): SwimState | null;
  /// Where the character's root is now, in its units.
  rootOffset(): number[];
}

export interface SwimState {
  frames: number; // that have come so far
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
