// SPDX-License-Identifier: Apache-2.0
import { el, icon } from '../dom';
import type { Character } from '../scene/character';
import { kTunableKeys, type TunableKey } from '../scene/flesh';
import { SettingsEditor } from './settings_editor';
import { Slider, type SliderOptions } from './slider';

export interface FleshPanelActions {
  select(object: number): void;
  settingsChanged(): void;
  download(): void;
  save(): void;
}

const kFactor = {
  min: -1, max: 1, step: 0.01,
  toValue: (place: number): number => Number((10 ** place).toPrecision(3)),
  toPlace: (value: number): number => Math.log10(Math.max(value, 1e-3)),
};
type Look = Omit<SliderOptions, 'onInput' | 'onReset'>;
const kLooks: Record<TunableKey, Look> = {
  stiffness: {
    ...kFactor, label: 'Stiffness',
    hint: 'Multiple of the baked stiffness; 4 doubles the frequencies',
    format: (value) => `× ${value.toFixed(2)}`,
  },
  damping: {
    ...kFactor, label: 'Damping', hint: 'Multiple of the baked damping; more settles sooner',
    format: (value) => `× ${value.toFixed(2)}`,
  },
  gain: {
    label: 'Gain', hint: 'Scale of the displayed motion; 1 is physically correct',
    min: 0, max: 4, step: 0.05, format: (value) => `× ${value.toFixed(2)}`,
  },
  limitMetres: {
    label: 'Limit', hint: 'Approximate limit on a vertex’s movement; left end: no limit',
    min: 0, max: 200, step: 1,
    toValue: (place) => place / 1000, toPlace: (value) => Math.round(value * 1000),
    format: (value) => (value > 0 ? `${(value * 1000).toFixed(0)} mm` : 'none'),
  },
  modes: {
    label: 'Modes', hint: 'Number of active modes; fewer cost less',
    min: 1, max: 5, step: 1, format: (value) => String(value),
  },
};

/// Sliders for one piece of flesh, or for all of them.
export class FleshPanel {
  readonly element = el('section', { class: 'flesh', 'aria-label': 'Flesh' });
  private readonly choice: HTMLSelectElement;
  private readonly sliders = new Map<TunableKey, Slider>();
  private readonly resetAll: HTMLButtonElement;
  private readonly exportButton: HTMLButtonElement;
  private readonly saveButton: HTMLButtonElement;
  private readonly body: HTMLElement;
  private readonly none: HTMLElement;
  private readonly editor = new SettingsEditor(() => this.refresh());
  private character: Character | null = null;
  private object = -1;

  constructor(private readonly actions: FleshPanelActions) {
    this.choice = el('select', {
      id: 'part', onchange: () => actions.select(Number(this.choice.value)),
    });
    for (const key of kTunableKeys) {
      this.sliders.set(key, new Slider({
        ...kLooks[key],
        onInput: (value) => this.change(key, value),
        onReset: () => this.reset(key),
      }));
    }
    const text = { type: 'button', class: 'text-button' };
    this.resetAll = el('button', { ...text, onclick: () => this.resetEverything() },
      icon('reset'), 'Reset all');
    this.exportButton = el('button', { ...text, onclick: actions.download });
    this.saveButton = el('button', {
      ...text, title: 'Write them beside the character', onclick: actions.save,
    }, icon('save'), 'Save');
    this.body = el('div', { class: 'stack' },
      el('div', { class: 'field' }, el('label', { for: 'part' }, 'Part'), this.choice),
      ...[...this.sliders.values()].map((slider) => slider.element),
      el('div', { class: 'buttons' }, this.resetAll, this.exportButton, this.saveButton),
      this.editor.element);
    this.none = el('p', { class: 'quiet' });
    this.element.append(this.body, this.none);
  }

  show(character: Character | null, canSave: boolean, canBake: boolean): void {
    this.character = character;
    const objects = character?.flesh?.asset.objects ?? [];
    this.body.hidden = objects.length === 0;
    this.none.hidden = !this.body.hidden;
    this.none.textContent = character
      ? 'No flesh: clips and morph targets play. Drop the character’s .supple file here, or make '
        + `one ${canBake ? 'with the button below the character' : 'with “supple bake”'}.`
      : 'Nothing is open yet.';
    const file = `${character?.sources.baked?.command ?? 'bake'}.toml`;
    this.exportButton.replaceChildren(icon('download'), file);
    this.exportButton.title = `Download a ${file} with these settings (E)`;
    this.saveButton.hidden = !canSave;
    this.choice.replaceChildren(
      ...(objects.length > 1 ? [el('option', { value: -1 }, 'All parts')] : []),
      ...objects.map(({ name }, index) => el('option', { value: index }, name)),
    );
    const limits = objects.map(({ limitMetres }) => limitMetres * 1000);
    this.sliders.get('limitMetres')?.setMax(roundUp(3 * Math.max(...limits, 20)));
    this.select(objects.length > 1 ? -1 : 0);
  }

  select(object: number): void {
    this.object = object;
    this.choice.value = String(object);
    this.refresh();
  }

  refresh(): void {
    const { character } = this;
    const settings = character?.settings;
    const objects = character?.flesh?.asset.objects ?? [];
    if (!settings || objects.length === 0) return;
    const chosen = objects.map((_, index) => index)
      .filter((index) => this.object < 0 || index === this.object);
    const first = chosen[0] ?? 0;
    const most = Math.max(...chosen.map((index) => objects[index]?.modeCount ?? 1));
    this.sliders.get('modes')?.setMax(most);
    for (const [key, slider] of this.sliders) {
      const changed = chosen.some((index) =>
        settings.get(index)[key] !== settings.file(index)[key]);
      slider.show(chosen.map((index) => settings.get(index)[key]), changed);
    }
    const edits = character?.sources.edits ?? null;
    this.resetAll.disabled = !settings.changed(-1) && !edits?.any;
    this.editor.show(edits, chosen.length === 1 ? objects[first]?.name ?? '' : '');
  }

  private change(key: TunableKey, value: number): void {
    this.character?.settings?.set(this.object, { [key]: value });
    this.refresh();
    this.actions.settingsChanged();
  }

  private reset(key: TunableKey): void {
    const settings = this.character?.settings;
    const objects = this.character?.flesh?.asset.objects ?? [];
    objects.forEach((_, index) => {
      if (this.object >= 0 && index !== this.object) return;
      settings?.set(index, { [key]: settings.file(index)[key] });
    });
    this.refresh();
    this.actions.settingsChanged();
  }

  private resetEverything(): void {
    this.character?.settings?.reset(-1);
    this.character?.sources.edits.clear();
    this.refresh();
    this.actions.settingsChanged();
  }
}

/// To one leading digit, upwards.
function roundUp(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  return Math.ceil(value / unit) * unit;
}
