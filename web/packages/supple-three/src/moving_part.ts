// SPDX-License-Identifier: Apache-2.0
import { type Asset, type PartInfo, Status, SuppleError } from 'supple';
import {
  type AnimationClip,
  AttachedBindMode,
  type BufferGeometry,
  type DataTexture,
  InterleavedBuffer,
  InterleavedBufferAttribute,
  type Material,
  Mesh,
  type SkinnedMesh,
  Sphere,
  Vector3,
} from 'three';

import { boundsOf, isSkinned, type MeshBounds, unitOf } from './bounds.js';
import type { Variant } from './chunks.js';
import { colourScale, type Look } from './flesh.js';
import type { FleshSurface } from './flesh_surface.js';
import {
  movingMaterial,
  originalOf,
  shadowMaterials,
  type Uniforms,
  watchRenderer,
} from './material.js';
import { dropBakedWeights, withoutBakedMorphs } from './morphs.js';
import type { PartMesh } from './parts.js';
import type { ShapeTextures } from './textures.js';

const MOST_ATTRIBUTES = 16; // of a vertex, in every WebGL 2

interface Surroundings {
  asset: Asset;
  textures: ShapeTextures;
  coefficients: DataTexture;
  path: 'texture' | 'attributes';
  clips: AnimationClip[];
  surface: FleshSurface;
  look: Look;
  /** World units in a unit of the first part at rest. */
  firstUnit: number;
}

/** A mesh of the scene whose vertices move: its materials, its geometry, its bounds. */
export class MovingPart {
  readonly mesh: Mesh;
  readonly info: PartInfo;
  readonly bounds: MeshBounds;
  /** Of the first part's units: skins may have been bound in different ones. */
  readonly unit: number;
  /** The original properties of the mesh. */
  readonly original: Material | Material[];
  readonly #uniforms: Uniforms;
  readonly #variant: () => Variant;
  readonly #restore: () => void;
  #materials: Material[] = [];

