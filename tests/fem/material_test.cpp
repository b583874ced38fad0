// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/material.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace supple::fem {
namespace {

TEST(Material, AcceptsFleshAndSteel) {
  EXPECT_TRUE((Material{"fat", 3e3, 0.49, 920}.validate().ok()));
  EXPECT_TRUE((Material{"steel", 2.1e11, 0.3, 7850}.validate().ok()));
  EXPECT_TRUE((Material{"cork", 2e7, 0.0, 240}.validate().ok()));
}

TEST(Material, RefusesImpossibleValuesByName) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto message = [](const Material& material) {
    const auto result = material.validate();
    EXPECT_FALSE(result.ok());
    return result.ok() ? std::string() : result.error().message();
  };
  EXPECT_NE(message({"a", 0, 0.3, 1}).find("Young"), std::string::npos);
  EXPECT_NE(message({"a", nan, 0.3, 1}).find("Young"), std::string::npos);
  EXPECT_NE(message({"a", 1, 0.5, 1}).find("Poisson"), std::string::npos);
  EXPECT_NE(message({"a", 1, -1, 1}).find("Poisson"), std::string::npos);
  EXPECT_NE(message({"a", 1, nan, 1}).find("Poisson"), std::string::npos);
  EXPECT_NE(message({"lead", 1, 0.3, -1}).find("'lead': density"), std::string::npos);
}

}  // namespace
}  // namespace supple::fem
