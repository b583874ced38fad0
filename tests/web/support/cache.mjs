// SPDX-License-Identifier: Apache-2.0
// What the program makes for tests, made once and found again by every test and every run.
import { createHash } from 'node:crypto';
import {
  existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { program } from '../programs.mjs';

/** Hash of the program's bytes: another build of the same program reuses the cache. */
const programKey = () =>
  createHash('sha256').update(readFileSync(program('supple'))).digest('hex').slice(0, 16);

/** A folder of the build that `make(folder)` has filled with this program: not to be written to. */
export async function cachedFolder(name, make) {
  const all = join(dirname(program('supple')), '..', 'viewer-samples');
  const key = programKey();
  const folder = join(all, key, name);
  if (existsSync(folder)) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  for (const other of readdirSync(all)) { // of earlier builds
    if (other !== key) rmSync(join(all, other), { recursive: true, force: true });
  }
  const work = mkdtempSync(`${folder}-making-`);
  try {
    await make(work);
    renameSync(work, folder);
  } catch (error) {
    rmSync(work, { recursive: true, force: true });
    if (!existsSync(folder)) throw error; // else another test was faster
  }
  return folder;
}
