// SPDX-License-Identifier: Apache-2.0
#include "server/router.hpp"

#include "server/byte_range.hpp"
#include "server/media_type.hpp"
#include "server/request_target.hpp"
#include "server/token.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

namespace supple::server {
namespace {

constexpr std::uint16_t kDefaultPort = 80;

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

bool only_reads(const std::string& method) {
  return method == "GET" || method == "HEAD";
}

Decision answer(Reply reply) {
  Decision decision;
  decision.reply = std::move(reply);
  return decision;
}

Decision not_allowed(std::string_view methods) {
  Reply reply = refusal(405, fmt::format("only {} is allowed here", methods));
  reply.fields.emplace_back("Allow", methods);
  return answer(std::move(reply));
}

/// Whether a list of tags ("a", W/"b", or *) contains ours.
bool lists_tag(std::string_view list, std::string_view tag) {
  return list == "*" || list.find(tag) != std::string_view::npos;
}

Reply serve_file(ServedFile file, std::string_view path, const RequestHead& head) {
  Reply reply;
  reply.type = media_type(path);
  reply.fields = {{"ETag", file.tag()},
                  {"Cache-Control", "no-cache"},  // cached, but revalidated each time
                  {"Accept-Ranges", "bytes"}};
  if (lists_tag(head.value("if-none-match"), file.tag())) {
    reply.status = 304;
    return reply;
  }
  const std::string_view condition = head.value("if-range");
  const bool same = condition.empty() || condition == file.tag();
  const ByteRange range = parse_range(same ? head.value("range") : std::string_view(), file.size());
  if (range.kind == ByteRange::Kind::Outside) {
    Reply outside = refusal(416, "the file ends before that range");
    outside.fields.emplace_back("Content-Range", fmt::format("bytes */{}", file.size()));
    return outside;
  }
  reply.offset = range.first;
  reply.length = range.length;
  if (range.kind == ByteRange::Kind::Part) {
    reply.status = 206;
    reply.fields.emplace_back(
        "Content-Range",
        fmt::format("bytes {}-{}/{}", range.first, range.first + range.length - 1, file.size()));
  }
  reply.file = std::make_unique<ServedFile>(std::move(file));
  return reply;
}

/// The length of a body must be unambiguous.
std::optional<Reply> check_framing(const RequestHead& head) {
  if (head.count("content-length") > 1)
    return refusal(400, "a request must have only one Content-Length");
  const std::size_t encodings = head.count("transfer-encoding");
  if (encodings > 1 || (encodings == 1 && lower(head.value("transfer-encoding")) != "chunked")) {
    return refusal(400, "the only supported Transfer-Encoding is chunked");
  }
  const std::size_t expectations = head.count("expect");
  if (expectations > 1 || (expectations == 1 && lower(head.value("expect")) != "100-continue")) {
    return refusal(417, "the only supported expectation is 100-continue");
  }
  return {};
}

Decision serve_found(std::optional<ServedFile> file, const std::string& path,
                     const RequestHead& head) {
  if (!file) return answer(refusal(404, "no such file"));
  if (!only_reads(head.method)) return not_allowed("GET, HEAD");
  return answer(serve_file(*std::move(file), path, head));
}

}  // namespace

std::size_t RequestHead::count(std::string_view name) const {
  return static_cast<std::size_t>(std::count_if(
      fields.begin(), fields.end(), [&](const auto& field) { return field.first == name; }));
}

std::string_view RequestHead::value(std::string_view name) const {
  for (const auto& [key, value] : fields) {
    if (key == name) return value;
  }
  return {};
}

bool RequestHead::has_body() const {
  const std::string_view length = value("content-length");
  return count("transfer-encoding") > 0 || (!length.empty() && length != "0");
}

Router::Router(Site site, std::uint16_t port, const Limits& limits)
    : m_site(std::move(site)), m_limits(limits) {
  for (const std::string_view name : {"127.0.0.1", "localhost"}) {
    m_authorities.push_back(fmt::format("{}:{}", name, port));
    if (port == kDefaultPort) m_authorities.emplace_back(name);
  }
}

bool Router::is_own_authority(std::string_view authority) const {
  return std::find(m_authorities.begin(), m_authorities.end(), lower(authority)) !=
         m_authorities.end();
}

std::optional<Reply> Router::check_client(const RequestHead& head) const {
  if (head.count("host") != 1) return refusal(400, "a request must have exactly one Host");
  const std::string host = lower(head.value("host"));
  // A foreign name that resolves to this machine would let a foreign page read our files.
  if (!is_own_authority(host)) return refusal(403, "this server does not answer for that host");
  if (head.count("origin") > 1) return refusal(400, "a request must have only one Origin");
  if (head.count("origin") == 1 && lower(head.value("origin")) != "http://" + host) {
    return refusal(403, "pages of another origin are not served");
  }
  // Images and scripts of foreign pages send no Origin, but browsers mark them as cross-site.
  // Following a link to us is fine.
  const std::string_view site = head.value("sec-fetch-site");
  const bool foreign = !site.empty() && site != "same-origin" && site != "none";
  if (foreign && head.value("sec-fetch-mode") != "navigate") {
    return refusal(403, "pages of another origin are not served");
  }
  if (auto refused = check_framing(head)) return refused;
  if (only_reads(head.method)) {
    if (head.has_body()) return refusal(400, "a GET or HEAD must not have a body");
    return {};
  }
  if (head.count("x-supple-token") != 1 ||
      !same_token(m_site.token, head.value("x-supple-token"))) {
    return refusal(403, "calls that change something need this run's token in X-Supple-Token");
  }
  // A PUT replaces the existing content: a lost body must not erase it.
  if (head.method == "PUT" && !head.has_body()) {
    return head.count("content-length") == 0
               ? refusal(411, "a PUT must state the length of its body")
               : refusal(400, "a PUT must have a body");
  }
  return {};
}

std::size_t Router::most_body_bytes() const {
  std::size_t most = m_limits.body_bytes;
  for (const Handler& handler : m_site.handlers) most = std::max(most, handler.body_bytes);
  return most;
}

std::size_t Router::body_bytes(const Decision& decision) const {
  const Handler* handler = decision.handler;
  return handler != nullptr && handler->body_bytes > 0 ? handler->body_bytes : m_limits.body_bytes;
}

std::chrono::milliseconds Router::body_time(const Decision& decision) const {
  const Handler* handler = decision.handler;
  return handler != nullptr && handler->body_time.count() > 0 ? handler->body_time : m_limits.body;
}

Decision Router::decide(const RequestHead& head) const {
  if (head.target.size() > m_limits.target_bytes) {
    return answer(refusal(414, "the address is too long"));
  }
  const auto target = parse_target(head.target);
  if (!target || (!target->authority.empty() && !is_own_authority(target->authority))) {
    return answer(refusal(400, "not an address on this server"));
  }
  if (auto refused = check_client(head)) return answer(*std::move(refused));
  return route(head, target->path.empty() ? "index.html" : target->path);
}

Decision Router::route(const RequestHead& head, const std::string& path) const {
  const auto& streams = m_site.streams;
  if ((!m_site.events.empty() && path == m_site.events) ||
      std::find(streams.begin(), streams.end(), path) != streams.end()) {
    if (head.method != "GET") return not_allowed("GET");
    Decision decision;
    decision.kind = Decision::Kind::Listen;
    decision.stream = path;
    return decision;
  }
  if (const auto found = m_site.documents.find(path); found != m_site.documents.end()) {
    if (!only_reads(head.method)) return not_allowed("GET, HEAD");
    Reply reply;
    reply.fields.emplace_back("Cache-Control", "no-store");
    reply.type = found->second.type;
    reply.body = found->second.text;
    return answer(std::move(reply));
  }
  if (const auto found = m_site.files.find(path); found != m_site.files.end()) {
    return serve_found(ServedFile::open(found->second), path, head);
  }
  return serve_handler(head, path);
}

Decision Router::serve_handler(const RequestHead& head, const std::string& path) const {
  std::string methods;
  for (const Handler& handler : m_site.handlers) {
    if (!path.starts_with(handler.path)) continue;
    const bool suits =
        handler.method == head.method || (handler.method == "GET" && head.method == "HEAD");
    if (suits) {
      Decision decision;
      decision.kind = Decision::Kind::Handle;
      decision.handler = &handler;
      decision.rest = path.substr(handler.path.size());
      return decision;
    }
    methods += (methods.empty() ? "" : ", ") + handler.method;
  }
  if (!methods.empty()) return not_allowed(methods);
  if (m_site.root.empty()) return answer(refusal(404, "no such file"));
  return serve_found(ServedFile::open_below(m_site.root, path), path, head);
}

Reply Router::handle(const Decision& decision, const RequestHead& head, std::string body) {
  try {
    Answer made = decision.handler->respond({head.method, decision.rest, std::move(body)});
    if (!made.file.empty()) {
      auto file = ServedFile::open(made.file);
      if (!file) return refusal(404, "no such file");
      Reply reply = serve_file(*std::move(file), made.file.string(), head);
      reply.type = std::move(made.type);
      return reply;
    }
    Reply reply;
    reply.status = made.status;
    reply.fields.emplace_back("Cache-Control", "no-store");
    reply.type = std::move(made.type);
    reply.body = std::move(made.body);
    return reply;
  } catch (const std::exception& failure) {
    return refusal(500, failure.what());
  }
}

}  // namespace supple::server
