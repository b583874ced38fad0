// SPDX-License-Identifier: Apache-2.0
import {
  BackSide, CanvasTexture, CircleGeometry, Color, DirectionalLight, Group, HemisphereLight, Mesh,
  MeshBasicMaterial, PMREMGenerator, PlaneGeometry, Scene, ShadowMaterial, SphereGeometry,
  SRGBColorSpace, type Texture, type Vector3, type WebGLRenderer,
} from 'three';

import type { Theme } from '../theme';
import type { Quality } from './stage';

interface Look {
  top: string;
  bottom: string;
  floor: string;
  line: string;
  shadow: number;
  environment: number;
  key: number;
}

const kLooks: Record<Theme, Look> = {
  dark: {
    top: '#15171c', bottom: '#24272e', floor: '#2d3139', line: '#3d434e',
    shadow: 0.6, environment: 0.6, key: 2.4,
  },
  light: {
    top: '#e9ebee', bottom: '#f7f8f9', floor: '#ffffff', line: '#dde1e6',
    shadow: 0.38, environment: 0.85, key: 2.2,
  },
};

/// Soft boxes in a dim room: what a photographer would put around a figure. Made here rather than
/// loaded, so that the viewer needs no pictures.
function makeEnvironment(renderer: WebGLRenderer): Texture {
  const room = new Scene();
  const walls = new Mesh(
    new SphereGeometry(12, 32, 16),
    new MeshBasicMaterial({ color: new Color(0.36, 0.37, 0.39), side: BackSide }),
  );
  room.add(walls);
  const panel = (w: number, h: number, x: number, y: number, z: number, light: Color): void => {
    const mesh = new Mesh(new PlaneGeometry(w, h), new MeshBasicMaterial({ color: light }));
    mesh.position.set(x, y, z);
    mesh.lookAt(0, 0, 0);
    room.add(mesh);
  };
  panel(7, 7, 0, 8, 1, new Color(5.5, 5.4, 5.2)); // overhead
  panel(3, 8, -8, 2, 3, new Color(3.2, 3.4, 3.8)); // cool side
  panel(3, 8, 8, 2, -2, new Color(3.6, 3.2, 2.9)); // warm rim
  panel(8, 3, 0, 1.5, -9, new Color(2.2, 2.2, 2.3)); // behind
  panel(24, 24, 0, -7, 0.01, new Color(0.24, 0.24, 0.25)); // floor
  const generator = new PMREMGenerator(renderer);
  // The boxes are large and soft, so small images suffice.
  const target = generator.fromScene(room, 0.04, 0.1, 100, { size: 128 });
  generator.dispose();
  room.traverse((object) => {
    if (!(object instanceof Mesh)) return;
    object.geometry.dispose();
    (object.material as MeshBasicMaterial).dispose();
  });
  return target.texture;
}

function gradient(top: string, bottom: string): CanvasTexture {
  const canvas = document.createElement('canvas');
  canvas.width = 4;
  canvas.height = 256;
  const context = canvas.getContext('2d');
  if (context) {
    const fill = context.createLinearGradient(0, 0, 0, 256);
    fill.addColorStop(0, top);
    fill.addColorStop(1, bottom);
    context.fillStyle = fill;
    context.fillRect(0, 0, 4, 256);
  }
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  return texture;
}

/// A floor that catches the shadow, has faint rings of known width, and fades into the background.
class Floor {
  readonly mesh: Mesh<CircleGeometry, ShadowMaterial>;
  private readonly uniforms = {
    floorColour: { value: new Color() },
    lineColour: { value: new Color() },
    ringWidth: { value: 1 },
  };

  constructor() {
    const material = new ShadowMaterial({ transparent: true, depthWrite: false });
    material.toneMapped = false;
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.uniforms);
      shader.vertexShader = shader.vertexShader
        .replace('void main() {', 'varying vec2 vFloor; varying vec2 vMetres;\nvoid main() {')
        .replace('#include <fog_vertex>', 'vFloor = position.xy; vMetres = worldPosition.xz;');
      shader.fragmentShader = shader.fragmentShader
        .replace('uniform float opacity;', kFloorHead)
        .replace(/gl_FragColor = vec4\( color.*/, kFloorBody);
    };
    this.mesh = new Mesh(new CircleGeometry(1, 96), material);
    this.mesh.rotation.x = -Math.PI / 2;
    this.mesh.receiveShadow = true;
    this.mesh.renderOrder = -1;
  }

  restyle(look: Look): void {
    this.uniforms.floorColour.value.set(look.floor);
    this.uniforms.lineColour.value.set(look.line);
    this.mesh.material.opacity = look.shadow;
  }

  fit(radius: number, ringWidth: number): void {
    this.mesh.scale.setScalar(radius);
    this.uniforms.ringWidth.value = ringWidth;
  }
}

