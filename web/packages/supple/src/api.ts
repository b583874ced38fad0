// SPDX-License-Identifier: Apache-2.0
// What both entries of the package have in common.
export { SuppleError, Status } from './errors.js';
export type { FileBytes } from './bytes.js';
export type { Supple, WasmSource } from './load.js';
export { Asset } from './asset.js';
export {
  type AssetInfo,
  type GpuLayout,
  type ModeInfo,
  NO_BONE,
  type ObjectInfo,
  type ObjectKind,
  type PartInfo,
} from './infos.js';
export type { Axis, OpenOptions } from './options.js';
export { Player, type DeformOptions, type Diagnostics } from './player.js';
export type { ChangedMesh, MatchInfo } from './rebind.js';
export type {
  SceneEntry,
  SceneInfo,
  ScenePortrait,
  SceneResponse,
  SceneSettings,
  SceneState,
} from './scenes.js';
export type { ObjectSettings } from './settings.js';
export {
  type AttachmentInfo,
  type Handle,
  type HandleState,
  Hold,
  type ShellInfo,
  type ShellState,
  type VertexPose,
  type Wind,
} from './shells.js';
export { Surface, type RestSurface } from './surface.js';
export { shaders } from './shaders.js';
