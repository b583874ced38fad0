// SPDX-License-Identifier: Apache-2.0
import { Status, SuppleError } from './errors.js';
import type { Module } from './module.js';

/** A mesh that tools compressed, quantised, welded or reordered after the bake; see supple_mesh in
 * supple.h. */
export interface ChangedMesh {
  /** Where its vertices come from, in their order. */
  primitives: { mesh: number; primitive: number; vertexCount: number; indexCount: number }[];
  /** x y z of all vertices as in the glTF file; normalised integers as fractions. */
  positions: Float32Array;
  /** The same for normals, zeros where a primitive has none. */
  normals?: Float32Array;
  /** Triangle corners, counted from 0 in each primitive. */
  indices: Uint32Array;
  /** The glTF node of each object, then of each attachment; absent: as in the file. */
  nodes?: Uint32Array;
}

/** How the vertices were matched. */
export interface MatchInfo {
  vertexCount: number;
  /** Vertices at another place in the list than when they were baked. */
  reordered: number;
  /** Parts whose mesh is in another scale: quantised ones. */
  scaledParts: number;
  /** The largest of a vertex from where it was, in the file's units. */
  distance: number;
}

function checkSizes({ primitives, positions, normals, indices }: ChangedMesh): void {
  const sum = (key: 'vertexCount' | 'indexCount') =>
    primitives.reduce((total, primitive) => total + primitive[key], 0);
  const vertices = sum('vertexCount');
  const fits =
    positions.length === 3 * vertices &&
    (normals === undefined || normals.length === positions.length) &&
    indices.length === sum('indexCount');
  if (fits) return;
  throw new SuppleError(
    Status.badArgument,
    `The primitives have ${vertices} vertices and ${sum('indexCount')} triangle corners; give ` +
      'three numbers of position and normal for each vertex, and one for each corner.',
  );
}

/** supple_asset_rebind of arrays outside the module's memory: the address of the new asset. */
export function rebind(
  module: Module,
  asset: number,
  mesh: ChangedMesh,
): { asset: number; match: MatchInfo } {
  checkSizes(mesh);
  const table = Uint32Array.from(
    mesh.primitives.flatMap((p) => [p.mesh, p.primitive, p.vertexCount, p.indexCount]),
  );
  const { positions, indices } = mesh;
  const none = new Uint32Array();
  const arrays = [table, positions, indices, mesh.normals ?? none, mesh.nodes ?? none];
  const size = module.member('supple_mesh').size;
  const infoSize = module.member('supple_match_info').size;
  const bytes = arrays.reduce((total, array) => total + array.byteLength, 0);
  return module.borrow(bytes + size + infoSize + 32, (block) => {
    let next = block;
    const addresses = arrays.map((array) => {
      const at = next;
      const content = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
      module.bytes.set(content, at);
      next += array.byteLength;
      return array.byteLength === 0 ? 0 : at;
    });
    // Structs begin at multiples of 8.
    const at = 8 * Math.ceil(next / 8);
    const info = at + 8 * Math.ceil(size / 8);
    const result = info + infoSize;
    module.setNumber(at, 'supple_mesh.struct_size', size);
    module.setNumber(info, 'supple_match_info.struct_size', infoSize);
    const fields = ['primitives', 'positions', 'indices', 'normals', 'nodes'];
    fields.forEach((name, i) => {
      module.setNumber(at, `supple_mesh.${name}`, addresses[i] as number);
    });
    module.setNumber(at, 'supple_mesh.primitive_count', mesh.primitives.length);
    module.check(module.call.supple_asset_rebind(asset, at, info, result));
    const number = (name: string) => module.number(info, `supple_match_info.${name}`);
    const match = {
      vertexCount: number('vertex_count'),
      reordered: number('reordered'),
      scaledParts: number('scaled_parts'),
      distance: number('distance'),
    };
    return { asset: module.view.getUint32(result, true), match };
  });
}
