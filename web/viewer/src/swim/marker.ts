// SPDX-License-Identifier: Apache-2.0
import {
  BufferAttribute, BufferGeometry, DynamicDrawUsage, Group, Line, LineBasicMaterial, Mesh,
  MeshBasicMaterial, OctahedronGeometry, type Quaternion, TorusGeometry, type Vector3,
} from 'three';

const kAmber = '#ffb347';
const kTrail = 600; // points
const kApart = 0.05; // metres between them

/// The point the swimmer is heading for.
export class TargetMarker {
  readonly group = new Group();
  private readonly ring: Mesh;
  private readonly core: Mesh;

  constructor() {
    const material = new MeshBasicMaterial({ color: kAmber, toneMapped: false, fog: false });
    this.ring = new Mesh(new TorusGeometry(0.14, 0.008, 8, 40), material);
    this.core = new Mesh(new OctahedronGeometry(0.035), material);
    this.group.add(this.ring, this.core);
  }

  set(at: Float32Array, towards: Quaternion, seconds: number): void {
    this.group.position.fromArray(at);
    this.ring.quaternion.copy(towards);
    this.core.rotation.y += 1.5 * seconds;
  }

  dispose(): void {
    this.ring.geometry.dispose();
    this.core.geometry.dispose();
    (this.ring.material as MeshBasicMaterial).dispose();
  }
}

/// The swimmer's trail.
export class Trail {
  readonly line: Line;
  private readonly places = new BufferAttribute(new Float32Array(3 * kTrail), 3);
  private count = 0;

  constructor() {
    const geometry = new BufferGeometry();
    this.places.setUsage(DynamicDrawUsage);
    geometry.setAttribute('position', this.places);
    geometry.setDrawRange(0, 0);
    this.line = new Line(geometry, new LineBasicMaterial({
      color: '#ffffff', transparent: true, opacity: 0.35, depthWrite: false,
    }));
    this.line.frustumCulled = false;
  }

  clear(): void {
    this.count = 0;
    this.line.geometry.setDrawRange(0, 0);
  }

  add(at: Vector3): void {
    const { array } = this.places;
    const last = 3 * (this.count - 1);
    if (this.count > 0) {
      const gap = Math.hypot(at.x - (array[last] ?? 0), at.y - (array[last + 1] ?? 0),
        at.z - (array[last + 2] ?? 0));
      if (gap < kApart) return;
    }
    if (this.count === kTrail) {
      array.copyWithin(0, 3);
      --this.count;
    }
    at.toArray(array, 3 * this.count++);
    this.places.needsUpdate = true;
    this.line.geometry.setDrawRange(0, this.count);
  }

  dispose(): void {
    this.line.geometry.dispose();
    (this.line.material as LineBasicMaterial).dispose();
  }
}
