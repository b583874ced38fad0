// SPDX-License-Identifier: Apache-2.0
import {
  BackSide, BufferAttribute, BufferGeometry, Color, FogExp2, Group, Mesh,
  type PerspectiveCamera, PlaneGeometry, Points, type Scene, ShaderMaterial, SphereGeometry,
  Vector2, Vector3,
} from 'three';

import type { Quality } from '../scene/stage';
import type { Theme } from '../theme';
import {
  kFloorFragment, kMotesFragment, kMotesVertex, kPlaneVertex, kSkyFragment, kWaterLooks,
} from './water_look';
import { WaterSurface } from './water_surface';

const kWide = 50; // extent of the floor in metres; it follows the swimmer
const kFloorDepth = 3.2; // below the swimmer's start, or below the surface
const kRoom = 1.4; // smallest distance between the swimmer and the floor in metres
const kBox = 9; // metres, of the motes
const kSky = 5; // radius; scaled to the camera's range
const kNoSurface = 2.6; // above the swimmer, if the water has no surface

/// The water: light from above, a floor with a grid, floating motes.
export class Water {
  readonly group = new Group();
  private readonly uniforms = {
    aboveColour: { value: new Color() },
    levelColour: { value: new Color() },
    belowColour: { value: new Color() },
    floorColour: { value: new Color() },
    lineColour: { value: new Color() },
    causticsColour: { value: new Color() },
    moteColour: { value: new Color() },
    middle: { value: new Vector2() },
    centre: { value: new Vector3() },
    time: { value: 0 },
    fog: { value: 0.05 },
    box: { value: kBox },
    pixels: { value: 30 },
  };
  private readonly sky: Mesh;
  private readonly floor: Mesh;
  private readonly surface = new WaterSurface();
  private readonly fog = new FogExp2(0, 0.05);
  private height: number | null = null;
  private floorHeight = -kFloorDepth;

  constructor(private readonly scene: Scene, quality: Quality) {
    const material = (vertexShader: string, fragmentShader: string, more: object): ShaderMaterial =>
      new ShaderMaterial({
        uniforms: this.uniforms, vertexShader, fragmentShader, transparent: true,
        depthWrite: false, toneMapped: false, fog: false, ...more,
      });
    this.sky = new Mesh(new SphereGeometry(kSky, 32, 24),
      material(kPlaneVertex, kSkyFragment,
        { side: BackSide, depthTest: false, transparent: false })); // behind everything, drawn first
    this.sky.renderOrder = -3;
    const plane = new PlaneGeometry(kWide, kWide);
    plane.rotateX(-Math.PI / 2);
    this.floor = new Mesh(plane, material(kPlaneVertex, kFloorFragment, {}));
    this.floor.renderOrder = -2;
    const motes = new Points(moteGeometry(quality === 'high' ? 900 : 250),
      material(kMotesVertex, kMotesFragment, {}));
    motes.renderOrder = 1;
    for (const part of [this.sky, this.floor, motes]) {
      part.frustumCulled = false;
      this.group.add(part);
    }
    this.group.add(this.surface.mesh);
    scene.add(this.group);
    scene.fog = this.fog;
  }

  restyle(theme: Theme): void {
    const look = kWaterLooks[theme];
    const { uniforms } = this;
    uniforms.aboveColour.value.set(look.above);
    uniforms.levelColour.value.set(look.level);
    uniforms.belowColour.value.set(look.below);
    uniforms.floorColour.value.set(look.floor);
    uniforms.lineColour.value.set(look.line);
    uniforms.causticsColour.value.set(look.caustics);
    uniforms.moteColour.value.set(look.mote);
    uniforms.fog.value = look.fog;
    this.surface.restyle(theme);
    this.fog.color.set(look.level);
    this.fog.density = look.fog;
    const before = this.scene.background;
    if (before && 'dispose' in before) before.dispose();
    this.scene.background = new Color(look.level);
  }

  /// The height of the surface; null: no surface, and the one drawn above is only decoration.
  setSurface(height: number | null): void {
    this.height = height;
  }

  /// `swimmer`: the centre of mass.
  update(seconds: number, swimmer: Vector3, camera: PerspectiveCamera): void {
    const { uniforms } = this;
    uniforms.time.value += seconds;
    uniforms.centre.value.copy(swimmer);
    uniforms.middle.value.set(swimmer.x, swimmer.z);
    this.sky.position.copy(camera.position);
    this.sky.scale.setScalar((camera.near + camera.far) / (2 * kSky));
    // Without a surface, the floor moves down as the swimmer dives.
    const top = this.height ?? 0;
    const deepest = Math.min(top - kFloorDepth, swimmer.y - kRoom);
    this.floorHeight += (deepest - this.floorHeight) * Math.min(1, 1.5 * seconds);
    this.floor.position.set(swimmer.x, this.floorHeight, swimmer.z);
    this.surface.height = this.height ?? Math.max(kNoSurface, swimmer.y + kRoom);
    this.surface.update(seconds, swimmer);
  }

  dispose(): void {
    this.scene.remove(this.group);
    this.scene.fog = null;
    this.surface.dispose();
    for (const part of this.group.children) {
      if (!(part instanceof Mesh) && !(part instanceof Points)) continue;
      part.geometry.dispose();
      (part.material as ShaderMaterial).dispose();
    }
  }
}

/// Positions in a unit cube, the same every time.
function moteGeometry(count: number): BufferGeometry {
  const places = new Float32Array(3 * count);
  let state = 12345;
  for (let i = 0; i < places.length; ++i) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    places[i] = state / 2 ** 32;
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(places, 3));
  return geometry;
}
