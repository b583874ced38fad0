// SPDX-License-Identifier: Apache-2.0
import { Plane, Raycaster, Vector2, Vector3 } from 'three';

import { clock } from '../clock';
import type { LiveEvents } from '../data/live';
import type { Character } from '../scene/character';
import type { Stage } from '../scene/stage';
import type { Theme } from '../theme';
import { poseLabel, SwimHud } from '../ui/swim_hud';
import { SwimPanel, type SwimToggle } from '../ui/swim_panel';
import { ForceArrows } from './arrows';
import type { SwimCalls, SwimChange, SwimSetup } from './calls';
import { ChaseCamera } from './chase';
import { Figure } from './figure';
import { readFrame, type SwimFrame } from './frame';
import { SwimKeys } from './keys';
import { TargetMarker, Trail } from './marker';
import { Playhead } from './playhead';
import { SteeringHolds, type Way } from './steering';

const kLongest = 1; // longest time between two pictures that the camera follows, seconds
const kFarthest = 40; // largest distance in metres of a target placed by the user

export interface SwimHost {
  readonly stage: Stage;
  wake(): void;
  /// Reports an error on the page.
  problem(what: string, why: string): void;
  inform(text: string): void;
  acted(): void; // the user has started to interact
  busy(): boolean; // a dialog or the gallery receives the keys
}

/// The swimmer of the running program: shows the stream and sends the user's input.
export class LiveSwim {
  readonly hud = new SwimHud();
  readonly panel: SwimPanel;
  readonly shown: Record<SwimToggle, boolean> = {
    forces: true, target: true, trail: true, chase: true,
  };
  readonly centre = new Vector3();
  private readonly holds: SteeringHolds;
  private readonly keys: SwimKeys;
  private readonly playhead = new Playhead();
  private readonly figure: Figure;
  private readonly arrows: ForceArrows;
  private readonly marker = new TargetMarker();
  private readonly trail = new Trail();
  private readonly chase: ChaseCamera;
  private readonly at = new Vector3();
  private readonly ray = new Raycaster();
  private run = -1;
  private last = 0;
  private watching = false;
  private failed = false;
  private stopped = false;
  frames = 0;

  constructor(
    private readonly host: SwimHost,
    character: Character,
    readonly setup: SwimSetup,
    private readonly calls: SwimCalls,
    private readonly events: LiveEvents,
  ) {
    character.choose(null);
    this.figure = new Figure(character.gltf.scene, setup.segments.map(({ name }) => name));
    this.arrows = new ForceArrows(setup.segments.length);
    this.chase = new ChaseCamera(host.stage);
    this.holds = new SteeringHolds((hold) => {
      host.acted();
      this.send({ hold });
    });
    this.panel = new SwimPanel({
      chooseStroke: (stroke) => this.send({ stroke }),
      command: (command) => this.send({ command }),
      reset: () => this.send({ reset: true }),
      toggle: (what, on) => this.toggle(what, on),
      press: (holder, way) => this.holds.press(holder, way),
      release: (holder) => this.holds.release(holder),
    });
    this.panel.show(setup.strokes);
    this.keys = new SwimKeys(this, this.holds, () => host.busy());
    host.stage.scene.add(this.arrows.group, this.marker.group, this.trail.line);
    for (const what of Object.keys(this.shown) as SwimToggle[]) this.toggle(what, this.shown[what]);
    document.addEventListener('visibilitychange', this.watchAgain);
    host.stage.canvas.addEventListener('dblclick', this.point);
  }

  restyle(theme: Theme): void {
    this.arrows.restyle(theme);
  }

  get newest(): SwimFrame | null {
    return this.playhead.newest;
  }

  get surface(): number | null {
    return this.setup.surface[this.newest?.stroke ?? 0] ?? null;
  }

  // ---- Input ----

  toggle(what: SwimToggle, on: boolean): void {
    this.shown[what] = on;
    this.panel.press(what, on);
    this.arrows.group.visible = this.shown.forces;
    this.marker.group.visible = this.shown.target;
    this.trail.line.visible = this.shown.trail;
    this.host.wake();
  }

  nextStroke(): void {
    const { strokes } = this.setup;
    const next = strokes[((this.newest?.stroke ?? 0) + 1) % strokes.length];
    if (next) this.send({ stroke: next.name });
  }

  /// The stroke's own commands, counted from one.
  command(number: number): void {
    const name = this.setup.strokes[this.newest?.stroke ?? 0]?.commands[number - 1];
    if (name) this.send({ command: name });
  }

  frame(): void {
    this.chase.frame();
  }

  reset(): void {
    this.send({ reset: true });
  }

