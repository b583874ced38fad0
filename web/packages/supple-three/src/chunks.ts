// SPDX-License-Identifier: Apache-2.0
// Code inserted into the shaders of three.js.
import { shaders } from 'supple';

/** How a material's vertices move; a program is compiled for each variant. */
export interface Variant {
  path: 'texture' | 'attributes';
  floatShapes: boolean;
  /** Skinning by three.js itself, our palette of joints, or our palette with one joint per mesh. */
  skin: 'three' | 'palette' | 'rigid';
  /** How shells bend; 'linear' shows plain modes, for comparison. */
  warp: 'none' | 'warped' | 'linear';
  /** Colour by displacement. */
  colour: boolean;
}

export function variantKey(variant: Variant): string {
  const { path, floatShapes, skin, warp, colour } = variant;
  return `supple ${path} ${floatShapes ? 32 : 16} ${skin} ${warp}${colour ? ' colour' : ''}`;
}

const ROW = { three: '0', palette: 'gl_InstanceID', rigid: 'gl_InstanceID' } as const;

const BLEND = {
  three: '',
  palette: `
  mat4 supple_matrix = supple_blend(uvec4(skinIndex) + uint(supple_first_joint), skinWeight,
                                    gl_InstanceID);`,
  rigid: `
  mat4 supple_matrix = supple_joint(supple_first_joint, gl_InstanceID);`,
} as const;

function declarations(variant: Variant): string {
  const ours = variant.skin !== 'three';
  return [
    variant.floatShapes ? '#define SUPPLE_FLOAT_SHAPES' : '',
    variant.path === 'texture' ? shaders.modalTexture : shaders.modalAttributes,
    variant.warp === 'linear' ? '#define SUPPLE_LINEAR' : '',
    variant.warp === 'none' ? '' : shaders.warping,
    shaders.surface,
    ours ? shaders.skinning : '',
    variant.skin === 'palette' ? 'in vec4 skinIndex;\nin vec4 skinWeight;' : '',
    ours ? 'uniform int supple_first_joint;' : '',
    'uniform int supple_first_vertex;',
    'uniform int supple_enabled;',
    variant.colour ? 'uniform float supple_colour_scale;\nout float supple_amount;' : '',
    '',
  ].join('\n');
}

function mainBegins(variant: Variant): string {
  return `void main() {
  vec3 supple_displacement = vec3(0.0);
  vec3 supple_normal_change = vec3(0.0);
  vec3 supple_turn = vec3(0.0);
  if (supple_enabled != 0) {
    supple_modal_sum(gl_VertexID + supple_first_vertex, ${ROW[variant.skin]},
                     supple_displacement, supple_normal_change, supple_turn);
  }${variant.warp === 'none' ? '' : WARP}${BLEND[variant.skin]}
${variant.colour ? '  supple_amount = length(supple_displacement) * supple_colour_scale;' : ''}
`;
}

// Not every shader of three.js has normals: displacements are inserted early, normals where they
// begin.
const WARP = `
  {
    vec3 supple_no_normal = vec3(0.0);
    vec3 supple_no_tangent = vec3(0.0);
    supple_warp(supple_turn, supple_displacement, supple_no_normal, supple_no_tangent);
  }`;

const normalBegins = (variant: Variant) => `#include <beginnormal_vertex>
  {
    vec3 supple_point = vec3(0.0);
    vec3 supple_tangent = vec3(1.0, 0.0, 0.0);
#ifdef USE_TANGENT
    supple_tangent = objectTangent;
#endif${variant.warp === 'none' ? '' : WARP_NORMAL}
    supple_displace(supple_displacement, supple_normal_change, supple_point, objectNormal,
                    supple_tangent);
#ifdef USE_TANGENT
    objectTangent = supple_tangent;
#endif
  }
`;

const WARP_NORMAL = `
    supple_warp(supple_turn, supple_point, objectNormal, supple_tangent);`;

const POSITION = `#include <begin_vertex>
  transformed += supple_displacement;
`;

const SKIN_NORMAL = `
  objectNormal = supple_unit(mat3(supple_matrix) * objectNormal);
#ifdef USE_TANGENT
  objectTangent = supple_unit(mat3(supple_matrix) * objectTangent);
#endif
`;

const SKIN_POSITION = `
  transformed = (supple_matrix * vec4(transformed, 1.0)).xyz;
`;

/** Inserts our functions before three.js's own, and calls to them where its chunks begin. */
export function movingVertexShader(source: string, variant: Variant): string {
  let text = source
    .replace('void main() {', () => mainBegins(variant))
    .replace('#include <beginnormal_vertex>', () => normalBegins(variant))
    .replace('#include <begin_vertex>', () => POSITION);
  if (variant.skin !== 'three') {
    text = text
      .replace('#include <skinnormal_vertex>', () => SKIN_NORMAL)
      .replace('#include <skinning_vertex>', () => SKIN_POSITION);
  }
  return declarations(variant) + text;
}

// Lightness grows evenly in OKLab, from dark blue through magenta to light yellow.
const RAMP = `
in float supple_amount;

vec3 supple_ramp(float t) {
  t = clamp(t, 0.0, 1.0);
  float hue = mix(4.9, 8.1, t);
  float chroma = 0.13 + 0.06 * sin(3.14159 * t);
  vec3 lab = vec3(mix(0.42, 0.93, t), chroma * cos(hue), chroma * sin(hue));
  float l = lab.x + 0.3963377774 * lab.y + 0.2158037573 * lab.z;
  float m = lab.x - 0.1055613458 * lab.y - 0.0638541728 * lab.z;
  float s = lab.x - 0.0894841775 * lab.y - 1.2914855480 * lab.z;
  vec3 lms = vec3(l * l * l, m * m * m, s * s * s);
  return clamp(vec3(dot(lms, vec3(4.0767416621, -3.3077115913, 0.2309699292)),
                    dot(lms, vec3(-1.2684380046, 2.6097574011, -0.3413193965)),
                    dot(lms, vec3(-0.0041960863, -0.7034186147, 1.7076147010))), 0.0, 1.0);
}
`;

export function colouredFragmentShader(source: string): string {
  const painted = source.replace(
    '#include <color_fragment>',
    '#include <color_fragment>\n  diffuseColor.rgb = supple_ramp(supple_amount);\n',
  );
  return painted === source ? source : RAMP + painted;
}
