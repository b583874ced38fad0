// SPDX-License-Identifier: Apache-2.0
#include "io/gltf/accessor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace supple::io::gltf {
namespace {

/// Offsets and lengths inside a buffer of at most 4 GiB; products with counts fit in 64 bits.
constexpr std::size_t kOffsetLimit = std::size_t{1} << 33U;
constexpr std::size_t kCountLimit = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t kStrideLimit = 4096;  // glTF itself allows 252

/// Memory that a file may decode to: its own content as doubles, shared by several primitives ...
constexpr std::size_t kBudgetPerByte = 64;
constexpr std::size_t kBudgetPerDecompressedByte = sizeof(double);
/// ... and zeros for sparse accessors, which take no space in the file.
constexpr std::size_t kBudgetBase = std::size_t{128} << 20U;

template <class T>
double load(const std::byte* data) {
  T value;
  std::memcpy(&value, data, sizeof value);
  return static_cast<double>(value);
}

double load(Component component, const std::byte* data) {
  switch (component) {
    case Component::Int8:
      return load<std::int8_t>(data);
    case Component::UInt8:
      return load<std::uint8_t>(data);
    case Component::Int16:
      return load<std::int16_t>(data);
    case Component::UInt16:
      return load<std::uint16_t>(data);
    case Component::UInt32:
      return load<std::uint32_t>(data);
    case Component::Float:
      break;
  }
  return load<float>(data);
}

/// glTF 2.0, 3.11 "Animations" and 3.6.2.2: f = max(c / 127, -1) and so on.
double normalise(Component component, double value) {
  switch (component) {
    case Component::Int8:
      return std::max(value / 127, -1.0);
    case Component::UInt8:
      return value / 255;
    case Component::Int16:
      return std::max(value / 32767, -1.0);
    case Component::UInt16:
      return value / 65535;
    case Component::UInt32:
    case Component::Float:
      break;
  }
  return value;
}

bool is_component(std::size_t code) {
  return (code >= 5120 && code <= 5123) || code == 5125 || code == 5126;
}

struct Shape {
  const char* name;
  std::size_t rows;
  std::size_t columns;
};
constexpr std::array<Shape, 7> kShapes{{{"SCALAR", 1, 1},
                                        {"VEC2", 2, 1},
                                        {"VEC3", 3, 1},
                                        {"VEC4", 4, 1},
                                        {"MAT2", 2, 2},
                                        {"MAT3", 3, 3},
                                        {"MAT4", 4, 4}}};

}  // namespace

std::size_t component_size(Component component) {
  switch (component) {
    case Component::Int8:
    case Component::UInt8:
      return 1;
    case Component::Int16:
    case Component::UInt16:
      return 2;
    case Component::UInt32:
    case Component::Float:
      break;
  }
  return 4;
}

Result<ElementType> element_type(const Json& accessor, const std::string& where) {
  SUPPLE_TRY(const std::size_t component,
             get_integer(accessor, "componentType", kOffsetLimit, where));
  if (!is_component(component)) {
    return bad_input(fmt::format("{}: unknown component type {}", where, component));
  }
  const std::string name = get_string(accessor, "type");
  const auto* shape = std::find_if(kShapes.begin(), kShapes.end(),
                                   [&](const Shape& known) { return name == known.name; });
  if (shape == kShapes.end()) {
    return bad_input(fmt::format("{}: unknown element type '{}'", where, name));
  }
  ElementType type;
  type.component = static_cast<Component>(component);
  type.rows = shape->rows;
  type.columns = shape->columns;
  type.column_size = shape->rows * component_size(type.component);
  if (type.columns > 1) type.column_size = (type.column_size + 3) / 4 * 4;
  const Json* normalised = find(accessor, "normalized");
  type.normalised = normalised != nullptr && normalised->is_boolean() && normalised->get<bool>();
  return type;
}

