// SPDX-License-Identifier: Apache-2.0
#include "swim/flow_expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <string>

namespace supple::swim {
namespace {

using Op = Expression::Op;

struct Name {
  std::string_view name;
  Op op;
  int arguments;
};
constexpr std::array kVariableNames{
    Name{"x", Op::X, 0},     Name{"y", Op::Y, 0},       Name{"z", Op::Z, 0},
    Name{"t", Op::T, 0},     Name{"pi", Op::Number, 0}, Name{"sin", Op::Sin, 1},
    Name{"cos", Op::Cos, 1}, Name{"tan", Op::Tan, 1},   Name{"tanh", Op::Tanh, 1},
    Name{"exp", Op::Exp, 1}, Name{"log", Op::Log, 1},   Name{"sqrt", Op::Sqrt, 1},
    Name{"abs", Op::Abs, 1}, Name{"min", Op::Min, 2},   Name{"max", Op::Max, 2},
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// Recursive descent: sum > product > sign > power > atom, so that -x^2 is -(x^2) and 2^-1 is 0.5.
class Parser {
 public:
  explicit Parser(std::string_view text) : m_text(text) {}

  Result<std::vector<Expression::Instruction>> run() {
    SUPPLE_TRY_VOID(sum());
    if (peek() != '\0') return wrong("an operator such as + or * is missing here");
    return std::move(m_code);
  }

 private:
  /// The next character that is not a space; '\0' at the end.
  char peek() {
    while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\t')) ++m_at;
    return m_at < m_text.size() ? m_text[m_at] : '\0';
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++m_at;
    return true;
  }
  [[nodiscard]] Error wrong(std::string_view what) const {
    return bad_input(fmt::format("expression '{}', column {}: {}", m_text, m_at + 1, what));
  }
  void emit(Op op, double number = 0) { m_code.push_back({op, number}); }
  Result<void> push(Op op, double number = 0) {
    // Pending operands of all open operators are on the stack at once.
    if (++m_depth > Expression::kStack) return wrong("nested too deeply; use fewer brackets");
    emit(op, number);
    return {};
  }
  void join(Op op) {
    --m_depth;
    emit(op);
  }

  Result<void> sum() {
    SUPPLE_TRY_VOID(product());
    for (;;) {
      const bool plus = take('+');
      if (!plus && !take('-')) return {};
      SUPPLE_TRY_VOID(product());
      join(plus ? Op::Add : Op::Subtract);
    }
  }
  Result<void> product() {
    SUPPLE_TRY_VOID(sign());
    for (;;) {
      const bool times = take('*');
      if (!times && !take('/')) return {};
      SUPPLE_TRY_VOID(sign());
      join(times ? Op::Multiply : Op::Divide);
    }
  }
  Result<void> sign() {
    if (++m_calls > kMostCalls) return wrong("nested too deeply; use fewer brackets");
    const bool minus = take('-');
    if (minus || take('+')) {
      SUPPLE_TRY_VOID(sign());
      if (minus) emit(Op::Negate);
    } else {
      SUPPLE_TRY_VOID(power());
    }
    --m_calls;
    return {};
  }
  Result<void> power() {
    SUPPLE_TRY_VOID(atom());
    if (!take('^')) return {};
    SUPPLE_TRY_VOID(sign());
    join(Op::Power);
    return {};
  }
  Result<void> atom() {
    const char c = peek();
    if (is_digit(c) || c == '.') return number();
    if (is_letter(c)) return name();
    if (take('(')) {
      SUPPLE_TRY_VOID(sum());
      if (!take(')')) return wrong("a closing bracket ) is missing here");
      return {};
    }
    if (c == '\0') return wrong("it ends where a value is expected");
    return wrong(fmt::format(
        "'{}' where a value is expected: a number, x, y, z, t, pi, a function or (", c));
  }
  Result<void> number() {
    double value = 0;
    const char* begin = m_text.data() + m_at;
    const auto [end, status] = std::from_chars(begin, m_text.data() + m_text.size(), value);
    if (status != std::errc{} || !std::isfinite(value))
      return wrong("this is not a number; write it like 0.5 or 2e-3");
    SUPPLE_TRY_VOID(push(Op::Number, value));
    m_at += static_cast<std::size_t>(end - begin);
    return {};
  }
  Result<void> name() {
    const std::size_t begin = m_at;
    std::size_t end = begin;
    while (end < m_text.size() && (is_letter(m_text[end]) || is_digit(m_text[end]))) ++end;
    const std::string_view word = m_text.substr(begin, end - begin);
    const auto* const found = std::ranges::find(kVariableNames, word, &Name::name);
    if (found == kVariableNames.end()) return unknown(word);
    m_at = end;
    if (found->arguments == 0)
      return push(found->op, found->op == Op::Number ? std::numbers::pi : 0);
    if (!take('(')) return wrong(fmt::format("{} needs its value in brackets", word));
    SUPPLE_TRY_VOID(sum());
    if (found->arguments == 2) {
      if (!take(',')) return wrong(fmt::format("{} needs two values separated by a comma", word));
      SUPPLE_TRY_VOID(sum());
      join(found->op);
    } else {
      emit(found->op);
    }
    if (!take(')')) return wrong("a closing bracket ) is missing here");
    return {};
  }
  [[nodiscard]] Error unknown(std::string_view word) const {
    std::string known;
    for (const Name& name : kVariableNames)
      known += fmt::format("{}{}", known.empty() ? "" : " ", name.name);
    return wrong(fmt::format("'{}' is unknown; use {}", word, known));
  }

  static constexpr std::size_t kMostCalls =
      256;  ///< recursion depth of `sign`: protects the machine's stack
  std::string_view m_text;
  std::size_t m_at = 0;
  std::size_t m_depth = 0;
  std::size_t m_calls = 0;
  std::vector<Expression::Instruction> m_code;
};

double changed(Op op, double a) {
  switch (op) {
    case Op::Negate:
      return -a;
    case Op::Sin:
      return std::sin(a);
    case Op::Cos:
      return std::cos(a);
    case Op::Tan:
      return std::tan(a);
    case Op::Tanh:
      return std::tanh(a);
    case Op::Exp:
      return std::exp(a);
    case Op::Log:
      return std::log(a);
    case Op::Sqrt:
      return std::sqrt(a);
    default:
      return std::abs(a);
  }
}

double joined(Op op, double a, double b) {
  switch (op) {
    case Op::Add:
      return a + b;
    case Op::Subtract:
      return a - b;
    case Op::Multiply:
      return a * b;
    case Op::Divide:
      return a / b;
    case Op::Power:
      return std::pow(a, b);
    // The C functions would hide NaN.
    case Op::Min:
      return b < a || std::isnan(b) ? b : a;
    default:
      return a < b || std::isnan(b) ? b : a;
  }
}

}  // namespace

Result<Expression> Expression::parse(std::string_view text) {
  Expression expression;
  SUPPLE_TRY(expression.m_code, Parser(text).run());
  return expression;
}

double Expression::operator()(const Eigen::Vector3d& at, double time) const {
  std::array<double, kStack> stack{};
  std::size_t size = 0;
  for (const Instruction& instruction : m_code) {
    switch (instruction.op) {
      case Op::Number:
        stack[size++] = instruction.number;
        break;
      case Op::X:
        stack[size++] = at.x();
        break;
      case Op::Y:
        stack[size++] = at.y();
        break;
      case Op::Z:
        stack[size++] = at.z();
        break;
      case Op::T:
        stack[size++] = time;
        break;
      default:
        if (instruction.op < Op::Add) {
          stack[size - 1] = changed(instruction.op, stack[size - 1]);
        } else {
          --size;
          stack[size - 1] = joined(instruction.op, stack[size - 1], stack[size]);
        }
    }
  }
  return stack[0];
}

}  // namespace supple::swim
