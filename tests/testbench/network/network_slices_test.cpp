// SPDX-License-Identifier: Apache-2.0
// Slicing does not matter: whatever calls cut time, a network delivers what it delivers to a client
// who sends all at once and advances once, and what `allport run` delivers of the same messages as
// a schedule with times; where it records, its results are those of that run. ALLPORT_CASES and
// ALLPORT_NIGHTLY_SEED choose other cases (scripts/nightly).
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "testbench/network/network.h"
#include "testbench/observe/monitors/events_json.h"
#include "testbench/plan/plan_run.h"
#include "testbench/results/statistics.h"
#include "testbench/simulation/simulate.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/testbench/network/network_cases.h"
#include "traffic/tasks/schedule_tasks.h"

namespace allport::test {
namespace {

constexpr Cycle end_of_slices = 100000000;

std::vector<Told> told_of(const std::vector<NetworkDelivery>& deliveries) {
  std::vector<Told> list;
  for (const NetworkDelivery& one : deliveries) list.push_back(told(one));
  return list;
}

// All sends before the first cycle, in the order given, and one call.
std::vector<Told> at_once(const std::string& options, const std::vector<TimedMessage>& messages) {
  Network network = network_of(options);
  for (const TimedMessage& one : messages) network.send(one.message, one.at);
  std::vector<Told> list = told_of(network.advance(end_of_slices));
  EXPECT_TRUE(network.is_idle());
  return list;
}

// A client that cuts time at random, hands each message over at some time before its cycle, and
// answers some messages: at the reception itself or later. Notes all that it sent.
class RandomClient {
 public:
  RandomClient(const std::string& options, std::vector<TimedMessage> messages, Draw& draw)
      : network_(network_of(options)), messages_(by_time(std::move(messages))), draw_(draw) {}

  std::vector<Told> run() {
    while (next_ < messages_.size() || !network_.is_idle()) {
      send_some();
      const Cycle event = network_.next_event();
      const Cycle to = last_call();
      const Cycle before = network_.now();
      const bool to_delivery = draw_.below(2) == 0;
      const auto& received = to_delivery ? network_.advance_to_delivery(to) : network_.advance(to);
      for (const NetworkDelivery& one : received) {
        EXPECT_GE(one.tail, event);
        EXPECT_GE(one.tail, before);
        EXPECT_LE(one.tail, to);
        EXPECT_TRUE(!to_delivery || one.tail == network_.now());
      }
      EXPECT_TRUE((to_delivery && !received.empty()) || network_.now() == to + 1);
      const std::vector<NetworkDelivery> copy = received;
      for (const NetworkDelivery& one : copy) {
        heard_.push_back(told(one));
        answer(one);
      }
      if (network_.now() > end_of_slices) break;
    }
    return heard_;
  }

  const std::vector<TimedMessage>& sent() const { return sent_; }
  const Network& network() const { return network_; }

 private:
  // Those whose cycle must not pass, and now and then one more.
  void send_some() {
    while (next_ < messages_.size() &&
           (messages_[next_].at <= network_.now() || draw_.below(3) == 0)) {
      send(messages_[next_].message, std::max(messages_[next_].at, network_.now()));
      ++next_;
    }
  }

  // The end of a slice before which all is sent whose cycle lies in it.
  Cycle last_call() {
    const Cycle cut = network_.now() + draw_.one_of<int>({0, 0, 1, 2, 7, 30, 300, 3000});
    if (next_ == messages_.size()) return cut;
    return std::max(network_.now(), std::min(cut, messages_[next_].at - 1));
  }

  void answer(const NetworkDelivery& one) {
    if (one.user >= 1000 || draw_.below(2) == 0) return;
    const Cycle delay = draw_.one_of<int>({0, 0, 0, 1, 20});
    NetworkMessage reply =
        unicast(index(one.destination), index(one.source), 1 + draw_.below(20), one.user + 1000);
    reply.message_class = one.message_class;
    send(reply, network_.now() + delay);
  }

  void send(const NetworkMessage& message, Cycle at) {
    network_.send(message, at);
    sent_.push_back({message, at});
  }