AccessorReader::AccessorReader(const GltfDocument& document)
    : m_document(document),
      m_count(array_size(document.json, "accessors")),
      m_views(array_size(document.json, "bufferViews")),
      m_budget(kBudgetBase + kBudgetPerByte * (document.binary.size() - document.decompressed) +
               kBudgetPerDecompressedByte * document.decompressed) {}

Result<void> AccessorReader::spend(std::size_t bytes) {
  if (bytes > m_budget) {
    return bad_input("the accessors describe far more data than the file can contain");
  }
  m_budget -= bytes;
  return {};
}

Result<AccessorReader::View> AccessorReader::view(std::size_t index,
                                                  const std::string& where) const {
  const Json& json = m_document.json["bufferViews"][index];
  const std::string what = fmt::format("{}, buffer view {}", where, index);
  SUPPLE_TRY(const std::size_t offset, get_integer(json, "byteOffset", kOffsetLimit, what, 0));
  SUPPLE_TRY(const std::size_t size, get_integer(json, "byteLength", kOffsetLimit, what));
  SUPPLE_TRY(const std::size_t stride, get_integer(json, "byteStride", kStrideLimit, what, 0));
  const std::size_t buffers = array_size(m_document.json, "buffers");
  if (const auto buffer = get_integer(json, "buffer", buffers, what); !buffer.ok()) {
    return buffer.error();
  }
  if (offset + size > m_document.binary.size()) {
    return bad_input(fmt::format("{} extends beyond the end of its buffer ({} + {} of {} bytes)",
                                 what, offset, size, m_document.binary.size()));
  }
  return View{m_document.binary.data() + offset, size, stride};
}

Result<void> AccessorReader::place(const Json& json, const View& view, Layout& layout,
                                   const std::string& where) {
  SUPPLE_TRY(const std::size_t offset, get_integer(json, "byteOffset", kOffsetLimit, where, 0));
  const std::size_t element = layout.element_size();
  layout.stride = view.stride > 0 ? view.stride : element;
  if (layout.stride < element) {
    return bad_input(
        fmt::format("{}: elements of {} bytes at a stride of {}", where, element, layout.stride));
  }
  if (layout.count > 0 && offset + layout.stride * (layout.count - 1) + element > view.size) {
    return bad_input(
        fmt::format("{}: {} elements extend beyond the end of the buffer view ({} bytes)", where,
                    layout.count, view.size));
  }
  layout.data = view.data + std::min(offset, view.size);
  return {};
}

Result<AccessorReader::Layout> AccessorReader::layout(std::size_t accessor,
                                                      const std::string& where) const {
  const Json& json = m_document.json["accessors"][accessor];
  Layout layout;
  SUPPLE_TRY(static_cast<ElementType&>(layout), element_type(json, where));
  SUPPLE_TRY(layout.count, get_integer(json, "count", kCountLimit, where));
  SUPPLE_TRY(const auto index, find_integer(json, "bufferView", m_views, where));
  if (index) {
    SUPPLE_TRY(const View bytes, view(*index, where));
    SUPPLE_TRY_VOID(place(json, bytes, layout, where));
  }
  return layout;
}

Result<void> AccessorReader::decode(const Layout& layout, std::size_t element, double* out,
                                    const std::string& where) {
  const std::byte* data = layout.data + element * layout.stride;
  const std::size_t size = component_size(layout.component);
  for (std::size_t column = 0; column < layout.columns; ++column) {
    for (std::size_t row = 0; row < layout.rows; ++row) {
      double value = load(layout.component, data + column * layout.column_size + row * size);
      if (!std::isfinite(value)) {
        return bad_input(fmt::format("{}: element {} contains a number that is not finite ({})",
                                     where, element, value));
      }
      if (layout.normalised) value = normalise(layout.component, value);
      *out++ = value;
    }
  }
  return {};
}

