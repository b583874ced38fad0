// SPDX-License-Identifier: Apache-2.0
import { el } from '../dom';

/// The legend of the colours of displacements and distances. The ramp is supple-three's, defined for both in OKLCh.
export class Legend {
  readonly element: HTMLElement;
  private readonly caption = el('figcaption', {});
  private readonly largest = el('span', {});

  constructor() {
    this.element = el('figure', { class: 'legend card', hidden: true },
      this.caption,
      el('div', { class: 'ramp' }),
      el('div', { class: 'ends' }, el('span', {}, '0'), this.largest));
  }

  show(metres: number | null, what: string): void {
    this.element.hidden = metres === null;
    this.caption.textContent = what;
    const millimetres = (metres ?? 0) * 1000;
    this.largest.textContent = `${Number(millimetres.toPrecision(3))} mm`;
  }
}
