// SPDX-License-Identifier: Apache-2.0
import { type Object3D, SkinnedMesh, Vector3 } from 'three';

import type { LiveEvents } from '../data/live';
import type { Character } from '../scene/character';
import type { Quality } from '../scene/stage';
import type { Theme } from '../theme';
import { SwimCalls } from './calls';
import { kAside, kPolar } from './chase';
import { LiveSwim, type SwimHost } from './view';
import { Water } from './water';
import { fileSurface } from './water_surface';

const kBack = 1.5; // times the distance at which the swimmer fills the picture
const kFollow = 4; // 1/s

/// The part that the camera follows: our swimmer's pelvis, or the first bone of a character.
function trunkOf(scene: Object3D): Object3D {
  const pelvis = scene.getObjectByName('pelvis');
  if (pelvis) return pelvis;
  let bone: Object3D | null = null;
  scene.traverse((object) => {
    if (!bone && object instanceof SkinnedMesh) bone = object.skeleton.bones[0] ?? null;
  });
  return bone ?? scene;
}

/// The stage under water: the live swimmer if the program runs, otherwise a recorded clip.
export class Swimming {
  live: LiveSwim | null = null;
  private readonly water: Water;
  private readonly root: Object3D;
  private readonly recorded: number | null; // height of the surface in the file
  private readonly at = new Vector3();
  private readonly looked = new Vector3();
  private gone = false;

  constructor(
    private readonly host: SwimHost,
    private readonly character: Character,
    quality: Quality,
    private theme: Theme,
  ) {
    const { stage } = host;
    this.water = new Water(stage.scene, quality);
    this.water.restyle(theme);
    stage.setStudio(false);
    stage.orbit.look(kAside - Math.PI / 2, kPolar);
    stage.refit();
    stage.orbit.zoom(kBack);
    this.recorded = fileSurface(character.gltf.scene);
    this.root = trunkOf(character.gltf.scene);
    this.root.getWorldPosition(this.looked);
    document.body.classList.add('swimming');
  }

  /// Throws if the program has no swimmer; the clip then continues.
  async connect(address: string, token: string, events: LiveEvents): Promise<void> {
    const calls = new SwimCalls(address, token);
    const setup = await calls.setup();
    if (this.gone) return;
    const live = new LiveSwim(this.host, this.character, setup, calls, events);
    this.live = live;
    live.restyle(this.theme);
    document.body.classList.add('swim-live');
    document.body.append(live.hud.element, live.panel.element, live.panel.pad);
    live.watch(true);
  }

  /// The height of the water's surface; null: deep water.
  get surface(): number | null {
    return this.live ? this.live.surface : this.recorded;
  }

  restyle(theme: Theme): void {
    this.theme = theme;
    this.water.restyle(theme);
    this.live?.restyle(theme);
  }

  /// Resets the camera to its initial position relative to the swimmer.
  frame(): void {
    const { orbit } = this.host.stage;
    orbit.reset();
    orbit.zoom(kBack);
    this.live?.frame();
  }

  /// True while there is something to draw.
  update(seconds: number, now: number): boolean {
    const { stage } = this.host;
    const moves = this.live ? this.live.update(now) : this.follow(seconds);
    const centre = this.live?.newest ? this.live.centre : this.at;
    this.water.setSurface(this.surface);
    this.water.update(seconds, centre, stage.camera);
    stage.moveLight(centre);
    return moves;
  }

  /// For the clip.
  private follow(seconds: number): boolean {
    this.root.getWorldPosition(this.at);
    // When a clip restarts, the camera moves back with it.
    if (this.looked.distanceTo(this.at) > 2) this.looked.copy(this.at);
    this.looked.lerp(this.at, 1 - Math.exp(-kFollow * seconds));
    this.host.stage.orbit.follow(this.looked);
    return this.character.playing;
  }

  dispose(): void {
    this.gone = true;
    this.live?.dispose();
    this.water.dispose();
    this.host.stage.setStudio(true);
    document.body.classList.remove('swimming', 'swim-live');
  }
}
