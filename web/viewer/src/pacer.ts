// SPDX-License-Identifier: Apache-2.0
import type { Stage } from './scene/stage';

const kWindow = 12; // frames measured before anything changes
const kSlow = 40; // milliseconds
const kCoarsest = 0.5;

/// Draws fewer pixels if frames take too long, and never more again: a picture that keeps changing
/// its sharpness is worse than a soft one.
export class Pacer {
  private sum = 0;
  private count = 0;

  constructor(private readonly stage: Stage) {}

  add(milliseconds: number): void {
    this.sum += Math.min(milliseconds, 200);
    if (++this.count < kWindow) return;
    const mean = this.sum / this.count;
    this.sum = this.count = 0;
    if (mean > kSlow && this.stage.coarse > kCoarsest) {
      this.stage.setCoarse(Math.max(this.stage.coarse * 0.8, kCoarsest));
    }
  }
}
