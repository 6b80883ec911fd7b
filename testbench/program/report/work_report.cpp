// SPDX-License-Identifier: Apache-2.0
// What the reports say of each kind of work. A new kind has its functions here.
#include "testbench/program/report/work_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <sstream>
#include <utility>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/words.h"
#include "rtl_model/topology/channel_words.h"
#include "testbench/plan/resolve.h"
#include "testbench/program/report/group_report.h"
#include "testbench/program/report/pieces_report.h"
#include "testbench/program/report/replay_report.h"
#include "testbench/program/report/task_report.h"
#include "testbench/program/report/traffic_report.h"
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

// It may not be planned yet (plan_fabric).
void add_algorithm(Json& json, const RunPlan& plan) {
  const Algorithm& algorithm = *plan.request.traffic.algorithm;
  json["algorithm"] = algorithm.name;
  add_planning(json, plan);
  if (algorithm.takes_block) json["block"] = block_json(*plan.request.traffic.units);
  if (is_join(algorithm.kind) && algorithm.operation != Operation::barrier) {
    json["join_operation"] = to_string(plan.request.message.join.operation());
    json["join_type"] = to_string(plan.request.message.join.type());
  }
  if (algorithm.takes_step_rule()) {
    json["steps"] = plan.request.traffic.step_rule == StepRule::aware ? "aware" : "naive";
  }
  add_collective(json, plan);
  if (const std::optional<double> rate = plan.request.traffic.collective_rate) {
    json["collective_rate"] = *rate;
    json["cycles"] = plan.request.traffic.cycles;
    json["warmup"] = plan.request.traffic.warmup;
  }
}

void add_pattern(Json& json, const RunPlan& plan, const TrafficRequest& traffic) {
  const auto& flows = traffic.flows;
  if (flows != nullptr) {  // told by what is in the table; messages have lengths of their own
    json.erase("flits");
    json.erase("bytes");
    json["flows"] = {{"flows", flows->flows.size()}, {"digest", flows->digest()}};
  } else {
    json["pattern"] = plan.request.traffic.pattern;
    if (!traffic.loop) json["rate"] = traffic.rate;
  }
  json["cycles"] = traffic.cycles;
  json["warmup"] = traffic.warmup;
  if (traffic.flits_long > 0) {
    json["flits_long"] = traffic.flits_long;
    json["long_fraction"] = traffic.long_fraction;
  }
  if (flows != nullptr || !traffic.pattern->has_hotspots) return;
  json["hotspot"] = nodes_json(traffic.hotspots, plan.routing.topology());
  json["hotspot_fraction"] = traffic.hotspot_fraction;
}

void add_config(Json& json, const RunPlan& plan, const CollectiveWork& /*work*/) {
  if (plan.request.traffic.schedule.empty()) return add_algorithm(json, plan);
  json["schedule"] = schedule_json(plan);
  json["collective"] = to_string(plan.request.traffic.collective);
  add_cuts(json, plan);
  add_collective(json, plan);
}

void add_config(Json& json, const RunPlan& plan, const LoadWork& work) {
  add_algorithm(json, plan);
  if (work.background) add_pattern(json, plan, *work.background);
}

// Of all kinds that are a pattern.
template <class Kind, class = decltype(Kind::traffic)>
void add_config(Json& json, const RunPlan& plan, const Kind& work) {
  add_pattern(json, plan, work.traffic);
}

void add_config(Json& json, const RunPlan& plan, const TaskWork& work) {
  const TaskGraph& graph = *work.tasks.graph;
  add_places(json, plan.request, plan.routing.topology());
  if (!plan.request.traffic.program.is_null()) json["program"] = plan.request.traffic.program;
  json["tasks"] = {
      {"ranks", graph.ranks}, {"tasks", graph.tasks.size()}, {"digest", task_digest(graph)}};
  if (const std::optional<HostModel>& host = graph.host) {
    json["tasks"]["host"] = {{"start_up", host->start_up}, {"per_byte", host->per_byte}};
  }
  if (plan.request.traffic.replay != nullptr) {
    json["replay"] = replay_json(*plan.request.traffic.replay);
  } else if (!graph.uses.empty()) {
    json["tasks"]["collectives"] = collectives_json(graph.uses);
  }
  if (work.background) {
    add_pattern(json, plan, *work.background);
  } else {
    json.erase("flits");
    json.erase("bytes");
  }
}

// Programs are run from C++, and no report tells of them.
void add_config(Json& /*json*/, const RunPlan& /*plan*/, const ProgramWork& /*work*/) {}

// `3 pieces`, or `1..3 pieces` where the number differs between the collectives of the run.
std::string pieces_in_words(const Trials& trials) {
  std::size_t least = std::numeric_limits<std::size_t>::max();
  std::size_t most = 0;
  for (const std::vector<PlannedCollective>& trial : trials) {
    for (const PlannedCollective& one : trial) {
      if (one.goal != nullptr && one.goal->operation() != Operation::bcast) continue;  // a barrier
      const std::size_t pieces = one.goal != nullptr ? one.goal->block_count() : 1;
      least = std::min(least, pieces);
      most = std::max(most, pieces);
    }
  }
  return least == most ? counted(most, "piece") : fmt::format("{}..{} pieces", least, most);
}

// `3 blocks`, or `2..3 blocks` where the collectives of a trial differ; barriers do not count.
template <class Count>
std::string numbers_in_words(const std::vector<PlannedCollective>& trial, const char* what,
                             const Count& count) {
  std::size_t least = std::numeric_limits<std::size_t>::max();
  std::size_t most = 0;
  for (const PlannedCollective& one : trial) {
    if (one.is_barrier) continue;
    least = std::min<std::size_t>(least, count(one));
    most = std::max<std::size_t>(most, count(one));
  }
  return least == most ? counted(most, what) : fmt::format("{}..{} {}s", least, most, what);
}

