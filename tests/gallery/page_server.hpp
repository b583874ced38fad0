// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gallery/page_job.hpp"

#include "server/client.hpp"
#include "temporary_directory.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace supple::gallery {

using PageJson = nlohmann::json;

/// A server that works for pages; its temporary files are in its own directory.
class PageServer {
 public:
  using Add = std::function<void(server::Site& site, const std::shared_ptr<PageJobs>& jobs)>;
  PageServer(std::string address, const Add& add,
             std::chrono::milliseconds patience = std::chrono::hours(1))
      : m_address(std::move(address)) {
    if (const char* before = std::getenv("TMPDIR")) m_before = before;
    ::setenv("TMPDIR", m_directory.path().c_str(), 1);
    jobs = std::make_shared<PageJobs>(patience);
    server::Site site;
    site.token = token = server::make_token().value();
    add(site, jobs);
    m_server.emplace(server::Server::start(std::move(site)).value());
  }
  ~PageServer() {
    jobs->stop();
    m_server.reset();
    jobs.reset();
    EXPECT_EQ(m_directory.list(), std::vector<std::string>()) << "left behind";
    if (m_before) {
      ::setenv("TMPDIR", m_before->c_str(), 1);
    } else {
      ::unsetenv("TMPDIR");
    }
  }
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  [[nodiscard]] server::testing::Received call(const std::string& method, const std::string& path,
                                               const std::string& body,
                                               const std::string& with_token) const {
    const std::string fields =
        with_token.empty() ? "" : fmt::format("X-Supple-Token: {}\r\n", with_token);
    const std::string length =
        method == "GET" ? "" : fmt::format("Content-Length: {}\r\n", body.size());
    return server::testing::request(
        m_server->port(), fmt::format("{} /{}{} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{}{}\r\n", method,
                                      m_address, path, m_server->port(), fields, length) +
                              body);
  }
  [[nodiscard]] server::testing::Received post(const std::string& body) const {
    return call("POST", "", body, token);
  }
  [[nodiscard]] PageJson state(const std::string& id) const {
    return PageJson::parse(call("GET", "/" + id, "", "").body);
  }
  /// Its state once it does not run any more.
  [[nodiscard]] PageJson outcome(const std::string& id) const {
    while (true) {
      PageJson now = state(id);
      if (now["state"] != "running") return now;
      EXPECT_GE(now["done"], 0);
      EXPECT_LE(now["done"], 1);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));  // leaves the machine to the bake
    }
  }
  [[nodiscard]] static std::string id_of(const server::testing::Received& begun) {
    EXPECT_EQ(begun.status, 200) << begun.body;
    return PageJson::parse(begun.body)["id"];
  }

  std::shared_ptr<PageJobs> jobs;
  std::string token;

 private:
  std::string m_address;
  supple::testing::TemporaryDirectory m_directory;
  std::optional<std::string> m_before;
  std::optional<server::Server> m_server;
};

}  // namespace supple::gallery
