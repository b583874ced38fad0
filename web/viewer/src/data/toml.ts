// SPDX-License-Identifier: Apache-2.0

/// What somebody changed of one object in the viewer; factors are times what the file has.
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

interface Tissue {
  E: number;
  nu: number;
  rho: number;
}

/// The presets of `supple bake`; a test compares them with `supple bake --help`.
export const kTissues: Record<string, Tissue> = {
  fat: { E: 3250, nu: 0.49, rho: 950 },
  muscle: { E: 12000, nu: 0.49, rho: 1050 },
  skin: { E: 200000, nu: 0.48, rho: 1100 },
  liver: { E: 5000, nu: 0.49, rho: 1060 },
  gelatine: { E: 60000, nu: 0.49, rho: 1030 },
  rubber: { E: 2e6, nu: 0.49, rho: 950 },
};
const kMostSag = 10;
const kMostRatio = 10;
const kNumber = '([+-]?[0-9][0-9_]*(?:\\.[0-9_]+)?(?:[eE][+-]?[0-9]+)?)';

function short(value: number): string {
  return String(Number(value.toPrecision(6)));
}

function quoted(text: string): string {
  return JSON.stringify(text); // TOML's basic strings escape as JSON's do
}

function readNumber(text: string): number {
  return Number(text.replaceAll('_', ''));
}

function material(name: string, stiffness: number): string {
  const tissue = kTissues[name];
  if (!tissue) return quoted(name);
  const { nu, rho } = tissue;
  return `{name = ${quoted(name)}, E = ${short(tissue.E * stiffness)}, nu = ${nu}, rho = ${rho}}`;
}

/// Replaces the number of `key = number` by what `change` makes of it.
function scale(line: string, key: string, change: (value: number) => number): string {
  const pattern = new RegExp(`(^|[\\s{,])(${key}\\s*=\\s*)${kNumber}`, 'g');
  return line.replace(pattern, (_all, before: string, head: string, number: string) =>
    `${before}${head}${short(change(readNumber(number)))}`);
}

/// Splits a line into what TOML reads and its comment.
function splitComment(line: string): [string, string] {
  let quote = '';
  for (let i = 0; i < line.length; ++i) {
    const c = line[i] as string;
    if (quote) {
      if (c === '\\' && quote === '"') ++i;
      else if (c === quote) quote = '';
    } else if (c === '"' || c === "'") quote = c;
    else if (c === '#') return [line.slice(0, i), line.slice(i)];
  }
  return [line, ''];
}

/// One line of an [[object]] with the changes in it. Damping follows the player: ratios are scaled
/// alone, so what is meant in seconds or as Rayleigh's numbers follows the frequencies as well.
function tuneLine(line: string, tuning: Tuning): string {
  const { stiffness, damping } = tuning;
  const faster = Math.sqrt(stiffness);
  let code = line;
  if (stiffness !== 1) {
    code = scale(code, 'E', (value) => value * stiffness);
    code = code.replace(/(\bmaterial\s*=\s*)["']([^"']+)["']/g,
      (_all, head: string, name: string) => head + material(name, stiffness));
    code = scale(code, 'sag', (value) => Math.min(value / stiffness, kMostSag));
  }
  code = scale(code, 'ratio', (value) => Math.min(value * damping, kMostRatio));
  code = scale(code, 'alpha', (value) => value * damping * faster);
  code = scale(code, 'beta', (value) => (value * damping) / faster);
  code = scale(code, 'settle', (value) => value / Math.max(damping * faster, 1e-3));
  const { limitMetres, modes } = tuning;
  if (limitMetres !== null) code = scale(code, 'limit', () => limitMetres);
  if (modes !== null) {
    code = scale(code, 'modes', () => modes);
    code = scale(code, 'capture', () => 0);
  }
  return code;
}

/// Lines of a table that the file does not have but the changes need.
function missing(block: string, tuning: Tuning): string[] {
  const has = (key: string): boolean => new RegExp(`^\\s*${key}\\s*=`, 'm').test(block);
  const lines: string[] = [];
  if (tuning.stiffness !== 1 && !has('material') && !has('layers')) {
    lines.push(`material = ${material('fat', tuning.stiffness)}`);
  }
  if (tuning.damping !== 1 && !has('damping')) {
    lines.push(`damping = {ratio = ${short(Math.min(0.2 * tuning.damping, kMostRatio))}}`);
  }
  if (tuning.limitMetres !== null && !has('limit')) {
    lines.push(`limit = ${short(tuning.limitMetres)}`);
  }
  if (tuning.modes !== null && !has('modes')) lines.push(`modes = ${tuning.modes}`);
  return lines;
}

