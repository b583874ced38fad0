// SPDX-License-Identifier: Apache-2.0
// The chunks alone in WebGL 2, read back by transform feedback, beside the CPU player.
import { loadSupple, shaders } from 'supple';

import { JOINTS, restNumbers } from '../synthetic.mjs';

const ROW = 1; // of two: instances take their own

function vertexShader(path, floatShapes, linear) {
  return `#version 300 es
precision highp float;
precision highp int;
${floatShapes ? '#define SUPPLE_FLOAT_SHAPES' : ''}
${path === 'texture' ? shaders.modalTexture : shaders.modalAttributes}
${linear ? '#define SUPPLE_LINEAR' : ''}
${shaders.warping}
${shaders.surface}
${shaders.skinning}
uniform bool skinned;
in vec3 position;
in vec3 normal;
in vec3 tangent;
in vec4 joints;
in vec4 weights;
out vec3 new_position;
out vec3 new_normal;
out vec3 new_tangent;
void main() {
  vec3 displacement;
  vec3 normal_change;
  vec3 turn;
  supple_modal_sum(gl_VertexID, ${ROW}, displacement, normal_change, turn);
  new_position = position;
  new_normal = normal;
  new_tangent = tangent;
  supple_warp(turn, displacement, new_normal, new_tangent);
  supple_displace(displacement, normal_change, new_position, new_normal, new_tangent);
  if (skinned) {
    mat4 blend = supple_blend(uvec4(joints), weights, ${ROW});
    supple_skin(blend, new_position, new_normal, new_tangent);
  }
}`;
}

function makeProgram(gl, path, floatShapes, linear) {
  const program = gl.createProgram();
  const fragment = '#version 300 es\nprecision highp float;\nvoid main() {}';
  const sources = [
    [gl.VERTEX_SHADER, vertexShader(path, floatShapes, linear)],
    [gl.FRAGMENT_SHADER, fragment],
  ];
  for (const [type, source] of sources) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) {
      throw new Error(gl.getShaderInfoLog(shader));
    }
    gl.attachShader(program, shader);
  }
  const outputs = ['new_position', 'new_normal', 'new_tangent'];
  gl.transformFeedbackVaryings(program, outputs, gl.SEPARATE_ATTRIBS);
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
    throw new Error(gl.getProgramInfoLog(program));
  }
  gl.useProgram(program);
  return program;
}

function bindTexture(gl, program, unit, name, target, upload) {
  gl.activeTexture(gl.TEXTURE0 + unit);
  gl.bindTexture(target, gl.createTexture());
  gl.texParameteri(target, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(target, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  upload();
  gl.uniform1i(gl.getUniformLocation(program, name), unit);
}

function bindShapes(gl, program, asset) {
  const { width, shapeHeight, shapeLayers, tableHeight } = asset.gpuLayout;
  const { shapes, table } = asset.gpuTextures();
  const float = asset.info.encodingBits === 32;
  const format = float ? gl.RGBA : gl.RGBA_INTEGER;
  bindTexture(gl, program, 0, 'supple_shapes', gl.TEXTURE_2D_ARRAY, () =>
    gl.texImage3D(
      ...[gl.TEXTURE_2D_ARRAY, 0, float ? gl.RGBA32F : gl.RGBA16I, width, shapeHeight],
      ...[shapeLayers, 0, format, float ? gl.FLOAT : gl.SHORT, shapes],
    ),
  );
  bindTexture(gl, program, 1, 'supple_table', gl.TEXTURE_2D, () =>
    gl.texImage2D(
      ...[gl.TEXTURE_2D, 0, gl.RGBA32UI, width, tableHeight, 0],
      ...[gl.RGBA_INTEGER, gl.UNSIGNED_INT, table],
    ),
  );
}

function bindRows(gl, program, unit, name, numbers) {
  const rows = new Float32Array(2 * numbers.length).fill(1e9); // the other row is nonsense
  rows.set(numbers, numbers.length * ROW);
  bindTexture(gl, program, unit, name, gl.TEXTURE_2D, () =>
    gl.texImage2D(
      ...[gl.TEXTURE_2D, 0, gl.RGBA32F, numbers.length / 4, 2, 0],
      ...[gl.RGBA, gl.FLOAT, rows],
    ),
  );
}

function bindAttribute(gl, program, name, data, size, stride = 0, offset = 0) {
  const at = gl.getAttribLocation(program, name);
  if (at < 0) return;
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
  gl.enableVertexAttribArray(at);
  const type = { Float32Array: gl.FLOAT, Int16Array: gl.SHORT, Uint16Array: gl.UNSIGNED_SHORT };
  gl.vertexAttribPointer(at, size, type[data.constructor.name], false, stride, offset);
}

function readBack(gl, vertexCount, skinned, program) {
  gl.uniform1i(gl.getUniformLocation(program, 'skinned'), skinned ? 1 : 0);
  const feedback = gl.createTransformFeedback();
  gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, feedback);
  const buffers = [0, 1, 2].map((i) => {
    const buffer = gl.createBuffer();
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, i, buffer);
    gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, 12 * vertexCount, gl.STREAM_READ);
    return buffer;
  });
  gl.enable(gl.RASTERIZER_DISCARD);
  gl.beginTransformFeedback(gl.POINTS);
  gl.drawArrays(gl.POINTS, 0, vertexCount);
  gl.endTransformFeedback();
  gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, null);
  if (gl.getError() !== gl.NO_ERROR) throw new Error('a WebGL error');
  return buffers.map((buffer) => {
    const numbers = new Float32Array(3 * vertexCount);
    gl.bindBuffer(gl.COPY_READ_BUFFER, buffer);
    gl.getBufferSubData(gl.COPY_READ_BUFFER, 0, numbers);
    return numbers;
  });
}

