// SPDX-License-Identifier: Apache-2.0
#include "io/gltf/document.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

namespace supple::io::gltf {
namespace {

/// A whole number, even if written as 5.0; empty if it is something else.
std::optional<std::size_t> as_integer(const Json& value) {
  if (value.is_number_unsigned()) return value.get<std::size_t>();
  if (value.is_number_integer() && value.get<std::int64_t>() >= 0) return value.get<std::size_t>();
  if (!value.is_number_float()) return std::nullopt;
  const double number = value.get<double>();
  constexpr double kLargestExact = 0x1.0p53;
  if (!(number >= 0 && number < kLargestExact) || number != std::floor(number)) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(number);
}

Result<std::size_t> checked(const Json& value, const char* key, std::size_t limit,
                            std::string_view where) {
  const std::optional<std::size_t> number = as_integer(value);
  if (!number) return bad_input(fmt::format("{}: '{}' is not a whole number >= 0", where, key));
  if (*number >= limit) {
    return bad_input(fmt::format("{}: '{}' is {}, which is out of range (below {})", where, key,
                                 *number, limit));
  }
  return *number;
}

}  // namespace

const Json* find(const Json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

Result<const Json*> find_array(const Json& object, const char* key, std::string_view where) {
  static const Json kEmpty = Json::array();
  const Json* value = find(object, key);
  if (value == nullptr) return &kEmpty;
  if (!value->is_array()) return bad_input(fmt::format("{}: '{}' is not an array", where, key));
  return value;
}

Result<std::optional<std::size_t>> find_integer(const Json& object, const char* key,
                                                std::size_t limit, std::string_view where) {
  const Json* value = find(object, key);
  if (value == nullptr) return std::optional<std::size_t>();
  SUPPLE_TRY(const std::size_t number, checked(*value, key, limit, where));
  return std::optional<std::size_t>(number);
}

Result<std::size_t> get_integer(const Json& object, const char* key, std::size_t limit,
                                std::string_view where, std::optional<std::size_t> fallback) {
  const Json* value = find(object, key);
  if (value == nullptr && fallback) return *fallback;
  if (value == nullptr) return bad_input(fmt::format("{}: '{}' is missing", where, key));
  return checked(*value, key, limit, where);
}

Result<std::vector<std::size_t>> get_integers(const Json& object, const char* key,
                                              std::size_t limit, std::string_view where) {
  SUPPLE_TRY(const Json* array, find_array(object, key, where));
  std::vector<std::size_t> numbers;
  numbers.reserve(array->size());
  for (const Json& value : *array) {
    SUPPLE_TRY(const std::size_t number, checked(value, key, limit, where));
    numbers.push_back(number);
  }
  return numbers;
}

Result<std::vector<double>> get_numbers(const Json& object, const char* key, std::size_t count,
                                        std::string_view where) {
  SUPPLE_TRY(const Json* array, find_array(object, key, where));
  std::vector<double> numbers;
  numbers.reserve(array->size());
  for (const Json& value : *array) {
    if (!value.is_number() || !std::isfinite(value.get<double>())) {
      return bad_input(fmt::format("{}: '{}' contains something that is not a number", where, key));
    }
    numbers.push_back(value.get<double>());
  }
  if (count > 0 && !numbers.empty() && numbers.size() != count) {
    return bad_input(
        fmt::format("{}: '{}' has {} numbers, not {}", where, key, numbers.size(), count));
  }
  return numbers;
}

std::string get_string(const Json& object, const char* key) {
  const Json* value = find(object, key);
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

std::size_t array_size(const Json& object, const char* key) {
  const Json* value = find(object, key);
  return value != nullptr && value->is_array() ? value->size() : 0;
}

}  // namespace supple::io::gltf
