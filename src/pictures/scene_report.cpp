// SPDX-License-Identifier: Apache-2.0
#include "supple/pictures/scene_report.hpp"

#include "pictures/scene_report_plots.hpp"

#include "supple/core/console.hpp"
#include "supple/core/markup.hpp"
#include "supple/core/version.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace supple::pictures {
namespace {

constexpr const char* kStyle = R"(
:root{color-scheme:light dark;--ink:#1c2230;--soft:#5b6474;--ground:#f6f7f9;--card:#fff;--line:#dfe3ea;--good:#0f7a4d;--bad:#a94a00}
@media (prefers-color-scheme:dark){:root{--ink:#e6e9ef;--soft:#9aa4b5;--ground:#14171d;--card:#1b1f27;--line:#2d333f;--good:#5fd3a0;--bad:#ffb063}
figure svg.plot{filter:invert(.9) hue-rotate(180deg)}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.55 system-ui,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}
main{max-width:1180px;margin:0 auto;padding:3rem 1.25rem 5rem}
h1{font-size:2.3rem;line-height:1.15;letter-spacing:-.02em;margin:0}
h2{font-size:1.3rem;letter-spacing:-.01em;margin:3rem 0 1rem}
p{max-width:44rem;margin:.6rem 0}
.soft,figcaption,td.note{color:var(--soft)}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(10.5rem,1fr));gap:.9rem;margin:2rem 0 0}
.tile,figure,pre,.table{background:var(--card);border:1px solid var(--line);border-radius:12px}
.tile{padding:1rem 1.1rem}
.tile b{display:block;font-size:1.55rem;line-height:1.3;white-space:nowrap;font-weight:650;font-variant-numeric:tabular-nums}
.tile span{display:block;font-size:.92rem}
.tile small{color:var(--soft);font-size:.82rem}
.good b{color:var(--good)}.bad b{color:var(--bad)}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,27rem),1fr));gap:1rem}
figure{margin:0;padding:.9rem;display:flex;flex-direction:column;gap:.5rem}
figure svg{width:100%;height:auto;display:block;border-radius:6px}
figure svg.bar{background:#fff;padding:.2rem}
figcaption{font-size:.9rem;line-height:1.45}
.table{overflow-x:auto;padding:.3rem 1.1rem}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{text-align:left;vertical-align:top;padding:.45rem 1rem .45rem 0;border-top:1px solid var(--line);font-weight:400}
tr:first-child>*{border-top:0}
td.value{white-space:nowrap;font-weight:600}
td.note{font-size:.9rem}
pre{overflow-x:auto;padding:1rem 1.1rem;font:13px/1.5 ui-monospace,'DejaVu Sans Mono',monospace}
summary{cursor:pointer;color:var(--soft)}
)";

std::string percent(double share) {
  if (share == 0) return "0";
  return fmt::format("{:.{}f} %", 100 * share, share >= 0.1 ? 0 : share >= 0.01 ? 1 : 2);
}

std::string bytes_text(double bytes) {
  return format_si(bytes, "B");
}

std::string times(double ratio) {
  return fmt::format("{:.{}f} times", ratio, ratio < 10 ? 1 : 0);
}

enum class Verdict { None, Good, Bad };

std::string tile(Verdict verdict, const std::string& value, const std::string& label,
                 const std::string& note) {
  const char* look = verdict == Verdict::Good ? " good" : verdict == Verdict::Bad ? " bad" : "";
  return fmt::format("<div class=\"tile{}\"><b>{}</b><span>{}</span><small>{}</small></div>\n",
                     look, escape_markup(value), escape_markup(label), escape_markup(note));
}

