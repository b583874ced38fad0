// SPDX-License-Identifier: Apache-2.0
import { Mesh } from 'three';

import type { Sources } from '../data/sources';
import { el } from '../dom';
import type { Character } from '../scene/character';
import { downloadButton } from './bake_card';

function bytes(count: number): string {
  if (count < 1e6) return `${(count / 1e3).toFixed(1)} kB`;
  return `${(count / 1e6).toFixed(2)} MB`;
}

/// The open file: numbers and names, as in `supple info`.
export class FilePanel {
  readonly element = el('section', { class: 'file', 'aria-label': 'File' });
  private readonly choice: HTMLSelectElement;
  private character: Character | null = null;

  constructor(setCopies: (count: number) => void) {
    this.choice = el('select', {
      id: 'copies', onchange: () => setCopies(Number(this.choice.value)),
    });
  }

  show(character: Character | null): void {
    this.character = character;
    this.element.replaceChildren();
    if (!character) return;
    const { sources, flesh } = character;
    if (sources.item?.about) this.element.append(el('p', {}, sources.item.about));
    const rows: [string, string][] = [
      ['character', `${sources.character.name}, ${bytes(sources.character.bytes.byteLength)}`],
      ...counted(character),
    ];
    if (flesh && sources.flesh) {
      const { info, objects } = flesh.asset;
      rows.push(
        ['flesh', `${sources.flesh.name}, ${bytes(sources.flesh.bytes.byteLength)}`],
        ['parts', objects.map(({ name }) => name).join(', ')],
        ['modes', String(info.modeCount)],
        ['mass', `${objects.reduce((sum, { massKg }) => sum + massKg, 0).toPrecision(3)} kg`],
        ['shapes', `${info.encodingBits} bit`],
        ['made by', info.generator],
      );
    } else {
      rows.push(['flesh', 'none']);
    }
    this.element.append(el('dl', {}, ...rows.flatMap(([name, value]) =>
      [el('dt', {}, name), el('dd', {}, value)])));
    if (sources.made) {
      this.element.append(el('div', { class: 'buttons' }, ...sources.made.map(downloadButton)));
    }
    if (flesh) this.element.append(this.copies());
    const settings = sources.item?.settings;
    if (settings) {
      this.element.append(el('p', {}, el('a', { href: settings, target: '_blank' },
        'Settings (.toml)')));
    } else if (sources.settings) {
      this.element.append(el('p', { class: 'quiet' }, `Settings: ${sources.settings.name}`));
    }
    if (waits(sources)) {
      this.element.append(el('p', { class: 'quiet' },
        'These settings differ from those of the flesh: bake again to see them.'));
    }
  }

  /// The plots show the cost of many copies.
  private copies(): HTMLElement {
    this.refresh();
    return el('div', { class: 'field' }, el('label', { for: 'copies' }, 'Characters'), this.choice);
  }

  /// The address can request any number of them.
  refresh(): void {
    const count = (this.character?.copyCount ?? 0) + 1;
    if (this.choice.value === String(count)) return;
    const counts = [...new Set([...kCounts, count])].sort((a, b) => a - b);
    this.choice.replaceChildren(...counts.map((one) => el('option', { value: one }, String(one))));
    this.choice.value = String(count);
  }
}

/// Whether settings beside the character have changed since its bake.
function waits({ settings, baked, edits }: Sources): boolean {
  return !!settings?.values && !!baked
    && JSON.stringify(edits.values) !== JSON.stringify(baked.values);
}

const kCounts = [1, 2, 5, 10, 20, 50];

function counted(character: Character): [string, string][] {
  let vertices = 0;
  let triangles = 0;
  character.gltf.scene.traverse((object) => {
    if (!(object instanceof Mesh)) return;
    const count = object.geometry.getAttribute('position')?.count ?? 0;
    vertices += count;
    triangles += (object.geometry.index?.count ?? count) / 3;
  });
  return [
    ['vertices', vertices.toLocaleString('en')],
    ['triangles', triangles.toLocaleString('en')],
    ['clips', character.clips.map(({ name }) => name).join(', ') || 'none'],
  ];
}
