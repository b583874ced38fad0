// SPDX-License-Identifier: Apache-2.0
import {
  type IUniform,
  type Material,
  type Mesh,
  MeshDepthMaterial,
  MeshDistanceMaterial,
} from 'three';

import { colouredFragmentShader, movingVertexShader, type Variant, variantKey } from './chunks.js';

export type Uniforms = Record<string, IUniform>;

/** Lets a material move its vertices. Its existing compile hooks still run. `variant` is called at
 * each compilation: set material.needsUpdate when its result changes. */
function inject(
  material: Material,
  before: Pick<Material, 'onBeforeCompile' | 'customProgramCacheKey'>,
  uniforms: Uniforms,
  variant: () => Variant,
): void {
  const compileBefore = before.onBeforeCompile;
  const keyBefore = before.customProgramCacheKey;
  material.onBeforeCompile = (shader, renderer) => {
    compileBefore.call(material, shader, renderer);
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = movingVertexShader(shader.vertexShader, variant());
    if (variant().colour) shader.fragmentShader = colouredFragmentShader(shader.fragmentShader);
  };
  material.customProgramCacheKey = () => `${keyBefore.call(before)} ${variantKey(variant())}`;
}

/** What WebGPURenderer reads instead of the hooks that WebGLRenderer calls. */
export interface NodesOfMaterial {
  id: number;
  position: unknown;
  /** With the colours of displacements; null: the material's own. */
  opacity: () => unknown;
}

type MakeNodes = (
  uniforms: Uniforms,
  variant: () => Variant,
  own: { positionNode?: unknown; opacityNode?: unknown },
) => NodesOfMaterial;

let makeNodes: MakeNodes | undefined;

/** From now on materials move in WebGPURenderer too. */
export function useNodes(make: MakeNodes): void {
  makeNodes = make;
}

let reported = false;

function reportMissingNodes(renderer: object): void {
  if (reported || !('isWebGPURenderer' in renderer)) return;
  reported = true;
  console.error(
    'supple-three: WebGPURenderer shows no flesh with this import. Import ' +
      "'supple-three/webgpu' instead of 'supple-three', or draw with WebGLRenderer.",
  );
}

/** Lets a mesh report a renderer that cannot show its flesh. Returns a function that undoes this. */
export function watchRenderer(mesh: Mesh): () => void {
  if (makeNodes !== undefined) return () => undefined;
  const before = mesh.onBeforeRender;
  const isOwn = Object.hasOwn(mesh, 'onBeforeRender');
  const watch: Mesh['onBeforeRender'] = (...given) => {
    reportMissingNodes(given[0]);
    before.apply(mesh, given);
  };
  mesh.onBeforeRender = watch;
  return () => {
    if (mesh.onBeforeRender !== watch) return; // the program's own by now
    if (isOwn) mesh.onBeforeRender = before;
    else delete (mesh as Partial<Mesh>).onBeforeRender;
  };
}

/** Only WebGPURenderer reads these properties, when it builds its version of a material. */
function addNodes(
  material: Material,
  uniforms: Uniforms,
  variant: () => Variant,
): NodesOfMaterial | undefined {
  const own = { ...material } as { positionNode?: unknown; opacityNode?: unknown };
  const nodes = makeNodes?.(uniforms, variant, own);
  if (nodes === undefined) return undefined;
  const define = (name: string, get: () => unknown) =>
    Object.defineProperty(material, name, { get, enumerable: true, configurable: true });
  define('positionNode', () => nodes.position);
  define('opacityNode', nodes.opacity);
  return nodes;
}

const originals = new WeakMap<Material, Material>();

/** The original of a moving material; other materials are returned unchanged. Clones of a character
 * share its moving materials, which must not move twice. */
export function originalOf(material: Material): Material {
  return originals.get(material) ?? material;
}

/** A copy of a material whose vertices move. A copy, because other meshes may use the original, and
 * because uniforms belong to a material. */
export function movingMaterial(
  original: Material,
  uniforms: Uniforms,
  variant: () => Variant,
): Material {
  const material = original.clone();
  inject(material, original, uniforms, variant);
  const nodes = addNodes(material, uniforms, variant);
  if (nodes !== undefined) {
    const key = material.customProgramCacheKey;
    // Materials with the same key share the nodes of the first.
    material.customProgramCacheKey = () => `${key.call(material)} ${nodes.id}`;
  }
  originals.set(material, original);
  return material;
}

/** For shadows of lamps and of the sun; three.js itself sets the map and the alpha test from the
 * mesh's material. */
export function shadowMaterials(
  uniforms: Uniforms,
  variant: () => Variant,
): { depth: MeshDepthMaterial; distance: MeshDistanceMaterial } {
  const depth = new MeshDepthMaterial();
  const distance = new MeshDistanceMaterial();
  const plain = (): Variant => ({ ...variant(), colour: false });
  const untouched = { onBeforeCompile: () => undefined, customProgramCacheKey: () => 'shadow' };
  inject(depth, untouched, uniforms, plain);
  inject(distance, untouched, uniforms, plain);
  return { depth, distance };
}
