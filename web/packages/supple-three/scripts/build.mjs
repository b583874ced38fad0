// SPDX-License-Identifier: Apache-2.0
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { compilePackage } from '../../../scripts/typescript.mjs';

await compilePackage(join(dirname(fileURLToPath(import.meta.url)), '..'));