std::string tiles(const bake::SceneReport& report) {
  const bake::SceneCertificate& c = report.certificate;
  const bake::TransitionTest& t = c.transitions;
  std::string text = "<div class=\"tiles\">\n";
  text += tile(report.certificate.intersections_samples == 0 ? Verdict::Good : Verdict::Bad,
               format_count(report.certificate.intersections_samples), "intersections in samples",
               fmt::format("{} frames, exact test", format_count(report.sampled_states)));
  if (t.tested > 0) {
    text += tile(t.crossing == 0 ? Verdict::Good : Verdict::Bad,
                 fmt::format("{} of {}", t.crossing, t.tested), "transitions intersect",
                 fmt::format("{} tested of {}", format_count(t.tested), format_count(t.cached)));
  }
  text += tile(c.pops.largest < 1e-6 ? Verdict::Good : Verdict::Bad,
               fmt::format("{:.1g}", c.pops.largest), "pop score",
               fmt::format("the paper's blend: {:.2g}", c.paper_pops.largest));
  text += tile(
      Verdict::None, percent(c.coverage.most), "off the samples, 95 % of play",
      fmt::format("mean {}, at most {}", percent(c.coverage.mean), percent(c.coverage.largest)));
  text += tile(Verdict::None, percent(report.relative_error),
               fmt::format("left by {} shapes", report.rank),
               fmt::format("at most {} anywhere", format_si(c.largest_error, "m")));
  text += tile(Verdict::None, bytes_text(static_cast<double>(report.bytes)), "to play",
               fmt::format("{} less than textures",
                           times(static_cast<double>(c.texture_bytes) /
                                 static_cast<double>(std::max<std::size_t>(report.bytes, 1)))));
  return text + "</div>\n";
}

class ReportTable {
 public:
  void row(const std::string& label, const std::string& value, const std::string& note = "") {
    m_text += fmt::format(
        "<tr><th scope=\"row\">{}</th><td class=\"value\">{}</td><td class=\"note\">{}</td></tr>\n",
        escape_markup(label), escape_markup(value), escape_markup(note));
  }
  [[nodiscard]] std::string html() const {
    return "<div class=\"table\"><table>\n" + m_text + "</table></div>\n";
  }

 private:
  std::string m_text;
};

std::string sampling_table(const bake::SceneReport& report) {
  ReportTable table;
  table.row("Sampled states", format_count(report.sampled_states),
            fmt::format("in {} chains", report.chains));
  table.row("Failed responses", format_count(report.failed_responses),
            "the simulator gave up; kept for the shapes, not played");
  table.row("States that can be played", format_count(report.states),
            fmt::format("of {} responses", report.responses));
  table.row("Intersections in samples", format_count(report.certificate.intersections_samples),
            "frames that intersect are dropped as failed; recordings are not tested");
  table.row("Shapes", fmt::format("{}", report.rank),
            fmt::format("for {} vertices", format_count(report.vertices)));
  table.row("Relative error", fmt::format("{:.4g}", report.relative_error),
            "of the motion, in the Frobenius norm");
  table.row("Largest error", format_si(report.certificate.largest_error, "m"),
            fmt::format("of any vertex in any sampled frame; the motion is {} RMS",
                        format_si(report.certificate.motion, "m")));
  table.row("Rounding to 16 bits", format_si(report.quantisation_error, "m"),
            "of the shapes in the file");
  return table.html();
}

std::string play_table(const bake::SceneReport& report) {
  const bake::SceneCertificate& c = report.certificate;
  const bake::TransitionTest& t = c.transitions;
  ReportTable table;
  table.row("Cached transitions", format_count(t.cached),
            "a state and an entry that may act there, or the end of a response");
  table.row("Sent elsewhere", format_count(t.rerouted),
            "of them: the blend to the nearest answer intersects, another one less");
  if (t.tested > 0) {
    table.row(
        "Tested", format_count(t.tested),
        fmt::format("evenly spread over all; {} frames, at full strength", format_count(t.frames)));
    table.row("With intersections", format_count(t.crossing),
              fmt::format("{} pairs over all frames", format_count(t.intersections)));
    table.row("The same without blending", format_count(t.crossing_unblended),
              fmt::format("{} pairs: what the shapes alone leave", format_count(t.unblended)));
  } else {
    table.row("Tested", "none", "the simulator of this scene cannot tell what intersects");
  }
  table.row("Pop score", fmt::format("{:.2g}", c.pops.largest),
            fmt::format("largest jump of the velocity at {} triggers of random play, of the "
                        "largest speed; mean {:.2g}",
                        c.play_triggers, c.pops.mean));
  table.row("The same with the paper's blend", fmt::format("{:.3g}", c.paper_pops.largest),
            fmt::format("mean {:.3g}", c.paper_pops.mean));
  table.row("Coverage", percent(c.coverage.mean),
            fmt::format("mean distance of random play from the samples, of the portrait's size; 95 "
                        "% below {}, at most {}",
                        percent(c.coverage.most), percent(c.coverage.largest)));
  table.row("Transitions", percent(report.blend_mean),
            fmt::format("mean distance to the response that is cached, at most {}",
                        percent(report.blend_largest)));
  return table.html();
}

