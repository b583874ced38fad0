// SPDX-License-Identifier: Apache-2.0
import { Vector3 } from 'three';

import type { Stage } from '../scene/stage';
import type { SwimFrame } from './frame';

const kCatchUp = 3.5; // 1/s, of the point looked at
export const kAside = 0.65; // radians beside the swimmer's wake at first
export const kPolar = 1.18; // from above
const kTurn = 0.9; // 1/s, of the direction: slower than a stroke sways

/// A camera that follows the swimmer and turns with it, so that left stays left; the user can turn
/// it from there.
export class ChaseCamera {
  private readonly looked = new Vector3();
  private readonly smooth = new Vector3(1, 0, 0); // direction of travel
  private azimuth: number | null = null;

  constructor(private readonly stage: Stage) {}

  jump(centre: Vector3): void {
    this.looked.copy(centre);
    this.azimuth = null;
  }

  /// Beside the wake, for the current heading.
  frame(): void {
    if (this.azimuth !== null) this.stage.orbit.look(this.azimuth + kAside, kPolar);
  }

  update(seconds: number, centre: Vector3, frame: SwimFrame, turns: boolean): void {
    this.looked.lerp(centre, 1 - Math.exp(-kCatchUp * seconds));
    // Averaged over a few strokes, the velocity follows the body without its sway.
    const [x = 0, , z = 0] = frame.velocity;
    const keep = Math.exp(-kTurn * seconds);
    this.smooth.multiplyScalar(keep).addScaledVector(new Vector3(x, 0, z), 1 - keep);
    const behind = Math.atan2(-this.smooth.x, -this.smooth.z);
    const moves = Math.hypot(this.smooth.x, this.smooth.z) > 0.15;
    if (this.azimuth !== null && turns && moves) {
      const change = Math.atan2(Math.sin(behind - this.azimuth), Math.cos(behind - this.azimuth));
      this.stage.orbit.turn(change, 0);
    }
    if (moves || this.azimuth === null) this.azimuth = moves ? behind : -Math.PI / 2;
    this.stage.orbit.follow(this.looked);
  }
}
