// SPDX-License-Identifier: Apache-2.0
// These tests check the reference model's decomposition of latencies: cases worked out by hand, and
// what holds of every delivery of random cases.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "tests/properties/reference/fabric.h"
#include "tests/properties/reference/random_case.h"
#include "tests/properties/reference/random_cases.h"

namespace allport::test {
namespace {

using reference::Account;
using reference::Config;
using reference::Cycle;
using reference::Kind;
using reference::Line;
using reference::MessageName;
using reference::Mode;

using Causes = std::map<std::string, Cycle>;
using Blame = std::map<std::pair<std::string, MessageName>, Cycle>;
using Roots = std::map<std::pair<std::string, std::string>, Cycle>;

Config config_of(const std::string& topology, int flits, int buffer_depth = 4,
                 Mode mode = Mode::wormhole) {
  Config config;
  config.topology = topology;
  config.flits = flits;
  config.buffer_depth = buffer_depth;
  config.mode = mode;
  config.explains = true;
  return config;
}

/// The account of message `u`>`v`, received at `v`, where `lines` are one collective.
Account account(const Config& config, const std::vector<Line>& lines, int u, int v) {
  reference::Collective collective;
  for (const Line& line : lines) collective.sources.push_back(line.u);
  collective.lines = lines;
  std::vector<Account> found;
  for (const Account& each :
       simulate(config, std::vector<reference::Collective>{collective}).accounts) {
    if (each.source == u && each.destination == v) found.push_back(each);
  }
  EXPECT_FALSE(found.empty()) << u << ">" << v << " is not delivered";
  return found.empty() ? Account{} : found.back();
}

Cycle latency(const Account& account) { return account.has - account.created; }

TEST(ReferenceWalk, GivesASmallBufferItsTurnaround) {
  Config config = config_of("hypercube:1", 4, 1);
  EXPECT_EQ(account(config, {{0, 1}}, 0, 1).by_cause,
            (Causes{{"hop", 2}, {"length", 3}, {"turnaround", 3}}));
  config.buffer_depth = 2;
  config.link_delay = 1;
  EXPECT_EQ(account(config, {{0, 1}}, 0, 1).by_cause,
            (Causes{{"hop", 3}, {"length", 3}, {"turnaround", 2}}));
}

TEST(ReferenceWalk, GivesSwitchingModesTheirPrice) {
  const Config stores = config_of("hypercube:2", 4, 4, Mode::store_and_forward);
  EXPECT_EQ(account(stores, {{0, 3}}, 0, 3).by_cause, (Causes{{"hop", 3}, {"length", 12}}));
  const Config circuit = config_of("hypercube:1", 3, 4, Mode::circuit);
  EXPECT_EQ(account(circuit, {{0, 1}}, 0, 1).by_cause,
            (Causes{{"hop", 4}, {"length", 1}, {"ack", 4}}));
  const Config cuts = config_of("hypercube:1", 4, 4, Mode::cut_through);
  const Account second = account(cuts, {{0, 1, 0}, {0, 1, 1}}, 0, 1);
  EXPECT_EQ(second.message, 1);
  EXPECT_EQ(second.by_cause, (Causes{{"hop", 2}, {"length", 3}, {"port", 4}, {"mode", 1}}));
  EXPECT_EQ(second.by_blame, (Blame{{{"port", {0, 1, 0}}, 4}}));
}

TEST(ReferenceWalk, BlamesTheOwnerOfAChannel) {
  const Account kept = account(config_of("hypercube:3", 3), {{7, 1}, {3, 1}}, 3, 1);
  EXPECT_EQ(kept.by_cause, (Causes{{"hop", 2}, {"length", 2}}));
  const Account meets = account(config_of("hypercube:3", 3), {{7, 1}, {3, 1}}, 7, 1);
  EXPECT_EQ(meets.by_cause, (Causes{{"hop", 3}, {"length", 2}, {"channel", 2}}));
  EXPECT_EQ(meets.by_blame, (Blame{{{"channel", {3, 1, 0}}, 2}}));
  EXPECT_EQ(meets.by_root, (Roots{{{"channel", "3:out1.0"}, 2}}));
}

TEST(ReferenceWalk, SaysTheSameOfAStallForEachBufferOfFullRate) {
  for (const int buffer_depth : {2, 4}) {
    Config config = config_of("hypercube:3", 16, buffer_depth);
    config.ports = 1;
    const Account waits = account(config, {{1, 0}, {6, 0}}, 6, 0);
    EXPECT_EQ(waits.by_cause, (Causes{{"hop", 3}, {"length", 15}, {"channel", 15}}));
    EXPECT_EQ(waits.by_blame, (Blame{{{"channel", {1, 0, 0}}, 15}}));
    EXPECT_EQ(waits.by_root, (Roots{{{"channel", "0:ej0"}, 15}}));
  }
}

TEST(ReferenceWalk, BlamesASiblingBranchAsTheBranchItself) {
  Config config = config_of("hypercube:3", 8);
  config.replication_delay = 1;
  const std::vector<Line> lines{{0, 0, 0, Kind::tree}, {4, 6}};
  const auto expect = [&](int v, const Causes& causes, const std::string& cause, Cycle cycles) {
    const Account copy = account(config, lines, 0, v);
    EXPECT_EQ(copy.by_cause, causes) << v;
    EXPECT_EQ(copy.by_blame, (Blame{{{cause, {4, 6, 0}}, cycles}})) << v;
    EXPECT_EQ(copy.by_root, (Roots{{{"channel", "4:out1.0"}, cycles}})) << v;
  };
  expect(1, {{"hop", 2}, {"length", 7}, {"replication", 1}, {"branch", 4}}, "branch", 4);
  expect(4, {{"hop", 2}, {"length", 7}, {"replication", 2}, {"branch", 5}}, "branch", 5);
  expect(7, {{"hop", 4}, {"length", 7}, {"replication", 3}, {"channel", 5}}, "channel", 5);
}

TEST(ReferenceWalk, LetsTwoThatShareAChannelBlameEachOther) {
  const Config config = config_of("torus:4x2", 6);
  for (const auto& [mine, other] : {std::pair<Line, Line>{{2, 0}, {1, 3}}, {{1, 3}, {2, 0}}}) {
    const Account shares = account(config, {{2, 0}, {1, 3}}, mine.u, mine.v);
    EXPECT_EQ(shares.by_cause, (Causes{{"hop", 3}, {"length", 5}, {"switch", 5}}));
    EXPECT_EQ(shares.by_blame, (Blame{{{"switch", {other.u, other.v, 0}}, 5}}));
  }
}

TEST(ReferenceWalk, BlamesTheOwnerOfACircuit) {
  const Config config = config_of("hypercube:2", 4, 4, Mode::circuit);
  const Account waits = account(config, {{2, 1}, {0, 1}}, 2, 1);
  EXPECT_EQ(waits.by_cause, (Causes{{"hop", 6}, {"length", 2}, {"ack", 5}, {"channel", 8}}));
  EXPECT_EQ(waits.by_blame, (Blame{{{"channel", {0, 1, 0}}, 8}}));
}

TEST(ReferenceWalk, FollowsBlameToItsRoot) {
  Config config = config_of("hypercube:4", 16);
  config.ports = 1;
  const Account last = account(config, {{4, 0}, {6, 0}, {14, 1}}, 14, 1);
  EXPECT_EQ(last.by_cause, (Causes{{"hop", 5}, {"length", 15}, {"channel", 26}, {"behind", 4}}));
  EXPECT_EQ(last.by_blame, (Blame{{{"channel", {6, 0, 0}}, 26}, {{"behind", {6, 0, 0}}, 4}}));
  EXPECT_EQ(last.by_root, (Roots{{{"channel", "6:out2.0"}, 15},
                                 {{"channel", "0:ej0"}, 11},
                                 {{"behind", "2:out1.0"}, 2},
                                 {{"behind", "0:ej0"}, 2}}));
}

TEST(ReferenceWalk, FollowsBlameThroughAPort) {
  Config config = config_of("hypercube:3", 16);
  config.ports = 1;
  const Account queues = account(config, {{1, 0}, {2, 0, 0}, {2, 3, 1}}, 2, 3);
  EXPECT_EQ(queues.by_cause, (Causes{{"hop", 2}, {"length", 15}, {"port", 28}, {"behind", 2}}));
  EXPECT_EQ(
      queues.by_root,
      (Roots{{{"port", "2:inj0"}, 16}, {{"channel", "0:ej0"}, 12}, {{"behind", "2:out1.0"}, 2}}));
}

// For four cycles the tree and 2>5 wait for each other at node 4: the tree for VC 1 of its channel
// to 5, 2>5 for its ejection channel. Each chain comes back to where it began, which is its root.
TEST(ReferenceWalk, EndsAChainThatComesBackWhereItWas) {
  Config config = config_of("hypercube:3", 3, 2);
  config.vcs = 2;
  config.ports = 1;
  const std::vector<Line> lines{{0, 0, 0, Kind::tree}, {2, 5, 0, Kind::deposit}, {6, 5}};
  const Account tree = account(config, lines, 0, 4);
  EXPECT_EQ(tree.by_blame, (Blame{{{"branch", {2, 5, 0}}, 4}, {{"branch", {6, 5, 0}}, 1}}));
  EXPECT_EQ(tree.by_root, (Roots{{{"channel", "4:out0.1"}, 4}, {{"channel", "4:out0.0"}, 1}}));
  const Account deposit = account(config, lines, 2, 4);
  EXPECT_EQ(deposit.by_blame,
            (Blame{{{"channel", {0, reference::no_node, 0}}, 6}, {{"switch", {6, 5, 0}}, 1}}));
  EXPECT_EQ(deposit.by_root, (Roots{{{"channel", "4:ej0"}, 5},
                                    {{"channel", "4:out0.1"}, 1},
                                    {{"switch", "6:out1.1"}, 1}}));
}

TEST(ReferenceWalk, GivesAProcessorItsOwnTime) {
  Config config = config_of("hypercube:3", 5);
  config.ports = 1;
  config.ts = 3;
  config.tr = 2;
  const std::vector<Line> lines{{0, 4, 0}, {0, 2, 1}, {2, 3, 0}};
  reference::Collective collective{{0}, lines};
  const reference::Results results =
      simulate(config, std::vector<reference::Collective>{collective});
  ASSERT_EQ(results.accounts.size(), 3u);
  const Account& first = results.accounts[0];
  const Account& second = results.accounts[2];
  EXPECT_EQ(
      first.by_cause,
      (Causes{{"tr", 2}, {"ts", 3}, {"hop", 2}, {"length", 4}, {"port", 2}, {"processor", 3}}));
  EXPECT_EQ(first.by_blame, (Blame{{{"port", {0, 4, 0}}, 2}, {{"processor", {0, 4, 0}}, 3}}));
  EXPECT_EQ(first.by_root, (Roots{{{"port", "0:inj0"}, 2}, {{"processor", "0:proc"}, 3}}));
  EXPECT_EQ(first.contended, 5);
  EXPECT_EQ(second.by_cause, (Causes{{"tr", 2}, {"ts", 3}, {"hop", 2}, {"length", 4}}));
  EXPECT_EQ(second.created, first.has);
}

template <class Key>
Cycle sum(const std::map<Key, Cycle>& cycles) {
  return std::accumulate(cycles.begin(), cycles.end(), Cycle{0},
                         [](Cycle sum, const auto& each) { return sum + each.second; });
}

Cycle cycles_of(const Account& account, const std::string& cause) {
  const auto found = account.by_cause.find(cause);
  return found == account.by_cause.end() ? 0 : found->second;
}

/// What the contract promises of the causes that do not depend on other messages; of a single
/// branch also the most that a pipeline may hold it.
void expect_own_time(const Account& each, const Config& config, bool is_single) {
  const bool is_circuit = config.mode == Mode::circuit && each.flits > 1;
  const Cycle way = each.hops * (1 + config.link_delay);
  EXPECT_EQ(cycles_of(each, "tr"), config.tr);
  EXPECT_EQ(cycles_of(each, "ts"), config.ts);
  if (config.link_delays.empty()) {  // otherwise the way depends on the dimensions
    EXPECT_EQ(cycles_of(each, "hop"), (is_circuit ? 2 : 1) * (way + 1));
    EXPECT_EQ(cycles_of(each, "ack"), is_circuit ? way + 3 : 0);
  }
  EXPECT_LE(cycles_of(each, "jitter"), config.jitter);
  const Cycle crossings = (is_circuit ? 2 : 1) * (each.hops + 1);
  EXPECT_GE(cycles_of(each, "pipeline"), crossings * config.crossbar_delay);
  if (is_single) {
    const Cycle holds = (each.hops + 1) * (config.route_delay + config.vc_delay);
    EXPECT_LE(cycles_of(each, "pipeline"), crossings * config.crossbar_delay + holds);
  }
  if (config.mode != Mode::store_and_forward) {
    EXPECT_EQ(cycles_of(each, "length"), each.flits - (is_circuit ? 2 : 1));
  } else if (config.replication_delay == 0) {
    EXPECT_EQ(cycles_of(each, "length"), (each.hops + 2) * (each.flits - 1));
  }
}

/// At full rate each other cycle blames somebody, except where a worm meets itself.
void expect_full_rate(const Account& each, const Config& config, bool may_meet_itself) {
  const bool is_whole = config.mode == Mode::cut_through || config.mode == Mode::store_and_forward;
  const int full = 2 + 2 * config.link_delay + config.replication_delay + config.crossbar_delay;
  if (is_whole || config.buffer_depth < full) return;
  Cycle blameless = 0;
  for (const char* cause :
       {"tr", "ts", "hop", "length", "replication", "pipeline", "ack", "jitter"}) {
    blameless += cycles_of(each, cause);
  }
  EXPECT_EQ(cycles_of(each, "turnaround"), 0);
  EXPECT_GE(latency(each), blameless + each.contended);
  if (!may_meet_itself) {
    EXPECT_EQ(latency(each), blameless + each.contended);
  }
}

void expect_sums(Traffic traffic, std::uint64_t usual_cases) {
  const RandomCases cases(usual_cases);
  const bool may_meet_itself = traffic == Traffic::kinds || traffic == Traffic::modes;
  std::size_t deliveries = 0;
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Config config;
    for (const Account& each : explain_case(traffic, seed, &config).accounts) {
      ++deliveries;
      ASSERT_EQ(sum(each.by_cause), latency(each));
      ASSERT_EQ(sum(each.by_blame), each.contended);
      ASSERT_EQ(sum(each.by_root), each.contended);
      expect_own_time(each, config, !may_meet_itself);
      expect_full_rate(each, config, may_meet_itself);
    }
    ASSERT_FALSE(testing::Test::HasFailure()) << describe_case(traffic, seed);
  }
  EXPECT_GT(deliveries, cases.end - cases.first);
}

TEST(ReferenceWalk, SumsOverTreesOfUnicasts) { expect_sums(Traffic::schedule, 300); }

TEST(ReferenceWalk, SumsOverCollectivesOfAllKinds) { expect_sums(Traffic::kinds, 300); }

TEST(ReferenceWalk, SumsInEverySwitchingMode) { expect_sums(Traffic::modes, 300); }

TEST(ReferenceWalk, SumsOverUniformTraffic) { expect_sums(Traffic::uniform, 10); }

TEST(ReferenceWalk, SumsOverUniformTrafficInEveryModeAndOnAdaptiveRoutes) {
  expect_sums(Traffic::uniform_modes, 10);
}

}  // namespace
}  // namespace allport::test
