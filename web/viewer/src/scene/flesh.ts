// SPDX-License-Identifier: Apache-2.0
import type { Asset, Player } from 'supple';

import type { Tuning } from '../data/settings';

/// The settings that have sliders. Stiffness and damping are multiples of the file's.
export interface Tunable {
  stiffness: number;
  damping: number;
  gain: number;
  limitMetres: number;
  modes: number;
}
export type TunableKey = keyof Tunable;
export const kTunableKeys: TunableKey[] = ['stiffness', 'damping', 'gain', 'limitMetres', 'modes'];

/// The live settings of a character's objects. Kept by name, so that they outlive a reload.
export class FleshSettings {
  private readonly first: Tunable[];
  private readonly now: Tunable[];
  private copies: Player[] = [];

  constructor(
    private readonly asset: Asset,
    private readonly player: Player,
  ) {
    const read = (object: number): Tunable => {
      const { stiffness, damping, gain, limitMetres, modes } = player.settings(object);
      const most = asset.objects[object]?.modeCount ?? modes;
      return { stiffness, damping, gain, limitMetres, modes: Math.min(modes, most) };
    };
    this.first = asset.objects.map((_, object) => read(object));
    this.now = asset.objects.map((_, object) => read(object));
  }

  /// Players of the same asset that share the settings.
  setCopies(players: Player[]): void {
    this.copies = players;
    this.set(-1, {});
  }

  get(object: number): Tunable {
    return this.now[object] as Tunable;
  }

  file(object: number): Tunable {
    return this.first[object] as Tunable;
  }

  /// `object` -1: all of them.
  set(object: number, change: Partial<Tunable>): void {
    this.asset.objects.forEach((info, index) => {
      if (object >= 0 && index !== object) return;
      const now = { ...this.get(index), ...change };
      now.modes = Math.max(1, Math.min(now.modes, info.modeCount));
      this.now[index] = now;
      for (const player of [this.player, ...this.copies]) player.setSettings(index, now);
    });
  }

  reset(object: number): void {
    this.asset.objects.forEach((_, index) => {
      if (object < 0 || index === object) this.set(index, this.file(index));
    });
  }

  changed(object: number): boolean {
    return this.asset.objects.some((_, index) => (object < 0 || index === object)
      && kTunableKeys.some((key) => this.get(index)[key] !== this.file(index)[key]));
  }

  /// The changes, by object name.
  save(): Map<string, Partial<Tunable>> {
    const saved = new Map<string, Partial<Tunable>>();
    this.asset.objects.forEach(({ name }, index) => {
      const change: Partial<Tunable> = {};
      for (const key of kTunableKeys) {
        if (this.get(index)[key] !== this.file(index)[key]) change[key] = this.get(index)[key];
      }
      saved.set(name, change);
    });
    return saved;
  }

  restore(saved: Map<string, Partial<Tunable>>): void {
    this.asset.objects.forEach(({ name }, index) => this.set(index, saved.get(name) ?? {}));
  }

  tunings(): Tuning[] {
    return this.asset.objects.map(({ name, firstMode, modeCount }, index) => {
      const now = this.get(index);
      const file = this.file(index);
      return {
        name,
        stiffness: now.stiffness, damping: now.damping, gain: now.gain,
        limitMetres: now.limitMetres === file.limitMetres ? null : now.limitMetres,
        modes: now.modes === file.modes ? null : now.modes,
        frequencies: this.asset.modes.slice(firstMode, firstMode + modeCount)
          .map(({ frequencyHz }) => frequencyHz),
      };
    });
  }
}

/// The compliance of a vertex, to poke each character with suitable force.
export class Yield {
  private readonly lengths: Float32Array[] = []; // by mode: metres at coefficient 1, per vertex

  constructor(private readonly asset: Asset) {}

  /// Newton seconds that move the vertex by about `metres` in its first swing, and newtons that
  /// hold it there; 0 without flesh.
  forces(vertex: number, metres: number): { impulse: number; force: number } {
    let swing = 0;
    let rest = 0;
    this.asset.modes.forEach(({ frequencyHz }, mode) => {
      const length = this.lengthsOf(mode)[vertex] ?? 0;
      const omega = 2 * Math.PI * Math.max(frequencyHz, 0.1);
      swing += length ** 2 / omega;
      rest += length ** 2 / omega ** 2;
    });
    if (swing < 1e-12) return { impulse: 0, force: 0 };
    return { impulse: metres / swing, force: metres / rest };
  }

  moves(mode: number, vertex: number): boolean {
    return (this.lengthsOf(mode)[vertex] ?? 0) > 0;
  }

  /// The vertex that a mode moves farthest.
  farthest(mode: number): number {
    const lengths = this.lengthsOf(mode);
    let best = 0;
    for (let i = 1; i < lengths.length; ++i) {
      if ((lengths[i] ?? 0) > (lengths[best] ?? 0)) best = i;
    }
    return best;
  }

  /// Shapes are in bind space, whose unit need not be the metre: the file gives the longest
  /// displacement in metres.
  private lengthsOf(mode: number): Float32Array {
    const known = this.lengths[mode];
    if (known) return known;
    const { displacements } = this.asset.modeShape(mode);
    const lengths = new Float32Array(displacements.length / 3);
    let longest = 0;
    for (let i = 0; i < lengths.length; ++i) {
      const [x, y, z] = displacements.subarray(3 * i, 3 * i + 3);
      lengths[i] = Math.hypot(x ?? 0, y ?? 0, z ?? 0);
      longest = Math.max(longest, lengths[i] ?? 0);
    }
    const metres = longest > 0 ? (this.asset.modes[mode]?.largestDisplacement ?? 0) / longest : 0;
    for (let i = 0; i < lengths.length; ++i) lengths[i] = (lengths[i] ?? 0) * metres;
    this.lengths[mode] = lengths;
    return lengths;
  }
}
