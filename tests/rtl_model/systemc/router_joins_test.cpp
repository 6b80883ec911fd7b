// SPDX-License-Identifier: Apache-2.0
// These tests check what one router does with joins, cycle by cycle (docs/joins.md). A flit that
// carries the sum of n contributions whose data are the position p is called Jm with m = n p.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

#include "rtl_model/systemc/router.h"
#include "tests/rtl_model/systemc/router_bench.h"
#include "tests/support/fatal.h"

namespace allport::test {
namespace {

constexpr MessageKind join = MessageKind::join;
constexpr MessageKind join_tree = MessageKind::join_tree;

Worm to_0(int flits, int vc = 0) { return {'J', 0, flits, join, vc}; }

TEST(RouterJoins, LeaveWithTheLastOperandAllAtOnce) {
  RouterBench bench("hypercube:2", 0);  // contributions of 1 on input 0, of 2 and 3 on input 1
  bench.put(0, 0, to_0(2));
  bench.put(1, bench.internal(0), to_0(2));
  bench.put(3, 1, to_0(2));

  bench.run(9);

  EXPECT_EQ(bench.sent(bench.internal(0)), "J0@4 J3@5");
  for (const int input : {0, 1, bench.internal(0)}) EXPECT_EQ(bench.credits(input), "0@4 0@5");
  EXPECT_EQ(bench.sent(bench.internal(1)) + bench.sent(0) + bench.sent(1), "");
}

TEST(RouterJoins, AreHeldFromTheArrivalOfTheLastOperand) {
  RouterBench bench("hypercube:2", 1, With().combine_delay(2));  // that of 3 on input 1
  bench.put(0, bench.internal(0), to_0(3));
  bench.put(1, 1, to_0(3));

  bench.run(9);

  EXPECT_EQ(bench.sent(0), "J0@4 J2@5 J4@6");
}

TEST(RouterJoins, ALeafHoldsNothing) {
  RouterBench bench("hypercube:2", 3, With().combine_delay(5).replication_delay(5));
  bench.put(0, bench.internal(0), to_0(2));

  bench.run(9);

  EXPECT_EQ(bench.sent(1), "J0@1 J1@2");
}

TEST(RouterJoins, AskForNoChannelBeforeAllHeadsAreThere) {
  RouterBench bench("hypercube:2", 1, With().depth(8));
  bench.put(0, bench.internal(0), to_0(2));
  bench.put(1, bench.internal(1), Worm{'U', 0, 3});
  bench.put(5, 1, to_0(2));

  bench.run(12);

  EXPECT_EQ(bench.sent(0), "U0@2 U1@3 U2@4 J0@6 J2@7");
}

TEST(RouterJoins, WaitForOperandsOfTheSameTag) {
  RouterBench bench("hypercube:2", 1);
  Flit other = to_0(1)[0];
  other.join = {1, JoinOperation::sum, LaneType::u32};
  bench.put(0, bench.internal(0), to_0(1));
  bench.put(0, 1, other);

  bench.run(9);

  EXPECT_EQ(bench.sent(0), "");
  EXPECT_FALSE(bench.wants_next_cycle());
}

// In cycle 4 input 1 has chosen A, so that the join asks for nothing.
TEST(RouterJoins, CrossOnlyIfAllInputsHaveChosenThem) {
  RouterBench bench("hypercube:2", 1, With().vcs(2));
  bench.put(0, 1, to_0(2)[0]);
  bench.put(1, 1, Worm{'A', 1, 2, MessageKind::unicast, 1}[0]);
  bench.put(2, 1, to_0(2)[1]);
  bench.put(3, 1, Worm{'A', 1, 2, MessageKind::unicast, 1}[1]);
  bench.put(3, bench.internal(0), to_0(2));

  bench.run(9);

  EXPECT_EQ(bench.sent(bench.internal(1)), "A0/0@2 A1/0@5");
  EXPECT_EQ(bench.sent(0), "J0/0@4 J2/0@6");
}

TEST(RouterJoins, TheRootOfAJoinTreeSendsTheResultBackAndKeepsACopy) {
  RouterBench bench("hypercube:2", 0, With().replication_delay(1).combine_delay(1));
  for (const int input : {0, 1, bench.internal(0)}) {
    bench.put(0, input, Worm{'J', 0, 2, join_tree});
  }

  bench.run(9);

  for (const int output : {0, 1, bench.internal(0)}) {
    EXPECT_EQ(bench.sent(output), "J0@3 J3@4") << output;
  }
}

std::uint64_t bits_of(float number) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &number, sizeof bits);
  return bits;
}

constexpr float large = 16777216;  // beyond which float32 has no odd numbers

// The data of the two flits that leave the root of a 3-cube, whose contributions come in cycles
// `heads` and, behind them, `tails`, on inputs 0, 1, 2 and the local one.
std::vector<std::uint64_t> sums(CombineOrder order, const std::array<Cycle, 4>& heads,
                                const std::array<Cycle, 4>& tails) {
  With fabric;
  fabric.combine_order = order;
  RouterBench bench("hypercube:3", 0, fabric);
  const std::array<int, 4> inputs{0, 1, 2, bench.internal(0)};
  const std::array<float, 4> numbers{large, 1, 1, -large};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    for (int place = 0; place < 2; ++place) {
      Flit flit = to_0(2)[place];
      flit.join = {0, JoinOperation::sum, LaneType::float32};
      flit.data = bits_of(numbers[i]);
      bench.put(place == 0 ? heads[i] : tails[i], inputs[i], flit);
    }
  }
  bench.run(20);
  return bench.data(bench.internal(0));
}

TEST(RouterJoins, AreCombinedInTheOrderOfPortsWhateverThatOfArrival) {
  const std::vector<std::uint64_t> zeros{0, 0};
  EXPECT_EQ(sums(CombineOrder::port, {0, 0, 0, 0}, {1, 1, 1, 1}), zeros);
  EXPECT_EQ(sums(CombineOrder::port, {3, 0, 1, 2}, {4, 5, 6, 7}), zeros);
}

TEST(RouterJoins, AreCombinedFlitByFlitInTheOrderOfArrival) {
  const auto arrival = [](const std::array<Cycle, 4>& heads, const std::array<Cycle, 4>& tails) {
    return sums(CombineOrder::arrival, heads, tails);
  };
  using testing::ElementsAre;
  EXPECT_THAT(arrival({0, 0, 0, 0}, {1, 1, 1, 1}), ElementsAre(0, 0)) << "by port";
  EXPECT_THAT(arrival({2, 0, 1, 2}, {3, 4, 5, 6}), ElementsAre(bits_of(2), 0))
      << "(1 + 1) + large - large, then ((large + 1) + 1) - large";
  EXPECT_THAT(arrival({0, 1, 2, 0}, {2, 3, 4, 1}), ElementsAre(bits_of(2), bits_of(2)))
      << "the local one before those that come later";
  EXPECT_THAT(arrival({0, 0, 2, 1}, {3, 3, 3, 3}), ElementsAre(bits_of(1), 0))
      << "((large + 1) - large) + 1";
}

TEST(RouterJoins, ATailBesideAnotherFlitNamesTheNode) {
  RouterBench bench("hypercube:2", 1);
  bench.put(0, bench.internal(0), to_0(1));
  bench.put(0, 1, to_0(2));

  EXPECT_THAT(
      fatal_report_of([&] { bench.run(3); }),
      testing::HasSubstr(
          "node 1, cycle 0: the contributions to a join have different lengths: the one on input 1 ends behind that of the node"));
}

}  // namespace
}  // namespace allport::test
