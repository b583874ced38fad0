// SPDX-License-Identifier: Apache-2.0
// The shader chunks (modal_texture, warping, surface and skinning) as nodes of three.js, which
// WebGPURenderer compiles for WebGPU and for WebGL 2. The chunks say why they are as they are.
import {
  type DataArrayTexture,
  DataArrayTexture as ArrayTexture,
  type DataTexture,
  IntType,
  type Mesh,
  NearestFilter,
  RGIntegerFormat,
} from 'three';
import {
  attribute,
  cross,
  diffuseColor,
  dot,
  float,
  Fn,
  If,
  instancedMesh,
  instanceIndex,
  int,
  ivec2,
  Loop,
  mat3,
  mat4,
  materialOpacity,
  morphReference,
  normalGeometry,
  normalLocal,
  positionGeometry,
  positionLocal,
  reference,
  skinning,
  tangentGeometry,
  tangentLocal,
  texture,
  uint,
  varyingProperty,
  vec3,
  vec4,
  vertexIndex,
} from 'three/tsl';
import type { Node, NodeBuilder } from 'three/webgpu';

import type { Variant } from './chunks.js';
import type { NodesOfMaterial, Uniforms } from './material.js';

type Int = Node<'int'>;
type Float = Node<'float'>;
type Vec3 = Node<'vec3'>;
type Vec4 = Node<'vec4'>;

const packed = new WeakMap<DataArrayTexture, DataArrayTexture>();

/** Shapes of 16 bits as pairs in 32, which the nodes can declare. */
function packedShapes(shapes: DataArrayTexture): DataArrayTexture {
  const known = packed.get(shapes);
  if (known !== undefined) return known;
  const { data, width, height, depth } = shapes.image;
  const shorts = data as unknown as Int16Array;
  const pairs = new Int32Array(shorts.buffer, shorts.byteOffset, shorts.length / 2);
  const copy = new ArrayTexture(null, width, height, depth);
  copy.image.data = pairs as unknown as typeof copy.image.data;
  copy.format = RGIntegerFormat;
  copy.type = IntType;
  copy.minFilter = copy.magFilter = NearestFilter;
  copy.needsUpdate = true;
  shapes.addEventListener('dispose', () => copy.dispose());
  packed.set(shapes, copy);
  return copy;
}

/** For whole texels, without the transform of texture coordinates. */
function readable(source: DataTexture | DataArrayTexture) {
  const node = texture(source);
  node.updateMatrix = false;
  return node;
}

/** A texel of the shapes, by its number. */
function shapeReader(shapes: DataArrayTexture, floats: boolean): (texel: Int) => Vec4 {
  const { width, height } = shapes.image;
  const source = readable(floats ? shapes : packedShapes(shapes));
  return (texel) => {
    const row = texel.div(int(width)).toVar();
    const place = ivec2(texel.mod(int(width)), row.mod(int(height)));
    const found = source.load(place).depth(row.div(int(height)));
    if (floats) return found as unknown as Vec4;
    const pairs = (found as unknown as Node<'ivec4'>).toVar();
    const low = (pair: Int) => float(pair.shiftLeft(16).shiftRight(16));
    const high = (pair: Int) => float(pair.shiftRight(16));
    return vec4(low(pairs.x), high(pairs.x), low(pairs.y), high(pairs.y));
  };
}

interface Motion {
  displacement: Vec3;
  normalChange: Vec3;
  turn: Vec3;
}

/** Loops by a condition are documented; the declarations know only counting ones. */
function repeatWhile(condition: Node<'bool'>, body: () => void): void {
  Loop(condition as never, body);
}

/** modal_texture.glsl. */
function addModalSum(uniforms: Uniforms, floats: boolean, row: Int, sums: Motion): void {
  const shapes = uniforms['supple_shapes']?.value as DataArrayTexture;
  const tableTexture = uniforms['supple_table']?.value as DataTexture;
  const shapeAt = shapeReader(shapes, floats);
  const table = readable(tableTexture);
  const coefficients = readable(uniforms['supple_coefficients']?.value as DataTexture);
  const width = int(tableTexture.image.width as number);
  const first = reference('value', 'int', uniforms['supple_first_vertex']) as unknown as Int;
  const vertex = int(vertexIndex).add(first).toVar();
  const place = vertex.div(16).toVar();
  const further = int(1).toVar();
  repeatWhile(further.notEqual(0), () => {
    const found = table.load(ivec2(place.mod(width), place.div(width)));
    const entry = (found as unknown as Node<'uvec4'>).toVar();
    const shape = int(entry.x).add(vertex.mod(16)).toVar();
    const modes = int(entry.z.bitAnd(uint(0x7fffffff))).toVar();
    const coefficient = int(entry.y).toVar();
    const mode = int(0).toVar();
    const sum = vec3(0).toVar();
    repeatWhile(mode.lessThan(modes), () => {
      const c = coefficients.load(ivec2(coefficient, row)).toVar() as unknown as Vec4;
      const one = shapeAt(shape).toVar();
      const middle = shapeAt(shape.add(16)).toVar();
      sums.displacement.addAssign(one.xyz.mul(c.x));
      sum.addAssign(vec3(one.w, middle.x, middle.y).mul(c.y));
      If(mode.add(1).lessThan(modes), () => {
        const other = shapeAt(shape.add(32)).toVar();
        sums.displacement.addAssign(other.xyz.mul(c.z));
        sum.addAssign(vec3(other.w, middle.z, middle.w).mul(c.w));
      });
      shape.addAssign(48);
      coefficient.addAssign(1);
      mode.addAssign(2);
    });
    If(entry.z.greaterThan(uint(0x7fffffff)), () => {
      sums.turn.addAssign(sum);
    }).Else(() => {
      sums.normalChange.addAssign(sum);
    });
    place.assign(int(entry.w));
    further.assign(place);
  });
}

