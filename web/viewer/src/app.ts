// SPDX-License-Identifier: Apache-2.0
import { Vector3 } from 'three';

import { hashValue } from './address';
import { Baking } from './baking';
import { Beside } from './beside';
import { clock } from './clock';
import { Hands, kNoFlesh, kPaletteOnly, kRigid } from './input';
import { Opening } from './opening';
import { Output } from './output';
import { Pacer } from './pacer';
import type { Character } from './scene/character';
import type { Tunable } from './scene/flesh';
import type { ForceSettings } from './scene/forces';
import type { HandleMode, Held } from './scene/handles';
import { Stage } from './scene/stage';
import { Swimming } from './swim/swimming';
import { fileSurface, WaterSurface } from './swim/water_surface';
import { Page } from './page';
import type { ThemeSwitch } from './theme';
import type { FrameCost } from './ui/plots';
import { installHook } from './install_hook';

const kMostCopies = 100;
const kIdleFrames = 3; // drawn after the last motion, so that the page shows the final state
const kStep = 1 / 60; // seconds, of a held clock

/// The application state: what is shown and what moves.
export class App {
  readonly stage: Stage;
  readonly page: Page;
  readonly opening: Opening;
  readonly output: Output;
  readonly baking: Baking;
  readonly beside: Beside;
  readonly cost: FrameCost = { cpu: 0, gpu: null, draws: 0, uploads: 0, bytes: 0 };
  readonly ready: Promise<void>;
  character: Character | null = null;
  swimming: Swimming | null = null; // if the character is a swimmer
  pool: WaterSurface | null = null; // around a soft swimmer
  object = -1; // the selected part; -1: all
  colour = false;
  comparing = false;
  opened = 0; // counts what was shown
  frames = 0;
  moving = false;
  private readonly reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
  private scheduled = 0;
  private idle = 0;
  private last = 0;
  private begun = false; // it is known what to show first
  private wasPlaying = false;
  private readonly direction = new Vector3();
  private readonly onFrame = (now: number): void => this.frame(now);
  private readonly beforeDraw = (side: number): void => this.character?.showSide(side);
  private readonly pacer: Pacer;
  private readonly fixedQuality: boolean;

  constructor(readonly themes: ThemeSwitch) {
    const asked = new URLSearchParams(location.search).get('quality');
    const quality = asked === 'low' ? 'low' : 'high';
    this.fixedQuality = asked !== null;
    this.stage = new Stage(() => this.reducedMotion.matches, quality);
    this.pacer = new Pacer(this.stage);
    this.baking = this.makeBaking();
    this.beside = this.makeBeside();
    this.page = new Page(this);
    this.opening = new Opening(this);
    this.output = new Output(this, this.opening);
    this.stage.restyle(themes.theme);
    themes.onChange((theme) => {
      this.stage.restyle(theme);
      this.swimming?.restyle(theme);
      this.pool?.restyle(theme);
      this.page.restyle();
      this.wake();
    });
    this.stage.onLost = () => this.page.contextLost();
    this.stage.onRestored = () => {
      this.swimming?.restyle(themes.theme);
      this.page.contextRestored();
      this.wake();
    };
    // A swimmer is steered and a scene answers to its palette: dragging turns the view.
    new Hands(this.stage, () => (this.swimming || this.character?.play ? null : this.character), {
      wake: () => this.wake(),
      acted: (problem) => this.page.acted(problem),
      handlesChanged: () => this.changed(),
    });
    addEventListener('resize', () => this.resized());
    document.addEventListener('visibilitychange', () => this.wake());
    this.page.arrange();
    this.ready = this.opening.begin().then(() => {
      this.begun = true;
      this.wake();
    });
    installHook(this);
  }

  private makeBaking(): Baking {
    const app = this;
    return new Baking({
      get server() { return app.opening.server; },
      get character() { return app.character; },
      get swims() { return app.swimming !== null; },
      get notices() { return app.page.notices; },
      openBaked: async (files) => {
        const opened = await app.opening.openBaked(files);
        const { character } = app;
        // Something must be seen to move.
        if (opened && !character?.playing && !app.reducedMotion.matches) app.jolt(0, 1.6);
        return opened;
      },
      changed: () => app.page.baking(),
    });
  }