std::string size_table(const bake::SceneReport& report) {
  const auto bytes = static_cast<double>(std::max<std::size_t>(report.bytes, 1));
  const auto beside = [&](double other) { return times(other / bytes) + " as large"; };
  const auto raw = static_cast<double>(report.raw_bytes);
  const auto textures = static_cast<double>(report.certificate.texture_bytes);
  ReportTable table;
  table.row(".supple", bytes_text(bytes), "shapes, portrait and transitions");
  table.row("Snapshots", bytes_text(raw), beside(raw) + ": sampled frames as floats");
  table.row("Vertex animation textures", bytes_text(textures),
            beside(textures) + ": positions and normals of 16 bits, playable states");
  return table.html();
}

std::string time_table(const bake::SceneReport& report) {
  ReportTable table;
  double total = 0;
  for (const auto& [stage, seconds] : report.seconds) {
    table.row(stage, format_seconds(seconds));
    total += seconds;
  }
  table.row("Total", format_seconds(total),
            report.resumed_chains > 0
                ? fmt::format("{} chains were there already", report.resumed_chains)
                : "");
  return table.html();
}

std::string figures_html(const std::vector<ReportFigure>& figures) {
  std::string text = "<div class=\"figures\">\n";
  for (const ReportFigure& figure : figures) {
    text += "<figure>" + figure.svg + "<figcaption>" + escape_markup(figure.caption) +
            "</figcaption></figure>\n";
  }
  return text + "</div>\n";
}

std::string warnings_html(const std::vector<std::string>& warnings) {
  if (warnings.empty()) return "";
  std::string text = "<h2>Warnings</h2>\n<ul>\n";
  for (const std::string& warning : warnings) text += "<li>" + escape_markup(warning) + "</li>\n";
  return text + "</ul>\n";
}

}  // namespace

std::string scene_report_path(const std::string& glb) {
  return std::filesystem::path(glb).replace_extension(".report.html").string();
}

Result<std::string> scene_report_page(const bake::SceneReport& report) {
  SUPPLE_TRY(const std::vector<ReportFigure> figures, scene_report_figures(report));
  const std::string title = escape_markup(report.input.title);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{0} – scene report</title>\n<style>{1}</style>\n</head>\n<body>\n<main>\n"
      "<h1>{0}</h1>\n<p class=\"soft\">What this scene is worth when it is played: {2} responses "
      "with {3} states, sampled from a simulator and reduced to {4} shapes of {5} vertices. "
      "Written "
      "by supple {6}.</p>\n{7}"
      "<h2>Samples and shapes</h2>\n{8}<h2>Play</h2>\n{9}<h2>Figures</h2>\n{10}"
      "<h2>Size</h2>\n{11}<h2>Time</h2>\n{12}{13}"
      "<h2>Settings</h2>\n<details><summary>All settings of this bake</summary>\n<pre>{14}</pre>\n"
      "</details>\n</main>\n</body>\n</html>\n",
      title, kStyle, report.responses, format_count(report.states), report.rank,
      format_count(report.vertices), version(), tiles(report), sampling_table(report),
      play_table(report), figures_html(figures), size_table(report), time_table(report),
      warnings_html(report.warnings),
      escape_markup(bake::print_scene_settings(report.input.settings)));
}

Result<void> stage_scene_report(const bake::SceneReport& report, const std::string& glb,
                                OutputSet& output) {
  const std::string path = scene_report_path(glb);
  SUPPLE_TRY(const std::string page,
             scene_report_page(report).during(fmt::format("making '{}'", path)));
  return output.stage(path, page);
}

}  // namespace supple::pictures
