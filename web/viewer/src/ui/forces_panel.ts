// SPDX-License-Identifier: Apache-2.0
import { el } from '../dom';
import type { Character } from '../scene/character';
import { type ForceKey, type ForceSettings, kForceKeys, kMedia } from '../scene/forces';
import type { Held } from '../scene/handles';
import { ComparisonPlots } from './comparison_plots';
import { PinnedList } from './pinned_list';
import { Slider, type SliderOptions } from './slider';

export interface ForcesActions {
  set(change: Partial<ForceSettings>): void;
  release(held: Held | null): void;
}

type Look = Omit<SliderOptions, 'onInput' | 'onReset'>;
const degrees = (value: number): string => `${value.toFixed(0)}°`;
const kMostGravity = 40;
const kLooks: Record<ForceKey, Look> = {
  gravity: {
    label: 'Gravity', hint: 'Metres per second squared; 9.81 on Earth',
    min: 0, max: kMostGravity, step: 0.01, format: (value) => `${value.toFixed(2)} m/s²`,
  },
  tilt: {
    label: 'Tilt', hint: 'Of gravity, from straight down: 180° is up',
    min: 0, max: 180, step: 1, format: degrees,
  },
  heading: {
    label: 'Towards', hint: 'Direction of tilted gravity, about the vertical',
    min: 0, max: 360, step: 1, format: degrees,
  },
  wind: {
    label: 'Wind', hint: 'Metres per second', min: 0, max: 20, step: 0.1,
    format: (value) => (value > 0 ? `${value.toFixed(1)} m/s` : 'none'),
  },
  windHeading: {
    label: 'Blows towards', hint: 'About the vertical', min: 0, max: 360, step: 1, format: degrees,
  },
  gusts: {
    label: 'Gusts', hint: '0 %: steady; 100 %: between zero and twice the wind',
    min: 0, max: 1, step: 0.05,
    format: (value) => (value > 0 ? `${(value * 100).toFixed(0)} %` : 'none'),
  },
  medium: {
    label: 'Around', hint: 'Medium that brakes shells, even at rest; as baked: air only in wind',
    min: 0, max: kMedia.length - 1, step: 1, format: (value) => kMedia[value]?.name ?? '',
  },
};
const kOfWind: ForceKey[] = ['wind', 'windHeading', 'gusts', 'medium'];

/// Gravity, wind, held vertices, and the curves of a recorded comparison.
export class ForcesPanel {
  readonly element = el('section', { class: 'forces', 'aria-label': 'Forces' });
  readonly plots = new ComparisonPlots();
  private readonly sliders = new Map<ForceKey, Slider>();
  private readonly pinned: PinnedList;
  private readonly body: HTMLElement;
  private readonly none = el('p', { class: 'quiet' },
    'Forces act on flesh and shells; this character has neither.');
  private character: Character | null = null;

  constructor(private readonly actions: ForcesActions) {
    this.pinned = new PinnedList(actions.release);
    for (const key of kForceKeys) {
      this.sliders.set(key, new Slider({
        ...kLooks[key],
        onInput: (value) => this.set({ [key]: value }),
        onReset: () => this.set({ [key]: this.character?.forces?.first[key] ?? 0 }),
      }));
    }
    this.body = el('div', { class: 'stack' }, this.slider('gravity'), this.plots.element,
      ...kForceKeys.slice(1).map((key) => this.slider(key)), this.pinned.element);
    this.element.append(this.body, this.none);
  }

  private slider(key: ForceKey): HTMLElement {
    return this.sliders.get(key)?.element as HTMLElement;
  }

  show(character: Character | null): void {
    this.character = character;
    this.body.hidden = !character?.forces;
    this.none.hidden = !this.body.hidden;
    for (const key of kOfWind) this.slider(key).hidden = !character?.handles;
    const most = character?.comparison?.loads.at(-1) ?? kMostGravity;
    this.sliders.get('gravity')?.setMax(Math.max(most, 9.81));
    this.plots.show(character?.comparison ?? null);
    this.refresh();
  }

  refresh(): void {
    const { forces, handles } = this.character ?? {};
    this.pinned.show(handles ?? null);
    if (!forces) return;
    for (const [key, slider] of this.sliders) {
      slider.show([forces.now[key]], forces.now[key] !== forces.first[key]);
    }
    this.plots.draw(forces.now.gravity, this.character?.recorded !== false);
  }

  private set(change: Partial<ForceSettings>): void {
    this.actions.set(change);
    this.refresh();
  }
}
