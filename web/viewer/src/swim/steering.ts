// SPDX-License-Identifier: Apache-2.0

export type Way = 'up' | 'down' | 'left' | 'right' | 'rollLeft' | 'rollRight';

/// By the key's position on the keyboard, so that W A S D are in the same place in every layout.
const kWays: Record<string, Way> = {
  ArrowUp: 'up', KeyW: 'up',
  ArrowDown: 'down', KeyS: 'down',
  ArrowLeft: 'left', KeyA: 'left',
  ArrowRight: 'right', KeyD: 'right',
  KeyQ: 'rollLeft', KeyE: 'rollRight',
};
const kRepeat = 400; // milliseconds; the program drops keys that are not repeated for a second

export type Hold = { up: number; left: number; roll: number };

/// The keys and buttons held down, passed to `send` at every change and repeatedly while held.
export class SteeringHolds {
  private readonly holders = new Map<string, Way>();
  private timer = 0;
  private told: Hold = { up: 0, left: 0, roll: 0 };

  constructor(private readonly send: (hold: Hold) => void) {}

  /// Whether this key steers.
  static way(code: string): Way | null {
    return kWays[code] ?? null;
  }

  press(holder: string, way: Way): void {
    if (this.holders.get(holder) === way) return;
    this.holders.set(holder, way);
    this.tell();
  }

  release(holder: string): void {
    if (this.holders.delete(holder)) this.tell();
  }

  releaseAll(): void {
    if (this.holders.size === 0) return;
    this.holders.clear();
    this.tell();
  }

  get hold(): Hold {
    const has = (way: Way): number => ([...this.holders.values()].includes(way) ? 1 : 0);
    return {
      up: has('up') - has('down'),
      left: has('left') - has('right'),
      roll: has('rollLeft') - has('rollRight'),
    };
  }

  private tell(): void {
    const { hold } = this;
    const active = hold.up !== 0 || hold.left !== 0 || hold.roll !== 0;
    window.clearInterval(this.timer);
    this.timer = active ? window.setInterval(() => this.send(this.told), kRepeat) : 0;
    const { up, left, roll } = this.told;
    if (hold.up === up && hold.left === left && hold.roll === roll) return;
    this.told = hold;
    this.send(hold);
  }
}
