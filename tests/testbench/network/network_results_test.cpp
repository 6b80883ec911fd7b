// SPDX-License-Identifier: Apache-2.0
// What a network tells of messages under way: the flits that have crossed channels are counted
// anew, cycle by cycle, and the cycles lost so far are those of a network in which no worms fall
// into step, and the beginnings of what is lost in the end. That the results of a network are those
// of a run when all is received is in network_slices_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "testbench/network/network.h"
#include "testbench/network/network_results.h"
#include "testbench/observe/monitors/events_json.h"
#include "testbench/plan/plan_run.h"
#include "testbench/simulation/simulate.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/testbench/network/network_cases.h"
#include "tlm/worm/engine.h"
#include "traffic/algorithms/algorithms.h"

namespace allport::test {
namespace {

std::string events_of(const Results& results, const Topology& topology) {
  Json json;
  add_contention(json, results, false, topology);
  add_deadlock(json, results, false, topology);
  return json.dump(1);
}

// Notes in which cycles flits leave by each external channel: of a fabric of worms that is told of
// all messages before it starts.
class CrossingLog final : public WormMovementListener, public WormListener {
 public:
  void on_granted(WormIndex id, const Passage& passage, const Passage*, Cycle) override {
    if (id >= senders_.size()) senders_.resize(2 * std::size_t{id} + 2);
    const bool is_external = !passage.is_first && !passage.is_last;
    senders_[id] = {is_external ? static_cast<std::int64_t>(passage.out_channel) : -1, -1};
  }
  void on_start(WormIndex id, Cycle now) override { senders_[id].since = now; }
  void on_stop(WormIndex id, Cycle now) override {
    for (Cycle at = senders_[id].since; at >= 0 && at < now; ++at) note(id, at);
    senders_[id].since = -1;
  }
  void on_move(WormIndex id, Cycle now) override { note(id, now); }
  void on_slept(WormIndex id, std::uint64_t moves, Cycle period, Cycle periods,
                Cycle from) override {
    const bool is_running = senders_[id].since >= 0;
    if (is_running) on_stop(id, from);
    for (Cycle at = from; at < from + periods * period; ++at) {
      if ((moves >> (period - 1 - (at - from) % period) & 1U) != 0) note(id, at);
    }
    if (is_running) senders_[id].since = from + periods * period;
    has_slept_ = has_slept_ || periods > 0;
  }
  void on_sent(NodeId, MessageId, Cycle) override {}
  void on_received(const WormReception&) override {}

  bool has_slept() const { return has_slept_; }
  /// The flits that left by each of `channels` channels before cycle `now`.
  std::vector<std::uint64_t> before(Cycle now, std::size_t channels) const {
    std::vector<std::uint64_t> flits(channels);
    for (const auto& [channel, cycle] : crossings_) {
      if (cycle < now) ++flits[channel];
    }
    return flits;
  }

 private:
  struct Sender {
    std::int64_t channel = -1;  // -1: it is none between routers
    Cycle since = -1;
  };
  void note(WormIndex id, Cycle cycle) {
    const std::int64_t channel = senders_[id].channel;
    if (channel >= 0) crossings_.emplace_back(static_cast<std::size_t>(channel), cycle);
  }

  std::vector<Sender> senders_;  // by passage
  std::vector<std::pair<std::size_t, Cycle>> crossings_;
  bool has_slept_ = false;
};

RunPlan plan_of_network(const std::string& options) {
  const NetworkRequest network = read_network_request(options);
  RunRequest request;
  request.fabric = network.fabric;
  request.router = network.router;
  request.traffic.ties = network.ties;
  request.model = Model::worm;
  return plan_fabric(request);
}

CrossingLog crossings_of(const RunPlan& plan, const std::vector<TimedMessage>& messages) {
  CrossingLog log;
  WormEngine engine(plan.router, plan.routing, log);
  engine.observe(static_cast<WormMovementListener&>(log));
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const NetworkMessage& one = messages[i].message;
    const TieMask ties = plan.routing.default_ties(one.source, one.destination, 0);
    engine.send({static_cast<MessageId>(i), one.source, one.destination, ties,
                 static_cast<int>(one.flits), messages[i].at, -1, MessageKind::unicast, 0,
                 one.message_class});
  }
  for (Cycle moment = engine.next_moment(); moment != WormCalendar::never;
       moment = engine.next_moment()) {
    engine.pass(moment);
  }
  return log;
}

TEST(NetworkResults, OfMessagesUnderWayHaveTheFlitsThatHaveGone) {
  const RandomCases cases(300);
  int slept = 0;
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Draw draw(seed + 1100000);
    const std::string options = draw_options(draw);
    const RunPlan plan = plan_of_network(options);
    const Topology& topology = plan.routing.topology();
    const auto messages = by_time(
        draw_unicasts(draw, topology.node_count(), classes_of(options), 1 + draw.below(16)));
    const CrossingLog log = crossings_of(plan, messages);
    if (log.has_slept()) ++slept;
    Network network = network_of(options + " record=true");
    for (const TimedMessage& one : messages) network.send(one.message, one.at);
    while (!network.is_idle()) {
      const Cycle to = network.now() + draw.one_of<int>({0, 1, 7, 40, 200});
      if (draw.below(2) == 0) {
        network.advance(to);
      } else {
        network.advance_to_delivery(to);
      }
      const Results results = network.results();
      if (network.now() == 0) continue;
      const std::vector<std::uint64_t>& flits = results.traffic->channel_load.flits;
      ASSERT_EQ(flits, log.before(network.now(), flits.size()))
          << "seed " << seed << ", cycle " << network.now() << ": " << options;
      ASSERT_EQ(results.flit_hops, std::accumulate(flits.begin(), flits.end(), std::uint64_t{0}));
    }
  }
  EXPECT_GT(slept, 0);  // the test has seen worms that move in step
}

