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

  /// Place of a step in the ring; 0 is the newest.
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

const kWindow = 2.5; // seconds looked back
const kMostSwings = 7;
const kSmallest = 0.02; // of the largest swing: what is smaller is noise
const halves = new Float64Array(kMostSwings);

/// Hz of what one coefficient did last, or 0. From turning points rather than crossings of zero:
/// those of a free vibration are half a period apart however it decays and wherever it settles.
export function measureFrequency(history: History, mode: number, smallest: number): number {
  if (history.count < 8) return 0;
  const now = history.time(0);
  let swings = 0;
  let lastTurn = 0;
  let lastValue = 0;
  let largest = 0;
  let turns = 0;
  for (let age = 1; age < history.count - 1 && swings < kMostSwings; ++age) {
    if (now - history.time(age) > kWindow) break;
    const newer = history.value(age - 1, mode) - history.value(age, mode);
    const older = history.value(age, mode) - history.value(age + 1, mode);
    if (newer * older > 0 || newer === older) continue;
    const value = history.value(age, mode);
    const turn = turningTime(history, age, newer, older);
    if (turns > 0) {
      const swing = Math.abs(value - lastValue);
      if (swing < Math.max(smallest, kSmallest * largest)) {
        // Noise of the newest end, or a ripple: go on from the older of the two.
        lastTurn = turn;
        lastValue = value;
        continue;
      }
      largest = Math.max(largest, swing);
      halves[swings++] = lastTurn - turn;
    }
    ++turns;
    lastTurn = turn;
    lastValue = value;
  }
  if (swings < 2) return 0;
  const median = halves.subarray(0, swings).sort()[Math.floor(swings / 2)] ?? 0;
  return median > 0 ? 0.5 / median : 0;
}

/// Slopes live half-way between steps; the turn is where a line through them crosses zero.
function turningTime(history: History, age: number, newer: number, older: number): number {
  const timeNewer = (history.time(age - 1) + history.time(age)) / 2;
  const timeOlder = (history.time(age) + history.time(age + 1)) / 2;
  const share = older / (older - newer);
  return timeOlder + (timeNewer - timeOlder) * share;
}