function unitVectors(numbers) {
  const unit = numbers.slice();
  for (let i = 0; i < unit.length; i += 3) {
    const length = Math.hypot(unit[i], unit[i + 1], unit[i + 2]);
    for (let c = 0; c < 3; ++c) unit[i + c] /= length;
  }
  return unit;
}

/** Largest difference over the largest number. */
function difference(a, b) {
  let worst = 0;
  let size = 0;
  for (let i = 0; i < a.length; ++i) {
    worst = Math.max(worst, Math.abs(a[i] - b[i]));
    size = Math.max(size, Math.abs(b[i]));
  }
  return worst / size;
}

function shake(player, frames = 40) {
  for (let frame = 0; frame < frames; ++frame) {
    const x = 40 * Math.sin(0.7 * frame); // in hundredths of a metre
    for (let object = 0; object < player.asset.info.objectCount; ++object) {
      player.setBoneMatrix(object, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0, 0, 1]);
    }
    player.step(1 / 60);
  }
}

/** How far the GPU is from the CPU player, in parts of the size. */
export async function compare(url, path, linear = false) {
  const supple = await loadSupple();
  const asset = supple.openAsset(await (await fetch(url)).arrayBuffer());
  const { vertexCount, encodingBits } = asset.info;
  if (path === 'attributes' && asset.gpuLayout.attributes === 0) return { fits: false };
  const player = asset.createPlayer();
  for (const { object } of asset.shells) player.setSettings(object, { warp: !linear });
  shake(player);

  const rest = {
    positions: restNumbers(3 * vertexCount),
    normals: unitVectors(restNumbers(3 * vertexCount, 100)),
    tangents: unitVectors(restNumbers(3 * vertexCount, 200)),
    joints: Uint16Array.from({ length: 4 * vertexCount }, (_, i) => i % JOINTS),
    weights: new Float32Array(4 * vertexCount).fill(0.25),
  };
  const palette = restNumbers(16 * JOINTS, 300);
  const surface = asset.createSurface(rest);

  const gl = document.createElement('canvas').getContext('webgl2');
  const program = makeProgram(gl, path, encodingBits === 32, linear);
  bindShapes(gl, program, asset);
  const texels = new Float32Array(4 * asset.gpuLayout.coefficientTexels);
  player.gpuCoefficients(texels);
  bindRows(gl, program, 2, 'supple_coefficients', texels);
  bindRows(gl, program, 3, 'supple_palette', palette);
  bindAttribute(gl, program, 'position', rest.positions, 3);
  bindAttribute(gl, program, 'normal', rest.normals, 3);
  bindAttribute(gl, program, 'tangent', rest.tangents, 3);
  bindAttribute(gl, program, 'joints', rest.joints, 4);
  bindAttribute(gl, program, 'weights', rest.weights, 4);
  if (path === 'attributes') {
    const vectors = asset.gpuAttributes(0, vertexCount);
    const bytes = vectors.BYTES_PER_ELEMENT;
    for (let i = 0; i < 8; ++i) {
      bindAttribute(gl, program, `supple_shape_${i}`, vectors, 4, 32 * bytes, 4 * i * bytes);
    }
  }
  const errors = {};
  for (const skinned of [false, true]) {
    player.deform(surface, skinned ? { palette } : {});
    const gpu = readBack(gl, vertexCount, skinned, program);
    ['positions', 'normals', 'tangents'].forEach((name, i) => {
      errors[name] = Math.max(errors[name] ?? 0, difference(gpu[i], surface[name]));
    });
    const moved = difference(rest.positions, surface.positions);
    if (!skinned && !(moved > 0.01)) throw new Error(`flesh moved by ${moved} only`);
  }
  const turn = Math.max(...asset.shells.map(({ object }) => player.shellState(object).largestTurn));
  asset.close();
  gl.getExtension('WEBGL_lose_context').loseContext(); // a page has only a few
  return { fits: true, turn, ...errors };
}
