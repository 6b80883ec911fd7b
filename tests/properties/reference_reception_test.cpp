// SPDX-License-Identifier: Apache-2.0
// The oracle's reception limits: cases worked out by hand, cycle by cycle, and what must hold of
// every case. ALLPORT_CASES and ALLPORT_NIGHTLY_SEED choose other cases (scripts/nightly).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "rtl_model/base/split_mix.h"
#include "tests/properties/reference/drawn_case.h"
#include "tests/properties/reference/drawn_classes.h"
#include "tests/properties/reference/fabric.h"
#include "tests/properties/reference/random_cases.h"

namespace allport::test {
namespace {

constexpr int no_end = 1'000'000'000;

reference::Line kept_line(reference::Line line, reference::Cycle take_after) {
  line.take_after = take_after;
  return line;
}

// Two nodes, one port, a VC for each class.
reference::Config two_nodes(int classes, int buffer_depth, int limit) {
  reference::Config config;
  config.topology = "mesh:2";
  config.ports = 1;
  config.classes = classes;
  config.buffer_depth = buffer_depth;
  config.reception_limit = limit;
  return config;
}

std::vector<reference::Cycle> flit_cycles(const std::vector<reference::InternalFlit>& flits,
                                          int message) {
  std::vector<reference::Cycle> cycles;
  for (const reference::InternalFlit& flit : flits) {
    if (flit.message == message) cycles.push_back(flit.cycle);
  }
  return cycles;
}

// In cycle 4 three flits are in the buffer, and the fourth place is for the credit that is out.
TEST(ReferenceReception, KeepsACreditWhileTheOthersFillTheBuffer) {
  const auto results = simulate(
      two_nodes(1, 2, 4), as_collective({kept_line(class_line(0, 1, 0, 0, 3), 6),
                                         class_line(0, 1, 1, 0, 3), class_line(0, 1, 2, 0, 1)}));

  EXPECT_THAT(results.deliveries, testing::ElementsAre(reference::Delivery{0, 1, 0, 2, 4},
                                                       reference::Delivery{0, 1, 1, 5, 13},
                                                       reference::Delivery{0, 1, 2, 14, 14}));
  EXPECT_THAT(flit_cycles(results.injected, 0), testing::ElementsAre(0, 1, 2));
  EXPECT_THAT(flit_cycles(results.injected, 1), testing::ElementsAre(3, 4, 5));
  EXPECT_THAT(flit_cycles(results.injected, 2), testing::ElementsAre(6));
  EXPECT_THAT(flit_cycles(results.ejected, 0), testing::ElementsAre(2, 3, 4));
  EXPECT_THAT(flit_cycles(results.ejected, 1), testing::ElementsAre(5, 12, 13));
  EXPECT_THAT(flit_cycles(results.ejected, 2), testing::ElementsAre(14));
  EXPECT_THAT(results.returned,
              testing::ElementsAre(
                  reference::ReceptionCredit{1, 0, 0, 3}, reference::ReceptionCredit{1, 0, 0, 4},
                  reference::ReceptionCredit{1, 0, 0, 11}, reference::ReceptionCredit{1, 0, 0, 12},
                  reference::ReceptionCredit{1, 0, 0, 13}, reference::ReceptionCredit{1, 0, 0, 14},
                  reference::ReceptionCredit{1, 0, 0, 15}));
}

// The second message is taken in cycle 5, before the first, which is there until cycle 23.
TEST(ReferenceReception, LetsMessagesBeTakenInAnyOrder) {
  const auto results = simulate(
      two_nodes(1, 2, 4), as_collective({kept_line(class_line(0, 1, 0, 0, 2), 20),
                                         class_line(0, 1, 1, 0, 2), class_line(0, 1, 2, 0, 3)}));

  EXPECT_THAT(results.deliveries, testing::ElementsAre(reference::Delivery{0, 1, 0, 2, 3},
                                                       reference::Delivery{0, 1, 1, 4, 5},
                                                       reference::Delivery{0, 1, 2, 7, 25}));
  EXPECT_THAT(flit_cycles(results.injected, 2), testing::ElementsAre(4, 5, 6));
  EXPECT_THAT(flit_cycles(results.ejected, 2), testing::ElementsAre(7, 8, 25));
  EXPECT_THAT(results.returned,
              testing::ElementsAre(
                  reference::ReceptionCredit{1, 0, 0, 3}, reference::ReceptionCredit{1, 0, 0, 4},
                  reference::ReceptionCredit{1, 0, 0, 6}, reference::ReceptionCredit{1, 0, 0, 7},
                  reference::ReceptionCredit{1, 0, 0, 24}, reference::ReceptionCredit{1, 0, 0, 25},
                  reference::ReceptionCredit{1, 0, 0, 26}));
}

// Both classes are taken in cycle 5, so each has a credit in cycle 6. The third message, which
// waits in the router from cycle 4 on, then leaves at once.
TEST(ReferenceReception, ReturnsACreditForEachClassInOneCycle) {
  const auto results =
      simulate(two_nodes(2, 1, 1),
               as_collective({kept_line(class_line(0, 1, 0, 0, 1), 3),
                              kept_line(class_line(0, 1, 1, 1, 1), 2), class_line(0, 1, 2, 1, 1)}));

  EXPECT_THAT(results.deliveries, testing::ElementsAre(reference::Delivery{0, 1, 0, 2, 2},
                                                       reference::Delivery{0, 1, 1, 3, 3},
                                                       reference::Delivery{0, 1, 2, 7, 7}));
  EXPECT_THAT(flit_cycles(results.injected, 2), testing::ElementsAre(3));
  EXPECT_THAT(results.returned, testing::ElementsAre(reference::ReceptionCredit{1, 0, 0, 6},
                                                     reference::ReceptionCredit{1, 0, 1, 6},
                                                     reference::ReceptionCredit{1, 0, 1, 8}));
}

// Each node has two requests of the other. The reply to the first has been prepared in cycle 10,
// and that to the second in cycle 12: then the requests leave the buffer, which is full from cycle
// 6 on. The first reply is there in cycle 15, and the second, which waits for its places, in
// cycle 19.
TEST(ReferenceReception, KeepsARequestUntilItsReplyHasBeenPrepared) {
  reference::Config config = two_nodes(1, 2, 2);
  config.flits = 1;
  config.ts = 2;
  config.tr = 1;
  reference::ClosedLoop loop;
  loop.outstanding = 2;
  loop.reply_flits = 2;
  loop.service = 3;
  loop.cycles = 1;
  const auto results = simulate(config, loop);

  std::vector<reference::Delivery> expected;
  for (const int node : {0, 1}) {
    expected.push_back({node, 1 - node, 0, 4, 4});
    expected.push_back({node, 1 - node, 1, 6, 6});
    expected.push_back({node, 1 - node, 2, 12, 14});
    expected.push_back({node, 1 - node, 3, 17, 18});
  }
  EXPECT_EQ(results.deliveries, expected);
  std::vector<reference::ReceptionCredit> credits;
  for (const reference::Cycle cycle : {11, 13, 16, 17, 20, 21}) {
    for (const int node : {0, 1}) credits.push_back({node, 0, 0, cycle});
  }
  EXPECT_EQ(results.returned, credits);
  using RoundTrip = std::pair<reference::Cycle, reference::Cycle>;
  EXPECT_THAT(results.round_trips,
              testing::UnorderedElementsAre(RoundTrip{0, 15}, RoundTrip{0, 15}, RoundTrip{0, 19},
                                            RoundTrip{0, 19}));
}

// Unicasts with classes; where no mode needs whole messages in a buffer, some buffers are small.
DrawnClasses draw_reception(std::uint64_t seed) {
  DrawnClasses made = draw_classes(seed);
  SplitMix64 draw(seed + 7);
  const auto number = [&](std::uint64_t below) { return static_cast<int>(draw.next() % below); };
  reference::Config& config = made.config;
  const bool is_small =
      config.mode == reference::Mode::wormhole || config.mode == reference::Mode::circuit;
  if (is_small) config.buffer_depth = 1 + number(4);
  config.reception_limit = std::max(config.buffer_depth, config.flits) + number(4);
  for (reference::Line& line : made.lines) line.take_after = number(4) == 0 ? 0 : number(51);
  return made;
}

DrawnClasses without_limit(DrawnClasses made) {
  made.config.reception_limit = 0;
  for (reference::Line& line : made.lines) line.take_after = 0;
  return made;
}

reference::Results results_of(const DrawnClasses& made) {
  return simulate(made.config, as_collective(made.lines));
}

// A deadlock's cycles are counted up to the quiescence, and a take that is to come is a timer.
void expect_same(reference::Results a, reference::Results b, std::uint64_t seed) {
  ASSERT_EQ(a.is_deadlocked, b.is_deadlocked) << seed;
  for (auto* events : {&a.contention, &a.reception, &b.contention, &b.reception}) {
    for (auto& event : *events) event.cycles = a.is_deadlocked ? 0 : event.cycles;
  }
  ASSERT_EQ(a.deliveries, b.deliveries) << seed;
  ASSERT_EQ(a.contention, b.contention) << seed;
  ASSERT_EQ(a.reception, b.reception) << seed;
  ASSERT_EQ(a.latency, b.latency) << seed;
  ASSERT_EQ(a.stuck, b.stuck) << seed;
  ASSERT_EQ(a.flit_hops, b.flit_hops) << seed;
  ASSERT_EQ(a.done, b.done) << seed;
}

TEST(ReferenceReception, ChangesNothingWhereTheLimitIsNeverReached) {
  const RandomCases cases(300);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    DrawnClasses made = draw_reception(seed);
    made.config.reception_limit = no_end;
    expect_same(results_of(made), results_of(without_limit(made)), seed);
  }
}

struct DrawnLoop {
  reference::Config config;
  reference::ClosedLoop loop;
};

DrawnLoop draw_loop(std::uint64_t seed) {
  DrawnLoop made;
  made.config = draw_classes(seed).config;
  SplitMix64 draw(seed + 11);
  const auto number = [&](std::uint64_t below) { return static_cast<int>(draw.next() % below); };
  made.config.ts = number(2) * number(9);
  made.config.tr = number(2) * number(9);
  made.config.jitter = number(2) * number(9);
  made.config.seed = seed;
  made.loop.outstanding = 1 + number(4);
  made.loop.reply_flits = 1 + number(static_cast<std::uint64_t>(made.config.buffer_depth));
  made.loop.service = number(2) * number(20);
  made.loop.cycles = 1 + number(60);
  return made;
}

TEST(ReferenceReception, ChangesNothingOfClosedLoopsWhereTheLimitIsNeverReached) {
  const RandomCases cases(100);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    DrawnLoop made = draw_loop(seed);
    const auto free = simulate(made.config, made.loop);
    made.config.reception_limit = no_end;
    const auto results = simulate(made.config, made.loop);
    expect_same(results, free, seed);
    ASSERT_EQ(results.round_trips, free.round_trips) << seed;
  }
}

