// SPDX-License-Identifier: Apache-2.0
import type { Asset } from 'supple';

import type { History } from './history';

const kNoise = 2e-5; // metres: smaller swings are not measured
const kSteps = 90; // used to find the liveliest
const kWindow = 2.5; // seconds of history
const kMostSwings = 7;
const kSmallest = 0.02; // relative to the largest swing: smaller ones are noise
const halves = new Float64Array(kMostSwings);

/// Frequency of one coefficient in Hz, and its index; 0 while it rests.
export interface Measured {
  hz: number;
  mode: number;
}

/// For an object's liveliest coefficient.
export function measure(asset: Asset, history: History, object: number): Measured {
  const mode = liveliest(asset, history, object);
  const longest = asset.modes[mode]?.largestDisplacement ?? 0;
  return { hz: longest > 0 ? frequency(history, mode, kNoise / longest) : 0, mode };
}

function liveliest(asset: Asset, history: History, object: number): number {
  const info = asset.objects[object];
  if (!info) return -1;
  let best = info.firstMode;
  let most = 0;
  for (let mode = info.firstMode; mode < info.firstMode + info.modeCount; ++mode) {
    let low = Infinity;
    let high = -Infinity;
    for (let age = 0; age < Math.min(history.count, kSteps); ++age) {
      const value = history.value(age, mode);
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    const swing = (high - low) * (asset.modes[mode]?.largestDisplacement ?? 0);
    if (swing > most) {
      most = swing;
      best = mode;
    }
  }
  return best;
}

/// Recent frequency of one coefficient in Hz, or 0. From turning points rather than zero crossings:
/// those of a free vibration are half a period apart regardless of decay and rest position.
function frequency(history: History, mode: number, smallest: number): number {
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
        // Noise at the newest end, or a ripple: continue from the older of the two.
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

/// Slopes belong half-way between steps; the turning point is where a line through them crosses
/// zero.
function turningTime(history: History, age: number, newer: number, older: number): number {
  const timeNewer = (history.time(age - 1) + history.time(age)) / 2;
  const timeOlder = (history.time(age) + history.time(age + 1)) / 2;
  const share = older / (older - newer);
  return timeOlder + (timeNewer - timeOlder) * share;
}
