// SPDX-License-Identifier: Apache-2.0
#include "supple/gpu/objects.hpp"

namespace supple::gpu {
namespace {

/// The blame for an error: the shaders are ours, so a driver that rejects one is broken or
/// outdated.
Error refused(const ShaderSource& source, const char* what, const std::string& log) {
  return bad_input("the driver failed to " + std::string(what) + " the shader '" + source.name() +
                   "':\n" + source.readable(log) +
                   "\nUpdate the graphics driver, or set SUPPLE_GPU=software");
}

class Shader {
 public:
  Shader(const Gl& gl, GLenum stage) : m_gl(gl), m_id(gl.CreateShader(stage)) {}
  ~Shader() { m_gl.DeleteShader(m_id); }
  Shader(const Shader&) = delete;
  Shader& operator=(const Shader&) = delete;

  [[nodiscard]] Result<void> compile(const ShaderSource& source) const {
    const std::string text = source.assemble();
    const char* begin = text.c_str();
    m_gl.ShaderSource(m_id, 1, &begin, nullptr);
    m_gl.CompileShader(m_id);
    GLint good = 0;
    m_gl.GetShaderiv(m_id, GL_COMPILE_STATUS, &good);
    if (good != 0) return {};
    GLint length = 0;
    m_gl.GetShaderiv(m_id, GL_INFO_LOG_LENGTH, &length);
    std::string log(static_cast<std::size_t>(length), '\0');
    m_gl.GetShaderInfoLog(m_id, length, nullptr, log.data());
    return refused(source, "compile", log);
  }
  [[nodiscard]] GLuint id() const { return m_id; }

 private:
  const Gl& m_gl;
  GLuint m_id;
};

}  // namespace

Buffer make_empty_buffer(const Gl& gl, GLenum target, std::size_t bytes, GLenum usage) {
  Buffer buffer(gl);
  gl.BindBuffer(target, buffer.id());
  gl.BufferData(target, static_cast<GLsizeiptr>(bytes), nullptr, usage);
  return buffer;
}

Result<void> Program::attach(GLenum stage, const ShaderSource& source) {
  const Shader shader(*m_gl, stage);
  SUPPLE_TRY_VOID(shader.compile(source));
  m_gl->AttachShader(m_object.id(), shader.id());
  return {};
}

Result<void> Program::finish(const ShaderSource& named) {
  m_gl->LinkProgram(m_object.id());
  GLint good = 0;
  m_gl->GetProgramiv(m_object.id(), GL_LINK_STATUS, &good);
  if (good != 0) return {};
  GLint length = 0;
  m_gl->GetProgramiv(m_object.id(), GL_INFO_LOG_LENGTH, &length);
  std::string log(static_cast<std::size_t>(length), '\0');
  m_gl->GetProgramInfoLog(m_object.id(), length, nullptr, log.data());
  return refused(named, "link", log);
}

Result<Program> Program::link(const Gl& gl, const ShaderSource& vertex,
                              const ShaderSource& fragment, const Options& options) {
  Program program(gl);
  SUPPLE_TRY_VOID(program.attach(GL_VERTEX_SHADER, vertex));
  SUPPLE_TRY_VOID(program.attach(GL_FRAGMENT_SHADER, fragment));
  for (const auto& [name, place] : options.attributes) {
    gl.BindAttribLocation(program.id(), place, name.c_str());
  }
  if (!options.captured.empty()) {
    std::vector<const char*> names;
    names.reserve(options.captured.size());
    for (const std::string& name : options.captured) names.push_back(name.c_str());
    gl.TransformFeedbackVaryings(program.id(), static_cast<GLsizei>(names.size()), names.data(),
                                 GL_INTERLEAVED_ATTRIBS);
  }
  SUPPLE_TRY_VOID(program.finish(vertex));
  return program;
}

Result<Program> Program::compute(const Gl& gl, const ShaderSource& source) {
  Program program(gl);
  SUPPLE_TRY_VOID(program.attach(GL_COMPUTE_SHADER, source));
  SUPPLE_TRY_VOID(program.finish(source));
  return program;
}

}  // namespace supple::gpu
