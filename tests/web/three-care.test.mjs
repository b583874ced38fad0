// SPDX-License-Identifier: Apache-2.0
// supple-three: what it gives back, when it loads, shadows of cut-out materials, crowds.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { withBrowser } from './browser.mjs';

const { skip, call } = withBrowser();

async function inPage(name, ...given) {
  const { found, errors } = await call('three_care.js', name, ...given);
  assert.deepEqual(errors, []);
  return found;
}

test('a character that cannot be made leaves nothing behind', { skip }, async () => {
  const found = await inPage('failure');
  assert.match(found.words, /vertex attributes.*path 'texture'/);
  assert.ok(found.restored, 'scene or clips are not as before');
  assert.ok(found.disposed, 'the shapes still count a user');
});

test('clips are cut while a character needs it', { skip }, async () => {
  const found = await inPage('clips');
  assert.deepEqual(found.cut, [2, 2]); // two times, one weight left of three
  assert.equal(found.none, 0);
  assert.deepEqual(found.still, [2, 2]);
  assert.ok(found.kept && found.restored);
});

test('the player is loaded once, when needed, and after a failure again', { skip }, async () => {
  const found = await inPage('loading');
  assert.equal(found.needless, 0);
  assert.match(found.failed, /no memory left/);
  assert.equal(found.made, 2);
  assert.ok(found.common);
  assert.equal(found.closed, 'closed');
});

for (const light of ['sun', 'lamp']) {
  test(`what is cut out throws no shadow of the ${light}`, { skip }, async () => {
    const { whole, part, none, later } = await inPage('shadowCuts', light);
    console.log(`${light}: ${whole} pixels in shadow, ${part} when three quarters are cut out`);
    assert.ok(whole > 2000 && part > whole / 10 && part < 0.9 * whole);
    assert.equal(none, 0);
    assert.equal(later, 0);
  });
}

test('switching flesh on and off sends nothing', { skip }, async () => {
  const { usual, given, back } = await inPage('switching');
  assert.deepEqual(usual, { sent: 1, stats: 1 });
  assert.deepEqual(given.first, { sent: 1, stats: 1 });
  assert.equal(given.kept, Math.fround(0.02));
  assert.deepEqual(given.then, { sent: 0, stats: 0 });
  assert.deepEqual(back, { sent: 1, stats: 1 });
});

test('a crowd has colours and limits, and leaves its source alone', { skip }, async () => {
  const found = await inPage('crowd');
  assert.ok(found.untouched, 'the bounds of the source changed');
  assert.ok(found.painted > 500 && found.strong > 200, `${found.painted}, ${found.strong}`);
  assert.equal(found.again, 0);
  assert.ok(found.range);
  assert.match(found.many, /5000 characters.*4096.*maxTextureSize/);
  assert.match(found.joints, /5 joints.*16 texels/);
  assert.equal(found.fits, 'nothing');
});
