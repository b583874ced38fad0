// SPDX-License-Identifier: Apache-2.0
// The paths of vertex shaders: attributes and textures.
#include "supple/gpu/modal_mesh.hpp"

#include "supple/core/check.hpp"

namespace supple::gpu {
namespace {

enum Place : GLuint { Position, Normal, Tangent, Joints, Weights, MoreJoints, MoreWeights };

constexpr std::string_view kVertexMain = R"glsl(
in vec3 rest_position;
in vec3 rest_normal;
#ifdef HAS_TANGENTS
in vec3 rest_tangent;
out vec3 new_tangent;
#endif
#ifdef INFLUENCES
in uvec4 joints;
in vec4 weights;
in uvec4 more_joints;
in vec4 more_weights;
#endif
out vec3 new_position;
out vec3 new_normal;

void main() {
  vec3 displacement;
  vec3 normal_change;
  vec3 turn;
  supple_modal_sum(gl_VertexID, gl_InstanceID, displacement, normal_change, turn);
  vec3 position = rest_position;
  vec3 normal = rest_normal;
#ifdef HAS_TANGENTS
  vec3 tangent = rest_tangent;
#else
  vec3 tangent = vec3(0.0);
#endif
  supple_warp(turn, displacement, normal, tangent);
  supple_displace(displacement, normal_change, position, normal, tangent);
#ifdef INFLUENCES
  mat4 blend = supple_blend(joints, weights, gl_InstanceID);
#if INFLUENCES == 8
  blend += supple_blend(more_joints, more_weights, gl_InstanceID);
#endif
  supple_skin(blend, position, normal, tangent);
#endif
  new_position = position;
  new_normal = normal;
#ifdef HAS_TANGENTS
  new_tangent = tangent;
#endif
  // Behind the far plane: computed, but invisible.
  gl_Position = vec4(position.xy + normal.xy, 2.0, 1.0);
  gl_PointSize = 1.0;
}
)glsl";

constexpr std::string_view kFragmentMain = R"glsl(
out vec4 colour;
void main() { colour = vec4(1.0); }
)glsl";

Result<Program> link_drawn_program(const Gl& gl, const ModalShapes& shapes, const RestMesh& rest,
                                   bool linear) {
  ShaderSource vertex("vertices of flesh");
  shapes.add_to(vertex);
  if (linear) vertex.define("SUPPLE_LINEAR");
  vertex.chunk("surface");
  Program::Options options;
  options.captured = {"new_position", "new_normal"};
  if (!rest.tangents.empty()) {
    vertex.define("HAS_TANGENTS");
    options.captured.emplace_back("new_tangent");
  }
  if (rest.influences > 0) {
    vertex.define("INFLUENCES", static_cast<int>(rest.influences)).chunk("skinning");
  }
  options.attributes = ModalShapes::shape_attributes();
  options.attributes.insert(options.attributes.end(), {{"rest_position", Position},
                                                       {"rest_normal", Normal},
                                                       {"rest_tangent", Tangent},
                                                       {"joints", Joints},
                                                       {"weights", Weights},
                                                       {"more_joints", MoreJoints},
                                                       {"more_weights", MoreWeights}});
  vertex.text(kVertexMain);
  return Program::link(gl, vertex, ShaderSource("no fragments").text(kFragmentMain), options);
}

/// Components of the bound buffers, four at a time.
void enable_joints(const Gl& gl, std::size_t influences) {
  const auto stride = static_cast<GLsizei>(influences * sizeof(std::uint16_t));
  for (std::size_t i = 0; i < influences; i += 4) {
    const GLuint place = i == 0 ? Joints : MoreJoints;
    gl.EnableVertexAttribArray(place);
    gl.VertexAttribIPointer(place, 4, GL_UNSIGNED_SHORT, stride,
                            buffer_offset(i * sizeof(std::uint16_t)));
  }
}

void enable_weights(const Gl& gl, std::size_t influences) {
  const auto stride = static_cast<GLsizei>(influences * sizeof(float));
  for (std::size_t i = 0; i < influences; i += 4) {
    const GLuint place = i == 0 ? Weights : MoreWeights;
    gl.EnableVertexAttribArray(place);
    gl.VertexAttribPointer(place, 4, GL_FLOAT, GL_FALSE, stride, buffer_offset(i * sizeof(float)));
  }
}

}  // namespace

Result<void> ModalMesh::create_drawn(const RestMesh& rest) {
  const Gl& gl = *m_gl;
  SUPPLE_TRY(m_program, link_drawn_program(gl, m_shapes, rest, m_settings.linear));
  m_array = VertexArray(gl);
  gl.BindVertexArray(m_array.id());
  m_buffers.reserve(5);
  for (const auto& [place, numbers] :
       {std::pair{Position, rest.positions}, {Normal, rest.normals}, {Tangent, rest.tangents}}) {
    if (numbers.empty()) continue;
    m_buffers.push_back(make_buffer(gl, GL_ARRAY_BUFFER, numbers));
    gl.EnableVertexAttribArray(place);
    gl.VertexAttribPointer(place, 3, GL_FLOAT, GL_FALSE, 0, nullptr);
  }
  if (rest.influences > 0) {
    m_buffers.push_back(make_buffer(gl, GL_ARRAY_BUFFER, rest.joints));
    enable_joints(gl, rest.influences);
    m_buffers.push_back(make_buffer(gl, GL_ARRAY_BUFFER, rest.weights));
    enable_weights(gl, rest.influences);
  }
  if (m_settings.path == ModalPath::Attributes) m_shapes.enable_attributes();
  gl.BindVertexArray(0);
  m_stride = m_shapes.vertex_count();
  m_output = make_empty_buffer(gl, GL_TRANSFORM_FEEDBACK_BUFFER,
                               m_stride * m_floats * sizeof(float) * m_settings.instances);
  gl.BindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, 0);
  m_pixel = Renderbuffer(gl);
  gl.BindRenderbuffer(GL_RENDERBUFFER, m_pixel.id());
  gl.RenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 1, 1);
  m_target = Framebuffer(gl);
  GLint before = 0;
  gl.GetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &before);
  gl.BindFramebuffer(GL_DRAW_FRAMEBUFFER, m_target.id());
  gl.FramebufferRenderbuffer(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                             m_pixel.id());
  gl.BindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(before));
  return {};
}

void ModalMesh::draw(bool capture) const {
  const Gl& gl = *m_gl;
  GLint before = 0;
  gl.GetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &before);
  gl.BindFramebuffer(GL_DRAW_FRAMEBUFFER, m_target.id());
  bind_textures();
  gl.BindVertexArray(m_array.id());
  if (capture) {
    gl.Enable(GL_RASTERIZER_DISCARD);
    gl.BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, m_output.id());
    gl.BeginTransformFeedback(GL_POINTS);
  }
  gl.DrawArraysInstanced(GL_POINTS, 0, static_cast<GLsizei>(m_stride),
                         static_cast<GLsizei>(m_settings.instances));
  if (capture) {
    gl.EndTransformFeedback();
    gl.BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
    gl.Disable(GL_RASTERIZER_DISCARD);
  }
  gl.BindVertexArray(0);
  gl.BindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(before));
}

void ModalMesh::draw_unseen() const {
  SUPPLE_CHECK(m_settings.path != ModalPath::Compute);
  draw(false);
}

}  // namespace supple::gpu
