// SPDX-License-Identifier: Apache-2.0
import { type Camera, Plane, Quaternion, type Ray, Vector3 } from 'three';

import type { Handles, Held } from './scene/handles';

const kTurn = Math.PI; // radians for a drag over the whole height of the view

/// One drag of a handle: in the plane of the screen through the point where it was grabbed, or
/// turning it like a ball under the pointer. While Shift is down, a handle that holds both is
/// turned, and a handle that only turns is rolled about the view.
export class HandleDrag {
  private readonly plane = new Plane();
  private readonly offset = new Vector3();
  private readonly point = new Vector3();
  private readonly axis = new Vector3();
  private readonly turn = new Quaternion();

  constructor(
    private readonly handles: Handles,
    readonly held: Held,
    readonly wasThere: boolean, // existed before this drag
    private readonly camera: Camera,
    ray: Ray,
  ) {
    camera.getWorldDirection(this.axis);
    this.plane.setFromNormalAndCoplanarPoint(this.axis, held.position);
    if (ray.intersectPlane(this.plane, this.point)) {
      this.offset.copy(held.position).sub(this.point);
    }
  }

  /// `dx`, `dy`: fractions of the view's height, to the right and down.
  move(ray: Ray, dx: number, dy: number, shift: boolean): void {
    const { held, camera } = this;
    if (held.mode === 'position' || (held.mode === 'both' && !shift)) {
      if (!ray.intersectPlane(this.plane, this.point)) return;
      held.position.copy(this.point).add(this.offset);
    } else if (held.mode === 'orientation' && shift) {
      camera.getWorldDirection(this.axis);
      this.rotate(this.axis, kTurn * (dx + dy));
    } else {
      this.rotate(this.axis.setFromMatrixColumn(camera.matrixWorld, 1), kTurn * dx);
      this.rotate(this.axis.setFromMatrixColumn(camera.matrixWorld, 0), kTurn * dy);
    }
    this.handles.send(held);
  }

  private rotate(axis: Vector3, angle: number): void {
    this.held.orientation.premultiply(this.turn.setFromAxisAngle(axis, angle)).normalize();
  }

  /// The handle stays if it is pinned, or was pinned before.
  end(): void {
    if (this.handles.keep || this.wasThere) this.held.pinned = true;
    else this.handles.remove(this.held);
  }
}
