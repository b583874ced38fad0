// SPDX-License-Identifier: Apache-2.0
#include "render_command.hpp"

#include "canvas.hpp"
#include "render_framing.hpp"
#include "render_handles.hpp"
#include "render_options.hpp"
#include "stroke_font.hpp"

#include "supple/core/console.hpp"
#include "supple/core/files.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/core/log.hpp"
#include "supple/core/progress.hpp"
#include "supple/render/video.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <memory>

namespace supple::app {
namespace {

struct RenderReport {
  std::string renderer;
  int samples = 0;
  std::size_t frames = 0;
  double from = 0, to = 0;
  double seconds = 0;
};

/// A few letters in a corner, laid over pictures of one size.
class Caption {
 public:
  Caption(std::string_view text, int width, int height, bool on_dark) {
    TextStyle style;
    style.height = std::clamp(0.021F * static_cast<float>(height), 8.0F, 40.0F);
    style.weight = 0.115F * style.height;
    style.colour = Colour::Ones();
    m_left = static_cast<int>(1.6F * style.height);
    m_canvas = Canvas(static_cast<int>(text_width(text, style) + 1.4F * style.height),
                      static_cast<int>(2 * style.height));
    m_top = height - m_canvas.height() - static_cast<int>(0.9F * style.height);
    draw_text(m_canvas, 0.7F * style.height, 1.5F * style.height, text, style);
    m_fits = m_left + m_canvas.width() <= width && m_top >= 0;
    m_ink = on_dark ? 235 : 38;
  }

  void lay_over(io::Image& picture, std::size_t shift) const {
    if (!m_fits) return;
    for (int y = 0; y < m_canvas.height(); ++y) {
      for (int x = 0; x < m_canvas.width(); ++x) {
        std::uint8_t* pixel =
            &picture.rgba[4 * (static_cast<std::size_t>(m_top + y) * picture.width + shift +
                               static_cast<std::size_t>(m_left + x))];
        blend(pixel, 255 - m_ink, 0.5F * plate(x, y));
        blend(pixel, m_ink, 0.85F * m_canvas.at(x, y)[0]);
      }
    }
  }

 private:
  static void blend(std::uint8_t* pixel, float grey, float cover) {
    for (int c = 0; c < 3; ++c) {
      const auto below = static_cast<float>(pixel[c]);
      pixel[c] = static_cast<std::uint8_t>(std::lround(below + cover * (grey - below)));
    }
    pixel[3] =
        static_cast<std::uint8_t>(std::max(static_cast<long>(pixel[3]), std::lround(255 * cover)));
  }

  /// Keeps the letters readable in front of anything: a box with round corners, 0..1.
  [[nodiscard]] float plate(int x, int y) const {
    const float round = 0.3F * static_cast<float>(m_canvas.height());
    const auto beyond = [round](int place, int size) {
      const float half = 0.5F * static_cast<float>(size);
      const float from_middle = std::abs(static_cast<float>(place) + 0.5F - half);
      return std::max(0.0F, from_middle - (half - round));
    };
    const float outside = std::hypot(beyond(x, m_canvas.width()), beyond(y, m_canvas.height()));
    return std::clamp(round - outside + 0.5F, 0.0F, 1.0F);
  }

