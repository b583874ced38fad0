// SPDX-License-Identifier: Apache-2.0
import { Status, SuppleError } from './errors.js';

/** The bytes of a file: an ArrayBuffer, or a view of one, such as Node's Buffer. */
export type FileBytes = ArrayBufferView | ArrayBufferLike;

// By name, because objects of another frame or realm have other classes.
const isBuffer = (given: object): boolean =>
  /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(given));

/** What was given instead of bytes, and the remedy. */
function mistaken(given: unknown): string {
  if (given === undefined || given === null) return `${given}: was the file loaded?`;
  if (typeof given === 'string') return 'a text: fetch the file and give its bytes';
  if (typeof given !== 'object') return `a ${typeof given}`;
  if ('then' in given) return 'a promise: await it first';
  if ('arrayBuffer' in given) {
    return 'a Response or File: give `await response.arrayBuffer()`';
  }
  if ('isObject3D' in given || 'scene' in given) {
    return 'a scene: the .supple file is a second file beside the character';
  }
  return Array.isArray(given) ? 'an array: give a Uint8Array' : 'another object';
}

/** The bytes as one view; `what` is the file that they should be of. */
export function viewOf(given: unknown, what: string): Uint8Array<ArrayBuffer> {
  if (ArrayBuffer.isView(given)) {
    const { buffer, byteOffset, byteLength } = given;
    return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
  }
  if (typeof given === 'object' && given !== null && isBuffer(given)) {
    return new Uint8Array(given as ArrayBuffer);
  }
  throw new SuppleError(
    Status.badArgument,
    `Expected the bytes of ${what}, not ${mistaken(given)}.`,
  );
}

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^\s*<(!|html|\?xml)/i, 'a web page, as servers send for unknown addresses: check the address'],
  [/^glTF/, 'a .glb: give the .supple file beside it'],
  [/^version https:\/\/git-lfs/, "a Git LFS pointer: fetch the file with 'git lfs pull'"],
  [/^\s*[{[]/, 'JSON'],
];

/** What bytes are that were taken for another file; undefined if it cannot be told. */
export function recognised(bytes: Uint8Array): string | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, 64));
  return KINDS.find(([pattern]) => pattern.test(head))?.[1];
}
