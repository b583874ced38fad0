// SPDX-License-Identifier: Apache-2.0
#include "gallery/bake.hpp"

#include "experiments/shell_comparison.hpp"
#include "gallery/cache.hpp"
#include "gallery/steps.hpp"
#include "gallery/swim_live_item.hpp"
#include "samples/characters.hpp"
#include "samples/requests.hpp"
#include "samples/scenes.hpp"
#include "samples/shell_samples.hpp"
#include "samples/simulations.hpp"

#include "supple/bake/modes.hpp"
#include "supple/bake/scene.hpp"
#include "supple/bake/swim_stroke.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/core/log.hpp"
#include "supple/core/output.hpp"
#include "supple/core/suggest.hpp"
#include "supple/core/version.hpp"
#include "supple/pictures/modes_files.hpp"
#include "supple/pictures/render_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace supple::gallery {
namespace {

namespace fs = std::filesystem;

constexpr int kSolidModes = 8;
/// Seconds for a picture and for a video on a software rasteriser with two cores.
constexpr double kPictureSeconds = 3;
constexpr double kVideoSeconds = 40;
/// Raise it when pictures of the same file change.
constexpr int kLook = 1;

/// Shown side by side with the full deformation: only bones, or shells without warping.
std::vector<pictures::Deformation> shown_by(const std::string& compare) {
  using enum pictures::Deformation;
  if (compare == "undeformed") return {None, Full};
  if (compare == "linear") return {Linear, Full};
  return {Full};
}

/// One sample being made for the gallery.
class SampleMaker {
 public:
  SampleMaker(const SampleCard& card, const GalleryBakeSettings& settings)
      : m_card(card), m_settings(settings), m_cache(settings.directory / ".cache") {}

  /// Determines the inputs of every file to be made.
  [[nodiscard]] Result<void> prepare() {
    Hasher hasher;
    hasher.add(version()).add(m_card.id).add(m_settings.elements.value_or(0));
    if (has_settings()) {
      SUPPLE_TRY(const std::string toml, settings_text());
      hasher.add(toml);
    }
    if (m_card.kind == SampleCard::Kind::Simulation) {
      SUPPLE_TRY(const bake::SimulationModel scene,
                 samples::simulation_model(m_card.id, samples::SampleSize::Small));
      hasher.add(scene.toml);
    }
    if (m_card.kind == SampleCard::Kind::Scene) {
      SUPPLE_TRY(const bake::SimulationModel scene,
                 samples::scene_model(m_card.scene, samples::SampleSize::Small));
      hasher.add(scene.toml);
    }
    if (m_card.stroke) {
      SUPPLE_TRY(const bake::SwimStroke stroke, bake::load_swim_stroke(*m_card.stroke));
      add_stroke(hasher, stroke);
    }
    m_key = hasher.finish();
    const auto& camera = m_card.camera;
    m_picture_key = Hasher()
                        .add(m_key.hex())
                        .add(kLook)
                        .add(camera)
                        .add(m_card.clip)
                        .add(m_card.picture_at)
                        .finish();
    m_video_key = Hasher()
                      .add(m_picture_key.hex())
                      .add(m_card.compare)
                      .add(m_card.video_from)
                      .add(m_card.video_to)
                      .finish();
    return {};
  }

  void plan(GallerySteps& steps) const {
    if (!is_baked()) steps.plan(m_card.seconds);
    if (wants_picture()) steps.plan(kPictureSeconds);
    if (wants_video()) steps.plan(kVideoSeconds);
  }

  [[nodiscard]] Result<GalleryItem> make(GallerySteps& steps) {
    if (!is_baked()) {
      steps.begin(fmt::format("{}: baking", m_card.id), m_card.seconds);
      SUPPLE_TRY_VOID(bake());
    }
    if (wants_picture()) {
      steps.begin(fmt::format("{}: picture", m_card.id), kPictureSeconds);
      SUPPLE_TRY_VOID(draw(file(".png"), m_picture_key, false));
    }
    if (wants_video()) {
      steps.begin(fmt::format("{}: video", m_card.id), kVideoSeconds);
      SUPPLE_TRY_VOID(draw(file(".mp4"), m_video_key, true));
    }
    return item();
  }

