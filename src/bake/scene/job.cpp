// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/scene.hpp"

#include "bake/scene/certificate.hpp"
#include "bake/scene/chain_store.hpp"
#include "bake/scene/clear_transitions.hpp"
#include "bake/scene/demand.hpp"
#include "bake/scene/drawn_scene.hpp"
#include "bake/scene/files.hpp"
#include "bake/scene/normal_shapes.hpp"
#include "bake/scene/parts.hpp"
#include "bake/scene/recorded.hpp"
#include "bake/scene/reduce.hpp"
#include "bake/scene/refine.hpp"
#include "bake/scene/sampler.hpp"
#include "bake/scene/world_simulator.hpp"
#include "bake/simulate/overlaps.hpp"
#include "bake/simulate/scene.hpp"
#include "bake/warnings.hpp"

#include "supple/bake/kept_settings.hpp"
#include "supple/bake/output_names.hpp"
#include "supple/bake/scene_log.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/core/progress.hpp"
#include "supple/core/resources.hpp"
#include "supple/core/version.hpp"
#include "supple/scene/loops.hpp"
#include "supple/scene/object.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <span>
#include <utility>

namespace supple::bake {
namespace {

using detail::BuiltScene;
using detail::ChainStore;
using detail::DrawnScene;
using simulator::World;

std::string samples_folder(const SceneRequest& request) {
  return request.work.empty() ? request.output + ".work" : request.work;
}

/// Everything that the samples depend on; `simulator` stands for what makes them.
Hash samples_hash(const SceneInput& input, std::span<const std::byte> simulator) {
  SceneSettings settings = input.settings;
  settings.shapes = {};
  settings.half_life = SceneSettings{}.half_life;
  settings.loops = {};
  settings.parts = {};
  settings.groups.clear();
  for (SceneEntrySettings& entry : settings.entries) entry.parts.clear();
  settings.simulation.output = {};
  // More states add to those that exist.
  settings.sampling.states = SceneSampling{}.states;
  Hasher hasher;
  hasher.add(version()).add(print_scene_settings(settings)).add(simulator);
  return hasher.finish();
}

std::size_t recorded_vertices(const World& world) {
  std::size_t count = 0;
  for (const simulator::Body& body : world.bodies()) {
    if (body.kind != simulator::BodyKind::Obstacle) {
      count += static_cast<std::size_t>(body.vertex_count);
    }
  }
  return count;
}

/// Creases split some of them.
std::size_t drawn_vertices(const World& world, const BuiltScene& built) {
  std::size_t count = 0;
  for (std::size_t b = 0; b < built.drawn.size(); ++b) {
    if (world.bodies()[b].kind == simulator::BodyKind::Obstacle) continue;
    count += detail::DrawnSurface(world.bodies()[b], built.drawn[b]).vertex_count();
  }
  return count;
}

class SceneBake {
 public:
  SceneBake(SceneInput input, const SceneRequest& request, OutputSet& output)
      : m_request(request), m_output(output) {
    m_report.input = std::move(input);
  }

  Result<SceneReport> run() {
    SUPPLE_TRY(const scene::Palette palette, detail::make_palette(settings()));
    if (settings().recording) return bake_recording(palette);
    if (m_request.foreign) return bake_foreign(palette, *m_request.foreign);
    return bake_bodies(palette);
  }

 private:
  /// A scene or a part of it, reduced.
  struct Reduced {
    detail::FilePart file;
    std::unique_ptr<detail::CertificateMaker> certificate;
    std::unique_ptr<scene::Shapes> shapes;  ///< the certificate refers to them
    std::size_t rerouted = 0;               ///< transitions
    ScenePartReport report;
  };

  [[nodiscard]] const SceneSettings& settings() const { return m_report.input.settings; }
  void lap(const char* stage) { m_report.seconds.emplace_back(stage, m_watch.lap()); }

