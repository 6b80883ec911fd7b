// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/plan_traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>

#include "rtl_model/base/quote.h"
#include "testbench/plan/file_kind.h"
#include "testbench/plan/input_file.h"
#include "testbench/plan/requirements.h"
#include "testbench/plan/resolve.h"
#include "traffic/patterns/flow_file.h"

namespace allport {

namespace {

// Where nodes are missing, a table has the numbers of the whole fabric.
void find_nodes(FlowTable& table, const Topology& topology) {
  if (topology.has_all_numbers()) return;
  for (std::size_t i = 0; i < table.flows.size(); ++i) {
    for (NodeId* const node : {&table.flows[i].source, &table.flows[i].destination}) {
      const std::optional<NodeId> found = topology.find_number(index(*node));
      if (!found) {
        throw std::invalid_argument(fmt::format("{}: there is no node {} in {}", table.place_of(i),
                                                index(*node), topology.name()));
      }
      *node = *found;
    }
  }
}

// The flows in the place of a pattern, whose messages have lengths of their own.
std::shared_ptr<const FlowTable> flows_of(const RunPlan& plan) {
  auto table = std::make_shared<FlowTable>();
  read_input(plan.request.traffic.flows, "the flows",
             [&](std::istream& in, const std::string& name) {
               InputHead input(in);
               require_kind(input.head(), FileKind::table, shown_path(name), "table of flows");
               *table = read_flows(input.all(), name);
             });
  find_nodes(*table, plan.routing.topology());
  const std::string fault = flow_fault(*table, plan.routing.topology());
  if (!fault.empty()) throw std::invalid_argument(fault);
  for (std::size_t i = 0; i < table->flows.size(); ++i) {
    require_length(table->flows[i].flits, (table->place_of(i) + ": flits").c_str(),
                   plan.simulation.is_transaction_level);
  }
  return table;
}

TrafficRequest flow_request(const RunRequest& request, const RunPlan& plan) {
  TrafficRequest traffic;
  traffic.flows = flows_of(plan);
  traffic.warmup = request.traffic.warmup;
  traffic.cycles = request.traffic.cycles;
  traffic.seed = request.traffic.seed;
  require_warmup(request);
  require_room(plan.simulation.fabric, traffic.longest_flits());
  return traffic;
}

// Buffers must take the credits that are out, and the longest message.
void require_reception(const RunRequest& request, const RunPlan& plan, int flits) {
  const int limit = request.traffic.reception_limit;
  if (limit == 0) return;
  const int least = std::max(plan.router.buffer_depth, flits);
  if (limit < least) {
    throw std::invalid_argument(fmt::format(
        "--reception-limit {}: must be {} flits or more, those of a buffer (--buffer-depth) and of the longest message",
        limit, least));
  }
  if (request.node.model.startup_per_port) {
    throw std::invalid_argument(
        "--reception-limit: a request is taken when its reply is prepared, which --startup per-port does not tell; leave one of them out");
  }
  const bool is_in_rtl = request.model == Model::rtl || request.model == Model::cosim;
  if (is_in_rtl && request.router.classes > 1) {
    throw std::invalid_argument(fmt::format(
        "--reception-limit with --classes {}: credits of several classes may come back to an ejection channel in one cycle, for which routers in RTL have no pins; the models systemc and worm run it",
        request.router.classes));
  }
}

TrafficRequest traffic_request(const RunRequest& request, const RunPlan& plan) {
  if (!request.traffic.flows.empty()) return flow_request(request, plan);
  TrafficRequest traffic;
  traffic.pattern = &find_pattern(request.traffic.pattern);
  traffic.rate = request.traffic.rate;
  traffic.flits = plan.simulation.flits;
  traffic.flits_long = request.message.flits_long;
  traffic.long_fraction = request.message.long_fraction;
  if (request.traffic.loop.outstanding > 0) {
    traffic.loop = request.traffic.loop;
    if (traffic.loop->reply_flits == 0) traffic.loop->reply_flits = traffic.flits;
    require_length(traffic.loop->reply_flits, "--reply-flits",
                   plan.simulation.is_transaction_level);
    require_reception(request, plan, std::max(traffic.flits, traffic.loop->reply_flits));
  }
  traffic.warmup = request.traffic.warmup;
  traffic.cycles = request.traffic.cycles;
  traffic.seed = request.traffic.seed;
  require_pattern(request, traffic);
  require_length(std::max(traffic.flits, traffic.flits_long), "--flits-long",
                 plan.simulation.is_transaction_level);
  require_room(plan.simulation.fabric, traffic.longest_flits());
  if (!traffic.pattern->has_hotspots) return traffic;
  traffic.hotspots = to_nodes(request.traffic.hotspots, plan.routing.topology(), "hotspot");
  traffic.hotspot_fraction = request.traffic.hotspot_fraction;
  return traffic;
}

}  // namespace

TrafficRequest plan_traffic(const RunPlan& plan) {
  TrafficRequest traffic = traffic_request(plan.request, plan);
  SyntheticTraffic(traffic, plan.routing.topology());  // or throw
  return traffic;
}

std::optional<TrafficRequest> plan_background(RunPlan& plan) {
  TrafficTable& traffic = plan.request.traffic;
  if (!traffic.has_pattern()) return std::nullopt;
  if (traffic.cycles == 0) traffic.cycles = most_background_cycles;
  plan.simulation.has_background = true;
  return plan_traffic(plan);
}

void plan_pattern(RunPlan& plan) {
  plan.sources.clear();
  const TrafficRequest traffic = plan_traffic(plan);
  plan.work = traffic.loop ? Work(ClosedLoopWork{traffic}) : PatternWork{traffic};
}

}  // namespace allport
