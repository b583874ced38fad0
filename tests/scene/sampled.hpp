// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "springs.hpp"
#include "supple/scene/object.hpp"
#include "supple/scene/sampling.hpp"

#include <gtest/gtest.h>

namespace supple::scene {

/// Springs, sampled from rest by so many chains, and reduced.
struct Sampled {
  Palette palette = springs_palette();
  SamplingSettings settings;
  std::vector<Chain> chains;
  Shapes shapes;
  Portrait portrait;

  explicit Sampled(std::size_t count, std::uint64_t seed = 1, double tolerance = 1e-9) {
    settings.seed = seed;
    Springs springs;
    for (std::size_t c = 0; c < count; ++c) {
      chains.push_back(*sample_chain(springs, palette, settings, {}, c));
    }
    reduce(tolerance);
  }

  void reduce(double tolerance) {
    Springs springs;
    Eigen::VectorXd rest(3 * Springs::kBeads);
    const std::vector<geometry::Vec3> beads = springs.positions();
    for (std::size_t i = 0; i < beads.size(); ++i) {
      rest.segment<3>(static_cast<Eigen::Index>(3 * i)) = beads[i].cast<float>().cast<double>();
    }
    ShapeSettings wanted;
    wanted.max_rank = 3 * Springs::kBeads;
    wanted.tolerance = tolerance;
    ShapeReducer reducer(rest, draw_as_recorded(), wanted);
    for (const Chain& chain : chains) EXPECT_TRUE(reducer.add(chain).ok());
    shapes = *reducer.finish();
    std::vector<Eigen::MatrixXd> parts;
    Eigen::Index states = 0;
    for (const Chain& chain : chains) {
      parts.push_back(project(chain, shapes, draw_as_recorded()));
      states += parts.back().cols();
    }
    Eigen::MatrixXd q(shapes.basis.cols(), states);
    Eigen::Index column = 0;
    for (const Eigen::MatrixXd& part : parts) {
      q.middleCols(column, part.cols()) = part;
      column += part.cols();
    }
    portrait =
        make_portrait(join_responses(chains), std::move(q), Springs::kFrame, settings.shortest);
  }
};

}  // namespace supple::scene
