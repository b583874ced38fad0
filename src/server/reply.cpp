// SPDX-License-Identifier: Apache-2.0
#include "server/reply.hpp"

#include <fmt/format.h>

namespace supple::server {
namespace {

/// Header fields of every response. The policy lets pages run only our own scripts and WebAssembly
/// and connect only to this server, except for data already in a file (blob:, data:, which glTF
/// uses for buffers and images); the other fields prevent type sniffing, embedding and referrers.
constexpr std::string_view kSecurityFields =
    "Content-Security-Policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; "
    "style-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; "
    "connect-src 'self' blob: data:; worker-src 'self' blob:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Cross-Origin-Opener-Policy: same-origin\r\n";

std::string_view reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 204:
      return "No Content";
    case 206:
      return "Partial Content";
    case 304:
      return "Not Modified";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 411:
      return "Length Required";
    case 413:
      return "Content Too Large";
    case 414:
      return "URI Too Long";
    case 416:
      return "Range Not Satisfiable";
    case 417:
      return "Expectation Failed";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 503:
      return "Service Unavailable";
    default:
      return "Unknown";
  }
}

}  // namespace

Reply refusal(int status, std::string_view why) {
  Reply reply;
  reply.status = status;
  reply.fields.emplace_back("Cache-Control", "no-store");
  reply.type = "text/plain; charset=utf-8";
  reply.body = fmt::format("{}: {}\n", status, why);
  return reply;
}

std::string write_head(const Reply& reply, bool with_length) {
  std::string head =
      fmt::format("HTTP/1.1 {} {}\r\n{}", reply.status, reason(reply.status), kSecurityFields);
  for (const auto& [name, value] : reply.fields) head += fmt::format("{}: {}\r\n", name, value);
  if (!reply.type.empty()) head += fmt::format("Content-Type: {}\r\n", reply.type);
  const bool bodiless = reply.status == 204 || reply.status == 304;
  if (with_length && !bodiless) {
    const std::uint64_t length = reply.file ? reply.length : reply.body.size();
    head += fmt::format("Content-Length: {}\r\n", length);
  }
  return head + (reply.keep_alive ? "\r\n" : "Connection: close\r\n\r\n");
}

}  // namespace supple::server
