// SPDX-License-Identifier: Apache-2.0
import {
  NeutralToneMapping, Box3, PCFShadowMap, PerspectiveCamera, Scene, Vector2, Vector3, WebGLRenderer,
} from 'three';

import type { Theme } from '../theme';
import { type Cell, divide, type Insets } from './cells';
import { GpuTimer, UploadCounter } from './cost';
import { Orbit } from './orbit';
import { Studio } from './studio';

/// Low: no multisampling, a small shadow, one pixel per point of the page.
export type Quality = 'low' | 'high';

/// Called before each side of a comparison is drawn.
export type BeforeDraw = (side: number) => void;

/// The canvas, its renderer and the character's surroundings.
export class Stage {
  readonly canvas = document.createElement('canvas');
  readonly renderer: WebGLRenderer;
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(28, 1, 0.01, 100);
  readonly orbit: Orbit;
  readonly uploads: UploadCounter;
  readonly timer: GpuTimer;
  sides = 1; // views side by side
  lost = false;
  drawCalls = 0;
  triangles = 0;
  onLost = (): void => {};
  onRestored = (): void => {};
  coarse = 1;
  readonly followed = new Vector3(); // how far the view went along since the last fit
  private readonly studio: Studio;
  private readonly size = new Vector2(1, 1);
  private readonly insets: Insets = { left: 0, right: 0, top: 0, bottom: 0 };
  private readonly box = new Box3(new Vector3(-0.5, 0, -0.5), new Vector3(0.5, 1.8, 0.5));

  /// Throws without WebGL 2.
  constructor(reducedMotion: () => boolean, readonly quality: Quality) {
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
      event.preventDefault(); // otherwise the browser does not restore it
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

  /// Fewer pixels while frames take too long, for phones and software renderers.
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

  /// Adapts camera, light and floor to the size of a character that faces this azimuth.
  fit(box: Box3, metresPerUnit: number, front = 0): void {
    this.box.copy(box);
    this.followed.set(0, 0, 0);
    this.light(box, metresPerUnit);
    this.orbit.face(front);
    this.orbit.frame(this.box, this.aspect());
  }

  /// Light and floor only.
  light(box: Box3, metresPerUnit: number): void {
    const size = box.getSize(new Vector3()).length();
    const centre = box.getCenter(new Vector3());
    this.studio.fit(centre.x, box.min.y, centre.z, Math.max(size, 1e-6), metresPerUnit);
  }

  /// Floor and background of the studio; its light stays.
  setStudio(on: boolean): void {
    this.studio.setRoom(on);
    if (on) this.orbit.look();
  }

  /// The light follows a character that moves far.
  moveLight(at: Vector3): void {
    this.studio.moveTo(at.x, at.y, at.z);
  }

  refit(): void {
    this.orbit.frame(this.box, this.aspect());
  }

  /// Looks at this box from now on; light and floor stay.
  frame(box: Box3): void {
    this.box.copy(box);
    this.refit();
  }

  /// Camera, light and floor go along with a character that has moved away.
  follow(shift: Vector3): void {
    const by = shift.clone().sub(this.followed);
    this.followed.copy(shift);
    this.box.translate(by);
    this.orbit.shift(by);
    this.studio.shift(by);
  }

  cells(): Cell[] {
    return divide(this.sides, this.size.x, this.size.y, this.insets);
  }

  /// The side under a point of the page.
  sideAt(clientX: number, clientY: number): number {
    const area = this.canvas.getBoundingClientRect();
    const [x, y] = [clientX - area.left, clientY - area.top];
    const inside = ({ left, top, width, height }: Cell): boolean =>
      x >= left && y >= top && x < left + width && y < top + height;
    return Math.max(this.cells().findIndex(inside), 0);
  }

  /// From pixels of the page to -1..1 of the view under them; sets the camera to that view.
  toView(clientX: number, clientY: number, out: Vector2, side: number): Vector2 {
    const area = this.canvas.getBoundingClientRect();
    const cell = this.cells()[side] ?? this.cells()[0] as Cell;
    this.aim(cell);
    return out.set(((clientX - area.left - cell.left) / cell.width) * 2 - 1,
      1 - ((clientY - area.top - cell.top) / cell.height) * 2);
  }

  /// From the world to pixels of the page.
  toPage(point: Vector3, side: number): Vector2 {
    const area = this.canvas.getBoundingClientRect();
    const cell = this.cells()[side] ?? this.cells()[0] as Cell;
    this.aim(cell);
    const seen = point.clone().project(this.camera);
    return new Vector2(area.left + cell.left + ((seen.x + 1) / 2) * cell.width,
      area.top + cell.top + ((1 - seen.y) / 2) * cell.height);
  }

  draw(before: BeforeDraw): void {
    const { renderer, scene, camera } = this;
    if (this.lost) return;
    this.studio.prepare();
    renderer.info.reset();
    this.timer.begin();
    this.cells().forEach((cell, side) => {
      const bottom = this.size.y - cell.top - cell.height;
      this.aim(cell);
      renderer.setScissorTest(this.sides > 1);
      renderer.setScissor(cell.left, bottom, cell.width, cell.height);
      renderer.setViewport(cell.left, bottom, cell.width, cell.height);
      before(side);
      renderer.render(scene, camera);
    });
    this.timer.end();
    this.drawCalls = renderer.info.render.calls;
    this.triangles = renderer.info.render.triangles;
  }

  private aspect(): number {
    const { width, height, insets } = this.cells()[0] as Cell;
    const wide = width - insets.left - insets.right;
    return Math.max(wide, this.size.x * 0.15) / Math.max(height - insets.top - insets.bottom, 1);
  }

  /// Centres the picture in the area free of panels, and scales it so that its height fits there.
  private aim({ width, height, insets }: Cell): void {
    const { left, right, top, bottom } = insets;
    this.camera.aspect = width / height;
    this.camera.zoom = Math.max(height - top - bottom, height * 0.3) / height;
    this.camera.setViewOffset(width, height, (right - left) / 2, (bottom - top) / 2, width, height);
  }
}
