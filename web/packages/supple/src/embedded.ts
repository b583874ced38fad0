// SPDX-License-Identifier: Apache-2.0
import { wasm } from './embedded_wasm.js';

/** The module, which the script holds gzipped and as base64: both are a third smaller together than
 * base64 alone. */
export async function embeddedWasm(): Promise<ArrayBuffer> {
  const packed = Uint8Array.from(atob(wasm), (letter) => letter.charCodeAt(0));
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(unpacked).arrayBuffer();
}
