// SPDX-License-Identifier: Apache-2.0
#include "supple/pictures/render_job.hpp"

#include "pictures/caption.hpp"

#include "supple/core/files.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/core/log.hpp"
#include "supple/core/progress.hpp"
#include "supple/pictures/framing.hpp"
#include "supple/pictures/studio.hpp"
#include "supple/render/video.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <memory>

namespace supple::pictures {
namespace {

Error wrong_request(std::string message) {
  return {ErrorCode::Usage, std::move(message)};
}

bool is_webm(const RenderRequest& request) {
  return std::filesystem::path(request.output).extension() == ".webm";
}

bool shows(const RenderRequest& request, Deformation deformation) {
  return std::ranges::find(request.shown, deformation) != request.shown.end();
}

Result<void> check_moment(const Subject& subject, const char* what, double time) {
  constexpr double kRounding = 1e-6;  // a duration copied from a printed line
  const double duration = subject.duration();
  if (time >= 0 && (time <= duration + kRounding || (subject.loops() && std::isfinite(time)))) {
    return {};
  }
  return wrong_request(
      duration > 0
          ? fmt::format("{} {:g} s: '{}' lasts from 0 to {:.6g} s", what, time,
                        subject.motion_name(), duration)
          : fmt::format("{} {:g} s: there is no motion; choose a clip or a motion", what, time));
}

/// The times to show.
Result<std::vector<double>> plan_times(const RenderRequest& request, const Subject& subject) {
  const double duration = subject.duration();
  if (!request.video()) {
    const double time = request.at.value_or(subject.liveliest_time());
    SUPPLE_TRY_VOID(check_moment(subject, "at", time));
    return std::vector<double>{time};
  }
  const double from = request.from.value_or(0);
  SUPPLE_TRY_VOID(check_moment(subject, "from", from));
  constexpr double kAboutFourSeconds = 4;
  const double rounds =
      subject.loops() ? std::max(1.0, std::round(kAboutFourSeconds / duration)) : 1.0;
  const double to =
      request.to.value_or(from < duration ? rounds * duration : from + rounds * duration);
  SUPPLE_TRY_VOID(check_moment(subject, "to", to));
  if (!(to > from)) {
    return wrong_request(fmt::format("the end, {:g} s, must be after the start, {:g} s", to, from));
  }
  constexpr double kMostFrames = 100000;
  const double count = std::max(1.0, std::round((to - from) * request.fps));
  if (count > kMostFrames) {
    return wrong_request(fmt::format(
        "{:g} frames are more than the limit of {:g}: end earlier, or draw fewer frames per second",
        count, kMostFrames));
  }
  std::vector<double> times(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < times.size(); ++i) {
    times[i] = std::min(to, from + static_cast<double>(i) / request.fps);
  }
  return times;
}

/// Requests that would have no visible effect are errors.
Result<void> check_subject(const RenderRequest& request, const Subject& subject) {
  if (shows(request, Deformation::Linear) && !subject.has_shells()) {
    return wrong_request(fmt::format(
        "'{}' has no shells to show by linear modes; flesh is linear anyway", subject.file()));
  }
  if (request.subject.handles && !subject.has_handles()) {
    return wrong_request(fmt::format(
        "no bone holds a shell of '{}': omit the handles, or bake with a [[shell.handle]]",
        subject.file()));
  }
  if (request.shown.size() > 1 && !subject.deforms()) {
    return wrong_request(
        fmt::format("'{}' has neither soft parts nor morph targets: there is nothing to compare",
                    subject.file()));
  }
  return {};
}

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

std::string_view frame_caption(const Subject& subject, Deformation shown) {
  switch (shown) {
    case Deformation::None:
      return subject.has_flesh() ? "bones alone" : "rigid";
    case Deformation::Linear:
      return "linear modes";
    case Deformation::Full:
      break;
  }
  if (subject.has_scene()) return "scene";
  if (!subject.has_shells()) return "with flesh";
  return subject.has_flesh() ? "with flesh and shells" : "warped shells";
}

bool is_dark(const render::Backdrop& backdrop) {
  return backdrop.kind == render::Backdrop::Kind::Dark ||
         (backdrop.kind == render::Backdrop::Kind::Colour && backdrop.colour.mean() < 0.2);
}

/// Draws the frames one after another.
class FrameMaker {
 public:
  static Result<FrameMaker> create(const Subject& subject, const RenderRequest& request,
                                   const std::vector<double>& times) {
    const bool compares = request.shown.size() > 1;
    const int width = compares ? request.width / 2 : request.width;
    FramingSettings framing;
    framing.direction = subject.from_front(request.direction);
    framing.distance = request.distance;
    framing.shown = request.shown;
    framing.aspect = static_cast<double>(width) / request.height;
    if (!request.focus.empty()) {
      SUPPLE_TRY(framing.focus, subject.find_object(request.focus));
    }
    SUPPLE_TRY(Studio studio, Studio::create());
    SUPPLE_TRY(render::DrawnAsset scene, studio.make_scene(subject));
    FrameMaker maker{std::move(studio), std::move(scene), Framing(subject, times, framing)};
    maker.m_subject = &subject;
    maker.m_shown = request.shown;
    render::RendererSettings settings;
    settings.width = width;
    settings.height = request.height;
    settings.samples = request.samples;
    settings.look.backdrop = request.backdrop;
    SUPPLE_TRY(maker.m_renderer, maker.m_studio.renderer(settings));
    if (!compares) return maker;
    for (const Deformation shown : request.shown) {
      SUPPLE_TRY(Caption caption, Caption::create(frame_caption(subject, shown), width,
                                                  request.height, is_dark(request.backdrop)));
      maker.m_captions.push_back(std::move(caption));
    }
    return maker;
  }