  Canvas m_canvas{0, 0};
  int m_left = 0, m_top = 0;
  bool m_fits = false;
  float m_ink = 0;  ///< grey, 0..255
};

/// Both halves with a thin line between.
io::Image side_by_side(const io::Image& left, const io::Image& right) {
  io::Image both{left.width + right.width, left.height, {}};
  both.rgba.resize(4 * both.width * both.height);
  for (std::size_t y = 0; y < both.height; ++y) {
    std::uint8_t* row = &both.rgba[4 * y * both.width];
    std::memcpy(row, &left.rgba[4 * y * left.width], 4 * left.width);
    std::memcpy(row + 4 * left.width, &right.rgba[4 * y * right.width], 4 * right.width);
    for (std::size_t x = left.width - 1; x <= left.width; ++x) {
      for (std::size_t c = 0; c < 3; ++c) {
        row[4 * x + c] = static_cast<std::uint8_t>(row[4 * x + c] / 2 + 64);
      }
    }
  }
  return both;
}

std::string_view frame_caption(const RenderSubject& subject, Deformation shown) {
  switch (shown) {
    case Deformation::None:
      return subject.has_flesh() ? "bones alone" : "rigid";
    case Deformation::Linear:
      return "linear modes";
    case Deformation::Full:
      break;
  }
  if (!subject.has_shells()) return "with flesh";
  return subject.has_flesh() ? "with flesh and shells" : "warped shells";
}

/// Everything that draws one frame after another.
class FrameMaker {
 public:
  static Result<FrameMaker> create(const RenderSubject& subject, const RenderPlan& plan,
                                   const RenderOptions& options, const std::vector<double>& times) {
    FrameMaker maker;
    maker.m_subject = &subject;
    maker.m_shown = plan.shown;
    const int width = plan.compare() ? plan.width / 2 : plan.width;
    FramingSettings framing;
    framing.direction = plan.direction;
    framing.distance = plan.distance;
    framing.shown = plan.shown;
    framing.aspect = static_cast<double>(width) / plan.height;
    if (!options.focus.empty()) {
      SUPPLE_TRY(framing.focus, subject.find_object(options.focus));
    }
    SUPPLE_TRY(gpu::Context context, gpu::Context::create());
    maker.m_context = std::make_unique<gpu::Context>(std::move(context));
    render::RendererSettings settings;
    settings.width = width;
    settings.height = plan.height;
    settings.samples = options.samples;
    settings.look.backdrop = plan.backdrop;
    SUPPLE_TRY(maker.m_renderer,
               make<render::Renderer>(render::Renderer::create(*maker.m_context, settings)));
    io::GltfMaterials materials = io::read_materials(subject.asset());
    if (subject.has_handles()) materials.materials.push_back(handle_material());
    for (const std::string& warning : materials.warnings) log::warn("{}", warning);
    SUPPLE_TRY(maker.m_scene, make<render::Scene>(render::Scene::create(
                                  *maker.m_context, subject.asset(), materials,
                                  subject.flesh() ? subject.flesh()->asset() : nullptr)));
    maker.m_framing = std::make_unique<Framing>(subject, times, framing);
    if (plan.compare()) {
      const bool dark = plan.backdrop.kind == render::Backdrop::Kind::Dark ||
                        (plan.backdrop.kind == render::Backdrop::Kind::Colour &&
                         plan.backdrop.colour.mean() < 0.2);
      for (const Deformation shown : plan.shown) {
        maker.m_captions.emplace_back(frame_caption(subject, shown), width, plan.height, dark);
      }
    }
    return maker;
  }

  [[nodiscard]] Result<io::Image> frame(double time) const {
    const double now = m_subject->wrapped(time);
    const render::View view = m_framing->view(time);
    const auto draw = [&](Deformation shown) {
      m_scene->show(m_subject->moment(now, shown));
      return m_renderer->draw(*m_scene, view);
    };
    if (m_shown.size() == 1) return draw(m_shown.front());
    SUPPLE_TRY(const io::Image left, draw(m_shown[0]));
    SUPPLE_TRY(const io::Image right, draw(m_shown[1]));
    io::Image both = side_by_side(left, right);
    m_captions[0].lay_over(both, 0);
    m_captions[1].lay_over(both, left.width);
    return both;
  }

  [[nodiscard]] const gpu::Context& context() const { return *m_context; }
  [[nodiscard]] int samples() const { return m_renderer->samples(); }

 private:
  template <class T>
  static Result<std::unique_ptr<T>> make(Result<T> made) {
    if (!made.ok()) return std::move(made).error();
    return std::make_unique<T>(*std::move(made));
  }

