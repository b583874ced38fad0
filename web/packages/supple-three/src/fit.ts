// SPDX-License-Identifier: Apache-2.0
// Fits an asset to a mesh that tools compressed, quantised, welded or reordered after the bake.
import { type Asset, type MatchInfo, Status, type SuppleError } from 'supple';
import type { BufferGeometry, Mesh } from 'three';

import { copyVectors, cornersOf, findParts, type LoadedGltf, placesOf } from './parts.js';

interface Primitive {
  mesh: number;
  primitive: number;
  geometry: BufferGeometry;
}

/** The asset for this mesh: the given one if it was baked for it, otherwise a new one, whose
 * vertices were matched by position. */
export function fitAsset(gltf: LoadedGltf, asset: Asset): Asset {
  const { nodes, moved } = findNodes(gltf, asset);
  const mismatch = mismatchOf(gltf, asset);
  if (mismatch === undefined && moved === 0) return asset;
  const mesh = readMesh(gltf);
  if (mismatch !== undefined && mesh.primitives.length === 0) throw mismatch;
  let changed: ReturnType<Asset['rebind']>;
  try {
    changed = asset.rebind({ ...mesh, nodes });
  } catch (error) {
    if (mismatch === undefined) return asset; // a file that does not say where its vertices were
    throw error;
  }
  const { asset: rebound, match } = changed;
  try {
    findParts(gltf, rebound);
  } catch (error) {
    rebound.close();
    throw error;
  }
  console.info(describe(match, moved, asset.info.metresPerUnit));
  return rebound;
}

/** What differs from the mesh that the asset was baked for. */
function mismatchOf(gltf: LoadedGltf, asset: Asset): SuppleError | undefined {
  try {
    findParts(gltf, asset);
    return undefined;
  } catch (error) {
    if ((error as Partial<SuppleError>).status !== Status.otherMesh) throw error;
    return error as SuppleError;
  }
}

function describe(match: MatchInfo, moved: number, metres: number): string {
  const { vertexCount, reordered, scaledParts, distance } = match;
  const how = reordered > 0 ? 'by position' : 'in their order';
  const within = (1000 * distance * metres).toPrecision(3);
  let text =
    `supple: the mesh has changed since it was baked: ${vertexCount} vertices were matched ` +
    `${how}, within ${within} mm`;
  if (scaledParts > 0) text += `; ${scaledParts} of its parts are quantised`;
  if (moved > 0) text += `; ${moved} of its bones were found by name`;
  return `${text}.`;
}

/** The nodes of objects and attachments. Tools that drop nodes move the others in the list; their
 * names stay. */
function findNodes(gltf: LoadedGltf, asset: Asset): { nodes: Uint32Array; moved: number } {
  const json = gltf.parser?.json as { nodes?: { name?: string }[] } | undefined;
  const names = (json?.nodes ?? []).map((node, i) => node.name || `node ${i}`);
  let moved = 0;
  const place = ({ node, bone }: { node: number; bone: string }) => {
    if (bone === '' || names.length === 0 || names[node] === bone) return node;
    const found = names.indexOf(bone);
    if (found < 0) return node;
    ++moved;
    return found;
  };
  const nodes = Uint32Array.from([...asset.objects, ...asset.attachments].map(place));
  return { nodes, moved };
}

/** Every primitive of the file that the scene shows, once. */
function primitivesOf(gltf: LoadedGltf): Primitive[] {
  const found = new Map<string, Primitive>();
  gltf.scene.traverse((object) => {
    if (!('isMesh' in object)) return;
    const { meshes, primitives } = placesOf(gltf, object);
    const { geometry } = object as Mesh;
    if (meshes === undefined || !geometry.hasAttribute('position')) return;
    const primitive = primitives ?? 0;
    found.set(`${meshes} ${primitive}`, { mesh: meshes, primitive, geometry });
  });
  return [...found.values()].sort((a, b) => a.mesh - b.mesh || a.primitive - b.primitive);
}

function readMesh(gltf: LoadedGltf) {
  const found = primitivesOf(gltf);
  const corners = found.map((item) => cornersOf(gltf, item, item.geometry));
  const primitives = found.map(({ mesh, primitive, geometry }, i) => ({
    mesh,
    primitive,
    vertexCount: geometry.getAttribute('position').count,
    indexCount: corners[i]?.length ?? 0,
  }));
  const vertices = primitives.reduce((sum, { vertexCount }) => sum + vertexCount, 0);
  const positions = new Float32Array(3 * vertices);
  const normals = new Float32Array(3 * vertices);
  let first = 0;
  for (const { geometry } of found) {
    copyVectors(geometry, 'position', positions, first);
    if (geometry.hasAttribute('normal')) copyVectors(geometry, 'normal', normals, first);
    first += geometry.getAttribute('position').count;
  }
  return { primitives, positions, normals, indices: Uint32Array.from(corners.flat()) };
}
