// SPDX-License-Identifier: Apache-2.0
import { loadedSupple } from 'supple';
import { Box3, Quaternion, Vector3 } from 'three';

import type { App } from './app';
import type { BesideState, ScenePlayState, SwimState, ViewerHook } from './hook';

function swimState(app: App): SwimState | null {
  const live = app.swimming?.live;
  const frame = live?.newest;
  if (!live || !frame) return null;
  const torso = live.setup.segments.findIndex(({ name }) => name === 'torso');
  const turn = new Quaternion().fromArray(frame.rotations, 4 * Math.max(torso, 0));
  const { time, run, held, speed, distance, power } = frame;
  return {
    frames: live.frames,
    time, run, held, speed, distance, power,
    stroke: live.setup.strokes[frame.stroke]?.name ?? '',
    centre: [...frame.centre],
    velocity: [...frame.velocity],
    forward: new Vector3(1, 0, 0).applyQuaternion(turn).toArray(),
    aim: [...frame.aim],
  };
}

function besideState(app: App): BesideState | null {
  const beside = app.character?.beside;
  if (!beside) return null;
  const { sequence, known, frame, complete, rms, rmsAll, relative } = beside;
  const { actions, frames } = sequence;
  return { actions, frames, known, frame, complete, rms: [...rms], rmsAll, relative };
}

function sceneState(app: App): ScenePlayState | null {
  const play = app.character?.play;
  if (!play) return null;
  const { response, frame, off, entry } = play.state;
  const name = (index: number): string => play.entries[index]?.name ?? '';
  return {
    name: play.name, seconds: play.seconds,
    parts: play.parts.map((part) => ({ name: part.name, modes: play.modesOf(part.info) })),
    response, frame, atRest: play.atRest, off,
    entry: entry === null ? '' : name(play.entryOf(entry)),
    allowed: play.entries.flatMap((_, index) => (play.allowed(index) ? [name(index)] : [])),
    acts: play.acts.map((act) => ({ ...act, entry: name(act.entry) })),
    point: app.page.scenePoint,
    beside: besideState(app),
    worst: play.log.worst.map((blend) => ({
      entry: blend.entry, strength: blend.strength, off: blend.off,
    })),
  };
}

function covered(app: App): ReturnType<ViewerHook['covered']> {
  const box = app.character?.shownBox() ?? new Box3();
  const at = (bit: number, corner: number, axis: 'x' | 'y' | 'z'): number =>
    ((corner >> bit) & 1 ? box.max[axis] : box.min[axis]);
  const corners = Array.from({ length: 8 }, (_, i) => app.stage.toPage(
    new Vector3(at(0, i, 'x'), at(1, i, 'y'), at(2, i, 'z')), 0));
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  return {
    left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys),
  };
}

export function installHook(app: App): void {
  const place = (part: string): number => {
    if (part === 'all') return -1;
    const objects = app.character?.flesh?.asset.objects ?? [];
    const index = objects.findIndex(({ name }) => name === part);
    if (index < 0) throw new Error(`unknown part '${part}'`);
    return index;
  };
  window.suppleViewer = {
    ready: app.ready,
    get itemId() { return app.character?.sources.id ?? null; },
    get fleshName() { return app.character?.sources.flesh?.name ?? null; },
    camera: () => app.stage.camera.position.toArray(),
    covered: () => covered(app),
    get opened() { return app.opened; },
    get frames() { return app.frames; },
    get moving() { return app.moving; },
    get drawn() { return app.drawn; },
    advance: (seconds) => app.advance(seconds),
    get hasFlesh() { return !!app.character?.flesh; },
    get shownMode() { return app.character?.shownMode ?? -1; },
    get clipTime() { return app.character?.clipTime ?? 0; },
    get errors() { return [...app.page.notices.errors]; },
    coefficients: () => [...(app.character?.flesh?.coefficients ?? [])],
    copyCoefficients: (copy) => [...(app.character?.copyPlayers[copy]?.coefficients ?? [])],
    setSettings: (part, change) => app.setSettings(place(part), change),
    settings: (part) => app.character?.settings?.get(Math.max(place(part), 0)) ?? null,
    select: (part) => app.select(place(part)),
    measured: () => app.character?.measured(Math.max(app.object, 0)) ?? { hz: 0, mode: -1 },
    modes: () => app.character?.flesh?.asset.modes ?? [],
    showShape: (coefficients) => {
      app.character?.flesh?.setCoefficients(coefficients);
      app.wake();
    },
    stats: () => ({
      cpuMilliseconds: app.cost.cpu, gpuMilliseconds: app.cost.gpu,
      drawCalls: app.cost.draws, triangles: app.stage.triangles,
      uploads: app.cost.uploads, uploadBytes: app.cost.bytes,
    }),
    memory: () => ({
      ...app.stage.renderer.info.memory, playerBytes: loadedSupple()?.memoryBytes ?? 0,
    }),
    exportSettings: () => app.output.settingsToml(),
    get vertexCount() { return app.character?.flesh?.asset.info.vertexCount ?? 0; },
    vertex: (vertex) => {
      const pose = app.character?.flesh?.poseOf(vertex);
      if (!pose) throw new Error('the character has no shell');
      const page = app.stage.toPage(new Vector3(...pose.position), 0).toArray();
      return { ...pose, page };
    },
    handles: () => (app.character?.handles?.list ?? []).map(({ slot, vertex, mode, pinned }) => {
      const { positionError = 0, turnError = 0 } = app.character?.flesh?.player.handleState(slot)
        ?? {};
      return { vertex, mode, pinned, positionError, turnError };
    }),
    bend: () => app.character?.bend() ?? { beyond: 0, turn: 0 },
    gravity: () => app.character?.forces?.gravity.toArray() ?? [],
    get sides() { return app.character?.sides.map(({ label }) => label) ?? []; },
    linearCoefficients: () => app.character?.linearCoefficients ?? [],
    scene: () => sceneState(app),
    swim: () => swimState(app),
    get surface() { return app.swimming ? app.swimming.surface : app.pool?.height ?? null; },
    rootOffset: () => app.character?.pivot.position.toArray() ?? [0, 0, 0],
  };
}
