// SPDX-License-Identifier: Apache-2.0
export { SuppleCrowd, type SuppleCrowdOptions } from './crowd.js';
export type { ColourBy, SuppleStats } from './flesh.js';
export { SuppleMesh, type SuppleMeshOptions } from './mesh.js';
export type { LoadedGltf } from './parts.js';