  constructor({ part, mesh }: PartMesh, around: Surroundings) {
    const { asset, textures, look } = around;
    // Checked before anything changes, so that nothing needs to be undone.
    if (around.path === 'attributes') checkAttributes(mesh, asset);
    this.mesh = mesh;
    this.info = part;
    this.unit = unitOf(mesh) / around.firstUnit;
    const { path } = around;
    const floatShapes = asset.info.encodingBits === 32;
    this.#variant = () => {
      const { warp, colour } = look;
      return { path, floatShapes, skin: 'three', warp, colour };
    };
    this.#uniforms = {
      ...look.uniforms,
      supple_colour_scale: colourScale(look, this.unit),
      supple_shapes: { value: textures.shapes },
      supple_table: { value: textures.table },
      supple_coefficients: { value: around.coefficients },
      supple_first_vertex: { value: part.firstVertex },
    };
    const before = stateOf(mesh);
    const restoreClips = dropBakedWeights(around.clips, mesh, withoutBakedMorphs(mesh, asset));
    if (path === 'attributes') addShapeAttributes(mesh, part, asset);
    this.bounds = boundsOf(mesh);
    if (isSkinned(mesh)) mesh.boundingSphere = new Sphere();
    letRaysHitFlesh(mesh, part, around.surface);
    this.original = Array.isArray(mesh.material)
      ? mesh.material.map(originalOf)
      : originalOf(mesh.material);
    const restoreMesh = restorer(mesh, before, this.original);
    const unwatch = watchRenderer(mesh);
    this.#restore = () => {
      unwatch();
      restoreMesh();
      restoreClips();
    };
    this.#adopt(this.original);
    const shadows = shadowMaterials(this.#uniforms, this.#variant);
    mesh.customDepthMaterial = shadows.depth;
    mesh.customDistanceMaterial = shadows.distance;
  }

  #adopt(original: Material | Material[]): void {
    const moving = (material: Material) =>
      movingMaterial(material, this.#uniforms, this.#variant);
    this.#materials = [original].flat().map(moving);
    this.mesh.material = Array.isArray(original)
      ? this.#materials
      : (this.#materials[0] as Material);
  }

  /** For the current bones, and flesh that moves this far. */
  updateBounds(displacement: number): void {
    const { mesh } = this;
    const { boundingSphere } = isSkinned(mesh) ? mesh : mesh.geometry;
    this.bounds.into(boundingSphere as Sphere, displacement);
    // three.js does this when it renders; rays may come before.
    if (isSkinned(mesh) && mesh.bindMode === AttachedBindMode) {
      mesh.bindMatrixInverse.copy(mesh.matrixWorld).invert();
    }
  }

  setMaterial(material: Material): Material {
    for (const before of this.#materials) before.dispose();
    this.#adopt(material);
    // three.js overwrites their map and alpha test without checking for existing ones.
    const { customDepthMaterial, customDistanceMaterial } = this.mesh;
    if (customDepthMaterial) customDepthMaterial.needsUpdate = true;
    if (customDistanceMaterial) customDistanceMaterial.needsUpdate = true;
    return this.#materials[0] as Material;
  }

  dispose(): void {
    for (const material of this.#materials) material.dispose();
    this.mesh.customDepthMaterial?.dispose();
    this.mesh.customDistanceMaterial?.dispose();
    const moving = this.mesh.geometry;
    this.#restore();
    leaveBuffers(moving, this.mesh.geometry);
  }
}

function stateOf(mesh: Mesh) {
  const { geometry, morphTargetInfluences, morphTargetDictionary } = mesh;
  const { customDepthMaterial, customDistanceMaterial } = mesh;
  return {
    ...{ geometry, morphTargetInfluences, morphTargetDictionary },
    ...{ customDepthMaterial, customDistanceMaterial },
  };
}

/** Restores a mesh. */
function restorer(
  mesh: Mesh,
  before: ReturnType<typeof stateOf>,
  material: Material | Material[],
): () => void {
  return () => {
    Object.assign(mesh, before, { material });
    delete (mesh as Partial<Mesh>).getVertexPosition;
    if (isSkinned(mesh)) {
      mesh.boundingSphere = null as unknown as SkinnedMesh['boundingSphere'];
    }
  };
}

const guardians = new WeakMap<BufferGeometry, BufferGeometry>();

/** Shared buffers belong to the original geometry, and go when that is disposed of. But three.js
 * frees the buffers of geometries that it has drawn, and it may have drawn only ours: so one of ours
 * stays until then. */
function leaveBuffers(moving: BufferGeometry, original: BufferGeometry): void {
  if (moving === original || guardians.has(original)) return disposeOwn(moving);
  guardians.set(original, moving);
  const free = () => {
    original.removeEventListener('dispose', free);
    guardians.delete(original);
    moving.dispose();
  };
  original.addEventListener('dispose', free);
}

/** Frees only the buffers owned by this geometry: the others belong to the original or to a clone.
 * */
function disposeOwn(geometry: BufferGeometry): void {
  const index = geometry.getIndex();
  const shared = Object.entries(geometry.attributes).filter(
    ([name]) => !name.startsWith('supple_shape_'),
  );
  geometry.setIndex(null);
  for (const [name] of shared) geometry.deleteAttribute(name);
  geometry.dispose();
  geometry.setIndex(index);
  for (const [name, attribute] of shared) geometry.setAttribute(name, attribute);
}

function checkAttributes(mesh: Mesh, asset: Asset): void {
  const { attributes } = asset.gpuLayout;
  if (attributes === 0) {
    throw new SuppleError(
      Status.badArgument,
      'These shapes do not fit in vertex attributes (more than five modes per object, or two ' +
        "objects on a vertex): use the path 'texture'.",
    );
  }
  const taken = Object.keys(mesh.geometry.attributes).length;
  if (taken + attributes > MOST_ATTRIBUTES) {
    throw new SuppleError(
      Status.badArgument,
      `'${mesh.name}' has ${taken} vertex attributes and flesh needs ${attributes} of ` +
        `${MOST_ATTRIBUTES}: use the path 'texture'.`,
    );
  }
}

function addShapeAttributes(mesh: Mesh, part: PartInfo, asset: Asset): void {
  const { attributes } = asset.gpuLayout;
  const numbers = asset.gpuAttributes(part.firstVertex, part.vertexCount);
  const buffer = new InterleavedBuffer(numbers, 4 * attributes);
  for (let i = 0; i < attributes; ++i) {
    const attribute = new InterleavedBufferAttribute(buffer, 4, 4 * i, false);
    mesh.geometry.setAttribute(`supple_shape_${i}`, attribute);
  }
}

/** three.js calls this for vertex positions when it casts rays. */
function letRaysHitFlesh(mesh: Mesh, part: PartInfo, surface: FleshSurface): void {
  const original = mesh.getVertexPosition;
  const rest = new Vector3();
  mesh.getVertexPosition = (index, target) => {
    const positions = surface.positions;
    const at = 3 * (part.firstVertex + index);
    rest.fromBufferAttribute(mesh.geometry.getAttribute('position') as never, index);
    const x = (positions[at] as number) - rest.x;
    const y = (positions[at + 1] as number) - rest.y;
    const z = (positions[at + 2] as number) - rest.z;
    // Bones act on their input, so flesh is added first.
    if (!isSkinned(mesh)) {
      original.call(mesh, index, target);
      return target.set(target.x + x, target.y + y, target.z + z);
    }
    Mesh.prototype.getVertexPosition.call(mesh, index, target);
    target.set(target.x + x, target.y + y, target.z + z);
    return mesh.applyBoneTransform(index, target);
  };
}
