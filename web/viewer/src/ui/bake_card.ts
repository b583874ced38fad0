// SPDX-License-Identifier: Apache-2.0
import type { BakeStatus } from '../data/bake';
import { download, el, icon } from '../dom';

export interface BakeCardActions {
  begin(): void;
  cancel(): void;
  open(): void;
  close(): void;
}

const kNoPart = { part: 0, parts: 0, secondsLeft: null };

/// Offers a bake, shows how far it is, and hands out what it made.
export class BakeCard {
  readonly element = el('section', { class: 'bake card', 'aria-label': 'Bake', hidden: true });
  private readonly stage = el('p', { class: 'stage', role: 'status' });
  private readonly left = el('p', { class: 'quiet' });
  private readonly bar = el('progress', { max: 1, 'aria-label': 'Progress of the bake' });
  private readonly cancelButton: HTMLButtonElement;

  constructor(private readonly actions: BakeCardActions) {
    this.cancelButton = el('button', {
      type: 'button', class: 'text-button plain', onclick: () => actions.cancel(),
    }, 'Cancel');
  }

  get shown(): boolean {
    return !this.element.hidden;
  }

  hide(): void {
    this.fill('');
    this.element.hidden = true;
  }

  offer(what: string, action: string): void {
    this.fill('offer', el('p', {}, what),
      el('button', { type: 'button', class: 'button', onclick: () => this.actions.begin() }, action));
  }

  begin(name: string): void {
    this.show({ ...kNoPart, stage: `sending ${name}`, done: 0 });
    this.cancelButton.disabled = false;
    this.fill('running', el('div', {}, this.stage, this.left), this.cancelButton, this.bar);
  }

  show({ stage, part, parts, done, secondsLeft }: BakeStatus): void {
    const text = stage.charAt(0).toUpperCase() + stage.slice(1);
    if (this.stage.textContent !== text) this.stage.textContent = text;
    this.left.textContent = [
      ...(parts > 1 ? [`part ${part} of ${parts}`] : []),
      ...(secondsLeft === null ? [] : [timeLeft(secondsLeft)]),
    ].join(', ');
    this.bar.value = done;
  }

  cancelling(): void {
    this.show({ ...kNoPart, stage: 'cancelling', done: this.bar.value });
    this.cancelButton.disabled = true;
  }

  /// `open`: it is on the stage already.
  ready(title: string, files: File[], open: boolean): void {
    const close = {
      type: 'button', class: 'icon-button small', 'aria-label': 'Close',
      onclick: () => this.actions.close(),
    };
    this.fill('ready',
      el('p', { role: 'status' }, el('strong', {}, title), open ? ' is soft now.' : ' is baked.'),
      el('div', { class: 'choices' },
        ...(open ? [] : [el('button', {
          type: 'button', class: 'button', onclick: () => this.actions.open(),
        }, 'Show it')]),
        ...files.map(downloadButton)),
      el('button', close, icon('close')));
  }

  private fill(kind: string, ...content: HTMLElement[]): void {
    this.element.dataset.kind = kind;
    this.element.replaceChildren(...content);
    this.element.hidden = false;
  }
}

export function downloadButton(file: File): HTMLButtonElement {
  const ending = file.name.replace(/^.*(?=\.)/, '');
  return el('button', {
    type: 'button', class: 'text-button', title: `Download ${file.name}`,
    onclick: () => download(file, file.name),
  }, icon('download'), ending);
}

export function timeLeft(seconds: number): string {
  if (seconds < 1) return 'almost done';
  const step = seconds > 20 ? 5 : 1; // finer ones would flicker
  const whole = Math.ceil(seconds / step) * step;
  if (whole < 60) return `about ${whole} s left`;
  return `about ${Math.ceil(whole / 60)} min left`;
}