// A processor that takes no time takes requests and replies with their tails, as below.
TEST(ReferenceReception, ChangesNothingOfClosedLoopsOfQuickNodesFromABufferAndAMessageOn) {
  const RandomCases cases(100);
  int slower = 0;
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    DrawnLoop made = draw_loop(seed);
    made.config.ts = made.config.tr = 0;
    made.loop.service = 0;
    const auto free = simulate(made.config, made.loop);
    const int longest = std::max(made.config.flits, made.loop.reply_flits);
    made.config.reception_limit = made.config.buffer_depth + longest - 1;
    const auto results = simulate(made.config, made.loop);
    expect_same(results, free, seed);
    ASSERT_EQ(results.round_trips, free.round_trips) << seed;
    made.config.ts = made.config.tr = 1;
    made.config.reception_limit = 0;
    const auto late_and_free = simulate(made.config, made.loop);
    made.config.reception_limit = std::max(made.config.buffer_depth, longest);
    slower += simulate(made.config, made.loop).deliveries == late_and_free.deliveries ? 0 : 1;
  }
  EXPECT_GT(slower, 0) << "a limit is seen in some case";
}

// All messages of L flits are taken with their tails. While flits of one come the buffer has L - 1
// at most, and one credit at least is owed: L - 1 + B - 1 are below L + B - 1, but no lower limit.
TEST(ReferenceReception, ChangesNothingOfWhatIsTakenAtOnceFromABufferAndAMessageOn) {
  const RandomCases cases(300);
  int slower = 0;
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    DrawnClasses made = draw_reception(seed);
    for (reference::Line& line : made.lines) line.take_after = 0;
    const auto free = results_of(without_limit(made));
    made.config.reception_limit = made.config.buffer_depth + made.config.flits - 1;
    expect_same(results_of(made), free, seed);
    made.config.reception_limit = std::max(made.config.buffer_depth, made.config.flits);
    slower += results_of(made).deliveries == free.deliveries ? 0 : 1;
  }
  EXPECT_GT(slower, 0) << "a limit that is too low is seen in some case";
}

