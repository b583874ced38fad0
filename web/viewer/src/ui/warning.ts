// SPDX-License-Identifier: Apache-2.0
import { el } from '../dom';

const kEvery = 300; // milliseconds: numbers that change faster cannot be read

/// Warns when a shell is bent farther than its modes can follow.
export class BendWarning {
  readonly element = el('p', { class: 'warning', role: 'status' });
  private last = -Infinity;

  /// `beyond`: bend relative to what rest modes can follow.
  show(beyond: number, turn: number, now: number): void {
    if (now - this.last < kEvery && Number.isFinite(now)) return;
    this.last = Number.isFinite(now) ? now : -Infinity;
    const degrees = Math.round((turn * 180) / Math.PI);
    const text = beyond > 1
      ? `Bent ${beyond.toFixed(1)} times as far as its modes can follow (${degrees}°)`
      : '';
    if (this.element.textContent !== text) this.element.textContent = text;
  }
}
