// SPDX-License-Identifier: Apache-2.0
import { Plane, Raycaster, Vector2, Vector3 } from 'three';

import { clock } from './clock';
import { HandleDrag } from './handle_drag';
import type { Character } from './scene/character';
import type { Stage } from './scene/stage';

export const kRigid = 'No flesh here: this part is rigid';
export const kFixed = 'This vertex is fixed: choose another one';
export const kNoFlesh = 'No flesh: drop the character’s .supple file to add it.';
export const kPaletteOnly = 'A scene answers to its palette: its buttons and their keys';
const kMoved = 5; // pixels beyond which a click becomes a drag
const kHold = 220; // milliseconds after which a click becomes a press

type Gesture = 'none' | 'orbit' | 'pan' | 'pinch' | 'touch' | 'shake' | 'press' | 'handle';

export interface HandEvents {
  /// Something changed and must be drawn.
  wake(): void;
  /// The user acted on the character; the text describes a problem, or is ''.
  acted(problem: string): void;
  /// Handles were added or removed.
  handlesChanged(): void;
}

/// Mouse and touch: on the character they shake, poke and press, on its shells they pull a vertex,
/// elsewhere they turn the view.
export class Hands {
  private readonly pointers = new Map<number, Vector2>();
  private gesture: Gesture = 'none';
  private readonly start = new Vector2();
  private readonly view = new Vector2();
  private readonly raycaster = new Raycaster();
  private readonly plane = new Plane();
  private readonly grabbed = new Vector3();
  private readonly point = new Vector3();
  private readonly normal = new Vector3();
  private vertex = -1;
  private side = 0;
  private handle: HandleDrag | null = null;
  private holdTimer = 0;
  private pinchLength = 0;
  private readonly pinchMiddle = new Vector2();