// No worms fall into step where nodes hold credits back as they like, which they do not where there
// is room for everything.
TEST(NetworkResults, OfWormsThatMoveInStepAreThoseOfWormsThatDoNot) {
  const RandomCases cases(300);
  std::size_t events = 0;
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Draw draw(seed + 1200000);
    const std::string options = draw_options(draw) + " record=true";
    Network network = network_of(options);
    Network wakeful = network_of(options + " reception_limit=1000000000");
    const Topology& topology = network.topology();
    for (const TimedMessage& one :
         draw_unicasts(draw, topology.node_count(), classes_of(options), 1 + draw.below(16))) {
      network.send(one.message, one.at);
      wakeful.send(one.message, one.at);
    }
    while (!network.is_idle()) {
      const Cycle to = network.now() + draw.one_of<int>({0, 1, 7, 40, 200});
      network.advance(to);
      wakeful.advance(to);
      const Results results = network.results();
      const Results others = wakeful.results();
      ASSERT_EQ(events_of(results, topology), events_of(others, topology))
          << "seed " << seed << ", cycle " << network.now() << ": " << options;
      ASSERT_EQ(results.flit_hops, others.flit_hops) << "seed " << seed << ": " << options;
      events += results.contention.events;
    }
  }
  EXPECT_GT(events, cases.end - cases.first);  // the test has something to see
}

// With one virtual channel a message waits for another one at a channel once, without a gap.
TEST(NetworkResults, OfMessagesUnderWayHaveTheCyclesLostSoFar) {
  const RandomCases cases(300);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Draw draw(seed + 1300000);
    const std::string options =
        "topology=mesh:4x4 record=true ports=" + std::to_string(1 + 3 * draw.below(2)) +
        " buffer_depth=" + std::to_string(1 + draw.below(6));
    const auto messages = draw_unicasts(draw, 16, 1, 1 + draw.below(16));
    Network network = network_of(options);
    Network to_the_end = network_of(options);
    for (const TimedMessage& one : messages) {
      network.send(one.message, one.at);
      to_the_end.send(one.message, one.at);
    }
    to_the_end.advance(end_of_case);
    const Results all = to_the_end.results();
    while (!network.is_idle()) {
      network.advance(network.now() + draw.one_of<int>({0, 1, 7, 40, 200}));
      Results expected = all;
      for (Contention* one : {&expected.contention, &expected.reception}) {
        std::vector<ContentionEvent> list;
        one->blocked_cycles = 0;
        for (ContentionEvent event : one->list) {
          if (event.cycle >= network.now()) continue;
          event.cycles = std::min(event.cycles, network.now() - event.cycle);
          one->blocked_cycles += event.cycles;
          list.push_back(event);
        }
        one->events = list.size();
        one->list = std::move(list);
      }
      ASSERT_EQ(events_of(network.results(), network.topology()),
                events_of(expected, network.topology()))
          << "seed " << seed << ", cycle " << network.now() << ": " << options;
    }
  }
}