  [[nodiscard]] Result<io::Image> frame(double time) {
    const double now = m_subject->wrapped(time);
    const render::View view = m_framing.view(time);
    const auto draw = [&](Deformation shown) {
      m_scene.show(m_subject->moment(now, shown));
      return m_renderer->draw(m_scene, view);
    };
    if (m_shown.size() == 1) return draw(m_shown.front());
    SUPPLE_TRY(const io::Image left, draw(m_shown[0]));
    SUPPLE_TRY(const io::Image right, draw(m_shown[1]));
    io::Image both = side_by_side(left, right);
    m_captions[0].lay_over(both, 0);
    m_captions[1].lay_over(both, left.width);
    return both;
  }

  [[nodiscard]] const std::string& gpu_name() const { return m_studio.context().names().renderer; }
  [[nodiscard]] int samples() const { return m_renderer->samples(); }

 private:
  FrameMaker(Studio studio, render::DrawnAsset scene, Framing framing)
      : m_studio(std::move(studio)), m_scene(std::move(scene)), m_framing(std::move(framing)) {}

  // In this order: a scene is destroyed before its context.
  Studio m_studio;
  render::DrawnAsset m_scene;
  Framing m_framing;
  render::Renderer* m_renderer = nullptr;  ///< the studio's
  const Subject* m_subject = nullptr;
  std::vector<Deformation> m_shown;
  std::vector<Caption> m_captions;
};

Result<void> write_picture(FrameMaker& maker, double time, const std::string& path) {
  SUPPLE_TRY(const io::Image picture, maker.frame(time));
  SUPPLE_TRY(const Bytes png, io::write_png(picture));
  SUPPLE_TRY_VOID(check_interrupt());
  return write_file(path, png);
}

Result<void> write_video(FrameMaker& maker, const std::vector<double>& times,
                         const RenderRequest& request) {
  render::VideoSettings settings;
  settings.width = request.width;
  settings.height = request.height;
  settings.fps = request.fps;
  settings.codec =
      is_webm(request) ? render::VideoSettings::Codec::Vp9 : render::VideoSettings::Codec::H264;
  SUPPLE_TRY(render::VideoWriter video, render::VideoWriter::start(request.output, settings));
  Progress progress("rendering", static_cast<double>(times.size()));
  for (const double time : times) {
    SUPPLE_TRY_VOID(check_interrupt());
    SUPPLE_TRY(const io::Image picture, maker.frame(time));
    SUPPLE_TRY_VOID(video.add(picture));
    progress.advance();
  }
  return video.finish();
}

RenderReport report_on(const Subject& subject, const FrameMaker& maker) {
  RenderReport report;
  report.renderer = maker.gpu_name();
  report.samples = maker.samples();
  report.motion = subject.motion_name();
  report.duration = subject.duration();
  report.loops = subject.loops();
  if (subject.soft() != nullptr) report.soft = subject.soft()->name();
  report.has_flesh = subject.has_flesh();
  report.has_shells = subject.has_shells();
  report.has_scene = subject.has_scene();
  report.warnings = subject.warnings();
  return report;
}

/// Fills in settings that depend on the rest of a request.
void complete(RenderRequest& request) {
  request.subject.needs_motion = request.video();
  request.subject.wants_clip = request.at.has_value();
  request.subject.live = shows(request, Deformation::Linear) || request.shown.size() > 1 ||
                         request.subject.handles || !request.focus.empty() ||
                         request.subject.gain != 1;
  // A step rate that is a multiple of the frame rate and not below the player's minimum.
  constexpr double kRate = 60;
  request.subject.motion.rate = request.fps * std::max(1.0, std::ceil(kRate / request.fps));
}

}  // namespace

bool RenderRequest::video() const {
  const std::filesystem::path extension = std::filesystem::path(output).extension();
  return extension == ".mp4" || extension == ".webm";
}

Result<RenderReport> render_file(RenderRequest request) {
  const auto start = std::chrono::steady_clock::now();
  complete(request);
  SUPPLE_TRY(const Subject subject, Subject::load(request.subject));
  for (const std::string& warning : subject.warnings()) log::warn("{}", warning);
  SUPPLE_TRY_VOID(check_subject(request, subject));
  SUPPLE_TRY(const std::vector<double> times, plan_times(request, subject));
  SUPPLE_TRY(FrameMaker maker, FrameMaker::create(subject, request, times));
  if (maker.samples() < request.samples) {
    log::info("{} samples per pixel: {} supports no more", maker.samples(), maker.gpu_name());
  }
  if (request.video()) {
    SUPPLE_TRY_VOID(write_video(maker, times, request));
  } else {
    SUPPLE_TRY_VOID(write_picture(maker, times.front(), request.output));
  }
  RenderReport report = report_on(subject, maker);
  report.frames = times.size();
  report.from = times.front();
  report.to = request.video() ? times.front() + static_cast<double>(times.size()) / request.fps
                              : times.front();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace supple::pictures
