// SPDX-License-Identifier: Apache-2.0
// The `config` of a run's JSON has every option that determines the run, resolved, by its name.
#include <sstream>

#include "testbench/plan/router_declaration.h"
#include "testbench/program/report/replay_report.h"
#include "testbench/program/report/results_json.h"
#include "traffic/planning/pieces.h"
#include "traffic/schedule/schedule_file.h"
#include "traffic/tasks/task_digest.h"

namespace allport {

namespace {

Json nodes_json(const std::vector<NodeId>& nodes) {
  Json list = Json::array();
  for (const NodeId node : nodes) list.push_back(index(node));
  return list;
}

Json numbers_json(const std::vector<NodeNumber>& numbers) {
  Json list = Json::array();
  for (const NodeNumber& number : numbers) list.push_back(number.id);
  return list;
}

// The nodes that the file names, because its name would not determine the run.
Json lines_json(const NodeLines& file, bool is_by_line) {
  Json list = Json::array();
  for (const NodeLines::Line& line : file.lines) {
    Json nodes = numbers_json(line.nodes);
    if (is_by_line) {
      list.push_back(std::move(nodes));
    } else {
      list.insert(list.end(), nodes.begin(), nodes.end());
    }
  }
  return list;
}

Json place_json(const PlaceRequest& place) {
  if (place.kind == PlaceRequest::Kind::file) return lines_json(place.file, false);
  return place.in_words();
}

Json group_json(const GroupRequest& group) {
  switch (group.kind) {
    case GroupRequest::Kind::file:
      return lines_json(group.file, group.is_partition);
    case GroupRequest::Kind::list:
      return numbers_json(group.listed);
    default:
      return group.text;
  }
}

// As it was chosen: `all`, `random:M` or the list.
Json destinations_json(const DestinationChoice& choice) {
  if (choice.random) return "random:" + std::to_string(*choice.random);
  if (choice.is_all()) return "all";
  return numbers_json(choice.listed);
}

// The unicasts of the file, because its name would not determine the run.
Json schedule_json(const RunPlan& plan) {
  std::stringstream lines;
  for (const PlannedCollective& one : plan.trials.front()) {  // several: one for each group
    write_schedule(lines, one.schedule, plan.routing.topology());
  }
  Json list = Json::array();
  for (std::string line; std::getline(lines, line);) list.push_back(Json::parse(line));
  return list;
}

void add_collective(Json& json, const RunPlan& plan) {
  add_places(json, plan.request);
  json["source"] = nodes_json(plan.sources);
  json["destinations"] = destinations_json(plan.request.traffic.destinations);
  json["trials"] = plan.request.traffic.trials;
  json["relays"] = nodes_json(plan.relays);
}

// The number that was chosen, or `best` where it is not the same for all collectives of the run.
Json best_pieces_json(const RunPlan& plan) {
  const std::size_t chosen = piece_count(plan.trials.front().front().schedule);
  for (const std::vector<PlannedCollective>& trial : plan.trials) {
    for (const PlannedCollective& one : trial) {
      if (!one.is_barrier && piece_count(one.schedule) != chosen) return "best";
    }
  }
  return chosen;
}

// The number of parts of each block; 1: blocks are whole, or there are none.
std::size_t part_count(const Trials& trials) {
  if (trials.empty() || trials.front().empty()) return 1;
  const Collective* goal = trials.front().front().goal.get();
  return goal == nullptr ? 1 : goal->part_count();
}

// How the algorithm is planned, where that differs from the default.
void add_planning(Json& json, const RunPlan& plan) {
  if (plan.request.traffic.embed != nullptr) json["embed"] = plan.request.traffic.embed->name();
  if (plan.request.message.pieces > 1) json["pieces"] = plan.request.message.pieces;
  if (plan.simulation.payload_is_symbolic) json["payload"] = "symbolic";
  if (const std::size_t parts = part_count(plan.trials); parts > 1) json["parts"] = parts;
  if (plan.request.message.blocks > 0) json["blocks"] = plan.request.message.blocks;
  if (plan.request.message.pieces == 0) json["pieces"] = best_pieces_json(plan);
}

// The options that only some patterns have.
void add_traffic(Json& json, const TrafficRequest& traffic) {
  json["warmup"] = traffic.warmup;
  if (traffic.flits_long > 0) {
    json["flits_long"] = traffic.flits_long;
    json["long_fraction"] = traffic.long_fraction;
  }
  if (!traffic.pattern->has_hotspots) return;
  json["hotspot"] = nodes_json(traffic.hotspots);
  json["hotspot_fraction"] = traffic.hotspot_fraction;
}

void add_pattern(Json& json, const RunPlan& plan) {
  json["pattern"] = plan.request.traffic.pattern;
  json["rate"] = plan.request.traffic.rate;
  json["cycles"] = plan.request.traffic.cycles;
  add_traffic(json, *plan.traffic);
}

// What differs from the default.
void add_node_model(Json& json, const NodeModel& model) {
  if (model.ts_per_flit > 0) json["ts_per_flit"] = model.ts_per_flit;
  if (model.tr_per_flit > 0) json["tr_per_flit"] = model.tr_per_flit;
  if (model.send_blocks) json["send"] = "blocking";
  if (model.receive_occupies) json["receive"] = "occupies";
  if (model.startup_per_port) json["startup"] = "per-port";
  if (model.is_half_duplex) json["duplex"] = "half";
  if (model.shares_bandwidth) json["bandwidth"] = "shared";
}

void add_tasks(Json& json, const RunPlan& plan) {
  add_places(json, plan.request);
  json["tasks"] = {{"ranks", plan.tasks->graph->ranks},
                   {"tasks", plan.tasks->graph->tasks.size()},
                   {"digest", task_digest(*plan.tasks->graph)}};
  if (!plan.tasks->collectives.empty()) {
    json["tasks"]["collectives"] = collectives_json(plan.tasks->collectives);
  }
  if (plan.request.traffic.replay != nullptr) {
    json["replay"] = replay_json(*plan.request.traffic.replay);
  }
  if (plan.traffic) {
    add_pattern(json, plan);
  } else {
    json.erase("flits");
    json.erase("bytes");
  }
}

void add_algorithm(Json& json, const RunPlan& plan) {
  json["algorithm"] = plan.request.traffic.algorithm->name;
  add_planning(json, plan);
  const Algorithm& algorithm = *plan.request.traffic.algorithm;
  if (is_join(algorithm.kind) && algorithm.operation != Operation::barrier) {
    json["join_operation"] = to_string(plan.request.message.join.operation());
    json["join_type"] = to_string(plan.request.message.join.type());
  }
  if (plan.request.traffic.algorithm->takes_step_rule()) {
    json["steps"] = plan.request.traffic.step_rule == StepRule::aware ? "aware" : "naive";
  }
  add_collective(json, plan);
  if (const std::optional<double> rate = plan.request.traffic.collective_rate) {
    json["collective_rate"] = *rate;
    json["cycles"] = plan.request.traffic.cycles;
    json["warmup"] = plan.request.traffic.warmup;
    if (plan.traffic) add_pattern(json, plan);
  }
}

// In bytes, one for all or by dimension; only where it is less than a flit.
void add_link_width(Json& json, const RunPlan& plan) {
  if (!plan.router.has_narrow_channels()) return;
  const std::vector<int>& widths = plan.request.router.link_widths;
  json["link_width"] = widths;
  if (widths.size() == 1) json["link_width"] = widths.front();
}

}  // namespace

void add_ties(Json& json, const TieBreak& ties) {
  if (ties.rule != TieBreak::Rule::positive) json["ties"] = ties.in_words();
}

void add_places(Json& json, const RunRequest& request) {
  const TrafficTable& traffic = request.traffic;
  if (traffic.place) json["place"] = place_json(*traffic.place);
  if (traffic.ranks != nullptr) json["ranks"] = traffic.ranks->name();
  if (!traffic.group) return;
  json[traffic.group->is_partition ? "groups" : "group"] = group_json(*traffic.group);
}

// The contents of its files, because their names would not determine the run.
static Json router_json(const RouterDeclaration& router) {
  return {{"top", router.top},
          {"hop_cycles", router.hop_cycles},
          {"adapter_cycles", router.adapter_cycles},
          {"settings", router.settings},
          {"fingerprint", router.fingerprint}};
}

Json machine_json(const RunPlan& plan) {
  const SimulationConfig& simulation = plan.simulation;
  Json json;
  json["topology"] = plan.routing.topology().name();
  json["routing"] = to_string(plan.routing.order());
  json["ports"] = plan.router.internal_ports;
  if (!plan.missing.empty()) {
    Json links = Json::array();
    for (const Channel channel : plan.missing) {
      const NodeId to = *plan.routing.topology().neighbour(channel.node, channel.port);
      links.push_back({index(channel.node), index(to)});
    }
    json["missing_links"] = std::move(links);
  }
  json["vcs"] = plan.router.vcs - plan.router.join_vcs;
  if (plan.router.join_vcs > 0) json["join_vcs"] = plan.router.join_vcs;
  if (plan.routing.vc_use() != VcUse::strict) json["vc_use"] = to_string(plan.routing.vc_use());
  json["buffer_depth"] = plan.router.buffer_depth;
  json["link_delay"] = plan.router.link_delay;
  if (!plan.router.has_one_link_delay()) json["link_delay"] = plan.request.router.link_delays;
  add_link_width(json, plan);
  json["replication_delay"] = plan.router.replication_delay;
  if (plan.router.combine_delay > 0) json["combine_delay"] = plan.router.combine_delay;
  if (plan.router.combine_order != CombineOrder::port) {
    json["combine"] = to_string(plan.router.combine_order);
  }
  json["switching"] = to_string(plan.router.switching);
  if (plan.request.own_router) json["router"] = router_json(*plan.request.own_router);
  json["flits"] = simulation.flits;
  json["bytes"] = simulation.bytes;
  json["flit_bytes"] = simulation.flit_bytes;
  json["ts"] = simulation.ts;
  json["tr"] = simulation.tr;
  json["jitter"] = simulation.jitter;
  if (simulation.skew > 0) json["skew"] = simulation.skew;
  add_node_model(json, simulation.model);
  json["barrier"] = nullptr;
  if (simulation.barrier) json["barrier"] = *simulation.barrier;
  if (simulation.barrier_messages) json["barrier"] = "messages";
  if (plan.request.node.clock_ghz > 0) json["clock"] = plan.request.node.clock_ghz;
  if (plan.request.node.preset != nullptr) json["preset"] = plan.request.node.preset->name;
  return json;
}

Json config_json(const RunPlan& plan) {
  Json json = machine_json(plan);
  if (plan.tasks) {
    add_tasks(json, plan);
  } else if (plan.traffic && !plan.load) {
    add_pattern(json, plan);
  } else if (!plan.request.traffic.schedule.empty()) {
    json["schedule"] = schedule_json(plan);
    json["collective"] = to_string(plan.request.traffic.collective);
    add_collective(json, plan);
  } else {
    add_algorithm(json, plan);
  }
  add_ties(json, plan.routing.tie_break());
  json["seed"] = plan.simulation.seed;
  if (plan.request.check.no_static) json["no_static"] = true;
  if (plan.request.check.max_violations != StaticCheckRequest{}.max_violations) {
    json["max_violations"] = plan.request.check.max_violations;
  }
  return json;
}

}  // namespace allport
