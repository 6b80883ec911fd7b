// SPDX-License-Identifier: Apache-2.0
// This program of a user plans, proves, predicts and simulates a hundred multicasts on fabrics of
// several shapes and depths, all in one process. It exits with 1 unless theory and simulation agree
// wherever Theorem 1 proves that nothing contends.
#include <iostream>
#include <systemc>

#include "testbench/plan/library.h"
#include "testbench/simulation/simulate.h"

namespace {

bool agrees(const allport::RunRequest& request) {
  const allport::RunPlan plan = allport::plan(request);
  const allport::StaticVerdict verdict = allport::check(plan);
  const allport::Results results = allport::simulate(plan);
  if (!results.is_complete() || !verdict.report->ok()) return false;
  return results.contention.events == 0 &&
         results.latency.max == allport::theory(plan).with_ports.value();
}

}  // namespace

int sc_main(int, char**) {
  int count = 0;
  for (const char* shape : {"hypercube:3", "hypercube:4", "hypercube:5", "hypercube:6"}) {
    for (int depth = 2; depth < 7; ++depth) {
      for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        allport::RunRequest request;
        request.fabric.topology = allport::parse_topology(shape);
        request.router.buffer_depth = depth;
        request.message.flits = 32;
        request.node.ts = 20;
        request.traffic.algorithm = &allport::find_algorithm("wsort");
        request.traffic.destinations.random = 5;
        request.traffic.seed = seed;
        if (!agrees(request)) {
          std::cerr << shape << " depth " << depth << " seed " << seed << " differs\n";
          return 1;
        }
        ++count;
      }
    }
  }
  std::cout << count << " multicasts as the theory has them\n";
  return count == 100 ? 0 : 1;
}
