// SPDX-License-Identifier: Apache-2.0
// Builds in two directories may run at once, and their output lies in the source tree: each builds
// in its own folder and moves whole files into place.
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

/** Calls `build` with an empty folder and moves its output to `target`. */
export async function publish(target, build) {
  await mkdir(target, { recursive: true });
  const folder = await mkdtemp(join(target, '.building-'));
  try {
    await build(folder);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((item) => item.isFile())) {
      const from = join(entry.parentPath ?? entry.path, entry.name);
      const to = join(target, relative(folder, from));
      await mkdir(dirname(to), { recursive: true });
      if (!(await sameContent(from, to))) await rename(from, to);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function sameContent(a, b) {
  try {
    return (await readFile(a)).equals(await readFile(b));
  } catch {
    return false;
  }
}

/** Whether `target` exists and is newer than all of `sources`. */
export async function isUpToDate(target, sources) {
  try {
    const made = (await stat(target)).mtimeMs;
    const times = await Promise.all(sources.map(async (path) => (await stat(path)).mtimeMs));
    return times.every((time) => time <= made);
  } catch {
    return false;
  }
}
