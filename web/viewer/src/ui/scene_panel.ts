// SPDX-License-Identifier: Apache-2.0
import { el, icon } from '../dom';
import { colourOf } from '../palette/colours';
import type { ScenePlay } from '../palette/play';
import { PortraitPlot } from '../palette/portrait';

export interface ScenePanelActions {
  reset(): void;
  saveLog(): void;
}

const kTextEvery = 120; // milliseconds: numbers that change faster cannot be read

/// Where the scene is in its portrait, how far from the samples, and the worst blends so far.
export class ScenePanel {
  readonly element = el('section', { class: 'scene-panel', 'aria-label': 'Scene' });
  readonly portrait = new PortraitPlot();
  private readonly values: Record<string, HTMLElement> = {};
  private readonly part = el('select', { 'aria-label': 'Portrait', hidden: true });
  private readonly legend = el('ul', { class: 'entries', 'aria-hidden': 'true' });
  private readonly save: HTMLButtonElement;
  private play: ScenePlay | null = null;
  private textTime = 0;

  /// `beside`: a part of the panel.
  constructor(actions: ScenePanelActions, beside: HTMLElement) {
    const value = (key: string, label: string, title: string): HTMLElement[] => [
      el('dt', { title }, label), this.values[key] = el('dd', {}, '–'),
    ];
    const text = { type: 'button', class: 'text-button' };
    this.save = el('button', {
      ...text, title: 'The worst blends, for “supple scene refine”', onclick: actions.saveLog,
    }, icon('download'), 'Save log');
    this.part.addEventListener('change', () => {
      this.play?.showPart(this.part.selectedIndex);
      this.portrait.show(this.play);
      this.tick(Infinity);
    });
    this.element.append(
      this.part,
      el('figure', { class: 'portrait' }, this.portrait.plot.element, this.legend),
      el('dl', {},
        ...value('replays', 'Response', 'The response that is replayed, and its frame'),
        ...value('off', 'Off the samples', 'Distance in phase space, relative to the portrait'),
        ...value('worst', 'Worst blend', 'The largest such distance just after a transition')),
      el('div', { class: 'buttons' },
        el('button', { ...text, onclick: actions.reset }, icon('reset'), 'Start again'),
        this.save),
      beside);
  }

  show(play: ScenePlay | null): void {
    this.play = play;
    this.portrait.show(play);
    this.part.hidden = (play?.parts.length ?? 0) < 2;
    this.part.replaceChildren(...(play?.parts ?? []).map(({ name }) => el('option', {}, name)));
    this.legend.replaceChildren(...(play?.entries ?? []).map(({ name }, entry) => {
      const item = el('li', {}, name);
      item.style.setProperty('--entry', colourOf(entry));
      return item;
    }));
    this.tick(Infinity);
  }

  /// Every frame; an infinite time means the last one.
  tick(now: number): void {
    const { play } = this;
    if (!play) return;
    this.portrait.draw(play);
    if (now - this.textTime < kTextEvery) return;
    this.textTime = Number.isFinite(now) ? now : 0;
    this.write('replays', this.place(play));
    this.write('off', percent(play.state.off));
    const worst = play.log.worst[0];
    this.write('worst', worst ? `${percent(worst.off)}, ${worst.entry}` : 'none yet');
    this.save.disabled = !worst;
  }

  private place({ state, portrait }: ScenePlay): string {
    if (state.response === null) return 'none, at rest';
    if (state.atRest) return `${state.response + 1}, at rest`;
    const last = (portrait.responses[state.response]?.stateCount ?? 1) - 1;
    return `${state.response + 1}, frame ${Math.min(Math.floor(state.frame), last)} of ${last}`;
  }

  private write(key: string, text: string): void {
    const value = this.values[key];
    if (value && value.textContent !== text) value.textContent = text;
  }
}

const percent = (share: number): string => `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)} %`;
