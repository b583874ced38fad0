// SPDX-License-Identifier: Apache-2.0
import { Box3, MathUtils, type PerspectiveCamera, Sphere, Vector3 } from 'three';

const kLowest = 0.05; // radians from the poles

/// A camera that looks at a point from a distance. Who turns it (mouse, fingers, keys) is no
/// concern of its own.
export class Orbit {
  readonly target = new Vector3();
  private azimuth = 0.45;
  private polar = 1.38;
  private distance = 3;
  private size = 1;
  private glideAzimuth = 0;
  private glidePolar = 0;
  private readonly home = { target: new Vector3(), distance: 3 };
  private readonly right = new Vector3();
  private readonly up = new Vector3();

  constructor(
    readonly camera: PerspectiveCamera,
    private readonly reducedMotion: () => boolean,
  ) {}

  /// Looks at a box as a portrait would; the angle stays as it is.
  frame(box: Box3, aspect: number): void {
    const sphere = box.getBoundingSphere(new Sphere());
    const size = box.getSize(this.right);
    this.size = Math.max(sphere.radius * 2, 1e-6);
    const halfHeight = Math.tan(MathUtils.degToRad(this.camera.fov / 2));
    const wide = Math.hypot(size.x, size.z) / 2;
    const fit = Math.max(size.y / 2 / halfHeight, wide / (halfHeight * Math.min(aspect, 1.8)));
    this.target.copy(sphere.center);
    this.distance = fit * 1.18 + wide * 0.6;
    this.home.target.copy(this.target);
    this.home.distance = this.distance;
    this.glideAzimuth = this.glidePolar = 0;
    this.apply();
  }

  reset(): void {
    this.target.copy(this.home.target);
    this.distance = this.home.distance;
    this.azimuth = 0.45;
    this.polar = 1.38;
    this.glideAzimuth = this.glidePolar = 0;
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

  /// Parts of the height of the view.
  pan(x: number, y: number): void {
    const height = 2 * this.distance * Math.tan(MathUtils.degToRad(this.camera.fov / 2));
    this.right.setFromMatrixColumn(this.camera.matrix, 0).multiplyScalar(-x * height);
    this.up.setFromMatrixColumn(this.camera.matrix, 1).multiplyScalar(y * height);
    this.target.add(this.right).add(this.up);
    this.apply();
  }

  /// Turns on a little after the hand lets go; true while it does.
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