  Result<SceneReport> bake_bodies(const scene::Palette& palette) {
    const SimulateInput simulated{m_report.input.title, m_report.input.directory,
                                  settings().simulation, m_report.input.surfaces};
    SUPPLE_TRY(const BuiltScene built, detail::build_scene(simulated));
    for (const std::string& warning : built.warnings) warn(m_report.warnings, warning);
    SUPPLE_TRY_VOID(detail::refuse_overlaps(built.description, m_request.output));
    SUPPLE_TRY(World world, World::create(built.description));
    const Bytes start = world.save();
    SUPPLE_TRY_VOID(
        check_size({recorded_vertices(world), drawn_vertices(world, built), start.size()}));
    SUPPLE_TRY_VOID(detail::settle(world, settings()));
    lap("settle");
    const Bytes rest = world.save();
    std::vector<std::vector<geometry::Vec3>> positions;
    for (std::size_t b = 0; b < world.bodies().size(); ++b) positions.push_back(world.positions(b));
    const DrawnScene drawn(world.bodies(), built.drawn, positions);
    const detail::MakeSimulator make = [&]() -> Result<std::unique_ptr<scene::Simulator>> {
      SUPPLE_TRY(World another, World::create(built.description));
      return std::unique_ptr<scene::Simulator>(
          std::make_unique<detail::WorldSimulator>(std::move(another), settings(), rest));
    };
    m_crossings = detail::crossings_in(world);
    SUPPLE_TRY(m_parts, detail::find_parts(settings(), m_report.input.title, world.bodies()));
    if (m_parts.count() > 1) {
      m_contacts.emplace(m_parts, world.bodies(), detail::contact_reach(settings(), world));
    }
    return sample_and_write(palette, make, drawn, start);
  }

  Result<SceneReport> bake_foreign(const scene::Palette& palette, const ForeignScene& foreign) {
    SUPPLE_TRY(const std::unique_ptr<scene::Simulator> simulator, foreign.make());
    SUPPLE_TRY_VOID(simulator->reset());
    const std::size_t vertices = simulator->positions().size();
    if (vertices != foreign.rest.positions.size()) {
      return bad_input(
          fmt::format("the simulator has {} vertices and its surface {}; give the "
                      "surface one vertex for each of the simulator's",
                      vertices, foreign.rest.positions.size()));
    }
    SUPPLE_TRY_VOID(check_size({vertices, vertices, simulator->state().size()}));
    const detail::DrawnMesh mesh(m_report.input.title, foreign.rest, foreign.colour);
    const DrawnScene drawn(mesh.bodies, mesh.drawn, mesh.rest);
    return sample_and_write(palette, foreign.make, drawn, as_bytes(foreign.identity));
  }

  Result<SceneReport> bake_recording(const scene::Palette& palette) {
    SUPPLE_TRY(const detail::RecordedScene recorded,
               detail::read_recording(m_report.input, palette));
    for (const std::string& warning : recorded.warnings) warn(m_report.warnings, warning);
    lap("read");
    const DrawnScene drawn(recorded.mesh.bodies, recorded.mesh.drawn, recorded.mesh.rest);
    SUPPLE_TRY(const ChainStore store,
               ChainStore::open(samples_folder(m_request), samples_hash(m_report.input, {})));
    m_report.chains = recorded.chains.size();
    for (std::size_t c = 0; c < recorded.chains.size(); ++c) {
      SUPPLE_TRY_VOID(store.save(c, recorded.chains[c]));
    }
    return reduce_and_write(palette, drawn, store);
  }

  /// `simulator` stands for everything that makes the samples.
  Result<SceneReport> sample_and_write(const scene::Palette& palette,
                                       const detail::MakeSimulator& make, const DrawnScene& drawn,
                                       std::span<const std::byte> simulator) {
    SUPPLE_TRY(const ChainStore store, ChainStore::open(samples_folder(m_request),
                                                        samples_hash(m_report.input, simulator)));
    SUPPLE_TRY(const detail::SampledScene sampled,
               detail::sample_scene(make, settings(), palette, store)
                   .during(fmt::format("sampling, kept in '{}' to go on from",
                                       samples_folder(m_request))));
    m_report.chains = sampled.chains;
    m_report.resumed_chains = sampled.resumed;
    lap("sample");
    if (m_parts.count() > 1) return reduce_parts(drawn, store);
    if (m_request.log.empty()) return reduce_and_write(palette, drawn, store);
    detail::SceneRefiner refiner(settings(), palette, drawn, store);
    SUPPLE_TRY_VOID(refine(make, palette, store, refiner));
    return reduce_and_write(palette, drawn, store, &refiner);
  }

  /// Before hours go into it.
  [[nodiscard]] Result<void> check_size(const detail::SceneSize& size) const {
    const std::string folder = samples_folder(m_request);
    return detail::check_demand(detail::estimate_demand(settings(), size),
                                detail::measure_supply(folder), folder);
  }

