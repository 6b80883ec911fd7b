// SPDX-License-Identifier: Apache-2.0
// The `config` of a run's JSON has every option that determines the run, resolved, by its name.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <sstream>

#include "rtl_model/base/fnv1a.h"
#include "rtl_model/base/real_text.h"
#include "rtl_model/graphs/graph.h"
#include "rtl_model/graphs/link_attributes.h"
#include "testbench/plan/plan_errors.h"
#include "testbench/plan/resolve.h"
#include "testbench/plan/router_declaration.h"
#include "testbench/plan/run_options.h"
#include "testbench/program/report/replay_report.h"
#include "testbench/program/report/results_json.h"
#include "traffic/algorithms/torus_block.h"
#include "traffic/planning/pieces.h"
#include "traffic/schedule/schedule_file.h"
#include "traffic/tasks/task_digest.h"

namespace allport {

namespace {

// What is given is found by its name, and has the number of a node of `topology`.
Json numbers_json(const std::vector<NodeNumber>& numbers, const Topology& topology) {
  Json list = Json::array();
  for (const NodeNumber& number : numbers) {
    list.push_back(node_json(node_id(number.id), topology));
  }
  return list;
}

// The nodes that the file names, because its name would not determine the run.
Json lines_json(const NodeLines& file, const Topology& topology, bool is_by_line) {
  Json list = Json::array();
  for (const NodeLines::Line& line : file.lines) {
    Json nodes = numbers_json(line.nodes, topology);
    if (is_by_line) {
      list.push_back(std::move(nodes));
    } else {
      list.insert(list.end(), nodes.begin(), nodes.end());
    }
  }
  return list;
}

Json place_json(const PlaceRequest& place, const Topology& topology) {
  if (place.kind == PlaceRequest::Kind::file) return lines_json(place.file, topology, false);
  return place.in_words();
}

Json group_json(const GroupRequest& group, const Topology& topology) {
  switch (group.kind) {
    case GroupRequest::Kind::file:
      return lines_json(group.file, topology, group.is_partition);
    case GroupRequest::Kind::list:
      return numbers_json(group.listed, topology);
    default:
      return group.text;
  }
}

// As it was chosen: `all`, `random:M` or the list, which a chain has behind the source.
Json destinations_json(const TrafficTable& traffic, const Topology& topology) {
  const DestinationChoice& choice = traffic.destinations;
  const std::vector<NodeNumber>& chain = traffic.chain;
  if (!chain.empty()) return numbers_json({chain.begin() + 1, chain.end()}, topology);
  if (choice.random) return "random:" + std::to_string(*choice.random);
  if (choice.is_all()) return "all";
  return numbers_json(choice.listed, topology);
}

Json lines_json(std::stringstream lines) {
  Json list = Json::array();
  for (std::string line; std::getline(lines, line);) list.push_back(Json::parse(line));
  return list;
}

// The unicasts of the file, because its name would not determine the run.
Json schedule_json(const RunPlan& plan) {
  std::stringstream lines;
  for (const PlannedCollective& one : plan.trials().front()) {  // several: one for each group
    write_schedule(lines, one.schedule, plan.routing.topology());
  }
  return lines_json(std::move(lines));
}

// The block's messages from unit 0, whatever the file calls its nodes.
Json block_json(const UnitBlock& block) {
  std::stringstream lines;
  write_schedule(lines, schedule_of(block), *parse_topology("torus:4x4"));
  return lines_json(std::move(lines));
}

void add_collective(Json& json, const RunPlan& plan) {
  const Topology& topology = plan.routing.topology();
  add_places(json, plan.request, topology);
  json["source"] = nodes_json(plan.sources, topology);
  json["destinations"] = destinations_json(plan.request.traffic, topology);
  const std::vector<NodeNumber>& chain = plan.request.traffic.chain;
  if (!chain.empty()) json["chain"] = numbers_json(chain, topology);
  json["trials"] = plan.request.traffic.trials;
  json["relays"] = nodes_json(plan.relays, topology);
}

// The number that was chosen, or `best` where it is not the same for all collectives of the run.
Json best_pieces_json(const RunPlan& plan) {
  const std::size_t chosen = piece_count(plan.trials().front().front().schedule);
  for (const std::vector<PlannedCollective>& trial : plan.trials()) {
    for (const PlannedCollective& one : trial) {
      if (!one.is_barrier && piece_count(one.schedule) != chosen) return "best";
    }
  }
  return chosen;
}

// The number of parts that each block of the algorithm is cut into; it is known before anything is
// planned. Messages that are joins, or are cut into pieces, have no such blocks.
void add_parts(Json& json, const RunPlan& plan) {
  const Algorithm& algorithm = *plan.request.traffic.algorithm;
  const MessageRequest& message = plan.request.message;
  const bool has_blocks = algorithm.own_parts != nullptr || algorithm.operation != Operation::bcast;
  if (!has_blocks || is_join(algorithm.kind) || message.pieces != 1) return;
  const NodeGroup* group = plan.groups.empty() ? nullptr : plan.groups.front().get();
  const auto fabric = planned_on(algorithm, plan.request, plan.routing.shared_topology(), group);
  if (fabric != nullptr) json["parts"] = part_count(algorithm, *fabric, message.parts);
}

// How the algorithm is planned, where that differs from the default.
void add_planning(Json& json, const RunPlan& plan) {
  if (plan.request.traffic.embed != nullptr) json["embed"] = plan.request.traffic.embed->name();
  if (plan.request.message.pieces > 1) json["pieces"] = plan.request.message.pieces;
  if (plan.simulation.payload_is_symbolic) json["payload"] = "symbolic";
  add_parts(json, plan);
  if (plan.request.message.pieces == 0) json["pieces"] = best_pieces_json(plan);
}

// How the blocks of a schedule file are cut; those of a multicast are its pieces.
void add_cuts(Json& json, const RunPlan& plan) {
  const Collective* goal = plan.trials().front().front().goal.get();
  if (goal != nullptr && goal->operation() != Operation::bcast) json["parts"] = goal->part_count();
  if (plan.request.message.blocks > 0) json["blocks"] = plan.request.message.blocks;
  if (plan.simulation.payload_is_symbolic) json["payload"] = "symbolic";
}

// Whether `value` is the number that `text` says.
bool is_number(const Json& value, const std::string& text) {
  std::uint64_t whole = 0;
  const char* end = text.data() + text.size();
  if (const auto [stop, error] = std::from_chars(text.data(), end, whole);
      error == std::errc{} && stop == end) {
    return value == whole;
  }
  double number = 0;
  const auto [stop, error] = from_chars(text.data(), end, number);
  return error == std::errc{} && stop == end && value == number;
}

// The same of a list of which all are that number, as a delay of each dimension may be.
bool are_numbers(const Json& value, const std::string& text) {
  std::istringstream items(text);
  for (std::string item; std::getline(items, item, ',');) {
    if (!is_number(value, item)) return false;
  }
  return true;
}

// Whether `config` tells already that the option `key` was asked for as `text`. A list is told by
// what is in it, as the lines of a file are; a channel that is as wide as a flit is a usual one.
bool tells(const Json& config, const std::string& key, const std::string& text) {
  const auto found = config.find(key);
  if (found == config.end()) {
    return (key == "schedule" && config.contains("tasks")) || key == "link_width";
  }
  if (found->is_structured()) return true;
  if (found->is_string()) return *found == text;
  if (found->is_boolean()) return found->dump() == text;
  return are_numbers(*found, text);
}

// What else was asked for, in the words of the user. So there is no option that determines the
// result and is told by nothing.
void add_asked(Json& config, const RunPlan& plan) {
  Json asked = Json::object();
  for (const auto& [key, text] : plan.request.asked) {
    if (!tells(config, key, text)) asked[key] = text;
  }
  if (!asked.empty()) config["asked"] = std::move(asked);
}

// The options that only some patterns have.
void add_traffic(Json& json, const TrafficRequest& traffic, const Topology& topology) {
  json["warmup"] = traffic.warmup;
  if (traffic.flits_long > 0) {
    json["flits_long"] = traffic.flits_long;
    json["long_fraction"] = traffic.long_fraction;
  }
  if (!traffic.pattern->has_hotspots) return;
  json["hotspot"] = nodes_json(traffic.hotspots, topology);
  json["hotspot_fraction"] = traffic.hotspot_fraction;
}

// A table is told by what is in it; its messages have lengths of their own.
void add_flows(Json& json, const TrafficRequest& traffic) {
  json.erase("flits");
  json.erase("bytes");
  json["flows"] = {{"flows", traffic.flows->flows.size()}, {"digest", traffic.flows->digest()}};
  json["cycles"] = traffic.cycles;
  json["warmup"] = traffic.warmup;
}

void add_pattern(Json& json, const RunPlan& plan) {
  if (plan.traffic()->flows != nullptr) return add_flows(json, *plan.traffic());
  json["pattern"] = plan.request.traffic.pattern;
  if (!plan.traffic()->loop) json["rate"] = plan.request.traffic.rate;
  json["cycles"] = plan.request.traffic.cycles;
  add_traffic(json, *plan.traffic(), plan.routing.topology());
}

void add_tasks(Json& json, const RunPlan& plan) {
  add_places(json, plan.request, plan.routing.topology());
  if (!plan.request.traffic.program.is_null()) json["program"] = plan.request.traffic.program;
  json["tasks"] = {{"ranks", plan.tasks()->graph->ranks},
                   {"tasks", plan.tasks()->graph->tasks.size()},
                   {"digest", task_digest(*plan.tasks()->graph)}};
  if (const std::optional<HostModel>& host = plan.tasks()->graph->host) {
    json["tasks"]["host"] = {{"start_up", host->start_up}, {"per_byte", host->per_byte}};
  }
  if (plan.request.traffic.replay != nullptr) {
    json["replay"] = replay_json(*plan.request.traffic.replay);
  } else if (!plan.tasks()->graph->uses.empty()) {
    json["tasks"]["collectives"] = collectives_json(plan.tasks()->graph->uses);
  }
  if (plan.traffic() != nullptr) {
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
  if (algorithm.takes_block) json["block"] = block_json(*plan.request.traffic.units);
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
    if (plan.traffic() != nullptr) add_pattern(json, plan);
  }
}

}  // namespace

void add_ties(Json& json, const TieBreak& ties) {
  if (ties.rule != TieBreak::Rule::positive) json["ties"] = ties.in_words();
}

void add_places(Json& json, const RunRequest& request, const Topology& topology) {
  const TrafficTable& traffic = request.traffic;
  if (traffic.place) json["place"] = place_json(*traffic.place, topology);
  if (traffic.ranks != nullptr) json["ranks"] = traffic.ranks->name();
  if (!traffic.group) return;
  if (traffic.group->kind == GroupRequest::Kind::first) {
    json["ranks"] = traffic.group->count;
    return;
  }
  json[traffic.group->is_partition ? "groups" : "group"] = group_json(*traffic.group, topology);
}

// The contents of its files, because their names would not determine the run.
static Json router_json(const RouterDeclaration& router) {
  return {{"top", router.top},
          {"hop_cycles", router.hop_cycles},
          {"adapter_cycles", router.adapter_cycles},
          {"settings", router.settings},
          {"fingerprint", router.fingerprint}};
}

namespace {

Json missing_json(const RunPlan& plan) {
  if (!plan.request.fabric.missing) return {};
  Json links = Json::array();
  const auto [topology, channels] = missing_of_whole(plan);
  for (const Channel channel : *channels) {
    const NodeId to = *topology->neighbour(channel.node, channel.port);
    links.push_back(nodes_json({channel.node, to}, *topology));
  }
  return links;
}

// By the names that they have in the whole fabric.
Json names_json(const std::vector<NodeId>& nodes, const FabricRequest& fabric) {
  Json names = Json::array();
  for (const NodeId node : nodes) names.push_back(fabric.whole->node_name(node));
  return names;
}

Json missing_nodes_json(const RunPlan& plan) {
  const FabricRequest& fabric = plan.request.fabric;
  if (!fabric.missing_nodes) return {};
  std::vector<NodeId> nodes;
  std::set_difference(fabric.gone.begin(), fabric.gone.end(), fabric.cut_off.begin(),
                      fabric.cut_off.end(), std::back_inserter(nodes));
  return names_json(nodes, fabric);
}

// The file of a table, or of a graph, may change and keep its name.
Json table_json(const std::string& text) {
  Fnv1a hash;
  hash.add(text);
  return {{"fingerprint", fmt::format("{:016x}", hash.value())}};
}

Json graph_json(const Graph& graph) {
  return {{"routers", graph.router_count()},
          {"channels", graph.channels().size()},
          {"fingerprint", fmt::format("{:016x}", graph.fingerprint())}};
}

Json counts_json(const RunPlan& plan) {
  const auto& counts = plan.request.message.pairs;
  if (counts == nullptr) return {};
  return {{"ranks", counts->ranks}, {"bytes", counts->total()}, {"digest", counts->digest()}};
}

Json link_delay_json(const RunPlan& plan) {
  if (plan.router.has_one_link_delay()) return plan.router.link_delay;
  const std::vector<int>& delays = plan.request.router.link_delays;
  return delays.empty() ? Json(plan.request.router.link_delay) : Json(delays);
}

// In bytes, one for all or by dimension; only where it is less than a flit.
Json link_width_json(const RunPlan& plan) {
  const std::vector<int>& widths = plan.request.router.link_widths;
  if (widths.empty() || !plan.router.has_narrow_channels()) return {};
  return widths.size() == 1 ? Json(widths.front()) : Json(widths);
}

// The links of the file, because its name would not determine the run.
Json link_attributes_json(const RunPlan& plan) {
  const auto& attributes = plan.request.router.link_attributes;
  if (attributes == nullptr) return {};
  Json list = Json::array();
  for (const LinkAttributes::Link& link : attributes->links) {
    Json one{{"u", link.u}, {"v", link.v}};
    if (link.delay) one["delay"] = *link.delay;
    if (link.width) one["width"] = *link.width;
    if (link.from_port) one["from_port"] = *link.from_port;
    list.push_back(std::move(one));
  }
  return list;
}

// The places themselves, because the name of a file would not determine the run.
template <class Place>
Json places_json(const std::vector<Place>& places, const Topology& topology) {
  if (places.empty()) return {};
  Json list = Json::array();
  for (const Place& one : places) list.push_back(in_words(one, topology));
  return list;
}

Json flit_errors_json(const RunPlan& plan) {
  return places_json(plan.simulation.errors.listed, plan.routing.topology());
}

Json lost_credits_json(const RunPlan& plan) {
  return places_json(plan.simulation.errors.lost_credits, plan.routing.topology());
}

Json barrier_json(const RunPlan& plan) {
  if (plan.simulation.barrier_messages) return "messages";
  return plan.simulation.barrier ? Json(*plan.simulation.barrier) : Json();
}

// What the plan has made of an option where that is not what the request has.
struct Settled {
  std::string_view key;
  Json (*value)(const RunPlan&);
};
constexpr std::array<Settled, 15> settled{{
    {"routing", [](const RunPlan& plan) { return Json(plan.routing.name()); }},
    {"ports",
     [](const RunPlan& plan) { return Json(usual_ports(plan.request, plan.routing.topology())); }},
    {"missing_links", missing_json},
    {"missing_nodes", missing_nodes_json},
    {"vcs", [](const RunPlan& plan) { return Json(plan.router.vcs - plan.router.join_vcs); }},
    {"buffer_depth", [](const RunPlan& plan) { return Json(plan.router.buffer_depth); }},
    {"link_delay", link_delay_json},
    {"link_width", link_width_json},
    {"link_attributes", link_attributes_json},
    {"flit_errors", flit_errors_json},
    {"lose_credit", lost_credits_json},
    {"flits", [](const RunPlan& plan) { return Json(plan.simulation.flits); }},
    {"bytes", [](const RunPlan& plan) { return Json(plan.simulation.bytes); }},
    {"counts", counts_json},
    {"barrier", barrier_json},
}};

Json value_of(const RunOption& option, const RunPlan& plan) {
  const auto* const own = std::find_if(settled.begin(), settled.end(),
                                       [&](const Settled& one) { return one.key == option.key; });
  return own == settled.end() ? option.field.get(plan.request) : own->value(plan);
}

// The options of which the configuration tells by itself, in its order.
std::vector<const RunOption*> told_options() {
  std::vector<const RunOption*> told;
  const auto is_told = [](const RunOption& option) { return option.told != Told::as_asked; };
  for (const RunOption& option : run_options()) {
    if (is_told(option) && option.told_behind.empty()) told.push_back(&option);
  }
  for (const RunOption& option : run_options()) {
    if (option.told_behind.empty()) continue;
    const auto before = std::find_if(told.begin(), told.end(), [&](const RunOption* one) {
      return one->key == option.told_behind;
    });
    told.insert(before + 1, &option);
  }
  return told;
}

// Adds those of the machine, or those of the outputs.
void add_told(Json& json, const RunPlan& plan, bool is_of_machine) {
  static const std::vector<const RunOption*> options = told_options();
  static const RunRequest with_defaults;
  for (const RunOption* option : options) {
    if ((option->table != "observe") != is_of_machine) continue;
    Json value = value_of(*option, plan);
    const bool differs = !value.is_null() && value != option->field.get(with_defaults);
    if (option->told == Told::always || differs) json[std::string(option->key)] = std::move(value);
    const auto* graph = dynamic_cast<const Graph*>(&plan.routing.topology());
    const auto& table = plan.request.fabric.table;
    if (option->key == "routing" && table && table->text) json["table"] = table_json(*table->text);
    if (option->key == "topology" && graph != nullptr) json["graph"] = graph_json(*graph);
    const FabricRequest& fabric = plan.request.fabric;
    if (option->key == "replan" && !fabric.cut_off.empty()) {
      json["cut_off"] = names_json(fabric.cut_off, fabric);
    }
    if (option->key == "switching" && plan.request.custom_router) {
      json["router"] = router_json(*plan.request.custom_router);
    }
  }
}

}  // namespace

Json machine_json(const RunPlan& plan) {
  Json json;
  add_told(json, plan, true);
  return json;
}

Json config_json(const RunPlan& plan) {
  Json json = machine_json(plan);
  if (plan.tasks() != nullptr) {
    add_tasks(json, plan);
  } else if (plan.traffic() != nullptr && plan.load() == nullptr) {
    add_pattern(json, plan);
  } else if (!plan.request.traffic.schedule.empty()) {
    json["schedule"] = schedule_json(plan);
    json["collective"] = to_string(plan.request.traffic.collective);
    add_cuts(json, plan);
    add_collective(json, plan);
  } else {
    add_algorithm(json, plan);
  }
  add_ties(json, plan.routing.tie_break());
  json["seed"] = plan.simulation.seed;
  add_told(json, plan, false);
  add_asked(json, plan);
  return json;
}

}  // namespace allport
