// SPDX-License-Identifier: Apache-2.0
import {
  AnimationMixer, type AnimationAction, type AnimationClip, Box3, Group, type Intersection, Mesh,
  type Raycaster, SkinnedMesh, Texture, Vector3,
} from 'three';
import type { GLTF } from 'three/addons/loaders/GLTFLoader.js';
import type { SuppleMesh } from 'supple-three';

import type { Sources } from '../data/sources';
import { Copies } from './copies';
import { FleshSettings, Yield } from './flesh';
import { History } from './history';
import { measure, type Measured } from './measure';
import { Shaker } from './shaker';

const kStep = 1 / 60; // longest; slower screens take several
const kLongest = 0.1; // seconds of a frame that are made up for
const kStill = 1e-5; // metres: flesh that moves less is at rest

/// A character on the stage: its glTF scene, clips, flesh if there is any, and the hand on it.
export class Character {
  readonly pivot = new Group();
  readonly clips: AnimationClip[];
  readonly settings: FleshSettings | null;
  readonly history: History | null;
  readonly shaker = new Shaker();
  readonly box = new Box3();
  readonly size: number;
  readonly metresPerUnit: number;
  speed = 1;
  playing = false;
  shownMode = -1;
  time = 0;
  private readonly mixer: AnimationMixer;
  private readonly yields: Yield | null;
  private readonly shape: Float32Array;
  private copies: Copies | null = null;
  private action: AnimationAction | null = null;
  private readonly usualRange: number;
  private modePhase = 0;
  private pressed: { vertex: number; direction: Vector3; force: number } | null = null;
  private readonly force = [0, 0, 0];

