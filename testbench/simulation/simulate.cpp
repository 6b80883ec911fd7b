// SPDX-License-Identifier: Apache-2.0
#include "testbench/simulation/simulate.h"

#include <stdexcept>

#include "testbench/processes/child_process.h"
#include "testbench/results/results_archive.h"
#include "testbench/simulation/run_session.h"

namespace allport {

Results simulate_here(const RunPlan& plan, const Progress& progress,
                      const std::atomic<bool>* stop) {
  SessionRequest request;
  request.progress = progress;
  request.stop = stop;
  const RtlRequest no_rtl;
  const SessionResults session = run_session(plan, no_rtl, request, {{}, stop});
  if (session.lockstep && session.lockstep->difference) {
    throw std::runtime_error(in_words(*session.lockstep->difference));
  }
  return session.results;
}

Results simulate(const RunPlan& plan) {
  const ChildText ended = text_of_child([&plan] { return to_bytes(simulate_here(plan)); });
  if (!ended.problem.empty()) throw std::runtime_error("the simulation: " + ended.problem);
  return results_of(ended.text);
}

}  // namespace allport
