// SPDX-License-Identifier: Apache-2.0
#include "experiments/swim_parts.hpp"

#include "supple/plot/line_plot.hpp"

#include <fmt/format.h>

#include <array>
#include <vector>

namespace supple::experiments {
namespace {

/// Metres in 7 s from an independent simulation of the same law, body and stroke.
struct Expected {
  double viscosity;  ///< N s/m^3
  double distance;
};
constexpr std::array<Expected, 10> kFigure7{{{5, 0.11},
                                             {20, 0.32},
                                             {50, 0.48},
                                             {100, 0.58},
                                             {200, 0.70},
                                             {300, 0.77},
                                             {400, 0.78},
                                             {1000, 0.64},
                                             {4000, 0.25},
                                             {1e5, 0.04}}};
constexpr double kPerPaperUnit = 1500;  // [MMY] give no unit of mass, and hence none of viscosity

struct ExpectedHands {
  double more;  ///< added area as a fraction of the hand's
  double wide, lengthened;
};
constexpr std::array<ExpectedHands, 5> kFigure8{{{0, 0.768, 0.768},
                                                 {0.5, 0.855, 0.880},
                                                 {1, 0.932, 0.987},
                                                 {2, 1.055, 1.169},
                                                 {3, 1.137, 1.228}}};
constexpr double kFigure8Viscosity = 300;

const plot::Colour kOurs = plot::from_oklch(0.52F, 0.16F, 255);
const plot::Colour kOther = plot::from_oklch(0.62F, 0.17F, 40);

/// As for the expected values: water forces are evaluated once per step, 30 steps per second.
Trial plainly(Trial trial) {
  trial.run.stepping = swim::Stepping::Plain;
  trial.run.step = 1.0 / 30;
  trial.run.rate = 30;
  return trial;
}

/// Each swim of these experiments must complete; a failure is an error.
Result<void> all_swam(const std::vector<Swum>& results) {
  for (const Swum& swum : results) {
    if (swum.failure) return *swum.failure;
  }
  return {};
}

std::string difference(double ours, double expected) {
  return fmt::format("{:+.1f} %", 100 * (ours / expected - 1));
}

plot::Curve curve(std::string label, const plot::Colour& colour, bool dashed = false) {
  plot::Curve result;
  result.label = std::move(label);
  result.colour = colour;
  result.dashed = dashed;
  result.points = !dashed;
  return result;
}

}  // namespace

Result<void> figure7(Bench& bench) {
  std::vector<Trial> trials;
  trials.reserve(2 * kFigure7.size());
  for (const Expected& point : kFigure7) {
    trials.push_back(paper_trial(point.viscosity));
    trials.push_back(plainly(trials.back()));
  }
  SUPPLE_TRY(const std::vector<Swum> results, swim_all(trials));
  SUPPLE_TRY_VOID(all_swam(results));
  std::string csv =
      "viscosity_Ns_per_m3,viscosity_paper,distance_m,plain_step_m,expected_m,power_w\n";
  std::string table =
      "| eta, N s/m3 | in units of the paper | distance, m | plain step, m | expected, m | "
      "plain minus expected |\n"
      "| ---: | ---: | ---: | ---: | ---: | ---: |\n";
  plot::Curve ours = curve("ours", kOurs);
  plot::Curve plain = curve("plain step", kOther);
  plot::Curve expected = curve("expected", kOther, true);
  Json rows = Json::array();
  for (std::size_t k = 0; k < kFigure7.size(); ++k) {
    const auto [viscosity, distance] = kFigure7.at(k);
    const double own = results[2 * k].report.distance_m;
    const double coarse = results[2 * k + 1].report.distance_m;
    csv += fmt::format("{},{:.4g},{:.4f},{:.4f},{},{:.1f}\n", viscosity, viscosity / kPerPaperUnit,
                       own, coarse, distance, results[2 * k].report.power_w);
    table += fmt::format("| {} | {:.3g} | {:.3f} | {:.3f} | {:.2f} | {:+.3f} |\n", viscosity,
                         viscosity / kPerPaperUnit, own, coarse, distance, coarse - distance);
    for (plot::Curve* line : {&ours, &plain, &expected}) line->x.push_back(viscosity);
    ours.y.push_back(own);
    plain.y.push_back(coarse);
    expected.y.push_back(distance);
    rows.push_back({{"viscosity", viscosity},
                    {"distance_m", own},
                    {"plain_step_m", coarse},
                    {"expected_m", distance}});
  }
  SUPPLE_TRY_VOID(bench.write("figure7.csv", csv));
  plot::PlotSettings settings;
  settings.title = "distance in 7 s against the drag of the water";
  settings.x_label = "eta: drag per area and speed (N s/m³)";
  settings.log_x = true;
  settings.y_label = "distance (m)";
  SUPPLE_TRY_VOID(bench.write_plot("figure7", plot::draw_plot({expected, plain, ours}, settings)));
  bench.summary["figure7"] = rows;
  bench.text += fmt::format(R"(
## Figure 7: displacement against viscosity

Stroke `paper`, 14 hinges, drag linear in the speed with the projected area (figure7.csv): eta times
area and speed, which the paper calls viscosity. One unit of it is {} N s/m3; its range, 0.029 to 0.2, is 44 to 300 here. The expected
values come from another program for the same equations, with steps of 1/30 s that evaluate the
water forces once ("plain step"). The first distance is our own step, which gives nearly the same as
1 ms; the second is our plain step. The curve rises, flattens and, beyond the range of the paper,
falls: in very viscous water the muscles cannot follow the stroke.

{}
![figure 7](figure7.svg)
)",
                            kPerPaperUnit, table);
  return {};
}

