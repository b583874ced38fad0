// SPDX-License-Identifier: Apache-2.0
#include "view/session.hpp"

#include "cli/command.hpp"
#include "cli/json.hpp"
#include "cli/report.hpp"
#include "gallery/page_job.hpp"
#include "gallery/site.hpp"
#include "gallery/swim_live.hpp"
#include "view/browser.hpp"

#include "supple/core/interrupt.hpp"
#include "supple/core/log.hpp"
#include "supple/core/version.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>
#include <utility>

namespace supple::app {
namespace {

using namespace std::chrono_literals;

constexpr auto kPoll = 500ms;
constexpr auto kPollStep = 50ms;  // longest delay before Ctrl-C takes effect

Result<void> tell_address(const server::Server& server, const gallery::Gallery& shown,
                          const ViewSettings& settings) {
  if (settings.json) {
    Json json{{"command", "view"},     {"version", version()},   {"address", server.address()},
              {"port", server.port()}, {"items", Json::array()}, {"warnings", warnings_json()}};
    for (const gallery::GalleryItem& item : shown.items) json["items"].push_back(item.id);
    return print_machine_text(json.dump() + "\n");
  }
  // Printed even with --quiet.
  tell(fmt::format("{}\n", server.address()));
  if (!settings.quiet && shown.items.empty()) tell("drop .glb and .supple files onto the page\n");
  return {};
}

/// Notifies pages when more of the gallery is ready.
class ReadyNews {
 public:
  explicit ReadyNews(std::shared_ptr<const gallery::GrowingGallery> shown)
      : m_shown(std::move(shown)) {}

  void poll(server::Server& server, gallery::GalleryWatch& watch) {
    const int version = m_shown->version();
    if (version == m_version) return;
    m_version = version;
    for (const gallery::GalleryItem& item : m_shown->now().items) {
      if (item.baking || !m_ready.insert(item.id).second) continue;
      watch.forget_change(item.character);
      for (const auto& [address, file] : gallery::published_files(item)) watch.forget_change(file);
    }
    server.send_event("gallery", "{}");
  }

 private:
  std::shared_ptr<const gallery::GrowingGallery> m_shown;
  int m_version = 0;
  std::set<std::string> m_ready;
};

void watch_files(server::Server& server, gallery::GalleryWatch& watch, ReadyNews& news) {
  auto next = std::chrono::steady_clock::now() + kPoll;
  while (!interrupted()) {
    std::this_thread::sleep_for(kPollStep);
    news.poll(server, watch);
    if (std::chrono::steady_clock::now() < next) continue;
    next += kPoll;
    for (const std::string& item : watch.poll()) {
      log::info("'{}' changed", item);
      server.send_event("changed", Json{{"id", item}}.dump());
    }
  }
}

}  // namespace

Result<void> serve_gallery(const std::shared_ptr<const gallery::GrowingGallery>& shown,
                           const std::filesystem::path& viewer, const ViewSettings& settings) {
  const auto watch = std::make_shared<gallery::GalleryWatch>();
  const gallery::Gallery now = shown->now();
  const bool swims = std::any_of(now.items.begin(), now.items.end(),
                                 [](const auto& item) { return item.action == "swim"; });
  std::shared_ptr<gallery::SwimLive> swimmer;
  if (swims) {
    SUPPLE_TRY(swimmer, gallery::SwimLive::create(settings.stroke));
  }
  const auto jobs = std::make_shared<gallery::PageJobs>();
  SUPPLE_TRY(server::Site site, gallery::make_site(shown, viewer, watch, swimmer, jobs));
  server::Settings wanted;
  wanted.port = settings.port;
  SUPPLE_TRY(server::Server server, server::Server::start(std::move(site), wanted));
  run_until_interrupted();
  SUPPLE_TRY_VOID(tell_address(server, now, settings));
  const bool opened = settings.browser && open_browser(server.address());
  if (!settings.quiet && !settings.json) {
    tell(opened ? "opened in your browser; press Ctrl-C to stop\n"
                : "open this address in a browser; press Ctrl-C to stop\n");
  }
  if (swimmer) swimmer->start(server);
  ReadyNews news(shown);
  watch_files(server, *watch, news);
  if (swimmer) swimmer->stop();
  jobs->stop();
  server.stop();
  return {};
}

}  // namespace supple::app
