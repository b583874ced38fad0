// SPDX-License-Identifier: Apache-2.0
// Where the native programs of the build are: ctest says so, and by hand SUPPLE_BIN does.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const sourceRoot = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

export function program(name) {
  const folder = process.env.SUPPLE_BIN ?? join(sourceRoot, 'build/release/bin');
  const path = join(folder, name);
  if (!existsSync(path)) throw new Error(`${path} is not built: set SUPPLE_BIN to its folder`);
  return path;
}

/** Writes the synthetic files of web_assets.cpp. */
export function writeAssets(folder) {
  execFileSync(program('web_assets'), [folder]);
}
