// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/simulate.hpp"

#include "bake/simulate/checkpoint.hpp"
#include "bake/simulate/glb.hpp"
#include "bake/simulate/overlaps.hpp"
#include "bake/simulate/scene.hpp"
#include "bake/simulate/sequences.hpp"
#include "bake/warnings.hpp"

#include "supple/core/interrupt.hpp"
#include "supple/core/progress.hpp"
#include "supple/core/resources.hpp"
#include "supple/core/version.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace supple::bake {
namespace {

using detail::BuiltScene;
using detail::Checkpoint;
using detail::FrameNumbers;
using simulator::World;

std::string work_folder(const SimulateRequest& request) {
  if (!request.work.empty()) return request.work;
  return request.outputs.front() + ".work";
}

/// Everything that the frames depend on: settings except how they are exported, and meshes.
Hash scene_hash(const SimulateInput& input, const World& world) {
  SimulationSettings settings = input.settings;
  settings.output = {};
  Hasher hasher;
  hasher.add(version()).add(print_simulation_settings(settings));
  for (std::size_t b = 0; b < world.bodies().size(); ++b) {
    hasher.add(world.bodies()[b].surface);
    for (const geometry::Vec3& point : world.positions(b)) {
      hasher.add(point.x()).add(point.y()).add(point.z());
    }
  }
  return hasher.finish();
}

FrameNumbers frame_numbers(const simulator::StepReport& step, const World& world) {
  FrameNumbers numbers;
  numbers.iterations = static_cast<std::uint64_t>(step.iterations);
  numbers.substeps = static_cast<std::uint64_t>(step.substeps);
  numbers.contacts = step.contacts;
  numbers.smallest_distance = step.smallest_distance;
  numbers.intersections = world.count_intersections();
  return numbers;
}

class Simulation {
 public:
  Simulation(SimulateInput input, const SimulateRequest& request, OutputSet& output)
      : m_request(request), m_output(output) {
    m_report.input = std::move(input);
  }

  Result<SimulateReport> run() {
    SUPPLE_TRY(BuiltScene scene, detail::build_scene(m_report.input));
    for (const std::string& warning : scene.warnings) warn(m_report.warnings, warning);
    SUPPLE_TRY_VOID(detail::refuse_overlaps(scene.description, m_request.outputs.front()));
    SUPPLE_TRY(World world, World::create(std::move(scene.description)));
    lap("scene");
    const std::string folder = work_folder(m_request);
    const Hash hash = scene_hash(m_report.input, world);
    SUPPLE_TRY(Checkpoint checkpoint, m_request.resume ? Checkpoint::resume(folder, hash, world)
                                                       : Checkpoint::create(folder, hash, world));
    m_report.resumed_at = checkpoint.resumed_at();
    SUPPLE_TRY_VOID(step_all(world, checkpoint));
    SUPPLE_TRY_VOID(summarise(world, checkpoint));
    SUPPLE_TRY_VOID(write(scene, checkpoint));
    return std::move(m_report);
  }

 private:
  void lap(const char* stage) { m_report.seconds.emplace_back(stage, m_watch.lap()); }

  [[nodiscard]] std::size_t step_count() const {
    const SimulationSettings& settings = m_report.input.settings;
    return std::max<std::size_t>(
        1, static_cast<std::size_t>(std::llround(settings.seconds * settings.rate)));
  }

  Result<void> step_all(World& world, Checkpoint& checkpoint) {
    const std::size_t count = step_count();
    Progress progress("simulating", static_cast<double>(count));
    Stopwatch since_save;
    for (std::size_t s = checkpoint.resumed_at(); s < count; ++s) {
      progress.set(static_cast<double>(s));
      if (auto stop = check_interrupt(); !stop.ok()) return keep(world, checkpoint, stop.error());
      const auto step = world.step();
      if (!step.ok()) return keep(world, checkpoint, step.error());
      add_seconds(step->seconds);
      note_held_back(*step, s);
      SUPPLE_TRY_VOID(checkpoint.add(frame_numbers(*step, world), world));
      constexpr double kSecondsBetweenSaves = 5;
      if (since_save.seconds() < kSecondsBetweenSaves) continue;
      SUPPLE_TRY_VOID(checkpoint.save(world));
      (void)since_save.lap();
    }
    (void)m_watch.lap();  // the steps have told their stages themselves
    // Interrupted from here on, a run continues behind its last step.
    return checkpoint.save(world);
  }

  /// Saves the state before the error leaves.
  [[nodiscard]] Result<void> keep(const World& world, Checkpoint& checkpoint,
                                  const Error& error) const {
    SUPPLE_TRY_VOID(checkpoint.save(world));
    Error told = error;
    return std::move(told).during(fmt::format("simulating {:.4g} s, kept in '{}' to resume from",
                                              world.time(), work_folder(m_request)));
  }

  void add_seconds(const simulator::StageSeconds& s) {
    m_steps.candidates += s.candidates;
    m_steps.assembly += s.assembly;
    m_steps.factorisation += s.factorisation;
    m_steps.search += s.search;
    m_steps.check += s.check;
    m_steps.total += s.total;
  }

  /// A body that waits once is worth a line; once.
  void note_held_back(const simulator::StepReport& step, std::size_t number) {
    if (step.held_back.empty() || step.held_back == m_held_back) return;
    m_held_back = step.held_back;
    warn(m_report.warnings,
         fmt::format("'{}' waits at {:.3g} s, {:.3g} m behind its motion: something is in its way",
                     step.held_back, static_cast<double>(number + 1) / m_report.input.settings.rate,
                     step.held_back_by));
  }

