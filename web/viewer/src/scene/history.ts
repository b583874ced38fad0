// SPDX-License-Identifier: Apache-2.0

export const kHistoryLength = 480; // steps; 8 s at 60 per second

/// The last steps of all coefficients, in a ring: nothing is allocated while it runs.
export class History {
  readonly times = new Float64Array(kHistoryLength);
  readonly values: Float32Array;
  private next = 0;
  count = 0;

  constructor(readonly modeCount: number) {
    this.values = new Float32Array(modeCount * kHistoryLength);
  }

  push(time: number, coefficients: Float32Array): void {
    this.times[this.next] = time;
    this.values.set(coefficients, this.next * this.modeCount);
    this.next = (this.next + 1) % kHistoryLength;
    this.count = Math.min(this.count + 1, kHistoryLength);
  }

  clear(): void {
    this.count = this.next = 0;
  }

  /// Index of a step in the ring; 0 is the newest.
  at(age: number): number {
    return (this.next - 1 - age + 2 * kHistoryLength) % kHistoryLength;
  }

  value(age: number, mode: number): number {
    return this.values[this.at(age) * this.modeCount + mode] ?? 0;
  }

  time(age: number): number {
    return this.times[this.at(age)] ?? 0;
  }
}