  /// The files that exist or will exist.
  [[nodiscard]] GalleryItem item(bool baking = false) const {
    GalleryItem item;
    item.baking = baking;
    item.id = m_card.id;
    item.title = m_card.title;
    item.about = m_card.about;
    item.hint = m_card.hint;
    if (m_card.action != "poke") item.clip = m_card.clip;  // items to poke do not move
    item.action = m_card.action;
    item.character = file(".glb");
    const auto add = [&](fs::path& member, const char* extension) {
      if (baking || fs::exists(file(extension))) member = file(extension);
    };
    add(item.picture, ".png");
    add(item.video, ".mp4");
    if (has_settings()) {
      add(item.flesh, ".supple");
      add(item.settings, settings_ending());
    }
    if (m_card.kind == SampleCard::Kind::Scene) add(item.flesh, ".supple");
    if (m_card.comparison) add(item.comparison, ".comparison.json");
    return item;
  }

  /// Estimated seconds of remaining work.
  [[nodiscard]] double cost() const {
    return (is_baked() ? 0 : m_card.seconds) + (wants_picture() ? kPictureSeconds : 0) +
           (wants_video() ? kVideoSeconds : 0);
  }

 private:
  [[nodiscard]] fs::path file(const char* extension) const {
    return m_settings.directory / (m_card.id + extension);
  }

  [[nodiscard]] bool has_settings() const {
    return m_card.kind == SampleCard::Kind::Character || m_card.kind == SampleCard::Kind::Shell;
  }
  [[nodiscard]] bool is_baked() const {
    return m_cache.has(file(".glb"), m_key) &&
           (!m_card.comparison || fs::exists(file(".comparison.json")));
  }
  [[nodiscard]] bool wants_picture() const {
    return m_settings.pictures && !m_cache.has(file(".png"), m_picture_key);
  }
  [[nodiscard]] bool wants_video() const {
    return m_settings.videos && !m_cache.has(file(".mp4"), m_video_key);
  }

  /// The settings changed by the user, or the sample's own.
  [[nodiscard]] Result<std::string> settings_text() {
    const fs::path path = settings_file();
    if (fs::exists(path) && m_cache.changed(path)) {
      log::info("{}: using the settings in {}; delete that file to use the original ones",
                m_card.id, path.string());
      m_config = path.string();
      SUPPLE_TRY(const Bytes bytes, read_file(path));
      return std::string(as_text(bytes));
    }
    return m_card.kind == SampleCard::Kind::Shell ? samples::shell_sample_settings(m_card.id)
                                                  : samples::character_sample_settings(m_card.id);
  }

  [[nodiscard]] const char* settings_ending() const {
    return m_card.kind == SampleCard::Kind::Shell ? ".shell.toml" : ".bake.toml";
  }
  [[nodiscard]] fs::path settings_file() const { return file(settings_ending()); }

  [[nodiscard]] Result<void> bake() {
    switch (m_card.kind) {
      case SampleCard::Kind::Character:
        SUPPLE_TRY_VOID(bake_character());
        break;
      case SampleCard::Kind::Solid:
        SUPPLE_TRY_VOID(solve_solid());
        break;
      case SampleCard::Kind::Shell:
        SUPPLE_TRY_VOID(bake_shells());
        break;
      case SampleCard::Kind::Simulation:
        SUPPLE_TRY_VOID(simulate());
        break;
      case SampleCard::Kind::Scene:
        SUPPLE_TRY_VOID(sample_scene());
        break;
      case SampleCard::Kind::Swimmer:
        SUPPLE_TRY_VOID(record_swim_clip(m_card.stroke.value_or(""), file(".glb")));
        break;
    }
    return m_cache.keep(file(".glb"), m_key);
  }

  [[nodiscard]] Result<void> bake_shells() {
    bake::ShellRequest request;
    SUPPLE_TRY(request.model, samples::shell_model(m_card.id));
    request.config = m_config;
    request.output = file(".glb").string();
    if (m_config.empty()) request.write_config = settings_file().string();
    OutputSet output;
    SUPPLE_TRY(const bake::ShellRun run, bake::bake_shells(request, output));
    SUPPLE_TRY_VOID(output.commit());
    if (m_card.comparison) SUPPLE_TRY_VOID(compare(run));
    if (!m_config.empty()) return {};
    return m_cache.keep(request.write_config, m_key);
  }

