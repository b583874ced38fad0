// SPDX-License-Identifier: Apache-2.0
import { type Box3, MathUtils, type PerspectiveCamera, Vector3 } from 'three';

const kLowest = 0.05; // radians from the poles

/// A camera that looks at a point from a distance, independent of the input device.
export class Orbit {
  readonly target = new Vector3();
  private azimuth = 0.45;
  private polar = 1.38;
  private distance = 3;
  private size = 1;
  private front = 0; // the azimuth from which a character shows its face
  private glideAzimuth = 0;
  private glidePolar = 0;
  private readonly home = { target: new Vector3(), distance: 3, azimuth: 0.45, polar: 1.38 };
  private readonly right = new Vector3();
  private readonly up = new Vector3();
  private readonly half = new Vector3();
  private readonly corner = new Vector3();

  constructor(
    readonly camera: PerspectiveCamera,
    private readonly reducedMotion: () => boolean,
  ) {}

  /// Looks at a box from the current direction, as near as possible with all corners in the
  /// picture.
  frame(box: Box3, aspect: number): void {
    box.getCenter(this.target);
    const size = box.getSize(this.half);
    this.size = Math.max(size.length(), 1e-6);
    this.half.multiplyScalar(0.5);
    this.distance = this.size;
    this.apply();
    const high = Math.tan(MathUtils.degToRad(this.camera.fov / 2));
    let distance = 0;
    for (let corner = 0; corner < 8; ++corner) {
      const sign = (bit: number): number => ((corner >> bit) & 1 ? 1 : -1);
      this.corner.set(sign(0) * this.half.x, sign(1) * this.half.y, sign(2) * this.half.z)
        .transformDirection(this.camera.matrixWorldInverse)
        .multiplyScalar(this.half.length());
      const { x, y, z } = this.corner;
      distance = Math.max(distance, Math.abs(x) / (high * aspect) + z, Math.abs(y) / high + z);
    }
    this.distance = distance * 1.05;
    this.home.target.copy(this.target);
    this.home.distance = this.distance;
    this.glideAzimuth = this.glidePolar = 0;
    this.apply();
  }

  reset(): void {
    this.target.copy(this.home.target);
    this.distance = this.home.distance;
    this.azimuth = this.home.azimuth;
    this.polar = this.home.polar;
    this.glideAzimuth = this.glidePolar = 0;
    this.apply();
  }

  /// Turns to a character that faces this azimuth, as the last one was seen.
  face(front: number): void {
    this.azimuth += front - this.front;
    this.home.azimuth += front - this.front;
    this.front = front;
    this.apply();
  }

  /// Uses this direction now and after every reset; without arguments the default view of
  /// characters.
  look(azimuth = this.front + 0.45, polar = 1.38): void {
    this.azimuth = this.home.azimuth = azimuth;
    this.polar = this.home.polar = polar;
    this.stopGlide();
    this.apply();
  }

  /// Moves along with what it looks at; a later reset looks there too.
  shift(by: Vector3): void {
    this.target.add(by);
    this.home.target.add(by);
    this.apply();
  }

  /// Looks at this point from the same side.
  follow(target: Vector3): void {
    this.target.copy(target);
    this.apply();
  }

  /// Radians.
  turn(azimuth: number, polar: number, glide = false): void {
    this.azimuth += azimuth;
    this.polar = MathUtils.clamp(this.polar + polar, kLowest, Math.PI - kLowest);
    if (glide && !this.reducedMotion()) {
      this.glideAzimuth = azimuth;
      this.glidePolar = polar;
    }
    this.apply();
  }

  stopGlide(): void {
    this.glideAzimuth = this.glidePolar = 0;
  }

  zoom(factor: number): void {
    this.distance = MathUtils.clamp(this.distance * factor, this.size * 0.05, this.size * 12);
    this.apply();
  }

  /// Fractions of the view's height.
  pan(x: number, y: number): void {
    const height = 2 * this.distance * Math.tan(MathUtils.degToRad(this.camera.fov / 2));
    this.right.setFromMatrixColumn(this.camera.matrix, 0).multiplyScalar(-x * height);
    this.up.setFromMatrixColumn(this.camera.matrix, 1).multiplyScalar(y * height);
    this.target.add(this.right).add(this.up);
    this.apply();
  }

  /// Continues turning briefly after release; true while it does.
  glide(dt: number): boolean {
    if (Math.abs(this.glideAzimuth) + Math.abs(this.glidePolar) < 1e-4) return false;
    const keep = Math.exp(-dt * 7);
    this.glideAzimuth *= keep;
    this.glidePolar *= keep;
    this.azimuth += this.glideAzimuth;
    this.polar = MathUtils.clamp(this.polar + this.glidePolar, kLowest, Math.PI - kLowest);
    this.apply();
    return true;
  }

  private apply(): void {
    const { camera, target, distance } = this;
    const flat = Math.sin(this.polar) * distance;
    camera.position.set(
      target.x + flat * Math.sin(this.azimuth),
      target.y + Math.cos(this.polar) * distance,
      target.z + flat * Math.cos(this.azimuth),
    );
    camera.lookAt(target);
    camera.near = Math.max(distance - this.size * 4, distance * 0.01);
    camera.far = distance + this.size * 12;
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }
}
