// SPDX-License-Identifier: Apache-2.0
import { isTable, type Value, type Values } from './settings_table';

/// The command that baked a file, whose .toml has settings of its own.
export type Command = 'bake' | 'shell';

/// What a .supple keeps of its bake: see section SETT in docs/format.md.
export interface Baked {
  command: Command;
  values: Values;
}

const kHeader = 64;
const kRow = 32;
const kSettings = 0x54544553; // SETT

/// Null for files that keep none, as earlier versions wrote them, and for scenes. Damage is the
/// player's to report.
export function readBaked(bytes: ArrayBuffer): Baked | null {
  return parseBaked(readKept(bytes));
}

/// Whether it keeps a scene, which has no settings to edit here.
export function keepsScene(bytes: ArrayBuffer): boolean {
  const kept = readKept(bytes);
  return isTable(kept) && isTable(kept.scene);
}

function readKept(bytes: ArrayBuffer): Value | undefined {
  const view = new DataView(bytes);
  const count = bytes.byteLength < kHeader ? 0 : view.getUint32(12, true);
  for (let row = kHeader; row + kRow <= Math.min(kHeader + count * kRow, bytes.byteLength);
    row += kRow) {
    if (view.getUint32(row, true) !== kSettings) continue;
    const offset = Number(view.getBigUint64(row + 8, true));
    const size = Number(view.getBigUint64(row + 16, true));
    if (offset + size > bytes.byteLength) return undefined;
    return parseKept(new TextDecoder().decode(new Uint8Array(bytes, offset, size)));
  }
  return undefined;
}

function parseKept(text: string): Value | undefined {
  try {
    return JSON.parse(text) as Value;
  } catch {
    return undefined;
  }
}

function parseBaked(kept: Value | undefined): Baked | null {
  for (const command of ['bake', 'shell'] as const) {
    const values = isTable(kept) ? kept[command] : undefined;
    if (isTable(values)) return { command, values };
  }
  return null;
}
