// SPDX-License-Identifier: Apache-2.0
import type { Player, Surface } from 'supple';
import { SuppleMesh } from 'supple-three';
import type { Object3D, Vector3 } from 'three';

import { type Comparison, placeOfLoad } from '../data/comparison';
import { PosedCopy, WrittenCopy } from './posed_copy';

/// One of several views shown side by side.
export interface Side {
  label: string;
  root: Object3D;
}

/// A shell by methods other than warping, each in its own scene that moves in the same way: plain
/// linear modes with their own player, rotation-strain coordinates of the same coefficients, and
/// precomputed equilibria.
export class Methods {
  readonly linear: SuppleMesh;
  private readonly comparison: Comparison | null;
  private readonly linearCopy: PosedCopy;
  private readonly strain: WrittenCopy | null;
  private readonly nonlinear: WrittenCopy | null;
  private readonly surface: Surface;
  private readonly shape: Float32Array;
  private readonly before: Float32Array; // coefficients of the linear method, a step ago
  private shownLoad = Number.NaN;

  constructor(
    private readonly flesh: SuppleMesh,
    comparison: Comparison | null,
  ) {
    const { asset } = flesh;
    const rest = flesh.restShape();
    this.comparison = comparison && fromRest(comparison, rest.positions);
    this.linearCopy = new PosedCopy(flesh.root);
    const { scene } = this.linearCopy;
    this.linear = new SuppleMesh({ scene, animations: [] }, asset, { linear: true });
    this.colour(flesh.colourBy, flesh.colourRange);
    this.before = new Float32Array(asset.info.modeCount);
    for (const mesh of this.linear.meshes) {
      mesh.castShadow = mesh.receiveShadow = true;
      mesh.frustumCulled = false;
    }
    this.surface = asset.createSurface(rest);
    const strains = asset.shells.some(({ hasRotationStrain }) => hasRotationStrain);
    this.strain = strains ? new WrittenCopy(flesh) : null;
    this.nonlinear = comparison ? new WrittenCopy(flesh) : null;
    this.shape = new Float32Array(3 * asset.info.vertexCount);
  }

  get players(): Player[] {
    return [this.linear.player];
  }

  get scenes(): Object3D[] {
    return [this.linearCopy, this.strain, this.nonlinear].flatMap((copy) => copy?.scene ?? []);
  }

  /// Methods that can show `coefficients alone` (a mode), or all.
  sides(coefficientsAlone: boolean): Side[] {
    const both = [
      { label: 'linear', root: this.linearCopy.scene },
      { label: 'warped', root: this.flesh.root },
    ];
    if (coefficientsAlone) return both;
    const strain = this.strain ? [{ label: 'rotation-strain', root: this.strain.scene }] : [];
    const reference = this.nonlinear ? [{ label: 'nonlinear', root: this.nonlinear.scene }] : [];
    return [...both, ...strain, ...reference];
  }

  step(dt: number): void {
    this.before.set(this.linear.player.coefficients);
    this.linearCopy.pose();
    this.linear.update(dt);
  }

  colour(by: SuppleMesh['colourBy'], range: number): void {
    this.linear.colourBy = by;
    this.linear.colourRange = range;
  }

  /// Whether the last step moved nothing by this many metres.
  still(metres: number): boolean {
    const now = this.linear.player.coefficients;
    return this.flesh.asset.modes.every(({ largestDisplacement }, mode) =>
      Math.abs((now[mode] ?? 0) - (this.before[mode] ?? 0)) * largestDisplacement < metres);
  }

  /// Once per frame, after all steps.
  write(gravity: Vector3): void {
    const { player } = this.flesh;
    if (this.strain) {
      this.strain.pose();
      player.deform(this.surface);
      for (const { object, hasRotationStrain } of this.flesh.asset.shells) {
        if (hasRotationStrain) player.rotationStrain(object, this.surface);
      }
      const { positions, normals } = this.surface;
      this.strain.write(positions, normals.length > 0 ? normals : null);
    }
    this.nonlinear?.pose();
    this.writeNonlinear(gravity.length());
  }

  private writeNonlinear(load: number): void {
    if (!this.nonlinear || !this.comparison || load === this.shownLoad) return;
    this.shownLoad = load;
    const { before, share } = placeOfLoad(this.comparison.loads, load);
    const from = this.comparison.nonlinear[before];
    const to = this.comparison.nonlinear[before + 1] ?? from;
    for (let i = 0; i < this.shape.length; ++i) {
      this.shape[i] = (1 - share) * (from?.[i] ?? 0) + share * (to?.[i] ?? 0);
    }
    this.nonlinear.write(this.shape, null);
  }

  dispose(): void {
    this.linear.dispose();
    this.linearCopy.dispose();
    this.surface.close();
    this.strain?.dispose();
    this.nonlinear?.dispose();
  }
}

/// Without gravity a shell has its modelled shape.
function fromRest(comparison: Comparison, rest: Float32Array): Comparison {
  if (comparison.loads[0] === 0) return comparison;
  return {
    ...comparison,
    loads: [0, ...comparison.loads], nonlinear: [rest, ...comparison.nonlinear],
  };
}