const kFloorHead = `uniform float opacity;
uniform vec3 floorColour;
uniform vec3 lineColour;
uniform float ringWidth;
varying vec2 vFloor;
varying vec2 vMetres;`;

const kFloorBody = `float away = length(vFloor);
  float fade = 1.0 - smoothstep(0.15, 0.95, away);
  vec2 cell = vMetres / ringWidth;
  vec2 wide = fwidth(cell) * 1.2;
  vec2 near = abs(fract(cell - 0.5) - 0.5) / max(wide, vec2(1e-6));
  float clear = 1.0 - smoothstep(0.1, 0.4, max(wide.x, wide.y));
  float line = (1.0 - min(min(near.x, near.y), 1.0)) * clear;
  float dark = opacity * (1.0 - getShadowMask());
  vec3 ground = mix(floorColour, lineColour, 0.5 * line * (1.0 - smoothstep(0.1, 0.6, away)));
  gl_FragColor = vec4(mix(ground, vec3(0.0), dark), max(fade, dark) * fade);`;

/// Everything around the character: background, floor, light.
export class Studio {
  readonly group = new Group();
  private readonly key = new DirectionalLight(0xfff4e8, 2);
  private readonly rim = new DirectionalLight(0xdfe8ff, 0.7);
  private readonly floor = new Floor();
  private theme: Theme = 'dark';

  constructor(
    private readonly renderer: WebGLRenderer,
    private readonly scene: Scene,
    private readonly quality: Quality,
  ) {
    this.key.castShadow = true;
    this.key.shadow.mapSize.setScalar(quality === 'high' ? 2048 : 512);
    this.key.shadow.radius = 5;
    if (quality === 'low') this.group.add(new HemisphereLight(0xf2f4f8, 0x8d867e, 1.6));
    this.group.add(this.key, this.key.target, this.rim, this.rim.target, this.floor.mesh);
    this.scene.add(this.group);
    this.rebuild();
  }

  /// Also after a lost context, when rendered textures are gone.
  rebuild(): void {
    this.scene.environment?.dispose();
    this.scene.environment = null;
    this.restyle(this.theme);
  }

  /// Before the first picture, and not before: the page around it should appear first. Filtering
  /// takes a software renderer seconds; at low quality a sky and a ground suffice.
  prepare(): void {
    if (this.scene.environment || this.quality === 'low') return;
    this.scene.environment = makeEnvironment(this.renderer);
  }

  restyle(theme: Theme): void {
    this.theme = theme;
    const look = kLooks[theme];
    const before = this.scene.background;
    if (before && 'dispose' in before) before.dispose();
    this.scene.background = gradient(look.top, look.bottom);
    this.scene.environmentIntensity = look.environment;
    this.key.intensity = look.key;
    this.floor.restyle(look);
  }

  /// Floor and background; without them the caller provides its own.
  setRoom(on: boolean): void {
    this.floor.mesh.visible = on;
    if (on) this.restyle(this.theme);
  }

  shift(by: Vector3): void {
    this.group.position.add(by);
  }

  moveTo(x: number, y: number, z: number): void {
    this.group.position.set(x, y, z);
  }

  /// Adapts light and floor to the size of the subject; `ground` is its lowest point.
  fit(x: number, ground: number, z: number, size: number, metresPerUnit: number): void {
    this.group.position.set(x, ground, z);
    this.key.position.set(size * 0.9, size * 1.9, size * 1.3);
    this.key.target.position.set(0, size * 0.4, 0);
    this.rim.position.set(-size, size * 1.2, -size * 1.5);
    const camera = this.key.shadow.camera;
    camera.left = camera.bottom = -size * 1.15;
    camera.right = camera.top = size * 1.15;
    camera.near = size * 0.2;
    camera.far = size * 5;
    camera.updateProjectionMatrix();
    // The area of a shadow texel must not shade itself.
    const texels = this.key.shadow.mapSize.x;
    this.key.shadow.normalBias = (5 * size) / texels;
    this.key.shadow.bias = -0.8 / texels;
    const metres = size * metresPerUnit;
    // A tenth of the size to the full size: 0.2 m under a man.
    const cell = 0.2 * 10 ** Math.floor(Math.log10(Math.max(metres, 1e-6)));
    this.floor.fit(size * 3.4, cell / metresPerUnit);
  }
}
