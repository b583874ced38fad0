// SPDX-License-Identifier: Apache-2.0
#include "gallery/page_bake.hpp"

#include "gallery/bake_progress.hpp"
#include "gallery/settings_edit.hpp"
#include "gallery/temporary_folder.hpp"

#include "supple/bake/bake_character.hpp"
#include "supple/bake/bake_shells.hpp"
#include "supple/bake/output_names.hpp"
#include "supple/core/files.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <utility>
#include <vector>

namespace supple::gallery {
namespace {

namespace fs = std::filesystem;
using BakeJson = nlohmann::ordered_json;

/// A character to bake, as a page sends it: a line of JSON, then the bytes of its file.
struct PageBakeRequest {
  bake::BakeCommand command = bake::BakeCommand::Bake;
  std::string name;      ///< of the file, for messages
  std::string settings;  ///< the text of the command's .toml; "": chosen automatically
  std::string bytes;     ///< .glb, or .gltf without further files
};

/// {"name": ..., "text": ...}, checked now: the page learns at once that it is wrong.
Result<std::string> page_settings(const nlohmann::json& value, bake::BakeCommand command) {
  if (value.is_null()) return std::string();
  if (!value.is_object() || !value.contains("name") || !value.contains("text") ||
      !value["text"].is_string()) {
    return bad_input("'settings' must be null or an object with 'name' and 'text' of a .toml");
  }
  SUPPLE_TRY(const std::string name, upload_name(value["name"], "settings.name"));
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
  SUPPLE_TRY(io::GltfAsset asset, io::read_gltf(as_bytes(asked.bytes), asked.name));
  if (asked.command == bake::BakeCommand::Shell) return bake_thin(asked, std::move(asset), file);
  return bake_flesh(asked, std::move(asset), file, tell_parts);
}

/// Settings that the bake would refuse are an error here.
Result<PageBakeRequest> parse_page_bake(std::string_view body) {
  SUPPLE_TRY(const PageUpload upload, split_upload(body, {"command", "name", "settings"}));
  const auto json = nlohmann::json::parse(upload.line);
  PageBakeRequest request;
  const auto command = json.value("command", nlohmann::json());
  const auto found =
      command.is_string() ? bake::find_command(command.get<std::string>()) : std::nullopt;
  if (!found || *found == bake::BakeCommand::Scene) {
    return bad_input("'command' must be \"bake\" or \"shell\"");
  }
  request.command = *found;
  SUPPLE_TRY(request.name, upload_name(json.value("name", nlohmann::json()), "name"));
  SUPPLE_TRY(request.settings,
             page_settings(json.value("settings", nlohmann::json()), request.command));
  request.bytes = upload.bytes;
  if (request.bytes.empty()) return bad_input(fmt::format("'{}' is empty", request.name));
  return request;
}

class BakeWork final : public PageWork {
 public:
  /// `output`: a .glb; a .supple goes beside it.
  BakeWork(PageBakeRequest request, fs::path output)
      : m_request(std::move(request)), m_output(std::move(output)) {}
  ~BakeWork() override {
    std::error_code ignored;
    fs::remove(m_output, ignored);
    fs::remove(bake::supple_path(m_output.string()), ignored);
  }
  BakeWork(const BakeWork&) = delete;
  BakeWork& operator=(const BakeWork&) = delete;

  [[nodiscard]] const std::string& name() const override { return m_request.name; }
  [[nodiscard]] std::string_view participle() const override { return "baked"; }

  Result<void> run(std::mutex& mutex) override {
    auto warnings = bake_upload(m_request, m_output, [&](std::vector<BakePart> parts) {
      const std::scoped_lock lock(mutex);
      m_progress.set_parts(std::move(parts));
    });
    const std::scoped_lock lock(mutex);
    m_request.bytes = std::string();  // frees the memory
    SUPPLE_TRY(m_warnings, std::move(warnings));
    return {};
  }

  void advance(const ProgressState& state, Clock::time_point now) override {
    m_progress.add(state, now);
  }
  double done(Clock::time_point now) override { return m_progress.look(now).done; }

  BakeJson progress(Clock::time_point now) override {
    const BakeOutlook outlook = m_progress.look(now);
    return {{"stage", outlook.stage},
            {"part", outlook.part},
            {"parts", outlook.parts},
            {"done", outlook.done},
            {"secondsLeft",
             outlook.seconds_left >= 0 ? BakeJson(outlook.seconds_left) : BakeJson(nullptr)}};
  }
  [[nodiscard]] BakeJson summary() const override { return {{"warnings", m_warnings}}; }

  [[nodiscard]] std::optional<server::Answer> result(const std::string& path,
                                                     bool done) const override {
    if (!done || (path != "glb" && path != "supple")) return {};
    server::Answer answer;
    const bool character = path == "glb";
    answer.type = character ? "model/gltf-binary" : "application/octet-stream";
    answer.file = character ? m_output : fs::path(bake::supple_path(m_output.string()));
    return answer;
  }

 private:
  PageBakeRequest m_request;
  fs::path m_output;
  BakeProgress m_progress;
  std::vector<std::string> m_warnings;
};

}  // namespace

void add_page_bakes(server::Site& site, const std::shared_ptr<PageJobs>& jobs) {
  const auto place = std::make_shared<TemporaryFolder>();
  PageJobs::add_to(
      site, jobs, kBakeAddress,
      [place](std::string_view body) -> Result<std::unique_ptr<PageWork>> {
        SUPPLE_TRY(PageBakeRequest request, parse_page_bake(body));
        SUPPLE_TRY(const fs::path folder, place->make("supple-bake"));
        SUPPLE_TRY(const std::string token, server::make_token());
        const fs::path output = folder / fmt::format("{}.glb", token.substr(0, 8));
        return std::unique_ptr<PageWork>(std::make_unique<BakeWork>(std::move(request), output));
      });
}

}  // namespace supple::gallery
