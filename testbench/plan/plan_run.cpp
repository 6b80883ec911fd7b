// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/plan_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/words.h"
#include "testbench/plan/coherence.h"
#include "testbench/plan/given_block.h"
#include "testbench/plan/message_lengths.h"
#include "testbench/plan/missing_links.h"
#include "testbench/plan/plan_collectives.h"
#include "testbench/plan/plan_errors.h"
#include "testbench/plan/plan_load.h"
#include "testbench/plan/plan_traffic.h"
#include "testbench/plan/requirements.h"
#include "testbench/plan/resolve.h"
#include "testbench/plan/router_declaration.h"
#include "testbench/plan/run_length.h"
#include "testbench/plan/thread_share.h"
#include "testbench/plan/worm_faults.h"

namespace allport {

namespace {

SimulationConfig simulation_config(const RunRequest& request, const Topology& topology) {
  SimulationConfig config;
  static_cast<NodeParameters&>(config) = request.node;
  static_cast<RouterChoice&>(config.fabric) = router_choice(request);
  config.fabric.internal_ports = internal_ports(request, topology);
  config.fabric.phits = phits_of(request, topology);
  if (const auto& own = request.custom_router) {
    config.fabric.length_in_heads = own->length_in_head;
    config.fabric.longest_message = own->longest_message;
    config.fabric.custom_vc_classes = own->custom_vc_classes;
  }
  config.flit_bytes = request.message.flit_bytes;
  config.reception_limit = request.traffic.reception_limit;
  config.seed = request.traffic.seed;
  config.explain = request.explain;
  config.threads = request.threads;
  config.is_transaction_level = request.model == Model::worm;
  config.payload_is_symbolic = request.message.payload == Payload::symbols;
  const auto flit_bytes = static_cast<std::size_t>(request.message.flit_bytes);
  const auto flits = static_cast<std::size_t>(request.message.flits);
  config.bytes = request.message.bytes > 0 ? request.message.bytes : flits * flit_bytes;
  config.flits = static_cast<int>((config.bytes + flit_bytes - 1) / flit_bytes);
  return config;
}

void require_config(const SimulationConfig& config, const RunRequest& request) {
  if (request.message.bytes > 0) {
    const char* const option =
        request.message.pairs == nullptr ? "--bytes" : "the largest number of --counts,";
    require_length(config.flits, fmt::format("{} {}: flits", option, request.message.bytes).c_str(),
                   config.is_transaction_level);
  }
  validate(config);
}

// With one source there is one collective, and nothing waits at a barrier.
void require_barrier(const RunPlan& plan) {
  const RunRequest& request = plan.request;
  const bool has_barrier = request.node.barrier || request.node.barrier_messages;
  if (!has_barrier || plan.sources.size() > 1) return;
  throw std::invalid_argument(fmt::format(
      "--barrier {}: it stands between the collectives of several sources, and there is one; name several nodes with --source, or leave --barrier out",
      request.node.barrier ? std::to_string(*request.node.barrier) : "messages"));
}

}  // namespace

MissingOfWhole missing_of_whole(const RunPlan& plan) {
  const FabricRequest& fabric = plan.request.fabric;
  if (!fabric.missing_channels) return {&plan.routing.topology(), &plan.missing};
  return {fabric.whole.get(), &fabric.whole_missing};
}

std::string missing_links_in_words(const RunPlan& plan) {
  constexpr std::size_t most = 8;
  const auto [topology, channels] = missing_of_whole(plan);
  std::set<std::pair<NodeId, NodeId>> ways;
  for (const Channel channel : *channels) {
    ways.emplace(channel.node, *topology->neighbour(channel.node, channel.port));
  }
  std::string names;
  std::size_t links = 0;
  for (const auto& [from, to] : ways) {
    const bool is_both = ways.count({to, from}) > 0;
    if (is_both && to < from) continue;
    if (++links > most) continue;
    names += fmt::format("{}{}{}{}", links == 1 ? "" : ", ", topology->node_name(from),
                         is_both ? '-' : '>', topology->node_name(to));
  }
  if (links == 0) return {};
  return fmt::format("{}: {}{}", counted(links, "link"), names, links > most ? ", .." : "");
}

int longest_via(const RunPlan& plan) {
  std::size_t most = 0;
  for (const std::vector<PlannedCollective>& trial : plan.trials()) {
    for (const PlannedCollective& one : trial) {
      for (const Unicast& unicast : one.schedule.unicasts)
        most = std::max(most, unicast.via.size());
    }
  }
  return static_cast<int>(most);
}

namespace {

PinGroups needed_groups(MessageKind kind, DimensionMask free, bool is_hypercube) {
  if (is_join(kind)) return PinGroups::joins;
  const bool has_mask = kind == MessageKind::tree && (free != 0 || !is_hypercube);
  return has_mask ? PinGroups::trees : PinGroups::none;
}

// The groups of its messages.
PinGroups sent_groups(const RunPlan& plan) {
  const bool is_hypercube = plan.routing.topology().is_hypercube();
  PinGroups most = PinGroups::none;
  for (const std::vector<PlannedCollective>& trial : plan.trials()) {
    for (const PlannedCollective& one : trial) {
      if (one.is_one_message()) {
        most = std::max(most, needed_groups(one.kind, one.free, is_hypercube));
      }
      for (const Unicast& unicast : one.schedule.unicasts) {
        most = std::max(most, needed_groups(unicast.kind, unicast.free, is_hypercube));
      }
    }
  }
  return most;
}

}  // namespace

PinGroups pin_groups(const RunPlan& plan) {
  return plan.router.join_vcs > 0 ? PinGroups::joins : sent_groups(plan);
}

bool has_joins(const RunPlan& plan) { return sent_groups(plan) == PinGroups::joins; }

namespace {

// The model that is asked for or, where it is left open, worms if the fabric's routers let them be
// exact.
Model model_of(const RunRequest& request, const Routing& routing) {
  if (request.model != Model::automatic) return request.model;
  const bool is_exact = transaction_level_fault(request.router, routing).empty();
  return is_exact ? Model::worm : Model::systemc;
}

}  // namespace

RunPlan plan_fabric(const RunRequest& given) {
  // No plan keeps what nodes draw or ranks do off missing links.
  const bool goes_around = goes_around_at_once(given);
  RunRequest request = goes_around ? going_around(given) : given;
  const Routing routing = make_routing(request);
  settle_inputs(request);
  request.router.retry = request.router.retry || request.router.errors.hits_flits();
  request.model = model_of(request, routing);
  require_bounds(request);
  require_model(request, routing.topology());
  const SimulationConfig config = simulation_config(request, routing.topology());
  require_config(config, request);
  const auto groups =
      node_groups(request, routing.shared_topology(),
                  request.traffic.has_tasks() ? GroupUse::tasks : GroupUse::collective);
  std::vector<NodeId> sources;
  if (request.traffic.collective_rate) {
    sources = load_sources(request, routing.topology());
  } else {
    for (const Party& party : parties_of(request, routing.topology(), groups)) {
      sources.push_back(party.source);
    }
  }
  RunPlan plan{request, routing, router_config(config.fabric, routing), config, std::move(sources)};
  plan.groups = groups;
  plan.missing = missing_channels(request, routing);
  plan.is_model_chosen = given.model == Model::automatic;
  plan.goes_around = goes_around;
  plan.simulation.errors = planned_errors(plan);
  require_barrier(plan);
  if (request.custom_router) require_declared_fabric(*request.custom_router, plan);
  return plan;
}

void settle_model(RunPlan& plan) {
  plan.simulation.processors = processors_of(plan.work);
  const bool must_be_routers =
      plan.is_model_chosen && plan.simulation.is_transaction_level && !worms_fault(plan).empty();
  if (must_be_routers) {
    plan.request.model = Model::systemc;
    plan.simulation.is_transaction_level = false;
    require_model(plan.request, plan.routing.topology());
    require_config(plan.simulation, plan.request);
  }
  settle_payload(plan);
  require_lists_fit(plan);
  require_movable(plan);
  require_end(plan);
  plan.simulation.threads = thread_share(plan).most;
}

// What joins compute is said by algorithms that join, and only where they do not say it themselves.
void require_join_operation(const RunRequest& request) {
  const JoinTag untold;
  const JoinTag join = request.message.join;
  if (join == untold) return;
  const TrafficTable& traffic = request.traffic;
  const bool is_planned =
      !traffic.has_pattern() && !traffic.has_tasks() && traffic.schedule.empty();
  const Algorithm* algorithm = is_planned ? traffic.algorithm : nullptr;
  const bool is_barrier = algorithm != nullptr && algorithm->operation == Operation::barrier;
  if (algorithm != nullptr && is_join(algorithm->kind) && !is_barrier) return;
  std::string given;
  if (join.operation() != untold.operation()) {
    given = fmt::format("--join-operation {}", to_string(join.operation()));
  }
  if (join.type() != untold.type()) {
    given += fmt::format("{}--join-type {}", given.empty() ? "" : " ", to_string(join.type()));
  }
  throw std::invalid_argument(fmt::format(
      "{}: {}", given,
      is_barrier
          ? "a barrier computes and of u32"
          : "what joins compute is asked of the algorithms join-reduce and join-allreduce; a schedule says in each line what is computed"));
}

namespace {

// A kind of work: whether a request asks for it, and how it is planned. The first that fits counts.
struct WorkKind {
  bool (*is_asked)(const TrafficTable& traffic);
  void (*plan)(RunPlan& plan);
};
constexpr std::array<WorkKind, 5> work_kinds{{
    {[](const TrafficTable& traffic) { return traffic.collective_rate.has_value(); }, plan_load},
    {[](const TrafficTable& traffic) { return traffic.has_tasks(); }, plan_graph},
    {[](const TrafficTable& traffic) { return traffic.has_pattern(); }, plan_pattern},
    {[](const TrafficTable& traffic) { return !traffic.schedule.empty(); }, plan_schedule},
    {[](const TrafficTable& traffic) { return traffic.algorithm != nullptr; },
     [](RunPlan& plan) { plan_algorithm(plan, *plan.request.traffic.algorithm); }},
}};

}  // namespace

namespace {

RunPlan planned_work(const RunRequest& request) {
  RunPlan plan = plan_fabric(request);
  const auto* const kind =
      std::find_if(work_kinds.begin(), work_kinds.end(),
                   [&](const WorkKind& one) { return one.is_asked(plan.request.traffic); });
  if (kind == work_kinds.end()) {
    throw std::invalid_argument(
        "nothing to run: give --algorithm, --schedule, --tasks, --pattern or --flows");
  }
  kind->plan(plan);
  require_node_model(plan);
  require_skew(plan);
  require_combined(plan);
  settle_model(plan);
  return plan;
}

// Whether there is such a run where no link is missing.
bool is_planned_whole(RunRequest request) {
  request.fabric.missing.reset();
  try {
    planned_work(request);
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

// Says of a run that goes around missing links why it cannot, `why` in the words of the routing
// that nobody has chosen.
[[noreturn]] void refuse_to_go_around(const std::string& fault, const std::string& why) {
  throw std::invalid_argument(
      fmt::format("{}; table:updown, which goes around missing links, is refused: {}", fault, why));
}

// The plan by routes around missing links, which `fault` asks for.
RunPlan planned_around(const RunRequest& request, const std::string& fault) {
  try {
    RunPlan plan = planned_work(going_around(request));
    plan.goes_around = true;
    return plan;
  } catch (const std::invalid_argument& error) {
    refuse_to_go_around(fault, error.what());
  }
}

}  // namespace

RunPlan plan(const RunRequest& request) {
  require_coherent(request);
  require_join_operation(request);
  require_load(request);
  try {
    return planned_work(request);
  } catch (const MissingLinkFault& error) {
    if (!may_go_around(request)) throw;
    return planned_around(request, error.fault());
  } catch (const std::invalid_argument& error) {
    if (!goes_around_at_once(request) || !is_planned_whole(request)) throw;
    refuse_to_go_around("links are missing", error.what());
  }
}

}  // namespace allport
