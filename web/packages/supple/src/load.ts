// SPDX-License-Identifier: Apache-2.0
import { Asset } from './asset.js';
import { Status, SuppleError } from './errors.js';
import { hashOfMesh, Module } from './module.js';
import type { OpenOptions } from './options.js';

/** The player, ready to open files. */
export interface Supple {
  /** Checks the whole file and copies it into the player's memory once. */
  openAsset(bytes: Uint8Array | ArrayBuffer, options?: OpenOptions): Asset;
  /** The hash that ties a file to its mesh: positions of all parts in order, then triangle corners
   * numbered across all parts. */
  meshHash(positions: Float32Array, indices: Uint32Array): bigint;
  readonly memoryBytes: number;
  /** Of the player, such as '0.1.0'. */
  readonly version: string;
}

export type WasmSource = BufferSource | Response | WebAssembly.Module | URL;

class LoadedSupple implements Supple {
  readonly #module: Module;

  constructor(module: Module) {
    this.#module = module;
  }

  openAsset(bytes: Uint8Array | ArrayBuffer, options: OpenOptions = {}): Asset {
    const view = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
    return new Asset(this.#module, view, options);
  }

  get version(): string {
    return this.#module.text(this.#module.call.supple_version_text());
  }

  meshHash(positions: Float32Array, indices: Uint32Array): bigint {
    return hashOfMesh(this.#module, positions, indices);
  }

  get memoryBytes(): number {
    return this.#module.memoryBytes;
  }

  /** @internal For the test that no member of a struct is forgotten. */
  get module(): Module {
    return this.#module;
  }
}

interface NodeFiles {
  readFile(path: URL): Promise<Uint8Array<ArrayBuffer>>;
}

async function bytesOf(response: Response): Promise<ArrayBuffer> {
  if (!response.ok) {
    throw new SuppleError(
      Status.badArgument,
      `${response.url} returned ${response.status}: the player's supple.wasm is missing.`,
    );
  }
  return response.arrayBuffer();
}

async function fetchBytes(url: URL): Promise<BufferSource> {
  if (url.protocol !== 'file:') return bytesOf(await fetch(url));
  // Node's fetch cannot read files; a name in a variable keeps bundlers from resolving it.
  const files = 'node:fs/promises';
  return ((await import(/* @vite-ignore */ files)) as NodeFiles).readFile(url);
}

async function instantiate(source: WasmSource): Promise<Supple> {
  if (source instanceof WebAssembly.Module) {
    return new LoadedSupple(new Module(await WebAssembly.instantiate(source, {})));
  }
  let bytes: BufferSource;
  if (source instanceof URL) bytes = await fetchBytes(source);
  else if ('arrayBuffer' in source) bytes = await bytesOf(source);
  else bytes = source;
  const { instance } = await WebAssembly.instantiate(bytes, {});
  return new LoadedSupple(new Module(instance));
}

let common: Supple | undefined;
let loading: Promise<Supple> | undefined;

async function loadCommon(): Promise<Supple> {
  try {
    return (common = await instantiate(new URL('./supple.wasm', import.meta.url)));
  } finally {
    // After a network failure, the next attempt may succeed.
    loading = undefined;
  }
}

/** Loads a separate player from `wasm`; without an argument the shared one, from supple.wasm beside
 * this file, which is loaded once. */
export async function loadSupple(wasm?: WasmSource): Promise<Supple> {
  return wasm === undefined ? (common ?? (loading ??= loadCommon())) : instantiate(wasm);
}

/** The shared player if loadSupple() has already loaded it. */
export function loadedSupple(): Supple | undefined {
  return common;
}
