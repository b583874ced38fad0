// SPDX-License-Identifier: Apache-2.0
import { captureKeys, type KeyCapture } from '../keys';
import { SteeringHolds } from './steering';
import type { LiveSwim } from './view';

/// Viewer keys with the same meaning here; all others belong to characters with flesh.
const kViewer = /^(Shift|Home|End|PageUp|PageDown|[+=\-fhrogn?]|Tab|Escape|Enter|F\d+)$/;

/// Takes precedence over the page's keys: here W A S D and the arrows are held, not pressed.
export class SwimKeys implements KeyCapture {
  readonly dispose: () => void;

  constructor(
    private readonly swim: LiveSwim,
    private readonly holds: SteeringHolds,
    private readonly busy: () => boolean,
  ) {
    this.dispose = captureKeys(this);
  }

  down(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || this.busy() || inField(event)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.shiftKey && key.startsWith('Arrow')) return; // turns the view
    const way = SteeringHolds.way(event.code);
    if (!way && kViewer.test(key)) return;
    event.stopImmediatePropagation();
    if (way || key === ' ') event.preventDefault();
    if (event.repeat) return;
    if (way) this.holds.press(event.code, way);
    else this.act(key);
  }

  private act(key: string): void {
    const { swim } = this;
    const { shown } = swim;
    if (key === ' ') swim.nextStroke();
    else if (key === '0') swim.reset();
    else if (/^[1-9]$/.test(key)) swim.command(Number(key));
    else if (key === 'v') swim.toggle('forces', !shown.forces);
    else if (key === 't') swim.toggle('target', !shown.target);
    else if (key === 'l') swim.toggle('trail', !shown.trail);
    else if (key === 'c') swim.toggle('chase', !shown.chase);
  }

  up(event: KeyboardEvent): void {
    this.holds.release(event.code);
  }

  leave(): void {
    this.holds.releaseAll();
  }
}

/// An open list receives the arrows; a button receives the space bar.
function inField(event: KeyboardEvent): boolean {
  const focus = document.activeElement;
  if (focus instanceof HTMLSelectElement || focus instanceof HTMLInputElement) return true;
  const presses = event.key === ' ' || event.key === 'Enter';
  return presses && (focus instanceof HTMLButtonElement || focus instanceof HTMLAnchorElement);
}
