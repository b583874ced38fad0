// SPDX-License-Identifier: Apache-2.0
import { type Box3, Matrix4, type Object3D, Vector3 } from 'three';
import { SuppleCrowd, type SuppleMesh } from 'supple-three';

/// More copies behind the character, each with its own phase of the clip and its own flesh; the
/// plots show the cost of a crowd.
export class Copies {
  private readonly crowd: SuppleCrowd;
  private readonly places: Matrix4[] = [];
  private readonly pose: (index: number) => Matrix4;

  /// `poseAt` poses the character as `share` of the clip later.
  constructor(
    flesh: SuppleMesh,
    count: number,
    box: Box3,
    private readonly poseAt: (share: number) => void,
  ) {
    this.crowd = new SuppleCrowd(flesh, count);
    const size = box.getSize(new Vector3());
    const step = 1.15 * Math.max(size.x, size.z, size.y * 0.45);
    const columns = Math.ceil(Math.sqrt((count + 1) * 1.6));
    for (let i = 0; i < count; ++i) {
      const place = i + Math.ceil(columns / 2); // the first row belongs to the character itself
      const row = Math.floor(place / columns) + 1;
      const x = (place % columns) - (columns - 1) / 2 + (row % 2 ? 0.25 : -0.25);
      this.places.push(new Matrix4().makeTranslation(x * step, 0, -row * step * 0.8));
    }
    this.pose = (index) => {
      this.poseAt((0.37 * (index + 1)) % 1);
      return this.places[index] as Matrix4;
    };
    for (const mesh of this.crowd.meshes) mesh.castShadow = mesh.receiveShadow = true;
  }

  get root(): Object3D {
    return this.crowd.root;
  }

  get count(): number {
    return this.places.length;
  }

  get players(): SuppleCrowd['players'] {
    return this.crowd.players;
  }

  rest(): void {
    for (const player of this.crowd.players) player.reset();
  }

  colour(by: SuppleMesh['colourBy'], range: number): void {
    this.crowd.colourBy = by;
    this.crowd.colourRange = range;
  }

  set enabled(value: boolean) {
    this.crowd.enabled = value;
  }

  /// The ground under all of them.
  expand(box: Box3): void {
    const one = box.clone();
    for (const place of this.places) box.union(one.clone().applyMatrix4(place));
  }

  update(dt: number): void {
    this.crowd.update(dt, this.pose);
    this.poseAt(0);
  }

  dispose(): void {
    this.crowd.dispose();
  }
}
