// SPDX-License-Identifier: Apache-2.0
// Plan, proof, theory and simulation of one multicast (docs/library.md); exits with 0 when every
// destination has the message.
#include <iostream>
#include <systemc>

#include "testbench/plan/library.h"
#include "testbench/simulation/simulate.h"

int sc_main(int, char**) {
  allport::RunRequest request;
  request.fabric.topology = allport::parse_topology("hypercube:6");
  request.traffic.algorithm = &allport::find_algorithm("wsort");
  request.traffic.destinations.random = 20;

  const allport::RunPlan plan = allport::plan(request);         // throws one sentence
  const allport::StaticVerdict verdict = allport::check(plan);  // what `allport check` says
  const allport::Theory theory = allport::theory(plan);         // latencies without contention
  const allport::Results results = allport::simulate(plan);     // what `allport run --json` says
  for (const allport::DestinationLatency& one : results.by_destination) {
    std::cout << "node " << index(one.node) << " has it in cycle " << one.cycles << "\n";
  }
  for (const allport::ContentionEvent& one : results.contention.list) {
    std::cout << "a channel of node " << index(one.channel.node) << " lost " << one.cycles
              << " cycles from cycle " << one.cycle << " on\n";
  }
  const bool is_on_time = results.latency.max <= theory.latency || results.contention.events > 0;
  return results.is_complete() && verdict.report && is_on_time ? 0 : 1;
}
