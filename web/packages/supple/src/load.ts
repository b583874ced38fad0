// SPDX-License-Identifier: Apache-2.0
import { Asset } from './asset.js';
import { type FileBytes, recognised, viewOf } from './bytes.js';
import { Status, SuppleError } from './errors.js';
import { hashOfMesh, Module } from './module.js';
import type { OpenOptions } from './options.js';

/** The player, ready to open files. */
export interface Supple {
  /** Checks the whole file and copies it into the player's memory once. */
  openAsset(bytes: FileBytes, options?: OpenOptions): Asset;
  /** The hash that ties a file to its mesh: positions of all parts in order, then triangle corners
   * numbered across all parts. */
  meshHash(positions: Float32Array, indices: Uint32Array): bigint;
  readonly memoryBytes: number;
  /** Of the player, such as '0.1.0'. */
  readonly version: string;
}

export type WasmSource = FileBytes | Response | WebAssembly.Module | URL;

class LoadedSupple implements Supple {
  readonly #module: Module;

  constructor(module: Module) {
    this.#module = module;
  }

  openAsset(bytes: FileBytes, options: OpenOptions = {}): Asset {
    const view = viewOf(bytes, 'a .supple file');
    const other = recognised(view);
    if (other !== undefined) {
      throw new SuppleError(Status.notSupple, `This is not a .supple file. (It is ${other}.)`);
    }
    return Asset.open(this.#module, view, options);
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

const REMEDY = "Import 'supple', which contains the module, or copy supple.wasm there.";

interface NodeFiles {
  readFile(path: URL): Promise<Uint8Array<ArrayBuffer>>;
}

async function bytesOf(response: Response): Promise<ArrayBuffer> {
  if (!response.ok) {
    throw new SuppleError(
      Status.badArgument,
      `${response.url} returned ${response.status}: the player's module is missing. ${REMEDY}`,
    );
  }
  return response.arrayBuffer();
}

async function fetchBytes(url: URL): Promise<FileBytes> {
  if (url.protocol !== 'file:') return bytesOf(await fetch(url));
  // Node's fetch cannot read files; a name in a variable keeps bundlers from resolving it.
  const files = 'node:fs/promises';
  const { readFile } = (await import(
    /* @vite-ignore */ /* webpackIgnore: true */ files
  )) as NodeFiles;
  return readFile(url);
}

/** Bundlers that move the script but not the module make servers answer with their front page. */
function checkWasm(bytes: Uint8Array, source: WasmSource): void {
  if (bytes[0] === 0 && String.fromCharCode(...bytes.subarray(1, 4)) === 'asm') return;
  const place = source instanceof URL ? source.href : 'The given source';
  const found = recognised(bytes) ?? 'something else';
  throw new SuppleError(
    Status.badArgument,
    `${place} is not the player's WebAssembly module. (It is ${found}.) ${REMEDY}`,
  );
}

async function instantiate(source: WasmSource): Promise<Supple> {
  if (source instanceof WebAssembly.Module) {
    return new LoadedSupple(new Module(await WebAssembly.instantiate(source, {})));
  }
  let given: unknown = source;
  if (source instanceof URL) given = await fetchBytes(source);
  else if (source instanceof Response) given = await bytesOf(source);
  const bytes = viewOf(given, "the player's supple.wasm");
  checkWasm(bytes, source);
  const { instance } = await WebAssembly.instantiate(bytes, {});
  return new LoadedSupple(new Module(instance));
}

/** One shared player, from a module that is found when it is needed. */
export function makeLoader(findWasm: () => Promise<WasmSource>) {
  let common: Supple | undefined;
  let loading: Promise<Supple> | undefined;
  const loadCommon = async (): Promise<Supple> => {
    try {
      return (common = await instantiate(await findWasm()));
    } finally {
      // After a network failure, the next attempt may succeed.
      loading = undefined;
    }
  };
  return {
    load: async (wasm?: WasmSource): Promise<Supple> =>
      wasm === undefined ? (common ?? (loading ??= loadCommon())) : instantiate(wasm),
    loaded: (): Supple | undefined => common,
  };
}
