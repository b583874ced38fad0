// SPDX-License-Identifier: Apache-2.0
export { SuppleCrowd } from './crowd.js';
export { SuppleMesh, type SuppleMeshOptions, type SuppleStats } from './mesh.js';
export type { LoadedGltf } from './parts.js';
