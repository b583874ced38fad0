// SPDX-License-Identifier: Apache-2.0
import {
  isTable, mostOf, preset, type Value, type Values,
} from './settings_table';

/// What was changed of one object by sliders; factors are times what the file has.
export interface Tuning {
  name: string;
  bone: string;
  stiffness: number;
  damping: number;
  gain: number;
  limitMetres: number | null; // null: as it was
  modes: number | null;
  fileDamping: number; // of the first mode, for files without settings
}

/// Settings beside a character: their text, and what they say if it could be read.
export interface Settings {
  name: string;
  text: string;
  values: Values | null;
  problem: string; // why not
}

const kLongestSettle = 1e-3; // a time is divided by at least this

function short(value: number): number {
  return Number(value.toPrecision(6));
}

function stiffer(material: Value, stiffness: number): Value {
  const table = isTable(material) ? material : preset(String(material));
  return { ...table, E: short(Number(table.E) * stiffness) };
}

/// Damping follows the player: ratios are scaled alone, so what is meant in seconds or as
/// Rayleigh's numbers follows the frequencies as well.
function damped(damping: Values, { damping: factor, stiffness }: Tuning): Values {
  const faster = Math.sqrt(stiffness);
  const change: Record<string, (value: number) => number> = {
    ratio: (value) => Math.min(value * factor, mostOf('damping.ratio')),
    alpha: (value) => value * factor * faster,
    beta: (value) => (value * factor) / faster,
    settle: (value) => value / Math.max(factor * faster, kLongestSettle),
  };
  return Object.fromEntries(Object.entries(damping).map(([key, value]) =>
    [key, short(change[key]?.(Number(value)) ?? Number(value))]));
}

function tunedObject(object: Values, tuning: Tuning): Values {
  const { stiffness, damping, limitMetres, modes } = tuning;
  const now: Values = { ...object };
  if (stiffness !== 1) {
    if (now.material !== undefined) now.material = stiffer(now.material, stiffness);
    if (Array.isArray(now.layers)) {
      now.layers = now.layers.map((layer) =>
        (isTable(layer) ? { ...layer, material: stiffer(layer.material ?? 'fat', stiffness) }
          : layer));
    }
    now.sag = short(Math.min(Number(now.sag ?? 0) / stiffness, mostOf('sag')));
  }
  if ((stiffness !== 1 || damping !== 1) && isTable(now.damping)) {
    now.damping = damped(now.damping, tuning);
  }
  if (limitMetres !== null) now.limit = short(limitMetres);
  if (modes !== null) {
    now.modes = modes;
    now.capture = 0;
  }
  return now;
}

/// A bake has one gain, of what it writes into clips.
function commonGain(tunings: Tuning[]): number | null {
  const first = tunings[0]?.gain ?? 1;
  return tunings.every(({ gain }) => gain === first) ? first : null;
}

/// The values of a bake.toml with what was tuned in them.
export function tuned(values: Values, tunings: Tuning[]): Values {
  const objects = Array.isArray(values.object) ? values.object : [];
  const now: Values = {
    ...values,
    object: objects.map((object) => {
      const tuning = isTable(object) && tunings.find(({ name }) => name === object.name);
      return tuning ? tunedObject(object, tuning) : object;
    }),
  };
  const gain = commonGain(tunings) ?? 1;
  if (gain !== 1) {
    const output = isTable(values.output) ? values.output : {};
    now.output = { ...output, gain: short(Number(output.gain ?? 1) * gain) };
  }
  return now;
}

/// Without the file's own settings its regions are unknown: the bone's name stands for them.
export function guessed(tunings: Tuning[], metresPerUnit: number): Values {
  const object = tunings.map(({ name, bone, fileDamping }) => ({
    name, bone, material: 'fat', damping: { ratio: short(fileDamping) }, sag: 0.25,
  }));
  return tuned({ unit: short(metresPerUnit), object }, tunings);
}

/// What values cannot say, as comments for the end of a file.
export function notes(tunings: Tuning[], areGuessed: boolean): string {
  const lines: string[] = [];
  if (areGuessed) {
    lines.push(
      'The character came without settings: regions are those of the driving bones, materials the',
      'default. “supple bake CHARACTER --print-config” prints what was chosen; drop that file with',
      'the character, and the viewer scales its numbers instead.');
  }
  if (commonGain(tunings) === null) {
    lines.push('A bake has one gain for its clips, [output] gain; not written:',
      ...tunings.map(({ name, gain }) => `gain of ${name} in the viewer: ${short(gain)}`));
  }
  return lines.length ? `\n${lines.map((line) => `# ${line}\n`).join('')}` : '';
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
