// SPDX-License-Identifier: Apache-2.0
// The explanation of joins is tested: alone they take what docs/joins.md says and nothing else;
// among others every cycle has its cause, and a second walk finds the same ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rtl_model/topology/group_routes.h"
#include "testbench/observe/explain/explained_trial.h"
#include "tests/properties/reference/explained_case.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/testbench/observe/explain/explained.h"
#include "tests/testbench/observe/explain/movement_walk.h"
#include "tests/testbench/simulation/join_mixture.h"

namespace allport::test {
namespace {

ExplainRequest all_explained() {
  ExplainRequest request;
  request.causes = true;
  request.channels = true;
  request.listed = ExplainRequest::all;
  return request;
}

std::string in_words(const MessageAccount& account) {
  std::ostringstream text;
  text << index(account.source) << ">" << index(account.destination) << "#" << account.order
       << " from " << index(account.contributor.value_or(account.source)) << ": " << account.created
       << ".." << account.has << " = " << printed(account.causes) << " (contended "
       << account.causes.contended << ")";
  return text.str();
}

// What a join, tree or join-tree takes alone, by cause, where all nodes start together.
std::string fault_of_alone(const MessageAccount& account, const GroupFormula& formula,
                           const Routing& routing) {
  const NodeId root = node_id(formula.root);
  const NodeId node = account.destination;
  const Cycle farthest = formula.distance_of_farthest(routing);
  const bool joins = is_join(formula.kind);
  const bool branches = formula.kind != MessageKind::join;
  const bool is_inner = tree_outputs(routing, node, root, formula.free) != 0;
  const Cycle depth = branches ? routing.distance(root, node) : 0;
  const Cycle hops = depth + (joins ? farthest : 0);
  const CauseSum& causes = account.causes;
  if (causes.total() != account.has - account.created) return "the causes do not sum";
  if (causes.contended != 0) return "somebody is blamed";
  if (account.hops != hops) return "the way";
  if (causes[Cause::hop] != hops * (1 + formula.d) + 1) return "hop";
  if (causes[Cause::length] != formula.flits - 1) return "length";
  if (causes[Cause::combine] != (joins ? farthest * formula.c : 0)) return "combine";
  const Cycle replicating = branches ? depth + (is_inner ? 1 : 0) : 0;
  if (causes[Cause::replication] != replicating * formula.r) return "replication";
  if (causes[Cause::prepare] != formula.ts || causes[Cause::receive] != formula.tr) return "ts, tr";
  if (causes[Cause::join] != 0) return "join";
  const bool is_full = formula.depth >= 2 + 2 * formula.d + formula.r + formula.c;
  if (!is_full) return "";
  if (causes[Cause::turnaround] != 0) return "turnaround";
  return account.has == formula.of(node, routing) ? "" : "the formula";
}

std::string first_wrong_alone(const Routing& routing, GroupFormula formula, int ports) {
  return forked([&]() -> std::string {
    Experiment experiment = experiment_of(formula, ports);
    experiment.explain = all_explained();
    Simulation simulation(experiment, routing);
    for (const MessageKind kind : {MessageKind::join, MessageKind::join_tree, MessageKind::tree}) {
      for (DimensionMask free = 1; free <= free_dimensions(routing.topology(), 0); ++free) {
        for (std::size_t root = 0; root < routing.topology().node_count(); ++root) {
          formula.kind = kind;
          formula.root = root;
          formula.free = group_mask(routing.topology(), free);
          const auto planned = group_collective(kind, root, formula.free, routing);
          const Results results = simulation.run({{planned}});
          if (!results.is_complete()) return fault_of(results);
          for (const MessageAccount& account : results.explanation->messages) {
            const std::string fault = fault_of_alone(account, formula, routing);
            if (!fault.empty()) return fault + ": " + in_words(account);
          }
        }
      }
    }
    return "";
  });
}

std::vector<Routing> few_fabrics() {
  return {routing_on("hypercube:3"), ascending_on("hypercube:3"), routing_on("mesh:3x4"),
          routing_on("torus:4x3"), routing_on("ring:5")};
}

TEST(ExplainedJoins, AloneTakeWhatTheFormulaSays) {
  for (const Routing& routing : few_fabrics()) {
    for (const auto& [d, r, c] : {std::array{0, 0, 0}, std::array{1, 2, 1}, std::array{0, 1, 3}}) {
      for (const int more : {0, 2}) {
        const int depth = 2 + 2 * d + r + c + more;
        const GroupFormula formula{MessageKind::join, 0, 0, 7, 3, 2, d, r, c, depth};
        EXPECT_EQ(first_wrong_alone(routing, formula, 0), "")
            << routing.topology().name() << " d " << d << " B " << depth;
      }
    }
  }
}

// Below full rate credits turn around, and nothing else is added.
TEST(ExplainedJoins, AloneInSmallBuffersAlsoWaitForCredits) {
  for (const Routing& routing : few_fabrics()) {
    for (int depth = 1; depth < 5; ++depth) {
      const GroupFormula formula{MessageKind::join, 0, 0, 9, 0, 0, 1, 1, 2, depth};
      EXPECT_EQ(first_wrong_alone(routing, formula, 1), "")
          << routing.topology().name() << " B " << depth;
    }
  }
}

Unicast contribution(std::size_t u, std::size_t root, int order) {
  Unicast line = message(u, root, order);
  line.kind = MessageKind::join;
  return line;
}

Case on_a_row(int depth, int combine_delay, const std::vector<Unicast>& lines) {
  const auto fabric = With().ports(1).depth(depth).combine_delay(combine_delay);
  return {"mesh:3", Experiment().on(fabric).length(4), {0, 1, 2}, lines};
}

// The join waits at node 0 for what node 2 sends behind 2>1, and 0>1 waits behind the join: for
// that port, on the way, for two routers to combine, and for the ejection.
TEST(ExplainedJoins, WhatWaitsBehindAJoinWaitsForItsLastContribution) {
  const Case behind = on_a_row(8, 2,
                               {contribution(0, 0, 0), contribution(1, 0, 0), contribution(2, 0, 1),
                                message(2, 1, 0), message(0, 1, 1)});
  EXPECT_EQ(messages_of(behind),
            "2>1#0 5 = hop 2, length 3\n"
            "0>0#0 14 = hop 3, length 3, port 4, combine 4 (contended 4)\n"
            "0>1#1 19 = hop 2, length 3, port 4, behind 10 (contended 14)\n");
  EXPECT_EQ(roots_of(behind),
            "port 0:injection0 4\n"
            "port 2:injection0 4\n"
            "behind 0:ejection0 4\n"
            "combine 1:out1 2\n"
            "combine 0:ejection0 2\n"
            "hop 1:out1 1\n"
            "hop 2:out1 1\n");
}

// The contributions of nodes 0 and 2 reach node 1 in one cycle, but that of 0 is behind 0>1#1.
TEST(ExplainedJoins, AHeadThatIsNotFirstInItsBufferIsWaitedFor) {
  const Case hidden =
      on_a_row(16, 1,
               {contribution(1, 1, 0), contribution(0, 1, 2), message(0, 1, 0), message(0, 1, 1),
                message(2, 1, 0), message(2, 0, 1), contribution(2, 1, 2)});
  EXPECT_THAT(
      messages_of(hidden),
      testing::HasSubstr("1>1#0 17 = hop 2, length 3, port 8, combine 1, join 3 (contended 11)\n"));
  EXPECT_THAT(path_of(hidden, false), testing::HasSubstr("1>1#0: "));
}

// What is wrong with the explanation of a whole run; empty: nothing.
std::string fault_of_sums(const Results& results, int tr) {
  const Explanation& explanation = *results.explanation;
  Cycle rooted = 0;
  for (const RootShare& root : explanation.roots) rooted += root.cycles;
  if (rooted != explanation.causes.contended) return "the roots do not sum";
  Cycle flits = 0;
  for (const ChannelUse& use : explanation.channels) {
    const Cycle sum = use.used + use.lost + use.no_credit + use.empty + use.idle;
    if (sum != use.cycles) return "the states of a channel do not sum";
    if (std::min({use.used, use.lost, use.no_credit, use.empty, use.idle}) < 0) {
      return "a channel has less than no cycles";
    }
    if (use.resource.kind == Resource::Kind::channel) flits += use.used;
  }
  if (static_cast<std::uint64_t>(flits) != results.flit_hops) return "flits are missing";
  for (const MessageAccount& account : explanation.messages) {
    if (account.causes.total() != account.has - account.created ||
        account.has < account.tail + tr) {
      return "the causes do not sum: " + in_words(account);
    }
    for (const Blame& blame : account.blames) {
      const bool is_own = account.contributor && blame.blamed.u == account.source &&
                          blame.blamed.v == account.source && blame.blamed.order == account.order;
      if (is_own) return "a join blames itself: " + in_words(account);
    }
  }
  return "";
}

// At full rate no credit is late, and whatever is not movement, or a delay, blames somebody; only a
// join may also wait for contributions that move, or are not there yet, and then for the combine
// delay of its flit in the next buffer, which has just met them.
std::string fault_of_full_rate(const Results& results) {
  for (const MessageAccount& account : results.explanation->messages) {
    const CauseSum& causes = account.causes;
    Cycle unblamed = causes[Cause::join] + causes[Cause::turnaround];
    for (const Blame& blame : account.blames) {
      if (blame.cause == Cause::join) unblamed -= blame.cycles;
    }
    if (!account.contributor && unblamed != 0)
      return "a message that is not a join has cycles of `join` or `turnaround`";
    for (const Cause cause : {Cause::receive, Cause::prepare, Cause::hop, Cause::length,
                              Cause::jitter, Cause::replication, Cause::combine}) {
      unblamed += causes[cause];
    }
    if (unblamed + causes.contended != causes.total()) {
      return "a wait that blames nobody: " + in_words(account);
    }
  }
  return "";
}

std::string fault_of_path(const Results& results) {
  Cycle total = 0;
  Cycle now = 0;
  for (const PathMessage& message : results.explanation->path) {
    total += message.account.causes.total();
    for (const PathStretch& stretch : message.stretches) {
      if (stretch.first != now) return "the path has a gap in cycle " + std::to_string(now);
      now += stretch.cycles;
    }
  }
  return total == results.latency.max ? "" : "the path is not as long as the latency";
}

// The second walk, of each message and receiver, against the account of it.
std::string fault_of_walks(const ShownTrial& shown, const MovementWalk& walk,
                           const Results& results, int tr) {
  std::multiset<std::string> found;
  std::multiset<std::string> expected;
  const auto line = [](NodeId source, NodeId receiver, int order, const std::string& text) {
    return std::to_string(index(source)) + ">" + std::to_string(index(receiver)) + "#" +
           std::to_string(order) + " " + text;
  };
  for (const Reception& one : shown.receptions) {
    const MessageRecord& record = shown.log[one.message];
    expected.insert(
        line(record.source, one.receiver, record.order, walk.walk(one.message, one.receiver)));
  }
  for (const MessageAccount& one : results.explanation->messages) {
    const NodeId sender = one.contributor.value_or(one.source);
    std::string text = "from " + std::to_string(index(sender)) + ":";
    Cycle waits = one.has - tr - one.injected;
    std::map<std::string, Cycle> causes;
    for (const Cause cause : {Cause::combine, Cause::hop, Cause::length, Cause::replication}) {
      if (one.causes[cause] > 0) causes[to_string(cause)] = one.causes[cause];
      waits -= one.causes[cause];
    }
    if (waits != 0) causes["wait"] = waits;
    for (const auto& [cause, cycles] : causes) text += " " + cause + " " + std::to_string(cycles);
    found.insert(line(one.source, one.destination, one.order, text));
  }
  for (const std::string& one : found) {
    if (found.count(one) != expected.count(one)) return "only one walk finds: " + one;
  }
  return found.size() == expected.size() ? "" : "a walk is missing";
}

std::string explained(std::uint64_t seed, int join_vcs, Nets nets) {
  const JoinMixture mixture = draw_join_mixture(seed, join_vcs, Steps::proved, nets);
  return forked([&]() -> std::string {
    Experiment experiment = mixture.experiment;
    experiment.explain = all_explained();
    Simulation simulation(experiment, mixture.routing);
    MovementWalk walk(simulation, experiment, mixture.routing);
    simulation.fabric().observe(walk);
    const std::vector<std::vector<PlannedCollective>> trials{{mixture.planned}};
    const Results results = simulation.run(trials);
    for (const UnfinishedMessage& one : results.explanation->unfinished) {
      if (one.causes.total() != one.until - one.created) return "a message under way";
    }
    if (!results.is_complete()) return "";
    std::string fault = fault_of_sums(results, static_cast<int>(experiment.tr));
    if (fault.empty()) fault = fault_of_path(results);
    const FabricConfig& fabric = experiment.fabric;
    const int link_delay = fabric.links == nullptr ? fabric.link_delay : 3;
    const bool is_full =
        fabric.buffer_depth >= 2 + 2 * link_delay + fabric.replication_delay + fabric.combine_delay;
    if (fault.empty() && is_full) fault = fault_of_full_rate(results);
    if (!fault.empty()) return fault;
    simulation.show_trial([&](const ShownTrial& shown) {
      fault = fault_of_walks(shown, walk, results, static_cast<int>(experiment.tr));
      if (fault.empty()) fault = fault_of_chains(shown);
    });
    return fault;
  });
}

TEST(ExplainedJoins, SumAndAgreeWithASecondWalkAmongOtherMessages) {
  const RandomCases cases(60);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    EXPECT_EQ(explained(seed, 2, Nets::regular), "") << "seed " << seed;
    EXPECT_EQ(explained(seed, 0, Nets::regular), "") << "seed " << seed << ", shared channels";
  }
}

TEST(ExplainedJoins, SumAndAgreeWithASecondWalkOverSwitches) {
  const RandomCases cases(100);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    for (const int join_vcs : {0, 1, 2}) {
      EXPECT_EQ(explained(seed, join_vcs, Nets::with_switches), "")
          << "seed " << seed << ", " << join_vcs << " VCs of joins";
    }
  }
}

}  // namespace
}  // namespace allport::test
