// SPDX-License-Identifier: Apache-2.0
// The default entry: the player's module is part of the script, so that no bundler, server or
// worker has to find another file.
import { embeddedWasm } from './embedded.js';
import { makeLoader } from './load.js';

export * from './api.js';

const loader = /* @__PURE__ */ makeLoader(embeddedWasm);

/** Loads a separate player from `wasm`; without an argument the shared one, which is loaded once. */
export const loadSupple = loader.load;
/** The shared player if loadSupple() has already loaded it. */
export const loadedSupple = loader.loaded;