  /// More chains, from the blends of the log.
  Result<void> refine(const detail::MakeSimulator& make, const scene::Palette& palette,
                      const ChainStore& store, detail::SceneRefiner& refiner) {
    SUPPLE_TRY(const Bytes bytes, read_file(m_request.log));
    SUPPLE_TRY(const SceneLog log, parse_scene_log(as_text(bytes), m_request.log));
    if (log.scene != m_report.input.title) {
      return bad_input(fmt::format("it is a log of the scene '{}', not of '{}'", log.scene,
                                   m_report.input.title))
          .at(m_request.log);
    }
    Hasher hasher;
    hasher.add(print_scene_log(log));
    SUPPLE_TRY_VOID(refiner.prepare(log, hasher.finish(), m_report.chains));
    SUPPLE_TRY_VOID(
        detail::sample_more(make, settings(), palette, store, refiner.starts(), refiner.first()));
    m_report.chains = refiner.chains();
    lap("refine");
    return {};
  }

  Result<SceneReport> reduce_and_write(const scene::Palette& palette, const DrawnScene& drawn,
                                       const ChainStore& store,
                                       const detail::SceneRefiner* refiner = nullptr) {
    SUPPLE_TRY(Reduced reduced, reduce(palette, {}, drawn, store, refiner));
    std::vector<detail::FilePart> parts(1);
    parts.front() = std::move(reduced.file);
    SUPPLE_TRY_VOID(write(drawn, parts));
    SUPPLE_TRY_VOID(certify(reduced, parts.front()));
    return std::move(m_report);
  }

  /// Each part by itself, from the same samples: nothing that acts on one reaches another, so that
  /// it does not matter for a part that all were pushed.
  Result<SceneReport> reduce_parts(const DrawnScene& drawn, const ChainStore& store) {
    if (!m_request.log.empty()) {
      return bad_input("a scene of several parts cannot be refined; sample more states");
    }
    SUPPLE_TRY_VOID(check_contacts(store));
    const std::vector<std::uint32_t> part_of = detail::parts_of_drawn(m_parts, drawn);
    std::vector<DrawnScene> alone;  // stay where they are
    for (std::uint32_t p = 0; p < m_parts.count(); ++p) alone.push_back(drawn.only(part_of, p));
    std::vector<Reduced> reduced;
    std::vector<detail::FilePart> files;
    for (std::uint32_t p = 0; p < m_parts.count(); ++p) {
      const std::string& name = m_parts.names[p];
      m_part = p;
      SUPPLE_TRY(const detail::PartPalette own, detail::palette_of_part(settings(), name));
      SUPPLE_TRY(Reduced part, reduce(own.palette, own.entries, alone[p], store, nullptr)
                                   .during(fmt::format("reducing the part '{}'", name)));
      part.file.object.name = name;
      std::vector<std::uint32_t> vertices;
      for (std::uint32_t v = 0; v < part_of.size(); ++v) {
        if (part_of[v] == p) vertices.push_back(v);
      }
      part.file.object.vertices = std::move(vertices);
      files.push_back(part.file);
      reduced.push_back(std::move(part));
    }
    SUPPLE_TRY_VOID(write(drawn, files));
    return certify_parts(std::move(reduced), files);
  }

  Result<void> check_contacts(const ChainStore& store) {
    for (std::size_t c = 0; c < m_report.chains; ++c) {
      SUPPLE_TRY_VOID(check_interrupt());
      SUPPLE_TRY(const scene::Chain chain, store.load(c));
      SUPPLE_TRY_VOID(m_contacts->add(chain));
    }
    for (const std::string& warning : m_contacts->warnings()) warn(m_report.warnings, warning);
    return {};
  }

  Result<SceneReport> certify_parts(std::vector<Reduced> reduced,
                                    const std::vector<detail::FilePart>& files) {
    for (std::size_t p = 0; p < reduced.size(); ++p) {
      SUPPLE_TRY_VOID(certify(reduced[p], files[p]));
      reduced[p].report.name = m_parts.names[p];
      reduced[p].report.certificate = std::move(m_report.certificate);
      m_report.parts.push_back(std::move(reduced[p].report));
    }
    const ScenePartReport& first = m_report.parts.front();
    m_report.certificate = first.certificate;
    m_report.relative_error = first.relative_error;
    m_report.blend_mean = first.blend_mean;
    m_report.blend_largest = first.blend_largest;
    m_report.rank = m_report.states = m_report.responses = m_report.vertices = 0;
    for (const ScenePartReport& part : m_report.parts) {
      m_report.rank += part.rank;
      m_report.states += part.states;
      m_report.responses += part.responses;
      m_report.vertices += part.vertices;
    }
    m_report.raw_bytes = m_report.sampled_states * m_report.vertices * 3 * sizeof(float);
    return std::move(m_report);
  }

