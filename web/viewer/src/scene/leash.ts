// SPDX-License-Identifier: Apache-2.0
import { Vector3 } from 'three';

const kSlack = 0.25; // of the character's size: steps and jumps within it leave the camera alone

/// Keeps the camera near a character that moves away: how far the view has to shift.
export class Leash {
  readonly shift = new Vector3(); // from where the character was modelled
  private readonly away = new Vector3();

  constructor(private readonly size: number) {}

  /// `moved`: where the character is now, from where it was modelled. True if the view has to shift.
  /// It is pulled along gently; after a jump, such as the end of a clip, it is centred again.
  follow(moved: Vector3): boolean {
    const slack = kSlack * this.size;
    const length = this.away.subVectors(moved, this.shift).length();
    if (length <= slack) return false;
    this.shift.addScaledVector(this.away, length > 2 * slack ? 1 : 1 - slack / length);
    return true;
  }
}