function nameOf(block: string): string {
  const named = /^\s*name\s*=\s*["']([^"']*)["']/m.exec(block);
  const bone = /^\s*bone\s*=\s*["']([^"']*)["']/m.exec(block);
  return named?.[1] ?? bone?.[1] ?? '';
}

function tuneObject(block: string, tunings: Tuning[]): string {
  const tuning = tunings.find(({ name }) => name === nameOf(block));
  if (!tuning) return block;
  const lines = block.split('\n').map((line) => {
    const [code, comment] = splitComment(line);
    return tuneLine(code, tuning) + comment;
  });
  const added = missing(block, tuning);
  return added.length ? [lines[0], ...added, ...lines.slice(1)].join('\n') : lines.join('\n');
}

/// A bake has one gain, of what it writes into clips.
function tuneGain(text: string, tunings: Tuning[]): string {
  const first = tunings[0]?.gain ?? 1;
  if (!tunings.every(({ gain }) => gain === first)) {
    const notes = tunings.map(({ name, gain }) =>
      `# gain of ${name} in the viewer: ${short(gain)}`);
    return `${text.trimEnd()}\n\n# A bake has one gain for its clips, [output] gain; not written:\n`
      + `${notes.join('\n')}\n`;
  }
  if (first === 1) return text;
  const output = /^\s*\[output\][^\n]*\n/m.exec(text);
  if (!output) return `[output]\ngain = ${short(first)}\n\n${text}`;
  const begin = output.index + output[0].length;
  const length = /^\s*\[/m.exec(text.slice(begin))?.index ?? text.length - begin;
  const table = text.slice(begin, begin + length);
  const tuned = /^\s*gain\s*=/m.test(table)
    ? table.split('\n').map((line) => {
      const [code, comment] = splitComment(line);
      return scale(code, 'gain', (value) => value * first) + comment;
    }).join('\n')
    : `gain = ${short(first)}\n${table}`;
  return text.slice(0, begin) + tuned + text.slice(begin + length);
}

function tuneFile(text: string, tunings: Tuning[]): string {
  const blocks = text.replaceAll('\r\n', '\n').split(/^(?=\s*\[)/m).map((block) =>
    (/^\s*\[\[\s*object\s*\]\]/.test(block) ? tuneObject(block, tunings) : block));
  return blocks.join('');
}

/// Without the file's own settings its regions are unknown: the bone's name stands for them.
function minimalFile(tunings: Tuning[], metresPerUnit: number): string {
  const head = [
    '# The character came without settings: regions are those of the driving bones, materials the',
    '# default. `supple bake CHARACTER --print-config` prints what was chosen; drop that file with',
    '# the character, and the viewer scales its numbers instead.',
    `unit = ${short(metresPerUnit)}`,
  ];
  const objects = tunings.map((tuning) => [
    '', '[[object]]',
    `name = ${quoted(tuning.name)}`,
    `bone = ${quoted(tuning.bone)}`,
    `material = ${tuning.stiffness === 1 ? '"fat"' : material('fat', tuning.stiffness)}`,
    `damping = {ratio = ${short(Math.min(tuning.fileDamping * tuning.damping, kMostRatio))}}`,
    `sag = ${short(Math.min(0.25 / tuning.stiffness, kMostSag))}`,
    ...(tuning.modes === null ? [] : [`modes = ${tuning.modes}`]),
    ...(tuning.limitMetres === null ? [] : [`limit = ${short(tuning.limitMetres)}`]),
  ].join('\n'));
  return `${[...head, ...objects].join('\n')}\n`;
}

/// A bake.toml with what was tuned in it: `supple bake CHARACTER -c FILE` then bakes what is seen.
export function exportSettings(
  text: string | null,
  tunings: Tuning[],
  metresPerUnit: number,
): string {
  const known = text !== null && /^\s*\[\[\s*object\s*\]\]/m.test(text);
  return tuneGain(known ? tuneFile(text, tunings) : minimalFile(tunings, metresPerUnit), tunings);
}
