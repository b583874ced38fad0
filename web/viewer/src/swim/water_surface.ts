// SPDX-License-Identifier: Apache-2.0
import {
  Color, DoubleSide, Mesh, type Object3D, PlaneGeometry, ShaderMaterial, Vector2, Vector3,
} from 'three';

import type { Theme } from '../theme';
import { kPlaneVertex, kSurfaceFragment, kWaterLooks } from './water_look';

const kWide = 50; // metres; it follows the swimmer

/// The height of the water of a file, which an empty node of this name marks; null: no water.
export function fileSurface(scene: Object3D): number | null {
  const node = scene.getObjectByName('water_surface');
  return node && !(node instanceof Mesh) ? node.getWorldPosition(new Vector3()).y : null;
}

/// A translucent surface, seen from above and from below.
export class WaterSurface {
  private readonly uniforms = {
    aboveColour: { value: new Color() },
    levelColour: { value: new Color() },
    causticsColour: { value: new Color() },
    middle: { value: new Vector2() },
    time: { value: 0 },
    fog: { value: 0.05 },
    metre: { value: 1 },
  };
  readonly mesh: Mesh<PlaneGeometry, ShaderMaterial>;

  /// `height` of a surface at rest; `metre`: in units of the scene.
  constructor(public height = 0, metre = 1) {
    const plane = new PlaneGeometry(kWide * metre, kWide * metre);
    plane.rotateX(-Math.PI / 2);
    this.uniforms.metre.value = metre;
    this.mesh = new Mesh(plane, new ShaderMaterial({
      uniforms: this.uniforms, vertexShader: kPlaneVertex, fragmentShader: kSurfaceFragment,
      transparent: true, depthWrite: false, toneMapped: false, fog: false, side: DoubleSide,
    }));
    this.mesh.renderOrder = 2;
    this.mesh.frustumCulled = false;
  }

  restyle(theme: Theme): void {
    const look = kWaterLooks[theme];
    this.uniforms.aboveColour.value.set(look.above);
    this.uniforms.levelColour.value.set(look.level);
    this.uniforms.causticsColour.value.set(look.caustics);
    this.uniforms.fog.value = look.fog;
  }

  /// `around`: the swimmer.
  update(seconds: number, around: Vector3): void {
    this.uniforms.time.value += seconds;
    this.uniforms.middle.value.set(around.x, around.z);
    this.mesh.position.set(around.x, this.height, around.z);
  }

  dispose(): void {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}
