// SPDX-License-Identifier: Apache-2.0

/// The page's time, usually the screen's. With `?clock=held` it stands still until a test advances it
/// (`suppleViewer.advance`) in even steps, so that a slow machine shows the same as a fast one. The
/// page then draws only what changed.
class Clock {
  readonly held = new URLSearchParams(location.search).get('clock') === 'held';
  now = 0; // milliseconds since the page opened, while it is held
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
