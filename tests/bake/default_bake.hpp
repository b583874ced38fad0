// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "samples/requests.hpp"
#include "supple/bake/bake_character.hpp"
#include "supple/core/output.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>

/// Bakes as users get them without settings of their own.
namespace supple::bake::testing {

/// With few elements: neither limits nor the firmness that `sag` asks for depend on their number.
inline std::optional<BakeRun> bake_quickly(BakeRequest request) {
  request.elements = 500;
  auto input = read_bake(request);
  EXPECT_TRUE(input.ok()) << input.error().describe();
  OutputSet output;
  auto run = bake_character(*std::move(input), request, output);
  EXPECT_TRUE(run.ok()) << run.error().describe();
  if (!run.ok()) return std::nullopt;
  return *std::move(run);
}

/// Our own man; without `settings` the objects are chosen automatically.
inline std::optional<BakeRun> bake_man(const std::string& settings = {}) {
  BakeRequest request;
  auto model = supple::samples::character_model("dyrt-man");
  EXPECT_TRUE(model.ok());
  request.model = *std::move(model);
  request.model->bake_toml = settings;
  request.model->motions.clear();
  return bake_quickly(std::move(request));
}

}  // namespace supple::bake::testing