  constructor(
    private readonly stage: Stage,
    private readonly character: () => Character | null,
    private readonly events: HandEvents,
  ) {
    const { canvas } = stage;
    canvas.addEventListener('pointerdown', (event) => this.down(event));
    canvas.addEventListener('pointermove', (event) => this.move(event));
    canvas.addEventListener('pointerup', (event) => this.up(event, true));
    canvas.addEventListener('pointercancel', (event) => this.up(event, false));
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 33 : 1;
      stage.orbit.zoom(Math.exp(event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.0015)));
      events.wake();
    }, { passive: false });
  }

  private down(event: PointerEvent): void {
    const { canvas } = this.stage;
    canvas.focus({ preventScroll: true });
    canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, new Vector2(event.clientX, event.clientY));
    this.stage.orbit.stopGlide();
    if (this.pointers.size === 2) return this.beginPinch();
    if (this.pointers.size > 2) return;
    this.start.set(event.clientX, event.clientY);
    if (event.button === 1 || event.shiftKey) this.gesture = 'pan';
    else if (event.button === 2 || event.altKey || !this.touch(event)) this.gesture = 'orbit';
    canvas.classList.toggle('grabbing', true);
    this.events.wake();
  }

  /// Whether the character is under the pointer; if so it is grabbed there.
  private touch(event: PointerEvent): boolean {
    const character = this.character();
    if (!character) return false;
    const { camera } = this.stage;
    this.side = this.stage.sideAt(event.clientX, event.clientY);
    this.aimRay(event);
    const kept = character.handles?.pick(this.raycaster.ray);
    if (kept && character.handles) {
      this.beginHandle(new HandleDrag(character.handles, kept, true, camera, this.raycaster.ray));
      return true;
    }
    const hit = character.hit(this.raycaster, this.side); // hit what is drawn
    this.vertex = hit && character.shownMode < 0 ? character.vertexOf(hit) : -1;
    if (!hit) return false;
    if (character.isShell(this.vertex)) return this.grab(character);
    if (this.vertex < 0 && character.handles) return false; // a precomputed shape
    this.gesture = 'touch';
    this.grabbed.copy(hit.point).sub(character.pivot.position);
    this.plane.setFromNormalAndCoplanarPoint(camera.getWorldDirection(this.normal), hit.point);
    this.normal.copy(this.raycaster.ray.direction);
    this.holdTimer = clock.after(kHold, () => this.hold());
    return true;
  }

  private aimRay(event: PointerEvent): void {
    this.stage.toView(event.clientX, event.clientY, this.view, this.side);
    this.raycaster.setFromCamera(this.view, this.stage.camera);
  }

  /// A vertex of a shell follows the pointer.
  private grab(character: Character): boolean {
    const { handles } = character;
    const held = handles?.grab(this.vertex);
    this.normal.copy(this.raycaster.ray.direction);
    if (handles && held) {
      const { camera } = this.stage;
      this.beginHandle(new HandleDrag(handles, held, false, camera, this.raycaster.ray));
    } else {
      this.gesture = 'none';
      this.events.acted(kFixed);
    }
    return true;
  }

  private beginHandle(drag: HandleDrag): void {
    this.handle = drag;
    this.gesture = 'handle';
    this.events.handlesChanged();
  }

  private hold(): void {
    const character = this.character();
    if (this.gesture !== 'touch' || !character) return;
    if (!character.touch?.press(this.vertex, this.normal)) return;
    this.gesture = 'press';
    this.events.acted('');
    this.events.wake();
  }

  private beginPinch(): void {
    this.letGo();
    this.gesture = 'pinch';
    this.measurePinch();
  }

  private measurePinch(): void {
    const [a, b] = [...this.pointers.values()];
    if (!a || !b) return;
    this.pinchLength = a.distanceTo(b);
    this.pinchMiddle.addVectors(a, b).multiplyScalar(0.5);
  }

  private move(event: PointerEvent): void {
    const last = this.pointers.get(event.pointerId);
    if (!last) return;
    const dx = event.clientX - last.x;
    const dy = event.clientY - last.y;
    last.set(event.clientX, event.clientY);
    const height = this.stage.canvas.clientHeight;
    switch (this.gesture) {
      case 'orbit':
        this.stage.orbit.turn((-dx * 2.6) / height, (-dy * 2.6) / height, true);
        break;
      case 'pan':
        this.stage.orbit.pan(dx / height, dy / height);
        break;
      case 'pinch':
        this.pinch(height);
        break;
      case 'touch':
      case 'press': {
        // A pressing finger trembles; a shaking one moves farther.
        const still = this.gesture === 'press' ? 4 * kMoved : kMoved;
        if (Math.hypot(last.x - this.start.x, last.y - this.start.y) < still) return;
        clock.cancel(this.holdTimer);
        this.character()?.touch?.letGo();
        this.gesture = 'shake';
        this.events.acted('');
        this.drag(event);
        break;
      }
      case 'shake':
        this.drag(event);
        break;
      case 'handle':
        this.aimRay(event);
        this.handle?.move(this.raycaster.ray, dx / height, dy / height, event.shiftKey);
        this.events.acted('');
        break;
      default:
        return;
    }
    this.events.wake();
  }

  private pinch(height: number): void {
    const length = this.pinchLength;
    const { x, y } = this.pinchMiddle;
    this.measurePinch();
    if (length > 0 && this.pinchLength > 0) this.stage.orbit.zoom(length / this.pinchLength);
    this.stage.orbit.pan((this.pinchMiddle.x - x) / height, (this.pinchMiddle.y - y) / height);
  }

  private drag(event: PointerEvent): void {
    this.aimRay(event);
    if (!this.raycaster.ray.intersectPlane(this.plane, this.point)) return;
    this.character()?.shaker.hold(this.point.sub(this.grabbed));
  }

  private up(event: PointerEvent, ended: boolean): void {
    if (!this.pointers.delete(event.pointerId)) return;
    if (ended && this.gesture === 'touch') this.poke();
    const still = Math.hypot(event.clientX - this.start.x, event.clientY - this.start.y) < kMoved;
    if (ended && still && this.handle) this.tap(this.handle);
    if (this.pointers.size > 0) {
      this.gesture = 'none'; // a remaining finger does not start a new gesture
      return;
    }
    this.letGo();
    this.stage.canvas.classList.toggle('grabbing', false);
    this.events.wake();
  }

  private poke(): void {
    const character = this.character();
    if (!character || character.shownMode >= 0) return;
    const good = character.touch?.poke(this.vertex, this.normal);
    this.events.acted(good ? '' : character.flesh ? kRigid : kNoFlesh);
  }

  /// A click pokes a shell, unless pinning is on; on a handle it does nothing.
  private tap(drag: HandleDrag): void {
    const { handles } = this.character() ?? {};
    if (drag.wasThere || handles?.keep) return;
    handles?.remove(drag.held);
    this.poke();
  }

  private letGo(): void {
    this.handle?.end();
    if (this.handle) this.events.handlesChanged();
    this.handle = null;
    clock.cancel(this.holdTimer);
    this.character()?.shaker.release();
    this.character()?.touch?.letGo();
    this.gesture = 'none';
  }
}
