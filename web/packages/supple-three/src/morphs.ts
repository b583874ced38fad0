// SPDX-License-Identifier: Apache-2.0
// The baker puts the same shapes into .glb files as morph targets, for programs that do not read
// .supple files. During live playback they would move the flesh twice.
import type { Asset } from 'supple';
import { type AnimationClip, BufferGeometry, type KeyframeTrack, type Mesh } from 'three';

/** Names given by the baker: 'belly 2', 'belly 2 +', 'belly 2 - (3)', and for the recorded motion
 * of a shell 'leaf recorded 1 +'. */
function bakedNames(asset: Asset): (name: string) => boolean {
  const names = new Set<string>();
  for (const object of asset.objects) {
    for (let k = 1; k <= object.modeCount; ++k) {
      for (const sign of ['', ' +', ' -']) names.add(`${object.name} ${k}${sign}`);
    }
  }
  const shells = asset.shells.map(({ object }) => `${asset.objects[object]?.name ?? ''} recorded `);
  return (name) => {
    const base = name.replace(/ \(\d+\)$/, '');
    const isRecorded = (begin: string) =>
      base.startsWith(begin) && /^\d+( [+-])?$/.test(base.slice(begin.length));
    return names.has(base) || shells.some(isRecorded);
  };
}

/** A geometry that shares the buffers of another, without the baker's shapes. */
export function withoutBakedMorphs(mesh: Mesh, asset: Asset): { keep: number[]; total: number } {
  const source = mesh.geometry;
  const isBaked = bakedNames(asset);
  const names = Object.entries(mesh.morphTargetDictionary ?? {});
  const baked = new Set(names.filter(([name]) => isBaked(name)).map(([, index]) => index));
  const total = mesh.morphTargetInfluences?.length ?? 0;
  const keep = Array.from({ length: total }, (_, i) => i).filter((i) => !baked.has(i));
  const geometry = shareBuffers(source);
  for (const [name, attributes] of Object.entries(source.morphAttributes)) {
    const kept = attributes.filter((_, i) => !baked.has(i));
    if (kept.length > 0) geometry.morphAttributes[name as 'position'] = kept;
  }
  mesh.geometry = geometry;
  if (keep.length < total) {
    mesh.updateMorphTargets();
    const known = names.filter(([, index]) => !baked.has(index));
    mesh.morphTargetDictionary = Object.fromEntries(
      known.map(([name, index]) => [name, keep.indexOf(index)]),
    );
    if (keep.length === 0) mesh.morphTargetInfluences = undefined;
  }
  return { keep, total };
}

function shareBuffers(source: BufferGeometry): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.name = source.name;
  geometry.setIndex(source.getIndex());
  for (const [name, attribute] of Object.entries(source.attributes)) {
    geometry.setAttribute(name, attribute);
  }
  geometry.morphTargetsRelative = source.morphTargetsRelative;
  for (const group of source.groups) {
    geometry.addGroup(group.start, group.count, group.materialIndex);
  }
  geometry.drawRange = { ...source.drawRange };
  geometry.userData = source.userData;
  return geometry;
}

/** The modified tracks of a clip, which several meshes and characters may share. */
interface Cut {
  users: number;
  /** By the replacement track. */
  originals: Map<KeyframeTrack, KeyframeTrack>;
  dropped: KeyframeTrack[];
}

const cuts = new WeakMap<AnimationClip, Cut>();

/** Removes the columns of the baker's shapes from a mesh's weight tracks. Returns a function that
 * restores them, which takes effect when the last user of a clip calls it. */
export function dropBakedWeights(
  clips: AnimationClip[],
  mesh: Mesh,
  kept: { keep: number[]; total: number },
): () => void {
  if (kept.keep.length === kept.total) return () => undefined;
  const mine = [mesh.name, mesh.uuid, mesh.parent?.name, mesh.parent?.uuid].flatMap((name) =>
    name === undefined || name === '' ? [] : [`${name}.morphTargetInfluences`],
  );
  const taken = [...clips];
  for (const clip of taken) {
    const cut: Cut = cuts.get(clip) ?? { users: 0, originals: new Map(), dropped: [] };
    cuts.set(clip, cut);
    ++cut.users;
    clip.tracks = clip.tracks.flatMap((track) => {
      if (!mine.includes(track.name)) return [track];
      const original = cut.originals.get(track) ?? track;
      const shorter = kept.keep.length === 0 ? undefined : withColumns(track, kept);
      if (shorter === undefined) cut.dropped.push(original);
      else if (shorter !== track) cut.originals.set(shorter, original);
      return shorter ?? [];
    });
  }
  return () => taken.forEach(restoreTracks);
}

// Track by track: others may have added or removed some in between.
function restoreTracks(clip: AnimationClip): void {
  const cut = cuts.get(clip);
  if (cut === undefined || --cut.users > 0) return;
  cuts.delete(clip);
  clip.tracks = clip.tracks.map((track) => cut.originals.get(track) ?? track);
  clip.tracks.push(...cut.dropped);
}

function withColumns(track: KeyframeTrack, kept: { keep: number[]; total: number }): KeyframeTrack {
  const { keep, total } = kept;
  if (track.values.length % total !== 0 || track.values.length < track.times.length * total) {
    return track; // already modified
  }
  const rows = track.values.length / total;
  const values = new Float32Array(rows * keep.length);
  for (let row = 0; row < rows; ++row) {
    keep.forEach((column, i) => {
      values[row * keep.length + i] = track.values[row * total + column] as number;
    });
  }
  const copy = track.clone();
  copy.values = values;
  return copy;
}