  private makeBeside(): Beside {
    const app = this;
    return new Beside({
      get server() { return app.opening.server; },
      get character() { return app.character; },
      get notices() { return app.page.notices; },
      sidesChanged: () => {
        app.arrangeSides();
        app.setColour(app.colour); // its range
      },
      wake: () => app.wake(),
    });
  }

  // ---- What is open ----

  show(character: Character, keepView: boolean): void {
    this.swimming?.dispose();
    this.swimming = null;
    this.pool?.dispose();
    this.pool = null;
    this.character?.dispose();
    this.character = character;
    ++this.opened;
    this.stage.scene.add(character.pivot);
    if (character.handles) this.stage.scene.add(character.handles.group);
    this.object = -1;
    this.page.show(character);
    this.resized();
    this.setCompare(this.comparing || hashValue('compare') !== null);
    if (keepView) character.leash.shift.copy(this.stage.followed);
    else this.stage.fit(character.box, character.metresPerUnit, character.front);
    const wanted = hashValue('clip') ?? character.sources.item?.clip;
    const clip = character.clips.find(({ name }) => name === wanted) ?? character.clips[0];
    const still = ['poke', 'drag'].includes(character.sources.item?.action ?? '');
    character.choose(still && !wanted ? null : clip?.name ?? null);
    character.playing = !this.reducedMotion.matches && hashValue('paused') === null;
    this.setColour(this.colour || hashValue('colour') !== null);
    this.setCopies(Number(hashValue('copies') ?? 1));
    character.update(1 / 60);
    const surface = fileSurface(character.gltf.scene);
    if (character.sources.item?.action === 'swim' || (surface !== null && !character.flesh)) {
      this.swim(character);
    } else if (surface !== null) {
      this.fillPool(surface);
    }
    this.follow();
    this.baking.opened();
    this.beside.opened();
    this.page.refresh();
    this.wake();
  }

  /// The water around a soft character, which stays in the studio so that it can be poked.
  private fillPool(height: number): void {
    const { character } = this;
    if (!character) return;
    this.pool = new WaterSurface(height, 1 / character.metresPerUnit);
    this.pool.restyle(this.themes.theme);
    this.stage.scene.add(this.pool.mesh);
    this.updatePool(0);
  }

  private updatePool(seconds: number): void {
    if (!this.pool || !this.character) return;
    this.character.box.getCenter(this.direction);
    this.pool.update(seconds, this.direction);
  }

  private swim(character: Character): void {
    const swimming = new Swimming({
      stage: this.stage,
      wake: () => this.wake(),
      problem: (what, why) => this.page.notices.error(what, why),
      inform: (text) => void this.page.notices.info(text),
      acted: () => this.page.acted(''),
      busy: () => this.page.helpOpen || this.page.inGallery,
    }, character, this.stage.quality, this.themes.theme);
    this.swimming = swimming;
    const { live, events } = this.opening;
    if (!live?.swim || !events) {
      this.page.recordedSwim();
      return;
    }
    swimming.connect(live.swim, live.token, events)
      .then(() => this.resized())
      .catch((error: unknown) => {
        this.page.notices.error('The swimmer cannot be steered', (error as Error).message);
        this.page.recordedSwim();
      });
  }

  // ---- Time ----

  /// Draws until nothing moves.
  wake(): void {
    this.idle = clock.held ? 1 : kIdleFrames;
    if (this.scheduled === 0) this.scheduled = requestAnimationFrame(this.onFrame);
  }

  private frame(now: number): void {
    this.scheduled = 0;
    const begun = performance.now();
    // After a pause the clock does not jump: the first frame is as long as any other.
    const dt = this.last > 0 && now - this.last < 500 ? (now - this.last) / 1000 : 1 / 60;
    const adapts = !this.output.recorder.running && !this.fixedQuality;
    if (this.last > 0 && adapts) this.pacer.add(now - this.last);
    this.last = now;
    this.stage.uploads.reset();
    const active = !clock.held && this.step(dt, now);
    this.draw();
    this.cost.cpu = performance.now() - begun;
    this.cost.gpu = this.stage.timer.milliseconds;
    this.cost.draws = this.stage.drawCalls;
    this.cost.uploads = this.stage.uploads.calls;
    this.cost.bytes = this.stage.uploads.bytes;
    this.page.tick(now);
    ++this.frames;
    if (active || this.output.recorder.running) this.idle = kIdleFrames;
    if (--this.idle > 0 && !document.hidden) {
      this.scheduled = requestAnimationFrame(this.onFrame);
    } else {
      this.last = 0;
      this.page.tick(Infinity);
    }
  }

