// SPDX-License-Identifier: Apache-2.0
import type { SwimFrame } from './frame';

const kKept = 12; // frames; drawing needs two
const kBehind = 0.09; // seconds of deliberate lag, so that the next frame has arrived
const kLost = 0.4; // beyond this lag, in seconds, jump to the newest frame

/// The page's position between two frames. Frames arrive in bursts, pictures do not.
export class Playhead {
  private readonly frames: SwimFrame[] = [];
  private time = 0;
  private arrived = -Infinity;

  add(frame: SwimFrame): void {
    const last = this.newest;
    if (last && (frame.run !== last.run || frame.time <= last.time)) this.frames.length = 0;
    this.frames.push(frame);
    if (this.frames.length > kKept) this.frames.shift();
    if (this.frames.length === 1) this.time = frame.time;
    this.arrived = performance.now();
  }

  get newest(): SwimFrame | null {
    return this.frames.at(-1) ?? null;
  }

  /// Whether frames arrive at all: the simulation may be waiting, and the page with it.
  get alive(): boolean {
    return performance.now() - this.arrived < 1500;
  }

  /// The two frames around the time to draw, and its fraction between them.
  advance(seconds: number): { from: SwimFrame; to: SwimFrame; share: number } | null {
    const newest = this.newest;
    if (!newest) return null;
    const wanted = newest.time - kBehind;
    this.time += seconds;
    // A drifting clock is corrected gently; a lost one is reset.
    if (Math.abs(wanted - this.time) > kLost) this.time = wanted;
    else this.time += (wanted - this.time) * Math.min(1, 2.5 * seconds);
    this.time = Math.min(this.time, newest.time);
    while (this.frames.length > 2 && (this.frames[1] as SwimFrame).time < this.time) {
      this.frames.shift();
    }
    const from = this.frames[0] as SwimFrame;
    const to = this.frames[1] ?? from;
    const span = to.time - from.time;
    const share = span > 0 ? Math.min(Math.max((this.time - from.time) / span, 0), 1) : 1;
    return { from, to, share };
  }
}