Result<void> AccessorReader::apply_sparse(const Json& sparse, Layout layout, Elements& elements,
                                          const std::string& where) const {
  const std::string what = where + ", sparse part";
  const Json* indices = find(sparse, "indices");
  const Json* values = find(sparse, "values");
  if (indices == nullptr || values == nullptr) {
    return bad_input(fmt::format("{}: 'indices' or 'values' is missing", what));
  }
  SUPPLE_TRY(const std::size_t count, get_integer(sparse, "count", elements.count + 1, what));
  Layout places;
  places.count = layout.count = count;
  SUPPLE_TRY(const std::size_t type, get_integer(*indices, "componentType", kOffsetLimit, what));
  if (type != 5121 && type != 5123 && type != 5125) {
    return bad_input(fmt::format("{}: indices of component type {}", what, type));
  }
  places.component = static_cast<Component>(type);
  places.column_size = component_size(places.component);
  SUPPLE_TRY(const std::size_t index_view, get_integer(*indices, "bufferView", m_views, what));
  SUPPLE_TRY(const View index_bytes, view(index_view, what));
  SUPPLE_TRY_VOID(place(*indices, index_bytes, places, what));
  SUPPLE_TRY(const std::size_t value_view, get_integer(*values, "bufferView", m_views, what));
  SUPPLE_TRY(const View value_bytes, view(value_view, what));
  SUPPLE_TRY_VOID(place(*values, value_bytes, layout, what));
  double previous = -1;
  for (std::size_t i = 0; i < count; ++i) {
    double index = 0;
    SUPPLE_TRY_VOID(decode(places, i, &index, what));
    if (index <= previous || index >= static_cast<double>(elements.count)) {
      return bad_input(fmt::format("{}: index {} is out of range or out of order", what, index));
    }
    previous = index;
    double* out = elements.values.data() + static_cast<std::size_t>(index) * elements.width;
    SUPPLE_TRY_VOID(decode(layout, i, out, what));
  }
  return {};
}

Result<Elements> AccessorReader::numbers(std::size_t accessor) {
  const std::string where = fmt::format("accessor {}", accessor);
  SUPPLE_TRY(const Layout found, layout(accessor, where));
  return read(accessor, found, where);
}

Result<Elements> AccessorReader::stored(std::size_t accessor) {
  const std::string where = fmt::format("accessor {}", accessor);
  SUPPLE_TRY(Layout found, layout(accessor, where));
  found.normalised = false;
  return read(accessor, found, where);
}

Result<Elements> AccessorReader::read(std::size_t accessor, const Layout& found,
                                      const std::string& where) {
  Elements elements;
  elements.count = found.count;
  elements.width = found.width();
  SUPPLE_TRY_VOID(spend(sizeof(double) * elements.count * elements.width));
  elements.values.assign(elements.count * elements.width, 0);
  for (std::size_t i = 0; i < elements.count && found.data != nullptr; ++i) {
    SUPPLE_TRY_VOID(decode(found, i, elements.values.data() + i * elements.width, where));
  }
  if (const Json* sparse = find(m_document.json["accessors"][accessor], "sparse")) {
    SUPPLE_TRY_VOID(apply_sparse(*sparse, found, elements, where));
  }
  return elements;
}

Result<Elements> AccessorReader::numbers(std::size_t accessor, std::size_t width) {
  SUPPLE_TRY(Elements elements, numbers(accessor));
  if (elements.width != width) {
    return bad_input(fmt::format("accessor {}: elements of {} numbers where {} are needed",
                                 accessor, elements.width, width));
  }
  return elements;
}

Result<std::vector<std::uint32_t>> AccessorReader::integers(std::size_t accessor,
                                                            std::size_t width) {
  SUPPLE_TRY(const Elements elements, numbers(accessor, width));
  std::vector<std::uint32_t> integers;
  integers.reserve(elements.values.size());
  for (const double value : elements.values) {
    // Fractions come from floats or normalised integers, which are invalid here.
    if (!(value >= 0 && value <= std::numeric_limits<std::uint32_t>::max()) ||
        value != std::floor(value)) {
      return bad_input(fmt::format("accessor {}: {} is not a whole number >= 0", accessor, value));
    }
    integers.push_back(static_cast<std::uint32_t>(value));
  }
  return integers;
}

}  // namespace supple::io::gltf
