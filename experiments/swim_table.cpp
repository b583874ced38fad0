// SPDX-License-Identifier: Apache-2.0
#include "experiments/swim_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace supple::experiments {
namespace {

struct Range {
  double low, high;
  [[nodiscard]] bool has(double value) const { return value >= low && value <= high; }
};

/// Measurements of real swimmers, and their source.
struct Measured {
  const char* stroke;              ///< the shipped one
  std::optional<Range> speed;      ///< m/s
  std::optional<Range> variation;  ///< up and down, relative to the mean
  std::optional<Range> length;     ///< m per stroke
  std::optional<Range> power;      ///< W
  const char* source;
};

/// The upper limits of speed are the world records over 100 m (long course, men, end of 2024: crawl
/// 46.40 s, butterfly 49.45 s, backstroke 51.60 s); the lower limits are what ordinary swimmers
/// reach. The breaststroke ranges from recreational to competitive swimmers.
constexpr Range kFluctuating{0.45, 0.50};
constexpr Range kSteady{0.15, 0.20};
constexpr Range kPower{200, 700};
const std::array<Measured, 4> kMeasured{
    {{"breaststroke", Range{0.9, 1.5}, kFluctuating, Range{1.4, 2.1}, kPower, "[CP79]"},
     {"crawl", Range{1.0, 2.16}, kSteady, std::nullopt, kPower, "[CP79], records"},
     {"backstroke", Range{0.9, 1.94}, kSteady, std::nullopt, kPower, "[CP79], records"},
     {"butterfly", Range{0.9, 2.02}, kFluctuating, std::nullopt, kPower, "[CP79], records"}}};
/// From the fastest to the slowest by the records over 100 m.
constexpr std::array<const char*, 4> kOrder{"crawl", "butterfly", "backstroke", "breaststroke"};

constexpr double kTableSeconds = 30;

std::string told(double value, const std::optional<Range>& range, int digits, double factor = 1) {
  std::string text = fmt::format("{:.{}f}", factor * value, digits);
  if (!range) return text;
  text += fmt::format(" ({:.{}f} to {:.{}f})", factor * range->low, digits, factor * range->high,
                      digits);
  return range->has(value) ? text : "**" + text + "**";
}

void note_miss(std::string& misses, const char* what, double value,
               const std::optional<Range>& range, const std::string& stroke) {
  if (!range || range->has(value)) return;
  misses += fmt::format("- {}: {} is {:.3g}, {} the measured range ({:g} to {:g}).\n", stroke, what,
                        value, value < range->low ? "below" : "above", range->low, range->high);
}

class SwimmerTable {
 public:
  void add(const std::string& stroke, const swim::SwimReport& r) {
    const auto known = std::ranges::find_if(
        kMeasured, [&](const Measured& measured) { return stroke == measured.stroke; });
    const Measured none{};
    const Measured& m = known == kMeasured.end() ? none : *known;
    const swim::MeasuredRange person = swim::person_power(std::max(0.0, r.mean_speed_mps));
    m_csv += fmt::format("{},{:.4f},{:.4f},{:.3f},{:.4f},{:.2f},{:.4f},{:.2f},{:.2f}\n", stroke,
                         r.mean_speed_mps, r.speed_variation, r.strokes_per_min,
                         r.metres_per_stroke, r.power_w, r.efficiency, person.low, person.high);
    m_table += fmt::format("| {} | {} | {} | {:.1f} | {} | {} | {} |\n", stroke,
                           told(r.mean_speed_mps, m.speed, 2),
                           told(r.speed_variation, m.variation, 0, 100), r.strokes_per_min,
                           told(r.metres_per_stroke, m.length, 2), told(r.power_w, m.power, 0),
                           m.source == nullptr ? "" : m.source);
    if (m.source != nullptr) {
      m_economy +=
          fmt::format("| {} | {:.2f} | {:.0f} | {:.0f} to {:.0f} | {:.2f} | {} to {} |\n", stroke,
                      r.mean_speed_mps, r.power_w, person.low, person.high, r.efficiency,
                      swim::kPersonEfficiency.low, swim::kPersonEfficiency.high);
    }
    note_miss(m_misses, "its speed, m/s,", r.mean_speed_mps, m.speed, stroke);
    note_miss(m_misses, "its variation", r.speed_variation, m.variation, stroke);
    note_miss(m_misses, "its length, m,", r.metres_per_stroke, m.length, stroke);
    note_miss(m_misses, "its power, W,", r.power_w, m.power, stroke);
    m_rows.push_back({{"stroke", stroke},
                      {"mean_speed_mps", r.mean_speed_mps},
                      {"speed_variation", r.speed_variation},
                      {"strokes_per_min", r.strokes_per_min},
                      {"metres_per_stroke", r.metres_per_stroke},
                      {"power_w", r.power_w},
                      {"efficiency", r.efficiency}});
    m_speeds.emplace_back(stroke, r.mean_speed_mps);
  }

