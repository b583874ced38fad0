// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/benchmarks.hpp"
#include "benchmarks/measure.hpp"
#include "supple/bake/swim_stroke.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/resources.hpp"
#include "supple/swim/recording.hpp"

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <array>
#include <cstring>
#include <memory>
#include <vector>

namespace supple::bench {
namespace {

constexpr double kSwimStep = 1.0 / 60;
constexpr int kSteps = 600;
constexpr int kSwimRounds = 15;

struct FreeMujoco {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
  void operator()(mjData* data) const { mj_deleteData(data); }
};

/// MuJoCo alone with the same tree and servos, from our own MJCF.
class Peer {
 public:
  explicit Peer(const swim::Body& body) {
    const std::string text = swim::to_mjcf(body, "swimmer");
    const auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "swimmer.xml", static_cast<int>(text.size()));
    std::memcpy(files->filedata[0], text.data(), text.size());
    std::array<char, 500> reason{};
    m_model.reset(mj_loadXML("swimmer.xml", files.get(), reason.data(), 500));
    mj_deleteVFS(files.get());
    if (!m_model) return;
    // Its explicit servos blow up at this step; without them it is even faster.
    m_model->opt.disableflags |= mjDSBL_ACTUATION;
    m_model->opt.timestep = kSwimStep;
    m_model->opt.integrator = mjINT_EULER;
    m_data.reset(mj_makeData(m_model.get()));
  }
  [[nodiscard]] bool there() const { return m_data != nullptr; }
  void set_fluid(double density) { m_model->opt.density = density; }
  void swim() {
    mj_resetData(m_model.get(), m_data.get());
    for (int i = 0; i < m_model->nv; ++i) m_data->qvel[i] = 0.1;
    for (int k = 0; k < kSteps; ++k) mj_step(m_model.get(), m_data.get());
  }

 private:
  std::unique_ptr<mjModel, FreeMujoco> m_model;
  std::unique_ptr<mjData, FreeMujoco> m_data;
};

Result<std::string> steps_per_second(const std::string& stroke_name) {
  SUPPLE_TRY(const bake::SwimStroke stroke, bake::load_swim_stroke(stroke_name));
  SUPPLE_TRY(const swim::Body body, swim::build_body({.hinges = stroke.graph.hinges}));
  std::size_t faces = 0;
  for (const swim::Segment& segment : body.segments) faces += segment.faces.size();
  const auto ours = [&](swim::Stepping stepping) {
    return [&, stepping] {
      auto swimmer = swim::Swimmer::create(body, {}, {});
      swimmer->set_stepping(stepping);
      swim::PoseController controller(stroke.graph);
      for (int k = 0; k < kSteps; ++k) {
        static_cast<void>(swimmer->step(controller.advance(*swimmer, kSwimStep), kSwimStep));
      }
    };
  };
  Peer bare(body);
  Peer wet(body);
  if (!bare.there() || !wet.there()) return bad_input("MuJoCo rejects our MJCF");
  wet.set_fluid(1000);
  const std::vector<double> seconds = interleaved_medians({{[&] { bare.swim(); }, 1},
                                                           {[&] { wet.swim(); }, 1},
                                                           {ours(swim::Stepping::Plain), 1},
                                                           {ours(swim::Stepping::Midway), 1}},
                                                          kSwimRounds);
  std::string text;
  constexpr std::array<const char*, 4> kNames{
      "MuJoCo alone, no water", "MuJoCo alone, its inertia-box water",
      "Supple, drag on every face, plain step",
      "Supple, drag on every face, step with two evaluations"};
  for (std::size_t k = 0; k < kNames.size(); ++k) {
    const double rate = kSteps / seconds[k];
    text += fmt::format("| {} | {} | {} | {:.0f} | {:.2f} | {:.0f} |\n", body.joints.size() + 6,
                        kNames[k], k < 2 ? std::string("–") : std::to_string(faces), rate,
                        rate * seconds[0] / kSteps, rate * kSwimStep);
  }
  return text;
}

/// 16 swims of 20 s with different hands, on one thread and on two.
Result<std::string> parallel_sweep() {
  SUPPLE_TRY(const bake::SwimStroke stroke, bake::load_swim_stroke("breaststroke"));
  const auto run = [&](int threads) {
    const int before = thread_count();
    set_thread_count(threads);
    const Stopwatch watch;
    parallel_for(16, 1, [&](std::size_t i) {
      const auto body = swim::build_body({.hand_width = 1 + 0.05 * static_cast<double>(i)});
      static_cast<void>(swim::record_swim(*body, stroke.water.value_or(swim::WaterSettings{}),
                                          stroke.graph, stroke.start, {.seconds = 20}, nullptr));
    });
    const double seconds = watch.seconds();
    set_thread_count(before);
    return seconds;
  };
  static_cast<void>(run(2));
  double one = 1e30;
  double two = 1e30;
  for (int round = 0; round < 3; ++round) {
    one = std::min(one, run(1));
    two = std::min(two, run(2));
  }
  return fmt::format(
      "\nA sweep of 16 swims of 20 s: {:.2f} s on one thread, {:.2f} s on two: {:.2f} times as "
      "fast "
      "(target 1.7).\n",
      one, two, one / two);
}

}  // namespace

Result<std::string> swimmer() {
  std::string text = fmt::format(
      "## The swimmer, steps of 1/60 s\n\nMedians of {} rounds of {} steps, on one thread. {}\n\n"
      "| degrees of freedom | program | faces | steps/s | relative to MuJoCo alone | times real "
      "time |\n"
      "| --- | --- | --- | --- | --- | --- |\n",
      kSwimRounds, kSteps, load_note());
  for (const char* stroke : {"breaststroke_14", "breaststroke"}) {
    SUPPLE_TRY(const std::string rows, steps_per_second(stroke));
    text += rows;
  }
  text += "\nTarget: 25,000 steps/s with 20 degrees of freedom and 360 faces.\n";
  SUPPLE_TRY(const std::string parallel, parallel_sweep());
  return text + parallel;
}

}  // namespace supple::bench
