// SPDX-License-Identifier: Apache-2.0
import type { SimulationStatus } from '../data/simulation';
import { el, icon } from '../dom';
import type { BesidePlay } from '../palette/beside_play';
import type { ScenePlay } from '../palette/play';
import { timeLeft } from './bake_card';

export interface BesideActions {
  begin(): void;
  close(): void;
  again(): void;
  show(frame: number): void;
}

const kTextEvery = 120; // milliseconds: numbers that change faster cannot be read
const kOffer = 'What was triggered, simulated again and shown beside its playback';
const kNoServer = 'Under “supple view” this is shown beside the true simulation.';

/// Starts the true simulation of what was triggered, and says how far play is from it.
export class BesideBox {
  readonly element = el('div', { class: 'beside', hidden: true });
  private readonly stage = el('p', { class: 'quiet', role: 'status' });
  private readonly bar = el('progress', { max: 1, 'aria-label': 'Progress of the simulation' });
  private readonly now = el('dd', {}, '–');
  private readonly all = el('dd', {}, '–');
  private readonly figures: HTMLElement;
  private readonly time: HTMLInputElement;
  private beside: BesidePlay | null = null;
  private textTime = 0;

  constructor(private readonly actions: BesideActions) {
    this.figures = el('dl', {},
      el('dt', { title: 'Root mean square over the vertices of this frame' }, 'Apart now'), this.now,
      el('dt', { title: 'Root mean square over vertices and frames, and of the true motion' },
        'In all'), this.all);
    this.time = el('input', {
      type: 'range', min: 0, max: 1, step: 1, value: 0, 'aria-label': 'Frame',
      oninput: () => actions.show(Number(this.time.value)),
    });
  }

  /// `server`: the page has one that simulates.
  offer(play: ScenePlay | null, server: boolean): void {
    this.beside = null;
    this.element.hidden = !play;
    if (server) this.element.replaceChildren(this.button('Side by side', 'compare', 'begin', kOffer));
    else this.element.replaceChildren(el('p', { class: 'quiet' }, kNoServer));
  }

  begin(beside: BesidePlay): void {
    this.beside = beside;
    this.stage.textContent = 'Sending the scene';
    this.bar.value = 0;
    this.element.replaceChildren(this.stage, this.bar, this.figures,
      el('div', { class: 'buttons' }, this.button('Cancel', 'close', 'close')));
    this.write();
  }

  show({ stage, done, secondsLeft }: SimulationStatus): void {
    const text = stage.charAt(0).toUpperCase() + stage.slice(1);
    this.stage.textContent = secondsLeft === null ? text : `${text}, ${timeLeft(secondsLeft)}`;
    this.bar.value = done;
  }

  done(): void {
    const { beside } = this;
    if (!beside) return;
    this.time.max = String(beside.known);
    this.element.replaceChildren(this.figures, this.time,
      el('div', { class: 'buttons' }, this.button('Again', 'play', 'again'),
        this.button('Close', 'close', 'close', 'Back to the palette')));
    this.write();
  }

  /// Every frame; an infinite time means the last one.
  tick(now: number): void {
    if (!this.beside || now - this.textTime < kTextEvery) return;
    this.textTime = Number.isFinite(now) ? now : 0;
    this.write();
  }

  private write(): void {
    const { beside } = this;
    if (!beside || beside.known < 0) {
      this.now.textContent = this.all.textContent = '–';
      return;
    }
    this.now.textContent = millimetres(beside.rms[beside.frame] ?? 0);
    this.all.textContent =
      `${millimetres(beside.rmsAll)}, ${(100 * beside.relative).toPrecision(3)} %`;
    this.time.value = String(beside.frame);
    const share = beside.known > 0 ? beside.frame / beside.known : 0;
    this.time.style.setProperty('--share', `${100 * share}%`);
    const seconds = (beside.frame * beside.frameSeconds).toFixed(2);
    this.time.setAttribute('aria-valuetext', `${seconds} s`);
  }

  private button(
    label: string,
    name: Parameters<typeof icon>[0],
    action: 'begin' | 'close' | 'again',
    title = '',
  ): HTMLButtonElement {
    return el('button', {
      type: 'button', class: 'text-button', title: title || false, onclick: () => this.actions[action](),
    }, icon(name), label);
  }
}

const millimetres = (metres: number): string => `${Number((1000 * metres).toPrecision(3))} mm`;
