// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/report.h"

#include <gmock/gmock.h>

#include "rtl_model/topology/channel_words.h"
#include "testbench/plan/plan_theory.h"
#include "testbench/plan/verdict.h"
#include "tests/testbench/program/options/option_setting.h"

namespace allport {
namespace {

using test::options;
using testing::HasSubstr;
using testing::Not;

struct Reported {
  Options given;
  RunPlan plan = allport::plan(given.run);
  Results results{};

  std::string text(bool is_terminal = false) const {
    const StaticVerdict verdict = check_statically(plan, results, nullptr);
    return report_of_results(plan, results, Style(is_terminal)) +
           report_of_verdict(plan, results, verdict, Style(is_terminal)) +
           report_of_time(plan, results, verdict, Style(is_terminal));
  }
};

Reported wsort() {
  Reported reported{options({{"topology", "hypercube:3"}, {"algorithm", "wsort"}, {"ts", "10"}})};
  reported.results.latency.max = predicted_latency(reported.plan).value();
  reported.results.destinations = 7;
  return reported;
}

TEST(Report, PutsTheoryBesideTheSimulation) {
  Reported reported = wsort();
  EXPECT_THAT(reported.text(), HasSubstr("equal to the simulation"));

  reported.results.latency.max += 3;
  EXPECT_THAT(reported.text(), HasSubstr("the simulation takes 3 cycles more"));
}

TEST(Report, SaysWhereTheDifferenceIsWaitingAtThePort) {
  constexpr const char* words =
      "the simulation takes 48 cycles more: a sender's messages waited for each other";
  Reported reported{
      options({{"topology", "hypercube:3"}, {"algorithm", "separate"}, {"flits", "16"}})};
  reported.results.latency.max = 67;
  reported.results.destinations = 7;
  EXPECT_THAT(reported.text(), HasSubstr(words));

  reported.results.contention.events = 1;
  EXPECT_THAT(reported.text(), Not(HasSubstr("waited for each other")));

  reported.results.contention.events = 0;
  reported.results.latency.max = 68;
  EXPECT_THAT(reported.text(), Not(HasSubstr("waited for each other")));
}

TEST(Report, GivesTheVerdictsInWords) {
  Reported reported = wsort();
  EXPECT_THAT(reported.text(), HasSubstr("contention  none"));
  EXPECT_THAT(reported.text(), HasSubstr("Theorem 1 holds, Definition 4 holds, stepwise holds"));

  reported.results.contention.events = 1;
  reported.results.contention.blocked_cycles = 4;
  reported.results.contention.list.push_back({0,
                                              12,
                                              4,
                                              {node_id(2), port_id(1)},
                                              {node_id(0), node_id(3), 0},
                                              {node_id(6), node_id(1), 0}});
  EXPECT_THAT(reported.text(), HasSubstr("1 event, 4 blocked cycles"));
  EXPECT_THAT(
      reported.text(),
      HasSubstr(
          "cycle 12: 0 -> 3 waits 4 cycles for channel 2 -> 0 (dimension 1), held by 6 -> 1\n"));
}

TEST(Report, SaysOfWormsWhoMayMeetAndWaitForWhom) {
  const Reported two{
      options({{"topology", "hypercube:3"}, {"algorithm", "tree"}, {"source", "0,6"}})};

  EXPECT_THAT(two.text(), HasSubstr("static      freedom from contention fails ("));
  EXPECT_THAT(
      two.text(),
      HasSubstr(
          "freedom from deadlock is not proved (a circle of 2 waits)\n"
          "            tree worm 0 -> all (step 1) and tree worm 6 -> all (step 1) may meet on channel "));
  EXPECT_THAT(two.text(), HasSubstr(" (step 1) may wait for channel "));

  const Reported one{options({{"topology", "hypercube:3"}, {"algorithm", "tree"}})};
  EXPECT_THAT(
      one.text(),
      HasSubstr("static      freedom from contention holds, freedom from deadlock holds\n"));
}

TEST(Report, SaysThatThereIsNoCheck) {
  Reported reported = wsort();
  reported.plan.request.check.no_static = true;

  EXPECT_THAT(reported.text(), HasSubstr("static      not checked: --no-static\n"));
  EXPECT_THAT(reported.text(), Not(HasSubstr("static check")));
  reported.plan.request.check.no_static = false;
  EXPECT_THAT(reported.text(), HasSubstr(" s, static check "));
}

TEST(Report, NamesTheEjectionChannelOfReceptionContention) {
  Reported reported = wsort();
  reported.results.reception.events = 1;
  reported.results.reception.list.push_back({0,
                                             2,
                                             16,
                                             {node_id(0), port_id(0)},
                                             {node_id(2), node_id(0), 0},
                                             {node_id(1), node_id(0), 0}});

  EXPECT_THAT(reported.text(),
              HasSubstr("waits 16 cycles for ejection channel 0 of node 0, held by 1 -> 0\n"));
}

TEST(Report, TellsThatAMessageWaitsForItself) {
  Reported reported = wsort();
  const MessageName worm{node_id(1), node_id(3), 0};
  Deadlock& deadlock = reported.results.deadlock.emplace();
  deadlock.cycle = 21;
  deadlock.stuck_messages = 1;
  deadlock.waits = {{worm, "vc", worm, {node_id(1), port_id(0)}, 0}};

  EXPECT_THAT(reported.text(),
              HasSubstr("in cycle 21, 1 message can never be delivered; one waits for itself:\n"));
}

TEST(Report, SaysThatTheMessagesOfABarrierHaveOneFlit) {
  const Reported barrier{
      options({{"topology", "hypercube:3"}, {"algorithm", "exchange-barrier"}, {"flits", "100"}})};

  EXPECT_THAT(barrier.text(), HasSubstr("message     1 flit (4 bytes), ts"));
}

TEST(Report, SaysHowManyPiecesThereAreInAllTrials) {
  const Reported one_node{options({{"topology", "hypercube:4"},
                                   {"algorithm", "disjoint-paths"},
                                   {"destinations", "15"},
                                   {"trials", "2"}})};
  const Reported random{options({{"topology", "hypercube:4"},
                                 {"algorithm", "disjoint-paths"},
                                 {"destinations", "random:1"},
                                 {"trials", "50"}})};

  EXPECT_THAT(one_node.text(), HasSubstr(", 4 pieces, 2 trials"));
  EXPECT_THAT(random.text(), HasSubstr(", 1..4 pieces, 50 trials"));
}

TEST(Report, TellsADeadlockAsACircle) {
  Reported reported = wsort();
  Deadlock deadlock{0, 9, {}, 2};
  const MessageName a{node_id(0), std::nullopt, 0};
  const MessageName b{node_id(2), std::nullopt, 0};
  deadlock.waits = {{a, "vc", b, {node_id(2), port_id(0)}, 0},
                    {b, "credit", a, {node_id(0), port_id(0)}, 0}};
  reported.results.deadlock = deadlock;

  EXPECT_THAT(reported.text(), HasSubstr("in cycle 9, 2 messages can never be delivered"));
  EXPECT_THAT(reported.text(),
              HasSubstr("0 -> all waits for channel 2 -> 3 (dimension 0), held by 2 -> all"));
}

// A circle of two does not hold the third message in it.
TEST(Report, TellsTheCircleApartFromWhatWaitsBehindIt) {
  Reported reported = wsort();
  Deadlock deadlock{0, 9, {}, 4};
  const MessageName a{node_id(0), std::nullopt, 0};
  const MessageName b{node_id(2), std::nullopt, 0};
  deadlock.waits = {{a, "vc", b, {node_id(2), port_id(0)}, 0},
                    {b, "vc", a, {node_id(0), port_id(0)}, 0}};
  reported.results.deadlock = deadlock;

  EXPECT_THAT(reported.text(), HasSubstr("4 messages can never be delivered; 2 wait in a circle, "
                                         "each for the next, and 2 besides:\n"));
  reported.results.deadlock->stuck_messages = 2;
  EXPECT_THAT(reported.text(), HasSubstr("; each waits for the next, in a circle:\n"));
}

TEST(Report, SaysHowManyDidNotReceive) {
  Reported reported = wsort();
  reported.results.missing = 2;

  EXPECT_THAT(reported.text(), HasSubstr("2 destinations did not receive"));
}

TEST(Report, SaysWhetherTheNetworkIsSaturated) {
  Reported reported{
      options({{"topology", "ring:8"}, {"pattern", "hotspot"}, {"rate", "0.1"}, {"cycles", "10"}})};
  reported.results.traffic = TrafficResults{};
  EXPECT_THAT(reported.text(), HasSubstr("saturated   no\n"));
  EXPECT_THAT(reported.text(),
              HasSubstr("traffic     hotspot (a share of 0.1 to 0), 0.1 flits per node and cycle"));

  reported.results.traffic->saturated = true;
  reported.results.traffic->queue_growth = 0.25;
  reported.results.traffic->growing_sources = {node_id(5), node_id(6), node_id(7)};
  EXPECT_THAT(
      reported.text(),
      HasSubstr(
          "saturated   yes: 0.2500 flits per node and cycle pile up at the sources, without end at 3 of them: 5"));

  reported.results.traffic->saturated = false;
  reported.results.traffic->telling_cycles = 1234;
  EXPECT_THAT(
      reported.text(),
      HasSubstr(
          "saturated   too short to tell: a queue grew, by chance or as it filled; a run of --cycles 1234 is long enough to tell"));

  reported.results.traffic->saturated = true;
  reported.results.traffic->telling_cycles = 0;
  reported.results.traffic->processor_load = 1.25;
  EXPECT_THAT(
      reported.text(),
      HasSubstr(
          "saturated   yes: processors would need 1.25 cycles in a cycle to prepare what starts"));
}

TEST(Report, HasColoursOnATerminalOnly) {
  const Reported reported = wsort();

  EXPECT_THAT(reported.text(false), Not(HasSubstr("\x1b")));
  EXPECT_THAT(reported.text(true), HasSubstr("\x1b[32m"));
}

TEST(Report, CutsLongListsOfNodes) {
  std::vector<NodeId> nodes;
  for (std::size_t i = 0; i < 20; ++i) nodes.push_back(node_id(i));

  const auto cube = parse_topology("hypercube:5");
  EXPECT_EQ(in_words({node_id(4), node_id(6)}, *cube), "4, 6");
  EXPECT_THAT(in_words(nodes, *cube), HasSubstr("15, .. (20 in all)"));
}

}  // namespace
}  // namespace allport
