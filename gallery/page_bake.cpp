// SPDX-License-Identifier: Apache-2.0
#include "gallery/page_bake.hpp"

#include "gallery/settings_edit.hpp"

#include "supple/bake/bake_character.hpp"
#include "supple/bake/bake_shells.hpp"
#include "supple/bake/output_names.hpp"
#include "supple/core/files.hpp"
#include "supple/core/log.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <exception>
#include <functional>
#include <new>
#include <utility>

namespace supple::gallery {
namespace {

namespace fs = std::filesystem;
using server::Answer;
using server::Call;
using BakeJson = nlohmann::ordered_json;

constexpr std::size_t kLongestFileName = 255;
constexpr std::size_t kLongestBakeLine = 1 << 20;  ///< JSON with settings; the file comes after it
constexpr std::chrono::minutes kUploadTime{2};

Answer bake_refusal(int status, std::string_view why) {
  return {status, "text/plain; charset=utf-8", fmt::format("{}: {}\n", status, why)};
}

Answer bake_answer(const BakeJson& json) {
  return {200, "application/json", json.dump(-1, ' ', false, BakeJson::error_handler_t::replace)};
}

Result<std::string> file_name(const nlohmann::json& value, std::string_view key) {
  const std::string name = value.is_string() ? value.get<std::string>() : std::string();
  if (name.empty() || name.size() > kLongestFileName) {
    return bad_input(fmt::format("'{}' must be the name of a file", key));
  }
  return name;
}

/// {"name": ..., "text": ...}, checked now: the page learns at once that it is wrong.
Result<std::string> page_settings(const nlohmann::json& value, bake::BakeCommand command) {
  if (value.is_null()) return std::string();
  if (!value.is_object() || !value.contains("name") || !value.contains("text") ||
      !value["text"].is_string()) {
    return bad_input("'settings' must be null or an object with 'name' and 'text' of a .toml");
  }
  SUPPLE_TRY(const std::string name, file_name(value["name"], "settings.name"));
  auto text = value["text"].get<std::string>();
  SUPPLE_TRY_VOID(settings_values(command, text, name));
  return text;
}

using TellParts = std::function<void(std::vector<BakePart>)>;

/// Bakes a rigged character; returns the warnings.
Result<std::vector<std::string>> bake_flesh(const PageBakeRequest& asked, io::GltfAsset asset,
                                            const fs::path& file, const TellParts& tell_parts) {
  bake::BakeRequest request;
  request.model.emplace();
  request.model->title = asked.name;
  request.model->asset = std::move(asset);
  request.model->bake_toml = asked.settings;
  request.output = file.string();
  SUPPLE_TRY_VOID(bake::check(request));
  SUPPLE_TRY(bake::BakeInput input, bake::read_bake(request));
  std::vector<BakePart> parts;
  parts.reserve(input.settings.objects.size());
  for (const flesh::ObjectSettings& object : input.settings.objects) {
    parts.push_back({object.name, static_cast<double>(object.elements)});
  }
  tell_parts(std::move(parts));
  OutputSet output;
  SUPPLE_TRY(bake::BakeRun run, bake::bake_character(std::move(input), request, output));
  SUPPLE_TRY_VOID(output.commit());
  return std::move(run.warnings);
}

/// Bakes a thin mesh; returns the warnings.
Result<std::vector<std::string>> bake_thin(const PageBakeRequest& asked, io::GltfAsset asset,
                                           const fs::path& file) {
  bake::ShellRequest request;
  request.model.emplace();
  request.model->title = asked.name;
  request.model->asset = std::move(asset);
  request.model->shell_toml = asked.settings;
  request.output = file.string();
  OutputSet output;
  SUPPLE_TRY(bake::ShellRun run, bake::bake_shells(request, output));
  SUPPLE_TRY_VOID(output.commit());
  return std::move(run.warnings);
}

Result<std::vector<std::string>> bake_upload(const PageBakeRequest& asked, const fs::path& file,
                                             const TellParts& tell_parts) {
  try {
    SUPPLE_TRY(io::GltfAsset asset, io::read_gltf(as_bytes(asked.bytes), asked.name));
    if (asked.command == bake::BakeCommand::Shell) return bake_thin(asked, std::move(asset), file);
    return bake_flesh(asked, std::move(asset), file, tell_parts);
  } catch (const std::bad_alloc&) {
    return bad_input(
        "not enough memory for this file; close other programs, or bake with fewer "
        "elements");
  } catch (const std::exception& failure) {  // ends this bake, not the server
    return bad_input(failure.what());
  }
}

}  // namespace

Result<PageBakeRequest> parse_page_bake(std::string_view body) {
  const std::size_t end = body.substr(0, kLongestBakeLine).find('\n');
  const auto json = end == std::string_view::npos
                        ? nlohmann::json()
                        : nlohmann::json::parse(body.substr(0, end), nullptr, false);
  if (!json.is_object()) {
    return bad_input(
        "the request must begin with a line of JSON: an object with 'command', 'name' "
        "and 'settings'");
  }
  for (const auto& [key, value] : json.items()) {
    if (key == "command" || key == "name" || key == "settings") continue;
    return bad_input(fmt::format("unknown key '{}'; use 'command', 'name' and 'settings'",
                                 key.substr(0, kLongestFileName)));
  }
  PageBakeRequest request;
  const auto command = json.value("command", nlohmann::json());
  const auto found =
      command.is_string() ? bake::find_command(command.get<std::string>()) : std::nullopt;
  if (!found) return bad_input("'command' must be \"bake\" or \"shell\"");
  request.command = *found;
  SUPPLE_TRY(request.name, file_name(json.value("name", nlohmann::json()), "name"));
  SUPPLE_TRY(request.settings,
             page_settings(json.value("settings", nlohmann::json()), request.command));
  request.bytes = body.substr(end + 1);
  if (request.bytes.empty()) return bad_input(fmt::format("'{}' is empty", request.name));
  return request;
}

PageBakes::PageBakes(std::chrono::milliseconds patience) : m_patience(patience) {}

void PageBakes::add_to(server::Site& site, const std::shared_ptr<PageBakes>& bakes) {
  const std::string below = fmt::format("{}/", kBakeAddress);
  site.handlers.push_back({"POST", kBakeAddress,
                           [bakes](const Call& call) { return bakes->begin(call); }, kMostBakeBytes,
                           kUploadTime});
  site.handlers.push_back({"GET", below, [bakes](const Call& call) { return bakes->ask(call); }});
  site.handlers.push_back(
      {"DELETE", below, [bakes](const Call& call) { return bakes->cancel(call); }});
}

void PageBakes::stop() {
  std::thread thread;
  {
    const std::scoped_lock lock(m_mutex);
    m_stopping = true;
    if (m_bake) m_bake->job->cancel();
    thread = std::move(m_thread);
  }
  if (thread.joinable()) thread.join();
}

Answer PageBakes::begin(const Call& call) {
  if (!call.rest.empty()) return bake_refusal(404, "no such call");
  const std::scoped_lock lock(m_mutex);
  if (m_stopping) return bake_refusal(503, "the server is stopping");
  if (m_bake && m_bake->state == State::Running) {
    const int percent = static_cast<int>(100 * m_bake->progress.look(Clock::now()).done);
    return bake_refusal(
        409, fmt::format("'{}' is being baked ({} % done); wait for its end, or cancel it in its "
                         "page",
                         m_bake->request.name, percent));
  }
  auto request = parse_page_bake(call.body);
  if (!request.ok()) return bake_refusal(400, request.error().describe());
  if (auto ready = prepare(*std::move(request)); !ready.ok()) {
    return bake_refusal(500, ready.error().describe());
  }
  log::info("baking '{}' for a page", m_bake->request.name);
  m_thread = std::thread([this, bake = m_bake.get()] { run(*bake); });
  return bake_answer({{"id", m_bake->id}});
}

Result<void> PageBakes::prepare(PageBakeRequest request) {
  if (m_thread.joinable()) m_thread.join();  // its bake has ended
  SUPPLE_TRY(const fs::path folder, m_folder.make("supple-bake"));
  auto bake = std::make_unique<Bake>();
  SUPPLE_TRY(bake->id, server::make_token());
  bake->request = std::move(request);
  bake->output = folder / fmt::format("{}.glb", bake->id.substr(0, 8));
  bake->asked = Clock::now();
  bake->job.emplace([this, raw = bake.get()](const ProgressState& state) { advance(*raw, state); });
  if (m_bake) {
    std::error_code ignored;
    fs::remove(m_bake->output, ignored);
    fs::remove(bake::supple_path(m_bake->output.string()), ignored);
  }
  m_bake = std::move(bake);
  return {};
}

void PageBakes::run(Bake& bake) {
  const JobScope scope(&*bake.job);
  auto warnings = bake_upload(bake.request, bake.output, [&](std::vector<BakePart> parts) {
    const std::scoped_lock lock(m_mutex);
    bake.progress.set_parts(std::move(parts));
  });
  const std::scoped_lock lock(m_mutex);
  bake.request.bytes = std::string();  // frees the memory
  if (warnings.ok()) {
    bake.state = State::Done;
    bake.warnings = *std::move(warnings);
    log::info("'{}' is baked", bake.request.name);
  } else if (bake.job->cancelled()) {
    bake.state = State::Cancelled;
    log::info("the bake of '{}' was cancelled", bake.request.name);
  } else {
    bake.state = State::Failed;
    bake.error = warnings.error().describe();
    log::warn("{}", bake.error);
  }
}

void PageBakes::advance(Bake& bake, const ProgressState& state) {
  const std::scoped_lock lock(m_mutex);
  const Clock::time_point now = Clock::now();
  bake.progress.add(state, now);
  if (now - bake.asked > m_patience) bake.job->cancel();
}

PageBakes::Bake* PageBakes::find(std::string_view id) {
  return m_bake && m_bake->id == id ? m_bake.get() : nullptr;
}

Answer PageBakes::describe(Bake& bake) {
  BakeJson json;
  switch (bake.state) {
    case State::Running: {
      const BakeOutlook outlook = bake.progress.look(Clock::now());
      json = {{"state", "running"},
              {"stage", bake.job->cancelled() ? "cancelling" : outlook.stage},
              {"part", outlook.part},
              {"parts", outlook.parts},
              {"done", outlook.done},
              {"secondsLeft",
               outlook.seconds_left >= 0 ? BakeJson(outlook.seconds_left) : BakeJson(nullptr)}};
      break;
    }
    case State::Done:
      json = {{"state", "done"}, {"warnings", bake.warnings}};
      break;
    case State::Failed:
      json = {{"state", "failed"}, {"error", bake.error}};
      break;
    case State::Cancelled:
      json = {{"state", "cancelled"}};
      break;
  }
  return bake_answer(json);
}

/// ID: how far it is; ID/glb and ID/supple: the results.
Answer PageBakes::ask(const Call& call) {
  const std::string_view rest = call.rest;
  const std::size_t slash = rest.find('/');
  const std::scoped_lock lock(m_mutex);
  Bake* const bake = find(rest.substr(0, slash));
  if (bake == nullptr) return bake_refusal(404, "no such bake; a newer one may have replaced it");
  bake->asked = Clock::now();
  if (slash == std::string_view::npos) return describe(*bake);
  const std::string_view file = rest.substr(slash + 1);
  if (bake->state != State::Done || (file != "glb" && file != "supple")) {
    return bake_refusal(404, "no such file");
  }
  Answer answer;
  const bool character = file == "glb";
  answer.type = character ? "model/gltf-binary" : "application/octet-stream";
  answer.file = character ? bake->output : fs::path(bake::supple_path(bake->output.string()));
  return answer;
}

Answer PageBakes::cancel(const Call& call) {
  const std::scoped_lock lock(m_mutex);
  Bake* const bake = find(call.rest);
  if (bake == nullptr) return bake_refusal(404, "no such bake; a newer one may have replaced it");
  bake->job->cancel();
  return describe(*bake);
}

}  // namespace supple::gallery
