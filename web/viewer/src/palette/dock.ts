// SPDX-License-Identifier: Apache-2.0
import { el } from '../dom';
import { PaletteButtons } from './buttons';
import { PaletteKeys } from './keys';
import type { ScenePlay } from './play';
import { Timeline } from './timeline';

export interface DockHost {
  wake(): void;
  /// The user acted; the text describes a problem, or is ''.
  acted(problem: string): void;
  /// An entry is about to act.
  acting(): void;
  busy(): boolean; // a dialog or the gallery receives the keys
}

/// The palette of the open scene at the bottom of the page, under the timeline of what it did.
export class Dock {
  readonly element: HTMLElement;
  private readonly timeline = new Timeline();
  private readonly buttons: PaletteButtons;
  private keys: PaletteKeys | null = null;
  private play: ScenePlay | null = null;

  constructor(private readonly host: DockHost) {
    this.buttons = new PaletteButtons({
      press: (holder, entry) => this.press(holder, entry),
      release: (holder) => this.release(holder),
      cancel: (holder) => this.play?.cancel(holder),
      act: (entry) => this.tell(entry, this.play?.trigger(entry, 1) ?? true),
    });
    this.element = el('section', { class: 'dock card', 'aria-label': 'Scene', hidden: true },
      this.timeline.element, this.buttons.element);
  }

  show(play: ScenePlay | null): void {
    this.keys?.dispose();
    this.keys = null;
    this.play = play;
    this.element.hidden = !play;
    this.buttons.show(play);
    if (!play) return;
    this.keys = new PaletteKeys(play, (holder, entry) => this.press(holder, entry),
      (holder) => this.release(holder), () => this.host.busy());
  }

  private press(holder: string, entry: number): void {
    const { play, host } = this;
    if (!play) return;
    host.acting();
    const { weakest = 1, strongest = 1 } = play.entries[entry] ?? {};
    if (!play.allowed(entry)) this.tell(entry, false);
    else if (weakest < strongest) play.hold(holder, entry);
    else this.tell(entry, play.trigger(entry, strongest));
    host.wake();
  }

  private release(holder: string): void {
    const entry = this.play?.heldBy(holder) ?? null;
    if (entry === null || !this.play) return;
    this.tell(entry, this.play.release(holder));
  }

  private tell(entry: number, acted: boolean): void {
    const name = this.play?.entries[entry]?.name ?? '';
    this.host.acted(acted ? '' : `“${name}” cannot act now`);
    this.buttons.refresh();
    this.host.wake();
  }

  restyle(): void {
    this.timeline.plot.restyle();
  }

  /// Every frame.
  tick(): void {
    if (!this.play) return;
    this.buttons.refresh();
    this.timeline.draw(this.play);
  }
}