  // In this order: what was made with the context goes before it.
  std::unique_ptr<gpu::Context> m_context;
  std::unique_ptr<render::Renderer> m_renderer;
  std::unique_ptr<render::Scene> m_scene;
  std::unique_ptr<Framing> m_framing;
  const RenderSubject* m_subject = nullptr;
  std::vector<Deformation> m_shown;
  std::vector<Caption> m_captions;
};

Result<void> write_picture(const FrameMaker& maker, double time, const std::string& path) {
  SUPPLE_TRY(const io::Image picture, maker.frame(time));
  SUPPLE_TRY(const Bytes png, io::write_png(picture));
  SUPPLE_TRY_VOID(check_interrupt());
  return write_file(path, png);
}

Result<void> write_video(const FrameMaker& maker, const std::vector<double>& times,
                         const RenderOptions& options, const RenderPlan& plan) {
  render::VideoSettings settings;
  settings.width = plan.width;
  settings.height = plan.height;
  settings.fps = options.fps;
  settings.codec =
      plan.webm ? render::VideoSettings::Codec::Vp9 : render::VideoSettings::Codec::H264;
  SUPPLE_TRY(render::VideoWriter video, render::VideoWriter::start(options.output, settings));
  Progress progress("rendering", static_cast<double>(times.size()));
  for (const double time : times) {
    SUPPLE_TRY_VOID(check_interrupt());
    SUPPLE_TRY(const io::Image picture, maker.frame(time));
    SUPPLE_TRY_VOID(video.add(picture));
    progress.advance();
  }
  return video.finish();
}

std::string render_json(const RenderOptions& options, const RenderPlan& plan,
                        const RenderSubject& subject, const RenderReport& report) {
  nlohmann::ordered_json json;
  json["output"] = options.output;
  json["width"] = plan.width;
  json["height"] = plan.height;
  json["samples"] = report.samples;
  json["frames"] = report.frames;
  if (plan.video) json["fps"] = options.fps;
  json["from"] = report.from;
  json["to"] = report.to;
  json["motion"] = subject.motion_name();
  json["loops"] = subject.loops();
  json["flesh"] = subject.flesh() ? subject.flesh()->name() : "";
  json["renderer"] = report.renderer;
  json["seconds"] = report.seconds;
  json["warnings"] = subject.warnings();
  return json.dump() + "\n";
}

std::string render_text(const RenderOptions& options, const RenderPlan& plan,
                        const RenderSubject& subject, const RenderReport& report) {
  std::string what = subject.motion_name().empty() ? std::string("at rest")
                                                   : fmt::format("'{}'", subject.motion_name());
  if (plan.video) {
    what += fmt::format(", {} frames, {}", report.frames, format_seconds(report.to - report.from));
  } else if (subject.duration() > 0) {
    what += fmt::format(" at {:.3g} s", report.from);
  }
  return fmt::format("{}{}\nwrote {} ({} x {}, {} samples) in {} on {}\n", what,
                     subject.flesh() ? fmt::format(", {} of '{}'",
                                                   !subject.has_shells() ? "flesh"
                                                   : subject.has_flesh() ? "flesh and shells"
                                                                         : "shells",
                                                   subject.flesh()->name())
                                     : "",
                     options.output, plan.width, plan.height, report.samples,
                     format_seconds(report.seconds), report.renderer);
}

}  // namespace

Result<void> render_file(RenderOptions options) {
  SUPPLE_TRY(const RenderPlan plan, plan_render(options));
  const auto start = std::chrono::steady_clock::now();
  options.subject.needs_motion = plan.video;
  options.subject.live = options.linear || plan.compare() || options.subject.handles ||
                         !options.focus.empty() || options.subject.gain != 1;
  // Steps of the player that frames fall on, and no fewer than it likes.
  constexpr double kRate = 60;
  options.subject.motion.rate = options.fps * std::max(1.0, std::ceil(kRate / options.fps));
  SUPPLE_TRY(const RenderSubject subject, RenderSubject::load(options.subject));
  for (const std::string& warning : subject.warnings()) log::warn("{}", warning);
  if ((options.linear || options.compare == "linear") && !subject.has_shells()) {
    return Error(ErrorCode::Usage,
                 fmt::format("{}: '{}' has no shells; flesh is linear as it is",
                             options.linear ? "--linear" : "--compare linear", subject.file()));
  }
  if (options.subject.handles && !subject.has_handles()) {
    return Error(ErrorCode::Usage,
                 fmt::format("--handles: no bone holds a shell of '{}'; leave it out, or bake "
                             "with a [[shell.handle]]",
                             subject.file()));
  }
  if (plan.compare() && !subject.deforms()) {
    return Error(ErrorCode::Usage,
                 fmt::format("--compare undeformed: '{}' has neither flesh nor morph targets",
                             subject.file()));
  }
  SUPPLE_TRY(const std::vector<double> times, plan_times(options, plan, subject));
  SUPPLE_TRY(const FrameMaker maker, FrameMaker::create(subject, plan, options, times));
  if (maker.samples() < options.samples) {
    log::info("{} samples a pixel: {} has no more", maker.samples(),
              maker.context().names().renderer);
  }
  if (plan.video) {
    SUPPLE_TRY_VOID(write_video(maker, times, options, plan));
  } else {
    SUPPLE_TRY_VOID(write_picture(maker, times.front(), options.output));
  }
  RenderReport report;
  report.renderer = maker.context().names().renderer;
  report.samples = maker.samples();
  report.frames = times.size();
  report.from = times.front();
  report.to =
      plan.video ? times.front() + static_cast<double>(times.size()) / options.fps : times.front();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (options.common.json) return print_machine_text(render_json(options, plan, subject, report));
  if (!options.common.quiet) tell(render_text(options, plan, subject, report));
  return {};
}

Command make_render_command(CLI::App& program) {
  CLI::App* parser =
      program.add_subcommand("render", "pictures and video of a character, without a screen");
  auto options = std::make_shared<RenderOptions>();
  add_render_options(*parser, *options);
  parser->footer(
      "Examples:\n"
      "  supple render hero.glb -o hero.png\n"
      "  supple render hero.glb --clip Run --at 0.4 --camera 60,10 -o run.png\n"
      "  supple render hero.glb --motion jump --compare undeformed -o jump.mp4\n"
      "  supple render leaf.glb --gravity 0,-20,0 --compare linear -o leaf.png\n"
      "  supple render leaf.glb --wind 4,0,0,0.5 --handles -o leaf.mp4\n"
      "  supple render hero.supple --character hero.glb --motion walk.bvh --focus belly -o b.webm\n"
      "\nThe GPU is found through EGL; SUPPLE_GPU=software draws on the processor.\n");
  return {parser, [options] {
            apply(options->common);
            return render_file(*options);
          }};
}

}  // namespace supple::app
