// SPDX-License-Identifier: Apache-2.0
import type { Module } from './module.js';

/** An axis of the program's world. */
export type Axis = 'x' | 'y' | 'z' | '-x' | '-y' | '-z';

/** How an asset and its players fit into a program; see supple_open_options in supple.h. */
export interface OpenOptions {
  /** Which of the program's axes the file's x, y and z run along. The file is glTF's: right-handed,
   * y up, facing z; Babylon.js in its left-handed mode has ['-x', 'y', 'z']. Absent: the same. */
  axes?: readonly [Axis, Axis, Axis];
  /** Metres per unit of the program: positions, velocities, accelerations and forces are in such
   * units. Absent: positions in the file's units, the rest in metres. */
  metresPerUnit?: number;
}

const AXES: Record<Axis, number> = { x: 1, y: 2, z: 3, '-x': -1, '-y': -2, '-z': -3 };

/** supple_open_options in the scratch memory. */
export function writeOptions(module: Module, { axes, metresPerUnit }: OpenOptions): number {
  const at = module.struct('supple_open_options');
  const set = (name: string, value: number) =>
    module.setNumber(at, `supple_open_options.${name}`, value);
  (['axis_x', 'axis_y', 'axis_z'] as const).forEach((name, i) => {
    const axis = axes?.[i];
    set(name, axis === undefined ? 0 : (AXES[axis] ?? Number.NaN));
  });
  set('metres_per_unit', metresPerUnit ?? 0);
  return at;
}
