// SPDX-License-Identifier: Apache-2.0
import type { SuppleMesh } from 'supple-three';
import {
  BufferAttribute, type BufferGeometry, DoubleSide, DynamicDrawUsage, type Material, Mesh,
  MeshStandardMaterial, type Object3D, SkinnedMesh,
} from 'three';
import { clone } from 'three/addons/utils/SkeletonUtils.js';

import { ramp } from './ramp';

/// A clone of a scene that follows its pose.
export class PosedCopy {
  readonly scene: Object3D;
  readonly pairs: [Object3D, Object3D][] = [];

  constructor(source: Object3D) {
    this.scene = clone(source);
    const copies: Object3D[] = [];
    this.scene.traverse((object) => copies.push(object));
    let place = 0;
    source.traverse((object) => this.pairs.push([object, copies[place++] as Object3D]));
  }

  pose(): void {
    for (const [from, to] of this.pairs) {
      to.position.copy(from.position);
      to.quaternion.copy(from.quaternion);
      to.scale.copy(from.scale);
    }
  }

  dispose(): void {
    disposeSkeletons(this.scene);
    this.scene.removeFromParent();
  }
}

/// Their matrices are a texture each.
export function disposeSkeletons(scene: Object3D): void {
  scene.traverse((object) => {
    if (object instanceof SkinnedMesh) object.skeleton.dispose();
  });
}

interface Part {
  mesh: Mesh;
  geometry: BufferGeometry;
  first: number;
  count: number;
  own: { material: Material | Material[]; colours: BufferAttribute | undefined };
}

/// A copy whose vertices are rewritten, for shapes that our shaders do not draw.
export class WrittenCopy extends PosedCopy {
  private readonly parts: Part[] = [];
  private readonly welded: Uint32Array; // the first coincident vertex
  private readonly painted = new MeshStandardMaterial({ vertexColors: true, side: DoubleSide });

  constructor(flesh: SuppleMesh) {
    super(flesh.root);
    this.welded = new Uint32Array(flesh.asset.info.vertexCount).map((_, i) => i);
    for (const [from, to] of this.pairs) {
      const part = flesh.partOf(from);
      const material = flesh.originalMaterial(from);
      if (!part || !material || !(to instanceof Mesh)) continue;
      const geometry = to.geometry.clone();
      for (const name of ['position', 'normal']) {
        const attribute = new BufferAttribute(new Float32Array(3 * part.vertexCount), 3);
        attribute.setUsage(DynamicDrawUsage);
        geometry.setAttribute(name, attribute);
      }
      this.weld(to, part.firstVertex);
      Object.assign(to, {
        geometry, material, customDepthMaterial: undefined, customDistanceMaterial: undefined,
        frustumCulled: false, castShadow: true, receiveShadow: true,
      });
      const colours = geometry.getAttribute('color') as BufferAttribute | undefined;
      this.parts.push({
        mesh: to, geometry, first: part.firstVertex, count: part.vertexCount,
        own: { material, colours },
      });
    }
  }

  private weld(mesh: Mesh, first: number): void {
    const rest = mesh.geometry.getAttribute('position');
    const seen = new Map<string, number>();
    for (let i = 0; i < rest.count; ++i) {
      const key = `${rest.getX(i)} ${rest.getY(i)} ${rest.getZ(i)}`;
      const same = seen.get(key) ?? first + i;
      seen.set(key, same);
      this.welded[first + i] = same;
    }
  }

  /// All vertices of the asset in bind space; without normals, smooth ones.
  write(positions: Float32Array, normals: Float32Array | null): void {
    const given = normals ?? this.smooth(positions);
    for (const { geometry, first, count } of this.parts) {
      const put = (name: string, numbers: Float32Array): void => {
        const attribute = geometry.getAttribute(name) as BufferAttribute;
        (attribute.array as Float32Array).set(numbers.subarray(3 * first, 3 * (first + count)));
        attribute.needsUpdate = true;
      };
      put('position', positions);
      put('normal', given);
    }
  }

  /// By `colour`, or in its own colours.
  paint(on: boolean): void {
    for (const { mesh, geometry, count, own } of this.parts) {
      mesh.material = on ? this.painted : own.material;
      if (on) geometry.setAttribute('color', new BufferAttribute(new Float32Array(3 * count), 3));
      else if (own.colours) geometry.setAttribute('color', own.colours);
      else geometry.deleteAttribute('color');
    }
  }

  /// From 0 to 1 for each vertex of the asset; call paint first.
  colour(share: (vertex: number) => number): void {
    for (const { geometry, first, count } of this.parts) {
      const attribute = geometry.getAttribute('color') as BufferAttribute;
      for (let i = 0; i < count; ++i) attribute.setXYZ(i, ...ramp(share(first + i)));
      attribute.needsUpdate = true;
    }
  }

  /// Weighted by area, across seams.
  private smooth(positions: Float32Array): Float32Array {
    const { welded } = this;
    const sums = new Float32Array(positions.length);
    const at = (corner: number, axis: number): number => positions[3 * corner + axis] ?? 0;
    for (const { geometry, first, count } of this.parts) {
      const index = geometry.getIndex();
      for (let i = 0; i + 2 < (index?.count ?? count); i += 3) {
        const [a, b, c] = [i, i + 1, i + 2].map((k) => first + (index?.getX(k) ?? k)) as
          [number, number, number];
        for (let axis = 0; axis < 3; ++axis) {
          const [y, z] = [(axis + 1) % 3, (axis + 2) % 3];
          const area = (at(b, y) - at(a, y)) * (at(c, z) - at(a, z))
            - (at(b, z) - at(a, z)) * (at(c, y) - at(a, y));
          for (const corner of [a, b, c]) {
            const to = 3 * (welded[corner] ?? corner) + axis;
            sums[to] = (sums[to] ?? 0) + area;
          }
        }
      }
    }
    return sums.map((_, i) => {
      const from = 3 * (welded[Math.floor(i / 3)] ?? 0);
      const length = Math.hypot(sums[from] ?? 0, sums[from + 1] ?? 0, sums[from + 2] ?? 0);
      return (sums[from + (i % 3)] ?? 0) / (length || 1);
    });
  }

  override dispose(): void {
    for (const { geometry } of this.parts) geometry.dispose();
    this.painted.dispose();
    super.dispose();
  }
}
