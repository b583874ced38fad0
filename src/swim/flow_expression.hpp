// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"

#include <Eigen/Core>

#include <cstdint>
#include <string_view>
#include <vector>

namespace supple::swim {

/// A compiled expression in x, y, z and t; any thread may evaluate it.
class Expression {
 public:
  /// Errors name the column in the text.
  [[nodiscard]] static Result<Expression> parse(std::string_view text);

  [[nodiscard]] double operator()(const Eigen::Vector3d& at, double time) const;

  enum class Op : std::uint8_t {
    Number,
    X,
    Y,
    Z,
    T,  // push
    Negate,
    Sin,
    Cos,
    Tan,
    Tanh,
    Exp,
    Log,
    Sqrt,
    Abs,  // replace the top
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Min,
    Max  // pop two, push one
  };
  struct Instruction {
    Op op = Op::Number;
    double number = 0;
  };
  static constexpr std::size_t kStack = 32;  ///< values; deeper expressions are rejected

 private:
  std::vector<Instruction> m_code;  ///< postfix
};

}  // namespace supple::swim
