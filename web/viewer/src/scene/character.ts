// SPDX-License-Identifier: Apache-2.0
import {
  AnimationMixer, type AnimationAction, type AnimationClip, Box3, Group, type Intersection,
  type Material, Mesh, type Raycaster, SkinnedMesh, type Sphere, Texture, Vector3,
} from 'three';
import type { GLTF } from 'three/addons/loaders/GLTFLoader.js';
import type { Player } from 'supple';
import type { SuppleMesh } from 'supple-three';

import { type Comparison, isRecorded } from '../data/comparison';
import type { Sources } from '../data/sources';
import type { Sequence } from '../data/simulation';
import { BesidePlay } from '../palette/beside_play';
import { type Part, ScenePlay } from '../palette/play';
import { Copies } from './copies';
import { facesBack } from './facing';
import { FleshSettings } from './flesh';
import { Forces } from './forces';
import { Handles } from './handles';
import { History } from './history';
import { Leash } from './leash';
import { measure, type Measured } from './measure';
import { Methods, type Side } from './methods';
import { disposeSkeletons } from './posed_copy';
import { Shaker } from './shaker';
import { Touch } from './touch';

const kStep = 1 / 60; // longest step; slower screens take several
const kLongest = 0.1; // longest frame time that is simulated, seconds
const kSettle = 4; // seconds for a shell to settle before it is first shown
const kWideModes = 6; // whose extremes the view of a scene covers
const kAround = new Box3();
const kStill = 1e-5; // metres: flesh that moves less is at rest

/// A character on the stage: its glTF scene, clips, flesh if any, and the interaction with it.
export class Character {
  readonly pivot = new Group();
  readonly clips: AnimationClip[];
  readonly settings: FleshSettings | null;
  readonly history: History | null;
  readonly shaker = new Shaker();
  readonly forces: Forces | null;
  readonly handles: Handles | null; // if it has shells
  readonly touch: Touch | null;
  readonly play: ScenePlay | null; // if it is a scene
  readonly box = new Box3(); // in the pose of the file
  readonly leash: Leash;
  readonly size: number;
  readonly metresPerUnit: number;
  readonly front: number; // the azimuth that it faces
  speed = 1;
  beside: BesidePlay | null = null; // the scene beside its true simulation
  playing = false;
  shownMode = -1;
  time = 0;
  private readonly mixer: AnimationMixer;
  private readonly shape: Float32Array;
  private copies: Copies | null = null;
  private action: AnimationAction | null = null;
  private readonly usualRange: number;
  private modePhase = 0;
  private methods: Methods | null = null;
  private comparing = false;
  private readonly home = new Vector3(); // its centre in the pose of the file
  private readonly moved = new Vector3();

  constructor(
    readonly sources: Sources,
    readonly gltf: GLTF,
    readonly flesh: SuppleMesh | null,
    readonly comparison: Comparison | null = null,
  ) {
    this.pivot.add(gltf.scene);
    this.play = flesh && flesh.asset.scenes.length > 0
      ? new ScenePlay(flesh, () => this.copyPlayers) : null;
    // A scene's own clips are in its palette: only the file's other motion is left.
    this.clips = this.play ? gltf.animations.filter(({ tracks }) => tracks.length > 0)
      : gltf.animations;
    this.mixer = new AnimationMixer(gltf.scene);
    gltf.scene.traverse((object) => {
      if (!(object instanceof Mesh)) return;
      object.castShadow = object.receiveShadow = true;
      object.frustumCulled = false; // bones and flesh leave the bounds in the file
    });
    this.pivot.updateMatrixWorld(true);
    this.front = facesBack(gltf.scene) ? Math.PI : 0;
    this.box.setFromObject(gltf.scene, true);
    if (this.box.isEmpty()) this.box.set(new Vector3(-0.5, 0, -0.5), new Vector3(0.5, 1, 0.5));
    this.size = Math.max(this.box.getSize(new Vector3()).length(), 1e-6);
    this.leash = new Leash(this.size);
    this.centre(this.home);
    this.metresPerUnit = flesh?.asset.info.metresPerUnit ?? 1;
    this.shaker.reset(this.size);
    this.settings = flesh && new FleshSettings(flesh.asset, flesh.player);
    this.history = flesh && new History(flesh.asset.info.modeCount);
    const metres = this.size * this.metresPerUnit;
    const players = (): Player[] => this.players;
    this.touch = flesh && new Touch(flesh.asset, players, metres);
    this.forces = flesh && new Forces(players, metres, comparison?.direction ?? null);
    this.handles = flesh && flesh.asset.shells.length > 0 ? new Handles(flesh) : null;
    if (this.handles) this.growBox();
    if (this.play) this.coverScene(this.play);
    this.usualRange = flesh?.colourRange ?? 1;
    this.shape = new Float32Array(flesh?.asset.info.modeCount ?? 0);
  }

