// SPDX-License-Identifier: Apache-2.0
import { LoadingManager } from 'three';
import { type GLTF, GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

import type { Sources } from './sources';

const kMagic = 0x46546c67; // "glTF"
const kJsonChunk = 0x4e4f534a;

interface GltfJson {
  asset?: { version?: string };
  buffers?: { uri?: string }[];
  images?: { uri?: string }[];
  extensionsUsed?: string[];
  extensionsRequired?: string[];
}

/// The JSON of either kind of file; errors describe the problem.
function readJson(name: string, bytes: ArrayBuffer): GltfJson {
  if (bytes.byteLength === 0) throw new Error(`${name} is empty`);
  const view = new DataView(bytes);
  let json = new Uint8Array(bytes);
  if (bytes.byteLength >= 20 && view.getUint32(0, true) === kMagic) {
    const version = view.getUint32(4, true);
    if (version !== 2) throw new Error(`${name} is glTF ${version}; the viewer reads glTF 2`);
    const length = view.getUint32(12, true);
    if (view.getUint32(8, true) > bytes.byteLength || 20 + length > bytes.byteLength) {
      throw new Error(`${name} is truncated: copy it again`);
    }
    if (view.getUint32(16, true) !== kJsonChunk) throw new Error(`${name} is damaged`);
    json = json.subarray(20, 20 + length);
  } else if (/\.glb$/i.test(name)) {
    throw new Error(`${name} is not a glTF file: it does not begin like a .glb`);
  }
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(json));
    if (typeof parsed === 'object' && parsed !== null) return parsed as GltfJson;
  } catch {
    // Reported below.
  }
  throw new Error(`${name} is not a glTF file: it contains no JSON`);
}

function check(name: string, json: GltfJson, resolve: Sources['resolve']): void {
  const version = json.asset?.version ?? '';
  if (!version) throw new Error(`${name} is not a glTF file: asset.version is missing`);
  if (!version.startsWith('2')) {
    throw new Error(`${name} is glTF ${version}; the viewer reads glTF 2`);
  }
  const compression = json.extensionsRequired?.find((extension) => /basisu/.test(extension));
  if (compression) {
    throw new Error(`${name} needs ${compression}, which the viewer does not support: `
      + 'export it without compression');
  }
  for (const { uri } of [...(json.buffers ?? []), ...(json.images ?? [])]) {
    if (!uri || uri.startsWith('data:') || resolve(uri)) continue;
    throw new Error(`${name} needs ${decodeURIComponent(uri)}: drop both together`);
  }
}

/// Decoders are loaded only for files that need them.
async function addDecoders(loader: GLTFLoader, json: GltfJson): Promise<() => void> {
  const uses = (extension: string): boolean =>
    [json.extensionsUsed, json.extensionsRequired].some((list) => list?.includes(extension));
  if (uses('EXT_meshopt_compression')) {
    const { MeshoptDecoder } = await import('three/addons/libs/meshopt_decoder.module.js');
    loader.setMeshoptDecoder(MeshoptDecoder);
  }
  if (!uses('KHR_draco_mesh_compression')) return () => {};
  const { DRACOLoader } = await import('three/addons/loaders/DRACOLoader.js');
  const draco = new DRACOLoader();
  loader.setDRACOLoader(draco);
  return () => draco.dispose();
}

export async function loadGltf(sources: Sources): Promise<GLTF> {
  const { name, bytes } = sources.character;
  const json = readJson(name, bytes);
  check(name, json, (uri) => sources.resolve(uri));
  const failed: string[] = [];
  const manager = new LoadingManager();
  manager.setURLModifier((url) => (/^(blob|data):/.test(url) ? url : sources.resolve(url) ?? url));
  manager.onError = (url) => failed.push(url.replace(location.href.replace(/[^/]*$/, ''), ''));
  const loader = new GLTFLoader(manager);
  const release = await addDecoders(loader, json);
  try {
    return await loader.parseAsync(bytes, '');
  } catch (error) {
    if (failed.length) throw new Error(`${name} needs ${failed[0]}, which could not be read`);
    throw new Error(`${name} could not be read: ${(error as Error).message}`);
  } finally {
    release();
  }
}
