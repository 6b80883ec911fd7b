// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/systemc/cycle_clock.h"

#include <gmock/gmock.h>

#include "rtl_model/base/run_end.h"

namespace allport::test {
namespace {

using testing::HasSubstr;

class BareClock final : public CycleClock {
 public:
  BareClock() : CycleClock(finest_period()) {}
  using CycleClock::restart;

  void pass(Cycle cycles) { sc_core::sc_start(ahead(cycles).value()); }
};

TEST(CycleClock, HasTimeForTheWholeOfARun) {
  const BareClock clock;

  EXPECT_EQ(clock.room(), last_cycle);
  EXPECT_EQ(clock.ahead(last_cycle).value().value(), 1'000'000'000'000'000'000U);
  EXPECT_EQ(clock.overrun(), "");
  EXPECT_FALSE(clock.ahead(last_cycle + 5));
  EXPECT_FALSE(clock.ahead(INT64_MAX));
  EXPECT_EQ(clock.overrun(),
            "what comes next is due in cycle 1000000000000000005, and a run ends by cycle 10^18");
}

TEST(CycleClock, CountsTheTrialsOfARunTogether) {
  BareClock clock;
  clock.begin_run();
  clock.pass(600'000'000'000'000'000);
  EXPECT_EQ(clock.cycle(), 600'000'000'000'000'000);
  clock.restart();

  EXPECT_EQ(clock.cycle(), 0);
  EXPECT_EQ(clock.room(), 400'000'000'000'000'000);
  EXPECT_FALSE(clock.ahead(500'000'000'000'000'000));
  EXPECT_EQ(
      clock.overrun(),
      "what comes next is due in cycle 500000000000000000 of a trial, and a run ends by cycle 10^18, all its trials counted");
  clock.begin_run();
  EXPECT_EQ(clock.overrun(), "");
  EXPECT_EQ(clock.room(), last_cycle);
}

TEST(CycleClock, EndsWithTheTimeOfTheKernel) {
  BareClock clock;
  int runs = 0;
  for (; clock.room() == last_cycle; ++runs) {
    clock.begin_run();
    clock.restart();
    clock.pass(last_cycle);
    clock.begin_run();
  }
  clock.restart();

  EXPECT_EQ(runs, 18);  // 2^64 units
  EXPECT_FALSE(clock.ahead(last_cycle));
  EXPECT_THAT(clock.overrun(), HasSubstr("SystemC's kernel"));
}

}  // namespace
}  // namespace allport::test