  Network network_;
  std::vector<TimedMessage> messages_;
  Draw& draw_;
  std::size_t next_ = 0;
  std::vector<TimedMessage> sent_;
  std::vector<Told> heard_;
};

struct SlicedRun {
  std::string options;
  std::vector<TimedMessage> sent;
  std::vector<Told> heard;
  Results results;  // if it records
};

SlicedRun random_run(std::uint64_t seed, bool records = false) {
  Draw draw(seed);
  SlicedRun run;
  run.options = draw_options(draw) + (records ? " record=true" : "");
  const std::size_t nodes = read_network_request(run.options).fabric.topology->node_count();
  RandomClient client(
      run.options, draw_unicasts(draw, nodes, classes_of(run.options), 1 + draw.below(24)), draw);
  run.heard = client.run();
  run.sent = client.sent();
  if (records) run.results = client.network().results();
  return run;
}

TEST(NetworkSlices, DoNotMatter) {
  const RandomCases cases(2000);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    const SlicedRun run = random_run(seed);
    ASSERT_EQ(run.heard, at_once(run.options, run.sent)) << "seed " << seed << ": " << run.options;
    ASSERT_EQ(run.heard.size(), run.sent.size()) << "seed " << seed;
    ASSERT_EQ(run.heard, at_once(run.options, by_time(run.sent))) << "seed " << seed;
  }
}

// The same messages as a schedule with times, in the order of (at, call) at each node, whose
// `users` are by node.
Results simulated(const SlicedRun& run, Model model,
                  std::vector<std::vector<std::uint64_t>>& users) {
  const NetworkRequest network = read_network_request(run.options);
  RunRequest request;
  request.fabric = network.fabric;
  request.router = network.router;
  request.traffic.ties = network.ties;
  request.model = model;
  const std::size_t nodes = network.fabric.topology->node_count();
  std::vector<int> orders(nodes);
  users.assign(nodes, {});
  std::vector<TimedUnicast> schedule;
  for (const TimedMessage& one : by_time(run.sent)) {
    TimedUnicast timed;
    timed.unicast.u = one.message.source;
    timed.unicast.v = one.message.destination;
    timed.unicast.order = orders[index(one.message.source)]++;
    timed.flits = static_cast<int>(one.message.flits);
    timed.at = one.at;
    timed.message_class = static_cast<std::uint8_t>(one.message.message_class);
    users[index(one.message.source)].push_back(one.message.user);
    schedule.push_back(timed);
  }
  request.traffic.graph = std::make_shared<TaskGraph>(
      schedule_tasks(schedule, "schedule", 1, network.flit_bytes, nodes));
  return simulate(plan(request));
}

std::vector<Told> simulated(const SlicedRun& run, Model model) {
  std::vector<std::vector<std::uint64_t>> users;
  const Results results = simulated(run, model, users);
  EXPECT_TRUE(results.is_complete());
  std::vector<Told> list;
  for (const Delivery& one : results.deliveries) {
    const std::uint64_t user = users[index(one.source)].at(static_cast<std::size_t>(one.message));
    list.emplace_back(user, index(one.source), index(one.destination), 0, 0, one.head, one.tail);
  }
  std::sort(list.begin(), list.end());
  return list;
}

// What a run tells of a delivery: neither its port nor the cycle of its injection.
std::vector<Told> as_a_run_tells(std::vector<Told> list) {
  for (Told& one : list) {
    std::get<3>(one) = 0;
    std::get<4>(one) = 0;
  }
  std::sort(list.begin(), list.end());
  return list;
}

TEST(NetworkSlices, AreThoseOfARunOfTheSameSchedule) {
  const RandomCases cases(60);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    const SlicedRun run = random_run(seed);
    const std::vector<Told> heard = as_a_run_tells(run.heard);
    ASSERT_EQ(heard, simulated(run, Model::worm)) << "seed " << seed << ": " << run.options;
    ASSERT_EQ(heard, simulated(run, Model::systemc)) << "seed " << seed << ": " << run.options;
  }
}

// Sends all at once in the order drawn, which is not that of `at`, and lets cycles pass in slices.
std::vector<Told> in_slices(const std::string& options, const std::vector<TimedMessage>& messages,
                            Draw& draw) {
  Network network = network_of(options);
  for (const TimedMessage& one : messages) network.send(one.message, one.at);
  std::vector<Told> heard;
  while (!network.is_idle()) {
    const Cycle to = network.now() + draw.one_of<int>({0, 1, 7, 40, 300});
    const bool stops = draw.below(2) == 0;
    for (const NetworkDelivery& one :
         stops ? network.advance_to_delivery(to) : network.advance(to)) {
      heard.push_back(told(one));
    }
  }
  return heard;
}

