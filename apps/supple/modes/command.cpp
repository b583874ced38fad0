// SPDX-License-Identifier: Apache-2.0
#include "modes/command.hpp"

#include "cli/help_format.hpp"
#include "cli/usage_error.hpp"
#include "modes/output.hpp"
#include "modes/report.hpp"
#include "samples/requests.hpp"
#include "samples/solids.hpp"

#include "supple/bake/solid_materials.hpp"
#include "supple/core/log.hpp"
#include "supple/core/resources.hpp"
#include "supple/fem/solid_modes.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <map>
#include <memory>
#include <optional>

namespace supple::app {
namespace {

struct ModesOptions {
  CommonOptions common;
  bake::ModesRequest request;
  std::string sample;
  std::string output;
  std::string formats;
};

/// Words for an enumeration, in the form that CLI11 expects.
template <class Enum>
using Words = std::map<std::string, Enum>;

void add_model_options(CLI::App& command, ModesOptions& options) {
  bake::ModelRequest& model = options.request.model;
  command.add_option("FILE", model.file,
                     "deck (.inp), volume mesh (.msh .vtk .vtu) or surface (.obj .ply .stl .glb "
                     ".gltf)");
  command.add_option("--sample", options.sample, "a built-in solid instead of a file (list below)")
      ->type_name("NAME");
  const std::string meshing = "Meshing of surfaces and samples";
  command
      .add_option("--mesher", model.mesher,
                  "auto (default): stuffing, and netgen where that misses the volume of a clean "
                  "closed surface")
      ->transform(one_of(Words<geometry::Mesher>{{"auto", geometry::Mesher::Automatic},
                                                 {"stuffing", geometry::Mesher::Stuffing},
                                                 {"netgen", geometry::Mesher::Netgen}}))
      ->type_name("NAME")
      ->group(meshing);
  command.add_option("--elements", model.elements, "about how many tetrahedra (10000)")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{1}, std::size_t{100'000'000}))
      ->group(meshing);
  command
      .add_option("--order", model.order,
                  "1: 4-node, 2: 10-node tetrahedra (2; a volume mesh keeps its own)")
      ->type_name("N")
      ->check(CLI::Range(1, 2))
      ->group(meshing);
  command.add_flag("--curved", model.curved, "bend boundary elements onto the surface")
      ->group(meshing);
  command
      .add_flag("--largest-piece", model.largest_piece, "drop all but the largest connected piece")
      ->group(meshing);
  command.add_option("--scale", model.scale, "scale coordinates, such as 0.001 for millimetres")
      ->type_name("S")
      ->group(meshing);
}

void add_physics_options(CLI::App& command, bake::ModelRequest& model) {
  const std::string group = "Material and supports";
  command.add_option("--material", model.material, "E,nu,rho (Pa, -, kg/m^3) or a preset (below)")
      ->type_name("M")
      ->group(group);
  command
      .add_option("--region", model.regions,
                  "NAME=M: a different material for a region; repeatable")
      ->type_name("NAME=M")
      ->allow_extra_args(false)
      ->group(group);
  command
      .add_option("--fix", model.fix,
                  "fix nodes; repeatable: set:NAME, plane:x=0[,tolerance], x<0.1, "
                  "box:x0,y0,z0,x1,y1,z1, sphere:x,y,z,r; append :xy to fix these components only")
      ->type_name("WHERE")
      ->allow_extra_args(false)
      ->group(group);
  command
      .add_flag("--free", model.free,
                "accept that nothing is fixed, or that supports leave rigid motions")
      ->group(group);
  command
      .add_option("--mass", model.mass_rule,
                  "consistent (default), 4-point, 1-point (CalculiX's C3D10, C3D4) or lumped")
      ->transform(one_of(Words<fem::MassRule>{{"consistent", fem::MassRule::Consistent},
                                              {"4-point", fem::MassRule::FourPoint},
                                              {"1-point", fem::MassRule::OnePoint},
                                              {"lumped", fem::MassRule::Lumped}}))
      ->type_name("RULE")
      ->group(group);
}

