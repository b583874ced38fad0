// SPDX-License-Identifier: Apache-2.0
import { isTable, type Value, type Values } from './settings_table';

/// Values of a bake's objects that were set by key, such as 'elements' or 'damping.ratio'. They
/// wait for the next bake: the player cannot show them.
export class Edits {
  generation = 0; // counts how often all were dropped
  private readonly changes = new Map<string, Map<string, Value>>(); // object, path

  constructor(private readonly values: Values | null) {}

  get any(): boolean {
    return [...this.changes.values()].some((paths) => paths.size > 0);
  }

  /// What the file says of an object; null if it does not know it.
  object(name: string): Values | null {
    const objects = this.values?.object;
    const found = Array.isArray(objects)
      && objects.find((one) => isTable(one) && one.name === name);
    return found && isTable(found) ? found : null;
  }

  get(name: string, path: string): Value | undefined {
    return this.changes.get(name)?.get(path) ?? this.inFile(name, path);
  }

  inFile(name: string, path: string): Value | undefined {
    let value: Value | undefined = this.object(name) ?? undefined;
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
    const objects = Array.isArray(values.object) ? values.object : [];
    return {
      ...values,
      object: objects.map((object) => (isTable(object) ? this.appliedTo(object) : object)),
    };
  }

  private appliedTo(object: Values): Values {
    const now: Values = { ...object };
    for (const [path, value] of this.changes.get(String(object.name)) ?? []) {
      const [key = '', inner] = path.split('.');
      const table = now[key];
      now[key] = inner && isTable(table) ? { ...table, [inner]: value } : value;
    }
    return now;
  }
}
