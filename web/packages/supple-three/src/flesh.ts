// SPDX-License-Identifier: Apache-2.0
import type { Asset, Player } from 'supple';
import type { Mesh } from 'three';

import type { Variant } from './chunks.js';

export type ColourBy = 'none' | 'displacement';

/** How flesh is shown, for all shaders of a character or a crowd. */
export interface Look {
  readonly uniforms: {
    readonly supple_enabled: { value: number };
    readonly supple_colour_scale: { value: number };
  };
  colour: boolean;
  warp: Variant['warp'];
}

/** What one frame costs, counted. */
export interface SuppleStats {
  /** Draw calls of the meshes, shadows not counted. */
  draws: number;
  uploads: number;
  uploadedBytes: number;
  /** Milliseconds of the last update on the CPU. */
  updateMs: number;
}

/** What a character and a crowd have in common: how their flesh is shown, and what they give back
 * at the end. */
export abstract class Flesh {
  readonly asset: Asset;
  readonly stats: SuppleStats = { draws: 0, uploads: 0, uploadedBytes: 0, updateMs: 0 };
  abstract readonly meshes: Mesh[];
  protected readonly look: Look = {
    uniforms: { supple_enabled: { value: 1 }, supple_colour_scale: { value: 1 } },
    colour: false,
    warp: 'none',
  };
  /** In the order in which things were taken. */
  protected readonly releases: (() => void)[] = [];

  constructor(asset: Asset) {
    this.asset = asset;
    this.colourRange = defaultRange(asset);
    if (asset.shells.length > 0) this.look.warp = 'warped';
  }

  /** false: bones only. */
  get enabled(): boolean {
    return this.look.uniforms.supple_enabled.value !== 0;
  }

  set enabled(value: boolean) {
    this.look.uniforms.supple_enabled.value = value ? 1 : 0;
    this.shownChanged();
  }

  /** For what is not in shaders. */
  protected shownChanged(): void {}

  /** true: shells as plain linear modes, in shaders and players alike, for comparison. */
  get linear(): boolean {
    return this.look.warp === 'linear';
  }

  set linear(value: boolean) {
    if (value === this.linear || this.asset.shells.length === 0) return;
    this.look.warp = value ? 'linear' : 'warped';
    for (const player of this.ownPlayers()) {
      for (const { object } of this.asset.shells) player.setSettings(object, { warp: !value });
    }
    this.#compileAnew();
    for (const { customDepthMaterial, customDistanceMaterial } of this.meshes) {
      if (customDepthMaterial) customDepthMaterial.needsUpdate = true;
      if (customDistanceMaterial) customDistanceMaterial.needsUpdate = true;
    }
    this.shownChanged();
  }

  protected abstract ownPlayers(): Player[];

  #compileAnew(): void {
    for (const material of this.meshes.flatMap((mesh) => mesh.material)) {
      material.needsUpdate = true;
    }
  }

  /** 'displacement': paints how far vertices move. */
  get colourBy(): ColourBy {
    return this.look.colour ? 'displacement' : 'none';
  }

  set colourBy(value: ColourBy) {
    if (value === this.colourBy) return;
    this.look.colour = value === 'displacement';
    this.#compileAnew();
  }

  /** Displacement at the light end of the colours, in units of the mesh. */
  get colourRange(): number {
    return 1 / this.look.uniforms.supple_colour_scale.value;
  }

  set colourRange(value: number) {
    this.look.uniforms.supple_colour_scale.value = 1 / value;
  }

  /** Gives back all it has and leaves other things as they were before: the scene of a character,
   * the source of a crowd. */
  dispose(): void {
    for (const release of this.releases.splice(0).reverse()) release();
  }
}

// Flesh that walks moves by a fraction of what it may.
function defaultRange(asset: Asset): number {
  const metres = Math.max(...asset.objects.map((object) => object.limitMetres), 0);
  return (metres > 0 ? metres / 4 : 0.02) / asset.info.metresPerUnit;
}