  /// True while anything moves, including the camera.
  private step(dt: number, now: number): boolean {
    this.moving = this.character?.update(dt) ?? false;
    if (!this.page.inGallery && this.swimming?.update(dt, now)) this.moving = true;
    this.follow();
    if (this.moving) this.updatePool(dt);
    return this.stage.orbit.glide(dt) || this.moving;
  }

  /// The view goes along with a character whose clip leads away; a swimmer has its own camera.
  private follow(): void {
    const shift = this.swimming ? null : this.character?.follow() ?? null;
    if (shift) this.stage.follow(shift);
  }

  /// Advances a held clock and draws the result.
  advance(seconds: number): void {
    if (!clock.held) throw new Error('the clock is not held: open the page with ?clock=held');
    for (let steps = Math.round(seconds / kStep); steps > 0; --steps) {
      clock.advance(1000 * kStep);
      this.step(kStep, clock.now);
    }
    this.wake();
  }

  /// Whether the picture is up to date, with no frame pending.
  get drawn(): boolean {
    return this.scheduled === 0;
  }

  draw(): void {
    // The page comes first: preparing the stage takes a while, and behind a list nobody sees it.
    if (this.page.inGallery || (!this.begun && !this.character)) return;
    this.character?.handles?.update(this.stage.camera);
    this.stage.draw(this.beforeDraw);
    this.character?.showSide(-1);
  }

  resized(): void {
    const { innerWidth, innerHeight } = window;
    const insets = this.page.insets();
    this.stage.resize(innerWidth, innerHeight, insets);
    this.page.place(insets);
    this.wake();
  }

  // ---- Interaction ----

  /// Along the screen: x to the right, y up.
  jolt(x: number, y: number): void {
    if (this.character?.play) return this.page.acted(kPaletteOnly);
    const { camera } = this.stage;
    this.direction.setFromMatrixColumn(camera.matrixWorld, 0).setY(0).normalize()
      .multiplyScalar(x);
    this.direction.y += y;
    this.character?.shaker.jolt(this.direction);
    this.page.acted('');
    this.wake();
  }

  twist(): void {
    if (this.character?.play) return this.page.acted(kPaletteOnly);
    this.character?.shaker.turn(0.5);
    this.page.acted('');
    this.wake();
  }

  /// At the softest point of the selected part, along the view.
  pokeSelected(): void {
    const { character } = this;
    if (!character) return;
    if (character.play) return this.page.acted(kPaletteOnly);
    if (character.shownMode >= 0) return this.page.acted('Esc leaves the mode shape');
    this.stage.camera.getWorldDirection(this.direction);
    const vertex = character.touch?.softest(Math.max(this.object, 0)) ?? -1;
    const good = character.touch?.poke(vertex, this.direction);
    this.page.acted(good ? '' : character.flesh ? kRigid : kNoFlesh);
    this.wake();
  }

  // ---- Scenes ----

  /// Back to where the scene begins.
  restartScene(): void {
    const { character } = this;
    this.beside.close();
    character?.play?.reset();
    character?.history?.clear();
    this.changed();
  }

  // ---- Shells ----

  setHandleMode(mode: HandleMode): void {
    if (this.character?.handles) this.character.handles.mode = mode;
    this.changed();
  }

  keepHandles(on: boolean): void {
    if (this.character?.handles) this.character.handles.keep = on;
    this.changed();
  }

  /// Null: all of them.
  release(held: Held | null): void {
    const { handles } = this.character ?? {};
    if (held) handles?.remove(held);
    else handles?.clear();
    this.changed();
  }

  setForces(change: Partial<ForceSettings>): void {
    this.character?.forces?.set(change);
    this.changed();
  }

  // ---- Clips ----

  togglePlay(): void {
    const { character } = this;
    if (!character || character.clips.length === 0) return;
    if (character.shownMode >= 0) this.showMode(-1);
    if (!character.clip) {
      character.choose(character.clips[0]?.name ?? null);
      character.playing = true;
    } else {
      character.playing = !character.playing;
    }
    this.changed();
  }

