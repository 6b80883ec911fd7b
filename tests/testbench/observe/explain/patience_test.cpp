// SPDX-License-Identifier: Apache-2.0
// Patience that is over cuts short what is found of a trial, in the middle of a message too, and
// leaves nothing behind: later it is found as if nothing had been cut.
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <memory>

#include "testbench/observe/explain/channel_uses.h"
#include "testbench/observe/explain/explained_trial.h"
#include "testbench/observe/explain/patience.h"
#include "testbench/observe/explain/roots.h"
#include "testbench/plan/plan_run.h"
#include "testbench/simulation/run_session.h"

namespace allport {
namespace {

// Messages of several sources that wait for one another, some of them still under way at the end.
RunRequest busy_request() {
  RunRequest request;
  request.fabric.topology = parse_topology("mesh:4x4");
  request.traffic.pattern = "uniform";
  request.traffic.rate = 0.7;
  request.traffic.cycles = 1000;
  request.model = Model::worm;
  request.explain.movement = true;
  return request;
}

void expect_cut(const ShownTrial& shown) {
  ExplainedTrial& trial = shown.explained;
  const Reception& last = shown.receptions.back();
  const std::size_t waits = trial.explain(last).size();
  Roots cut(trial.waits, shown.log);
  for (const Wait& one : trial.explain(last)) cut.add(one);
  {
    std::atomic<bool> stop{false};
    const Patience patience(&stop);
    EXPECT_NE(trial.explain_in_time(last), nullptr);
    stop = true;
    EXPECT_EQ(trial.explain_in_time(last), nullptr);
    EXPECT_THROW(trial.explain(last), Stopped);
    EXPECT_THROW(visit_under_way(trial, shown.end, [](CrossingIndex, int, const auto&) {}),
                 Stopped);
    EXPECT_THROW(channel_uses(trial, shown.log, shown.end, {0, shown.end}, 0), Stopped);
    EXPECT_NO_THROW(cut.sums());  // what was not followed by then has no root
  }
  EXPECT_EQ(trial.explain(last).size(), waits);
  EXPECT_FALSE(channel_uses(trial, shown.log, shown.end, {0, shown.end}, 0).empty());
}

TEST(Patience, CutsShortAndLeavesNothingBehind) {
  const RunPlan planned = plan(busy_request());
  bool is_shown = false;
  SessionRequest session;
  session.show_trial = [&](const ShownTrial& shown, const Results&) {
    is_shown = true;
    expect_cut(shown);
  };
  run_session(planned, nullptr, session);
  EXPECT_TRUE(is_shown);
}

}  // namespace
}  // namespace allport
