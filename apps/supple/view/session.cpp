// SPDX-License-Identifier: Apache-2.0
#include "view/session.hpp"

#include "cli/command.hpp"
#include "gallery_site.hpp"
#include "swim_live.hpp"
#include "view/browser.hpp"

#include "supple/core/interrupt.hpp"
#include "supple/core/log.hpp"
#include "supple/core/version.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <thread>

namespace supple::app {
namespace {

using Json = nlohmann::ordered_json;
using namespace std::chrono_literals;

constexpr auto kPoll = 500ms;
constexpr auto kPollStep = 50ms;  // how late Ctrl-C may be noticed

Result<void> tell_address(const server::Server& server, const Gallery& gallery,
                          const ViewSettings& settings) {
  if (settings.json) {
    Json json{{"command", "view"},
              {"version", version()},
              {"address", server.address()},
              {"port", server.port()},
              {"items", Json::array()}};
    for (const GalleryItem& item : gallery.items) json["items"].push_back(item.id);
    return print_machine_text(json.dump() + "\n");
  }
  // The one thing that even --quiet cannot leave out.
  tell(fmt::format("{}\n", server.address()));
  if (!settings.quiet && gallery.items.empty()) tell("drop .glb and .supple files onto the page\n");
  return {};
}

void watch_files(server::Server& server, GalleryWatch& watch) {
  auto next = std::chrono::steady_clock::now() + kPoll;
  while (!interrupted()) {
    std::this_thread::sleep_for(kPollStep);
    if (std::chrono::steady_clock::now() < next) continue;
    next += kPoll;
    for (const std::string& item : watch.poll()) {
      log::info("'{}' changed", item);
      server.send_event("changed", Json{{"id", item}}.dump());
    }
  }
}

}  // namespace

Result<void> serve_gallery(const Gallery& gallery, const std::filesystem::path& viewer,
                           const ViewSettings& settings) {
  const auto watch = std::make_shared<GalleryWatch>();
  const bool swims = std::any_of(gallery.items.begin(), gallery.items.end(),
                                 [](const GalleryItem& item) { return item.action == "swim"; });
  std::shared_ptr<SwimLive> swimmer;
  if (swims) {
    SUPPLE_TRY(swimmer, SwimLive::create(settings.stroke));
  }
  SUPPLE_TRY(server::Site site, make_site(gallery, viewer, watch, swimmer));
  server::Settings wanted;
  wanted.port = settings.port;
  SUPPLE_TRY(server::Server server, server::Server::start(std::move(site), wanted));
  SUPPLE_TRY_VOID(tell_address(server, gallery, settings));
  const bool opened = settings.browser && open_browser(server.address());
  if (!settings.quiet && !settings.json) {
    tell(opened ? "shown in your browser; Ctrl-C ends\n"
                : "open this address in a browser; Ctrl-C ends\n");
  }
  if (swimmer) swimmer->start(server);
  watch_files(server, *watch);
  if (swimmer) swimmer->stop();
  server.stop();
  return {};
}

}  // namespace supple::app
