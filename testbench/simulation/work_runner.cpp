// SPDX-License-Identifier: Apache-2.0
#include "testbench/simulation/work_runner.h"

#include <array>
#include <cstddef>

#include "testbench/simulation/closed_loop_runner.h"
#include "testbench/simulation/collective_runner.h"
#include "testbench/simulation/load_runner.h"
#include "testbench/simulation/pattern_runner.h"
#include "testbench/simulation/rank_runner.h"
#include "testbench/simulation/run_core.h"

namespace allport {

namespace {

template <class Runner>
std::unique_ptr<WorkRunner> made(RunCore& core) {
  return std::make_unique<Runner>(core);
}

}  // namespace

std::unique_ptr<WorkRunner> make_runner(RunCore& core) {
  // By kind, in the order of Work.
  constexpr std::array makers{made<CollectiveRunner>, made<LoadRunner>, made<PatternRunner>,
                              made<ClosedLoopRunner>, made<TaskRunner>, made<ProgramRunner>};
  static_assert(makers.size() == std::variant_size_v<Work>, "each kind of work has its runner");
  return makers[static_cast<std::size_t>(core.config.processors)](core);
}

}  // namespace allport
