// SPDX-License-Identifier: Apache-2.0
#include "supple/gpu/shader_source.hpp"

#include "gpu/shader_chunks.hpp"

#include "supple/core/check.hpp"

#include <algorithm>
#include <regex>

namespace supple::gpu {

std::string_view shader_chunk(std::string_view name) {
  const auto chunks = shader_chunks();
  const auto found = std::find_if(chunks.begin(), chunks.end(),
                                  [&](const ShaderChunk& chunk) { return chunk.name == name; });
  SUPPLE_CHECK(found != chunks.end());
  return found->text;
}

ShaderSource& ShaderSource::define(std::string_view name, std::string_view value) {
  m_defines.append("#define ").append(name).append(" ").append(value).append("\n");
  return *this;
}

ShaderSource& ShaderSource::define(std::string_view name, int value) {
  return define(name, std::to_string(value));
}

ShaderSource& ShaderSource::chunk(std::string_view name) {
  m_parts.push_back({std::string(name), std::string(shader_chunk(name))});
  return *this;
}

ShaderSource& ShaderSource::text(std::string_view body) {
  m_parts.push_back({m_name, std::string(body)});
  return *this;
}

std::string ShaderSource::assemble() const {
  std::string whole =
      "#version " + m_version + "\n" + m_defines + "precision highp float;\nprecision highp int;\n";
  for (std::size_t i = 0; i < m_parts.size(); ++i) {
    whole += "#line 1 " + std::to_string(i + 1) + "\n" + m_parts[i].text + "\n";
  }
  return whole;
}

std::string ShaderSource::readable(std::string_view log) const {
  // Mesa writes "2:14(7): error", NVIDIA "2(14) : error", ANGLE "ERROR: 2:14:".
  static const std::regex place(R"((^|\n|ERROR: )(\d+)(?:[:(])(\d+)(?:\(\d+\)|\))?)");
  const std::string text(log);
  std::string out;
  auto rest = text.cbegin();
  for (std::sregex_iterator match(text.begin(), text.end(), place), end; match != end; ++match) {
    out.append(rest, (*match)[0].first);
    rest = (*match)[0].second;
    const std::size_t part = std::stoul((*match)[2]);
    const bool known = part >= 1 && part <= m_parts.size();
    out += (*match)[1].str() == "\n" ? "\n" : "";
    out += known ? m_parts[part - 1].name : m_name;
    out.append(":").append((*match)[3].str());
  }
  out.append(rest, text.cend());
  while (!out.empty() && (out.back() == '\n' || out.back() == '\0')) out.pop_back();
  return out;
}

}  // namespace supple::gpu