void add_solver_options(CLI::App& command, fem::ModalSettings& solver) {
  const std::string group = "Solver";
  command
      .add_option("--method", solver.method,
                  "auto (default), direct (sparse factor) or iterative (little memory)")
      ->transform(one_of(Words<fem::EigenMethod>{{"auto", fem::EigenMethod::Automatic},
                                                 {"direct", fem::EigenMethod::Direct},
                                                 {"iterative", fem::EigenMethod::Iterative}}))
      ->type_name("NAME")
      ->group(group);
  command
      .add_option("--tolerance", solver.tolerance,
                  fmt::format("error of a shape in the energy norm; the error of a squared "
                              "frequency is its square ({:g})",
                              solver.tolerance))
      ->type_name("T")
      ->check(CLI::Range(1e-10, 1e-1))
      ->group(group);
  command
      .add_flag("--all-pieces", solver.allow_pieces,
                "accept a mesh of several pieces that share no nodes")
      ->group(group);
}

std::string modes_footer() {
  std::string text = "Samples:\n";
  for (const samples::SolidSample& sample : samples::solid_samples()) {
    text += fmt::format("  {:<10} {} ({})\n", sample.name, sample.description, sample.material);
  }
  return text + "\nMaterial presets:\n" + bake::describe_presets() +
         "\nExamples:\n"
         "  supple modes --sample creature -n 8 -o out/creature\n"
         "  supple modes deck.inp -n 20 --json\n"
         "  supple modes arm.stl --scale 0.001 --material muscle --fix 'y<0.02' -o arm.png\n";
}

Result<bake::ModesRequest> complete_request(const ModesOptions& options) {
  bake::ModesRequest request = options.request;
  if (request.model.file.empty() == options.sample.empty()) {
    return usage_error(request.model.file.empty()
                           ? "give a file or --sample NAME"
                           : "give either a file or --sample NAME, not both");
  }
  if (!options.sample.empty()) {
    SUPPLE_TRY(request.model.maker, samples::solid_maker(options.sample));
  }
  return request;
}

Result<void> run_modes(const ModesOptions& options) {
  SUPPLE_TRY_VOID(apply(options.common));
  SUPPLE_TRY(const bake::ModesRequest request, complete_request(options));
  SUPPLE_TRY_VOID(bake::check(request.model));
  SUPPLE_TRY(const pictures::ModesFiles plan, plan_output(options.output, options.formats));
  SUPPLE_TRY_VOID(check_plan(plan));
  SUPPLE_TRY(bake::ModesRun run, bake::solve_modes(request));
  if (run.input.fixed_nodes == 0 && !request.model.free) {
    log::info("nothing is fixed: solved as a free body (--fix holds nodes, --free confirms it)");
  }
  const Stopwatch watch;
  OutputSet output;
  SUPPLE_TRY_VOID(pictures::stage_modes(plan, run, output));
  SUPPLE_TRY_VOID(output.commit());
  if (!plan.formats.empty()) run.seconds.emplace_back("write", watch.seconds());
  if (options.common.json) return print_machine_text(json_report(run, output.files()));
  if (!options.common.quiet) tell(human_report(run, output.files()));
  return {};
}

}  // namespace

Command make_modes_command(CLI::App& program) {
  CLI::App* parser =
      program.add_subcommand("modes", "natural frequencies and mode shapes of a solid");
  auto options = std::make_shared<ModesOptions>();
  add_model_options(*parser, *options);
  parser
      ->add_option("-n,--count", options->request.count,
                   "how many modes (20, or what the deck asks for)")
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000));
  parser
      ->add_option("-o,--output", options->output,
                   "write PREFIX.vtu, .glb, .txt and .png, or the one file named")
      ->type_name("PREFIX");
  parser->add_option("--write", options->formats, "only these of vtu,glb,txt,png")
      ->type_name("LIST");
  add_physics_options(*parser, options->request.model);
  add_solver_options(*parser, options->request.solver);
  add_common_options(*parser, options->common);
  parser->footer(modes_footer());
  return {parser, [options] { return run_modes(*options); }};
}

}  // namespace supple::app
