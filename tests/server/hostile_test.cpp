// SPDX-License-Identifier: Apache-2.0
#include "client.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <thread>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace supple::server::testing {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;

struct Hostile {
  std::string request;  ///< {H}: our Host line, {T}: the token
  int status;
};

std::string fill(std::string text, const Fixture& at) {
  const auto replace = [&](std::string_view mark, const std::string& by) {
    for (std::size_t i = text.find(mark); i != std::string::npos; i = text.find(mark, i)) {
      text.replace(i, mark.size(), by);
    }
  };
  replace("{H}", fmt::format("Host: 127.0.0.1:{}\r\n", at.port()));
  replace("{P}", std::to_string(at.port()));
  replace("{T}", "X-Supple-Token: " + at.token + "\r\n");
  return text;
}

void expect_refused(const Fixture& at, const std::vector<Hostile>& cases) {
  for (const Hostile& hostile : cases) {
    const Received answer = request(at.port(), fill(hostile.request, at));
    EXPECT_EQ(answer.status, hostile.status) << hostile.request.substr(0, 200) << answer.body;
    EXPECT_EQ(answer.body.find("root:"), std::string::npos);
    at.expect_unharmed();
  }
}

TEST(Hostile, NonsenseIsABadRequest) {
  expect_refused(
      Fixture(),
      {{"hello\r\n\r\n", 400},
       {"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"s, 400},  // TLS
       {"GET\r\n\r\n", 400},
       {"GET / HTTP/9.9\r\n{H}\r\n", 400},
       {"GET / HTTP/1.1\r\n{H}bad field\r\n\r\n", 400},
       {"GET / HTTP/1.1\r\n{H}Name : x\r\n\r\n", 400},
       {"GET / HTTP/1.1\r\n{H}X: \x01\r\n\r\n"s, 400},
       {"GET /a\0b HTTP/1.1\r\n{H}\r\n"s, 400},
       {"GET / HTTP/1.1\r\n{H}Content-Length: -1\r\n\r\n", 400},
       {"GET / HTTP/1.1\r\n{H}Content-Length: 5\r\n\r\nhello", 400},
       {"PUT /api/settings/a HTTP/1.1\r\n{H}{T}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        400},
       {"PUT /api/settings/a HTTP/1.1\r\n{H}{T}Content-Length: 1\r\n"
        "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        400},
       {"PUT /api/settings/a HTTP/1.1\r\n{H}{T}Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n", 400},
       {"PUT /api/settings/a HTTP/1.1\r\n{H}{T}Content-Length: 1\r\nContent-Length: 1\r\n\r\nx",
        400},
       {"GET / HTTP/1.1\r\n\r\n", 400},
       {"GET / HTTP/1.1\r\n{H}{H}\r\n", 400},
       {"OPTIONS * HTTP/1.1\r\n{H}\r\n", 400},
       {"CONNECT example.com:80 HTTP/1.1\r\n{H}\r\n", 400},
       {"GET http://example.com/ HTTP/1.1\r\n{H}\r\n", 400},
       {"GET https://127.0.0.1:{P}/ HTTP/1.1\r\n{H}\r\n", 400}});
}

TEST(Hostile, ABodyThatGotLostReplacesNothing) {
  const std::string put = "PUT /api/settings/a HTTP/1.1\r\n{H}{T}";
  expect_refused(Fixture(), {{put + "\r\n", 411},
                             {put + "Content-Length: 0\r\n\r\n", 400},
                             {put + "Transfer-Encoding: gzip\r\n\r\nx = 1", 400},
                             {put + "Transfer-Encoding: identity\r\n\r\nx = 1", 400},
                             {put + "Transfer-Encoding: chunked, identity\r\n\r\nx = 1", 400},
                             {put + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 400},
                             {put + "Transfer-Encoding: chunked\r\nTransfer-Encoding: "
                                    "chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
                              400}});
}

TEST(Hostile, ExpectationsAreRefusedButForOne) {
  const Fixture at;
  const std::string put = "PUT /api/settings/a HTTP/1.1\r\n{H}{T}Content-Length: 1\r\n";
  expect_refused(at, {{put + "Expect: a-miracle\r\n\r\nx", 417},
                      {put + "Expect: 100-continue, more\r\n\r\nx", 417}});
  const std::string known = fill(put + "Expect: 100-Continue\r\n\r\nx", at);
  Client client(at.port());
  client.send(known);
  client.end();
  EXPECT_TRUE(client.receive_all().starts_with("HTTP/1.1 100 "));
  EXPECT_EQ(at.saved(), "a=x");
}

TEST(Hostile, NonsenseAfterAHeadIsTold) {
  const Fixture at;
  Client client(at.port());
  client.send(fill("HEAD / HTTP/1.1\r\n{H}\r\nhello\r\n\r\n", at));
  const std::string all = client.receive_all();
  const std::size_t second = all.find("HTTP/1.1 400");
  ASSERT_NE(second, std::string::npos) << all;
  const Received refused = parse(all.substr(second));
  EXPECT_EQ(refused.fields.at("content-length"), std::to_string(refused.body.size()));
}

TEST(Hostile, NobodyLeavesTheTree) {
  std::vector<Hostile> cases;
  for (const char* path : {"/../secret.txt",
                           "/assets/../../secret.txt",
                           "/%2e%2e/secret.txt",
                           "/%2E%2E/secret.txt",
                           "/.%2e/secret.txt",
                           "/..%2fsecret.txt",
                           "/..%2Fsecret.txt",
                           "/..%5csecret.txt",
                           "/..\\secret.txt",
                           "/%252e%252e/secret.txt",
                           "/%252e%252e%252fsecret.txt",
                           "/%c0%ae%c0%ae/secret.txt",
                           "/%c0%ae%c0%ae%c0%afsecret.txt",
                           "/%e0%80%ae./secret.txt",
                           "/%uff0e%uff0e/secret.txt",
                           "/....//secret.txt",
                           "//secret.txt",
                           "/./secret.txt",
                           "/assets/%00/../index.html",
                           "/index.html%00.png",
                           "/../../../../../../etc/passwd",
                           "//etc/passwd",
                           "/%2fetc/passwd",
                           "/files/../secret.txt",
                           "/files/%2e%2e/secret.txt"}) {
    cases.push_back({fmt::format("GET {} HTTP/1.1\r\n{{H}}\r\n", path), 400});
  }
  for (const char* path : {"/link.txt", "/up/secret.txt", "/.hidden", "/;/../x/secret.txt"}) {
    const int status = std::string_view(path).find("..") == std::string_view::npos ? 404 : 400;
    cases.push_back({fmt::format("GET {} HTTP/1.1\r\n{{H}}\r\n", path), status});
  }
  expect_refused(Fixture(), cases);
}

TEST(Hostile, OnlyOurOwnPagesAreServed) {
  expect_refused(
      Fixture(),
      {{"GET / HTTP/1.1\r\nHost: example.com\r\n\r\n", 403},
       {"GET / HTTP/1.1\r\nHost: example.com:{P}\r\n\r\n", 403},
       {"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 403},
       {"GET / HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n", 403},
       {"GET / HTTP/1.1\r\nHost: 127.0.0.1.nip.io:{P}\r\n\r\n", 403},
       {"GET / HTTP/1.1\r\nHost: 0.0.0.0:{P}\r\n\r\n", 403},
       {"GET / HTTP/1.1\r\nHost: [::1]:{P}\r\n\r\n", 403},
       {"GET / HTTP/1.1\r\nHost: \r\n\r\n", 403},
       {"GET http://127.0.0.1:{P}/ HTTP/1.1\r\nHost: example.com\r\n\r\n", 403},
       {"GET / HTTP/1.1\r\n{H}Origin: http://example.com\r\n\r\n", 403},
       {"GET / HTTP/1.1\r\n{H}Origin: null\r\n\r\n", 403},
       {"GET / HTTP/1.1\r\n{H}Origin: http://127.0.0.1:1\r\n\r\n", 403},
       {"GET / HTTP/1.1\r\n{H}Origin: https://127.0.0.1:{P}\r\n\r\n", 403},
       {"GET /api/events HTTP/1.1\r\n{H}Origin: http://example.com\r\n\r\n", 403},
       {"GET / HTTP/1.1\r\n{H}Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n\r\n", 403},
       {"GET / HTTP/1.1\r\n{H}Sec-Fetch-Site: same-site\r\nSec-Fetch-Mode: cors\r\n\r\n", 403},
       {"PUT /api/settings/a HTTP/1.1\r\n{H}{T}Origin: http://example.com\r\n"
        "Content-Length: 1\r\n\r\nx",
        403},
       {"OPTIONS /api/settings/a HTTP/1.1\r\n{H}Origin: http://example.com\r\n"
        "Access-Control-Request-Method: PUT\r\n\r\n",
        403}});
}

TEST(Hostile, MethodsAreThoseOfTheThing) {
  const Fixture at;
  expect_refused(at, {{"POST / HTTP/1.1\r\n{H}Content-Length: 1\r\n\r\nx", 403},
                      {"DELETE /index.html HTTP/1.1\r\n{H}\r\n", 403},
                      {"TRACE / HTTP/1.1\r\n{H}\r\n", 403},
                      {"DELETE /index.html HTTP/1.1\r\n{H}{T}\r\n", 405},
                      {"PUT /files/video.mp4 HTTP/1.1\r\n{H}{T}Content-Length: 1\r\n\r\nx", 405},
                      {"PUT /new.txt HTTP/1.1\r\n{H}{T}Content-Length: 1\r\n\r\nx", 404},
                      {"POST /api/events HTTP/1.1\r\n{H}{T}\r\n", 405},
                      {"POST /manifest.json HTTP/1.1\r\n{H}{T}\r\n", 405},
                      {"GET /api/settings/a HTTP/1.1\r\n{H}\r\n", 405},
                      {"BREW / HTTP/1.1\r\n{H}{T}\r\n", 405}});
  const Received answer = request(at.port(), fill("GET /api/settings/a HTTP/1.1\r\n{H}\r\n", at));
  EXPECT_EQ(answer.fields.at("allow"), "PUT");
}

TEST(Hostile, EverythingHasASize) {
  const std::string kilobyte(1024, 'a');
  std::string fields;
  for (int i = 0; i < 32; ++i) fields += fmt::format("X-{}: {}\r\n", i, kilobyte);
  std::string address = "/";
  for (int i = 0; i < 3; ++i) address += kilobyte;
  std::string long_address = "/";
  for (int i = 0; i < 64; ++i) long_address += kilobyte;
  const std::string large(300 << 10, 'b');
  expect_refused(
      Fixture(),
      {{"GET " + address + " HTTP/1.1\r\n{H}\r\n", 414},
       {"GET " + long_address + " HTTP/1.1\r\n{H}\r\n", 414},
       {"GET / HTTP/1.1\r\n{H}" + fields + "\r\n", 431},
       {fmt::format("PUT /api/settings/a HTTP/1.1\r\n{{H}}{{T}}Content-Length: {}\r\n\r\n{}",
                    large.size(), large),
        413},
       {"PUT /api/settings/a HTTP/1.1\r\n{H}{T}Content-Length: 99999999999999\r\n\r\n", 413},
       {fmt::format("PUT /api/settings/a HTTP/1.1\r\n{{H}}{{T}}Transfer-Encoding: "
                    "chunked\r\n\r\n{:x}\r\n{}\r\n0\r\n\r\n",
                    large.size(), large),
        413}});
}

TEST(Hostile, AnUploadHasItsOwnSize) {
  const Fixture at;
  const auto upload = [&](std::size_t size, std::string_view framing, std::string_view token) {
    const std::string body(size, 'u');
    const std::string head = "POST /api/upload HTTP/1.1\r\n{H}" + std::string(token);
    if (framing == "chunked") {
      return request(at.port(), fill(head + "Transfer-Encoding: chunked\r\n\r\n", at) +
                                    fmt::format("{:x}\r\n{}\r\n0\r\n\r\n", size, body));
    }
    return request(at.port(),
                   fill(head + fmt::format("Content-Length: {}\r\n\r\n", size), at) + body);
  };
  for (const std::string_view framing : {"length", "chunked"}) {
    for (const std::size_t size : {kUploadBytes - 1, kUploadBytes}) {
      const Received answer = upload(size, framing, "{T}");
      EXPECT_EQ(answer.status, 200) << framing << size;
      EXPECT_EQ(answer.body, fmt::format("{}", size));
    }
    const Received large = upload(kUploadBytes + 1, framing, "{T}");
    EXPECT_EQ(large.status, 413) << framing;
    EXPECT_NE(large.body.find(fmt::format("at most {} bytes", kUploadBytes)), std::string::npos);
    EXPECT_EQ(upload(kUploadBytes, framing, "").status, 403) << framing;
  }
  EXPECT_EQ(upload(kUploadBytes + 1, "length", "").status, 403);
  at.expect_unharmed();
}

TEST(Hostile, SlowRequestsEnd) {
  Limits limits;
  limits.head = 300ms;
  limits.body = 300ms;
  const Fixture at(limits);
  Client header(at.port());
  Client body(at.port());
  Client silent(at.port());
  body.send(fill("PUT /api/settings/a HTTP/1.1\r\n{H}{T}Content-Length: 9\r\n\r\nx", at));
  const std::string text = get(at.port(), "/");
  for (std::size_t i = 0; i < 20; ++i) {  // a byte now and then keeps nothing open
    header.send(text.substr(i, 1));
    std::this_thread::sleep_for(30ms);
  }
  EXPECT_EQ(parse(header.receive_all()).status, 408);
  EXPECT_EQ(parse(body.receive_all()).status, 408);
  EXPECT_EQ(silent.receive_all(), "");
  EXPECT_TRUE(header.ended() && body.ended() && silent.ended());
  at.expect_unharmed();
}

TEST(Hostile, ThoseWhoDoNotReadAreCutOff) {
  Limits limits;
  limits.stall = 200ms;
  const Fixture at(limits);
  at.directory.write("video.mp4", std::string(32 << 20, 'x'));
  Client client(at.port(), Client::Window::Small);
  client.send(get(at.port(), "/files/video.mp4"));
  std::this_thread::sleep_for(1500ms);
  const std::string received = client.receive_all();
  EXPECT_TRUE(client.ended());
  EXPECT_LT(received.size(), std::size_t{32} << 20);
}

TEST(Hostile, OtherUsersOfTheMachineGetNothing) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become somebody else: not tried";
  const Fixture at;
  const std::string text = get(at.port(), "/manifest.json");
  for (const int family : {AF_INET, AF_INET6}) {  // either reaches a loopback address
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe(ends.data()), 0);
    const pid_t child = ::fork();
    if (child == 0) {  // plain calls only: the server's thread was not forked
      constexpr uid_t kNobody = 65534;
      sockaddr_in6 mapped{};
      mapped.sin6_family = AF_INET6;
      mapped.sin6_port = htons(at.port());
      ::inet_pton(AF_INET6, "::ffff:127.0.0.1", &mapped.sin6_addr);
      sockaddr_in plain{};
      plain.sin_family = AF_INET;
      plain.sin_port = htons(at.port());
      plain.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      if (::setuid(kNobody) != 0) ::_exit(1);
      const int fd = ::socket(family, SOCK_STREAM, 0);
      const int failed = family == AF_INET
                             ? ::connect(fd, reinterpret_cast<sockaddr*>(&plain), sizeof plain)
                             : ::connect(fd, reinterpret_cast<sockaddr*>(&mapped), sizeof mapped);
      if (failed != 0 || ::write(fd, text.data(), text.size()) < 0) ::_exit(2);
      std::array<char, 4096> bytes{};
      const ssize_t count = ::read(fd, bytes.data(), bytes.size());
      ::_exit(count > 0 && ::write(ends[1], bytes.data(), 12) == 12 ? 0 : 3);
    }
    ::close(ends[1]);
    std::array<char, 12> answer{};
    const ssize_t count = ::read(ends[0], answer.data(), answer.size());
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (family == AF_INET6 && WEXITSTATUS(status) == 2) {
      std::puts("skipped: no IPv6 sockets here");
      continue;
    }
    EXPECT_EQ(std::string(answer.data(), count > 0 ? answer.size() : 0), "HTTP/1.1 403");
  }
  at.expect_unharmed();
}

TEST(Hostile, HalfRequestsLeaveNothingBehind) {
  const Fixture at;
  for (const char* text : {"", "G", "GET / HTTP/1.1\r\n",
                           "PUT /api/settings/a HTTP/1.1\r\n{H}{T}"
                           "Content-Length: 9\r\n\r\nx"}) {
    Client client(at.port());
    client.send(fill(text, at));
  }
  at.expect_unharmed();
}

TEST(Hostile, EveryByteInsteadOfEveryOther) {
  const Fixture at;
  const std::string text = get(at.port(), "/assets/app.js");
  for (std::size_t i = 0; i < text.size(); i += 3) {
    for (const char byte : {'\0', '\r', '\n', ' ', '%', '.', '/', '\x80', ':'}) {
      std::string changed = text;
      changed[i] = byte;
      const int status = request(at.port(), changed).status;
      // An incomplete request, and one that HTTP allows, are no refusals.
      EXPECT_TRUE(status == 0 || status == 200 || (status >= 400 && status < 500)) << changed;
    }
  }
  at.expect_unharmed();
}

}  // namespace
}  // namespace supple::server::testing
