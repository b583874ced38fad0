// SPDX-License-Identifier: Apache-2.0
import {
  type Camera, CylinderGeometry, Group, Mesh, MeshBasicMaterial, type Quaternion, SphereGeometry,
  Vector3,
} from 'three';

import type { HandleMode } from './handles';

const kBall = 0.0075; // of the distance to the eye
const kAxis = 9; // times the ball
const kColours = [0xe5484d, 0x46a758, 0x3e7bfa];

const ball = new SphereGeometry(1, 24, 16);
const rod = new CylinderGeometry(0.22, 0.22, kAxis, 12).translate(0, kAxis / 2, 0);
const tip = new CylinderGeometry(0, 0.62, 1.9, 16).translate(0, kAxis + 0.9, 0);

/// Drawn over everything else: a handle inside a fold must stay visible.
function paint(colour: number, order: number): { material: MeshBasicMaterial; order: number } {
  const material = new MeshBasicMaterial({
    color: colour, depthTest: false, depthWrite: false, transparent: true, toneMapped: false,
  });
  return { material, order };
}

/// The display of a handle: a yellow ball for a held position, three axes for a held orientation.
export class Gizmo {
  readonly group = new Group();
  radius = 1;
  private readonly materials: MeshBasicMaterial[] = [];
  private readonly eye = new Vector3();

  constructor(mode: HandleMode) {
    if (mode !== 'position') kColours.forEach((colour, axis) => this.addAxis(colour, axis));
    if (mode !== 'orientation') this.add(ball, paint(0xffd23f, 3));
  }

  private add(geometry: SphereGeometry | CylinderGeometry, look: ReturnType<typeof paint>): Mesh {
    const mesh = new Mesh(geometry, look.material);
    mesh.renderOrder = look.order;
    mesh.frustumCulled = false;
    this.materials.push(look.material);
    this.group.add(mesh);
    return mesh;
  }

  private addAxis(colour: number, axis: number): void {
    const look = paint(colour, 2);
    for (const mesh of [this.add(rod, look), this.add(tip, look)]) {
      if (axis === 0) mesh.rotation.z = -Math.PI / 2;
      if (axis === 2) mesh.rotation.x = Math.PI / 2;
    }
  }

  place(position: Vector3, orientation: Quaternion, camera: Camera): void {
    this.radius = kBall * this.eye.setFromMatrixPosition(camera.matrixWorld).distanceTo(position);
    this.group.position.copy(position);
    this.group.quaternion.copy(orientation);
    this.group.scale.setScalar(this.radius);
  }

  dispose(): void {
    for (const material of this.materials) material.dispose();
    this.group.removeFromParent();
  }
}
