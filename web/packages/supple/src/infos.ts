// SPDX-License-Identifier: Apache-2.0

export interface AssetInfo {
  versionMajor: number;
  versionMinor: number;
  vertexCount: number;
  indexCount: number;
  partCount: number;
  objectCount: number;
  /** Over all objects: the number of coefficients. */
  modeCount: number;
  /** 16 or 32 per number of a shape. */
  encodingBits: number;
  /** Handles of shells that bones move. */
  attachmentCount: number;
  meshHash: bigint;
  /** Of positions: the file's, or that of the options. */
  metresPerUnit: number;
  generator: string;
}

/** Vertices firstVertex .. firstVertex + vertexCount - 1 are those of a glTF primitive. */
export interface PartInfo {
  mesh: number;
  primitive: number;
  firstVertex: number;
  vertexCount: number;
}

/** Flesh, a thin shell that bends far, a scene that replays a simulation, or what a later format
 * brought: that does not move. */
export type ObjectKind = 'flesh' | 'shell' | 'scene' | 'unknown';

/** `node` and `joint` of an object without a bone. */
export const NO_BONE = 0xffffffff;

export interface ObjectInfo {
  name: string;
  kind: ObjectKind;
  /** Name of the node that drives it; empty: none does. */
  bone: string;
  /** Its index among the glTF file's nodes, or NO_BONE. */
  node: number;
  /** Its index in the skin, or NO_BONE. */
  joint: number;
  firstMode: number;
  modeCount: number;
  hasCoriolis: boolean;
  /** Default soft clamp; 0: none. */
  limitMetres: number;
  massKg: number;
}

export interface ModeInfo {
  frequencyHz: number;
  /** 1 is critical. */
  damping: number;
  /** alpha x y z, then acceleration x y z. */
  transfer: number[];
  /** xx yy zz xy xz yz */
  centrifugal: number[];
  /** Metres at coefficient 1. */
  largestDisplacement: number;
  /** Share of the response to bone motion, 0..1. */
  share: number;
}

/** Sizes of the shaders' inputs; see supple_gpu_layout in supple.h. */
export interface GpuLayout {
  width: number;
  shapeHeight: number;
  shapeLayers: number;
  tableHeight: number;
  coefficientTexels: number;
  /** 0: the shapes do not fit in vertex attributes. */
  attributes: number;
}
