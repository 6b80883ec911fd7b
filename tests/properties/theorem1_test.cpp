// SPDX-License-Identifier: Apache-2.0
// A schedule that Theorem 1 proves free of contention shows no event, whatever the fabric, the
// switching and the delays (docs/algorithms.md, section 14). ALLPORT_CASES and ALLPORT_NIGHTLY_SEED
// choose other cases (scripts/nightly).
#include <gtest/gtest.h>

#include <string>

#include "tests/properties/reference/random_cases.h"
#include "tests/properties/theorem1_cases.h"
#include "tests/support/forked.h"

namespace allport::test {
namespace {

// The contention in four runs with different jitter; empty if there is none.
std::string seen(const ProofCase& one) {
  return forked([&] {
    Simulation simulation(one.config, one.routing);
    const Results results = simulation.run(one_by_one({one.plan, one.plan, one.plan, one.plan}));
    return fault_of(results) + printed(results.contention.list);
  });
}

bool has_one_length(const ProofCase& one) {
  return (one.plan.goal == nullptr && one.plan.address_fields.is_empty()) ||
         (one.plan.goal != nullptr && one.plan.goal->operation() == Operation::bcast &&
          one.config.flits % static_cast<int>(piece_count(one.plan.schedule)) == 0);
}

// Whether a message that meets no other one is never held up, nor overtaken by a later one of its
// sender: buffers allow messages without a gap (docs/timing.md, section 7) and, if a hop takes
// longer for longer messages, all messages have the same length.
bool keeps_pace(const ProofCase& one) {
  const FabricConfig& fabric = one.config.fabric;
  const int wires = 2 * fabric.link_delay;
  const int longest = longest_message(one);
  switch (fabric.switching) {
    case Switching::wormhole:
    case Switching::circuit:
      return fabric.buffer_depth >= 2 + wires;
    case Switching::cut_through:
      return fabric.buffer_depth >= longest + 1 + wires;
    case Switching::store_and_forward:
      return fabric.buffer_depth >= 2 * longest + wires && has_one_length(one);
  }
  return false;
}

// Whether Theorem 1 needs the pace of messages for its proof; otherwise receptions alone order
// them.
bool rests_on_pace(const ProofCase& one) {
  return one.plan.goal != nullptr || has_meeting(one.plan.schedule, one.routing);
}

template <class DrawCase>
void expect_no_event(const DrawCase& draw_case, std::uint64_t by_day) {
  const RandomCases cases(by_day);
  std::uint64_t proved = 0;
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    const ProofCase one = draw_case(seed);
    if (!is_proved(one) || (rests_on_pace(one) && !keeps_pace(one))) continue;
    ++proved;
    EXPECT_EQ(seen(one), "") << one.words;
  }
  EXPECT_GT(5 * proved, cases.end - cases.first);
}

TEST(Theorem1, ShowsNoEventInWhatItProvesOfAlgorithms) { expect_no_event(case_of_algorithm, 300); }

TEST(Theorem1, ShowsNoEventOfManyMessagesThatFollowOneAnother) {
  expect_no_event(case_of_overtaking, 300);
}

// The message 0-2 passes 0-5, whose flits wait for credits, and 2-4 is in the way of 0-5. With
// buffers for the full rate no message passes another.
TEST(Theorem1, NeedsMessagesThatAreNotOvertaken) {
  ProofCase one{routing_on("mesh:8"), {}, {}, {}};
  one.plan.sources = nodes({0});
  one.plan.destinations = nodes({2, 4, 5, 7});
  one.plan.schedule = schedule_of({{0, 7, 1, 0}, {0, 5, 2, 1}, {0, 2, 3, 2}, {2, 4, 4, 0}});
  const auto with_depth = [&](int depth) {
    one.config =
        Experiment().on(With().ports(2).vcs(3).link_delay(2).depth(depth)).length(2).with_jitter(3);
    EXPECT_TRUE(is_proved(one) && rests_on_pace(one));
    return seen(one);
  };

  EXPECT_NE(with_depth(3), "");
  EXPECT_FALSE(keeps_pace(one));
  EXPECT_EQ(with_depth(6), "");
  EXPECT_TRUE(keeps_pace(one));
}

TEST(Theorem1, ShowsNoEventInWhatItProvesOfUnicastsAtRandom) {
  expect_no_event(case_of_unicasts, 300);
}

}  // namespace
}  // namespace allport::test
