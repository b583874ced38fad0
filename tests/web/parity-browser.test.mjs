// SPDX-License-Identifier: Apache-2.0
// The shader chunks in Chromium's WebGL 2 beside the CPU player.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { withBrowser } from './browser.mjs';

// Of the size: what any GPU must keep, and what Chromium's software renderer does (4e-7 at most),
// so that a loss of digits is seen.
const TOLERANCE = 1e-5;
const USUAL = 6e-7;
const USUAL_WARPED = 3e-6; // sums that cancel in turns, and polynomials for sine and cosine
const STREAMS = ['positions', 'normals', 'tangents'];

const { skip, call } = withBrowser({ onePage: true });

const cases = [1, 5, 6, 30, 100].flatMap((modes) =>
  ['short', 'float'].map((encoding) => `modes_${modes}_${encoding}`),
);
const shells = ['shell_short', 'shell_float', 'shell_many', 'shell_mixed', 'strip'];

function check(title, found, streams = STREAMS) {
  const figures = streams.map((key) => `${key} ${found[key].toExponential(1)}`);
  const turn = Number.isFinite(found.turn) ? `, turns up to ${found.turn.toFixed(2)}` : '';
  console.log(`${title}: ${figures.join(', ')}${turn}`);
  for (const key of streams) assert.ok(found[key] < TOLERANCE, `${title}: ${key} ${found[key]}`);
}

for (const name of [...cases, 'layered', ...shells]) {
  for (const path of ['texture', 'attributes']) {
    test(`${name} by ${path}`, { skip }, async () => {
      const file = `/files/${name}.supple`;
      const { found, errors } = await call('modal_sum.js', 'compare', file, path);
      assert.deepEqual(errors, []);
      const few = /_(1|5)_|^shell_(short|float)/.test(name);
      assert.equal(found.fits, path === 'texture' || few);
      if (!found.fits) return;
      check(`${name} by ${path}`, found);
      const usual = shells.includes(name) ? USUAL_WARPED : USUAL;
      for (const key of STREAMS) {
        assert.ok(found[key] < usual, `${key}: within the tolerance, and more than it was`);
      }
      // Otherwise nothing was warped that could be wrong.
      if (name.startsWith('shell_')) assert.ok(found.turn > 1.5, `turns of ${found.turn} only`);
    });
  }
}

test('a shell as plain linear modes', { skip }, async () => {
  const file = '/files/shell_short.supple';
  const { found, errors } = await call('modal_sum.js', 'compare', file, 'texture', true);
  assert.deepEqual(errors, []);
  check('linear', found, ['positions', 'normals']); // tangents are each one's own there
});