  /// `entries`: numbers of the palette's entries in the samples; empty: the same.
  Result<Reduced> reduce(const scene::Palette& palette, const std::vector<std::size_t>& entries,
                         const DrawnScene& drawn, const ChainStore& store,
                         const detail::SceneRefiner* refiner) {
    Reduced reduced;
    SUPPLE_TRY(scene::Shapes found, detail::find_shapes(settings(), drawn, store, m_report.chains));
    reduced.shapes = std::make_unique<scene::Shapes>(std::move(found));
    const scene::Shapes& shapes = *reduced.shapes;
    describe(shapes);
    lap("shapes");
    detail::NormalShapes normals(drawn, shapes.basis.cols());
    reduced.certificate = std::make_unique<detail::CertificateMaker>(drawn, shapes, m_crossings);
    SUPPLE_TRY(scene::Portrait sampled,
               find_portrait(shapes, drawn, store, normals, *reduced.certificate));
    if (!entries.empty()) sampled = detail::portrait_of_entries(sampled, entries);
    SUPPLE_TRY(detail::PlayablePortrait playable, detail::keep_playable(sampled, palette));
    if (refiner != nullptr) m_report.refinement = refiner->compare(playable);
    lap("portrait");
    const scene::Portrait& portrait = playable.portrait;
    const scene::Transitions& transitions = playable.transitions;
    SUPPLE_TRY(reduced.rerouted,
               detail::clear_transitions(
                   playable, palette,
                   scene::make_traits(portrait, palette, transitions, settings().half_life),
                   reduced.certificate->recorded(), m_crossings));
    describe(portrait, transitions);
    lap("transitions");
    reduced.file.loops = find_loops(portrait, transitions, palette);
    lap("loops");
    reduced.file.object = scene::make_object(
        m_report.input.title, shapes,
        scene::make_traits(portrait, palette, transitions, settings().half_life));
    normals.put_into(reduced.file.object);
    reduced.report = {{},
                      m_report.vertices,
                      m_report.rank,
                      m_report.relative_error,
                      m_report.states,
                      m_report.responses,
                      m_report.blend_mean,
                      m_report.blend_largest,
                      {}};
    return reduced;
  }

  Result<void> write(const DrawnScene& drawn, const std::vector<detail::FilePart>& parts) {
    SUPPLE_TRY(const detail::SceneFiles files,
               detail::write_scene_files(m_report.input.title, drawn, parts,
                                         keep_settings(settings()), m_request.float32)
                   .during(fmt::format("making '{}'", m_request.output)));
    for (const std::string& warning : files.warnings) warn(m_report.warnings, warning);
    m_report.bytes = files.supple.bytes.size();
    m_report.quantisation_error = files.supple.position_error;
    SUPPLE_TRY_VOID(m_output.stage(m_request.output, files.glb));
    SUPPLE_TRY_VOID(m_output.stage(supple_path(m_request.output), files.supple.bytes));
    SUPPLE_TRY_VOID(check_interrupt());
    lap("write");
    return {};
  }

  Result<void> certify(const Reduced& reduced, const detail::FilePart& part) {
    SUPPLE_TRY(
        m_report.certificate,
        reduced.certificate->finish(*part.object.scene, detail::sampling_settings(settings())));
    m_report.certificate.transitions.rerouted = reduced.rerouted;
    lap("certificate");
    return {};
  }

  Result<scene::Portrait> find_portrait(const scene::Shapes& shapes, const DrawnScene& drawn,
                                        const ChainStore& store, detail::NormalShapes& normals,
                                        detail::CertificateMaker& certificate) {
    Progress progress("portrait", static_cast<double>(m_report.chains));
    m_report.failed_responses = 0;
    std::vector<float> rest;
    const auto see = [&](const scene::Chain& chain, const Eigen::MatrixXd& q) {
      normals.add(chain, q);
      if (m_part) {
        if (rest.empty()) rest = detail::first_frame(chain);
        scene::Chain held = chain;
        detail::hold_others(held, rest, m_parts, *m_part);
        certificate.add(held, q);
      } else {
        certificate.add(chain, q);
      }
      m_report.failed_responses += chain.failures;
      progress.advance();
    };
    SUPPLE_TRY(scene::Portrait portrait,
               detail::find_portrait(settings(), shapes, drawn, store, m_report.chains, see));
    m_report.sampled_states = portrait.states();
    m_report.raw_bytes = m_report.sampled_states * m_report.vertices * 3 * sizeof(float);
    return portrait;
  }

