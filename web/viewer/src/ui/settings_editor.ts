// SPDX-License-Identifier: Apache-2.0
import type { Edits } from '../data/edits';
import {
  type Field, type Form, isTable, kPartFields, refusal, type Value,
} from '../data/settings_table';
import { el } from '../dom';

const kNumbers = ['number', 'whole'];
const kScalars = ['switch', 'text', 'word', ...kNumbers];

function formOf(field: Field, value: Value): Form | undefined {
  const kinds: Record<string, string[]> = {
    boolean: ['switch'], number: kNumbers, string: ['text', 'word'],
  };
  return field.forms.find(({ kind }) => kinds[typeof value]?.includes(kind));
}

/// The settings of one part that a bake reads, made from the program's own list of them.
export class SettingsEditor {
  readonly element = el('details', { class: 'settings-editor' },
    el('summary', {}, 'All settings of the bake'));
  private readonly rows = el('div', { class: 'rows' });
  private edits: Edits | null = null;
  private name = '';
  private generation = 0;

  constructor(private readonly changed: () => void) {
    this.element.append(
      el('p', { class: 'quiet' }, 'They take effect when the character is baked again.'),
      this.rows);
  }

  /// `name`: of the part; hidden where its settings are not known.
  show(edits: Edits | null, name: string): void {
    const kind = edits?.kind(name) ?? null;
    this.element.hidden = kind === null;
    const generation = edits?.generation ?? 0;
    if (this.edits === edits && this.name === name && this.generation === generation) return;
    this.edits = edits;
    this.name = name;
    this.generation = generation;
    this.rows.replaceChildren(...(kind ? kPartFields[kind].flatMap((field) =>
      this.rowsOf(field, field.key)) : []));
  }

  /// A row, or those of the table that the value is. Lists are left to the file.
  private rowsOf(field: Field, path: string): HTMLElement[] {
    const value = this.edits?.get(this.name, path);
    if (value === undefined || field.key === 'name') return [];
    if (isTable(value)) {
      return Object.keys(value).flatMap((key) => {
        const inner = field.forms.flatMap(({ fields }) => fields ?? [])
          .find((one) => one.key === key);
        return inner ? this.rowsOf(inner, `${path}.${key}`) : [];
      });
    }
    const form = formOf(field, value);
    return form && kScalars.includes(form.kind) ? [this.row(field, form, path)] : [];
  }

  private row(field: Field, form: Form, path: string): HTMLElement {
    const id = `setting-${path.replaceAll('.', '-')}`;
    const input = this.input(field, form, path, id);
    const row = el('div', { class: 'setting' },
      el('label', { for: id, title: field.description }, path), input,
      el('span', { class: 'unit' }, field.unit ?? ''));
    row.classList.toggle('changed', this.edits?.changed(this.name, path) ?? false);
    return row;
  }

  private input(field: Field, form: Form, path: string, id: string): HTMLElement {
    const value = this.edits?.get(this.name, path) as Value;
    const common = { id, title: field.description };
    if (form.kind === 'switch') {
      const box = el('input', {
        ...common, type: 'checkbox', checked: value === true,
        onchange: () => this.set(box, path, box.checked),
      });
      return box;
    }
    if (form.kind === 'word') {
      const list = el('select', {
        ...common, onchange: () => this.set(list, path, list.value),
      }, ...(form.words ?? []).map((word) => el('option', { value: word }, String(word))));
      list.value = String(value);
      return list;
    }
    const number = kNumbers.includes(form.kind);
    const text = el('input', {
      ...common, type: number ? 'number' : 'text', step: form.kind === 'whole' ? 1 : 'any',
      value: String(value),
      onchange: () => {
        if (text.value === '') return this.reset(text, path);
        text.setCustomValidity(number ? refusal(form, Number(text.value)) : '');
        if (text.reportValidity()) this.set(text, path, number ? Number(text.value) : text.value);
      },
    });
    return text;
  }

  private set(input: HTMLElement, path: string, value: Value): void {
    this.edits?.set(this.name, path, value);
    this.mark(input, path);
  }

  /// An emptied field has the file's value again.
  private reset(input: HTMLInputElement, path: string): void {
    this.edits?.reset(this.name, path);
    input.value = String(this.edits?.inFile(this.name, path) ?? '');
    input.setCustomValidity('');
    this.mark(input, path);
  }

  private mark(input: HTMLElement, path: string): void {
    input.closest('.setting')?.classList.toggle('changed',
      this.edits?.changed(this.name, path) ?? false);
    this.changed();
  }
}
