// SPDX-License-Identifier: Apache-2.0
#include "bake/scene/demand.hpp"

#include "bake/scene/sampler.hpp"

#include "supple/core/console.hpp"
#include "supple/core/resources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <system_error>

namespace supple::bake::detail {
namespace {

constexpr double kUnknownSupply = std::numeric_limits<double>::infinity();

double free_disk(std::filesystem::path folder) {
  std::error_code failure;
  folder = std::filesystem::absolute(folder, failure);
  while (!failure && !std::filesystem::exists(folder, failure) && folder.has_relative_path()) {
    folder = folder.parent_path();
  }
  const std::filesystem::space_info space = std::filesystem::space(folder, failure);
  return failure ? kUnknownSupply : static_cast<double>(space.available);
}

}  // namespace

SceneDemand estimate_demand(const SceneSettings& settings, const SceneSize& size) {
  const scene::SamplingSettings sampling = sampling_settings(settings);
  // Sampling ends with a whole batch of chains, or of branches.
  const double chain =
      settings.sampling.adaptive
          ? static_cast<double>(sampling.longest)
          : 0.5 * static_cast<double>(sampling.chain * (sampling.shortest + sampling.longest));
  const double extra = static_cast<double>(kChainsOfBatch) * chain;
  const double states = static_cast<double>(settings.sampling.states) + extra;
  const double frame = 3 * sizeof(float) * static_cast<double>(size.vertices);
  const double branch =
      static_cast<double>(size.state_bytes) / static_cast<double>(sampling.branch);
  SceneDemand demand;
  demand.disk = states * (frame + branch);
  const double rank =
      std::max(settings.shapes.rank, settings.shapes.rank > 0 ? 1 : settings.shapes.max_rank);
  // Coordinates: as sampled, as played, as points of the phase space.
  const double portrait = 4 * rank * states * sizeof(double);
  // The basis of the streaming SVD with a block of twice as many frames, and copies.
  const double shapes = 8 * rank * 3 * static_cast<double>(size.drawn) * sizeof(double);
  demand.memory = portrait + shapes;
  return demand;
}

Result<void> check_demand(const SceneDemand& demand, const SceneDemand& supply,
                          const std::string& folder) {
  if (demand.disk > supply.disk) {
    return io_error(fmt::format(
        "the samples take about {} of disk in '{}', and {} are free; sample fewer states, use a "
        "coarser mesh, or keep the samples in another folder",
        format_si(demand.disk, "B"), folder, format_si(supply.disk, "B")));
  }
  if (demand.memory > supply.memory) {
    return bad_input(fmt::format(
        "the scene takes about {} of memory, and the machine has {}; sample fewer states or "
        "allow fewer shapes (max_rank)",
        format_si(demand.memory, "B"), format_si(supply.memory, "B")));
  }
  return {};
}

SceneDemand measure_supply(const std::string& folder) {
  const double memory = physical_memory_bytes();
  return {free_disk(folder), memory > 0 ? memory : kUnknownSupply};
}

}  // namespace supple::bake::detail
