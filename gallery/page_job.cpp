// SPDX-License-Identifier: Apache-2.0
#include "gallery/page_job.hpp"

#include "supple/core/log.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

namespace supple::gallery {
namespace {

using server::Answer;
using server::Call;
using JobJson = nlohmann::ordered_json;

constexpr std::size_t kLongestFileName = 255;
constexpr std::size_t kLongestLine = 1 << 20;  ///< JSON with settings; the file comes after it
constexpr std::chrono::minutes kUploadTime{2};

Answer job_refusal(int status, std::string_view why) {
  return {status, "text/plain; charset=utf-8", fmt::format("{}: {}\n", status, why)};
}

Answer job_answer(const JobJson& json) {
  return {200, "application/json", json.dump(-1, ' ', false, JobJson::error_handler_t::replace)};
}

Answer no_such_job() {
  return job_refusal(404, "no such work; a newer one may have replaced it");
}

/// What it throws ends the work, not the server.
Result<void> run_guarded(PageWork& work, std::mutex& mutex) {
  try {
    return work.run(mutex);
  } catch (const std::bad_alloc&) {
    return bad_input("not enough memory for this file; close other programs, or make it smaller");
  } catch (const std::exception& failure) {
    return bad_input(failure.what());
  }
}

}  // namespace

Result<PageUpload> split_upload(std::string_view body, const std::vector<std::string>& keys) {
  const std::string known = fmt::format("{}", fmt::join(keys, ", "));
  const std::size_t end = body.substr(0, kLongestLine).find('\n');
  PageUpload upload;
  if (end != std::string_view::npos) upload.line = body.substr(0, end);
  const auto json = nlohmann::json::parse(upload.line, nullptr, false);
  if (!json.is_object()) {
    return bad_input(
        fmt::format("the request must begin with a line of JSON: an object with {}", known));
  }
  for (const auto& [key, value] : json.items()) {
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    return bad_input(
        fmt::format("unknown key '{}'; known: {}", key.substr(0, kLongestFileName), known));
  }
  upload.bytes = body.substr(end + 1);
  return upload;
}

Result<std::string> upload_name(const nlohmann::json& value, std::string_view key) {
  const std::string name = value.is_string() ? value.get<std::string>() : std::string();
  if (name.empty() || name.size() > kLongestFileName) {
    return bad_input(fmt::format("'{}' must be the name of a file", key));
  }
  return name;
}

PageJobs::PageJobs(std::chrono::milliseconds patience) : m_patience(patience) {}

void PageJobs::add_to(server::Site& site, const std::shared_ptr<PageJobs>& jobs,
                      const std::string& address, const MakeWork& make) {
  const std::string below = fmt::format("{}/", address);
  site.handlers.push_back({"POST", address,
                           [jobs, make](const Call& call) { return jobs->begin(call, make); },
                           kMostPageBytes, kUploadTime});
  site.handlers.push_back({"GET", below, [jobs](const Call& call) { return jobs->ask(call); }});
  site.handlers.push_back(
      {"DELETE", below, [jobs](const Call& call) { return jobs->cancel(call); }});
}

void PageJobs::stop() {
  std::thread thread;
  {
    const std::scoped_lock lock(m_mutex);
    m_stopping = true;
    if (m_begun) m_begun->job->cancel();
    thread = std::move(m_thread);
  }
  if (thread.joinable()) thread.join();
}

Answer PageJobs::begin(const Call& call, const MakeWork& make) {
  if (!call.rest.empty()) return job_refusal(404, "no such call");
  const std::scoped_lock lock(m_mutex);
  if (m_stopping) return job_refusal(503, "the server is stopping");
  if (m_begun && m_begun->state == State::Running) {
    PageWork& work = *m_begun->work;
    return job_refusal(
        409, fmt::format("'{}' is being {} ({} % done); wait for its end, or cancel it in its page",
                         work.name(), work.participle(),
                         static_cast<int>(100 * work.done(Clock::now()))));
  }
  auto work = make(call.body);
  if (!work.ok()) return job_refusal(400, work.error().describe());
  if (auto ready = prepare(*std::move(work)); !ready.ok()) {
    return job_refusal(500, ready.error().describe());
  }
  log::info("'{}' is being {} for a page", m_begun->work->name(), m_begun->work->participle());
  m_thread = std::thread([this, begun = m_begun.get()] { run(*begun); });
  return job_answer({{"id", m_begun->id}});
}

Result<void> PageJobs::prepare(std::unique_ptr<PageWork> work) {
  if (m_thread.joinable()) m_thread.join();  // its work has ended
  auto begun = std::make_unique<Begun>();
  SUPPLE_TRY(begun->id, server::make_token());
  begun->work = std::move(work);
  begun->asked = Clock::now();
  begun->job.emplace(
      [this, raw = begun.get()](const ProgressState& state) { advance(*raw, state); });
  m_begun = std::move(begun);
  return {};
}

void PageJobs::run(Begun& begun) {
  const JobScope scope(&*begun.job);
  const Result<void> result = run_guarded(*begun.work, m_mutex);
  const std::scoped_lock lock(m_mutex);
  const std::string_view participle = begun.work->participle();
  if (result.ok()) {
    begun.state = State::Done;
    log::info("'{}' is {}", begun.work->name(), participle);
  } else if (begun.job->cancelled()) {
    begun.state = State::Cancelled;
    log::info("'{}' was cancelled before it was {}", begun.work->name(), participle);
  } else {
    begun.state = State::Failed;
    begun.error = result.error().describe();
    log::warn("{}", begun.error);
  }
}

void PageJobs::advance(Begun& begun, const ProgressState& state) {
  const std::scoped_lock lock(m_mutex);
  const Clock::time_point now = Clock::now();
  begun.work->advance(state, now);
  if (now - begun.asked > m_patience) begun.job->cancel();
}

PageJobs::Begun* PageJobs::find(std::string_view id) {
  return m_begun && m_begun->id == id ? m_begun.get() : nullptr;
}

Answer PageJobs::describe(Begun& begun) {
  JobJson json;
  switch (begun.state) {
    case State::Running:
      json = {{"state", "running"}};
      json.update(begun.work->progress(Clock::now()));
      if (begun.job->cancelled()) json["stage"] = "cancelling";
      break;
    case State::Done:
      json = {{"state", "done"}};
      json.update(begun.work->summary());
      break;
    case State::Failed:
      json = {{"state", "failed"}, {"error", begun.error}};
      break;
    case State::Cancelled:
      json = {{"state", "cancelled"}};
      break;
  }
  return job_answer(json);
}

/// ID: how far it is; ID/...: a result.
Answer PageJobs::ask(const Call& call) {
  const std::string_view rest = call.rest;
  const std::size_t slash = rest.find('/');
  const std::scoped_lock lock(m_mutex);
  Begun* const begun = find(rest.substr(0, slash));
  if (begun == nullptr) return no_such_job();
  begun->asked = Clock::now();
  if (slash == std::string_view::npos) return describe(*begun);
  auto found =
      begun->work->result(std::string(rest.substr(slash + 1)), begun->state == State::Done);
  return found ? *std::move(found) : job_refusal(404, "no such file");
}

Answer PageJobs::cancel(const Call& call) {
  const std::scoped_lock lock(m_mutex);
  Begun* const begun = find(call.rest);
  if (begun == nullptr) return no_such_job();
  begun->job->cancel();
  return describe(*begun);
}

}  // namespace supple::gallery
