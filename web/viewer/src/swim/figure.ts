// SPDX-License-Identifier: Apache-2.0
import { Matrix4, type Object3D, Quaternion, Vector3 } from 'three';

import type { SwimFrame } from './frame';

/// The glTF nodes of the swimmer's segments, posed from the stream.
export class Figure {
  readonly positions: Vector3[];
  readonly turns: Quaternion[];
  private readonly nodes: (Object3D | undefined)[];
  private readonly world = new Matrix4();
  private readonly local = new Matrix4();
  private readonly one = new Vector3(1, 1, 1);
  private readonly scale = new Vector3();
  private readonly later = new Quaternion();
  private readonly step = new Vector3();

  /// `names`: of the segments, parents before their children. Throws if none is in the file.
  constructor(private readonly root: Object3D, names: string[]) {
    this.nodes = names.map((name) => root.getObjectByName(name));
    if (!this.nodes.some((node) => node !== undefined)) {
      throw new Error('the character has no bones with the swimmer’s names');
    }
    this.positions = names.map(() => new Vector3());
    this.turns = names.map(() => new Quaternion());
  }

  pose(from: SwimFrame, to: SwimFrame, share: number): void {
    this.root.updateWorldMatrix(true, false);
    this.nodes.forEach((node, i) => {
      const position = this.positions[i] as Vector3;
      const turn = this.turns[i] as Quaternion;
      position.fromArray(from.origins, 3 * i)
        .lerp(this.step.fromArray(to.origins, 3 * i), share);
      turn.fromArray(from.rotations, 4 * i)
        .slerp(this.later.fromArray(to.rotations, 4 * i), share).normalize();
      if (node) this.place(node, position, turn);
    });
  }

  private place(node: Object3D, position: Vector3, turn: Quaternion): void {
    this.world.compose(position, turn, this.one);
    const { parent } = node;
    if (parent) {
      parent.updateWorldMatrix(false, false);
      this.world.premultiply(this.local.copy(parent.matrixWorld).invert());
    }
    this.world.decompose(node.position, node.quaternion, this.scale);
    node.updateWorldMatrix(false, false);
  }
}