  void fail(const std::string& stroke, const Error& error) {
    m_misses += fmt::format("- {}: the swim failed: {}\n", stroke, error.message());
  }

  Result<void> write(Bench& bench) {
    note_order();
    SUPPLE_TRY_VOID(bench.write("swimmers.csv", m_csv));
    bench.summary["swimmers"] = {{"strokes", m_rows}, {"ordered", m_ordered}};
    bench.text += fmt::format(R"(
## Comparison with measured swimmers

Every shipped stroke in the water it is meant for, {:g} s (swimmers.csv). Measured ranges are in
brackets; values outside them are bold. A stroke is a whole cycle. Fluctuations are from [CP79] (Craig, Pendergast: Relationships of stroke rate, distance per stroke, and velocity in
competitive swimming, 1979); the upper limits of speed are the men's world records over 100 m at the
end of 2024; the power is 0.1 to 0.35 kW for the arms and as much for the legs.

{}
{}
Power beside that of an adult who swims the front crawl at the same speed: drag of 25 to 37 v^2 N
(Gatta, Cortesi, Zamparo 2016) times speed over a propelling efficiency of {} to {} (Toussaint and
others 1988). The strokes are not yet as economical as a person's: they move as fast for several
times the power.

{})",
                              kTableSeconds, m_table,
                              m_misses.empty() ? "All values are within the measured ranges.\n"
                                               : "Outside the measured ranges:\n\n" + m_misses,
                              swim::kPersonEfficiency.low, swim::kPersonEfficiency.high, m_economy);
    return {};
  }

 private:
  [[nodiscard]] double speed(std::string_view stroke) const {
    const auto found = std::ranges::find(m_speeds, stroke, &std::pair<std::string, double>::first);
    return found == m_speeds.end() ? -1 : found->second;
  }

  void note_order() {
    for (std::size_t k = 1; k < kOrder.size(); ++k) {
      const double faster = speed(kOrder.at(k - 1));
      const double slower = speed(kOrder.at(k));
      if (faster < 0 || slower < 0 || faster > slower) continue;
      m_ordered = false;
      m_misses += fmt::format("- {} ({:.2f} m/s) is not faster than {} ({:.2f} m/s).\n",
                              kOrder.at(k - 1), faster, kOrder.at(k), slower);
    }
  }

  std::string m_csv =
      "stroke,mean_speed_mps,speed_variation,strokes_per_min,metres_per_stroke,power_w,"
      "efficiency,person_least_power_w,person_most_power_w\n";
  std::string m_table =
      "| stroke | speed, m/s | varies by +-, % | per minute | m per stroke | power, W | source |\n"
      "| --- | ---: | ---: | ---: | ---: | ---: | --- |\n";
  std::string m_economy =
      "| stroke | speed, m/s | power, W | a person's, W | efficiency | a person's |\n"
      "| --- | ---: | ---: | ---: | ---: | ---: |\n";
  std::string m_misses;
  Json m_rows = Json::array();
  std::vector<std::pair<std::string, double>> m_speeds;
  bool m_ordered = true;
};

}  // namespace

Result<void> swimmers(Bench& bench) {
  std::vector<Trial> trials;
  for (const std::string& name : bake::shipped_strokes()) {
    SUPPLE_TRY(Trial trial, shipped_trial(name, kTableSeconds));
    trials.push_back(std::move(trial));
  }
  SUPPLE_TRY(const std::vector<Swum> results, swim_all(trials));
  SwimmerTable table;
  for (std::size_t k = 0; k < results.size(); ++k) {
    if (results[k].failure) {
      table.fail(trials[k].stroke, *results[k].failure);
    } else {
      table.add(trials[k].stroke, results[k].report);
    }
  }
  return table.write(bench);
}

}  // namespace supple::experiments
