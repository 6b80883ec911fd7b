// SPDX-License-Identifier: Apache-2.0
// `edn` is the reading that the rule of docs/algorithms.md, section 10, chooses.
#include <gtest/gtest.h>

#include <optional>
#include <sstream>

#include "testbench/studies/reproduce/papers/hou/edn_band.h"
#include "tests/support/forked.h"
#include "tests/testbench/simulation/experiment.h"
#include "traffic/algorithms/edn_readings.h"

namespace allport::test {
namespace {

MeasuredBroadcast simulated(std::size_t reading, int flits) {
  std::istringstream found(forked([&] {
    const Routing torus = routing_on("torus:32x32");
    const Multicast goal = broadcast(torus.topology(), node_id(0));
    PlannedCollective planned;
    planned.sources = {goal.source};
    planned.destinations = goal.destinations;
    planned.schedule = plan_by_blocks({torus, all_ports(torus), goal}, edn_readings().at(reading));
    Experiment config = Experiment().length(flits).times(0, 0);
    config.is_transaction_level = true;
    const Results results = Simulation(config, torus).run({{planned}});
    if (!results.is_complete()) return fault_of(results);
    return std::to_string(results.latency.max) + " " + std::to_string(results.contention.events);
  }));
  MeasuredBroadcast broadcast;
  found >> broadcast.latency >> broadcast.events;
  EXPECT_TRUE(found) << found.str();
  return broadcast;
}

MeasuredReading measured_reading(std::size_t number, const std::vector<int>& lengths) {
  MeasuredReading reading{number, {}, {}, {}};
  for (const int flits : lengths) {
    const MeasuredBroadcast found = simulated(number, flits);
    reading.latencies.push_back(found.latency);
    reading.leads.push_back(found.latency - by_analysis("dcf", {side_of_figures, 0, flits}));
    reading.events.push_back(found.events);
  }
  return reading;
}

TEST(EdnRule, TakesTheFirstWithOnePatternThatSaysWhatFigure8Says) {
  const std::vector<int> lengths{64, 512, 1024};
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < edn_readings().size() && !first; ++i) {
    if (!has_one_pattern(edn_readings()[i])) continue;
    if (says_figure_8(measured_reading(i, lengths), lengths)) first = i;
  }
  // That `edn` is this one is tested in tests/traffic/algorithms/edn_readings_test.cpp.
  EXPECT_EQ(first, 640U);
}

// Of those with one pattern, by message times behind DCF.
TEST(EdnRule, HasFourToChooseFrom) {
  const std::vector<int> lengths{1024};
  std::size_t fitting = 0;
  for (std::size_t i = 0; i < edn_readings().size(); ++i) {
    if (!has_one_pattern(edn_readings()[i])) continue;
    fitting += says_figure_8(measured_reading(i, lengths), lengths) ? 1 : 0;
  }
  EXPECT_EQ(fitting, 4U);
}

}  // namespace
}  // namespace allport::test
