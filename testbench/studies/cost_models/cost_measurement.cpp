// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/cost_models/cost_measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "testbench/files/standard_streams.h"
#include "testbench/plan/requirements.h"
#include "testbench/plan/resolve.h"
#include "testbench/plan/verdict.h"
#include "testbench/processes/child_process.h"
#include "testbench/processes/interrupt.h"
#include "testbench/simulation/rtl_fabric.h"
#include "testbench/simulation/simulation.h"

namespace allport {

namespace {

// A stream is measured over its second half, when buffers and queues are in their steady state.
constexpr int stream_messages = 16;

/// The simulation of one size.
class Bench {
 public:
  explicit Bench(const RunPlan& plan, const RouterReplacement& replace_routers)
      : plan_(plan),
        simulation_(plan.simulation, plan.routing, replace_routers, catch_interrupts()) {}

  CostSample pair(const CostPair& pair) {
    const Results lone = run(pair.source, pair.destination, 1);
    const auto one_way = static_cast<double>(lone.latency.max);
    CostSample sample;
    sample.flits = plan_.simulation.flits;
    sample.one_way = one_way;
    sample.sending = injected(0);
    sample.receiving = one_way - static_cast<double>(lone.deliveries.back().tail);
    run(pair.source, pair.destination, stream_messages);
    constexpr int half = stream_messages / 2;
    sample.gap = (injected(stream_messages - 1) - injected(half - 1)) / half;
    return sample;
  }

  double one_way(NodeId source, NodeId destination) {
    return static_cast<double>(run(source, destination, 1).latency.max);
  }

 private:
  // `count` messages, one after another.
  Results run(NodeId source, NodeId destination, int count) {
    PlannedCollective planned{{source}, {destination}, {}};
    for (int order = 0; order < count; ++order) {
      Unicast unicast;
      unicast.u = source;
      unicast.v = destination;
      unicast.step = order + 1;
      unicast.order = order;
      planned.schedule.unicasts.push_back(unicast);
    }
    Results results = simulation_.run({{planned}});
    if (const std::string problem = fault(results); !problem.empty()) {
      throw std::runtime_error(problem);
    }
    return results;
  }

  // The cycle in which the head of message `order` of the source is on the injection channel.
  double injected(int order) const {
    return static_cast<double>(simulation_.message(static_cast<MessageId>(order)).injected);
  }

  const RunPlan& plan_;
  Simulation simulation_;
};

// The first node at each distance from `source`, in the order of distances.
std::vector<std::pair<int, NodeId>> by_distance(const Routing& routing, NodeId source) {
  std::vector<std::pair<int, NodeId>> nodes;
  for (std::size_t i = 0; i < routing.topology().node_count(); ++i) {
    const int hops = routing.distance(source, node_id(i));
    const bool is_known =
        std::any_of(nodes.begin(), nodes.end(), [&](const auto& one) { return one.first == hops; });
    if (hops > 0 && !is_known) nodes.emplace_back(hops, node_id(i));
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

Json measure(const RunPlan& plan, const RunRequest& request, const CostPair& pair) {
  std::optional<RtlFabric> rtl;
  if (request.model == Model::rtl) rtl.emplace(plan, false, BuildHooks{say, catch_interrupts()});
  RouterReplacement replace_routers;
  if (rtl) {
    const std::vector<NodeId> everywhere = rtl_nodes({}, 0, plan.routing.topology());
    replace_routers = [&rtl, everywhere](Fabric& fabric) {
      rtl->nodes().replace(fabric, everywhere);
    };
  }
  Bench bench(plan, replace_routers);
  const CostSample sample = bench.pair(pair);
  Json distances = Json::array();
  for (const auto& [hops, node] : by_distance(plan.routing, pair.source)) {
    distances.push_back({hops, bench.one_way(pair.source, node)});
  }
  return {{"one_way", sample.one_way},
          {"sending", sample.sending},
          {"receiving", sample.receiving},
          {"gap", sample.gap},
          {"distances", std::move(distances)}};
}

}  // namespace

RunPlan plan_size(const RunRequest& request, int flits) {
  RunRequest sized = request;
  sized.message.flits = flits;
  sized.message.bytes = 0;
  RunPlan plan = plan_fabric(sized);
  settle_model(plan);
  require_room(plan.simulation.fabric, flits);
  return plan;
}

CostPair cost_pair(const RunRequest& request, const Routing& routing) {
  const Topology& topology = routing.topology();
  const NodeId source = single_source(request, topology);
  const DestinationChoice& choice = request.traffic.destinations;
  if (choice.random || choice.listed.size() > 1) {
    throw std::invalid_argument("--destinations: fit measures one pair of nodes; name one node");
  }
  if (choice.listed.empty()) return {source, by_distance(routing, source).back().second};
  const NodeId destination = to_node(choice.listed.front(), topology, "destination");
  if (destination != source) return {source, destination};
  throw std::invalid_argument(
      fmt::format("destination {} is the source itself", index(destination)));
}

CostSamples measure_costs(const RunRequest& request, const CostPair& pair,
                          const std::vector<int>& sizes,
                          const std::function<void(std::size_t done)>& on_size) {
  std::vector<RunPlan> plans;
  plans.reserve(sizes.size());
  for (const int flits : sizes) plans.push_back(plan_size(request, flits));
  const Routing& routing = plans.front().routing;
  CostSamples samples;
  samples.nodes = routing.topology().node_count();
  samples.hops = routing.distance(pair.source, pair.destination);
  for (const RunPlan& plan : plans) {
    on_size(samples.pair.size());
    const ChildResult child = run_in_child([&] { return measure(plan, request, pair); },
                                           {nullptr, {}, catch_interrupts()});
    give_up_if_interrupted();
    const int flits = plan.simulation.flits;
    if (!child.problem.empty()) {
      throw std::runtime_error(fmt::format("messages of {} flits: {}", flits, child.problem));
    }
    samples.pair.push_back({flits, child.json["one_way"], child.json["sending"],
                            child.json["receiving"], child.json["gap"]});
    for (const Json& one : child.json["distances"]) {
      samples.distances.push_back({one[0], flits, one[1]});
    }
  }
  return samples;
}

}  // namespace allport
