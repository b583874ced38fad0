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
  #compute: () => Float32Array;

  constructor(asset: Asset, parts: PartMesh[]) {
    this.#asset = asset;
    this.#rest = restPositions(asset, parts);
    this.#compute = () => this.#rest;
  }

  /** From now on; null: the rest shape. */
  show(coefficients: Float32Array | null, player: Player, foreign: boolean): void {
    this.#positions = undefined;
    if (coefficients === null) this.#compute = () => this.#rest;
    else if (foreign) this.#compute = () => this.#sum(coefficients);
    else this.#compute = () => this.#deform(player);
  }

  get positions(): Float32Array {
    // Memory that grew took the player's vertices with it.
    if (this.#positions === undefined || this.#positions.length === 0) {
      this.#positions = this.#compute();
    }
    return this.#positions;
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
