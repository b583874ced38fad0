// SPDX-License-Identifier: Apache-2.0
// Builds the package: supple.wasm from the player's C++, shaders.ts from its shaders, embedded_wasm.ts
// from both, then the TypeScript. Rebuilds only what is out of date.
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { isUpToDate, publish } from '../../../scripts/publish.mjs';
import { compilePackage } from '../../../scripts/typescript.mjs';
import { writeEmbedded } from './embedded.mjs';
import { writeMembers } from './members.mjs';
import { writeShaders } from './shaders.mjs';

const run = promisify(execFile);
const packageRoot = join(dirname(fileURLToPath(import.meta.url)), '..');
const root = join(packageRoot, '..', '..', '..');
const dist = join(packageRoot, 'dist');

const COMPILE = [
  '-std=c++20',
  '-flto',
  '-msimd128',
  '-fno-exceptions',
  '-fno-rtti',
  '-ffp-contract=off', // the same coefficients as native players, bit for bit
  '-fno-math-errno',
  '-fvisibility=hidden',
  '-Wall',
  '-Wextra',
  '-Werror',
  `-I${root}/runtime/include`,
  `-I${root}/runtime/src`,
  `-I${root}/include`,
  '-DSUPPLE_FILTER_KERNELS=kFilterKernelsBaseline',
  '-DSUPPLE_DEFORM_KERNELS=kDeformKernelsBaseline',
  '-DSUPPLE_POINT_KERNELS=kPointKernelsBaseline',
  '-DSUPPLE_LIGHT_KERNELS=kLightKernelsBaseline',
];

// A module without imports makes no callbacks.
const CALLING_BACK = ['supple_player_set_force_field'];

async function filesIn(folder, suffixes) {
  const names = await readdir(join(root, folder));
  return names
    .filter((name) => suffixes.some((suffix) => name.endsWith(suffix)))
    .map((name) => join(root, folder, name))
    .sort();
}

async function exportedFunctions() {
  const header = await readFile(join(root, 'runtime/include/supple.h'), 'utf8');
  const glue = await readFile(join(root, 'runtime/wasm/exports.cpp'), 'utf8');
  const pattern = /SUPPLE_API [^;{(]*\b(supple_[a-z0-9_]+)\(/g;
  const names = [...`${header}\n${glue}`.matchAll(pattern)].map((found) => found[1]);
  return names.filter((name) => !CALLING_BACK.includes(name));
}

async function buildWasm(folder) {
  const sources = [
    ...(await filesIn('runtime/src', ['.cpp'])),
    ...(await filesIn('src/format', ['.cpp'])),
    ...(await filesIn('runtime/wasm', ['.cpp'])),
  ];
  // Speed in what runs every frame, size everywhere else.
  const isHot = (path) => /\/(\w+_kernels|bones|coriolis|flesh_step|rigid|step)\.cpp$/.test(path);
  const inside = { cwd: folder };
  // Vectorisation is written by hand where it pays off: what clang adds by itself only takes space.
  const fast = ['-O2', '-fno-unroll-loops', '-fno-vectorize', '-fno-slp-vectorize'];
  await run('em++', [...COMPILE, ...fast, '-c', ...sources.filter(isHot)], inside);
  await run('em++', [...COMPILE, '-Oz', '-c', ...sources.filter((path) => !isHot(path))], inside);
  const objects = (await readdir(folder)).filter((name) => name.endsWith('.o')).sort();
  const functions = (await exportedFunctions()).map((name) => `_${name}`).join(',');
  await run(
    'em++',
    [
      ...['-flto', '-Oz', ...objects, '-o', 'supple.wasm', '--no-entry', '-sSTANDALONE_WASM'],
      ...['-sALLOW_MEMORY_GROWTH=1', '-sINITIAL_MEMORY=1MB', '-sTOTAL_STACK=64KB'],
      ...['-sMALLOC=none', `-sEXPORTED_FUNCTIONS=${functions}`],
    ],
    inside,
  );
}

async function makeWasm() {
  const sources = [
    fileURLToPath(import.meta.url),
    ...(await filesIn('runtime/src', ['.cpp', '.hpp'])),
    ...(await filesIn('runtime/include', ['.h'])),
    ...(await filesIn('runtime/wasm', ['.cpp'])),
    ...(await filesIn('src/format', ['.cpp'])),
    ...(await filesIn('include/supple/format', ['.hpp'])),
  ];
  const wasm = join(dist, 'supple.wasm');
  if (await isUpToDate(wasm, sources)) return;
  await publish(dist, async (folder) => {
    const objects = await mkdtemp(join(tmpdir(), 'supple-wasm-'));
    try {
      await buildWasm(objects);
      await copyFile(join(objects, 'supple.wasm'), join(folder, 'supple.wasm'));
    } finally {
      await rm(objects, { recursive: true, force: true });
    }
  });
  await utimes(wasm, new Date(), new Date());
}

await makeWasm();
await writeShaders(join(root, 'runtime/shaders'), join(packageRoot, 'src/shaders.ts'));
await writeMembers(join(root, 'runtime/wasm/exports.cpp'), join(packageRoot, 'src/members.ts'));
await writeEmbedded(join(dist, 'supple.wasm'), join(packageRoot, 'src/embedded_wasm.ts'));
await compilePackage(packageRoot);
