// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "render/drawn_asset_data.hpp"

#include "supple/geometry/types.hpp"
#include "supple/gpu/objects.hpp"

#include <Eigen/Core>

#include <span>

namespace supple::render {

/// Uniforms by name; names that the compiler removed are skipped.
class Uniforms {
 public:
  Uniforms(const gpu::Gl& gl, const gpu::Program& program) : m_gl(gl), m_program(program) {
    program.use();
  }
  void set(const char* name, int value) const { m_gl.Uniform1i(place(name), value); }
  void set(const char* name, bool value) const { m_gl.Uniform1i(place(name), value ? 1 : 0); }
  void set(const char* name, double value) const {
    m_gl.Uniform1f(place(name), static_cast<float>(value));
  }
  void set(const char* name, const Eigen::Vector2d& v) const {
    const Eigen::Vector2f f = v.cast<float>();
    m_gl.Uniform2f(place(name), f.x(), f.y());
  }
  void set(const char* name, const geometry::Vec3& v) const {
    const Eigen::Vector3f f = v.cast<float>();
    m_gl.Uniform3fv(place(name), 1, f.data());
  }
  void set(const char* name, const Eigen::Vector3f& v) const {
    m_gl.Uniform3fv(place(name), 1, v.data());
  }
  void set(const char* name, const Eigen::Vector4d& v) const {
    const Eigen::Vector4f f = v.cast<float>();
    m_gl.Uniform4fv(place(name), 1, f.data());
  }
  void set(const char* name, const Eigen::Matrix4d& m) const {
    const Eigen::Matrix4f f = m.cast<float>();
    m_gl.UniformMatrix4fv(place(name), 1, GL_FALSE, f.data());
  }
  void set(const char* name, const geometry::Mat3& m) const {
    const Eigen::Matrix3f f = m.cast<float>();
    m_gl.UniformMatrix3fv(place(name), 1, GL_FALSE, f.data());
  }
  void set_all(const char* name, std::span<const Eigen::Vector3f> vectors) const {
    m_gl.Uniform3fv(place(name), static_cast<GLsizei>(vectors.size()), vectors.front().data());
  }

  [[nodiscard]] GLint place(const char* name) const { return m_program.uniform(name); }

 private:
  const gpu::Gl& m_gl;
  const gpu::Program& m_program;
};

/// Samplers read the units of drawn_asset_data.hpp.
inline void name_units(const Uniforms& uniforms) {
  uniforms.set("u_base_colour", int{BaseColour});
  uniforms.set("u_metallic_roughness", int{MetallicRoughness});
  uniforms.set("u_normal_map", int{NormalMap});
  uniforms.set("u_occlusion", int{Occlusion});
  uniforms.set("u_emissive", int{Emissive});
  uniforms.set("u_shadow_compare", int{ShadowCompare});
  uniforms.set("u_shadow_depth", int{ShadowDepth});
  uniforms.set("u_openness", int{Openness});
  uniforms.set("u_depth", int{PictureDepth});
  uniforms.set("supple_palette", int{Palette});
  uniforms.set("u_morphs", int{Morphs});
  uniforms.set("u_morph_weights", int{MorphWeights});
  uniforms.set("supple_coefficients", int{Coefficients});
}

}  // namespace supple::render
