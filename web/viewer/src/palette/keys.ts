// SPDX-License-Identifier: Apache-2.0
import { captureKeys, type KeyCapture } from '../keys';
import { keyOf, type ScenePlay } from './play';

/// Keys of the page that a palette never takes.
const kPages = new Set(['?', 'Escape', 'Tab', 'Enter', ' ']);

/// While a scene is open the keys of its palette come before those of the page, which keep working
/// with Shift. A focused list or field keeps its keys.
export class PaletteKeys implements KeyCapture {
  readonly dispose: () => void;

  constructor(
    private readonly play: ScenePlay,
    private readonly press: (holder: string, entry: number) => void,
    private readonly release: (holder: string) => void,
    private readonly busy: () => boolean,
  ) {
    this.dispose = captureKeys(this);
  }

  down(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (this.busy() || kPages.has(event.key) || inField()) return;
    const key = event.key.toLowerCase();
    const entry = this.play.entries.findIndex((_, i) => keyOf(this.play.entries, i) === key);
    if (entry < 0) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    if (!event.repeat) this.press(holderOf(event), entry);
  }

  up(event: KeyboardEvent): void {
    this.release(holderOf(event));
  }

  leave(): void {
    this.play.cancelAll();
  }
}

const holderOf = ({ code, key }: KeyboardEvent): string => `key-${code || key}`;

function inField(): boolean {
  const focus = document.activeElement;
  if (focus instanceof HTMLInputElement) return !['checkbox', 'range'].includes(focus.type);
  return focus instanceof HTMLSelectElement;
}
