// SPDX-License-Identifier: Apache-2.0
#include "tests/properties/reference/simulated_case.h"

#include <algorithm>

#include "rtl_model/topology/group_routes.h"
#include "testbench/simulation/simulation.h"
#include "tests/properties/reference/drawn_pipeline.h"
#include "tests/properties/reference/drawn_trees.h"

namespace allport::test {

namespace {

SimulationConfig simulation_config(const reference::Config& config, Traffic traffic) {
  SimulationConfig out;
  out.fabric.internal_ports = config.ports;
  out.fabric.vcs = config.vcs;
  out.fabric.buffer_depth = config.buffer_depth;
  out.fabric.link_delay = config.link_delay;
  out.fabric.replication_delay = config.replication_delay;
  out.fabric.switching = static_cast<Switching>(config.mode);
  out.fabric.link_delays = config.link_delays;
  out.fabric.combine_delay = config.combine_delay;
  out.fabric.join_vcs = config.join_vcs;
  out.fabric.phits = config.phits;
  copy_pipeline(config, out.fabric);
  out.fabric.retry = config.has_retry;
  out.errors.rate = config.error_rate;
  for (const auto& [node, port, cycle] : config.errors) {
    out.errors.listed.push_back(
        {{node_id(static_cast<std::size_t>(node)), port_id(static_cast<std::size_t>(port))},
         cycle});
  }
  std::sort(out.errors.listed.begin(), out.errors.listed.end());
  if (config.topology == "graph") out.fabric.links = links_of_edges(config);
  out.ts = config.ts;
  out.tr = config.tr;
  out.jitter = config.jitter;
  out.skew = config.skew;
  if (config.has_barrier) out.barrier = config.barrier;
  out.flits = config.flits;
  out.bytes = static_cast<std::size_t>(config.flits) * 4;
  const bool has_joins = traffic == Traffic::groups || traffic == Traffic::tables;
  if (!has_joins) out.bytes -= config.seed % 4;  // joins have whole lanes
  out.seed = config.seed;
  return out;
}

PlannedCollective planned(const reference::Collective& collective, const Routing& routing,
                          int address_flits) {
  PlannedCollective out;
  for (const int source : collective.sources) {
    out.sources.push_back(node_id(static_cast<std::size_t>(source)));
  }
  for (std::size_t node = 0; node < routing.topology().node_count(); ++node) {
    if (node_id(node) != out.sources.front()) out.destinations.push_back(node_id(node));
  }
  for (const reference::Line& line : collective.lines) {
    Unicast unicast;
    unicast.u = node_id(static_cast<std::size_t>(line.u));
    unicast.v = node_id(static_cast<std::size_t>(line.v));
    unicast.order = line.order;
    unicast.kind = static_cast<MessageKind>(line.kind);
    unicast.displacement = line.displacement;
    for (const int node : line.via) unicast.via.push_back(node_id(static_cast<std::size_t>(node)));
    unicast.first_dimension = line.first_dimension;
    unicast.free = group_mask(routing.topology(), static_cast<DimensionMask>(line.free));
    unicast.join = {line.tag, JoinOperation::sum, LaneType::u32};
    out.schedule.unicasts.push_back(unicast);
  }
  out.address_fields =
      AddressFields(out.schedule, routing.topology().node_count(), out.destinations, address_flits);
  return out;
}

}  // namespace

Results simulate(const DrawnCase& drawn, Traffic traffic, bool is_transaction_level,
                 const ExplainRequest& explain,
                 const std::function<void(const ShownTrial&)>& show) {
  const Routing routing = routing_of(drawn.config);
  SimulationConfig config = simulation_config(drawn.config, traffic);
  config.is_transaction_level = is_transaction_level;
  config.explain = explain;
  if (is_pattern(traffic)) config.processors = processors_for<PatternWork>;
  Simulation simulation(config, routing);
  if (is_pattern(traffic)) {
    TrafficRequest request;
    request.rate = drawn.pattern.rate;
    request.cycles = drawn.pattern.cycles;
    request.flits_long = drawn.flits_long;
    request.long_fraction = drawn.flits_long > 0 ? 0.1 : 0;
    const Results results = simulation.run(PatternWork{request});
    if (show) simulation.show_trial(show);
    return results;
  }
  std::vector<PlannedCollective> collectives;
  for (const auto& collective : drawn.collectives) {
    collectives.push_back(planned(collective, routing, drawn.address_flits));
  }
  // The trial under test is the last one: the ones before it must leave no trace.
  const std::vector<std::vector<PlannedCollective>> trials(drawn.config.trial + 1, collectives);
  const Results results = simulation.run(trials);
  if (show) simulation.show_trial(show);
  return results;
}

}  // namespace allport::test
