// SPDX-License-Identifier: Apache-2.0
import type { Player, Surface } from 'supple';
import type { SuppleMesh } from 'supple-three';

import type { Sequence } from '../data/simulation';
import { WrittenCopy } from '../scene/posed_copy';
import { niceAbove } from '../ui/plot_canvas';
import type { ScenePlay } from './play';

const kLongest = 20; // seconds of a sequence
const kAfter = 2; // seconds at least after the last act

/// What was triggered since the scene rested last within the longest time, as whole frames; null:
/// nothing was, or it never rested.
export function sequenceOf(play: ScenePlay): Sequence | null {
  const { acts, seconds, info } = play;
  const first = acts.find((act) => act.fromRest && seconds - act.seconds <= kLongest);
  if (!first) return null;
  const frames = (time: number): number => Math.round((time - first.seconds) / info.frameSeconds);
  const actions: Sequence['actions'] = [];
  for (const { seconds: at, entry, strength } of acts) {
    if (at < first.seconds) continue;
    const after = actions.at(-1);
    actions.push([after ? Math.max(frames(at), after[0] + 1) : 0, entry, strength]);
  }
  const last = actions.at(-1)?.[0] ?? 0;
  return {
    actions,
    begin: first.seconds,
    frames: Math.max(frames(seconds), last + Math.round(kAfter / info.frameSeconds)),
  };
}

/// A sequence by the player and by the simulator, in step: whole frames of the scene.
export class BesidePlay {
  readonly rms: number[] = []; // metres, by frame
  frame = 0; // that is shown
  playing = true;
  complete = false;
  error = 0; // sums of squares
  moved = 0;
  readonly copy: WrittenCopy;
  private readonly frames: Float32Array[] = [];
  private readonly measured: Player; // runs ahead of what is shown
  private readonly surface: Surface;
  private due = 0; // seconds
  private next = 0; // action of the shown player
  private nextMeasured = 0;
  private range = 0; // metres at the light end of the colours; 0: none

  constructor(
    readonly flesh: SuppleMesh,
    private readonly play: ScenePlay,
    readonly sequence: Sequence,
  ) {
    this.copy = new WrittenCopy(flesh);
    this.measured = flesh.asset.createPlayer();
    this.surface = flesh.asset.createSurface(flesh.restShape());
    this.measured.deform(this.surface);
    this.copy.pose();
    this.copy.write(this.surface.positions, null);
    flesh.player.reset();
    flesh.update(0);
  }

  get frameSeconds(): number {
    return this.play.info.frameSeconds;
  }

  private get metres(): number {
    return this.flesh.asset.info.metresPerUnit;
  }

  /// Of the sequence, at the last frame that is known.
  get known(): number {
    return this.frames.length - 1;
  }

  // ---- Frames ----

  /// The next frame of the simulation.
  take(points: Float32Array): void {
    if (this.frames.length > 0) {
      this.nextMeasured = this.act(this.measured, this.frames.length - 1, this.nextMeasured);
      this.measured.step(this.frameSeconds);
    }
    this.frames.push(points);
    this.measured.deform(this.surface);
    const { positions } = this.surface;
    const rest = this.frames[0] as Float32Array;
    let apart = 0;
    for (let i = 0; i < points.length; ++i) {
      apart += ((positions[i] ?? 0) - (points[i] ?? 0)) ** 2;
      this.moved += ((points[i] ?? 0) - (rest[i] ?? 0)) ** 2;
    }
    this.error += apart;
    this.rms.push(this.metres * Math.sqrt((3 * apart) / points.length));
    if (this.frames.length === 1) this.write();
  }

  /// Lets the action of a frame act, if there is one; returns the number of the next.
  private act(player: Player, frame: number, next: number): number {
    const action = this.sequence.actions[next];
    if (!action || action[0] !== frame) return next;
    this.play.triggerOn(player, action[1], action[2]);
    return next + 1;
  }

  /// Root mean square over vertices and frames, metres.
  get rmsAll(): number {
    return Math.hypot(...this.rms) / Math.sqrt(Math.max(this.rms.length, 1));
  }

  /// Relative to the RMS displacement of the simulation.
  get relative(): number {
    return this.moved > 0 ? Math.sqrt(this.error / this.moved) : 0;
  }

  // ---- Time ----

  /// True while it moves.
  update(seconds: number): boolean {
    if (!this.playing) return false;
    this.due = Math.min(this.due + seconds, this.frameSeconds * Math.max(this.known - this.frame, 1));
    let moved = false;
    while (this.frame < this.known && this.due >= this.frameSeconds * (1 - 1e-6)) {
      this.forward();
      this.due -= this.frameSeconds;
      moved = true;
    }
    if (moved) this.write();
    if (this.complete && this.frame === this.known) this.playing = false;
    return true;
  }

  private forward(): void {
    this.next = this.act(this.flesh.player, this.frame, this.next);
    this.flesh.update(this.frameSeconds);
    ++this.frame;
  }

  /// Shows a frame: the player goes there from the beginning.
  show(frame: number): void {
    const wanted = Math.min(Math.max(frame, 0), Math.max(this.known, 0));
    if (wanted < this.frame) {
      this.flesh.player.reset();
      this.frame = this.next = 0;
      this.flesh.update(0);
    }
    while (this.frame < wanted) this.forward();
    this.due = 0;
    this.write();
  }

  again(): void {
    this.show(0);
    this.playing = true;
  }

  // ---- Drawing ----

  /// Metres that most distances are below.
  get usualRange(): number {
    return niceAbove(2000 * Math.max(...this.rms, 1e-6)) / 1000;
  }

  /// Colours the simulated side by its distance from play; 0: its own colours.
  colour(range: number): void {
    this.range = range;
    this.copy.paint(range > 0);
    this.write();
  }

  private write(): void {
    const points = this.frames[this.frame];
    this.play.replayed(this.sequence.begin + this.frame * this.frameSeconds);
    if (!points) return;
    this.copy.pose();
    this.copy.write(points, null);
    if (this.range === 0) return;
    this.flesh.player.deform(this.surface);
    const { positions } = this.surface;
    this.copy.colour((vertex) => {
      const apart = (axis: number): number =>
        (positions[3 * vertex + axis] ?? 0) - (points[3 * vertex + axis] ?? 0);
      return (this.metres * Math.hypot(apart(0), apart(1), apart(2))) / this.range;
    });
  }

  dispose(): void {
    this.measured.close();
    this.surface.close();
    this.copy.dispose();
  }
}
