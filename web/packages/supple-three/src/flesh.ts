// SPDX-License-Identifier: Apache-2.0
import type { Asset, Player } from 'supple';
import type { Mesh } from 'three';

import type { Variant } from './chunks.js';

export type ColourBy = 'none' | 'displacement';

/** Display options of flesh, for all shaders of a character or a crowd. */
export interface Look {
  readonly uniforms: {
    readonly supple_enabled: { value: number };
    readonly supple_colour_scale: { value: number };
  };
  colour: boolean;
  warp: Variant['warp'];
}

/** The measured cost of one frame. */
export interface SuppleStats {
  /** Draw calls of the meshes, shadows not counted. */
  draws: number;
  uploads: number;
  uploadedBytes: number;
  /** Milliseconds of the last update on the CPU. */
  updateMs: number;
}

/** The common part of a character and a crowd: display of their flesh, and cleanup at the end. */
export abstract class Flesh {
  readonly asset: Asset;
  readonly stats: SuppleStats = { draws: 0, uploads: 0, uploadedBytes: 0, updateMs: 0 };
  abstract readonly meshes: Mesh[];
  protected readonly look: Look = {
    uniforms: { supple_enabled: { value: 1 }, supple_colour_scale: { value: 1 } },
    colour: false,
    warp: 'none',
  };
  /** In the order of acquisition. */
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

  /** For code outside the shaders. */
  protected shownChanged(): void {}

  /** true: shells as plain linear modes, both in shaders and in players, for comparison. */
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

  /** 'displacement': colours vertices by how far they move. */
  get colourBy(): ColourBy {
    return this.look.colour ? 'displacement' : 'none';
  }

  set colourBy(value: ColourBy) {
    if (value === this.colourBy) return;
    this.look.colour = value === 'displacement';
    this.#compileAnew();
  }

  /** Displacement at the light end of the colours, in units of the first mesh. */
  get colourRange(): number {
    return 1 / this.look.uniforms.supple_colour_scale.value;
  }

  set colourRange(value: number) {
    this.look.uniforms.supple_colour_scale.value = 1 / value;
  }

  /** Frees everything and restores the rest: the scene of a character, the source of a crowd. */
  dispose(): void {
    for (const release of this.releases.splice(0).reverse()) release();
  }
}

/** The colour scale for a part whose unit is this many of the first part's. */
export function colourScale(look: Look, unit: number): { readonly value: number } {
  const { supple_colour_scale: scale } = look.uniforms;
  return {
    get value() {
      return scale.value * unit;
    },
  };
}

// Flesh of a walking character uses a fraction of its range.
function defaultRange(asset: Asset): number {
  const metres = Math.max(...asset.objects.map((object) => object.limitMetres), 0);
  return (metres > 0 ? metres / 4 : 0.02) / asset.info.metresPerUnit;
}
