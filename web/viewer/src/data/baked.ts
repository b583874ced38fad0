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

/// Null for files that keep none, as earlier versions wrote them. Damage is the player's to report.
export function readBaked(bytes: ArrayBuffer): Baked | null {
  const view = new DataView(bytes);
  const count = bytes.byteLength < kHeader ? 0 : view.getUint32(12, true);
  for (let row = kHeader; row + kRow <= Math.min(kHeader + count * kRow, bytes.byteLength);
    row += kRow) {
    if (view.getUint32(row, true) !== kSettings) continue;
    const offset = Number(view.getBigUint64(row + 8, true));
    const size = Number(view.getBigUint64(row + 16, true));
    if (offset + size > bytes.byteLength) return null;
    return parseBaked(new TextDecoder().decode(new Uint8Array(bytes, offset, size)));
  }
  return null;
}

function parseBaked(text: string): Baked | null {
  let kept: Value;
  try {
    kept = JSON.parse(text) as Value;
  } catch {
    return null;
  }
  for (const command of ['bake', 'shell'] as const) {
    const values = isTable(kept) ? kept[command] : undefined;
    if (isTable(values)) return { command, values };
  }
  return null;
}
