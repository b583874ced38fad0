// SPDX-License-Identifier: Apache-2.0
import { Matrix4, type Quaternion, Vector3 } from 'three';

const UNCHANGED = 1e-6; // of a scale

/** From the world of three.js to the player's, where the character has the size and the handedness
 * of its file: it may be scaled or mirrored, and its flesh moves as if it were not. Motion counts,
 * measured in the character's own size. */
export class WorldMap {
  readonly #matrix = new Matrix4();
  readonly #worldPoint = new Vector3();
  readonly #playerPoint = new Vector3();
  readonly #anchor = new Vector3();
  #known = false;
  #scale = 1;
  #side = 1;

  /** Units of the world per unit of the file. */
  get scale(): number {
    return this.#scale;
  }

  /** `anchor`: the world matrix of the character; `volume`: its determinant if the character has
   * the size of its file. True if directions are mapped differently from now on. */
  take(anchor: Matrix4, volume: number): boolean {
    const growth = anchor.determinant() / volume;
    const scale = Math.cbrt(Math.abs(growth));
    // A character of no size has no motion; the player counts its matrices as bad.
    if (!(scale > 0 && Number.isFinite(scale))) return false;
    const side = Math.sign(growth);
    const turned = side !== this.#side;
    if (Math.abs(scale / this.#scale - 1) < UNCHANGED && !turned) return false;
    // Growing is not moving: the character stays where it is in the player's world.
    if (this.#known && !turned) {
      this.#anchor.setFromMatrixPosition(anchor);
      this.#playerPoint.copy(this.point(this.#anchor));
      this.#worldPoint.setFromMatrixPosition(anchor);
    }
    this.#known = true;
    this.#scale = scale;
    this.#side = side;
    return turned;
  }

  /** A world matrix in the player's world, valid until the next call. */
  matrix(world: Matrix4): Matrix4 {
    this.#known = true;
    const e = this.#matrix.copy(world).elements;
    const shrink = 1 / this.#scale;
    for (const column of [0, 4, 8]) {
      e[column] = (e[column] as number) * this.#side * shrink;
      e[column + 1] = (e[column + 1] as number) * shrink;
      e[column + 2] = (e[column + 2] as number) * shrink;
    }
    this.#anchor.setFromMatrixPosition(world);
    return this.#matrix.setPosition(this.point(this.#anchor));
  }

  /** Changes and returns a point of the world. */
  point(point: Vector3): Vector3 {
    point.sub(this.#worldPoint).divideScalar(this.#scale);
    point.x *= this.#side;
    return point.add(this.#playerPoint);
  }

  /** The inverse of point(). */
  worldPoint(point: Vector3): Vector3 {
    point.sub(this.#playerPoint).multiplyScalar(this.#scale);
    point.x *= this.#side;
    return point.add(this.#worldPoint);
  }

  /** Of a force, velocity or acceleration in SI units, which only mirroring changes; its own
   * inverse. */
  direction(vector: ArrayLike<number>): number[] {
    return [this.#side * (vector[0] as number), vector[1] as number, vector[2] as number];
  }

  /** Its own inverse. */
  rotation(rotation: Quaternion): Quaternion {
    if (this.#side > 0) return rotation;
    return rotation.set(rotation.x, -rotation.y, -rotation.z, rotation.w);
  }
}
