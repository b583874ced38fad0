// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace supple {

/// The kind of failure. The values are the exit statuses of the command line.
enum class ErrorCode {
  Usage = 2,         ///< the call itself is wrong
  BadInput = 3,      ///< a file or a setting contains something unacceptable
  NotConverged = 4,  ///< a numerical method did not converge
  Io = 5,            ///< reading or writing failed
  Interrupted = 130  ///< the user pressed Ctrl-C
};

/// A place in a file; zero means "unknown".
struct Place {
  std::string file;
  std::size_t line = 0;
  std::size_t column = 0;
};

/// A failure on its way to the user: what happened, where, and what we were doing.
///
/// `message` names the object and the remedy. Callers add context from the inside out
/// ("flesh 'left_thigh'", then "baking 'hero.glb'"); `describe` prints it from the outside in.
class Error {
 public:
  Error(ErrorCode code, std::string message) : m_code(code), m_message(std::move(message)) {}

  [[nodiscard]] Error at(Place place) &&;
  [[nodiscard]] Error at(std::string_view file, std::size_t line = 0, std::size_t column = 0) &&;
  [[nodiscard]] Error during(std::string context) &&;

  [[nodiscard]] ErrorCode code() const { return m_code; }
  [[nodiscard]] const std::string& message() const { return m_message; }
  [[nodiscard]] const std::optional<Place>& place() const { return m_place; }
  [[nodiscard]] const std::vector<std::string>& context() const { return m_context; }

  /// "deck.inp:12: unknown set 'FIX'", then on a second line "  while baking 'hero.glb', flesh
  /// 'left_thigh'".
  [[nodiscard]] std::string describe() const;

 private:
  ErrorCode m_code;
  std::string m_message;
  std::optional<Place> m_place;
  std::vector<std::string> m_context;
};

[[nodiscard]] Error bad_input(std::string message);
[[nodiscard]] Error io_error(std::string message);
[[nodiscard]] Error not_converged(std::string message);

namespace detail {
/// Aborts: a caller asked for the value of a failed result, or for the error of a good one.
[[noreturn]] void wrong_result_access(const Error* error);
}  // namespace detail

/// Either a value or an Error, never a third state; accessing the wrong one breaks the contract.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool ok() const { return m_state.index() == 0; }
  explicit operator bool() const { return ok(); }

  [[nodiscard]] T& value() & {
    if (!ok()) detail::wrong_result_access(&error());
    return *std::get_if<0>(&m_state);
  }
  [[nodiscard]] const T& value() const& {
    if (!ok()) detail::wrong_result_access(&error());
    return *std::get_if<0>(&m_state);
  }
  [[nodiscard]] T&& value() && { return std::move(value()); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  [[nodiscard]] const Error& error() const& {
    if (ok()) detail::wrong_result_access(nullptr);
    return *std::get_if<1>(&m_state);
  }
  [[nodiscard]] Error&& error() && {
    if (ok()) detail::wrong_result_access(nullptr);
    return std::move(*std::get_if<1>(&m_state));
  }

  /// Adds context to an error; a value stays unchanged.
  [[nodiscard]] Result during(std::string context) && {
    if (ok()) return std::move(*this);
    return std::move(*this).error().during(std::move(context));
  }

 private:
  std::variant<T, Error> m_state;
};

/// Success without a value, or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : m_error(std::move(error)) {}

  [[nodiscard]] bool ok() const { return !m_error.has_value(); }
  explicit operator bool() const { return ok(); }
  [[nodiscard]] const Error& error() const& {
    if (ok()) detail::wrong_result_access(nullptr);
    return *m_error;
  }
  [[nodiscard]] Error&& error() && {
    if (ok()) detail::wrong_result_access(nullptr);
    return *std::move(m_error);
  }

  [[nodiscard]] Result during(std::string context) && {
    if (ok()) return {};
    return std::move(*this).error().during(std::move(context));
  }

 private:
  std::optional<Error> m_error;
};

}  // namespace supple

#define SUPPLE_CONCAT_(a, b) a##b
#define SUPPLE_CONCAT(a, b) SUPPLE_CONCAT_(a, b)
#define SUPPLE_TRY_(declaration, expression, name) \
  auto name = (expression);                        \
  if (!name.ok()) return std::move(name).error();  \
  declaration = *std::move(name)

/// SUPPLE_TRY(auto mesh, read_mesh(path)); binds the value or returns the error to our caller.
#define SUPPLE_TRY(declaration, expression) \
  SUPPLE_TRY_(declaration, expression, SUPPLE_CONCAT(supple_result_, __LINE__))

/// SUPPLE_TRY_VOID(write(path)); returns the error of a Result<void> to our caller.
#define SUPPLE_TRY_VOID(expression)                             \
  do {                                                          \
    if (auto supple_status = (expression); !supple_status.ok()) \
      return std::move(supple_status).error();                  \
  } while (false)