Result<void> figure8(Bench& bench) {
  std::vector<Trial> trials;
  for (const ExpectedHands& point : kFigure8) {
    Trial trial = paper_trial(kFigure8Viscosity);
    trial.body.hand_width = 1 + point.more;
    trials.push_back(plainly(trial));
    trial.body.hand_width = 1;
    trial.body.hand_length = 1 + point.more;
    trials.push_back(plainly(trial));
  }
  SUPPLE_TRY(const std::vector<Swum> results, swim_all(trials));
  SUPPLE_TRY_VOID(all_swam(results));
  std::string csv = "added_area,wider_m,longer_m,expected_wider_m,expected_longer_m\n";
  std::string table =
      "| area added | wider, m | expected | difference | longer, m | expected | difference |\n"
      "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
  plot::Curve wide = curve("wider", kOurs);
  plot::Curve lengthened = curve("longer", kOther);
  plot::Curve wide_expected = curve("", kOurs, true);
  plot::Curve long_expected = curve("", kOther, true);
  Json rows = Json::array();
  for (std::size_t k = 0; k < kFigure8.size(); ++k) {
    const ExpectedHands& point = kFigure8.at(k);
    const double w = results[2 * k].report.distance_m;
    const double l = results[2 * k + 1].report.distance_m;
    csv += fmt::format("{},{:.4f},{:.4f},{},{}\n", point.more, w, l, point.wide, point.lengthened);
    table += fmt::format("| +{:.0f} % | {:.3f} | {:.3f} | {} | {:.3f} | {:.3f} | {} |\n",
                         100 * point.more, w, point.wide, difference(w, point.wide), l,
                         point.lengthened, difference(l, point.lengthened));
    for (plot::Curve* line : {&wide, &lengthened, &wide_expected, &long_expected}) {
      line->x.push_back(100 * point.more);
    }
    wide.y.push_back(w);
    lengthened.y.push_back(l);
    wide_expected.y.push_back(point.wide);
    long_expected.y.push_back(point.lengthened);
    rows.push_back({{"added_area", point.more}, {"wider_m", w}, {"longer_m", l}});
  }
  SUPPLE_TRY_VOID(bench.write("figure8.csv", csv));
  plot::PlotSettings settings;
  settings.title = "distance in 7 s against the size of the hands (dashed = expected)";
  settings.x_label = "area added to the hands (%)";
  settings.y_label = "distance (m)";
  SUPPLE_TRY_VOID(bench.write_plot(
      "figure8", plot::draw_plot({wide_expected, long_expected, wide, lengthened}, settings)));
  bench.summary["figure8"] = rows;
  bench.text += fmt::format(R"(
## Figure 8: displacement against the size of the hands

The same at {} N s/m3, with the plain step and larger hands, either wider or longer (figure8.csv).
Longer hands help more, as in the paper: the added area moves faster.

{}
![figure 8](figure8.svg)
)",
                            kFigure8Viscosity, table);
  return {};
}

}  // namespace supple::experiments
