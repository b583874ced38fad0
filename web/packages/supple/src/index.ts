// SPDX-License-Identifier: Apache-2.0
export { SuppleError, Status } from './errors.js';
export { loadedSupple, loadSupple, type Supple, type WasmSource } from './load.js';
export {
  Asset,
  type AssetInfo,
  type GpuLayout,
  type ModeInfo,
  type ObjectInfo,
  type PartInfo,
} from './asset.js';
export { Player, type DeformOptions, type Diagnostics, type ObjectSettings } from './player.js';
export { Surface, type RestSurface } from './surface.js';
export { shaders } from './shaders.js';
