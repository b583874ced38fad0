// SPDX-License-Identifier: Apache-2.0
#include "client.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace supple::server::testing {

using Clock = std::chrono::steady_clock;

Client::Client(std::uint16_t port, Window window) : m_socket(::socket(AF_INET, SOCK_STREAM, 0)) {
  const int bytes = 4096;
  if (window == Window::Small) {
    ::setsockopt(m_socket, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
  }
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(m_socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    ADD_FAILURE() << "cannot connect to port " << port;
  }
}

Client::~Client() {
  ::close(m_socket);
}

bool Client::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(m_socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

void Client::end() {
  ::shutdown(m_socket, SHUT_WR);
}

std::string Client::receive_until(std::string_view text, std::chrono::milliseconds time) {
  const auto deadline = Clock::now() + time;
  while (!m_ended && (text.empty() || m_received.find(text) == std::string::npos)) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    pollfd wanted{m_socket, POLLIN, 0};
    if (left.count() <= 0 || ::poll(&wanted, 1, static_cast<int>(left.count())) <= 0) break;
    std::array<char, 16384> bytes{};
    const ssize_t count = ::recv(m_socket, bytes.data(), bytes.size(), 0);
    if (count <= 0) m_ended = true;
    if (count > 0) m_received.append(bytes.data(), static_cast<std::size_t>(count));
  }
  return m_received;
}

std::string Client::receive_all(std::chrono::milliseconds time) {
  return receive_until("", time);
}

Received parse(const std::string& text) {
  Received received;
  const std::size_t end = text.find("\r\n\r\n");
  if (!text.starts_with("HTTP/1.1 ") || end == std::string::npos) return received;
  received.status = std::stoi(text.substr(9, 3));
  received.body = text.substr(end + 4);
  std::size_t line = text.find("\r\n") + 2;
  while (line < end) {
    const std::size_t stop = text.find("\r\n", line);
    const std::size_t colon = text.find(": ", line);
    std::string name = text.substr(line, colon - line);
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    received.fields[name] = text.substr(colon + 2, stop - colon - 2);
    line = stop + 2;
  }
  return received;
}

Received request(std::uint16_t port, const std::string& text) {
  Client client(port);
  client.send(text);
  client.end();
  return parse(client.receive_all());
}

std::string get(std::uint16_t port, std::string_view target, std::string_view fields) {
  return fmt::format("GET {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{}\r\n", target, port, fields);
}

namespace {

constexpr std::string_view kPage = "<!doctype html><title>hello</title>";

}  // namespace

Fixture::Fixture(const Limits& limits) {
  namespace fs = std::filesystem;
  fs::create_directories(directory / "root/assets");
  directory.write("root/index.html", kPage);
  directory.write("root/assets/app.js", "export {};");
  directory.write("root/assets/player.wasm", "\0asm");
  directory.write("root/.hidden", "hidden");
  directory.write("secret.txt", "secret");
  directory.write("video.mp4", "0123456789");
  fs::create_symlink(directory / "secret.txt", directory / "root/link.txt");
  fs::create_directory_symlink(directory.path(), directory / "root/up");
  auto made = make_token();
  EXPECT_TRUE(made.ok());
  token = made.ok() ? *made : "";
  Site site;
  site.root = directory / "root";
  site.files["files/video.mp4"] = directory / "video.mp4";
  site.files["files/gone.glb"] = directory / "gone.glb";
  site.documents["manifest.json"] = {"application/json", "{\"version\": 1}"};
  site.handlers.push_back({"PUT", "api/settings/", [this](const Call& call) {
                             if (call.rest == "bad") throw std::runtime_error("as asked");
                             const std::scoped_lock lock(m_mutex);
                             m_saved = call.rest + "=" + call.body;
                             return Answer{204, "", ""};
                           }});
  site.handlers.push_back({"POST", "api/upload",
                           [](const Call& call) {
                             return Answer{200, "text/plain", fmt::format("{}", call.body.size())};
                           },
                           kUploadBytes});
  site.handlers.push_back({"GET", "api/made/", [this](const Call& call) {
                             return Answer{200, "video/webm", "", directory / call.rest};
                           }});
  site.events = "api/events";
  site.streams = {"api/states"};
  site.token = token;
  auto started = Server::start(std::move(site), {0, limits});
  if (!started.ok()) {
    ADD_FAILURE() << started.error().describe();
    return;
  }
  server = std::make_unique<Server>(*std::move(started));
}

std::string Fixture::saved() const {
  const std::scoped_lock lock(m_mutex);
  return m_saved;
}

void Fixture::expect_unharmed() const {
  EXPECT_EQ(request(port(), get(port(), "/")).body, kPage);
  EXPECT_EQ(saved(), "");
  EXPECT_EQ(directory.list(), (std::vector<std::string>{"root", "secret.txt", "video.mp4"}));
  EXPECT_EQ(directory.read("secret.txt"), "secret");
  EXPECT_EQ(directory.read("root/index.html"), kPage);
}

}  // namespace supple::server::testing
