// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/samples.hpp"

#include <zlib.h>

#include <string>
#include <string_view>
#include <vector>

namespace supple::io::samples {

/// One way to store the arrays of a .vtu file.
struct VtuDialect {
  bool appended = true;
  bool base64 = true;
  bool compressed = true;
  bool wide_headers = true;
  std::endian order = std::endian::little;
};

inline std::string base64(std::string_view bytes) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  unsigned bits = 0;
  int held = 0;
  for (const char c : bytes) {
    bits = bits << 8U | static_cast<unsigned char>(c);
    for (held += 8; held >= 6; held -= 6) text += kDigits[bits >> (held - 6U) & 63U];
  }
  if (held > 0) text += kDigits[bits << (6U - static_cast<unsigned>(held)) & 63U];
  while (text.size() % 4 != 0) text += '=';
  return text;
}

/// The same two tetrahedra in any dialect, compressed in blocks of 32 bytes to have several.
class VtuSample {
 public:
  explicit VtuSample(VtuDialect dialect) : m_dialect(dialect) {}

  std::string write() {
    std::string xml = "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"";
    xml += m_dialect.order == std::endian::big ? "BigEndian" : "LittleEndian";
    xml += m_dialect.wide_headers ? "\" header_type=\"UInt64\"" : "\" header_type=\"UInt32\"";
    xml += m_dialect.compressed ? " compressor=\"vtkZLibDataCompressor\">" : ">";
    xml += "<UnstructuredGrid><Piece NumberOfPoints=\"5\" NumberOfCells=\"2\"><CellData>";
    xml += array<std::int16_t>("Int16", "material", {3, 4}) + "</CellData><Points>";
    xml += array<double>("Float64", "Points", kPoints) + "</Points><Cells>";
    xml += array<std::int32_t>("Int32", "connectivity", {0, 1, 2, 3, 1, 2, 3, 4});
    xml += array<std::uint64_t>("UInt64", "offsets", {4, 8});
    xml += array<std::uint8_t>("UInt8", "types", {10, 10});
    xml += "</Cells></Piece></UnstructuredGrid>\n";
    if (m_dialect.appended) {
      xml += m_dialect.base64 ? "<AppendedData encoding=\"base64\">\n  _"
                              : "<AppendedData encoding=\"raw\">\n  _";
      xml += m_appended + "\n</AppendedData>";
    }
    return xml + "</VTKFile>\n";
  }

 private:
  void put_word(Blob& blob, std::size_t value) const {
    if (m_dialect.wide_headers) {
      blob.put(static_cast<std::uint64_t>(value));
    } else {
      blob.put(static_cast<std::uint32_t>(value));
    }
  }

  std::string stored(const std::string& plain) const {
    constexpr std::size_t kBlock = 32;
    Blob header(m_dialect.order);
    if (!m_dialect.compressed) {
      put_word(header, plain.size());
      const std::string joint = header.bytes() + plain;
      return m_dialect.base64 ? base64(joint) : joint;
    }
    std::string blocks;
    Blob sizes(m_dialect.order);
    std::size_t count = 0;
    for (std::size_t at = 0; at < plain.size(); at += kBlock, ++count) {
      const std::string block = plain.substr(at, kBlock);
      uLongf size = ::compressBound(block.size());
      std::string packed(size, '\0');
      ::compress(reinterpret_cast<Bytef*>(packed.data()), &size,
                 reinterpret_cast<const Bytef*>(block.data()), block.size());
      put_word(sizes, size);
      blocks += packed.substr(0, size);
    }
    put_word(header, count);
    put_word(header, kBlock);
    put_word(header, plain.size() % kBlock);
    header.text(sizes.bytes());
    if (!m_dialect.base64) return header.bytes() + blocks;
    return base64(header.bytes()) + base64(blocks);
  }

  template <class T>
  std::string array(std::string_view type, std::string_view name, const std::vector<T>& values) {
    const std::string data = stored(Blob(m_dialect.order).put_all(values).bytes());
    std::string xml = "<DataArray type=\"" + std::string(type) + "\" Name=\"" + std::string(name) +
                      "\" NumberOfComponents=\"" + (name == "Points" ? "3" : "1") + "\" format=\"";
    if (!m_dialect.appended) return xml + "binary\">\n" + data + "\n</DataArray>\n";
    xml += "appended\" offset=\"" + std::to_string(m_appended.size()) + "\"/>\n";
    m_appended += data;
    return xml;
  }

  VtuDialect m_dialect;
  std::string m_appended;
};

inline std::vector<VtuDialect> vtu_dialects() {
  std::vector<VtuDialect> dialects;
  for (const bool compressed : {false, true}) {
    for (const bool wide : {false, true}) {
      for (const std::endian order : {std::endian::little, std::endian::big}) {
        dialects.push_back({false, true, compressed, wide, order});
        dialects.push_back({true, true, compressed, wide, order});
        dialects.push_back({true, false, compressed, wide, order});
      }
    }
  }
  return dialects;
}

}  // namespace supple::io::samples