TEST(ReferenceReception, ChangesNothingOfWormsOfAllKindsWhereTheLimitIsNeverReached) {
  const RandomCases cases(20);
  for (const Traffic traffic :
       {Traffic::schedule, Traffic::kinds, Traffic::modes, Traffic::groups, Traffic::narrow}) {
    for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
      DrawnCase drawn = draw_case(traffic, seed);
      const auto free = simulate(drawn.config, drawn.collectives);
      SplitMix64 draw(seed);
      drawn.config.reception_limit = no_end;
      for (reference::Collective& collective : drawn.collectives) {
        for (reference::Line& line : collective.lines) {
          line.take_after = static_cast<reference::Cycle>(draw.next() % 51);
        }
      }
      expect_same(simulate(drawn.config, drawn.collectives), free, seed);
    }
  }
}

TEST(ReferenceReception, DeliversEverythingInTheSameCyclesInEachRun) {
  const RandomCases cases(300);
  int slower = 0;
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    const DrawnClasses made = draw_reception(seed);
    const auto results = results_of(made);
    const auto again = results_of(made);
    ASSERT_EQ(results.deliveries.size(), made.lines.size()) << seed;
    ASSERT_FALSE(results.is_deadlocked) << seed;
    expect_same(again, results, seed);
    ASSERT_EQ(again.injected, results.injected) << seed;
    ASSERT_EQ(again.ejected, results.ejected) << seed;
    ASSERT_EQ(again.returned, results.returned) << seed;
    slower += results.deliveries == results_of(without_limit(made)).deliveries ? 0 : 1;
  }
  EXPECT_GT(slower, 0) << "a limit is seen in some case";
}

