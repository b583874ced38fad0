// SPDX-License-Identifier: Apache-2.0
// The shader chunks in Chromium's WebGL 2 beside the CPU player.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { withBrowser } from './browser.mjs';

// Of the size: what any GPU must keep, and what Chromium's software renderer does (6e-8 at most),
// so that a loss of digits is seen.
const TOLERANCE = 1e-5;
const USUAL = 3e-7;
const STREAMS = ['positions', 'normals', 'tangents'];

const { skip, call } = withBrowser();

const cases = [1, 5, 6, 30, 100].flatMap((modes) =>
  ['short', 'float'].map((encoding) => `modes_${modes}_${encoding}`),
);
for (const name of [...cases, 'layered']) {
  for (const path of ['texture', 'attributes']) {
    test(`${name} by ${path}`, { skip }, async () => {
      const file = `/files/${name}.supple`;
      const { found, errors } = await call('modal_sum.js', 'compare', file, path);
      assert.deepEqual(errors, []);
      const few = /_(1|5)_/.test(name);
      assert.equal(found.fits, path === 'texture' || few);
      if (!found.fits) return;
      const figures = STREAMS.map((key) => `${key} ${found[key].toExponential(1)}`);
      console.log(`${name} by ${path}: ${figures.join(', ')}`);
      for (const key of STREAMS) {
        assert.ok(found[key] < TOLERANCE, key);
        assert.ok(found[key] < USUAL, `${key}: within the tolerance, and more than it was`);
      }
    });
  }
}
