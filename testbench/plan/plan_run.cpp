// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/plan_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/words.h"
#include "testbench/plan/coherence.h"
#include "testbench/plan/counts.h"
#include "testbench/plan/file_kind.h"
#include "testbench/plan/given_block.h"
#include "testbench/plan/input_file.h"
#include "testbench/plan/load_schedule.h"
#include "testbench/plan/message_lengths.h"
#include "testbench/plan/missing_links.h"
#include "testbench/plan/plan_goal.h"
#include "testbench/plan/plan_load.h"
#include "testbench/plan/requirements.h"
#include "testbench/plan/resolve.h"
#include "testbench/plan/router_declaration.h"
#include "testbench/plan/run_length.h"
#include "testbench/plan/worm_faults.h"
#include "testbench/processes/interrupt.h"
#include "traffic/msccl/from_msccl.h"
#include "traffic/patterns/flow_file.h"
#include "traffic/planning/pieces.h"
#include "traffic/proof/schedule_check.h"
#include "traffic/schedule/joins.h"

namespace allport {

namespace {

SimulationConfig simulation_config(const RunRequest& request, const Topology& topology) {
  SimulationConfig config;
  static_cast<NodeParameters&>(config) = request.node;
  static_cast<RouterChoice&>(config.fabric) = request.router;
  config.fabric.internal_ports = internal_ports(request, topology);
  config.fabric.phits = phits_of(request, topology);
  if (const auto& own = request.own_router) {
    config.fabric.length_in_heads = own->length_in_head;
    config.fabric.longest_message = own->longest_message;
    config.fabric.own_vc_classes = own->own_vc_classes;
  }
  config.flit_bytes = request.message.flit_bytes;
  config.seed = request.traffic.seed;
  config.explain = request.explain;
  config.is_transaction_level = request.model == Model::worm;
  config.payload_is_symbolic = request.message.payload == Payload::symbols;
  const auto flit_bytes = static_cast<std::size_t>(request.message.flit_bytes);
  const auto flits = static_cast<std::size_t>(request.message.flits);
  config.bytes = request.message.bytes > 0 ? request.message.bytes : flits * flit_bytes;
  config.flits = static_cast<int>((config.bytes + flit_bytes - 1) / flit_bytes);
  return config;
}

// Only multicasts have relays: in other operations every node takes part, or every one of a group.
void add_relays(RunPlan& plan, const Schedule& schedule, const Multicast& goal) {
  std::set<NodeId> all(plan.relays.begin(), plan.relays.end());
  for (const NodeId node : relays(schedule, goal)) all.insert(node);
  plan.relays.assign(all.begin(), all.end());
}

// Blocks may pass nodes outside the group.
void add_outsiders(RunPlan& plan, const Schedule& schedule, const NodeGroup& group) {
  std::set<NodeId> all(plan.relays.begin(), plan.relays.end());
  for (const Unicast& unicast : schedule.unicasts) {
    if (!group.has(unicast.v)) all.insert(unicast.v);
  }
  plan.relays.assign(all.begin(), all.end());
}

// If the file does not determine the root, the user must. If the default is a possible root, the
// other candidates are reported as senders that have no message.
void find_source(RunPlan& plan, const Schedule& schedule, const RunRequest& request) {
  if (!request.traffic.sources.empty()) return;
  const std::vector<NodeId> roots =
      possible_roots(schedule, request.traffic.collective, plan.routing);
  if (roots.size() == 1) {
    plan.sources = roots;
    if (!plan.groups.empty()) require_member(roots.front(), request, *plan.groups.front());
  }
  const bool has_default =
      std::find(roots.begin(), roots.end(), plan.sources.front()) != roots.end();
  if (roots.size() < 2 || has_default) return;
  const bool is_to_root = request.traffic.collective == Operation::gather ||
                          request.traffic.collective == Operation::reduce;
  throw std::invalid_argument(fmt::format(
      "--source is missing: the schedule {} has {} nodes that {}: {}",
      shown_path(request.traffic.schedule), roots.size(),
      is_to_root ? "receive and never send" : "send and never receive", in_words(roots)));
}

// Blocks that have no flit at this length are not sent.
void leave_out_empty(PlannedCollective& planned, const RunPlan& plan, bool is_program) {
  const Collective goal = planned.goal->of_length(plan.simulation.flits);
  leave_out_empty_blocks(planned.schedule, goal);
  if (is_program) close_gaps(planned.schedule);  // the lines of other files number themselves
  planned.goal = std::make_shared<Collective>(goal);
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

// The flows in the place of a pattern, whose messages have lengths of their own.
std::shared_ptr<const FlowTable> flows_of(const RunPlan& plan) {
  auto table = std::make_shared<FlowTable>();
  read_input(plan.request.traffic.flows, "the flows",
             [&](std::istream& in, const std::string& name) {
               InputHead input(in);
               require_kind(input.head(), FileKind::table, shown_path(name), "table of flows");
               *table = read_flows(input.all(), name);
             });
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

TrafficRequest traffic_request(const RunRequest& request, const RunPlan& plan) {
  if (!request.traffic.flows.empty()) return flow_request(request, plan);
  TrafficRequest traffic;
  traffic.pattern = &find_pattern(request.traffic.pattern);
  traffic.rate = request.traffic.rate;
  traffic.flits = plan.simulation.flits;
  traffic.flits_long = request.message.flits_long;
  traffic.long_fraction = request.message.long_fraction;
  traffic.warmup = request.traffic.warmup;
  traffic.cycles = request.traffic.cycles;
  traffic.seed = request.traffic.seed;
  require_pattern(request, traffic);
  require_length(std::max(traffic.flits, traffic.flits_long), "--flits-long",
                 plan.simulation.is_transaction_level);
  require_room(plan.simulation.fabric, std::max(traffic.flits, traffic.flits_long));
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

namespace {

void plan_pattern(RunPlan& plan) {
  plan.sources.clear();
  plan.work = PatternWork{plan_traffic(plan)};
}

// The ranks of a graph carry it out.
void plan_graph(RunPlan& plan) {
  plan.sources.clear();
  TaskWork work{plan_tasks(plan), {}};
  plan.simulation.host = work.tasks.graph->host;
  work.background = plan_background(plan);
  plan.work = std::move(work);
}

// Messages with lengths and starts of their own are no collective, so nothing can be asked of one.
void plan_timed_schedule(RunPlan& plan, std::shared_ptr<const TaskGraph> tasks) {
  const RunRequest& request = plan.request;
  const TrafficTable& traffic = request.traffic;
  const bool asks_for_collective =
      !traffic.sources.empty() || !traffic.destinations.is_all() || traffic.names_collective ||
      traffic.trials > 1 || request.message.blocks > 0 || request.message.parts > 0 ||
      request.message.address_flits > 0 || request.check.no_static ||
      request.check.max_violations != StaticCheckRequest{}.max_violations;
  const bool is_varied = request.node.jitter > 0 || request.node.skew > 0;
  if (asks_for_collective || traffic.group || is_varied || !plan.missing.empty()) {
    throw std::invalid_argument(fmt::format(
        "{}: its messages have flits or at, so --source, --destinations, --collective, --trials, --blocks, --parts, --address-flits, --group, --jitter, --skew, --missing-links and the options of the static check do not go with it",
        shown_path(traffic.schedule)));
  }
  plan.request.traffic.graph = std::move(tasks);
  plan_graph(plan);
}

// The collective of schedule `number` of a file in a trial: that of the whole fabric or one group,
// or that of one of several groups.
PlannedCollective of_file(RunPlan& plan, const LoadedSchedule& loaded, std::size_t number,
                          const GoalSource& goals, bool is_first_trial) {
  const RunRequest& request = plan.request;
  const Schedule& schedule = loaded.schedules[number];
  const NodeGroup* group = plan.groups.empty() ? nullptr : plan.groups[number].get();
  const int ports = plan.router.internal_ports;
  PlannedCollective planned;
  planned.sources = plan.has_partition() ? std::vector<NodeId>{plan.sources[number]} : plan.sources;
  planned.destinations = goals.destinations(planned.sources);
  planned.schedule = schedule;
  const bool is_bcast = request.traffic.collective == Operation::bcast;
  if (is_bcast) require_pieces(piece_count(schedule), plan.simulation.flits);
  if (!has_joins(schedule)) {
    planned.goal = goal_of_schedule(schedule, request, planned.sources, planned.destinations,
                                    plan.routing.shared_topology(), group, loaded.ranks_of(number));
  }
  if (has_joins(schedule)) {
    require_runnable(schedule, {plan.routing, ports, planned.sources, planned.destinations});
    take_all_senders(planned, plan.routing);
    if (is_first_trial)
      require_links(planned, request.traffic.collective, plan.routing, plan.missing);
  } else if (planned.goal != nullptr) {
    planned.destinations = planned.goal->receivers();
    require_links(planned, request.traffic.collective, plan.routing, plan.missing);
    if (!is_bcast) leave_out_empty(planned, plan, loaded.is_program);
    require_achieved(planned, plan.routing);
    require_size(planned, plan.simulation);
  } else if (is_first_trial) {
    require_runnable(schedule, {plan.routing, ports, planned.sources, planned.destinations});
    require_links(planned, request.traffic.collective, plan.routing, plan.missing);
  }
  add_address_fields(planned, nullptr, request, plan.routing.topology());
  if (schedule.has_unicasts_only() && is_bcast) {
    add_relays(plan, schedule, {planned.sources.front(), planned.destinations});
  } else if (group != nullptr) {
    add_outsiders(plan, schedule, *group);
  }
  return planned;
}

void plan_schedule(RunPlan& plan) {
  const Topology& topology = plan.routing.topology();
  const LoadedSchedule loaded = load_schedule(plan.request, plan.routing, plan.groups);
  const RunRequest& request = plan.request;
  if (loaded.tasks != nullptr) {
    require_no_counts(request, "its messages have flits or at");
    plan_timed_schedule(plan, loaded.tasks);
    return;
  }
  require_sound(loaded, request);
  const bool has_joined = has_joins(loaded.schedules.front());
  if (has_joined && request.traffic.names_collective) {
    throw std::invalid_argument(fmt::format(
        "--collective {}: the schedule {} has joins, which say in each line what is computed",
        to_string(request.traffic.collective), shown_path(request.traffic.schedule)));
  }
  if (has_joined) require_no_counts(request, "it has joins");
  plan.sources.clear();
  std::vector<GoalSource> goals;
  for (const Party& party : parties_of(request, topology, plan.groups)) {
    plan.sources.push_back(party.source);
  }
  for (std::size_t i = 0; i < loaded.schedules.size(); ++i) {
    goals.emplace_back(request, topology,
                       plan.groups.empty() ? std::vector<NodeId>{} : plan.groups[i]->nodes);
  }
  if (!has_joined && !plan.has_partition()) find_source(plan, loaded.schedules.front(), request);
  CollectiveWork work;
  for (std::size_t trial = 0; trial < request.traffic.trials; ++trial) {
    give_up_if_interrupted();
    std::vector<PlannedCollective> collectives;
    for (std::size_t i = 0; i < loaded.schedules.size(); ++i) {
      goals[i].next_trial();
      collectives.push_back(of_file(plan, loaded, i, goals[i], trial == 0));
    }
    require_room(collectives, plan.simulation);
    work.trials.push_back(std::move(collectives));
  }
  plan.work = std::move(work);
  require_kinds(plan.trials().front(), plan.router.switching, plan.routing);
  require_joins(plan);
  if (plan.request.own_router) {
    require_declared_kinds(*plan.request.own_router, plan.trials().front(), plan.routing);
  }
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

// One barrier between each two collectives; they follow all collectives in the list.
void add_barriers(const RunPlan& plan, std::vector<PlannedCollective>& collectives) {
  const PlannedCollective barrier = plan_message_barrier(plan.routing, plan.router.internal_ports);
  require_links(barrier, Operation::barrier, plan.routing, plan.missing);
  collectives.insert(collectives.end(), collectives.size() - 1, barrier);
}

}  // namespace

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
  const RouterRequest& router = request.router;
  const bool is_narrow = !phits_of(request, routing.topology()).empty();
  const bool is_exact =
      transaction_level_fault(router.switching, router.combine_order, is_narrow, routing).empty();
  return is_exact ? Model::worm : Model::systemc;
}

}  // namespace

RunPlan plan_fabric(const RunRequest& given) {
  const Routing routing = make_routing(given);
  RunRequest request = given;
  settle_inputs(request);
  request.model = model_of(given, routing);
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
  require_barrier(plan);
  if (request.own_router) require_declared_fabric(*request.own_router, plan);
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
}

void plan_algorithm(RunPlan& plan, const Algorithm& algorithm) {
  plan.request.traffic.algorithm = &algorithm;
  const RunRequest& request = plan.request;
  CollectiveWork work;
  plan.relays.clear();
  PartyGoals goals(request, plan.routing.topology(), plan.groups);
  for (std::size_t i = 0; i < request.traffic.trials; ++i) {
    give_up_if_interrupted();
    std::vector<PlannedCollective> collectives;
    for (const auto& [goal, group] : goals.next_trial()) {
      PlannedCollective planned = plan_goal(
          algorithm, goal,
          {request, plan.routing, plan.router.internal_ports, group.get(), &plan.missing});
      require_size(planned, plan.simulation);
      if (algorithm.operation == Operation::bcast) {
        add_relays(plan, planned.schedule, goal);
      } else if (algorithm.is_synthesized && group != nullptr) {
        add_outsiders(plan, planned.schedule, *group);
      }
      collectives.push_back(std::move(planned));
    }
    if (request.node.barrier_messages) add_barriers(plan, collectives);
    require_room(collectives, plan.simulation);
    work.trials.push_back(std::move(collectives));
  }
  plan.work = std::move(work);
  require_kinds(plan.trials().front(), plan.router.switching, plan.routing);
  require_joins(plan);
  if (plan.request.own_router) {
    require_declared_kinds(*plan.request.own_router, plan.trials().front(), plan.routing);
  }
}

// What joins compute is said by algorithms that join, and only where they do not say it themselves.
void require_join_operation(const RunRequest& request) {
  const JoinTag usual;
  const JoinTag join = request.message.join;
  if (join == usual) return;
  const TrafficTable& traffic = request.traffic;
  const bool is_planned =
      !traffic.has_pattern() && !traffic.has_tasks() && traffic.schedule.empty();
  const Algorithm* algorithm = is_planned ? traffic.algorithm : nullptr;
  const bool is_barrier = algorithm != nullptr && algorithm->operation == Operation::barrier;
  if (algorithm != nullptr && is_join(algorithm->kind) && !is_barrier) return;
  throw std::invalid_argument(fmt::format(
      "--join-operation {} --join-type {}: {}", to_string(join.operation()), to_string(join.type()),
      is_barrier
          ? "a barrier computes and of u32"
          : "they are for the algorithms join-reduce and join-allreduce; a schedule says in each line what is computed"));
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

RunPlan plan(const RunRequest& request) {
  require_coherent(request);
  require_join_operation(request);
  require_load(request);
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

}  // namespace allport