// 0 -> 3 and 1 -> 3 on a line: the second one holds channels 1 -> 2 and 2 -> 3, for which the head
// of the first one waits from cycle 1 on, until the tail of eight flits has gone.
TEST(NetworkResults, AreAsJson) {
  Network network = network_of("topology=mesh:4 record=true");
  EXPECT_EQ(results_json(network)["messages"], 0);
  EXPECT_FALSE(results_json(network).contains("traffic"));
  network.send(unicast(0, 3, 8), 0);
  network.send(unicast(1, 3, 8), 0);
  network.advance(4);
  const Json early = results_json(network);
  EXPECT_EQ(early["cycles"], 0);
  EXPECT_EQ(
      early["contention"]["list"][0].dump(),
      R"({"cycle":1,"cycles":4,"channel":{"node":1,"port":0},"waiting":{"u":0,"v":3},"holding":{"u":1,"v":3}})");
  EXPECT_EQ(early["traffic"]["latency"]["mean"], nullptr);
  EXPECT_EQ(early["traffic"]["offered"], 16.0 / (4 * 5));
  network.advance(99);
  const Json json = results_json(network);
  EXPECT_EQ(json["model"], "worm");
  EXPECT_EQ(json["messages"], 2);
  EXPECT_EQ(json["flit_hops"], 8 * (3 + 2));
  EXPECT_EQ(json["contention"]["events"], 1);
  EXPECT_EQ(json["contention"]["blocked_cycles"], 7);
  EXPECT_EQ(json["deadlock"], nullptr);
  EXPECT_EQ(json["traffic"]["accepted"], 16.0 / (4 * 100));
  EXPECT_EQ(json["traffic"]["latency"]["max"], json["cycles"]);
  EXPECT_EQ(json["traffic"]["channel_load"].dump(),
            R"({"mean":0.06666666666666667,"max":0.16,"channel":{"node":1,"port":0}})");
  EXPECT_EQ(results_text(network), json.dump());
}

TEST(NetworkResults, OfTreesCountEachReceptionAndBranch) {
  Network network = network_of("topology=hypercube:3 record=true");
  network.send(tree(0, 4), 10);
  network.advance(12);
  EXPECT_EQ(network.results().messages, 1U);
  EXPECT_LT(network.results().flit_hops, 7U * 4);
  network.advance(99);
  const Results results = network.results();
  EXPECT_EQ(results.flit_hops, 7U * 4);
  EXPECT_EQ(results.deliveries.size(), 7U);
  EXPECT_EQ(results.traffic->latency_histogram, (LatencyHistogram{0, 0, 7}));
  EXPECT_EQ(results.traffic->accepted, 7.0 * 4 / (8 * 100));
}

// Two trees that wait for each other, against those of a run in which both start in cycle 0.
TEST(NetworkResults, HaveTheDeadlockOfARun) {
  Network network = network_of("topology=hypercube:2 buffer_depth=1 record=true");
  network.send(tree(0, 12), 0);
  network.send(tree(2, 12), 0);
  network.advance(50);
  const Results results = network.results();
  RunRequest request;
  request.fabric.topology = parse_topology("hypercube:2");
  request.router.buffer_depth = 1;
  request.traffic.algorithm = &find_algorithm("tree");
  request.traffic.sources = {NodeNumber{0}, NodeNumber{2}};
  request.message.flits = 12;
  request.model = Model::worm;
  const Results run = simulate(plan(request));
  ASSERT_TRUE(results.deadlock && run.deadlock);
  EXPECT_EQ(results.deadlock->cycle, network.deadlock()->cycle);
  EXPECT_EQ(events_of(results, network.topology()), events_of(run, network.topology()));
  EXPECT_EQ(results.cycles, run.cycles);
  EXPECT_EQ(results.flit_hops, run.flit_hops);
}

// Messages are called by their places at their sources in the order of (at, call), whenever they
// were handed over.
TEST(NetworkResults, CallMessagesByTheirTurn) {
  Network network = network_of("topology=mesh:3 record=true");
  network.send(unicast(0, 2, 3), 50);
  network.send(unicast(0, 1, 2), 10);
  network.advance(30);
  EXPECT_EQ(network.results().deliveries.at(0).message, 0);
  network.send(unicast(0, 1, 4), 40);
  network.advance(99);
  std::vector<std::pair<int, Cycle>> called;
  const Results results = network.results();
  for (const Delivery& one : results.deliveries) {
    called.emplace_back(one.message, one.tail - one.head + 1);
  }
  EXPECT_THAT(called, testing::ElementsAre(std::pair<int, Cycle>{0, 2}, std::pair<int, Cycle>{1, 4},
                                           std::pair<int, Cycle>{2, 3}));
}

TEST(NetworkResults, AreRefusedWithoutARecord) {
  const Network network = network_of("topology=mesh:4");
  EXPECT_EQ(sentence_of_call([&] { network.results(); }),
            "results: the network keeps no record of its messages; it does where record is true");
  EXPECT_EQ(sentence_of_call([] { network_of("topology=mesh:4 record=1"); }),
            "record: '1' must be true or false");
}

}  // namespace
}  // namespace allport::test
