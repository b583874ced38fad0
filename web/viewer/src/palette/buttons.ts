// SPDX-License-Identifier: Apache-2.0
import { el } from '../dom';
import { colourOf } from './colours';
import { keyOf, type ScenePlay } from './play';

export interface PaletteActions {
  press(holder: string, entry: number): void;
  release(holder: string): void;
  cancel(holder: string): void;
  /// At once, with the entry's own strength: for programs that click without a pointer.
  act(entry: number): void;
}

/// A button for each entry of the palette. What the rules forbid now stays in the order of focus,
/// or a keyboard would lose its place with every entry that acts.
export class PaletteButtons {
  readonly element = el('div', { class: 'palette', role: 'group', 'aria-label': 'Palette' });
  private readonly buttons: HTMLButtonElement[] = [];
  private play: ScenePlay | null = null;

  constructor(private readonly actions: PaletteActions) {}

  show(play: ScenePlay | null): void {
    this.play = play;
    this.buttons.length = 0;
    for (let i = 0; i < (play?.entries.length ?? 0); ++i) {
      this.buttons.push(this.makeButton(play as ScenePlay, i));
    }
    this.element.replaceChildren(...this.buttons);
    this.refresh();
  }

  private makeButton(play: ScenePlay, entry: number): HTMLButtonElement {
    const { name = '', weakest = 1, strongest = 1 } = play.entries[entry] ?? {};
    const key = keyOf(play.entries, entry);
    const strengths = weakest < strongest;
    const button = el('button', {
      type: 'button', class: 'entry',
      title: strengths ? `${name}: hold for strength` : name,
      'aria-label': strengths ? `${name}, hold for strength` : name,
      'aria-keyshortcuts': key.toUpperCase(),
    }, el('span', { class: 'dot', 'aria-hidden': 'true' }), el('span', { class: 'name' }, name));
    if (strengths) button.append(el('span', { class: 'scale', 'aria-hidden': 'true' }));
    if (key) button.append(el('kbd', { 'aria-hidden': 'true' }, key.toUpperCase()));
    button.style.setProperty('--entry', colourOf(entry));
    this.listen(button, entry);
    return button;
  }

  private listen(button: HTMLButtonElement, entry: number): void {
    const { actions } = this;
    const pointer = ({ pointerId }: PointerEvent): string => `pointer-${pointerId}`;
    button.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      button.setPointerCapture(event.pointerId);
      actions.press(pointer(event), entry);
    });
    button.addEventListener('pointerup', (event) => actions.release(pointer(event)));
    button.addEventListener('pointercancel', (event) => actions.cancel(pointer(event)));
    button.addEventListener('contextmenu', (event) => event.preventDefault());
    const presses = ({ key }: KeyboardEvent): boolean => key === 'Enter' || key === ' ';
    button.addEventListener('keydown', (event) => {
      if (!presses(event)) return;
      event.preventDefault(); // no click as well
      if (!event.repeat) actions.press(`focus-${entry}`, entry);
    });
    button.addEventListener('keyup', (event) => {
      if (!presses(event)) return;
      event.preventDefault();
      actions.release(`focus-${entry}`);
    });
    button.addEventListener('blur', () => actions.cancel(`focus-${entry}`));
    button.addEventListener('click', (event) => {
      if (event.detail === 0) actions.act(entry);
    });
  }

  /// Every frame; writes only changes.
  refresh(): void {
    const { play } = this;
    if (!play) return;
    this.buttons.forEach((button, entry) => {
      const forbidden = String(!play.allowed(entry));
      if (button.getAttribute('aria-disabled') !== forbidden) {
        button.setAttribute('aria-disabled', forbidden);
      }
      button.classList.toggle('acting', play.acting(entry));
      const held = play.held(entry);
      button.classList.toggle('held', held !== null);
      button.style.setProperty('--held', `${Math.round(100 * (held ?? 0))}%`);
    });
  }
}
