// SPDX-License-Identifier: Apache-2.0
import type { Command } from './baked';
import {
  isTable, kParts, mostOf, type Part, preset, type Value, type Values,
} from './settings_table';

/// What was changed of one soft part by sliders; factors are times what was baked.
export interface Tuning {
  name: string;
  stiffness: number;
  damping: number;
  gain: number;
  limitMetres: number | null; // null: as it was
  modes: number | null;
  frequencies: number[]; // as baked, Hz
}

/// Settings beside a character: their text, and what they say if it could be read.
export interface Settings {
  name: string;
  text: string;
  values: Values | null;
  problem: string; // why not
}

const kLongestSettle = 1e-3; // a time is divided by at least this
const kModuli = [
  'E', 'youngs_modulus', 'area_stiffness', 'length_stiffness', 'bending_stiffness',
];

function short(value: number): number {
  return Number(value.toPrecision(6));
}

function stiffer(part: Part, material: Value, stiffness: number): Value {
  const table = isTable(material) ? material : preset(part, String(material));
  return Object.fromEntries(Object.entries(table).map(([key, value]) =>
    [key, kModuli.includes(key) ? short(Number(value) * stiffness) : value]));
}

/// Damping follows the player: ratios are scaled alone, so what is meant in seconds or as
/// Rayleigh's numbers follows the frequencies as well.
function damped(part: Part, damping: Values, { damping: factor, stiffness }: Tuning): Values {
  const faster = Math.sqrt(stiffness);
  const byMass = (value: number): number => value * factor * faster;
  const byStiffness = (value: number): number => (value * factor) / faster;
  const change: Record<string, (value: number) => number> = {
    ratio: (value) => Math.min(value * factor, mostOf(part, 'damping.ratio')),
    alpha: byMass,
    mass: byMass,
    beta: byStiffness,
    stiffness: byStiffness,
    settle: (value) => value / Math.max(factor * faster, kLongestSettle),
  };
  return Object.fromEntries(Object.entries(damping).map(([key, value]) =>
    [key, short(change[key]?.(Number(value)) ?? Number(value))]));
}

/// A free shell's first modes are its rigid motions on their tether; they are not counted.
function elasticModes(modes: number, { tether }: Values, { frequencies }: Tuning): number {
  const rigid = Number(tether ?? 0) > 0
    ? frequencies.filter((hz) => Math.abs(hz / Number(tether) - 1) < 1e-6).length : 0;
  return Math.max(1, modes - rigid);
}

/// `now` is what the file says of a part, `was` what it was baked with: sliders scale the latter.
function tunedPart(part: Part, now: Values, was: Values, tuning: Tuning): Values {
  const { stiffness, damping, limitMetres, modes } = tuning;
  const change: Values = {};
  if (stiffness !== 1) {
    if (was.material !== undefined) change.material = stiffer(part, was.material, stiffness);
    if (Array.isArray(was.layers)) {
      change.layers = was.layers.map((layer) => (isTable(layer)
        ? { ...layer, material: stiffer(part, layer.material ?? 'fat', stiffness) } : layer));
    }
    change.sag = short(Math.min(Number(was.sag ?? 0) / stiffness, mostOf(part, 'sag')));
    if (was.tether) change.tether = short(Number(was.tether) * Math.sqrt(stiffness));
  }
  if ((stiffness !== 1 || damping !== 1) && isTable(was.damping)) {
    change.damping = damped(part, was.damping, tuning);
  }
  if (limitMetres !== null) {
    // No limit at all is 0 in the player and for shells; for flesh 0 leaves the choice to the bake.
    change.limit = limitMetres > 0 || part === 'shell' ? short(limitMetres) : mostOf(part, 'limit');
  }
  if (modes !== null) {
    change.modes = elasticModes(modes, was, tuning);
    if (part === 'object') change.capture = 0;
  }
  const result = { ...now, ...change };
  if (change.layers !== undefined) delete result.material; // one excludes the other
  if (change.material !== undefined) delete result.layers;
  return result;
}

export function partsOf(values: Values | null, part: Part): Values[] {
  const list = values?.[part];
  return Array.isArray(list) ? list.filter(isTable) : [];
}

/// A bake has one gain, of what it writes into clips; shells alone have none.
function commonGain(tunings: Tuning[], command: Command): number | null {
  const first = command === 'bake' ? tunings[0]?.gain ?? 1 : 1;
  return tunings.every(({ gain }) => gain === first) ? first : null;
}

/// The settings to edit: those of the file beside the character, or those of its bake. A file that
/// lists no parts left their choice to the bake.
export function editable(
  file: Values | null,
  baked: Values | null,
  command: Command,
): Values | null {
  if (!file || !baked) return file ?? baked;
  const chosen: Part = command === 'shell' ? 'shell' : 'object';
  const list = baked[chosen];
  return partsOf(file, chosen).length === 0 && list ? { ...file, [chosen]: list } : file;
}

/// Settings with what was tuned in them. `baked` are those of the flesh on screen: a file beside it
/// may have changed since.
export function tuned(
  values: Values,
  baked: Values,
  tunings: Tuning[],
  command: Command,
): Values {
  const now: Values = { ...values };
  for (const part of kParts) {
    if (!Array.isArray(values[part])) continue;
    now[part] = partsOf(values, part).map((table) => {
      const tuning = tunings.find(({ name }) => name === table.name);
      const was = partsOf(baked, part).find(({ name }) => name === table.name) ?? table;
      return tuning ? tunedPart(part, table, was, tuning) : table;
    });
  }
  const gain = commonGain(tunings, command) ?? 1;
  if (gain !== 1) {
    const before = isTable(baked.output) ? Number(baked.output.gain ?? 1) : 1;
    now.output = { ...(isTable(values.output) ? values.output : {}), gain: short(before * gain) };
  }
  return now;
}

/// What values cannot say, as comments for the end of a file.
export function notes(tunings: Tuning[], command: Command): string {
  if (commonGain(tunings, command) !== null) return '';
  const lines = [
    command === 'bake' ? 'A bake has one gain for its clips, [output] gain; not written:'
      : 'Shells are recorded without a gain; not written:',
    ...tunings.map(({ name, gain }) => `gain of ${name} in the viewer: ${short(gain)}`),
  ];
  return `\n${lines.map((line) => `# ${line}\n`).join('')}`;
}

function inline(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (isTable(value)) {
    return `{${Object.entries(value).map(([key, one]) => `${key} = ${inline(one)}`).join(', ')}}`;
  }
  // TOML's basic strings escape as JSON's do, and this character too.
  return typeof value === 'string' ? JSON.stringify(value).replaceAll('\x7f', '\\u007f')
    : String(value);
}

/// Values as TOML, for pages without a server to ask.
export function printToml(values: Values): string {
  const lines = (table: Values): string =>
    Object.entries(table).map(([key, value]) => `${key} = ${inline(value)}\n`).join('');
  const isSection = (value: Value): boolean => isTable(value)
    || (Array.isArray(value) && value.length > 0 && value.every(isTable));
  const entries = Object.entries(values);
  const plain = Object.fromEntries(entries.filter(([, value]) => !isSection(value)));
  const sections = entries.filter(([, value]) => isSection(value)).flatMap(([key, value]) =>
    (Array.isArray(value) ? value.map((one) => `\n[[${key}]]\n${lines(one as Values)}`)
      : [`\n[${key}]\n${lines(value as Values)}`]));
  return lines(plain) + sections.join('');
}
