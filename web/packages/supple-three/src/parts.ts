// SPDX-License-Identifier: Apache-2.0
// Finds the objects of a three.js scene that are the parts and bones of an asset.
import { type Asset, NO_BONE, type PartInfo, Status, SuppleError } from 'supple';
import type { AnimationClip, BufferGeometry, Mesh, Object3D } from 'three';

import { isSkinned } from './bounds.js';

/** The part of three.js's GLTFLoader result needed here. */
export interface LoadedGltf {
  scene: Object3D;
  animations?: AnimationClip[];
  parser?: { associations: Map<unknown, unknown>; json: unknown };
}

/** Indices of an object among the glTF file's meshes, primitives and nodes. */
interface Places {
  meshes?: number;
  primitives?: number;
  nodes?: number;
}

/** Meshes of the scene that show a part; the part's vertices are the mesh's. */
export interface PartMesh {
  part: PartInfo;
  mesh: Mesh;
}

const TRIANGLE_STRIP = 5;
const TRIANGLE_FAN = 6;

// Kept on the object too: a clone of the scene keeps userData, not the loader's table.
export function placesOf(gltf: LoadedGltf, object: Object3D): Places {
  const told = gltf.parser?.associations.get(object) as Places | undefined;
  if (told !== undefined) object.userData['supple'] = { ...told };
  return told ?? (object.userData['supple'] as Places | undefined) ?? {};
}

/** A scene alone does not say which of the file's meshes its objects are. */
export function checkGltf(gltf: unknown): void {
  const given = (typeof gltf === 'object' ? gltf : null) as Partial<LoadedGltf> | null;
  if (given?.scene?.isObject3D) return;
  const what =
    given !== null && 'isObject3D' in given
      ? 'only its scene: give `gltf` instead of `gltf.scene`'
      : 'something else; a promise must be awaited first';
  throw new SuppleError(
    Status.badArgument,
    `Expected the result of three.js's GLTFLoader, not ${what}.`,
  );
}

export function findParts(gltf: LoadedGltf, asset: Asset): PartMesh[] {
  const all: PartMesh[] = [];
  gltf.scene.traverse((object) => {
    if (!('isMesh' in object)) return;
    const { meshes, primitives } = placesOf(gltf, object);
    const part = asset.parts.find((p) => p.mesh === meshes && p.primitive === (primitives ?? 0));
    if (part !== undefined) all.push({ part, mesh: object as Mesh });
  });
  const found = withoutOthers(gltf, asset, all);
  if (gltf.scene.children.length === 0 && !('isMesh' in gltf.scene)) throw emptyScene();
  for (const part of asset.parts) {
    const shown = found.filter((item) => item.part === part);
    const fits = (item: PartMesh) =>
      item.mesh.geometry.getAttribute('position').count === part.vertexCount;
    if (shown.length === 0 || !shown.every(fits)) throw otherMesh(part);
  }
  checkHash(gltf, asset, found);
  return found;
}

/** Two characters of a file may share a mesh: each draws it on its own bones. */
function withoutOthers(gltf: LoadedGltf, asset: Asset, all: PartMesh[]): PartMesh[] {
  const drivers = new Set(asset.objects.map(({ node }) => node));
  const isDriven = ({ mesh }: PartMesh) =>
    isSkinned(mesh) &&
    mesh.skeleton.bones.some((bone) => drivers.has(placesOf(gltf, bone).nodes ?? NO_BONE));
  const driven = new Set(all.filter(isDriven).map(({ part }) => part));
  return all.filter((item) => !driven.has(item.part) || isDriven(item));
}

function emptyScene(): SuppleError {
  return new SuppleError(
    Status.badArgument,
    '`gltf.scene` is empty: create the SuppleMesh before moving its children to another scene.',
  );
}

function otherMesh(part?: PartInfo): SuppleError {
  const where =
    part === undefined ? '' : ` (mesh ${part.mesh}, primitive ${part.primitive} does not fit)`;
  return new SuppleError(
    Status.otherMesh,
    `The .supple file was made for another mesh${where}: bake this character again.`,
  );
}

/** The node that drives each object of the asset; for a shell without a skin, the node that draws
 * its mesh; for an object without a bone, the scene itself. */
export function findBones(gltf: LoadedGltf, asset: Asset): Object3D[] {
  return findNodes(gltf, asset.objects, ({ name }) => `drives '${name}'`);
}

