// SPDX-License-Identifier: Apache-2.0
import { partsOf } from './settings';
import { isTable, kParts, type Part, type Value, type Values } from './settings_table';

/// Values of a bake's parts that were set by key, such as 'elements' or 'damping.ratio'. They
/// wait for the next bake: the player cannot show them.
export class Edits {
  generation = 0; // counts how often all were dropped
  private readonly changes = new Map<string, Map<string, Value>>(); // part, path

  /// `values`: the settings to edit; null if they are not known.
  constructor(readonly values: Values | null) {}

  get any(): boolean {
    return [...this.changes.values()].some((paths) => paths.size > 0);
  }

  /// The kind of a part; null if the settings do not list it.
  kind(name: string): Part | null {
    return kParts.find((part) => this.find(part, name)) ?? null;
  }

  private find(part: Part, name: string): Values | undefined {
    return partsOf(this.values, part).find((table) => table.name === name);
  }

  get(name: string, path: string): Value | undefined {
    return this.changes.get(name)?.get(path) ?? this.inFile(name, path);
  }

  inFile(name: string, path: string): Value | undefined {
    const part = this.kind(name);
    let value: Value | undefined = part ? this.find(part, name) : undefined;
    for (const key of path.split('.')) value = isTable(value) ? value[key] : undefined;
    return value;
  }

  changed(name: string, path: string): boolean {
    return this.changes.get(name)?.has(path) ?? false;
  }

  set(name: string, path: string, value: Value): void {
    const paths = this.changes.get(name) ?? new Map<string, Value>();
    if (value === this.inFile(name, path)) paths.delete(path);
    else paths.set(path, value);
    this.changes.set(name, paths);
  }

  reset(name: string, path: string): void {
    this.changes.get(name)?.delete(path);
  }

  clear(): void {
    this.changes.clear();
    ++this.generation;
  }

  /// The values with the changes in them.
  applied(values: Values): Values {
    const now: Values = { ...values };
    for (const part of kParts) {
      if (values[part]) now[part] = partsOf(values, part).map((table) => this.appliedTo(table));
    }
    return now;
  }

  private appliedTo(part: Values): Values {
    const now: Values = { ...part };
    for (const [path, value] of this.changes.get(String(part.name)) ?? []) {
      const [key = '', inner] = path.split('.');
      const table = now[key];
      now[key] = inner && isTable(table) ? { ...table, [inner]: value } : value;
    }
    return now;
  }
}