  [[nodiscard]] Result<void> simulate() const {
    bake::SimulateRequest request;
    SUPPLE_TRY(request.model, samples::simulation_model(m_card.id, samples::SampleSize::Small));
    request.outputs = {file(".glb").string()};
    request.work = (m_settings.directory / ".cache" / (m_card.id + ".work")).string();
    request.resume = true;  // a demo that is stopped goes on the next time
    OutputSet output;
    SUPPLE_TRY_VOID(bake::simulate(request, output));
    SUPPLE_TRY_VOID(output.commit());
    bake::remove_checkpoint(request);
    return {};
  }

  /// What a stopped demo has sampled is used the next time.
  [[nodiscard]] Result<void> sample_scene() const {
    bake::SceneRequest request;
    SUPPLE_TRY(request.model, samples::scene_model(m_card.scene, samples::SampleSize::Small));
    request.output = file(".glb").string();
    request.work = (m_settings.directory / ".cache" / (m_card.id + ".work")).string();
    OutputSet output;
    SUPPLE_TRY_VOID(bake::bake_scene(request, output));
    SUPPLE_TRY_VOID(output.commit());
    bake::remove_samples(request);
    return {};
  }

  /// The first shell computed with all methods, under the loads of the viewer's slider.
  [[nodiscard]] Result<void> compare(const bake::ShellRun& run) const {
    const bake::PreparedShell& shell = run.scene.shells.front();
    SUPPLE_TRY(const fem::DiscreteShell nonlinear, fem::DiscreteShell::create(shell.model));
    SUPPLE_TRY(
        const experiments::ShellComparison compared,
        experiments::compare_shell(nonlinear, run.objects.front(), experiments::viewer_loads(),
                                   experiments::down_in_frame(shell)));
    return write_file(file(".comparison.json"), experiments::comparison_json(compared, shell));
  }

  [[nodiscard]] Result<void> bake_character() {
    bake::BakeRequest request;
    SUPPLE_TRY(request.model, samples::character_model(m_card.id));
    request.config = m_config;
    request.elements = m_settings.elements;
    request.output = file(".glb").string();
    request.work = (m_settings.directory / ".cache").string();
    if (m_config.empty()) request.write_config = settings_file().string();
    OutputSet output;
    SUPPLE_TRY_VOID(bake::bake_character(request, output));
    SUPPLE_TRY_VOID(output.commit());
    if (!m_config.empty()) return {};
    return m_cache.keep(request.write_config, m_key);
  }

  [[nodiscard]] Result<void> solve_solid() const {
    bake::ModesRequest request;
    SUPPLE_TRY(request.model.maker, samples::solid_maker(m_card.id));
    request.model.elements = m_settings.elements;
    request.count = kSolidModes;
    SUPPLE_TRY(const bake::ModesRun run, bake::solve_modes(request));
    const std::string prefix = file("").string();
    OutputSet output;
    SUPPLE_TRY_VOID(pictures::stage_modes({prefix, {"vtu", "glb", "txt"}}, run, output));
    const pictures::ModesFiles picture{prefix + "_modes", {"png"}};
    SUPPLE_TRY_VOID(or_left_out(picture.path("png"), pictures::stage_modes(picture, run, output)));
    return output.commit();
  }

  /// A picture that cannot be drawn is only a warning: there may be no GPU.
  [[nodiscard]] static Result<void> or_left_out(const fs::path& output, Result<void> drawn) {
    if (drawn.ok() || drawn.error().code() == ErrorCode::Interrupted) return drawn;
    log::warn("skipping {}: {}", output.string(), drawn.error().describe());
    return {};
  }

  [[nodiscard]] Result<void> draw(const fs::path& output, const Hash& key, bool video) {
    pictures::RenderRequest request;
    request.subject.file = file(".glb").string();
    // A scene is drawn by its clips: at rest, as its file begins, nothing would move.
    if (m_card.kind != SampleCard::Kind::Scene) pictures::take_soft_beside(request.subject);
    request.subject.clip = m_card.clip.empty() ? "1" : m_card.clip;
    request.output = output.string();
    request.direction = {m_card.camera[0], m_card.camera[1]};
    request.distance = m_card.camera[2];
    request.width = video ? 800 : 960;  // the aspect ratio of a card
    request.height = video ? 500 : 600;
    if (!video) request.at = m_card.picture_at;
    if (video) {
      request.shown = shown_by(m_card.compare);
      request.fps = 24;
      request.from = m_card.video_from;
      request.to = m_card.video_to;
    }
    const auto report = pictures::render_file(request);
    Result<void> drawn = report.ok() ? Result<void>() : Result<void>(report.error());
    return drawn.ok() ? m_cache.keep(output, key) : or_left_out(output, std::move(drawn));
  }