  constructor(
    readonly sources: Sources,
    readonly gltf: GLTF,
    readonly flesh: SuppleMesh | null,
  ) {
    this.pivot.add(gltf.scene);
    this.clips = gltf.animations;
    this.mixer = new AnimationMixer(gltf.scene);
    gltf.scene.traverse((object) => {
      if (!(object instanceof Mesh)) return;
      object.castShadow = object.receiveShadow = true;
      object.frustumCulled = false; // bones and flesh leave the boxes that files give
    });
    this.pivot.updateMatrixWorld(true);
    this.box.setFromObject(gltf.scene, true);
    if (this.box.isEmpty()) this.box.set(new Vector3(-0.5, 0, -0.5), new Vector3(0.5, 1, 0.5));
    this.size = Math.max(this.box.getSize(new Vector3()).length(), 1e-6);
    this.metresPerUnit = flesh?.asset.info.metresPerUnit ?? 1;
    this.shaker.reset(this.size);
    this.settings = flesh && new FleshSettings(flesh.asset, flesh.player);
    this.history = flesh && new History(flesh.asset.info.modeCount);
    this.yields = flesh && new Yield(flesh.asset);
    this.usualRange = flesh?.colourRange ?? 1;
    this.shape = new Float32Array(flesh?.asset.info.modeCount ?? 0);
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

  /// Flesh without a past: a pose that was chosen, not reached, must not shake it.
  rest(): void {
    this.pivot.updateMatrixWorld(true);
    this.flesh?.player.reset();
    this.copies?.rest();
    this.history?.clear();
  }

  // ---- Time ----

  /// True while anything but the camera moves.
  update(seconds: number): boolean {
    const dt = Math.min(seconds, kLongest);
    // First, because they borrow his bones: his own pose and bounds are what stays.
    this.copies?.update(dt);
    if (this.shownMode >= 0) return this.swingMode(dt);
    const steps = Math.max(1, Math.ceil(dt / kStep - 0.01));
    let moving = this.playing && this.action !== null;
    for (let i = 0; i < steps; ++i) moving = this.step(dt / steps) || moving;
    return moving || !this.atRest();
  }

  private step(dt: number): boolean {
    if (this.playing) this.mixer.update(dt * this.speed);
    const shaken = this.shaker.step(dt, this.pivot);
    if (this.flesh && this.history) {
      if (this.pressed) {
        const { vertex, direction, force } = this.pressed;
        this.push(vertex, direction, force);
      }
      this.flesh.update(dt);
      this.time += dt;
      this.history.push(this.time, this.flesh.player.coefficients);
    }
    return shaken || this.pressed !== null;
  }

  private atRest(): boolean {
    const { flesh, history } = this;
    if (!flesh || !history || history.count < 3) return flesh === null;
    const { modes } = flesh.asset;
    for (let mode = 0; mode < modes.length; ++mode) {
      const still = kStill / (modes[mode]?.largestDisplacement || 1);
      const now = history.value(0, mode);
      if (Math.abs(now - history.value(1, mode)) >= still
          || Math.abs(now - history.value(2, mode)) >= still) return false;
    }
    return true;
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
    this.settings?.setCopies([]); // theirs are closed
    if (!this.flesh || count < 1) return;
    this.copies = new Copies(this.flesh, count, this.box, (share) => this.poseLater(share));
    this.copies.colour(this.flesh.colourBy, this.flesh.colourRange);
    this.settings?.setCopies(this.copies.players);
    this.pivot.parent?.add(this.copies.root);
  }

  /// Of all copies too.
  crowdBox(): Box3 {
    const box = this.box.clone();
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

  /// Bones only, for comparison.
  set bare(value: boolean) {
    // Only where it changes: rays meet another surface then.
    if (this.flesh && this.flesh.enabled === value) this.flesh.enabled = !value;
    if (this.copies) this.copies.enabled = !value;
  }

  // ---- Hands ----

  hit(raycaster: Raycaster): Intersection | null {
    // Three.js keeps the sphere of the pose in which it was first asked; flesh keeps its own.
    this.pivot.traverse((object) => {
      if (object instanceof SkinnedMesh && !this.flesh?.meshes.includes(object)) {
        object.computeBoundingSphere();
      }
    });
    return raycaster.intersectObject(this.pivot, true)[0] ?? null;
  }

  vertexOf(hit: Intersection): number {
    return this.flesh ? this.flesh.vertexOf(hit) : -1;
  }

  /// Metres that a finger reaches.
  private depth(): number {
    const limits = this.flesh?.asset.objects.map(({ limitMetres }) => limitMetres) ?? [];
    const limit = Math.max(...limits, 0);
    return limit * 0.6 || this.size * this.metresPerUnit * 0.02;
  }

  /// A tap on a vertex; false where there is no flesh.
  poke(vertex: number, direction: Vector3): boolean {
    if (!this.yields || vertex < 0) return false;
    const { impulse } = this.yields.forces(vertex, this.depth());
    if (impulse === 0) return false;
    this.push(vertex, direction, impulse / kStep);
    return true;
  }

  press(vertex: number, direction: Vector3): boolean {
    if (!this.yields || vertex < 0) return false;
    const { force } = this.yields.forces(vertex, this.depth());
    if (force === 0) return false;
    this.pressed = { vertex, direction: direction.clone(), force };
    return true;
  }

  letGo(): void {
    this.pressed = null;
  }

  /// The vertex of a part that its strongest mode moves most; -1 without flesh.
  softest(object: number): number {
    const mode = this.flesh?.asset.objects[object]?.firstMode ?? -1;
    return mode >= 0 && this.yields ? this.yields.farthest(mode) : -1;
  }

  private push(vertex: number, direction: Vector3, newtons: number): void {
    this.force[0] = direction.x * newtons;
    this.force[1] = direction.y * newtons;
    this.force[2] = direction.z * newtons;
    this.flesh?.player.push(vertex, this.force);
  }

  /// By displacement; metres at the light end: mode shapes are larger than what clips do.
  colour(on: boolean): number {
    const { flesh } = this;
    if (!flesh) return 0;
    const metres = this.shownMode >= 0 ? this.depth() : this.usualRange * this.metresPerUnit;
    flesh.colourBy = on ? 'displacement' : 'none';
    flesh.colourRange = metres / this.metresPerUnit;
    this.copies?.colour(flesh.colourBy, flesh.colourRange);
    return metres;
  }

  // ---- Modes ----

  /// -1: none, the flesh moves as it will.
  showMode(mode: number): void {
    if (!this.flesh) return;
    this.shownMode = mode;
    this.modePhase = 0;
    if (mode < 0) {
      this.flesh.setCoefficients(null);
      this.rest();
    }
  }

  /// Coefficient at which the mode's longest displacement is about a finger deep.
  modeAmplitude(mode: number): number {
    const longest = this.flesh?.asset.modes[mode]?.largestDisplacement ?? 0;
    return longest > 0 ? this.depth() / longest : 0;
  }

  private swingMode(dt: number): boolean {
    this.modePhase += dt * 2 * Math.PI * kShownHz;
    this.shape.fill(0);
    this.shape[this.shownMode] = this.modeAmplitude(this.shownMode) * Math.sin(this.modePhase);
    this.flesh?.setCoefficients(this.shape);
    this.flesh?.update(dt);
    this.time += dt;
    this.history?.push(this.time, this.shape);
    return true;
  }

  measured(object: number): Measured {
    const { flesh, history } = this;
    return flesh && history ? measure(flesh.asset, history, object) : { hz: 0, mode: -1 };
  }

  dispose(): void {
    this.copies?.dispose();
    this.mixer.stopAllAction();
    this.pivot.removeFromParent();
    this.flesh?.dispose();
    this.sources.release();
    this.gltf.scene.traverse((object) => {
      if (!(object instanceof Mesh)) return;
      object.geometry.dispose();
      for (const material of [object.material].flat()) {
        for (const value of Object.values(material)) {
          if (value instanceof Texture) value.dispose();
        }
        material.dispose();
      }
    });
  }
}

/// Slow enough for the eye.
export const kShownHz = 0.7;
