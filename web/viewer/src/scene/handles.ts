// SPDX-License-Identifier: Apache-2.0
import type { SuppleMesh } from 'supple-three';
import { type Camera, Group, Quaternion, type Ray, Sphere, Vector3 } from 'three';

import { Gizmo } from './gizmo';

export type HandleMode = 'position' | 'orientation' | 'both';
export const kHandleModes: HandleMode[] = ['position', 'orientation', 'both'];

const kPicked = 2.2; // times the ball: tolerance for touch
const kSlots = 16; // initial number in a player

/// A held vertex of a shell.
export class Held {
  readonly position = new Vector3();
  readonly orientation = new Quaternion();
  readonly gizmo: Gizmo;
  pinned = false;

  constructor(
    readonly slot: number,
    readonly vertex: number,
    readonly mode: HandleMode,
  ) {
    this.gizmo = new Gizmo(mode);
  }

  get target(): {
    vertex: number; stiffness: 'hand'; position?: number[]; orientation?: number[];
  } {
    const { vertex, mode } = this;
    return {
      vertex,
      stiffness: 'hand',
      ...(mode === 'orientation' ? {} : { position: this.position.toArray() }),
      ...(mode === 'position' ? {} : { orientation: this.orientation.toArray() }),
    };
  }
}

/// The handles on a character's shells. Followers (a linear copy) have the same handles.
export class Handles {
  readonly group = new Group();
  readonly list: Held[] = [];
  mode: HandleMode = 'position';
  keep = false;
  private followers: SuppleMesh[] = [];
  private slots = kSlots;
  private readonly sphere = new Sphere();

  constructor(private readonly shown: SuppleMesh) {}

  get pinned(): Held[] {
    return this.list.filter(({ pinned }) => pinned);
  }

  setFollowers(followers: SuppleMesh[]): void {
    this.followers = followers;
    for (const follower of followers) {
      follower.player.reserveHandles(this.slots);
      for (const held of this.list) follower.setHandle(held.slot, held.target);
    }
  }

  /// Its current pose; null for a vertex that no shell moves, or a fixed one. A vertex that did not
  /// reach its handle is taken by it again: two would pull it apart.
  grab(vertex: number): Held | null {
    const before = this.list.find((other) => other.vertex === vertex && other.mode === this.mode);
    const held = before ?? new Held(this.freeSlot(), vertex, this.mode);
    try {
      const { position, orientation } = this.shown.poseOf(vertex);
      held.position.fromArray(position);
      held.orientation.fromArray(orientation);
      this.send(held);
    } catch {
      return null;
    }
    if (held !== before) {
      this.list.push(held);
      this.group.add(held.gizmo.group);
    }
    return held;
  }

  send(held: Held): void {
    for (const mesh of [this.shown, ...this.followers]) mesh.setHandle(held.slot, held.target);
  }

  remove(held: Held): void {
    const at = this.list.indexOf(held);
    if (at < 0) return;
    this.list.splice(at, 1);
    for (const { player } of [this.shown, ...this.followers]) player.removeHandle(held.slot);
    held.gizmo.dispose();
  }

  clear(): void {
    for (const held of [...this.list]) this.remove(held);
  }

  /// The nearest handle whose ball or axes are under the pointer.
  pick(ray: Ray): Held | null {
    let best: Held | null = null;
    let nearest = Infinity;
    for (const held of this.list) {
      this.sphere.set(held.gizmo.group.position, kPicked * held.gizmo.radius);
      if (!ray.intersectsSphere(this.sphere)) continue;
      const distance = ray.origin.distanceTo(this.sphere.center);
      if (distance >= nearest) continue;
      nearest = distance;
      best = held;
    }
    return best;
  }

  /// Axes that do not hold a position follow their vertex; all keep their size on the screen.
  update(camera: Camera): void {
    for (const held of this.list) {
      if (held.mode === 'orientation') {
        held.position.fromArray(this.shown.poseOf(held.vertex).position);
      }
      held.gizmo.place(held.position, held.orientation, camera);
    }
  }

  dispose(): void {
    for (const { gizmo } of this.list) gizmo.dispose();
    this.group.removeFromParent();
  }

  private freeSlot(): number {
    let slot = 0;
    while (this.list.some((held) => held.slot === slot)) ++slot;
    if (slot >= this.slots) {
      this.slots *= 2;
      for (const { player } of [this.shown, ...this.followers]) player.reserveHandles(this.slots);
    }
    return slot;
  }
}
