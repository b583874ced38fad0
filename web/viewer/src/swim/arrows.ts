// SPDX-License-Identifier: Apache-2.0
import {
  CylinderGeometry, DynamicDrawUsage, Group, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion,
  TorusGeometry, Vector3,
} from 'three';

import type { Theme } from '../theme';

const kNewtonsPerMetre = 200; // as in the files that `supple swim --arrows` writes
const kShortest = 0.015; // metres: shorter ones are invisible
const kGreen: Record<Theme, string> = { dark: '#3be477', light: '#0a8a43' };
const kThick = 0.006;
const kRing = 0.026;

/// The water's force on every segment: a green line with a circle at its end.
export class ForceArrows {
  readonly group = new Group();
  // Drawn over the body, because most of them begin inside it.
  private readonly material = new MeshBasicMaterial({
    toneMapped: false, fog: false, depthTest: false, transparent: true, opacity: 0.92,
  });
  private readonly lines: InstancedMesh;
  private readonly rings: InstancedMesh;
  private readonly matrix = new Matrix4();
  private readonly force = new Vector3();
  private readonly from = new Vector3();
  private readonly turn = new Quaternion();
  private readonly size = new Vector3();
  private readonly up = new Vector3(0, 1, 0);

  constructor(count: number) {
    const { material } = this;
    const line = new CylinderGeometry(1, 1, 1, 6, 1, true);
    line.translate(0, 0.5, 0);
    this.lines = new InstancedMesh(line, material, count);
    this.rings = new InstancedMesh(new TorusGeometry(kRing, kThick * 0.8, 6, 20), material, count);
    for (const mesh of [this.lines, this.rings]) {
      mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      mesh.frustumCulled = false;
      mesh.renderOrder = 3;
      this.group.add(mesh);
    }
  }

  restyle(theme: Theme): void {
    this.material.color.set(kGreen[theme]);
  }

  /// `at`: point of action of segment i's force, in the world; `towards`: the camera's orientation.
  set(i: number, at: Vector3, newtons: Float32Array, towards: Quaternion): void {
    this.force.fromArray(newtons, 3 * i).divideScalar(kNewtonsPerMetre);
    const length = this.force.length();
    const shown = length > kShortest;
    if (shown) this.turn.setFromUnitVectors(this.up, this.force.clone().divideScalar(length));
    this.size.set(kThick, length, kThick).multiplyScalar(shown ? 1 : 0);
    this.lines.setMatrixAt(i, this.matrix.compose(at, this.turn, this.size));
    this.from.copy(at).add(this.force);
    this.size.setScalar(shown ? 1 : 0);
    this.rings.setMatrixAt(i, this.matrix.compose(this.from, towards, this.size));
  }

  finish(): void {
    this.lines.instanceMatrix.needsUpdate = true;
    this.rings.instanceMatrix.needsUpdate = true;
  }

  dispose(): void {
    for (const mesh of [this.lines, this.rings]) {
      mesh.geometry.dispose();
      mesh.dispose();
    }
    this.material.dispose();
  }
}
