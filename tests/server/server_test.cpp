// SPDX-License-Identifier: Apache-2.0
#include "client.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <thread>

namespace supple::server::testing {
namespace {

std::string put(const Fixture& at, std::string_view target, std::string_view fields,
                std::string_view body) {
  return fmt::format("PUT {} HTTP/1.1\r\nHost: localhost:{}\r\nContent-Length: {}\r\n{}\r\n{}",
                     target, at.port(), body.size(), fields, body);
}

TEST(Server, ServesTreeFilesAndDocuments) {
  const Fixture at;
  const Received page = request(at.port(), get(at.port(), "/"));
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.fields.at("content-type"), "text/html; charset=utf-8");
  EXPECT_EQ(page.body, at.directory.read("root/index.html"));
  EXPECT_EQ(request(at.port(), get(at.port(), "/assets/player.wasm")).fields.at("content-type"),
            "application/wasm");
  EXPECT_EQ(request(at.port(), get(at.port(), "/assets/app.js?v=1")).fields.at("content-type"),
            "text/javascript; charset=utf-8");
  EXPECT_EQ(request(at.port(), get(at.port(), "/files/video.mp4")).body, "0123456789");
  const Received manifest = request(at.port(), get(at.port(), "/manifest.json"));
  EXPECT_EQ(manifest.body, "{\"version\": 1}");
  EXPECT_EQ(manifest.fields.at("content-type"), "application/json");
  EXPECT_EQ(manifest.fields.at("cache-control"), "no-store");
}

TEST(Server, SendsThePolicyWithEveryAnswer) {
  const Fixture at;
  for (const char* target : {"/", "/none", "/manifest.json", "/%zz"}) {
    const Received answer = request(at.port(), get(at.port(), target));
    const std::string& policy = answer.fields.at("content-security-policy");
    EXPECT_TRUE(policy.starts_with("default-src 'none'; ")) << policy;
    EXPECT_EQ(policy.find("unsafe-inline"), std::string::npos);
    // Embedded buffers and images of glTF are fetched from where they stand.
    EXPECT_NE(policy.find("; connect-src 'self' blob: data:; "), std::string::npos) << policy;
    EXPECT_EQ(answer.fields.at("x-content-type-options"), "nosniff");
    EXPECT_EQ(answer.fields.at("referrer-policy"), "no-referrer");
    EXPECT_EQ(answer.fields.at("cross-origin-resource-policy"), "same-origin");
    EXPECT_EQ(answer.fields.at("cross-origin-opener-policy"), "same-origin");
  }
}

TEST(Server, FindsNothingOutsideTheTree) {
  const Fixture at;
  for (const char* target :
       {"/none", "/assets", "/assets/", "/link.txt", "/up/secret.txt", "/up/root/index.html",
        "/.hidden", "/files/gone.glb", "/files/", "/index.html/x", "/secret.txt"}) {
    const Received answer = request(at.port(), get(at.port(), target));
    EXPECT_EQ(answer.status, 404) << target;
    EXPECT_EQ(answer.body.find("secret\n"), std::string::npos);
  }
  at.expect_unharmed();
}

TEST(Server, HeadHasNoBody) {
  const Fixture at;
  const Received head =
      request(at.port(), fmt::format("HEAD / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", at.port()));
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.fields.at("content-length"), "35");
  EXPECT_EQ(head.body, "");
}

TEST(Server, ServesRanges) {
  const Fixture at;
  const auto ask = [&](std::string_view fields) {
    return request(at.port(), get(at.port(), "/files/video.mp4", fields));
  };
  const Received part = ask("Range: bytes=2-4\r\n");
  EXPECT_EQ(part.status, 206);
  EXPECT_EQ(part.body, "234");
  EXPECT_EQ(part.fields.at("content-range"), "bytes 2-4/10");
  EXPECT_EQ(part.fields.at("content-length"), "3");
  EXPECT_EQ(ask("Range: bytes=-3\r\n").body, "789");
  const Received outside = ask("Range: bytes=10-\r\n");
  EXPECT_EQ(outside.status, 416);
  EXPECT_EQ(outside.fields.at("content-range"), "bytes */10");
  const Received stale = ask("Range: bytes=2-4\r\nIf-Range: \"old\"\r\n");
  EXPECT_EQ(stale.status, 200);
  EXPECT_EQ(stale.body, "0123456789");
  EXPECT_EQ(ask(fmt::format("Range: bytes=2-4\r\nIf-Range: {}\r\n", part.fields.at("etag"))).body,
            "234");
}

