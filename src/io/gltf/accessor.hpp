// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/gltf/document.hpp"

#include "supple/core/result.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace supple::io::gltf {

/// Component types of glTF accessors.
enum class Component {
  Int8 = 5120,
  UInt8 = 5121,
  Int16 = 5122,
  UInt16 = 5123,
  UInt32 = 5125,
  Float = 5126
};

[[nodiscard]] std::size_t component_size(Component component);  ///< bytes

/// The type of an accessor's elements.
struct ElementType {
  Component component = Component::Float;
  bool normalised = false;
  std::size_t rows = 1;
  std::size_t columns = 1;
  std::size_t column_size = 0;  ///< bytes, including the padding of matrix columns
  [[nodiscard]] std::size_t width() const { return rows * columns; }
  [[nodiscard]] std::size_t element_size() const { return columns * column_size; }
};
[[nodiscard]] Result<ElementType> element_type(const Json& accessor, const std::string& where);

/// Decoded elements, `width` numbers each.
struct Elements {
  std::size_t count = 0;
  std::size_t width = 1;
  std::vector<double> values;
};

/// Reads accessors of a document, every offset, size and value checked.
///
/// Accessors may share bytes or have none (zeros), so a small file could demand any amount of
/// memory: a budget proportional to the file size prevents that. Bytes that came out of compressed
/// ones count less: they were charged already.
class AccessorReader {
 public:
  explicit AccessorReader(const GltfDocument& document);

  /// Finite numbers; normalised integers become fractions, others are unchanged.
  [[nodiscard]] Result<Elements> numbers(std::size_t accessor);
  /// The same for elements that must be `width` wide.
  [[nodiscard]] Result<Elements> numbers(std::size_t accessor, std::size_t width);
  /// Integers as they are stored, normalised or not.
  [[nodiscard]] Result<Elements> stored(std::size_t accessor);
  /// Unsigned integers: indices and joints.
  [[nodiscard]] Result<std::vector<std::uint32_t>> integers(std::size_t accessor,
                                                            std::size_t width);
  /// Charges memory to the budget before it is used.
  [[nodiscard]] Result<void> spend(std::size_t bytes);
  [[nodiscard]] std::size_t count() const { return m_count; }

 private:
  /// The location of an accessor's elements; `data` is null for zeros.
  struct Layout : ElementType {
    std::size_t count = 0;
    std::size_t stride = 0;
    const std::byte* data = nullptr;
  };
  struct View {
    const std::byte* data = nullptr;
    std::size_t size = 0;
    std::size_t stride = 0;  ///< 0: tightly packed
  };

  [[nodiscard]] Result<Elements> read(std::size_t accessor, const Layout& found,
                                      const std::string& where);
  [[nodiscard]] Result<View> view(std::size_t index, const std::string& where) const;
  [[nodiscard]] Result<Layout> layout(std::size_t accessor, const std::string& where) const;
  [[nodiscard]] static Result<void> place(const Json& json, const View& view, Layout& layout,
                                          const std::string& where);
  [[nodiscard]] static Result<void> decode(const Layout& layout, std::size_t element, double* out,
                                           const std::string& where);
  [[nodiscard]] Result<void> apply_sparse(const Json& sparse, Layout layout, Elements& elements,
                                          const std::string& where) const;

  const GltfDocument& m_document;
  std::size_t m_count;
  std::size_t m_views;
  std::size_t m_budget;
};

}  // namespace supple::io::gltf