  /// A shell sags from its modelled shape: the whole motion must be visible.
  private growBox(): void {
    const { flesh, gltf } = this;
    if (!flesh) return;
    for (let time = 0; time < kSettle; time += kStep) flesh.update(kStep);
    this.box.union(new Box3().setFromObject(gltf.scene, true));
    flesh.player.reset();
    flesh.update(kStep);
    flesh.player.reset();
  }

  /// The extremes of what the scene does must be visible, too.
  private coverScene(play: ScenePlay): void {
    for (const part of play.parts) this.coverPart(part, play.modesOf(part.info));
  }

  private coverPart({ portrait, info }: Part, modeCount: number): void {
    const { flesh, gltf } = this;
    if (!flesh || modeCount === 0) return;
    const { firstMode = 0 } = flesh.asset.objects[info.object] ?? {};
    const shape = new Float32Array(flesh.asset.info.modeCount);
    const extremes = new Set<number>();
    for (let mode = 0; mode < Math.min(modeCount, kWideModes); ++mode) {
      let [low, high] = [0, 0];
      const q = (state: number): number => portrait.states[state * modeCount + mode] ?? 0;
      for (let state = 0; state < info.stateCount; ++state) {
        if (q(state) < q(low)) low = state;
        if (q(state) > q(high)) high = state;
      }
      extremes.add(low).add(high);
    }
    for (const state of extremes) {
      const first = state * modeCount;
      shape.set(portrait.states.subarray(first, first + modeCount), firstMode);
      flesh.setCoefficients(shape);
      this.box.union(new Box3().setFromObject(gltf.scene, true));
    }
    flesh.setCoefficients(null);
  }

  // ---- Clips ----

  get clip(): AnimationClip | null {
    return this.action?.getClip() ?? null;
  }

  get clipTime(): number {
    return this.action?.time ?? 0;
  }

  /// Null: the pose in the file.
  choose(name: string | null): void {
    this.mixer.stopAllAction();
    this.action = null;
    const clip = this.clips.find((candidate) => candidate.name === name);
    if (clip) {
      this.action = this.mixer.clipAction(clip);
      this.action.play();
    }
    this.mixer.update(0);
    this.rest();
  }

  scrub(seconds: number): void {
    if (!this.action) return;
    this.action.time = seconds;
    this.mixer.update(0);
  }

  /// Resets the flesh: jumping to a pose must not shake it.
  rest(): void {
    this.pivot.updateMatrixWorld(true);
    this.flesh?.player.reset();
    this.copies?.rest();
    this.methods?.linear.player.reset();
    this.history?.clear();
  }

  // ---- Time ----

  /// True while anything except the camera moves.
  update(seconds: number): boolean {
    const dt = Math.min(seconds, kLongest);
    // First, because they borrow the character's bones; its own pose and bounds must remain at the
    // end.
    this.copies?.update(dt);
    if (this.shownMode >= 0) return this.swingMode(dt);
    if (this.beside) return this.beside.update(dt);
    const steps = Math.max(1, Math.ceil(dt / kStep - 0.01));
    let moving = this.playing && this.action !== null;
    for (let i = 0; i < steps; ++i) moving = this.step(dt / steps) || moving;
    if (this.methods && this.forces) this.methods.write(this.forces.gravity);
    return moving || !this.atRest();
  }

  private step(dt: number): boolean {
    if (this.playing) this.mixer.update(dt * this.speed);
    const shaken = this.shaker.step(dt, this.pivot);
    if (this.flesh && this.history) {
      this.touch?.act();
      this.flesh.update(dt);
      this.methods?.step(dt);
      this.time += dt;
      this.history.push(this.time, this.flesh.player.coefficients);
    }
    const replays = this.play?.update(dt) ?? false;
    return shaken || replays || this.touch?.pressing === true;
  }

  private atRest(): boolean {
    const { flesh, history } = this;
    if (!flesh || !history || history.count < 3) return flesh === null;
    if (this.methods && !this.methods.still(kStill)) return false;
    const { modes } = flesh.asset;
    for (let mode = 0; mode < modes.length; ++mode) {
      const still = kStill / (modes[mode]?.largestDisplacement || 1);
      const now = history.value(0, mode);
      if (Math.abs(now - history.value(1, mode)) >= still
          || Math.abs(now - history.value(2, mode)) >= still) return false;
    }
    return true;
  }

  // ---- Place ----

