// SPDX-License-Identifier: Apache-2.0
import type { Asset, Player, Surface } from 'supple';

import { type PartMesh, restPositions } from './parts.js';

/** Where vertices are in bind space with the flesh that is shown now, on the CPU: only computed
 * when somebody asks, which rays do. */
export class FleshSurface {
  readonly #asset: Asset;
  readonly #rest: Float32Array;
  #surface: Surface | undefined;
  #positions: Float32Array | undefined;
  #shown: Player | Float32Array | null = null;

  constructor(asset: Asset, parts: PartMesh[]) {
    this.#asset = asset;
    this.#rest = restPositions(asset, parts);
  }

  /** From now on: what a player does, coefficients, or the rest shape. */
  show(shown: Player | Float32Array | null): void {
    this.#shown = shown;
    this.#positions = undefined;
  }

  get positions(): Float32Array {
    // Memory that grew took the player's vertices with it.
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
    const positions = this.#rest.slice();
    coefficients.forEach((coefficient, mode) => {
      if (coefficient === 0) return;
      const { displacements } = this.#asset.modeShape(mode);
      for (let i = 0; i < positions.length; ++i) {
        positions[i] = (positions[i] as number) + coefficient * (displacements[i] as number);
      }
    });
    return positions;
  }

  close(): void {
    this.#surface?.close();
  }
}
