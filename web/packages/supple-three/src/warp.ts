// SPDX-License-Identifier: Apache-2.0
import { Vector3 } from 'three';

const turn = new Vector3();
const moved = new Vector3();
const across = new Vector3();

/** Displacements p of vertices that turn by rotation vectors w become Rt(w) p, three numbers each:
 * warping.glsl on the CPU, for coefficients without a player. */
export function warp(turns: Float32Array, displacements: Float32Array): void {
  for (let i = 0; i < turns.length; i += 3) {
    turn.fromArray(turns, i);
    const square = turn.lengthSq();
    if (square === 0) continue;
    const angle = Math.sqrt(square);
    const small = angle < 1e-2;
    const b = small ? 1 / 2 - square / 24 : (1 - Math.cos(angle)) / square;
    const c = small ? 1 / 6 - square / 120 : (angle - Math.sin(angle)) / (square * angle);
    moved.fromArray(displacements, i);
    across.crossVectors(turn, moved);
    moved.addScaledVector(across, b).addScaledVector(across.cross(turn), -c);
    moved.toArray(displacements, i);
  }
}
