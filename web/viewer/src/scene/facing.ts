// SPDX-License-Identifier: Apache-2.0
import { type Object3D, Vector3 } from 'three';

/// The words of a bone's name: `mixamorigLeftUpLeg`, `upleg.L` and `J_Bip_L_UpLeg` have a side.
function words(name: string): string[] {
  return name.replaceAll(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    .split(/[^A-Za-z\d]+/).filter((word) => word !== '');
}

/// The name without its side, and the side: 1 left, -1 right, 0 none.
function sideOf(name: string): [string, number] {
  let side = 0;
  const rest = words(name).map((word) => {
    const found = /^(left|right|[lr]$)(.*)$/i.exec(word);
    if (!found) return word.toLowerCase();
    side = /^l/i.test(word) ? 1 : -1;
    return found[2]!.toLowerCase();
  });
  return [rest.join(' '), side];
}

/// Whether a character faces -Z: its left bones are where the right ones of others are. Characters
/// without pairs of bones, and those that face sideways, do not.
export function facesBack(root: Object3D): boolean {
  const sides = new Map<string, Vector3>(); // the places of left bones less those of right ones
  const pairs = new Map<string, number>();
  root.traverse((object) => {
    if (!('isBone' in object)) return;
    const [rest, side] = sideOf(object.name);
    if (side === 0) return;
    const place = object.getWorldPosition(new Vector3()).multiplyScalar(side);
    sides.set(rest, (sides.get(rest) ?? new Vector3()).add(place));
    pairs.set(rest, (pairs.get(rest) ?? 0) + side);
  });
  const toLeft = new Vector3();
  for (const [rest, way] of sides) if (pairs.get(rest) === 0) toLeft.add(way);
  return toLeft.x < 0 && -toLeft.x > Math.abs(toLeft.z);
}
