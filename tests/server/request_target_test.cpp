// SPDX-License-Identifier: Apache-2.0
#include "server/request_target.hpp"

#include <gtest/gtest.h>

#include <string>

namespace supple::server {
namespace {

TEST(RequestTarget, DecodesPaths) {
  EXPECT_EQ(parse_target("/")->path, "");
  EXPECT_EQ(parse_target("/a/b.glb")->path, "a/b.glb");
  EXPECT_EQ(parse_target("/a%20b/%C3%BC.glb?x=%zz")->path, "a b/\xC3\xBC.glb");
  EXPECT_EQ(parse_target("/a/")->path, "a/");
  EXPECT_EQ(parse_target("/...")->path, "...");
  const auto absolute = parse_target("http://localhost:80/a");
  ASSERT_TRUE(absolute);
  EXPECT_EQ(absolute->authority, "localhost:80");
  EXPECT_EQ(absolute->path, "a");
}

TEST(RequestTarget, RefusesWhatLeadsElsewhere) {
  using namespace std::string_literals;
  for (const std::string& target : {""s,
                                    "a"s,
                                    "*"s,
                                    "http://"s,
                                    "http:///a"s,
                                    "https://localhost/a"s,
                                    "file:///etc/passwd"s,
                                    "//etc/passwd"s,
                                    "/a//b"s,
                                    "/../a"s,
                                    "/a/../b"s,
                                    "/a/.."s,
                                    "/./a"s,
                                    "/a/."s,
                                    "/%2e%2e/a"s,
                                    "/%2E./a"s,
                                    "/.%2e/a"s,
                                    "/%2e/a"s,
                                    "/..%2fa"s,
                                    "/a%2Fb"s,
                                    "/%252e%252e/a"s,
                                    "/%25"s,
                                    "/..\\a"s,
                                    "/..%5ca"s,
                                    "/%c0%ae%c0%ae/a"s,
                                    "/%c0%af"s,
                                    "/%e0%80%ae"s,
                                    "/%f0%80%80%ae"s,
                                    "/%ed%a0%80"s,
                                    "/%f5%80%80%80"s,
                                    "/%ff"s,
                                    "/%80"s,
                                    "/%c3"s,
                                    "/%"s,
                                    "/%2"s,
                                    "/%zz"s,
                                    "/%u002e"s,
                                    "/a%00"s,
                                    "/a\0"s,
                                    "/a%0d%0aX: y"s,
                                    "/%7f"s,
                                    "/a#b"s}) {
    EXPECT_FALSE(parse_target(target)) << target;
  }
}

}  // namespace
}  // namespace supple::server
