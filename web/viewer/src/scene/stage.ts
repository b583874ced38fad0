// SPDX-License-Identifier: Apache-2.0
import {
  NeutralToneMapping, Box3, PCFShadowMap, PerspectiveCamera, Scene, Vector2, Vector3, WebGLRenderer,
} from 'three';

import type { Theme } from '../theme';
import { GpuTimer, UploadCounter } from './cost';
import { Orbit } from './orbit';
import { Studio } from './studio';

/// Where the picture is: the canvas less what panels cover, in CSS pixels.
export interface Insets {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/// Low: no multisampling, a small shadow, one pixel per point of the page.
export type Quality = 'low' | 'high';

/// Called before each side of a comparison is drawn: bones alone, then with flesh.
export type BeforeDraw = (bare: boolean) => void;

/// The canvas, its renderer and what surrounds the character.
export class Stage {
  readonly canvas = document.createElement('canvas');
  readonly renderer: WebGLRenderer;
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(28, 1, 0.01, 100);
  readonly orbit: Orbit;
  readonly uploads: UploadCounter;
  readonly timer: GpuTimer;
  compare = false;
  lost = false;
  drawCalls = 0;
  triangles = 0;
  onLost = (): void => {};
  onRestored = (): void => {};
  coarse = 1;
  private readonly studio: Studio;
  private readonly size = new Vector2(1, 1);
  private readonly insets: Insets = { left: 0, right: 0, top: 0, bottom: 0 };
  private readonly box = new Box3(new Vector3(-0.5, 0, -0.5), new Vector3(0.5, 1.8, 0.5));

  /// Throws where there is no WebGL 2.
  constructor(reducedMotion: () => boolean, private readonly quality: Quality) {
    this.canvas.id = 'stage';
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('role', 'application');
    this.canvas.setAttribute('aria-label',
      'Stage. Arrow keys shake the character; ? lists all keys.');
    this.renderer = new WebGLRenderer({ canvas: this.canvas, antialias: quality === 'high' });
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.toneMappingExposure = 0.95;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.info.autoReset = false;
    const gl = this.renderer.getContext() as WebGL2RenderingContext;
    this.uploads = new UploadCounter(gl);
    this.timer = new GpuTimer(gl);
    this.orbit = new Orbit(this.camera, reducedMotion);
    this.studio = new Studio(this.renderer, this.scene, quality);
    this.canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault(); // only then the browser gives it back
      this.lost = true;
      this.onLost();
    });
    this.canvas.addEventListener('webglcontextrestored', () => {
      this.lost = false;
      this.studio.rebuild();
      this.timer.restore();
      this.onRestored();
    });
    this.fit(this.box, 1);
  }

  private ratio(): number {
    return (this.quality === 'high' ? Math.min(devicePixelRatio, 2) : 1) * this.coarse;
  }

  /// Fewer pixels while frames take too long, as phones and software renderers need.
  setCoarse(share: number): void {
    this.coarse = share;
    this.renderer.setPixelRatio(this.ratio());
    this.renderer.setSize(this.size.x, this.size.y, false);
  }

  restyle(theme: Theme): void {
    this.studio.restyle(theme);
  }

  resize(width: number, height: number, insets: Insets): void {
    Object.assign(this.insets, insets);
    if (width !== this.size.x || height !== this.size.y || !this.canvas.width) {
      this.size.set(Math.max(width, 1), Math.max(height, 1));
      this.renderer.setPixelRatio(this.ratio());
      this.renderer.setSize(this.size.x, this.size.y, false);
    }
  }

  /// Camera, light and floor to the size of a character.
  fit(box: Box3, metresPerUnit: number): void {
    this.box.copy(box);
    this.light(box, metresPerUnit);
    this.orbit.frame(this.box, this.aspect());
  }

  /// Light and floor alone.
  light(box: Box3, metresPerUnit: number): void {
    const size = box.getSize(new Vector3()).length();
    const centre = box.getCenter(new Vector3());
    this.studio.fit(centre.x, box.min.y, centre.z, Math.max(size, 1e-6), metresPerUnit);
  }

  refit(): void {
    this.orbit.frame(this.box, this.aspect());
  }

  /// Where the second view begins: the middle of what panels leave.
  get split(): number {
    return this.compare
      ? Math.round((this.insets.left + this.size.x - this.insets.right) / 2)
      : this.size.x;
  }

  /// From pixels of the page to -1..1 of the view under them; sets the camera to that view.
  toView(clientX: number, clientY: number, out: Vector2): Vector2 {
    const area = this.canvas.getBoundingClientRect();
    const x = clientX - area.left;
    const y = clientY - area.top;
    const second = x >= this.split;
    const width = second ? this.size.x - this.split : this.split;
    this.aim(second);
    return out.set(((second ? x - this.split : x) / width) * 2 - 1, 1 - (y / this.size.y) * 2);
  }

  /// Whether the view there shows bones alone.
  bareAt(clientX: number): boolean {
    return this.compare && clientX - this.canvas.getBoundingClientRect().left < this.split;
  }

  draw(before: BeforeDraw): void {
    const { renderer, scene, camera } = this;
    if (this.lost) return;
    renderer.info.reset();
    this.timer.begin();
    const { x: width, y: height } = this.size;
    for (let side = 0; side < (this.compare ? 2 : 1); ++side) {
      const left = side ? this.split : 0;
      const wide = side ? width - this.split : this.split;
      this.aim(side === 1);
      renderer.setScissorTest(this.compare);
      renderer.setScissor(left, 0, wide, height);
      renderer.setViewport(left, 0, wide, height);
      before(this.compare && side === 0); // flesh last: hands and bounds are of that
      renderer.render(scene, camera);
    }
    this.timer.end();
    this.drawCalls = renderer.info.render.calls;
    this.triangles = renderer.info.render.triangles;
  }

  private aspect(): number {
    const { left, right, top, bottom } = this.insets;
    const wide = (this.size.x - left - right) / (this.compare ? 2 : 1);
    return Math.max(wide, this.size.x * 0.15) / Math.max(this.size.y - top - bottom, 1);
  }

  /// The middle of the picture is the middle of what panels leave free, and its height is seen
  /// there as it would be on the whole canvas.
  private aim(second: boolean): void {
    const { top, bottom } = this.insets;
    const { x, y: height } = this.size;
    const width = second ? x - this.split : this.split;
    const left = second ? 0 : this.insets.left;
    const right = this.compare && !second ? 0 : this.insets.right;
    this.camera.aspect = width / height;
    this.camera.zoom = Math.max(height - top - bottom, height * 0.3) / height;
    this.camera.setViewOffset(width, height, (right - left) / 2, (bottom - top) / 2, width, height);
  }
}
