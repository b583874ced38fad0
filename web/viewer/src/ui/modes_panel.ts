// SPDX-License-Identifier: Apache-2.0
import { el } from '../dom';
import { type Character, kShownHz } from '../scene/character';

/// All modes with their numbers; a click shows one in slow motion.
export class ModesPanel {
  readonly element = el('section', { class: 'modes', 'aria-label': 'Modes' });
  private readonly rows: HTMLButtonElement[] = [];
  private readonly note = el('p', { class: 'quiet', 'aria-live': 'polite' });
  private character: Character | null = null;

  constructor(private readonly choose: (mode: number) => void) {}

  show(character: Character | null): void {
    this.character = character;
    this.rows.length = 0;
    this.element.replaceChildren();
    const asset = character?.flesh?.asset;
    if (!asset) {
      this.note.textContent = 'This character has no flesh, so it has no modes.';
      this.element.append(this.note);
      return;
    }
    const head = el('div', { class: 'mode-row head', 'aria-hidden': 'true' },
      el('span', {}, 'mode'), el('span', {}, 'Hz'), el('span', {}, 'damping'),
      el('span', {}, 'share'));
    this.element.append(this.note, head);
    asset.objects.forEach((object) => {
      const list = el('div', { role: 'group', 'aria-label': object.name, class: 'mode-list' },
        el('h3', {}, object.name));
      for (let k = 0; k < object.modeCount; ++k) list.append(this.row(object.firstMode + k, k));
      this.element.append(list);
    });
    this.refresh();
  }

  private row(mode: number, place: number): HTMLButtonElement {
    const row = el('button', {
      type: 'button', class: 'mode-row', 'aria-pressed': 'false',
      onclick: () => this.choose(this.character?.shownMode === mode ? -1 : mode),
    }, el('span', {}, String(place + 1)), el('span', {}), el('span', {}), el('span', {}));
    this.rows[mode] = row;
    return row;
  }

  /// Numbers follow the sliders.
  refresh(): void {
    const { character } = this;
    const asset = character?.flesh?.asset;
    if (!character?.settings || !asset) return;
    asset.objects.forEach((object, index) => {
      const { stiffness, damping, modes } = character.settings?.get(index) ?? {
        stiffness: 1, damping: 1, modes: 1,
      };
      for (let k = 0; k < object.modeCount; ++k) {
        const row = this.rows[object.firstMode + k];
        const info = asset.modes[object.firstMode + k];
        if (!row || !info) continue;
        const cells = row.querySelectorAll('span');
        const hz = info.frequencyHz * Math.sqrt(stiffness);
        const ratio = info.damping * damping;
        (cells[1] as HTMLElement).textContent = hz.toFixed(2);
        (cells[2] as HTMLElement).textContent = ratio.toFixed(3);
        (cells[3] as HTMLElement).textContent = `${(info.share * 100).toFixed(1)} %`;
        row.classList.toggle('off', k >= modes);
        const pressed = character.shownMode === object.firstMode + k;
        row.setAttribute('aria-pressed', String(pressed));
        row.setAttribute('aria-label', `${object.name} mode ${k + 1}: ${hz.toFixed(2)} hertz, `
          + `damping ${ratio.toFixed(3)}, share ${(info.share * 100).toFixed(1)} percent`);
      }
    });
    this.note.textContent = this.sentence();
  }

  private sentence(): string {
    const { character } = this;
    const shown = character?.shownMode ?? -1;
    const info = character?.flesh?.asset.modes[shown];
    if (!info) return 'Choose a mode to see its shape in slow motion.';
    const slower = info.frequencyHz / kShownHz;
    return `Shown ${slower.toFixed(0)} times slower than real time. Choose it again to continue.`;
  }
}