/** supple_turn_factors of warping.glsl. */
function turnFactors(square: Float): Vec3 {
  const factors = vec3(0).toVar();
  If(square.lessThan(1), () => {
    const term = (a: number, b: number, c: number, rest: Vec3) =>
      vec3(1 / a, 1 / b, 1 / c).sub(rest.mul(square));
    const last = vec3(1 / 362880, 1 / 3628800, 1 / 39916800);
    const fourth = term(5040, 40320, 362880, last);
    factors.assign(term(1, 2, 6, term(6, 24, 120, term(120, 720, 5040, fourth))));
  }).Else(() => {
    const angle = square.sqrt().toVar();
    const turns = angle.mul(0.159154943).add(0.5).floor().toVar();
    const x = angle.mul(0.5).sub(turns.mul(3.140625)).sub(turns.mul(9.6765359e-4)).toVar();
    const u = x.mul(x).toVar();
    const series = (numbers: number[]): Float =>
      numbers.reduceRight<Float>((sum, number) => sum.mul(u).add(number), float(0));
    const odd = series([-0.166666579, 0.00833304933, -1.98089539e-4, 2.60496083e-6]);
    const s = x.add(x.mul(u).mul(odd));
    const c = series([0.999999953, -0.499999044, 0.041663564, -0.00138535604, 2.31508169e-5]);
    const sine = s.mul(c).mul(2).toVar();
    const b = s.mul(s).mul(2).div(square);
    factors.assign(vec3(sine.div(angle), b, angle.sub(sine).div(square.mul(angle))));
  });
  return factors;
}

/** supple_warp of warping.glsl. */
function warp(turn: Vec3, displacement: Vec3, directions: Vec3[], linear: boolean): void {
  if (linear) {
    for (const direction of directions) direction.addAssign(cross(turn, direction));
    return;
  }
  const square = dot(turn, turn).toVar();
  If(square.greaterThan(0), () => {
    const factors = turnFactors(square);
    const across = cross(turn, displacement).toVar();
    displacement.addAssign(across.mul(factors.y).add(cross(turn, across).mul(factors.z)));
    for (const direction of directions) {
      across.assign(cross(turn, direction));
      direction.addAssign(across.mul(factors.x).add(cross(turn, across).mul(factors.y)));
    }
  });
}

/** supple_unit of surface.glsl. */
function unit(vector: Vec3): Vec3 {
  const result = vector.toVar();
  const square = dot(result, result).toVar();
  If(square.greaterThan(0), () => {
    result.mulAssign(square.inverseSqrt());
  });
  return result;
}

/** supple_turn_along of surface.glsl. */
function turnAlong(from: Vec3, to: Vec3, tangent: Vec3): Vec3 {
  const sum = from.add(to).toVar();
  const open = dot(from, to).add(1).max(1e-6);
  const back = sum.mul(dot(sum, tangent).div(open));
  return tangent.sub(back).add(to.mul(dot(from, tangent).mul(2)));
}

/** skinning.glsl: the matrix of a vertex in a crowd, by the palette. */
function paletteMatrix(uniforms: Uniforms, skinned: boolean, row: Int): Node<'mat4'> {
  const palette = readable(uniforms['supple_palette']?.value as DataTexture);
  const first = reference('value', 'int', uniforms['supple_first_joint']) as unknown as Int;
  const joint = (index: Int): Node<'mat4'> => {
    const begin = index.mul(4).toVar();
    const column = (i: number) =>
      palette.load(ivec2(begin.add(i), row)) as unknown as Vec4;
    return mat4(column(0), column(1), column(2), column(3));
  };
  if (!skinned) return joint(first).toVar();
  const joints = attribute('skinIndex', 'uvec4');
  const weights = attribute('skinWeight', 'vec4');
  const part = (axis: 'x' | 'y' | 'z' | 'w') =>
    joint(int(joints[axis]).add(first)).mul(weights[axis]);
  return part('x').add(part('y')).add(part('z')).add(part('w')).toVar();
}

