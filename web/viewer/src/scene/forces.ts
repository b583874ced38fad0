// SPDX-License-Identifier: Apache-2.0
import type { Player } from 'supple';
import { MathUtils, Vector3 } from 'three';

/// Gravity and wind as set by the sliders. Angles in degrees: a tilt from straight down, headings
/// about the vertical, 0 towards +z.
export interface ForceSettings {
  gravity: number; // m/s^2
  tilt: number;
  heading: number;
  wind: number; // m/s
  windHeading: number;
  gusts: number; // 0..1
  medium: number; // index into kMedia
}
export type ForceKey = keyof ForceSettings;
export const kForceKeys: ForceKey[] = [
  'gravity', 'tilt', 'heading', 'wind', 'windHeading', 'gusts', 'medium',
];

/// Media around shells, at rest or moving; kg/m^3.
export const kMedia: readonly { name: string; density?: number }[] = [
  { name: 'as baked' },
  { name: 'nothing', density: 0 },
  { name: 'air', density: 1.2 },
  { name: 'water', density: 1000 },
];

const kUsual: ForceSettings = {
  gravity: 9.81, tilt: 0, heading: 0, wind: 0, windHeading: 90, gusts: 0.5, medium: 0,
};

/// The forces on everything shown, for all players.
export class Forces {
  readonly first: ForceSettings;
  readonly now: ForceSettings;
  readonly gravity = new Vector3();
  private readonly velocity = new Vector3();

  /// `direction`: of gravity, if its default is not straight down.
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

  /// Also for players added later.
  apply(): void {
    const { gravity, tilt, heading, wind, windHeading, gusts, medium } = this.now;
    const density = kMedia[medium]?.density;
    along(this.gravity, tilt, heading).multiplyScalar(gravity);
    along(this.velocity, 90, windHeading).multiplyScalar(wind);
    for (const player of this.players()) {
      player.setGravity(this.gravity.toArray());
      if (player.asset.shells.length === 0) continue;
      const gustSize = Math.max(this.sizeMetres, 1e-3);
      player.setWind({ velocity: this.velocity.toArray(), gusts, gustSize, density });
    }
  }
}

function along(out: Vector3, tilt: number, heading: number): Vector3 {
  const [t, h] = [MathUtils.degToRad(tilt), MathUtils.degToRad(heading)];
  return out.set(Math.sin(t) * Math.sin(h), -Math.cos(t), Math.sin(t) * Math.cos(h));
}
