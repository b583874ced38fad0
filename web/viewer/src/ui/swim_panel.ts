// SPDX-License-Identifier: Apache-2.0
import { el, icon } from '../dom';
import type { SwimStroke } from '../swim/calls';
import type { Way } from '../swim/steering';

export interface SwimActions {
  chooseStroke(name: string): void;
  command(name: string): void;
  reset(): void;
  toggle(what: SwimToggle, on: boolean): void;
  press(holder: string, way: Way): void;
  release(holder: string): void;
}
export type SwimToggle = 'forces' | 'target' | 'trail' | 'chase';

const kToggles: [SwimToggle, string, string][] = [
  ['forces', 'Forces', 'V'], ['target', 'Target', 'T'], ['trail', 'Trail', 'L'],
  ['chase', 'Follow heading', 'C'],
];
const kPad: [Way, string, string][] = [
  ['rollLeft', '↺', 'Roll left (Q)'], ['up', '↑', 'Up (W)'], ['rollRight', '↻', 'Roll right (E)'],
  ['left', '←', 'Left (A)'], ['down', '↓', 'Down (S)'], ['right', '→', 'Right (D)'],
];

/// The swimmer's controls: stroke, commands of its graph, display options, and a pad for touch.
export class SwimPanel {
  readonly element: HTMLElement;
  readonly pad: HTMLElement;
  private readonly strokes: HTMLSelectElement;
  private readonly about = el('p', { class: 'quiet about' });
  private readonly commands = el('div', { class: 'commands' });
  private readonly toggles = new Map<SwimToggle, HTMLButtonElement>();
  private readonly keys = new Map<Way, HTMLButtonElement>();
  private list: SwimStroke[] = [];
  private shown = -1;

  constructor(private readonly actions: SwimActions) {
    this.strokes = el('select', {
      'aria-label': 'Stroke',
      onchange: () => {
        actions.chooseStroke(this.strokes.value);
        this.strokes.blur(); // arrows steer again
      },
    });
    const reset = el('button', {
      type: 'button', class: 'text-button', title: 'Start again (0)', onclick: actions.reset,
    }, icon('reset'), 'Start again');
    const switches = kToggles.map(([what, label, key]) => {
      const button = el('button', {
        type: 'button', class: 'text-button toggle', 'aria-pressed': 'false',
        title: `${label} (${key})`,
        onclick: () => actions.toggle(what, button.getAttribute('aria-pressed') !== 'true'),
      }, label);
      this.toggles.set(what, button);
      return button;
    });
    this.element = el('aside', { class: 'swim-panel card', 'aria-label': 'Swimming' },
      el('div', { class: 'row' }, this.strokes, reset), this.about, this.commands,
      el('div', { class: 'row' }, ...switches));
    this.pad = el('div', { class: 'swim-pad', role: 'group', 'aria-label': 'Steer' },
      ...kPad.map(([way, sign, label]) => this.makeKey(way, sign, label)));
  }

  private makeKey(way: Way, sign: string, label: string): HTMLElement {
    const holder = `pad-${way}`;
    const button = el('button', {
      type: 'button', class: 'card', 'aria-label': label, title: label, tabindex: -1,
    }, sign);
    const release = (): void => this.actions.release(holder);
    button.addEventListener('pointerdown', (event) => {
      event.preventDefault(); // no focus, no selection: a finger rests here
      button.setPointerCapture(event.pointerId);
      this.actions.press(holder, way);
    });
    for (const end of ['pointerup', 'pointercancel', 'lostpointercapture']) {
      button.addEventListener(end, release);
    }
    button.addEventListener('contextmenu', (event) => event.preventDefault());
    this.keys.set(way, button);
    return button;
  }

  show(strokes: SwimStroke[]): void {
    this.list = strokes;
    this.shown = -1;
    this.strokes.replaceChildren(...strokes.map(({ name }) =>
      el('option', { value: name }, name.charAt(0).toUpperCase() + name.slice(1))));
  }

  /// Taken from the stream: another page may have chosen it.
  tell(stroke: number, held: Record<Way, boolean>): void {
    for (const [way, key] of this.keys) key.classList.toggle('held', held[way]);
    const now = this.list[stroke];
    if (stroke === this.shown || !now) return;
    this.shown = stroke;
    this.strokes.value = now.name;
    this.about.textContent = now.steers ? now.description
      : `${now.description} Cannot be steered.`.trim();
    this.commands.replaceChildren(...now.commands.map((name, i) => el('button', {
      type: 'button', class: 'text-button', title: i < 9 ? `${name} (${i + 1})` : name,
      onclick: () => this.actions.command(name),
    }, name)));
  }

  press(what: SwimToggle, on: boolean): void {
    this.toggles.get(what)?.setAttribute('aria-pressed', String(on));
  }
}
