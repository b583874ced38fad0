// SPDX-License-Identifier: Apache-2.0
import type { Player } from 'supple';
import { MathUtils, Vector3 } from 'three';

/// Gravity and wind as sliders have them. Angles in degrees: a tilt from straight down, headings
/// about the vertical, 0 towards +z.
export interface ForceSettings {
  gravity: number; // m/s^2
  tilt: number;
  heading: number;
  wind: number; // m/s
  windHeading: number;
  gusts: number; // 0..1
}
export type ForceKey = keyof ForceSettings;
export const kForceKeys: ForceKey[] = [
  'gravity', 'tilt', 'heading', 'wind', 'windHeading', 'gusts',
];

const kUsual: ForceSettings = {
  gravity: 9.81, tilt: 0, heading: 0, wind: 0, windHeading: 90, gusts: 0.5,
};

/// What acts on everything at once, for all players of what is shown.
export class Forces {
  readonly first: ForceSettings;
  readonly now: ForceSettings;
  readonly gravity = new Vector3();
  private readonly velocity = new Vector3();

  /// `direction`: of gravity, where another than straight down is usual.
  constructor(
    private readonly players: () => Player[],
    private readonly sizeMetres: number,
    direction: readonly [number, number, number] | null,
  ) {
    this.first = { ...kUsual };
    if (direction) {
      const [x, y, z] = new Vector3(...direction).normalize().toArray();
      this.first.tilt = MathUtils.radToDeg(Math.acos(MathUtils.clamp(-y, -1, 1)));
      this.first.heading = (MathUtils.radToDeg(Math.atan2(x, z)) + 360) % 360;
    }
    this.now = { ...this.first };
    this.apply();
  }

  set(change: Partial<ForceSettings>): void {
    Object.assign(this.now, change);
    this.apply();
  }

  get changed(): boolean {
    return kForceKeys.some((key) => this.now[key] !== this.first[key]);
  }

  /// Also for players that came later.
  apply(): void {
    const { gravity, tilt, heading, wind, windHeading, gusts } = this.now;
    along(this.gravity, tilt, heading).multiplyScalar(gravity);
    along(this.velocity, 90, windHeading).multiplyScalar(wind);
    for (const player of this.players()) {
      player.setGravity(this.gravity.toArray());
      if (player.asset.shells.length === 0) continue;
      const gustSize = Math.max(this.sizeMetres, 1e-3);
      player.setWind({ velocity: this.velocity.toArray(), gusts, gustSize });
    }
  }
}

function along(out: Vector3, tilt: number, heading: number): Vector3 {
  const [t, h] = [MathUtils.degToRad(tilt), MathUtils.degToRad(heading)];
  return out.set(Math.sin(t) * Math.sin(h), -Math.cos(t), Math.sin(t) * Math.cos(h));
}
