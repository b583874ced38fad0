// SPDX-License-Identifier: Apache-2.0
import type { Asset } from 'supple';
import {
  DataArrayTexture,
  DataTexture,
  FloatType,
  NearestFilter,
  RGBAFormat,
  RGBAIntegerFormat,
  ShortType,
  UnsignedIntType,
} from 'three';

/** Constant data: the shapes and their table, once per asset on the GPU. */
export interface ShapeTextures {
  shapes: DataArrayTexture;
  table: DataTexture;
}

interface Shared {
  textures: ShapeTextures;
  users: number;
}

const sharedByAsset = new WeakMap<Asset, Shared>();

function makeShapeTextures(asset: Asset): ShapeTextures {
  const { width, shapeHeight, shapeLayers, tableHeight } = asset.gpuLayout;
  const data = asset.gpuTextures();
  const shapes = new DataArrayTexture(null, width, shapeHeight, shapeLayers);
  shapes.image.data = data.shapes as typeof shapes.image.data;
  if (asset.info.encodingBits === 16) {
    shapes.format = RGBAIntegerFormat;
    shapes.type = ShortType;
  } else {
    shapes.format = RGBAFormat;
    shapes.type = FloatType;
  }
  const table = new DataTexture(data.table, width, tableHeight, RGBAIntegerFormat, UnsignedIntType);
  for (const texture of [shapes, table]) {
    texture.minFilter = texture.magFilter = NearestFilter;
    texture.needsUpdate = true;
  }
  return { shapes, table };
}

/** Characters of one asset share them; release them with releaseShapeTextures. */
export function takeShapeTextures(asset: Asset): ShapeTextures {
  let shared = sharedByAsset.get(asset);
  if (shared === undefined) {
    shared = { textures: makeShapeTextures(asset), users: 0 };
    sharedByAsset.set(asset, shared);
  }
  ++shared.users;
  return shared.textures;
}

export function releaseShapeTextures(asset: Asset): void {
  const shared = sharedByAsset.get(asset);
  if (shared === undefined || --shared.users > 0) return;
  shared.textures.shapes.dispose();
  shared.textures.table.dispose();
  sharedByAsset.delete(asset);
}

/** Texels of four floats, `width` of them per row. */
export function floatTexture(width: number, rows: number): DataTexture {
  const data = new Float32Array(4 * width * rows);
  const texture = new DataTexture(data, width, rows, RGBAFormat, FloatType);
  texture.minFilter = texture.magFilter = NearestFilter;
  texture.needsUpdate = true;
  return texture;
}

export function numbersOf(texture: DataTexture): Float32Array {
  return texture.image.data as unknown as Float32Array;
}
