// SPDX-License-Identifier: Apache-2.0
// A small scene that our own program bakes.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { program } from '../programs.mjs';
import { cachedFolder } from './cache.mjs';

// Cloth on a pole, which has come to rest within a second.
const kFlag = `rate = 60
[wind]
density = 1.2
[sampling]
states = 60
shortest = 0.2
longest = 0.4
settle = 1
rest = 4
chain = 3
stillness = 0.001
[shapes]
tolerance = 0.1
[[cloth]]
name = "flag"
size = [0.4, 0, 0.3]
cells = 5
position = [0, 1, 0]
rotation = [90, 0, 0]
material = "fabric"
thickness = 0.004
damping = 0.05
colour = [0.7, 0.25, 0.12]
[[pin]]
body = "flag"
where = ["y>1.149"]
[[entry]]
name = "push"
key = "o"
strengths = [0.5, 1]
[entry.impulse]
velocity = [0, 0, 0.5]
[[entry]]
name = "pull"
key = "i"
[entry.impulse]
velocity = [0, 0, -0.5]
`;

/** flag.glb and flag.supple. */
export const bakedFlag = () => cachedFolder('scene', (folder) => {
  writeFileSync(join(folder, 'flag.toml'), kFlag);
  execFileSync(program('supple'), ['scene', join(folder, 'flag.toml'), '--quiet', '-o',
    join(folder, 'flag.glb')], { stdio: ['ignore', 'ignore', 'inherit'] });
});
