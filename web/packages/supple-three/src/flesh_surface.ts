// SPDX-License-Identifier: Apache-2.0
import type { Asset, Player, Surface } from 'supple';

import { type PartMesh, restPositions } from './parts.js';
import { warp } from './warp.js';

/** Vertex positions in bind space with the flesh currently shown, on the CPU: computed only on
 * demand, by rays. */
export class FleshSurface {
  readonly #asset: Asset;
  readonly #rest: Float32Array;
  #surface: Surface | undefined;
  #positions: Float32Array | undefined;
  #shown: Player | Float32Array | null = null;
  #linear = false;

  constructor(asset: Asset, parts: PartMesh[]) {
    this.#asset = asset;
    this.#rest = restPositions(asset, parts);
  }

  /** From now on: the player's state, coefficients, or the rest shape; shells warped or linear. */
  show(shown: Player | Float32Array | null, linear: boolean): void {
    this.#shown = shown;
    this.#linear = linear;
    this.#positions = undefined;
  }

  restOf(vertex: number): Float32Array {
    return this.#rest.subarray(3 * vertex, 3 * vertex + 3);
  }

  get positions(): Float32Array {
    // When memory grows, the player's vertices move with it.
    if (this.#positions === undefined || this.#positions.length === 0) {
      this.#positions = this.#compute();
    }
    return this.#positions;
  }

  #compute(): Float32Array {
    if (this.#shown === null) return this.#rest;
    if (this.#shown instanceof Float32Array) return this.#sum(this.#shown);
    return this.#deform(this.#shown);
  }

  #deform(player: Player): Float32Array {
    this.#surface ??= this.#asset.createSurface({ positions: this.#rest });
    player.deform(this.#surface);
    return this.#surface.positions;
  }

  #sum(coefficients: Float32Array): Float32Array {
    const moved = new Float32Array(this.#rest.length);
    const turns = new Float32Array(this.#rest.length);
    for (const { kind, firstMode, modeCount } of this.#asset.objects) {
      const warped = kind === 'shell' && !this.#linear;
      for (let mode = firstMode; mode < firstMode + modeCount; ++mode) {
        const coefficient = coefficients[mode] as number;
        if (coefficient === 0) continue;
        const { displacements, normals } = this.#asset.modeShape(mode);
        add(moved, coefficient, displacements);
        if (warped) add(turns, coefficient, normals);
      }
    }
    warp(turns, moved);
    add(moved, 1, this.#rest);
    return moved;
  }

  close(): void {
    this.#surface?.close();
  }
}

function add(sum: Float32Array, factor: number, terms: Float32Array): void {
  for (let i = 0; i < sum.length; ++i) {
    sum[i] = (sum[i] as number) + factor * (terms[i] as number);
  }
}
