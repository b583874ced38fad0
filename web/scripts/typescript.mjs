// SPDX-License-Identifier: Apache-2.0
import { execFile } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { publish } from './publish.mjs';

/** Compiles the TypeScript of a package to its dist, and puts the licence beside it, which npm packs
 * from the package's own folder. */
export async function compilePackage(root) {
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  await publish(join(root, 'dist'), async (folder) => {
    try {
      await promisify(execFile)(process.execPath, [tsc, '-p', root, '--outDir', folder]);
    } catch (error) {
      throw new Error(`TypeScript errors in ${root}:\n${error.stdout || error}`);
    }
  });
  await copyFile(join(root, '..', '..', '..', 'LICENSE'), join(root, 'LICENSE'));
}