// What happens at one ejection channel and class in each cycle.
struct ReceptionCycle {
  int come = 0;
  int taken = 0;
  int returned = 0;
};

using ReceptionCycles = std::map<reference::Cycle, ReceptionCycle>;

std::map<std::tuple<int, int, int>, ReceptionCycles> reception_cycles(
    const DrawnClasses& made, const reference::Results& results) {
  std::map<std::pair<int, int>, const reference::Line*> lines;
  for (const reference::Line& line : made.lines) lines[{line.u, line.order}] = &line;
  std::map<std::tuple<int, int, int>, ReceptionCycles> buffers;
  for (const reference::InternalFlit& flit : results.ejected) {
    ReceptionCycles& cycles = buffers[{flit.node, flit.port, flit.message_class}];
    ++cycles[flit.cycle].come;
    const reference::Line& line = *lines.at({flit.source, flit.message});
    const bool is_tail = flit.sequence == line.flits - 1;
    if (is_tail) cycles[flit.cycle + line.take_after].taken += line.flits;
  }
  for (const reference::ReceptionCredit& credit : results.returned) {
    ++buffers[{credit.node, credit.port, credit.message_class}][credit.cycle].returned;
  }
  return buffers;
}

// Counts places anew, from what was on the wires and when messages were taken.
TEST(ReferenceReception, ReturnsACreditAsSoonAsThereIsAPlaceAndNeverFillsMore) {
  const RandomCases cases(300);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    const DrawnClasses made = draw_reception(seed);
    const int limit = made.config.reception_limit;
    for (auto& [buffer, cycles] : reception_cycles(made, results_of(made))) {
      int flits = 0;
      int out = made.config.buffer_depth;  // credits, those on their way included
      bool is_due = false;                 // whether a credit is on the wire in this cycle
      const reference::Cycle last = cycles.rbegin()->first;
      for (reference::Cycle cycle = cycles.begin()->first; cycle <= last; ++cycle) {
        const ReceptionCycle& now = cycles[cycle];
        ASSERT_EQ(now.returned, is_due ? 1 : 0) << seed << " in cycle " << cycle;
        flits += now.come;
        out -= now.come;
        ASSERT_LE(flits, limit) << seed << " in cycle " << cycle;
        ASSERT_GE(out, 0) << seed << " in cycle " << cycle;
        flits -= now.taken;
        is_due = out < made.config.buffer_depth && flits + out < limit;
        if (is_due) ++out;
      }
      ASSERT_FALSE(is_due) << seed;
      ASSERT_EQ(flits, 0) << seed;
      ASSERT_EQ(out, made.config.buffer_depth) << seed;
    }
  }
}

std::string reception_refusal(const reference::Config& config, const reference::Line& line) {
  try {
    simulate(config, as_collective({line}));
  } catch (const std::invalid_argument& refusal) {
    return refusal.what();
  }
  return "";
}

TEST(ReferenceReception, RefusesWhatCouldNotEnd) {
  const reference::Line line = class_line(0, 1, 0, 0, 3);
  const std::string below = "a reception limit is 0 (none) or at least buffer_depth";
  EXPECT_EQ(reception_refusal(two_nodes(1, 4, 3), line), below);
  EXPECT_EQ(reception_refusal(two_nodes(1, 4, -1), line), below);
  EXPECT_EQ(reception_refusal(two_nodes(1, 2, 2), line),
            "a message is longer than the reception limit");
  EXPECT_EQ(reception_refusal(two_nodes(1, 2, 3), line), "");
  EXPECT_EQ(reception_refusal(two_nodes(1, 2, 3), kept_line(line, -1)), "take_after is negative");
  EXPECT_EQ(reception_refusal(two_nodes(1, 2, 0), kept_line(line, 1)),
            "take_after needs a reception limit");
}

}  // namespace
}  // namespace allport::test