  Result<void> summarise(const World& world, const Checkpoint& checkpoint) {
    const auto& frames = checkpoint.frames();
    m_report.bodies = world.bodies();
    m_report.steps = frames.frames() - 1;
    m_report.smallest_distance = std::numeric_limits<double>::infinity();
    for (std::size_t f = 0; f < frames.frames(); ++f) {
      SUPPLE_TRY(const FrameNumbers numbers, frames.numbers(f));
      m_report.newton_iterations += numbers.iterations;
      m_report.substeps += numbers.substeps;
      m_report.contacts_max = std::max<std::size_t>(m_report.contacts_max, numbers.contacts);
      m_report.intersections += numbers.intersections;
      m_report.smallest_distance = std::min(m_report.smallest_distance, numbers.smallest_distance);
    }
    m_report.contact_width = world.contact_width();
    m_report.energies = world.energies();
    m_report.digest = world.digest().hex();
    const std::pair<const char*, double> stages[] = {
        {"candidates", m_steps.candidates},
        {"assembly", m_steps.assembly},
        {"factorisation", m_steps.factorisation},
        {"search", m_steps.search},
        {"check", m_steps.check},
        {"rest", std::max(0.0, m_steps.total - m_steps.candidates - m_steps.assembly -
                                   m_steps.factorisation - m_steps.search - m_steps.check)}};
    for (const auto& [stage, seconds] : stages) m_report.seconds.emplace_back(stage, seconds);
    return {};
  }

  Result<void> write(const BuiltScene& scene, const Checkpoint& checkpoint) {
    (void)m_watch.lap();
    const auto surfaces =
        detail::moving_surfaces(m_report.bodies, scene.drawn, checkpoint.frames());
    for (const std::string& path : m_request.outputs) {
      SUPPLE_TRY_VOID(
          write_one(path, scene, checkpoint, surfaces).during(fmt::format("making '{}'", path)));
    }
    lap("write");
    return check_interrupt();
  }

  Result<void> write_one(const std::string& path, const BuiltScene& scene,
                         const Checkpoint& checkpoint,
                         const std::vector<detail::MovingSurface>& surfaces) {
    const std::string extension = lower_extension(path);
    const double rate = m_report.input.settings.rate;
    if (extension == ".ply") return detail::stage_ply(path, surfaces, m_output);
    if (extension == ".pc2") return detail::stage_pc2(path, surfaces, m_output);
    if (extension == ".h5") return detail::stage_hdf5(path, surfaces, rate, m_output);
    if (extension == ".vtu") {
      return detail::stage_vtu(path, m_report.bodies, scene, checkpoint.frames(), rate, m_output);
    }
    SUPPLE_TRY(detail::SimulatedGlb glb, detail::write_simulated_glb(surfaces, m_report.input));
    for (const std::string& warning : glb.warnings) warn(m_report.warnings, warning);
    m_report.reduced = std::move(glb.reduced);
    return m_output.stage(path, glb.bytes);
  }

  const SimulateRequest& m_request;
  OutputSet& m_output;
  SimulateReport m_report;
  simulator::StageSeconds m_steps;
  std::string m_held_back;
  Stopwatch m_watch;
};

}  // namespace

Result<void> check(const SimulateRequest& request) {
  if (request.outputs.empty()) {
    return Error(ErrorCode::Usage,
                 "name a result: OUT.glb, OUT.h5, OUT.pc2, OUT.ply or OUT.vtu (sequences)");
  }
  for (const std::string& output : request.outputs) {
    const std::string extension = lower_extension(output);
    const bool known = extension == ".glb" || extension == ".h5" || extension == ".pc2" ||
                       extension == ".ply" || extension == ".vtu";
    if (known) continue;
    return Error(ErrorCode::Usage,
                 fmt::format("cannot write '{}': expected .glb, .h5, .pc2, .ply or .vtu", output));
  }
  SUPPLE_TRY_VOID(keep_apart({request.scene}, request.outputs));
  return check_writable(request.outputs);
}

Result<SimulateInput> read_scene(const SimulateRequest& request) {
  SimulateInput input;
  if (request.model) {
    input.title = request.model->title;
    input.surfaces = request.model->surfaces;
    SUPPLE_TRY(input.settings,
               parse_simulation_settings(request.model->toml, request.model->title));
  } else {
    input.title = std::filesystem::path(request.scene).stem().string();
    input.directory = std::filesystem::path(request.scene).parent_path().string();
    SUPPLE_TRY(const Bytes bytes, read_file(request.scene, kMostTextBytes));
    SUPPLE_TRY(input.settings, parse_simulation_settings(as_text(bytes), request.scene));
  }
  SimulationSettings& settings = input.settings;
  settings.seconds = request.seconds.value_or(settings.seconds);
  settings.rate = request.rate.value_or(settings.rate);
  settings.output.tolerance = request.tolerance.value_or(settings.output.tolerance);
  settings.output.targets = request.targets.value_or(settings.output.targets);
  settings.output.signed_weights |= request.signed_weights;
  SUPPLE_TRY_VOID(settings.validate());
  return input;
}

Result<simulator::Description> describe_simulation(const SimulateInput& input) {
  SUPPLE_TRY(BuiltScene scene, detail::build_scene(input));
  return std::move(scene.description);
}

Result<SimulateReport> simulate(SimulateInput input, const SimulateRequest& request,
                                OutputSet& output) {
  const std::string context = fmt::format("simulating '{}'", input.title);
  return Simulation(std::move(input), request, output).run().during(context);
}

Result<SimulateReport> simulate(const SimulateRequest& request, OutputSet& output) {
  SUPPLE_TRY_VOID(check(request));
  SUPPLE_TRY(SimulateInput input, read_scene(request));
  return simulate(std::move(input), request, output);
}

void remove_checkpoint(const SimulateRequest& request) {
  detail::remove_checkpoint_files(work_folder(request));
}

}  // namespace supple::bake
