// SPDX-License-Identifier: Apache-2.0
import type { Asset, ObjectKind, Player } from 'supple';
import type { Vector3 } from 'three';

import { Yield } from './flesh';

const kTap = 1 / 60; // seconds that a tap lasts: one step
const kFinger = 0.02; // relative to the size: its depth if the file sets no limit
const kShellReach = 0.1; // the same for shells, which give way as a whole

/// A finger that taps and presses.
export class Touch {
  private readonly yields: Yield;
  private readonly depths: number[]; // metres that a finger reaches, by object
  private pressed: { vertex: number; direction: Vector3; force: number } | null = null;
  private readonly force = [0, 0, 0];

  constructor(
    private readonly asset: Asset,
    private readonly players: () => Player[],
    sizeMetres: number,
  ) {
    this.yields = new Yield(asset);
    const limit = Math.max(...asset.objects.map(({ limitMetres }) => limitMetres), 0);
    this.depths = asset.objects.map(({ kind }) =>
      (kind === 'shell' ? kShellReach * sizeMetres : limit * 0.6 || kFinger * sizeMetres));
  }

  get pressing(): boolean {
    return this.pressed !== null;
  }

  /// Depth of the finger in metres, and amplitude of a shown mode.
  depthOf(mode: number): number {
    const owner = this.asset.objects.findIndex(({ firstMode, modeCount }) =>
      mode >= firstMode && mode < firstMode + modeCount);
    return this.depths[owner] ?? 0;
  }

  /// The object that moves a vertex; a fixed vertex belongs to the shell that moves most of its
  /// mesh.
  kindAt(vertex: number): ObjectKind | undefined {
    const owner = this.asset.objects[this.ownerOf(vertex)];
    return owner?.kind ?? (this.isMostlyShell(vertex) ? 'shell' : undefined);
  }

  private isMostlyShell(vertex: number): boolean {
    const part = this.asset.parts.find(({ firstVertex, vertexCount }) =>
      vertex >= firstVertex && vertex < firstVertex + vertexCount);
    if (!part) return false;
    const modes = this.asset.shells.map(({ object }) => this.asset.objects[object]?.firstMode ?? 0);
    let moved = 0;
    for (let v = part.firstVertex; v < part.firstVertex + part.vertexCount; ++v) {
      if (modes.some((mode) => this.yields.moves(mode, v))) ++moved;
    }
    return moved > part.vertexCount / 2;
  }

  private ownerOf(vertex: number): number {
    return this.asset.objects.findIndex(({ firstMode, modeCount }) =>
      Array.from({ length: modeCount }, (_, k) => firstMode + k)
        .some((mode) => this.yields.moves(mode, vertex)));
  }

  private depthAt(vertex: number): number {
    return this.depths[this.ownerOf(vertex)] ?? 0;
  }

  /// A tap on a vertex; false without flesh.
  poke(vertex: number, direction: Vector3): boolean {
    if (vertex < 0) return false;
    const { impulse } = this.yields.forces(vertex, this.depthAt(vertex));
    if (impulse === 0) return false;
    this.push(vertex, direction, impulse / kTap);
    return true;
  }

  press(vertex: number, direction: Vector3): boolean {
    if (vertex < 0) return false;
    const { force } = this.yields.forces(vertex, this.depthAt(vertex));
    if (force === 0) return false;
    this.pressed = { vertex, direction: direction.clone(), force };
    return true;
  }

  letGo(): void {
    this.pressed = null;
  }

  /// Before every step.
  act(): void {
    if (!this.pressed) return;
    this.push(this.pressed.vertex, this.pressed.direction, this.pressed.force);
  }

  /// The vertex of a part that its strongest mode moves most; -1 without flesh.
  softest(object: number): number {
    const mode = this.asset.objects[object]?.firstMode ?? -1;
    return mode >= 0 ? this.yields.farthest(mode) : -1;
  }

  private push(vertex: number, direction: Vector3, newtons: number): void {
    this.force[0] = direction.x * newtons;
    this.force[1] = direction.y * newtons;
    this.force[2] = direction.z * newtons;
    for (const player of this.players()) player.push(vertex, this.force);
  }
}
