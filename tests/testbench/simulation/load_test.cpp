// SPDX-License-Identifier: Apache-2.0
// These collectives start at random: alone on the fabric each takes what it takes in a run of its
// own; many at once lose nothing, and both models see the same.
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "testbench/plan/plan_run.h"
#include "tests/support/forked.h"
#include "tests/testbench/simulation/experiment.h"

namespace allport::test {
namespace {

struct LoadCase {
  const char* topology;
  const char* algorithm;
  std::size_t destinations;  // 0: all
  double rate;
  Cycle cycles;
  const char* pattern = "";
};

RunRequest request_of(const LoadCase& one, Model model) {
  RunRequest request;
  request.fabric.topology = parse_topology(one.topology);
  request.message.flits = 5;
  request.node.ts = 3;
  request.node.tr = 2;
  request.model = model;
  request.traffic.algorithm = &find_algorithm(one.algorithm);
  if (one.destinations > 0) request.traffic.destinations.random = one.destinations;
  request.traffic.collective_rate = one.rate;
  request.traffic.cycles = one.cycles;
  request.traffic.pattern = one.pattern;
  if (!request.traffic.pattern.empty()) request.traffic.rate = 0.1;
  return request;
}

Results run_load(const RunPlan& plan) {
  Simulation simulation(plan.simulation, plan.routing);
  return simulation.run(plan.work);
}

// The sum of the completions of all collectives, and of the latencies of their deliveries.
std::string sums_of(const Results& results) {
  const LoadResults& load = *results.load;
  std::ostringstream text;
  text << load.completion.mean * static_cast<double>(load.collectives) << " "
       << load.latency.mean * static_cast<double>(results.destinations);
  return text.str();
}

// The same if each collective has the fabric for itself; `apart`: whether none meets another.
std::string sums_alone(const RunPlan& plan) {
  return forked([&] {
    SimulationConfig config = plan.simulation;
    config.processors = processors_for<CollectiveWork>;
    Simulation simulation(config, plan.routing);
    double completions = 0;
    double deliveries = 0;
    Cycle before = 0;
    for (const PlannedCollective& one : plan.trials().front()) {
      if (one.start < before) return std::string("two meet");
      const Results alone = simulation.run({{one}});
      completions += static_cast<double>(alone.latency.max);
      deliveries += alone.latency.mean * static_cast<double>(alone.destinations);
      before = one.start + alone.latency.max + 10;  // credits are back by then
    }
    std::ostringstream text;
    text << completions << " " << deliveries;
    return text.str();
  });
}

// Rates at which, with this seed, no collective meets another.
constexpr LoadCase sparse[] = {{"mesh:4x4", "umesh", 4, 0.00002, 20000},
                               {"mesh:4x4", "dual-path", 5, 0.00002, 20000},
                               {"hypercube:4", "wsort", 0, 0.00002, 20000},
                               {"hypercube:3", "tree", 0, 0.00004, 20000},
                               {"hypercube:3", "exchange-allreduce", 0, 0.00004, 20000},
                               {"torus:4x4", "dcf", 0, 0.00002, 20000},
                               {"ring:5", "ring-allreduce", 0, 0.00005, 20000}};

TEST(Load, ACollectiveThatIsAloneTakesWhatItTakesInARunOfItsOwn) {
  for (const LoadCase& one : sparse) {
    const RunPlan plan = allport::plan(request_of(one, Model::systemc));
    EXPECT_GE(plan.trials().front().size(), 2U) << one.algorithm;
    EXPECT_EQ(forked([&] { return sums_of(run_load(plan)); }), sums_alone(plan)) << one.algorithm;
  }
}

constexpr LoadCase busy[] = {{"mesh:4x4", "umesh", 4, 0.004, 1500},
                             {"mesh:4x4", "separate", 6, 0.02, 500},
                             {"hypercube:4", "wsort", 5, 0.01, 800},
                             {"hypercube:4", "exchange-allreduce", 0, 0.001, 2000},
                             {"torus:4x4", "dcf", 0, 0.004, 800},
                             {"ring:6", "ring-allreduce", 0, 0.002, 1000},
                             {"mesh:4x4", "umesh", 4, 0.003, 1500, "uniform"},
                             {"hypercube:3", "wsort", 3, 0.01, 800, "bit-complement"}};

std::string seen(const LoadCase& one, Model model) {
  return forked([&]() -> std::string {
    const RunPlan plan = allport::plan(request_of(one, model));
    const Results results = run_load(plan);
    if (!results.is_complete()) return fault_of(results);
    if (results.missing > 0) return "destinations did not receive";
    std::ostringstream text;
    text << results.digest << " " << results.messages << " " << results.load->completion.mean << " "
         << results.load->latency.mean << " " << results.load->accepted_flits << " "
         << results.destinations;
    if (results.traffic) text << " " << results.traffic->latency.mean;
    return text.str();
  });
}

TEST(Load, IsTheSameOnFlitsAndOnWorms) {
  for (const LoadCase& one : busy) {
    const std::string on_flits = seen(one, Model::systemc);
    EXPECT_EQ(on_flits.find(' '), 16U) << one.algorithm << ": " << on_flits;
    EXPECT_EQ(seen(one, Model::worm), on_flits) << one.algorithm << " " << one.topology;
  }
}

// Every message of the plans is delivered once to each of its receivers, and to nobody else.
TEST(Load, AccountsForAllDeliveries) {
  for (const LoadCase& one : busy) {
    EXPECT_EQ(forked([&]() -> std::string {
                const RunPlan plan = allport::plan(request_of(one, Model::systemc));
                std::size_t expected = 0;
                for (const PlannedCollective& planned : plan.trials().front()) {
                  for (const Unicast& unicast : planned.schedule.unicasts) {
                    expected += receivers(unicast, plan.routing).size();
                  }
                }
                const Results results = run_load(plan);
                if (results.deliveries.size() != expected) return "deliveries do not add up";
                return results.load->unfinished == 0 ? "" : "a collective did not complete";
              }),
              "")
        << one.algorithm;
  }
}

// A node model with a processor that is busy with receptions delays both models alike.
TEST(Load, KnowsNodeModels) {
  const auto with_model = [](Model model) {
    return forked([&] {
      RunRequest request = request_of(busy[0], model);
      request.node.model.receive_occupies = true;
      request.node.model.send_blocks = true;
      const Results results = run_load(allport::plan(request));
      return results.digest + " " + std::to_string(results.load->completion.mean);
    });
  };
  EXPECT_EQ(with_model(Model::systemc), with_model(Model::worm));
  EXPECT_NE(with_model(Model::worm).substr(0, 16), seen(busy[0], Model::worm).substr(0, 16));
}

TEST(Load, SaysThatItSaturates) {
  const auto saturated = [](double rate) {
    return forked([&] {
      const LoadCase one{"mesh:4x4", "separate", 8, rate, 4000};
      return std::to_string(run_load(allport::plan(request_of(one, Model::worm))).load->saturated);
    });
  };
  EXPECT_EQ(saturated(0.001), "0");
  EXPECT_EQ(saturated(0.1), "1");
}

// Three collectives of one node, of one message of one flit each, start in the cycles 0, 1 and 2.
// The processor prepares them one after another, by the cycles 3, 6 and 9; over h hops each is
// there h + 1 cycles later. So they take 4 + h, 5 + h + 1 and 6 + h + 2 cycles.
TEST(Load, CollectivesOfANodeWaitForItsProcessor) {
  EXPECT_EQ(forked([] {
              RunRequest request = request_of({"ring:8", "separate", 1, 1, 3}, Model::systemc);
              request.message.flits = 1;
              request.node.tr = 0;
              request.traffic.sources = {{0, false}};
              const RunPlan plan = allport::plan(request);
              int hops = 0;
              for (const PlannedCollective& one : plan.trials().front()) {
                hops += plan.routing.distance(node_id(0), one.destinations.front());
              }
              const Results results = run_load(plan);
              return std::to_string(results.load->completion.mean * 3 - hops);
            }),
            std::to_string(4.0 + 6.0 + 8.0));
}

}  // namespace
}  // namespace allport::test