  /// A point of the water at the swimmer's depth becomes the target.
  private readonly point = (event: MouseEvent): void => {
    const { stage } = this.host;
    this.ray.setFromCamera(stage.toView(event.clientX, event.clientY, new Vector2(), 0),
      stage.camera);
    const plane = new Plane(new Vector3(0, 1, 0), -this.centre.y);
    const hit = this.ray.ray.intersectPlane(plane, new Vector3());
    if (!hit || hit.distanceTo(this.centre) > kFarthest) return;
    this.send({ target: [hit.x, hit.y, hit.z] });
  };

  private send(change: SwimChange): void {
    this.host.wake();
    this.calls.send(change).then(() => { this.failed = false; }, (error: unknown) => {
      if (!this.failed) {
        this.host.problem('The swimmer cannot be reached', (error as Error).message);
      }
      this.failed = true; // only once: a held key would repeat it twice a second
    });
  }

  // ---- The stream ----

  /// The page is hidden: the program pauses once all pages are.
  watch(on: boolean): void {
    this.watching = on;
    this.watchAgain();
  }

  private readonly watchAgain = (): void => {
    const on = this.watching && !document.hidden;
    if (!on) this.holds.releaseAll();
    this.events.use(on ? this.setup.frames : null, {
      frame: (data) => this.receive(data),
      stopped: (why) => this.tellStopped(why),
      refused: (why) => this.host.problem('The swimmer ignored the request', why),
    });
    this.host.wake();
  };

  private receive(data: string): void {
    try {
      const frame = readFrame(data);
      this.stopped = false;
      this.playhead.add(frame);
      this.tellPanel(frame); // even if pictures are late: another page may have chosen
      ++this.frames;
    } catch (error) {
      this.watch(false);
      this.host.problem('The swimmer cannot be shown', (error as Error).message);
    }
    if (!clock.held) this.host.wake(); // otherwise the held clock decides when to draw
  }

  /// The program repeats this for pages that connect later.
  private tellStopped(why: string): void {
    if (!this.stopped) {
      this.host.problem('The swimmer has stopped',
        `${why}. Press 0 to start again, or choose another stroke.`);
    }
    this.stopped = true;
  }

  // ---- Time ----

  /// True while there is something to draw.
  update(now: number): boolean {
    // The swimmer does not wait for a slow page.
    const seconds = Math.min(Math.max(now - this.last, 0) / 1000, kLongest);
    this.last = now;
    const moment = this.playhead.advance(seconds);
    if (!moment) return false;
    const { from, to, share } = moment;
    this.figure.pose(from, to, share);
    this.centre.fromArray(from.centre).lerp(this.at.fromArray(to.centre), share);
    if (to.run !== this.run) this.begin(to);
    this.chase.update(seconds, this.centre, to, this.shown.chase);
    this.drawForces(to);
    this.marker.set(to.aim, this.host.stage.camera.quaternion, seconds);
    this.trail.add(this.centre);
    this.tellFigures(to, now);
    return this.playhead.alive;
  }

  private begin(frame: SwimFrame): void {
    this.run = frame.run;
    if (frame.lostControl) this.host.inform('The swimmer lost control and starts again');
    this.trail.clear();
    this.hud.clear();
    this.chase.jump(this.centre);
    this.host.stage.orbit.follow(this.centre);
  }

  private drawForces(frame: SwimFrame): void {
    if (!this.shown.forces) return;
    const { quaternion } = this.host.stage.camera;
    this.setup.segments.forEach(({ centre }, i) => {
      this.at.set(...centre).applyQuaternion(this.figure.turns[i]!).add(this.figure.positions[i]!);
      this.arrows.set(i, this.at, frame.forces, quaternion);
    });
    this.arrows.finish();
  }

  private tellPanel(frame: SwimFrame): void {
    const [up, left, roll] = frame.held;
    const held: Record<Way, boolean> = {
      up: up > 0, down: up < 0, left: left > 0, right: left < 0,
      rollLeft: roll > 0, rollRight: roll < 0,
    };
    this.panel.tell(frame.stroke, held);
  }

  private tellFigures(frame: SwimFrame, now: number): void {
    const { distance, speed, power, cycles } = frame;
    const depth = (this.surface ?? 0) - this.centre.y;
    const pose = poseLabel(this.setup.strokes[frame.stroke]?.poses ?? [], frame.pose);
    const surface = this.surface !== null;
    this.hud.show({ distance, speed, power, cycles, depth, surface, pose }, now);
  }

  dispose(): void {
    this.watch(false);
    document.removeEventListener('visibilitychange', this.watchAgain);
    this.host.stage.canvas.removeEventListener('dblclick', this.point);
    this.keys.dispose();
    this.host.stage.scene.remove(this.arrows.group, this.marker.group, this.trail.line);
    for (const part of [this.arrows, this.marker, this.trail]) part.dispose();
    this.panel.element.remove();
    this.panel.pad.remove();
    this.hud.element.remove();
  }
}
