// SPDX-License-Identifier: Apache-2.0
#include "client.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <thread>

namespace supple::server::testing {
namespace {

using namespace std::chrono_literals;

bool wait_for_listeners(const Server& server, std::size_t count) {
  for (int i = 0; i < 6000; ++i) {
    if (server.listener_count() == count) return true;
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

std::string listen_request(const Fixture& at) {
  return get(at.port(), "/api/events");
}

TEST(Events, ReachEveryListenerInOrder) {
  const Fixture at;
  Client first(at.port());
  Client second(at.port());
  first.send(listen_request(at));
  second.send(listen_request(at));
  ASSERT_TRUE(wait_for_listeners(*at.server, 2));
  at.server->send_event("changed", "{\"id\": \"a\"}");
  at.server->send_event("state", "1\n2\r\n3");
  for (Client* client : {&first, &second}) {
    const std::string text = client->receive_until("data: 3\n\n");
    EXPECT_EQ(parse(text).fields.at("content-type"), "text/event-stream");
    EXPECT_EQ(parse(text).body,
              "event: changed\ndata: {\"id\": \"a\"}\n\n"
              "event: state\ndata: 1\ndata: 2\ndata: 3\n\n");
  }
}

TEST(Events, ListenersThatLeaveAreForgotten) {
  const Fixture at;
  {
    Client client(at.port());
    client.send(listen_request(at));
    ASSERT_TRUE(wait_for_listeners(*at.server, 1));
  }
  EXPECT_TRUE(wait_for_listeners(*at.server, 0));
  at.server->send_event("changed", "{}");
  at.expect_unharmed();
}

TEST(Events, SlowListenersAreDroppedAndOthersAreNot) {
  Limits limits;
  limits.queued_bytes = 100'000;
  const Fixture at(limits);
  Client slow(at.port(), Client::Window::Small);
  slow.send(listen_request(at));
  Client quick(at.port());
  quick.send(listen_request(at));
  ASSERT_TRUE(wait_for_listeners(*at.server, 2));
  const std::string state(10'000, 's');
  // More than any kernel buffer, at the reader's pace.
  int sent = 0;
  while (at.server->listener_count() == 2 && sent < 2000) {
    at.server->send_event(fmt::format("state-{}", sent), state);
    (void)quick.receive_until(fmt::format("event: state-{}\n", sent));
    ++sent;
  }
  EXPECT_TRUE(wait_for_listeners(*at.server, 1)) << sent;
  at.server->send_event("last", "x");
  EXPECT_NE(quick.receive_until("event: last").find("event: last"), std::string::npos);
  (void)slow.receive_all();
  EXPECT_TRUE(slow.ended());
}

TEST(Events, StatesReachTheirOwnStreamAlone) {
  const Fixture at;
  Client events(at.port());
  Client states(at.port());
  events.send(listen_request(at));
  states.send(get(at.port(), "/api/states"));
  ASSERT_TRUE(wait_for_listeners(*at.server, 2));
  EXPECT_EQ(at.server->listener_count("api/states"), 1U);
  EXPECT_EQ(at.server->listener_count("api/elsewhere"), 0U);
  at.server->send_state("api/states", "frame", "1");
  at.server->send_event("changed", "{}");
  const std::string all = "event: changed\ndata: {}\n\n";
  EXPECT_EQ(parse(events.receive_until(all)).body, all);
  EXPECT_EQ(parse(states.receive_until(all)).body, "event: frame\ndata: 1\n\n" + all);
}

TEST(Events, SlowListenersMissStatesAndStay) {
  Limits limits;
  limits.queued_bytes = 100'000;
  const Fixture at(limits);
  Client slow(at.port(), Client::Window::Small);
  slow.send(get(at.port(), "/api/states"));
  Client quick(at.port());
  quick.send(get(at.port(), "/api/states"));
  ASSERT_TRUE(wait_for_listeners(*at.server, 2));
  // Many times the capacity of the kernel and the queue, at the reader's pace.
  constexpr int kStates = 1500;
  for (int sent = 0; sent < kStates; ++sent) {
    at.server->send_state("api/states", fmt::format("state-{}", sent), std::string(10'000, 's'));
    if (sent % 50 == 0) (void)quick.receive_until(fmt::format("event: state-{}\n", sent));
  }
  EXPECT_EQ(at.server->listener_count("api/states"), 2U);
  const std::string last = fmt::format("event: state-{}\n", kStates - 1);
  const std::string seen = slow.receive_until(last);
  EXPECT_NE(seen.find(last), std::string::npos) << "the newest state is missing";
  EXPECT_LT(seen.size(), 5'000'000U) << "older ones were kept";
}

TEST(Events, StreamsThatEmptyAreForgotten) {
  const Fixture at;
  {
    Client client(at.port());
    client.send(get(at.port(), "/api/states"));
    ASSERT_TRUE(wait_for_listeners(*at.server, 1));
  }
  EXPECT_TRUE(wait_for_listeners(*at.server, 0));
  EXPECT_EQ(at.server->listener_count("api/states"), 0U);
  at.server->send_state("api/states", "frame", "1");
  at.expect_unharmed();
}

TEST(Events, SilentStreamsBeat) {
  Limits limits;
  limits.heartbeat = 50ms;
  const Fixture at(limits);
  Client client(at.port());
  client.send(listen_request(at));
  EXPECT_NE(client.receive_until(":\n\n:\n\n:\n\n").find(":\n\n:\n\n:\n\n"), std::string::npos);
}

TEST(Events, StalledListenersEnd) {
  Limits limits;
  limits.heartbeat = 100ms;
  const Fixture at(limits);
  Client stalled(at.port(), Client::Window::Small);
  stalled.send(listen_request(at));
  ASSERT_TRUE(wait_for_listeners(*at.server, 1));
  at.server->send_event("state", std::string(900'000, 's'));  // below what may be queued
  EXPECT_TRUE(wait_for_listeners(*at.server, 0));
  at.expect_unharmed();
}

TEST(Events, HaveALimitOfListeners) {
  Limits limits;
  limits.listeners = 1;
  const Fixture at(limits);
  Client client(at.port());
  client.send(listen_request(at));
  ASSERT_TRUE(wait_for_listeners(*at.server, 1));
  EXPECT_EQ(request(at.port(), listen_request(at)).status, 503);
  at.expect_unharmed();
}

TEST(Events, SayGoodbye) {
  const Fixture at;
  Client client(at.port());
  client.send(listen_request(at));
  ASSERT_TRUE(wait_for_listeners(*at.server, 1));
  at.server->stop();
  EXPECT_NE(client.receive_all().find("event: bye\ndata: {}\n\n"), std::string::npos);
  EXPECT_TRUE(client.ended());
}

}  // namespace
}  // namespace supple::server::testing
