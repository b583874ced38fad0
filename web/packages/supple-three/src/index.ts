// SPDX-License-Identifier: Apache-2.0
export { SuppleMesh, type SuppleMeshOptions, type SuppleStats } from './mesh.js';
export type { LoadedGltf } from './parts.js';
