// SPDX-License-Identifier: Apache-2.0
import { el, iconButton } from '../dom';
import type { HandleMode, Handles } from '../scene/handles';

export interface HandleActions {
  mode(mode: HandleMode): void;
  keep(on: boolean): void;
}

/// What dragging a shell holds, and whether it stays held.
export class HandleTools {
  readonly element: HTMLElement;
  private readonly modes: Record<HandleMode, HTMLButtonElement>;
  private readonly pin: HTMLButtonElement;
  private handles: Handles | null = null;

  constructor(actions: HandleActions) {
    this.modes = {
      position: iconButton('move', 'Move a vertex', '1', () => actions.mode('position')),
      orientation: iconButton('turn', 'Turn a vertex', '2', () => actions.mode('orientation')),
      both: iconButton('both', 'Move and turn a vertex', '3', () => actions.mode('both')),
    };
    this.pin = iconButton('pin', 'Keep vertices held', 'I',
      () => actions.keep(!this.handles?.keep));
    const group = { class: 'group card handles', role: 'group', 'aria-label': 'Handles' };
    this.element = el('div', group, ...Object.values(this.modes), this.pin);
  }

  show(handles: Handles | null): void {
    this.handles = handles;
    this.element.hidden = handles === null;
    this.refresh();
  }

  refresh(): void {
    for (const [mode, button] of Object.entries(this.modes)) {
      button.setAttribute('aria-pressed', String(this.handles?.mode === mode));
    }
    this.pin.setAttribute('aria-pressed', String(this.handles?.keep === true));
  }
}