  const SampleCard& m_card;
  const GalleryBakeSettings& m_settings;
  GalleryCache m_cache;
  std::string m_config;  ///< the user's settings
  Hash m_key;
  Hash m_picture_key;
  Hash m_video_key;
};

Result<std::vector<SampleMaker>> choose(const GalleryBakeSettings& settings) {
  std::vector<std::string> names;
  std::vector<SampleMaker> makers;
  names.reserve(sample_cards().size());
  makers.reserve(sample_cards().size());
  for (const SampleCard& card : sample_cards()) {
    names.push_back(card.id);
    const auto& only = settings.only;
    if (only.empty() || std::find(only.begin(), only.end(), card.id) != only.end()) {
      makers.emplace_back(card, settings);
    }
  }
  for (const std::string& name : settings.only) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    return Error(ErrorCode::Usage, fmt::format("unknown sample '{}'{}; available: {}", name,
                                               did_you_mean(name, names), fmt::join(names, ", ")));
  }
  return makers;
}

std::vector<std::size_t> quick_first(const std::vector<SampleMaker>& makers) {
  std::vector<std::size_t> order(makers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return makers[a].cost() < makers[b].cost();
  });
  return order;
}

/// gallery.json with paths relative to its own directory.
Result<void> write_gallery(Gallery gallery, const fs::path& directory) {
  for (GalleryItem& item : gallery.items) {
    for (fs::path* path : {&item.character, &item.flesh, &item.settings, &item.comparison,
                           &item.picture, &item.video}) {
      *path = path->filename();
    }
  }
  return write_file(directory / kGalleryFile, write_manifest(gallery));
}

/// The gallery's folders, of which a run that fails before its first sample is complete removes
/// those it made. Complete samples stay: they are used again. So does what an interrupted run has
/// made.
class GalleryFolders {
 public:
  [[nodiscard]] Result<void> make(const fs::path& directory) {
    std::error_code ignored;
    for (const fs::path& folder : {directory, directory / ".cache"}) {
      if (!m_fresh.empty() || fs::exists(folder, ignored)) continue;
      m_fresh = folder;
    }
    return m_made.make_directory(directory);
  }

  [[nodiscard]] Result<void> keep() {
    m_fresh.clear();
    return m_made.commit();
  }

  void remove() const {
    std::error_code ignored;
    if (!m_fresh.empty()) fs::remove_all(m_fresh, ignored);
  }

 private:
  OutputSet m_made;
  fs::path m_fresh;  ///< the outermost that was not there; empty: none
};

Result<Gallery> make_gallery(std::vector<SampleMaker>& makers, GalleryFolders& folders,
                             const std::function<void(const Gallery&)>& told) {
  GallerySteps steps;
  for (SampleMaker& maker : makers) {
    SUPPLE_TRY_VOID(maker.prepare());
    maker.plan(steps);
  }
  Gallery gallery;
  gallery.title = "Supple";
  gallery.first_page = true;
  for (const SampleMaker& maker : makers) gallery.items.push_back(maker.item(maker.cost() > 0));
  if (told) told(gallery);
  for (const std::size_t m : quick_first(makers)) {
    SUPPLE_TRY_VOID(check_interrupt());
    SUPPLE_TRY(gallery.items[m], makers[m].make(steps));
    SUPPLE_TRY_VOID(folders.keep());
    if (told) told(gallery);
  }
  steps.finish();
  return gallery;
}

}  // namespace

Result<Gallery> bake_gallery(const GalleryBakeSettings& settings,
                             const std::function<void(const Gallery&)>& told) {
  SUPPLE_TRY(std::vector<SampleMaker> makers, choose(settings));
  GalleryFolders folders;
  SUPPLE_TRY_VOID(folders.make(settings.directory));
  Result<Gallery> gallery = make_gallery(makers, folders, told);
  if (gallery.ok()) {
    SUPPLE_TRY_VOID(write_gallery(*gallery, settings.directory));
  } else if (gallery.error().code() == ErrorCode::Interrupted) {
    SUPPLE_TRY_VOID(folders.keep());
  } else {
    folders.remove();
  }
  return gallery;
}

}  // namespace supple::gallery
