// SPDX-License-Identifier: Apache-2.0
// The same player from supple.wasm beside this file: for programs that cache it apart from their
// scripts. Their bundler must copy the file.
import { makeLoader } from './load.js';

export * from './api.js';

const loader = /* @__PURE__ */ makeLoader(
  async () => new URL('./supple.wasm', import.meta.url),
);

/** Loads a separate player from `wasm`; without an argument the shared one, from supple.wasm beside
 * this file, which is loaded once. */
export const loadSupple = loader.load;
/** The shared player if loadSupple() has already loaded it. */
export const loadedSupple = loader.loaded;
