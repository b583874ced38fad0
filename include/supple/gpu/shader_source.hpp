// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace supple::gpu {

/// The text of a file of runtime/shaders by its name without the extension: "modal_texture",
/// "modal_attributes", "warping", "surface", "skinning", "modal_crowd". Other names break the
/// contract.
[[nodiscard]] std::string_view shader_chunk(std::string_view name);

/// A whole shader: version, default precisions, definitions, then chunks and own text in call
/// order.
///
///     ShaderSource("flesh").define("SUPPLE_FLOAT_SHAPES").chunk("modal_texture").text(main)
class ShaderSource {
 public:
  /// `name` denotes the caller's own text in errors.
  explicit ShaderSource(std::string name, std::string version = "300 es")
      : m_name(std::move(name)), m_version(std::move(version)) {}

  ShaderSource& define(std::string_view name, std::string_view value = "1");
  ShaderSource& define(std::string_view name, int value);
  ShaderSource& chunk(std::string_view name);
  ShaderSource& text(std::string_view body);

  [[nodiscard]] const std::string& name() const { return m_name; }
  [[nodiscard]] std::string assemble() const;

  /// A driver's log with its positions in assemble() translated to "chunk:line".
  [[nodiscard]] std::string readable(std::string_view log) const;

 private:
  struct Part {
    std::string name;
    std::string text;
  };
  std::string m_name;
  std::string m_version;
  std::string m_defines;
  std::vector<Part> m_parts;
};

}  // namespace supple::gpu
