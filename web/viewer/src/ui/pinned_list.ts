// SPDX-License-Identifier: Apache-2.0
import { el, icon } from '../dom';
import type { HandleMode, Handles, Held } from '../scene/handles';

const kHolds: Record<HandleMode, string> = {
  position: 'place', orientation: 'turn', both: 'position and orientation',
};

/// The held vertices, each with a button to release it.
export class PinnedList {
  readonly element = el('section', { class: 'pinned', 'aria-label': 'Held vertices' });
  private shown = '';

  constructor(private readonly release: (held: Held | null) => void) {}

  show(handles: Handles | null): void {
    this.element.hidden = handles === null;
    const pinned = handles?.pinned ?? [];
    const key = pinned.map(({ slot, vertex, mode }) => `${slot} ${vertex} ${mode}`).join();
    if (key === this.shown && this.element.hasChildNodes()) return;
    this.shown = key;
    this.element.replaceChildren(el('h3', {}, 'Held vertices'));
    if (pinned.length === 0) {
      this.element.append(el('p', { class: 'quiet' },
        'None. While the pin is pressed (I), vertices stay where you drop them.'));
      return;
    }
    this.element.append(
      el('ul', {}, ...pinned.map((held) => this.row(held))),
      el('button', {
        type: 'button', class: 'text-button', onclick: () => this.release(null),
      }, icon('close'), 'Release all'));
  }

  private row(held: Held): HTMLElement {
    const name = `vertex ${held.vertex}`;
    const label = `Release ${name}`;
    return el('li', {}, el('span', {}, name), el('span', { class: 'quiet' }, kHolds[held.mode]),
      el('button', {
        type: 'button', class: 'icon-button small', 'aria-label': label, title: label,
        onclick: () => this.release(held),
      }, icon('close')));
  }
}
