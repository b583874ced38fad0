// SPDX-License-Identifier: Apache-2.0
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const camelCase = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());

/** One string for each chunk of `folder`, as a module of TypeScript; left alone if unchanged. */
export async function writeShaders(folder, target) {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.glsl')).sort();
  const lines = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8');
      return `  ${camelCase(name.replace('.glsl', ''))}: ${JSON.stringify(text)},`;
    }),
  );
  const text = [
    '// SPDX-License-Identifier: Apache-2.0',
    '// Written by scripts/shaders.mjs from runtime/shaders.',
    '',
    '/** GLSL ES 3.00 chunks: functions, no #version and no main. */',
    'export const shaders = {',
    ...lines,
    '} as const;',
    '',
  ].join('\n');
  await writeIfChanged(target, text);
}

export async function writeIfChanged(target, text) {
  const before = await readFile(target, 'utf8').catch(() => '');
  if (before === text) return;
  const fresh = `${target}.${process.pid}`;
  await writeFile(fresh, text);
  await rename(fresh, target);
}