TEST(Server, SendsFilesThatHandlersName) {
  const Fixture at;
  const Received part =
      request(at.port(), get(at.port(), "/api/made/video.mp4", "Range: bytes=2-4\r\n"));
  EXPECT_EQ(part.status, 206);
  EXPECT_EQ(part.body, "234");
  EXPECT_EQ(part.fields.at("content-type"), "video/webm");
  EXPECT_EQ(request(at.port(), get(at.port(), "/api/made/gone")).status, 404);
}

TEST(Server, SaysWhenNothingChanged) {
  const Fixture at;
  const std::string tag = request(at.port(), get(at.port(), "/")).fields.at("etag");
  const std::string fields = fmt::format("If-None-Match: {}\r\n", tag);
  const Received same = request(at.port(), get(at.port(), "/", fields));
  EXPECT_EQ(same.status, 304);
  EXPECT_EQ(same.body, "");
  at.directory.write("root/index.html", "<!doctype html><title>other</title>!");
  EXPECT_EQ(request(at.port(), get(at.port(), "/", fields)).status, 200);
}

TEST(Server, KeepsConnectionsAndAnswersPipelinedRequestsInOrder) {
  const Fixture at;
  Client client(at.port());
  client.send(get(at.port(), "/files/video.mp4") + get(at.port(), "/none") +
              put(at, "/api/settings/a", "X-Supple-Token: " + at.token + "\r\n", "x") +
              get(at.port(), "/manifest.json", "Connection: close\r\n"));
  const std::string all = client.receive_all();
  EXPECT_TRUE(client.ended());
  std::size_t place = 0;
  for (const char* text : {"HTTP/1.1 200", "0123456789", "HTTP/1.1 404", "HTTP/1.1 204",
                           "HTTP/1.1 200", "{\"version\": 1}"}) {
    place = all.find(text, place);
    ASSERT_NE(place, std::string::npos) << text;
  }
  EXPECT_EQ(at.saved(), "a=x");
}

TEST(Server, StreamsFilesLargerThanItsMemoryForThem) {
  const Fixture at;
  std::string large(8 << 20, ' ');
  for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<char>(i * 7919 >> 5);
  at.directory.write("video.mp4", large);
  EXPECT_TRUE(request(at.port(), get(at.port(), "/files/video.mp4")).body == large);
}