std::string destinations_in_words(const std::vector<PlannedCollective>& trial) {
  return numbers_in_words(trial, "destination",
                          [](const PlannedCollective& one) { return one.destinations.size(); });
}

// `scatter of 8 blocks`
std::string collective_in_words(const Collective& goal, const Trials& trials) {
  if (goal.operation() == Operation::bcast) return pieces_in_words(trials);
  std::string words = fmt::format(
      "{} of {}", to_string(goal.operation()),
      numbers_in_words(trials.front(), "block", [](const PlannedCollective& one) {
        return one.goal == nullptr ? 0 : one.goal->block_count() / one.goal->part_count();
      }));
  if (goal.part_count() > 1) words += fmt::format(", each in {} parts", goal.part_count());
  return words;
}

// The number of pieces of each multicast, for the first of them.
std::string best_pieces_in_words(const Trials& trials) {
  const std::vector<PiecesChoice> choices = pieces_of(trials);
  constexpr std::size_t shown = 16;
  std::string words = "best " + pieces_in_words(choices);
  if (choices.size() > 1) words += ", by trial and source";
  for (std::size_t i = 0; choices.size() > 1 && i < choices.size() && i < shown; ++i) {
    words += fmt::format("{}{}", i == 0 ? ": " : ", ", choices[i].pieces);
  }
  if (choices.size() > shown) words += fmt::format(", .. ({} in all)", choices.size());
  return words;
}

void add_placement(ReportLines& lines, const RunPlan& plan) {
  std::string place = placement_in_words(plan);
  if (!place.empty()) lines.emplace_back("placement", std::move(place));
}

ReportLines lines_of(const RunPlan& plan, int steps, const CollectiveWork& work) {
  ReportLines lines;
  std::string words = plan.request.traffic.schedule.empty()
                          ? std::string(plan.request.traffic.algorithm->name)
                          : "schedule " + shown_input(plan.request.traffic.schedule);
  words += fmt::format(" from {} to {}", allport::in_words(plan.sources, plan.routing.topology()),
                       destinations_in_words(work.trials.front()));
  if (!plan.request.traffic.chain.empty()) words += ", along the given chain";
  if (!plan.request.traffic.block.empty()) {
    words += ", by the block " + shown_input(plan.request.traffic.block);
  }
  if (plan.request.traffic.embed != nullptr)
    words += fmt::format(", embedded {}", plan.request.traffic.embed->name());
  const auto& goal = work.trials.front().front().goal;
  if (goal != nullptr) words += ", " + collective_in_words(*goal, work.trials);
  if (work.trials.front().size() > 1) {
    const bool is_apart = plan.simulation.barrier || plan.simulation.barrier_messages;
    words += is_apart ? " each, one after another" : " each, all at once";
  }
  if (plan.request.traffic.trials > 1)
    words += fmt::format(", {} trials", plan.request.traffic.trials);
  const NodeRequest& node = plan.request.node;
  if (plan.request.traffic.destinations.random || node.jitter > 0 || node.skew > 0) {
    words += fmt::format(", seed {}", plan.request.traffic.seed);
  }
  lines.emplace_back("traffic", words);
  if (const std::string groups = groups_in_words(plan); !groups.empty()) {
    lines.emplace_back(plan.has_partition() ? "groups" : "group", groups);
  }
  add_placement(lines, plan);
  if (!plan.relays.empty())
    lines.emplace_back("relays", allport::in_words(plan.relays, plan.routing.topology()));
  if (plan.request.message.pieces == 0)
    lines.emplace_back("pieces", best_pieces_in_words(work.trials));
  lines.emplace_back("steps", std::to_string(steps));
  return lines;
}

ReportLines lines_of(const RunPlan& plan, int /*steps*/, const LoadWork& work) {
  ReportLines lines{{"collectives", in_words(work.load, plan.request.traffic.algorithm->name,
                                             plan.sources.size())}};
  add_placement(lines, plan);
  if (work.background) {
    lines.emplace_back("traffic", in_words(*work.background, plan.routing.topology()));
  }
  return lines;
}

template <class Kind, class = decltype(Kind::traffic)>
ReportLines lines_of(const RunPlan& plan, int /*steps*/, const Kind& work) {
  return {{"traffic", in_words(work.traffic, plan.routing.topology())}};
}

ReportLines lines_of(const RunPlan& plan, int /*steps*/, const TaskWork& work) {
  ReportLines lines{{"tasks", tasks_in_words(plan)}};
  const Replay* const replay = plan.request.traffic.replay.get();
  for (auto& line : replay != nullptr ? replay_lines(*replay)
                                      : collective_lines(work.tasks.graph->uses, "collectives")) {
    lines.push_back(std::move(line));
  }
  if (work.background) {
    lines.emplace_back("beside", background_in_words(*work.background, plan.routing.topology()));
  }
  return lines;
}

ReportLines lines_of(const RunPlan& /*plan*/, int /*steps*/, const ProgramWork& /*work*/) {
  return {};
}

}  // namespace

void add_work(Json& json, const RunPlan& plan) {
  std::visit([&](const auto& work) { add_config(json, plan, work); }, plan.work);
}

ReportLines work_lines(const RunPlan& plan, int steps) {
  return std::visit([&](const auto& work) { return lines_of(plan, steps, work); }, plan.work);
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

}  // namespace allport
