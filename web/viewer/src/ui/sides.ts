// SPDX-License-Identifier: Apache-2.0
import { el } from '../dom';
import type { Cell } from '../scene/cells';

/// Names of the views side by side, and thin lines between them.
export class Sides {
  readonly element = el('div', { class: 'sides', hidden: true, 'aria-hidden': 'true' });

  /// `notes` describe a problem with a side, or are ''.
  show(labels: string[], notes: string[], cells: Cell[]): void {
    this.element.hidden = labels.length < 2;
    if (this.element.hidden) return;
    this.element.replaceChildren(...cells.map((cell, i) => {
      const { left, top, width, height, insets } = cell;
      const box = el('div', { class: 'side' }, el('span', {}, labels[i] ?? ''));
      if (notes[i]) box.append(el('small', {}, notes[i] ?? ''));
      box.classList.toggle('not-first', left > 0);
      box.classList.toggle('not-top', top > 0);
      const place: [string, number][] = [
        ['left', left], ['top', top], ['width', width], ['height', height],
        ['padding-left', insets.left], ['padding-right', insets.right],
        ['padding-top', insets.top + 10],
      ];
      for (const [name, pixels] of place) box.style.setProperty(name, `${pixels}px`);
      return box;
    }));
  }
}
