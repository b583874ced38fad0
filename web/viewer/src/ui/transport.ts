// SPDX-License-Identifier: Apache-2.0
import { el, iconButton, setIcon } from '../dom';
import type { Character } from '../scene/character';

export interface TransportActions {
  togglePlay(): void;
  choose(clip: string | null): void;
  scrub(seconds: number): void;
  speed(factor: number): void;
}

const kSpeeds = [0.1, 0.25, 0.5, 1, 1.5, 2];
const kNoClip = '—';

/// Clips: selection, playing, position, speed.
export class Transport {
  readonly element: HTMLElement;
  private readonly play: HTMLButtonElement;
  private readonly clips: HTMLSelectElement;
  private readonly speed: HTMLSelectElement;
  private readonly place: HTMLInputElement;
  private readonly clock = el('span', { class: 'clock' });
  private character: Character | null = null;
  private shownTime = -1;

  constructor(actions: TransportActions) {
    this.play = iconButton('play', 'Play', 'K', actions.togglePlay);
    this.clips = el('select', {
      'aria-label': 'Clip',
      onchange: () => actions.choose(this.clips.value === kNoClip ? null : this.clips.value),
    });
    this.place = el('input', {
      type: 'range', 'aria-label': 'Time in the clip', min: 0, max: 1, step: 0.001,
      oninput: () => actions.scrub(Number(this.place.value)),
    });
    this.speed = el('select', {
      'aria-label': 'Speed', onchange: () => actions.speed(Number(this.speed.value)),
    }, ...kSpeeds.map((factor) => el('option', { value: factor }, `${factor} ×`)));
    this.speed.value = '1';
    this.element = el('footer', { class: 'transport card', 'aria-label': 'Clips', role: 'group' },
      this.play, this.clips, this.place, this.clock, this.speed);
  }

  show(character: Character | null): void {
    this.character = character;
    this.element.hidden = !character || character.clips.length === 0;
    this.clips.replaceChildren(
      el('option', { value: kNoClip }, 'Rest pose'),
      ...(character?.clips ?? []).map(({ name }) => el('option', { value: name }, name)),
    );
    this.refresh();
  }

  refresh(): void {
    const { character } = this;
    if (!character) return;
    const { clip, playing } = character;
    setIcon(this.play, playing && clip ? 'pause' : 'play');
    this.play.setAttribute('aria-label', playing && clip ? 'Pause' : 'Play');
    this.clips.value = clip?.name ?? kNoClip;
    this.speed.value = String(character.speed);
    this.place.max = String(clip?.duration ?? 1);
    this.place.disabled = !clip;
    this.shownTime = -1;
    this.tick();
  }

  /// Called every frame, but writes only changes.
  tick(): void {
    const time = this.character?.clipTime ?? 0;
    if (Math.abs(time - this.shownTime) < 0.01) return;
    this.shownTime = time;
    this.place.value = String(time);
    const length = this.character?.clip?.duration ?? 0;
    const share = length > 0 ? (time / length) * 100 : 0;
    this.place.style.setProperty('--share', `${share}%`);
    this.clock.textContent = `${time.toFixed(2)} s`;
  }
}
