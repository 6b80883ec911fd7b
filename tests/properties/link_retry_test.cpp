// SPDX-License-Identifier: Apache-2.0
// Channels that err (docs/router.md, link-level retry): the contract's worked cases, random cases
// on the reference model, which has a replay line and sees nacks, and on the model under test, and
// the formula of a saturated channel. ALLPORT_CASES and ALLPORT_NIGHTLY_SEED choose other cases.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "tests/properties/reference/drawn_case.h"
#include "tests/properties/reference/explained_case.h"
#include "tests/properties/reference/fabric.h"
#include "tests/properties/reference/random_case.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/properties/reference/simulated_case.h"
#include "tests/support/draw.h"
#include "tests/support/forked.h"

namespace allport::test {
namespace {

using Errors = std::vector<std::tuple<int, int, reference::Cycle>>;

constexpr Traffic all_traffics[] = {
    Traffic::schedule,      Traffic::kinds,          Traffic::modes,
    Traffic::groups,        Traffic::uniform,        Traffic::narrow,
    Traffic::uniform_modes, Traffic::uniform_narrow, Traffic::tables};

/// Of the router: node 0 to node 6 in a 3-cube.
DrawnCase worked_case(int link_delay, const Errors& errors) {
  DrawnCase drawn;
  drawn.config.topology = "hypercube:3";
  drawn.config.flits = 4;
  drawn.config.buffer_depth = 4;
  drawn.config.link_delay = link_delay;
  drawn.config.has_retry = true;
  drawn.config.errors = errors;
  drawn.collectives = {{{0}, {{0, 6}}}};
  return drawn;
}

std::string in_words(const Errors& errors) {
  std::string words;
  for (const auto& [node, port, cycle] : errors) {
    words += " " + std::to_string(node) + "." + std::to_string(port) + "@" + std::to_string(cycle);
  }
  return words;
}

/// The case `seed` of that traffic, whose channels err. Joins by the tables of graphs have routers
/// with numbers of their own there, so their errors are not those of the reference model.
DrawnCase erring_case(Traffic traffic, std::uint64_t seed) {
  DrawnCase drawn = draw_case(traffic, seed);
  Draw draw(seed ^ 0x5bd1e995U);
  drawn.config.has_retry = true;
  if (drawn.config.topology == "graph") return drawn;
  drawn.config.error_rate = draw.one_of<double>({0, 0.001, 0.01, 0.05, 0.2, 0.5});
  if (is_pattern(traffic)) drawn.config.error_rate /= 4;
  return drawn;
}

std::string described(Traffic traffic, std::uint64_t seed) {
  return describe_case(traffic, seed) + " with errors " +
         std::to_string(erring_case(traffic, seed).config.error_rate);
}

TEST(LinkRetry, TakesTheCyclesOfTheWorkedCases) {
  struct Row {
    int d;
    Errors errors;
    reference::Cycle head, tail;
  };
  for (const Row& row : std::vector<Row>{{0, {}, 3, 6},
                                         {0, {{0, 2, 1}}, 5, 8},
                                         {0, {{0, 2, 2}}, 3, 8},
                                         {0, {{0, 2, 4}}, 3, 8},
                                         {0, {{0, 2, 1}, {0, 2, 2}}, 5, 8},
                                         {0, {{0, 2, 1}, {0, 2, 3}}, 7, 10},
                                         {0, {{0, 2, 2}, {4, 1, 5}}, 3, 10},
                                         {1, {{0, 2, 2}}, 9, 12}}) {
    const DrawnCase drawn = worked_case(row.d, row.errors);
    const auto copies = simulate(drawn.config, drawn.collectives).deliveries;
    ASSERT_EQ(copies.size(), 1U) << in_words(row.errors);
    EXPECT_EQ(copies[0].head, row.head) << in_words(row.errors);
    EXPECT_EQ(copies[0].tail, row.tail) << in_words(row.errors);
    EXPECT_EQ(compare_case(drawn, Traffic::schedule), "") << in_words(row.errors);
    EXPECT_EQ(compare_with_reference(drawn, Traffic::schedule), "") << in_words(row.errors);
    EXPECT_EQ(check_explanation(drawn, Traffic::schedule), "") << in_words(row.errors);
  }
}

// Nothing is lost, doubled or out of order, or the models would say so.
TEST(LinkRetry, AgreesWithTheReferenceModel) {
  for (const Traffic traffic : all_traffics) {
    const RandomCases cases(60);
    for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
      ASSERT_EQ(compare_case(erring_case(traffic, seed), traffic), "") << described(traffic, seed);
    }
  }
}

TEST(LinkRetry, HasCausesThatSum) {
  for (const Traffic traffic : all_traffics) {
    if (traffic == Traffic::groups || traffic == Traffic::tables) continue;
    const RandomCases cases(40);
    for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
      ASSERT_EQ(check_explanation(erring_case(traffic, seed), traffic), "")
          << described(traffic, seed);
    }
  }
}

