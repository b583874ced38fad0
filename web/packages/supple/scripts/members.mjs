// SPDX-License-Identifier: Apache-2.0
import { readFile } from 'node:fs/promises';

import { writeIfChanged } from './shaders.mjs';

/** Names of the members that the module's table holds, in its order, as a module of TypeScript. */
export async function writeMembers(exportsFile, target) {
  const text = await readFile(exportsFile, 'utf8');
  const table = text.slice(text.indexOf('kMembers[]'));
  const pattern = /SUPPLE_(?:STRUCT\((\w+)\)|MEMBER\((\w+),\s*(\w+)\))/g;
  const names = [...table.matchAll(pattern)].map(([, whole, type, name]) =>
    whole ?? `${type}.${name}`);
  await writeIfChanged(target, [
    '// SPDX-License-Identifier: Apache-2.0',
    '// Written by scripts/members.mjs from runtime/wasm/exports.cpp.',
    '',
    'export const memberNames: readonly string[] = [',
    ...names.map((name) => `  '${name}',`),
    '];',
    '',
  ].join('\n'));
}