std::string draw_even_rings(Draw& draw) {
  return "topology=" + draw.one_of<std::string>({"ring:8", "torus:4x4", "torus:6x2"}) +
         " vcs=2 buffer_depth=" + std::to_string(draw.one_of<int>({1, 2, 4, 8}));
}

TEST(NetworkSlices, OfCallsInAnyOrderAreThoseOfARunOfTheSameSchedule) {
  const RandomCases cases(60);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Draw draw(seed + 2100000);
    SlicedRun run;
    run.options = draw_even_rings(draw) +
                  " ties=" + draw.one_of<std::string>({"positive", "negative", "alternate"});
    const std::size_t nodes = read_network_request(run.options).fabric.topology->node_count();
    run.sent = draw_unicasts(draw, nodes, 1, 2 + draw.below(24));
    const std::vector<Told> heard = in_slices(run.options, run.sent, draw);
    ASSERT_EQ(heard, at_once(run.options, by_time(run.sent))) << "seed " << seed;
    ASSERT_EQ(as_a_run_tells(heard), simulated(run, Model::worm))
        << "seed " << seed << ": " << run.options;
  }
}

// Ties that are drawn are drawn for the number of a message at its source: that of its call.
TEST(NetworkSlices, DrawTiesByTheOrderOfCalls) {
  const RandomCases cases(60);
  std::size_t different = 0;
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Draw draw(seed + 2200000);
    SlicedRun run;
    run.options = draw_even_rings(draw) + " ties=random:" + std::to_string(draw.below(100));
    const std::size_t nodes = read_network_request(run.options).fabric.topology->node_count();
    const auto drawn = draw_unicasts(draw, nodes, 1, 2 + draw.below(24));
    run.sent = by_time(drawn);
    ASSERT_EQ(as_a_run_tells(in_slices(run.options, run.sent, draw)), simulated(run, Model::worm))
        << "seed " << seed << ": " << run.options;
    const std::vector<Told> heard = in_slices(run.options, drawn, draw);
    ASSERT_EQ(heard, at_once(run.options, drawn)) << "seed " << seed << ": " << run.options;
    if (heard != at_once(run.options, run.sent)) ++different;
  }
  EXPECT_GT(different, 0U);
}

// The second call of node 0 goes the way of its second message, whenever that is.
TEST(NetworkSlices, ATieIsThatOfTheNumberOfItsCall) {
  const NetworkRequest request = read_network_request("topology=ring:8 vcs=2 ties=random:5");
  const Topology& topology = *request.fabric.topology;
  std::map<TieMask, std::set<int>> ports;  // by the way of the message
  Network network(request);
  for (int call = 0; call < 20; ++call) network.send(unicast(0, 4, 1, call), 1000 - 40 * call);
  for (const NetworkDelivery& one : network.advance(2000)) {
    ports[request.ties.ties(topology, node_id(0), node_id(4), static_cast<int>(one.user))].insert(
        one.port);
  }
  ASSERT_EQ(ports.size(), 2U);
  EXPECT_EQ(ports[0].size(), 1U);
  EXPECT_EQ(ports[1].size(), 1U);
  EXPECT_NE(ports[0], ports[1]);
}

// What the results of a network and of a run have in common.
std::string shared(const Results& results, const Topology& topology) {
  Json json;
  add_statistics(json, results, Presence::always);
  add_contention(json, results, false, topology);
  json["is_complete"] = results.is_complete();
  json["digest"] = results.digest;
  return json.dump(1);
}

TEST(NetworkSlices, HaveTheResultsOfARunOfTheSameSchedule) {
  const RandomCases cases(60);
  std::size_t contended = 0;
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    const SlicedRun run = random_run(seed, true);
    std::vector<std::vector<std::uint64_t>> users;
    const Network network = network_of(run.options);
    const Topology& topology = network.topology();
    const std::string told = shared(run.results, topology);
    ASSERT_EQ(told, shared(simulated(run, Model::worm, users), topology))
        << "seed " << seed << ": " << run.options;
    ASSERT_EQ(told, shared(simulated(run, Model::systemc, users), topology))
        << "seed " << seed << ": " << run.options;
    contended += run.results.contention.events;
  }
  EXPECT_GT(contended, cases.end - cases.first);  // the test has something to see
}

}  // namespace
}  // namespace allport::test
