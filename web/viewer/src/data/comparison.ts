// SPDX-License-Identifier: Apache-2.0

export const kMethods = ['linear', 'warped', 'rotationStrain', 'nonlinear'] as const;
export type Method = (typeof kMethods)[number];

/// Precomputed equilibria of a shell under growing gravity, and each method's distance from them.
export interface Comparison {
  direction: [number, number, number];
  loads: number[]; // m/s^2, ascending
  nonlinear: Float32Array[]; // by load: all vertices of the asset, in bind space
  area: Partial<Record<Method, number[]>>; // by load: change relative to the rest area
  error: Partial<Record<Method, number[]>>; // by load: relative distance from the nonlinear shape
}

function numbers(value: unknown, length: number, where: string): number[] {
  const good = Array.isArray(value) && value.length === length
    && value.every((item) => typeof item === 'number' && Number.isFinite(item));
  if (!good) throw new Error(`${where} needs ${length} numbers`);
  return value as number[];
}

function curves(value: unknown, length: number, where: string): Comparison['area'] {
  const found: Comparison['area'] = {};
  if (typeof value !== 'object' || value === null) return found;
  for (const method of kMethods) {
    const curve = (value as Record<string, unknown>)[method];
    if (curve !== undefined) found[method] = numbers(curve, length, `${where}.${method}`);
  }
  return found;
}

/// Errors name the file.
export function readComparison(name: string, text: string, vertices: number): Comparison {
  let json: Record<string, unknown>;
  try {
    json = JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new Error(`${name} is not JSON`);
  }
  const count = Array.isArray(json.loads) ? json.loads.length : 0;
  if (count < 2) throw new Error(`${name}: loads needs at least two numbers`);
  const loads = numbers(json.loads, count, `${name}: loads`);
  if (loads.some((load, i) => load <= (loads[i - 1] ?? -1))) {
    throw new Error(`${name}: loads must be ascending`);
  }
  if (json.vertexCount !== vertices) {
    throw new Error(`${name} has ${String(json.vertexCount)} vertices, the shell ${vertices}`);
  }
  const shapes = Array.isArray(json.nonlinear) ? json.nonlinear as unknown[] : [];
  if (shapes.length !== count) throw new Error(`${name}: nonlinear needs a shape for each load`);
  return {
    direction: numbers(json.direction, 3, `${name}: direction`) as [number, number, number],
    loads,
    nonlinear: shapes.map((shape, i) =>
      Float32Array.from(numbers(shape, 3 * vertices, `${name}: nonlinear[${i}]`))),
    area: curves(json.area, count, `${name}: area`),
    error: curves(json.error, count, `${name}: error`),
  };
}

const kSameDirection = Math.cos((2 * Math.PI) / 180);

/// Whether the equilibria are for this gravity.
export function isRecorded(
  { direction: [x, y, z], loads }: Comparison,
  gravity: { x: number; y: number; z: number },
): boolean {
  const load = Math.hypot(gravity.x, gravity.y, gravity.z);
  const along = (gravity.x * x + gravity.y * y + gravity.z * z) / Math.hypot(x, y, z);
  return load <= (loads.at(-1) ?? 0) * 1.001 && along >= kSameDirection * load;
}

/// The position of a load between two others: `share` of the way from `before` to the next.
export function placeOfLoad(loads: number[], load: number): { before: number; share: number } {
  const last = loads.length - 1;
  let before = 0;
  while (before + 1 < last && (loads[before + 1] ?? 0) <= load) ++before;
  const from = loads[before] ?? 0;
  const to = loads[before + 1] ?? from + 1;
  return { before, share: Math.min(Math.max((load - from) / (to - from), 0), 1) };
}
