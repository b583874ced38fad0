// SPDX-License-Identifier: Apache-2.0
// The same package for three.js's WebGPURenderer, and for programs that choose their renderer at
// run time.
import { REVISION } from 'three';

import { useNodes } from './material.js';
import { makeNodes } from './nodes.js';

const OLDEST = 187; // whose skinning and morphing are functions of the node language

if (Number.parseInt(REVISION, 10) < OLDEST) {
  throw new Error(
    `supple-three/webgpu needs three.js 0.${OLDEST} or later, not 0.${REVISION}: install a newer ` +
      "one, or draw with WebGLRenderer and import 'supple-three'.",
  );
}
useNodes(makeNodes);

export * from './index.js';