  /// The middle of its joints and rigid parts, apart from shaking: enough to follow it every frame.
  private centre(out: Vector3): Vector3 {
    kAround.makeEmpty();
    this.gltf.scene.traverse((object) => {
      if (object instanceof SkinnedMesh) {
        for (const bone of object.skeleton.bones) {
          kAround.expandByPoint(out.setFromMatrixPosition(bone.matrixWorld));
        }
      } else if (object instanceof Mesh) {
        if (!object.geometry.boundingSphere) object.geometry.computeBoundingSphere();
        const { center } = object.geometry.boundingSphere as Sphere;
        kAround.expandByPoint(out.copy(center).applyMatrix4(object.matrixWorld));
      }
    });
    return this.pivot.worldToLocal(kAround.getCenter(out));
  }

  /// How far the view has to shift to keep the character in it; null: it may stay.
  follow(): Vector3 | null {
    this.pivot.updateMatrixWorld(true);
    return this.leash.follow(this.centre(this.moved).sub(this.home)) ? this.leash.shift : null;
  }

  /// All that is visible now, with copies.
  shownBox(): Box3 {
    this.pivot.updateMatrixWorld(true);
    const box = new Box3().setFromObject(this.gltf.scene, true);
    if (box.isEmpty()) box.copy(this.box);
    this.copies?.expand(box);
    return box;
  }

  // ---- Copies ----

  get copyCount(): number {
    return this.copies?.count ?? 0;
  }

  get copyPlayers(): Copies['players'] {
    return this.copies?.players ?? [];
  }

  setCopies(count: number): void {
    this.copies?.dispose();
    this.copies = null;
    this.followersChanged(); // their players are closed
    if (!this.flesh || count < 1) return;
    this.copies = new Copies(this.flesh, count, this.box, (share) => this.poseLater(share));
    this.copies.colour(this.flesh.colourBy, this.flesh.colourRange);
    this.followersChanged();
    this.pivot.parent?.add(this.copies.root);
  }

  /// In the pose of the file, where the view has followed it to; includes all copies.
  crowdBox(): Box3 {
    const box = this.box.clone().translate(this.leash.shift);
    this.copies?.expand(box);
    return box;
  }

  private poseLater(share: number): void {
    const { action } = this;
    const duration = action?.getClip().duration ?? 0;
    if (!action || duration <= 0) return; // one pose, for all of them
    const { time } = action;
    action.time = (time + share * duration) % duration;
    this.mixer.update(0);
    action.time = time;
  }

  // ---- Comparison ----

  private get players(): Player[] {
    return this.flesh ? [this.flesh.player, ...this.followers] : [];
  }

  private get followers(): Player[] {
    return [...this.copyPlayers, ...(this.methods?.players ?? [])];
  }

  private followersChanged(): void {
    this.settings?.setCopies(this.followers);
    this.forces?.apply();
    this.handles?.setFollowers(this.methods ? [this.methods.linear] : []);
  }

  /// Flesh next to bones alone; shells by several methods.
  compare(on: boolean): void {
    if (!this.flesh || this.play || on === this.comparing) return;
    this.comparing = on;
    if (on && this.handles) {
      this.methods = new Methods(this.flesh, this.comparison);
      this.pivot.add(...this.methods.scenes);
    } else {
      this.methods?.dispose();
      this.methods = null;
    }
    this.followersChanged();
    this.showSide(-1);
  }

  /// Play beside the true simulation, whose frames come later; null: live play again.
  showBeside(sequence: Sequence | null): BesidePlay | null {
    if (!this.flesh || !this.play) return null;
    this.beside?.dispose();
    this.beside = null;
    if (!sequence) this.play.reset();
    this.play.cancelAll();
    this.play.trail.length = 0;
    this.flesh.player.reset();
    this.flesh.update(0);
    this.history?.clear();
    if (sequence) {
      this.beside = new BesidePlay(this.flesh, this.play, sequence);
      this.pivot.add(this.beside.copy.scene);
    }
    this.showSide(-1);
    return this.beside;
  }

  get sides(): Side[] {
    const root = this.gltf.scene;
    if (this.beside) {
      return [{ label: 'played back', root }, { label: 'simulated', root: this.beside.copy.scene }];
    }
    if (this.methods) return this.methods.sides(this.shownMode >= 0);
    if (!this.comparing) return [{ label: '', root }];
    return [{ label: 'bones alone', root }, { label: 'with flesh', root }];
  }

  get linearCoefficients(): number[] {
    return [...(this.methods?.linear.coefficients ?? [])];
  }

  /// Whether the recording matches the current gravity.
  get recorded(): boolean {
    return !!this.forces && !!this.comparison
      && isRecorded(this.comparison, this.forces.gravity);
  }

  /// -1: the flesh itself, for interaction and bounds.
  showSide(side: number): void {
    this.bare = this.comparing && !this.methods && !this.beside && side === 0;
    const others = this.beside ? [this.beside.copy.scene] : this.methods?.scenes;
    if (!others) return;
    const shown = this.sides[side]?.root ?? this.gltf.scene;
    for (const scene of [this.gltf.scene, ...others]) scene.visible = scene === shown;
  }

