// SPDX-License-Identifier: Apache-2.0

/// A transition during play: what acted, how far play was from the samples just after it, where
/// the scene was before (response, frame) and the response that it went over to.
export interface Blend {
  seconds: number; // of play
  entry: string;
  strength: number;
  off: number;
  response: number;
  frame: number;
  next: number;
}

const kMost = 200;

/// The worst blends of a session, for `supple scene refine`: the worst first.
export class BlendLog {
  readonly worst: Blend[] = [];

  add(blend: Blend): void {
    const { worst } = this;
    let at = worst.findIndex(({ off }) => off < blend.off);
    if (at < 0) at = worst.length;
    worst.splice(at, 0, blend);
    if (worst.length > kMost) worst.pop();
  }

  clear(): void {
    this.worst.length = 0;
  }

  json(scene: string): string {
    const blends = this.worst.map(({ entry, strength, off, response, frame, next }) =>
      ({ entry, strength, off, response, frame, next }));
    return `${JSON.stringify({ supple: 'scene log', scene, blends }, null, 1)}\n`;
  }
}