function hasMorphs(mesh: Mesh): boolean {
  const { position, normal } = mesh.geometry.morphAttributes;
  return position !== undefined || normal !== undefined;
}

// Lightness grows evenly in OKLab, as in chunks.ts.
const ramp = Fn(([amount]: [Float]) => {
  const t = amount.clamp(0, 1).toVar();
  const hue = t.mul(8.1 - 4.9).add(4.9);
  const chroma = t.mul(3.14159).sin().mul(0.06).add(0.13);
  const lightness = t.mul(0.93 - 0.42).add(0.42);
  const a = chroma.mul(hue.cos()).toVar();
  const b = chroma.mul(hue.sin()).toVar();
  const l = lightness.add(a.mul(0.3963377774)).add(b.mul(0.2158037573));
  const m = lightness.sub(a.mul(0.1055613458)).sub(b.mul(0.0638541728));
  const s = lightness.sub(a.mul(0.0894841775)).sub(b.mul(1.291485548));
  const lms = vec3(l, m, s).pow(3).toVar();
  const colour = vec3(
    dot(lms, vec3(4.0767416621, -3.3077115913, 0.2309699292)),
    dot(lms, vec3(-1.2684380046, 2.6097574011, -0.3413193965)),
    dot(lms, vec3(-0.0041960863, -0.7034186147, 1.707614701)),
  );
  return colour.clamp(0, 1);
});

const amount = varyingProperty('float', 'supple_amount');

/** Moves vertices and their normals before bones do: positions start again from the geometry, with
 * what three.js does to them before and after the flesh. */
function motion(uniforms: Uniforms, variant: () => Variant, own: Vec3 | null): Vec3 {
  return Fn((builder: NodeBuilder) => {
    const { floatShapes, skin, warp: bending, colour } = variant();
    const mesh = (builder as unknown as { object: Mesh }).object;
    const { attributes } = mesh.geometry;
    const row = skin === 'three' ? int(0) : int(instanceIndex);
    const sums: Motion = {
      displacement: vec3(0).toVar(),
      normalChange: vec3(0).toVar(),
      turn: vec3(0).toVar(),
    };
    const enabled = reference('value', 'float', uniforms['supple_enabled']) as unknown as Float;
    If(enabled.greaterThan(0), () => addModalSum(uniforms, floatShapes, row, sums));
    positionLocal.assign(positionGeometry);
    const directions: Vec3[] = [];
    if (attributes['normal'] !== undefined) {
      normalLocal.assign(normalGeometry);
      directions.push(normalLocal);
    }
    if (attributes['normal'] !== undefined && attributes['tangent'] !== undefined) {
      tangentLocal.assign(tangentGeometry.xyz);
      directions.push(tangentLocal);
    }
    if (hasMorphs(mesh)) morphReference(mesh as never);
    if (bending !== 'none') {
      warp(sums.turn, sums.displacement, directions, bending === 'linear');
    }
    positionLocal.addAssign(sums.displacement);
    if (directions.length > 0) {
      const before = unit(normalLocal);
      normalLocal.assign(unit(normalLocal.add(sums.normalChange)));
      if (directions.length > 1) tangentLocal.assign(turnAlong(before, normalLocal, tangentLocal));
    }
    if (colour) {
      const scale = reference('value', 'float', uniforms['supple_colour_scale']);
      amount.assign(sums.displacement.length().mul(scale as unknown as Float));
    }
    if (skin !== 'three') {
      const matrix = paletteMatrix(uniforms, skin === 'palette', row);
      positionLocal.assign(matrix.mul(vec4(positionLocal, 1)).xyz);
      const turned = mat3(matrix).toVar();
      for (const direction of directions) direction.assign(unit(turned.mul(direction)));
      instancedMesh(mesh as never);
    } else if ('isSkinnedMesh' in mesh) {
      skinning(mesh as never);
    }
    return own ?? positionLocal;
  })() as unknown as Vec3;
}

/** The nodes of a material whose vertices move. */
export function makeNodes(
  uniforms: Uniforms,
  variant: () => Variant,
  own: { positionNode?: unknown; opacityNode?: unknown },
): NodesOfMaterial {
  const position = motion(uniforms, variant, (own.positionNode ?? null) as Vec3 | null);
  const opacity = (own.opacityNode ?? materialOpacity) as Float;
  // Where three.js asks for the opacity, all colours are in: also those of vertices, which must go.
  const painted = Fn(() => {
    diffuseColor.rgb.assign(ramp(amount));
    return opacity;
  })();
  return {
    id: position.id,
    position,
    opacity: () => (variant().colour ? painted : (own.opacityNode ?? null)),
  };
}