  /// Bones only.
  private set bare(value: boolean) {
    // Only on a change: rays then hit another surface.
    if (this.flesh && this.flesh.enabled === value) this.flesh.enabled = !value;
    if (this.copies) this.copies.enabled = !value;
  }

  // ---- Interaction ----

  /// On the content of a side.
  hit(raycaster: Raycaster, side: number): Intersection | null {
    // three.js keeps the sphere of the first pose requested; flesh keeps its own.
    this.pivot.traverse((object) => {
      if (object instanceof SkinnedMesh && !this.flesh?.meshes.includes(object)) {
        object.computeBoundingSphere();
      }
    });
    this.showSide(side);
    const hit = raycaster.intersectObject(this.sides[side]?.root ?? this.pivot, true)[0] ?? null;
    this.showSide(-1);
    return hit;
  }

  isShell(vertex: number): boolean {
    return vertex >= 0 && this.handles !== null && this.touch?.kindAt(vertex) === 'shell';
  }

  vertexOf(hit: Intersection): number {
    return Math.max(this.flesh?.vertexOf(hit) ?? -1, this.methods?.linear.vertexOf(hit) ?? -1);
  }

  /// By displacement; metres at the light end, because mode shapes are larger than the motion of
  /// clips.
  colour(on: boolean): number {
    const { flesh } = this;
    if (!flesh) return 0;
    if (this.beside) {
      const range = on ? this.beside.usualRange : 0;
      this.beside.colour(range);
      flesh.colourBy = 'none';
      return range;
    }
    const metres = this.shownMode >= 0 ? this.touch?.depthOf(this.shownMode) ?? 0
      : this.usualRange * this.metresPerUnit;
    flesh.colourBy = on ? 'displacement' : 'none';
    flesh.colourRange = metres / this.metresPerUnit;
    this.copies?.colour(flesh.colourBy, flesh.colourRange);
    this.methods?.colour(flesh.colourBy, flesh.colourRange);
    return metres;
  }

  // ---- Modes ----

  /// -1: none, the flesh moves freely.
  showMode(mode: number): void {
    if (!this.flesh) return;
    this.shownMode = mode;
    this.modePhase = 0;
    if (mode < 0) {
      this.flesh.setCoefficients(null);
      this.methods?.linear.setCoefficients(null);
      this.rest();
    }
  }

  /// Coefficient at which the mode's longest displacement is about a finger deep.
  modeAmplitude(mode: number): number {
    const longest = this.flesh?.asset.modes[mode]?.largestDisplacement ?? 0;
    return longest > 0 ? (this.touch?.depthOf(mode) ?? 0) / longest : 0;
  }

  private swingMode(dt: number): boolean {
    this.modePhase += dt * 2 * Math.PI * kShownHz;
    this.shape.fill(0);
    this.shape[this.shownMode] = this.modeAmplitude(this.shownMode) * Math.sin(this.modePhase);
    this.flesh?.setCoefficients(this.shape);
    this.flesh?.update(dt);
    this.methods?.linear.setCoefficients(this.shape);
    this.methods?.step(dt);
    this.time += dt;
    this.history?.push(this.time, this.shape);
    return true;
  }

  /// The shell bent farthest: relative to what rest modes can follow, and in radians.
  bend(): { beyond: number; turn: number } {
    const states = this.flesh?.asset.shells.map(({ object }) =>
      this.flesh?.player.shellState(object)) ?? [];
    return {
      beyond: Math.max(0, ...states.map((state) => state?.beyond ?? 0)),
      turn: Math.max(0, ...states.map((state) => state?.largestTurn ?? 0)),
    };
  }

  measured(object: number): Measured {
    const { flesh, history } = this;
    return flesh && history ? measure(flesh.asset, history, object) : { hz: 0, mode: -1 };
  }

  dispose(): void {
    this.copies?.dispose();
    this.methods?.dispose();
    this.beside?.dispose();
    this.handles?.dispose();
    this.mixer.stopAllAction();
    this.pivot.removeFromParent();
    this.flesh?.dispose();
    this.sources.release();
    disposeSkeletons(this.gltf.scene);
    this.gltf.scene.traverse((object) => {
      if (!(object instanceof Mesh)) return;
      object.geometry.dispose();
      for (const material of [object.material].flat()) disposeMaterial(material);
    });
  }
}

function disposeMaterial(material: Material): void {
  for (const value of Object.values(material)) {
    if (!(value instanceof Texture)) continue;
    value.dispose();
    // Pictures wait long for the garbage collector, which does not see their size.
    if (value.image instanceof ImageBitmap) value.image.close();
  }
  material.dispose();
}

/// Slow enough for the eye.
export const kShownHz = 0.7;
