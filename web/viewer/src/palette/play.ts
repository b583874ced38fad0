// SPDX-License-Identifier: Apache-2.0
import type { Player, SceneInfo, ScenePortrait, SceneState } from 'supple';
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

/// A part of the scene, with a portrait of its own. Most scenes have one.
export interface Part {
  info: SceneInfo;
  name: string;
  portrait: ScenePortrait;
  state: SceneState;
}

/// An entry of the palette, and its numbers on the parts on which it acts.
export interface PlayEntry {
  name: string;
  key: string;
  weakest: number;
  strongest: number;
  on: { part: number; entry: number }[];
}

/// The palettes of all parts as one: entries of the same name act together.
function joinPalettes(parts: readonly Part[]): PlayEntry[] {
  const entries: PlayEntry[] = [];
  parts.forEach(({ info }, part) => info.entries.forEach((entry, number) => {
    const { name, key, weakest, strongest } = entry;
    let same = entries.find((one) => one.name === name);
    if (!same) entries.push(same = { name, key, weakest, strongest, on: [] });
    same.on.push({ part, entry: number });
  }));
  return entries;
}

/// The open file's scene: what acts on it, and what has.
export class ScenePlay {
  readonly parts: Part[];
  readonly entries: PlayEntry[];
  readonly name: string;
  shown = 0; // the part whose portrait is shown
  readonly log = new BlendLog();
  readonly acts: Act[] = [];
  readonly trail: Place[] = [];
  seconds = 0; // of play
  private readonly holds = new Map<string, { entry: number; seconds: number }>(); // by holder

  constructor(
    readonly flesh: SuppleMesh,
    private readonly copies: () => readonly Player[],
  ) {
    const { asset } = flesh;
    this.parts = asset.scenes.map((info) => ({
      info, name: asset.objects[info.object]?.name ?? '',
      portrait: asset.portrait(info.object), state: flesh.sceneState(info.object),
    }));
    this.entries = joinPalettes(this.parts);
    this.name = this.parts[0]?.name ?? '';
  }

  // ---- The part that is shown ----

  get part(): Part {
    return this.parts[this.shown] as Part;
  }

  get info(): SceneInfo {
    return this.part.info;
  }

  get portrait(): ScenePortrait {
    return this.part.portrait;
  }

  get state(): SceneState {
    return this.part.state;
  }

  get modeCount(): number {
    return this.modesOf(this.info);
  }

  modesOf({ object }: SceneInfo): number {
    return this.flesh.asset.objects[object]?.modeCount ?? 0;
  }

  /// The entry of the whole palette that one of the shown part's own is.
  entryOf(own: number): number {
    return this.entries.findIndex(({ on }) =>
      on.some(({ part, entry }) => part === this.shown && entry === own));
  }

  showPart(part: number): void {
    this.shown = part;
    this.trail.length = 0;
  }

  // ---- All parts ----

  get atRest(): boolean {
    return this.parts.every(({ state }) => state.atRest);
  }

  /// Whether it acted last on a part that still moves.
  acting(entry: number): boolean {
    return this.entries[entry]?.on.some(({ part, entry: own }) => {
      const state = this.parts[part]?.state;
      return state?.entry === own && !state.atRest;
    }) ?? false;
  }

  /// On any part.

  /// A coefficient of the scene now.
  coordinate(mode: number): number {
    const { firstMode = 0 } = this.flesh.asset.objects[this.info.object] ?? {};
    return mode < this.modeCount ? this.flesh.player.coefficients[firstMode + mode] ?? 0 : 0;
  }

  allowed(entry: number): boolean {
    return this.entries[entry]?.on.some(({ part, entry: own }) =>
      this.parts[part]?.state.allowed[own]) ?? false;
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

  /// On all parts whose rules allow it; false if none does.
  trigger(entry: number, strength: number): boolean {
    const fromRest = this.atRest;
    const acted = this.triggerParts(entry, strength);
    if (!acted) return false;
    for (const player of this.copies()) this.triggerOn(player, entry, strength);
    this.acts.push({ seconds: this.seconds, entry, strength, fromRest });
    return true;
  }

  /// Lets an entry act on a player that shows the same scene.
  triggerOn(player: Player, entry: number, strength: number): void {
    for (const { part, entry: own } of this.entries[entry]?.on ?? []) {
      const { object = 0 } = this.parts[part]?.info ?? {};
      player.trigger(object, own, strength);
    }
  }

  private triggerParts(entry: number, strength: number): boolean {
    let acted = false;
    for (const { part: number, entry: own } of this.entries[entry]?.on ?? []) {
      const part = this.parts[number] as Part;
      const { object } = part.info;
      const { response, frame } = this.flesh.sceneState(object);
      if (!this.flesh.trigger(own, strength, object)) continue;
      acted = true;
      const now = part.state = this.flesh.sceneState(object);
      // What begins at rest began so in the samples too: there is nothing to refine. Nor can
      // several parts be refined.
      if (response === null || now.response === null || this.parts.length > 1) continue;
      this.log.add({
        seconds: this.seconds, entry: this.entries[entry]?.name ?? '', strength,
        off: now.lastBlend, response, frame: Math.round(frame), next: now.response,
      });
    }
    return acted;
  }

  /// Back to where the scene begins.
  reset(): void {
    this.cancelAll();
    this.flesh.player.reset();
    for (const player of this.copies()) player.reset();
    this.acts.length = this.trail.length = 0;
    this.seconds = 0;
    this.look();
  }

  /// What acted before is replayed, and has come to this time.
  replayed(seconds: number): void {
    this.seconds = seconds;
    this.look();
    this.follow();
  }

  private look(): void {
    for (const part of this.parts) part.state = this.flesh.sceneState(part.info.object);
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
    this.look();
    this.follow();
    const moves = this.parts.some(moving);
    for (const hold of this.holds.values()) hold.seconds += seconds;
    if (moves || this.holds.size > 0) this.seconds += seconds;
    return moves || this.holds.size > 0;
  }
}

/// Not at rest, nor at the end of a response that nothing goes on from.
function moving({ state, portrait }: Part): boolean {
  const { response, frame, atRest, off } = state;
  const last = response === null ? 0 : (portrait.responses[response]?.stateCount ?? 0) - 1;
  const ended = response !== null && frame >= last;
  return (!atRest && !ended) || off > kStill;
}

/// The key of an entry: its own, or its place in the palette.
export function keyOf(entries: readonly PlayEntry[], entry: number): string {
  const own = entries[entry]?.key ?? '';
  if (own !== '') return own.toLowerCase();
  const place = String(entry + 1);
  const taken = entries.some(({ key }) => key === place);
  return entry < 9 && !taken ? place : '';
}