TEST(LinkRetry, HasTheCausesOfASecondWalk) {
  for (const Traffic traffic : {Traffic::schedule, Traffic::kinds, Traffic::modes, Traffic::narrow,
                                Traffic::uniform, Traffic::uniform_modes}) {
    const RandomCases cases(is_pattern(traffic) ? 4 : 40);
    for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
      ASSERT_EQ(compare_with_reference(erring_case(traffic, seed), traffic), "")
          << described(traffic, seed);
    }
  }
}

// What does not err is as without retry, but for the date of a deadlock.
TEST(LinkRetry, ChangesNothingWithoutErrors) {
  for (const Traffic traffic : all_traffics) {
    const RandomCases cases(20);
    for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
      DrawnCase drawn = draw_case(traffic, seed);
      const auto seen = [&](bool has_retry) {
        drawn.config.has_retry = has_retry;
        return forked([&] {
          const Results results = simulate(drawn, traffic, false);
          return results.digest + " " + std::to_string(results.flit_hops) + " " +
                 (results.deadlock
                      ? "deadlock of " + std::to_string(results.deadlock->stuck_messages)
                      : std::to_string(results.contention.blocked_cycles) + " " +
                            std::to_string(results.reception.blocked_cycles));
        });
      };
      ASSERT_EQ(seen(true), seen(false)) << describe_case(traffic, seed);
    }
  }
}

TEST(LinkRetry, IsSeenToDisagreeWhereAnotherFlitErrs) {
  int cases = 0;
  int seen = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const DrawnCase drawn = erring_case(Traffic::schedule, seed);
    if (drawn.config.error_rate < 0.05) continue;
    ++cases;
    const auto theirs = [&] {
      reference::Config other = drawn.config;
      other.error_rate *= 0.5;
      return reference::simulate(other, drawn.collectives).digest;
    }();
    if (theirs != reference::simulate(drawn.config, drawn.collectives).digest) ++seen;
  }
  EXPECT_GT(cases, 5);
  EXPECT_GE(2 * seen, cases) << "in half of the cases at least";
}

// ---- A saturated channel (docs/timing.md) ----

/// Of one message of `flits` flits over a channel that errs: its errors, and its cycles. Each error
/// costs D cycles, and of all errors there are as many as a flit has tries.
void expect_rate(double rate, int replay, int flits) {
  DrawnCase drawn;
  drawn.config.topology = "hypercube:1";
  drawn.config.flits = flits;
  drawn.config.buffer_depth = 64;
  drawn.config.link_delay = (replay - 2) / 2;
  drawn.config.has_retry = true;
  drawn.config.error_rate = rate;
  drawn.collectives = {{{0}, {{0, 1}}}};
  const std::string seen = forked([&] {
    const Results results = simulate(drawn, Traffic::schedule, false);
    return std::to_string(results.link_errors->errors()) + " " +
           std::to_string(results.latency.max);
  });
  const double errors = std::stod(seen);
  const double cycles = std::stod(seen.substr(seen.find(' ')));
  EXPECT_EQ(cycles, 1 + drawn.config.link_delay + flits + replay * errors);
  const double expected = (1 - rate) / (1 - rate + rate * replay);
  // The tries of a flit are geometrically distributed.
  const double deviation = std::sqrt(flits * rate) / (1 - rate) * replay;
  EXPECT_NEAR(cycles, flits / expected, 3 * deviation + 1 + drawn.config.link_delay)
      << "Q " << rate << " D " << replay;
}

// By night all pairs, and a million flits.
TEST(LinkRetry, DeliversWhatGoBackNDoes) {
  const RandomCases cases(1);
  const bool is_night = cases.end - cases.first > 1;
  for (const double rate : {0.001, 0.01, 0.03, 0.1, 0.5}) {
    for (const int replay : {2, 4, 10, 64}) {
      const bool is_by_day = (rate == 0.01 || rate == 0.5) && (replay == 2 || replay == 64);
      if (is_by_day || is_night) expect_rate(rate, replay, is_night ? 1'000'000 : 20'000);
    }
  }
}

}  // namespace
}  // namespace allport::test
