// SPDX-License-Identifier: Apache-2.0
import { type Object3D, Vector3 } from 'three';

const kStiffness = 17; // rad/s: the spring of the drag
const kRatio = 0.62;
const kKickSeconds = 0.16;
const kStill = 2e-5; // of the size
const kAxes = ['x', 'y', 'z'] as const;

/// Moves a character's root as a hand would: on a spring, so that its acceleration, which drives
/// the flesh, stays finite.
export class Shaker {
  private readonly offset = new Vector3();
  private readonly velocity = new Vector3();
  private readonly target = new Vector3();
  private readonly kick = new Vector3();
  private kickLeft = 0;
  private angle = 0;
  private spin = 0;
  private twist = 0;
  private twistLeft = 0;
  private size = 1;
  held = false;

  reset(size: number): void {
    this.size = size;
    this.offset.set(0, 0, 0);
    this.velocity.set(0, 0, 0);
    this.release();
    this.angle = this.spin = this.kickLeft = this.twistLeft = 0;
  }

  /// World units, from the character's position.
  hold(target: Vector3): void {
    this.held = true;
    this.target.copy(target).clampLength(0, this.size * 0.6);
  }

  release(): void {
    this.held = false;
    this.target.set(0, 0, 0);
  }

  /// A short push; `direction` is a unit vector, `strength` the distance it would travel, relative
  /// to the size.
  jolt(direction: Vector3, strength = 0.07): void {
    this.kick.copy(direction).multiplyScalar((strength * this.size * 2) / kKickSeconds ** 2);
    this.kickLeft = kKickSeconds;
  }

  /// Approximate radians.
  turn(angle: number): void {
    this.twist = (angle * 2) / kKickSeconds ** 2;
    this.twistLeft = kKickSeconds;
  }

  /// True while anything moves.
  step(dt: number, pivot: Object3D): boolean {
    const push = pulse(this.kickLeft);
    const wring = pulse(this.twistLeft);
    this.kickLeft = Math.max(this.kickLeft - dt, 0);
    this.twistLeft = Math.max(this.twistLeft - dt, 0);
    for (const axis of kAxes) {
      const pull = (this.target[axis] - this.offset[axis]) * kStiffness ** 2;
      const drag = 2 * kRatio * kStiffness * this.velocity[axis];
      this.velocity[axis] += (pull - drag + push * this.kick[axis]) * dt;
      this.offset[axis] += this.velocity[axis] * dt;
    }
    const restore = -this.angle * kStiffness ** 2 - 2 * kRatio * kStiffness * this.spin;
    this.spin += (restore + wring * this.twist) * dt;
    this.angle += this.spin * dt;
    const moving = this.held || this.kickLeft > 0 || this.twistLeft > 0 || !this.still();
    if (!moving) {
      this.offset.set(0, 0, 0);
      this.velocity.set(0, 0, 0);
      this.angle = this.spin = 0;
    }
    pivot.position.copy(this.offset);
    pivot.rotation.y = this.angle;
    return moving;
  }

  private still(): boolean {
    const limit = kStill * this.size;
    return this.offset.length() < limit && this.velocity.length() < limit * kStiffness
      && Math.abs(this.angle) < kStill && Math.abs(this.spin) < kStill * kStiffness;
  }
}

/// Smooth from 0 to 1 and back over the remaining time.
function pulse(left: number): number {
  return left > 0 ? Math.sin((Math.PI * left) / kKickSeconds) ** 2 : 0;
}
