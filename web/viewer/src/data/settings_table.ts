// SPDX-License-Identifier: Apache-2.0
import json from './settings_table.json';

export type Value = boolean | number | string | Value[] | Values;
/// A table of settings, by key.
export interface Values {
  [key: string]: Value;
}

/// One way to write a value. A number may equal `from` and `to`, not `above` and `below`.
export interface Form {
  kind: 'switch' | 'whole' | 'number' | 'text' | 'texts' | 'vector' | 'word' | 'table' | 'tables';
  from?: number;
  above?: number;
  to?: number;
  below?: number;
  words?: (string | number)[];
  means?: Record<string, Values>; // what words stand for, as tables
  fields?: Field[];
}

export interface Field {
  key: string;
  description: string;
  unit?: string;
  default?: Value;
  usually?: string; // the default in words
  required?: boolean;
  section?: boolean;
  forms: Form[];
}

/// The fields of a bake.toml. scripts/settings_tables.sh writes them from the program's own.
const kFields = json as unknown as Field[];

export function isTable(value: Value | undefined): value is Values {
  return typeof value === 'object' && !Array.isArray(value);
}

function childrenOf(fields: Field[], key: string): Field[] {
  return fields.find((field) => field.key === key)?.forms.flatMap((form) => form.fields ?? [])
    ?? [];
}

/// Soft parts by the tables that describe them: flesh by an [[object]], thin parts by a [[shell]].
export const kParts = ['object', 'shell'] as const;
export type Part = (typeof kParts)[number];

export const kPartFields: Record<Part, Field[]> = {
  object: childrenOf(kFields, 'object'), shell: childrenOf(kFields, 'shell'),
};

/// A field of a part: 'sag', or of a table in it: 'damping.ratio'.
function partField(part: Part, path: string): Field {
  let fields = kPartFields[part];
  let found: Field | undefined;
  for (const key of path.split('.')) {
    found = fields.find((field) => field.key === key);
    fields = childrenOf(fields, key);
  }
  if (!found) throw new Error(`settings_table.json has no ${path} of a ${part}`);
  return found;
}

/// The largest number that a field takes.
export function mostOf(part: Part, path: string): number {
  return Math.min(...partField(part, path).forms.map(({ to, below }) => to ?? below ?? Infinity));
}

/// What a preset of materials stands for.
export function preset(part: Part, name: string): Values {
  const means = partField(part, 'material').forms.find((form) => form.means)?.means ?? {};
  const found = means[name];
  if (!found) throw new Error(`there is no material “${name}”`);
  return found;
}

/// Why a form does not take a value; empty if it does.
export function refusal(form: Form, value: number): string {
  const { from = -Infinity, above = -Infinity, to = Infinity, below = Infinity } = form;
  if (!Number.isFinite(value)) return 'not a number';
  if (form.kind === 'whole' && !Number.isInteger(value)) return 'must be a whole number';
  if (value < from) return `must be at least ${from}`;
  if (value <= above) return `must be above ${above}`;
  if (value > to) return `must be at most ${to}`;
  return value >= below ? `must be below ${below}` : '';
}