  chooseClip(name: string | null): void {
    this.character?.choose(name);
    this.follow();
    this.changed();
  }

  /// Of another version of the same file: the clip that it adds is what one wants to see.
  playAdded(before: Character): boolean {
    const { character } = this;
    if (character?.sources.character.name !== before.sources.character.name) return false;
    const known = new Set(before.clips.map(({ name }) => name));
    const added = character.clips.filter(({ name }) => !known.has(name)).at(-1);
    if (!added) return false;
    this.chooseClip(added.name);
    character.playing = !this.reducedMotion.matches;
    this.changed();
    return true;
  }

  nextClip(step: number): void {
    const { character } = this;
    if (!character || character.clips.length === 0) return;
    const names = [null, ...character.clips.map(({ name }) => name)];
    const at = names.indexOf(character.clip?.name ?? null);
    this.chooseClip(names[(at + step + names.length) % names.length] ?? null);
  }

  scrub(seconds: number): void {
    this.character?.scrub(seconds);
    this.follow();
    this.wake();
  }

  setSpeed(factor: number): void {
    if (this.character) this.character.speed = factor;
    this.wake();
  }

  // ---- View ----

  select(object: number): void {
    this.object = object;
    this.page.select(object);
    this.wake();
  }

  setCompare(on: boolean): void {
    this.comparing = on;
    try {
      this.character?.compare(on);
    } catch (error) {
      this.page.notices.error('No comparison', (error as Error).message);
    }
    this.arrangeSides();
    this.changed();
  }

  /// By its button or key.
  toggleCompare(): void {
    if (this.character?.play) this.beside.toggle();
    else this.setCompare(!this.comparing);
  }

  private arrangeSides(): void {
    const count = this.character?.sides.length ?? 1;
    if (count === this.stage.sides) return;
    this.stage.sides = count;
    this.stage.refit();
  }

  setColour(on: boolean): void {
    this.colour = on;
    const range = this.character?.colour(on) ?? 0;
    const what = this.character?.beside ? 'distance' : 'displacement';
    this.page.legend.show(on && range > 0 ? range : null, what);
    this.changed();
  }

  showMode(mode: number): void {
    const { character } = this;
    if (!character?.flesh) return;
    if (character.shownMode < 0 && mode >= 0) {
      this.wasPlaying = character.playing;
      character.playing = false;
    }
    if (character.shownMode >= 0 && mode < 0) character.playing = this.wasPlaying;
    character.showMode(mode);
    this.page.acted('');
    const { objects } = character.flesh.asset;
    const owner = objects.findIndex(({ firstMode, modeCount }) =>
      mode >= firstMode && mode < firstMode + modeCount);
    if (owner >= 0) this.select(owner);
    this.arrangeSides();
    this.setColour(this.colour); // its range
    this.changed();
  }

  nextMode(step: number): void {
    const count = this.character?.flesh?.asset.info.modeCount ?? 0;
    if (count === 0) return;
    const at = this.character?.shownMode ?? -1;
    this.showMode(at < 0 ? (step > 0 ? 0 : count - 1) : (at + step + count) % count);
  }

  /// The total number.
  setCopies(count: number): void {
    const { character } = this;
    if (!character) return;
    const whole = Number.isFinite(count) ? Math.floor(count) : 1;
    try {
      character.setCopies(Math.min(Math.max(whole, 1), kMostCopies) - 1);
    } catch (error) {
      this.page.notices.error('No copies of this character', (error as Error).message);
    }
    this.stage.light(character.crowdBox(), character.metresPerUnit);
    this.changed();
  }

  frameCharacter(): void {
    if (this.swimming) {
      this.swimming.frame();
    } else {
      this.stage.orbit.reset();
      if (this.character) this.stage.frame(this.character.shownBox());
      else this.stage.refit();
    }
    this.wake();
  }

  changed(): void {
    this.page.refresh();
    this.wake();
  }

  resetSettings(): void {
    this.character?.settings?.reset(-1);
    this.character?.sources.edits.clear();
    this.setForces(this.character?.forces?.first ?? {});
  }

  setSettings(object: number, change: Partial<Tunable>): void {
    this.character?.settings?.set(object, change);
    this.changed();
  }
}
