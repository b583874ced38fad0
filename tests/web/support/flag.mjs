// SPDX-License-Identifier: Apache-2.0
// Small scenes that our own program bakes.
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

const bake = (folder, name, toml) => {
  writeFileSync(join(folder, `${name}.toml`), toml);
  execFileSync(program('supple'), ['scene', join(folder, `${name}.toml`), '--quiet', '-o',
    join(folder, `${name}.glb`)], { stdio: ['ignore', 'ignore', 'inherit'] });
};

const block = (name, x) => `[[solid]]
name = "${name}"
size = [0.1, 0.1, 0.1]
cells = 2
position = [${x}, 0.05, 0]
material = {youngs_modulus = 2e4, poisson_ratio = 0.4, density = 1000}
[[pin]]
body = "${name}"
where = ["y<0.001"]
`;

// Two blocks with a portrait each; "up" acts on the second alone.
const kBlocks = `parts = "bodies"
rate = 30
[sampling]
states = 200
settle = 0.5
rest = 4
chain = 2
shortest = 0.1
longest = 0.3
[shapes]
tolerance = 0.05
[solver]
mass_damping = 4
${block('one', 0)}${block('other', 0.4)}[[entry]]
name = "left"
key = "a"
[entry.impulse]
velocity = [-0.6, 0, 0]
[[entry]]
name = "up"
key = "w"
parts = ["other"]
[entry.impulse]
velocity = [0, 0.4, 0.3]
`;

/** blocks.glb and blocks.supple. */
export const bakedBlocks = () => cachedFolder('blocks', (folder) => bake(folder, 'blocks', kBlocks));

/** flag.glb and flag.supple. */
export const bakedFlag = () => cachedFolder('scene', (folder) => bake(folder, 'flag', kFlag));
