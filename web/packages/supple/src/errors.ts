// SPDX-License-Identifier: Apache-2.0

/** Results of the player's functions: supple_status of supple.h. */
export const Status = {
  ok: 0,
  notSupple: 1,
  newerVersion: 2,
  truncated: 3,
  damaged: 4,
  misaligned: 5,
  otherMesh: 6,
  outOfMemory: 7,
  badArgument: 8,
  badTimeStep: 9,
  badTransform: 10,
  olderVersion: 11,
  unsupported: 12,
} as const;

/** An error of the player, with its own message. */
export class SuppleError extends Error {
  override readonly name = 'SuppleError';

  constructor(
    /** One of `Status`. */
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}
