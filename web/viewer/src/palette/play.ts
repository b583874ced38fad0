// SPDX-License-Identifier: Apache-2.0
import type { Player, SceneEntry, SceneInfo, ScenePortrait, SceneState } from 'supple';
import type { SuppleMesh } from 'supple-three';

import { BlendLog } from './blend_log';

/// Seconds for which an entry is held until it acts with its largest strength.
const kFullHold = 0.8;
const kStill = 1e-4; // of the portrait's size: what is left of a blend and not seen

const kTrail = 75; // steps

/// In the first two coordinates.
export type Place = [number, number];

/// An entry that acted.
export interface Act {
  seconds: number; // of play
  entry: number;
  strength: number;
  fromRest: boolean;
}

/// The open file's scene: what acts on it, and what has.
export class ScenePlay {
  readonly info: SceneInfo;
  readonly name: string;
  readonly portrait: ScenePortrait;
  readonly log = new BlendLog();
  readonly acts: Act[] = [];
  readonly trail: Place[] = [];
  seconds = 0; // of play
  state: SceneState;
  private readonly holds = new Map<string, { entry: number; seconds: number }>(); // by holder

  constructor(
    readonly flesh: SuppleMesh,
    private readonly copies: () => readonly Player[],
  ) {
    this.info = flesh.asset.scenes[0] as SceneInfo;
    this.name = flesh.asset.objects[this.info.object]?.name ?? '';
    this.portrait = flesh.asset.portrait(this.info.object);
    this.state = flesh.sceneState();
  }

  get entries(): SceneEntry[] {
    return this.info.entries;
  }

  get modeCount(): number {
    return this.flesh.asset.objects[this.info.object]?.modeCount ?? 0;
  }

  /// A coefficient of the scene now.
  coordinate(mode: number): number {
    const { firstMode = 0 } = this.flesh.asset.objects[this.info.object] ?? {};
    return mode < this.modeCount ? this.flesh.player.coefficients[firstMode + mode] ?? 0 : 0;
  }

  allowed(entry: number): boolean {
    return this.state.allowed[entry] ?? false;
  }

  // ---- Holding ----

  hold(holder: string, entry: number): void {
    if (!this.holds.has(holder)) this.holds.set(holder, { entry, seconds: 0 });
  }

  /// The entry that a holder holds, or null.
  heldBy(holder: string): number | null {
    return this.holds.get(holder)?.entry ?? null;
  }

  /// Lets the held entry act; false if the rules do not allow it now.
  release(holder: string): boolean {
    const held = this.holds.get(holder);
    if (!held) return true;
    this.holds.delete(holder);
    return this.trigger(held.entry, this.strengthAfter(held.entry, held.seconds));
  }

  cancel(holder: string): void {
    this.holds.delete(holder);
  }

  cancelAll(): void {
    this.holds.clear();
  }

  /// The share of the largest strength that a held entry has reached; null: it is not held.
  held(entry: number): number | null {
    for (const hold of this.holds.values()) {
      if (hold.entry === entry) return Math.min(hold.seconds / kFullHold, 1);
    }
    return null;
  }

  private strengthAfter(entry: number, seconds: number): number {
    const { weakest = 1, strongest = 1 } = this.entries[entry] ?? {};
    return weakest + (strongest - weakest) * Math.min(seconds / kFullHold, 1);
  }

  // ---- Acting ----

  trigger(entry: number, strength: number): boolean {
    const { response, frame, atRest } = this.flesh.sceneState();
    if (!this.flesh.trigger(entry, strength)) return false;
    for (const player of this.copies()) player.trigger(this.info.object, entry, strength);
    const now = this.state = this.flesh.sceneState();
    this.acts.push({ seconds: this.seconds, entry, strength, fromRest: atRest });
    // What begins at rest began so in the samples too: there is nothing to refine.
    if (response !== null && now.response !== null) {
      this.log.add({
        seconds: this.seconds, entry: this.entries[entry]?.name ?? '', strength,
        off: now.lastBlend, response, frame: Math.round(frame), next: now.response,
      });
    }
    return true;
  }

  /// Back to where the scene begins.
  reset(): void {
    this.cancelAll();
    this.flesh.player.reset();
    for (const player of this.copies()) player.reset();
    this.acts.length = this.trail.length = 0;
    this.seconds = 0;
    this.state = this.flesh.sceneState();
  }

  /// What acted before is replayed, and has come to this time.
  replayed(seconds: number): void {
    this.seconds = seconds;
    this.state = this.flesh.sceneState();
    this.follow();
  }

  /// Whether it stands at the end of a response that nothing goes on from.
  private get ended(): boolean {
    const { response, frame } = this.state;
    if (response === null) return false;
    return frame >= (this.portrait.responses[response]?.stateCount ?? 0) - 1;
  }

  /// The way of the last steps through the portrait.
  private follow(): void {
    const now: Place = [this.coordinate(0), this.coordinate(1)];
    const last = this.trail.at(-1);
    if (last && last[0] === now[0] && last[1] === now[1]) return;
    this.trail.push(now);
    if (this.trail.length > kTrail) this.trail.shift();
  }

  /// After a step of the player. True while it moves or an entry is held.
  update(seconds: number): boolean {
    this.state = this.flesh.sceneState();
    this.follow();
    const moves = (!this.state.atRest && !this.ended) || this.state.off > kStill;
    for (const hold of this.holds.values()) hold.seconds += seconds;
    if (moves || this.holds.size > 0) this.seconds += seconds;
    return moves || this.holds.size > 0;
  }
}

/// The key of an entry: its own, or its place in the palette.
export function keyOf(entries: readonly SceneEntry[], entry: number): string {
  const own = entries[entry]?.key ?? '';
  if (own !== '') return own.toLowerCase();
  const place = String(entry + 1);
  const taken = entries.some(({ key }) => key === place);
  return entry < 9 && !taken ? place : '';
}