  std::vector<scene::Loop> find_loops(const scene::Portrait& portrait,
                                      const scene::Transitions& transitions,
                                      const scene::Palette& palette) {
    const SceneLoops& wanted = settings().loops;
    const auto frames = [&](double seconds) {
      return static_cast<std::size_t>(std::lround(seconds * settings().simulation.rate));
    };
    std::vector<scene::Loop> loops = scene::find_loops(
        portrait, transitions,
        {static_cast<std::size_t>(wanted.count), frames(wanted.shortest), frames(wanted.longest)});
    for (const scene::Loop& loop : loops) {
      const std::size_t entry = portrait.responses[loop.parts.front().response].entry;
      m_report.loops.push_back({detail::loop_name(m_report.loops.size()),
                                static_cast<double>(loop.frames) * portrait.h,
                                palette.entries()[entry].name, loop.seam_before, loop.seam_after});
    }
    return loops;
  }

  void describe(const scene::Shapes& shapes) {
    m_report.vertices = static_cast<std::size_t>(shapes.rest.size() / 3);
    m_report.rank = static_cast<std::size_t>(shapes.basis.cols());
    m_report.relative_error = shapes.relative_error();
    m_report.error_by_rank.assign(shapes.error_by_rank.begin(), shapes.error_by_rank.end());
  }

  void describe(const scene::Portrait& portrait, const scene::Transitions& transitions) {
    m_report.states = portrait.states();
    m_report.responses = portrait.responses.size();
    const double size = std::sqrt(portrait.q.colwise().squaredNorm().maxCoeff());
    m_report.blend_largest = 0;
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t i = 0; i < transitions.next.size(); ++i) {
      if (transitions.next[i] == scene::Transitions::kNone) continue;
      const double distance = transitions.distance[i] / size;
      sum += distance;
      ++count;
      m_report.blend_largest = std::max(m_report.blend_largest, distance);
    }
    m_report.blend_mean = count > 0 ? sum / static_cast<double>(count) : 0;
  }

  const SceneRequest& m_request;
  OutputSet& m_output;
  SceneReport m_report;
  detail::SceneParts m_parts;
  std::optional<std::uint32_t> m_part;  ///< that is reduced, of several
  std::optional<detail::PartContacts> m_contacts;
  detail::CrossingTest m_crossings;  ///< empty: the simulator cannot tell
  Stopwatch m_watch;
};

}  // namespace

Result<SceneInput> read_scene_input(const SceneRequest& request) {
  SceneInput input;
  if (request.foreign) {
    input.title = request.foreign->title;
    input.settings = request.foreign->settings;
    input.settings.foreign = true;
  } else if (request.model) {
    input.title = request.model->title;
    input.surfaces = request.model->surfaces;
    SUPPLE_TRY(input.settings, parse_scene_settings(request.model->toml, request.model->title));
  } else {
    input.title = std::filesystem::path(request.scene).stem().string();
    input.directory = std::filesystem::path(request.scene).parent_path().string();
    SUPPLE_TRY(const Bytes bytes, read_file(request.scene, kMostTextBytes));
    SUPPLE_TRY(input.settings, parse_scene_settings(as_text(bytes), request.scene));
  }
  SceneSettings& settings = input.settings;
  settings.sampling.states = request.states.value_or(settings.sampling.states);
  settings.shapes.tolerance = request.tolerance.value_or(settings.shapes.tolerance);
  settings.shapes.rank = request.rank.value_or(settings.shapes.rank);
  SUPPLE_TRY_VOID(settings.validate());
  return input;
}

Result<SceneReport> bake_scene(const SceneRequest& request, OutputSet& output) {
  if (lower_extension(request.output) != ".glb") {
    return Error(ErrorCode::Usage,
                 fmt::format("cannot write '{}': expected OUT.glb", request.output));
  }
  if (!request.log.empty() && !ChainStore::is_store(samples_folder(request))) {
    return bad_input(
        fmt::format("the folder '{}' has no samples to refine; bake the scene there "
                    "first and keep its samples",
                    samples_folder(request)));
  }
  SUPPLE_TRY_VOID(
      keep_apart({request.scene, request.log}, {request.output, supple_path(request.output)}));
  SUPPLE_TRY_VOID(check_writable({request.output, supple_path(request.output)}));
  SUPPLE_TRY(SceneInput input, read_scene_input(request));
  const std::string context = fmt::format("baking the scene '{}'", input.title);
  return SceneBake(std::move(input), request, output).run().during(context);
}

void remove_samples(const SceneRequest& request) {
  ChainStore::remove_from(samples_folder(request));
}

}  // namespace supple::bake
