// SPDX-License-Identifier: Apache-2.0
// What the vertex shaders of three.js give, as compiled: every program that has our functions is
// linked with transform feedback, and its draws are read back vertex by vertex.

/** What tells our programs from others, and the names of their normals and tangents. */
const KINDS = {
  chunks: {
    mark: 'supple_modal_sum',
    vNormal: ['vNormal', 'varying vec3 vNormal'],
    vTangent: ['vTangent', '#define USE_TANGENT'],
  },
  nodes: {
    mark: 'uniform usampler2D',
    vNormal: ['v_normalViewGeometry', 'out vec3 v_normalViewGeometry'],
    vTangent: ['v_tangentView', 'out vec3 v_tangentView'],
  },
};

export class Capture {
  draws = [];
  active = false;

  constructor(gl, kind = 'chunks') {
    this.gl = gl;
    const { mark, ...outputs } = KINDS[kind];
    const sourceOf = (program) =>
      gl
        .getAttachedShaders(program)
        .map((shader) => gl.getShaderSource(shader))
        .find((text) => text.includes(mark));
    const isOurs = (program) => sourceOf(program) !== undefined;
    const link = gl.linkProgram;
    gl.linkProgram = (program) => {
      const source = sourceOf(program);
      if (source !== undefined) {
        program.outputs = { gl_Position: 'gl_Position' };
        for (const [name, [varying, declared]] of Object.entries(outputs)) {
          if (source.includes(declared)) program.outputs[name] = varying;
        }
        const varyings = Object.values(program.outputs);
        gl.transformFeedbackVaryings(program, varyings, gl.SEPARATE_ATTRIBS);
      }
      link.call(gl, program);
    };
    for (const name of ['drawElements', 'drawElementsInstanced']) {
      const draw = gl[name];
      gl[name] = (...given) => {
        const program = gl.getParameter(gl.CURRENT_PROGRAM);
        if (!this.active || !isOurs(program)) {
          draw.apply(gl, given);
          return;
        }
        this.draws.push(this.#read(program, name === 'drawElements' ? 1 : given[4]));
      };
    }
  }

  #read(program, instances) {
    const { gl } = this;
    const bytes = gl.getBufferParameter(gl.ELEMENT_ARRAY_BUFFER, gl.BUFFER_SIZE);
    const corners = new Uint16Array(bytes / 2);
    gl.getBufferSubData(gl.ELEMENT_ARRAY_BUFFER, 0, corners);
    const count = corners.reduce((most, corner) => Math.max(most, corner), 0) + 1;
    const buffers = Object.keys(program.outputs).map((name, i) => {
      const floats = name === 'gl_Position' ? 4 : 3;
      const buffer = gl.createBuffer();
      gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, i, buffer);
      gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, 4 * floats * count * instances, gl.STREAM_READ);
      return { name, buffer, floats };
    });
    gl.enable(gl.RASTERIZER_DISCARD);
    gl.beginTransformFeedback(gl.POINTS);
    gl.drawArraysInstanced(gl.POINTS, 0, count, instances);
    gl.endTransformFeedback();
    gl.disable(gl.RASTERIZER_DISCARD);
    const result = { count, instances };
    buffers.forEach(({ name, buffer, floats }, i) => {
      gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, i, null);
      const numbers = new Float32Array(floats * count * instances);
      gl.bindBuffer(gl.COPY_READ_BUFFER, buffer);
      gl.getBufferSubData(gl.COPY_READ_BUFFER, 0, numbers);
      result[name] = numbers;
      gl.deleteBuffer(buffer);
    });
    return result;
  }

  /** The draws of our programs while `render` runs. */
  during(render) {
    this.draws = [];
    this.active = true;
    render();
    this.active = false;
    return this.draws;
  }
}
