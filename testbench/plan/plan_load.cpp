// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/plan_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "testbench/plan/plan_goal.h"
#include "testbench/plan/plan_traffic.h"
#include "testbench/plan/requirements.h"
#include "testbench/plan/resolve.h"
#include "testbench/plan/router_declaration.h"
#include "testbench/processes/interrupt.h"

namespace allport {

namespace {

CollectiveLoad load_of(const RunRequest& request) {
  const TrafficTable& traffic = request.traffic;
  return {*traffic.collective_rate, traffic.destinations.random, traffic.warmup, traffic.cycles,
          traffic.seed};
}

Multicast goal_of(const CollectiveStart& start, const Topology& topology) {
  if (start.drawn.empty()) return broadcast(topology, start.source);
  std::vector<NodeId> nodes;
  for (const std::uint32_t one : start.drawn) nodes.push_back(topology.absolute(one, start.source));
  return multicast(topology, start.source, std::move(nodes));
}

// Whether the plan is the same whoever starts the collective: that of a synthesized one that has no
// root is found for the nodes alone, which takes long.
bool has_one_plan(const Algorithm& algorithm) {
  switch (algorithm.operation) {
    case Operation::bcast:
    case Operation::scatter:
    case Operation::gather:
    case Operation::reduce:
      return false;
    default:
      return algorithm.is_synthesized;
  }
}

// Plans the collectives and messages of one run.
class LoadPlanner {
 public:
  LoadPlanner(const RunPlan& plan, const LoadWork& work) : plan_(plan), work_(work) {}

  void add_collectives() {
    std::map<NodeId, PlannedCollective> known;  // by source, where it alone makes the plan
    const bool is_same_for_all = has_one_plan(*plan_.request.traffic.algorithm);
    for (const CollectiveStart& start :
         draw_starts(work_.load, plan_.sources, plan_.routing.topology().node_count())) {
      give_up_if_interrupted();
      const NodeId maker = is_same_for_all ? plan_.sources.front() : start.source;
      const auto found = known.find(maker);
      PlannedCollective planned = found == known.end() ? planned_for(start) : found->second;
      if (start.drawn.empty() && found == known.end()) known.emplace(maker, planned);
      if (is_same_for_all) planned.sources = {start.source};
      planned.start = start.cycle;
      add(std::move(planned));
    }
    if (!all_.empty()) return;
    throw std::invalid_argument(fmt::format(
        "--collective-rate {}: no collective starts within {} cycles; choose a higher rate or more cycles",
        work_.load.rate, work_.load.cycles));
  }

  // Each message of the pattern is a multicast to one destination.
  void add_background() {
    const SyntheticTraffic traffic(*work_.background, plan_.routing.topology());
    const auto first = static_cast<std::ptrdiff_t>(all_.size());
    for (std::size_t i = 0; i < plan_.routing.topology().node_count(); ++i) {
      give_up_if_interrupted();
      MessageSource messages(traffic, node_id(i));
      int order = 0;
      while (const std::optional<Start> start = messages.next()) {
        Unicast unicast;
        unicast.u = node_id(i);
        unicast.v = start->destination;
        unicast.order = order++;
        set_ties(unicast, start->ties, plan_.routing);
        PlannedCollective planned;
        planned.sources = {unicast.u};
        planned.destinations = {unicast.v};
        planned.schedule.unicasts = {std::move(unicast)};
        planned.start = start->cycle;
        planned.is_background = true;
        add(std::move(planned));
      }
    }
    std::stable_sort(
        all_.begin() + first, all_.end(),
        [](const PlannedCollective& a, const PlannedCollective& b) { return a.start < b.start; });
  }

  std::vector<PlannedCollective> take() { return std::move(all_); }

 private:
  PlannedCollective planned_for(const CollectiveStart& start) const {
    const PlanContext context{plan_.request, plan_.routing, plan_.router.internal_ports, nullptr,
                              &plan_.missing};
    PlannedCollective planned = plan_goal(*plan_.request.traffic.algorithm,
                                          goal_of(start, plan_.routing.topology()), context);
    require_size(planned, plan_.simulation, plan_.routing.topology());
    return planned;
  }

  void add(PlannedCollective planned) {
    messages_ += planned.schedule.unicasts.size();
    if (messages_ > max_load_messages) {
      throw std::invalid_argument(fmt::format(
          "--collective-rate {}: the run has more than {} messages; choose a lower rate or fewer cycles",
          work_.load.rate, max_load_messages));
    }
    all_.push_back(std::move(planned));
  }

  const RunPlan& plan_;
  const LoadWork& work_;
  std::vector<PlannedCollective> all_;
  std::size_t messages_ = 0;
};

void require_traffic(const TrafficTable& traffic) {
  const double rate = *traffic.collective_rate;
  const auto refuse = [&](const std::string& what) {
    throw std::invalid_argument(fmt::format("--collective-rate {}: {}", rate, what));
  };
  const bool is_rate = rate > 0 && rate <= 1;
  if (!is_rate) refuse("must be more than 0 and at most 1 collective per node and cycle");
  if (traffic.algorithm == nullptr) refuse("it needs --algorithm, whose collectives start so");
  if (traffic.warmup >= traffic.cycles) {
    refuse(
        fmt::format("--warmup {} must be less than --cycles {}", traffic.warmup, traffic.cycles));
  }
  if (!traffic.destinations.listed.empty()) {
    refuse("each collective has its own destinations: --destinations must be all or random:M");
  }
}

}  // namespace

void require_load(const RunRequest& request) {
  if (!request.traffic.collective_rate) return;
  require_traffic(request.traffic);
  if (request.message.pieces == 0) {
    throw std::invalid_argument(fmt::format(
        "--collective-rate {}: --pieces best is for a collective alone; give a number of pieces",
        *request.traffic.collective_rate));
  }
}

std::vector<NodeId> load_sources(const RunRequest& request, const Topology& topology) {
  if (!request.traffic.sources.empty()) {
    return to_nodes(request.traffic.sources, topology, "source");
  }
  std::vector<NodeId> all;
  for (std::size_t i = 0; i < topology.node_count(); ++i) all.push_back(node_id(i));
  return all;
}

void plan_load(RunPlan& plan) {
  const RunRequest& request = plan.request;
  LoadWork work;
  work.load = load_of(request);
  work.sources = plan.sources.size();
  if (request.traffic.has_pattern()) work.background = plan_traffic(plan);
  LoadPlanner planner(plan, work);
  planner.add_collectives();
  if (work.background) planner.add_background();
  work.trials = {planner.take()};
  require_room(work.trials.front(), plan.simulation);
  require_kinds(work.trials.front(), plan.router.switching, plan.routing);
  plan.work = std::move(work);
  require_joins(plan);
  if (request.custom_router) {
    require_declared_kinds(*request.custom_router, plan.trials().front(), plan.routing);
  }
}

}  // namespace allport