/** The node that moves each attachment of a shell. */
export function findAttachmentNodes(gltf: LoadedGltf, asset: Asset): Object3D[] {
  return findNodes(gltf, asset.attachments, ({ object }) => {
    return `holds '${asset.objects[object]?.name ?? ''}'`;
  });
}

function findNodes<T extends { node: number; bone: string }>(
  gltf: LoadedGltf,
  wanted: T[],
  does: (item: T) => string,
): Object3D[] {
  const byNode = new Map<number, Object3D>();
  gltf.scene.traverse((object) => {
    const { nodes } = placesOf(gltf, object);
    if (nodes !== undefined) byNode.set(nodes, object);
  });
  return wanted.map((item) => {
    if (item.node === NO_BONE) return gltf.scene;
    const bone = byNode.get(item.node) ?? gltf.scene.getObjectByName(item.bone);
    if (bone !== undefined) return bone;
    throw new SuppleError(
      Status.otherMesh,
      `The scene has no node ${item.node} ('${item.bone}'), which ${does(item)}.`,
    );
  });
}

/** Positions of all parts as in the bake. */
export function restPositions(asset: Asset, found: PartMesh[]): Float32Array {
  return restVectors(asset, found, 'position');
}

/** Normals of all parts, if all have them. */
export function restNormals(asset: Asset, found: PartMesh[]): Float32Array | undefined {
  if (!found.every(({ mesh }) => mesh.geometry.hasAttribute('normal'))) return undefined;
  return restVectors(asset, found, 'normal');
}

function restVectors(asset: Asset, found: PartMesh[], name: string): Float32Array {
  const vectors = new Float32Array(3 * asset.info.vertexCount);
  for (const { part, mesh } of found) {
    copyVectors(mesh.geometry, name, vectors, part.firstVertex);
  }
  return vectors;
}

// Uses the getters, because attributes may be interleaved or quantised.
export function copyVectors(
  geometry: BufferGeometry,
  name: string,
  target: Float32Array,
  first: number,
): void {
  const attribute = geometry.getAttribute(name);
  for (let i = 0, at = 3 * first; i < attribute.count; ++i) {
    target[at++] = attribute.getX(i);
    target[at++] = attribute.getY(i);
    target[at++] = attribute.getZ(i);
  }
}

function drawMode(gltf: LoadedGltf, part: { mesh: number; primitive: number }): number {
  interface Json {
    meshes?: { primitives?: { mode?: number }[] }[];
  }
  const json = gltf.parser?.json as Json | undefined;
  return json?.meshes?.[part.mesh]?.primitives?.[part.primitive]?.mode ?? 4;
}

// Strips and fans: the loader's triangles with their corners in the baker's order, without
// degenerate ones.
function bakedOrder(indices: number[], mode: number): number[] {
  if (mode !== TRIANGLE_STRIP && mode !== TRIANGLE_FAN) return indices;
  const ordered: number[] = [];
  for (let i = 0; i + 2 < indices.length; i += 3) {
    const [a, b, c] = indices.slice(i, i + 3) as [number, number, number];
    if (a === b || b === c || c === a) continue;
    if (mode === TRIANGLE_FAN) ordered.push(b, c, a);
    else if ((i / 3) % 2 === 1) ordered.push(c, a, b);
    else ordered.push(a, b, c);
  }
  return ordered;
}

/** Triangle corners of a primitive as the baker counts them. */
export function cornersOf(
  gltf: LoadedGltf,
  place: { mesh: number; primitive: number },
  geometry: BufferGeometry,
): number[] {
  const index = geometry.getIndex();
  const count = index?.count ?? geometry.getAttribute('position').count;
  const corners = Array.from({ length: count }, (_, i) => index?.getX(i) ?? i);
  return bakedOrder(corners, drawMode(gltf, place));
}

function checkHash(gltf: LoadedGltf, asset: Asset, found: PartMesh[]): void {
  const indices = asset.parts.flatMap((part) => {
    const mesh = found.find((item) => item.part === part)?.mesh;
    if (mesh === undefined) return [];
    return cornersOf(gltf, part, mesh.geometry).map((corner) => corner + part.firstVertex);
  });
  if (!asset.isMadeFor(restPositions(asset, found), Uint32Array.from(indices))) throw otherMesh();
}
