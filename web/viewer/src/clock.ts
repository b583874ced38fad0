// SPDX-License-Identifier: Apache-2.0

/// The page's time: usually the screen's. With `?clock=held` it stands still until a test lets it
/// go by (`suppleViewer.advance`), in even steps however fast the machine is, so that what happens
/// is the same everywhere. Nothing is drawn then but what changed.
class Clock {
  readonly held = new URLSearchParams(location.search).get('clock') === 'held';
  now = 0; // milliseconds that went by, where it is held
  private readonly waiting = new Map<number, { due: number; act: () => void }>();
  private count = 0;

  after(milliseconds: number, act: () => void): number {
    if (!this.held) return window.setTimeout(act, milliseconds);
    this.waiting.set(++this.count, { due: this.now + milliseconds, act });
    return this.count;
  }

  cancel(timer: number): void {
    if (this.held) this.waiting.delete(timer);
    else window.clearTimeout(timer);
  }

  advance(milliseconds: number): void {
    this.now += milliseconds;
    for (const [timer, { due, act }] of [...this.waiting]) {
      if (due > this.now) continue;
      this.waiting.delete(timer);
      act();
    }
  }
}

export const clock = new Clock();