TEST(Server, WaitsForThoseWhoReadALongAnswerSlowly) {
  constexpr std::size_t kSections = 64;
  std::string large;
  for (std::size_t i = 0; i < kSections; ++i) {
    large += std::string(128 << 10, 'x') + fmt::format("<{}>", i);
  }
  Site site;
  site.handlers.push_back({"GET", "large", [&](const Call&) {
                             return Answer{200, "text/plain", large};
                           }});
  Settings settings;
  settings.limits.stall = std::chrono::milliseconds(3000);
  auto server = Server::start(std::move(site), settings);
  ASSERT_TRUE(server.ok());
  Client client(server->port(), Client::Window::Small);
  client.send(get(server->port(), "/large", "Connection: close\r\n"));
  for (std::size_t i = 0; i < kSections; ++i) {  // longer than the limit, but never at rest
    (void)client.receive_until(fmt::format("<{}>", i));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_TRUE(parse(client.receive_all()).body == large);
}

TEST(Server, TellsOldClientsThatTheirConnectionStays) {
  const Fixture at;
  const std::string old = fmt::format("GET / HTTP/1.0\r\nHost: 127.0.0.1:{}\r\n", at.port());
  const Received kept = request(at.port(), old + "Connection: keep-alive\r\n\r\n");
  EXPECT_EQ(kept.fields.at("connection"), "keep-alive");
  EXPECT_EQ(request(at.port(), old + "\r\n").fields.at("connection"), "close");
}

TEST(Server, HandlersNeedTheToken) {
  Fixture at;
  const std::string wrong(at.token.size(), '0');
  for (const std::string& token : {std::string(), wrong, at.token + "0", at.token.substr(1)}) {
    const std::string fields = token.empty() ? "" : "X-Supple-Token: " + token + "\r\n";
    EXPECT_EQ(request(at.port(), put(at, "/api/settings/a", fields, "x")).status, 403);
  }
  at.expect_unharmed();
  const std::string right = "X-Supple-Token: " + at.token + "\r\n";
  EXPECT_EQ(request(at.port(), put(at, "/api/settings/a", right, "x = 1")).status, 204);
  EXPECT_EQ(at.saved(), "a=x = 1");
  EXPECT_EQ(request(at.port(), put(at, "/api/settings/bad", right, "x")).status, 500);
  const std::string twice = right + right;
  EXPECT_EQ(request(at.port(), put(at, "/api/settings/b", twice, "x")).status, 403);
}

TEST(Server, ContinuesWhereAClientAsksFirst) {
  const Fixture at;
  Client client(at.port());
  const std::string text = put(
      at, "/api/settings/a",
      "X-Supple-Token: " + at.token + "\r\nExpect: 100-continue\r\nConnection: close\r\n", "body");
  client.send(text.substr(0, text.size() - 4));
  EXPECT_TRUE(client.receive_until("\r\n\r\n").starts_with("HTTP/1.1 100 "));
  client.send("body");
  EXPECT_NE(client.receive_all().find("HTTP/1.1 204"), std::string::npos);
  EXPECT_EQ(at.saved(), "a=body");
}

TEST(Server, WithoutATokenNothingCanBeChanged) {
  Site site;
  site.handlers.push_back({"PUT", "x", [](const Call&) { return Answer(); }});
  auto server = Server::start(std::move(site));
  ASSERT_TRUE(server.ok());
  const std::string text = fmt::format(
      "PUT /x HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nX-Supple-Token: \r\nContent-Length: 0\r\n\r\n",
      server->port());
  EXPECT_EQ(request(server->port(), text).status, 403);
}

TEST(Server, TokensDiffer) {
  std::set<std::string> tokens;
  for (int i = 0; i < 100; ++i) tokens.insert(*make_token());
  EXPECT_EQ(tokens.size(), 100U);
  EXPECT_EQ(tokens.begin()->size(), 64U);  // 256 bits
}

TEST(Server, SaysWhatKeepsItFromStarting) {
  const Fixture at;
  auto taken = Server::start({}, {at.port(), {}});
  ASSERT_FALSE(taken.ok());
  EXPECT_EQ(taken.error().code(), ErrorCode::Io);
  EXPECT_NE(taken.error().message().find(std::to_string(at.port())), std::string::npos);
  Site site;
  site.root = at.directory / "none";
  auto missing = Server::start(std::move(site));
  ASSERT_FALSE(missing.ok());
  EXPECT_NE(missing.error().message().find("none"), std::string::npos);
}

TEST(Server, TurnsAwayTooManyConnectionsAndRecovers) {
  Limits limits;
  limits.connections = 4;
  const Fixture at(limits);
  {
    std::vector<std::unique_ptr<Client>> crowd;
    for (int i = 0; i < 4; ++i) {
      crowd.push_back(std::make_unique<Client>(at.port()));
      crowd.back()->send(get(at.port(), "/manifest.json"));
      EXPECT_NE(crowd.back()->receive_until("{\"version\": 1}").find(" 200 "), std::string::npos);
    }
    EXPECT_EQ(request(at.port(), get(at.port(), "/")).status, 503);
    std::vector<std::unique_ptr<Client>> mob;
    for (int i = 0; i < 100; ++i) mob.push_back(std::make_unique<Client>(at.port()));
    crowd.front()->send(get(at.port(), "/files/video.mp4"));
    EXPECT_NE(crowd.front()->receive_until("0123456789").find("0123456789"), std::string::npos);
  }
  Received again;
  for (int attempt = 0; attempt < 1200 && again.status != 200; ++attempt) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    again = request(at.port(), get(at.port(), "/"));
  }
  EXPECT_EQ(again.status, 200);
}

TEST(Server, StopsWhileItStreams) {
  const Fixture at;
  at.directory.write("video.mp4", std::string(64 << 20, 'x'));
  Client slow(at.port(), Client::Window::Small);
  slow.send(get(at.port(), "/files/video.mp4"));
  (void)slow.receive_until("xxxx");
  Client waiting(at.port());
  waiting.send("GET / HT");
  at.server->stop();
  at.server->stop();
  (void)waiting.receive_all();
  EXPECT_TRUE(waiting.ended());
}

}  // namespace
}  // namespace supple::server::testing
