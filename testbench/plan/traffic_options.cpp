// SPDX-License-Identifier: Apache-2.0
// The options of the table [traffic].
#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "rtl_model/base/quote.h"
#include "testbench/plan/option_fields.h"
#include "testbench/plan/place_values.h"
#include "traffic/patterns/pattern.h"

namespace allport::option_fields {

namespace {

OptionField algorithm() {
  return {[](RunRequest& request, Text text) { request.traffic.algorithm = &find_algorithm(text); },
          [](const RunRequest& request) {
            const Algorithm* const algorithm = request.traffic.algorithm;
            return algorithm == nullptr ? Json() : Json(algorithm->name);
          },
          algorithm_names()};
}

// Files have the numbers of the whole fabric where nodes are missing, as lists do.
void find_nodes(NodeLines& file, const Topology* topology) {
  if (topology == nullptr || topology->has_all_numbers()) return;
  for (NodeLines::Line& line : file.lines) {
    for (NodeNumber& number : line.nodes) {
      const auto node = topology->find_number(number.id);
      if (!node) {
        throw std::invalid_argument(fmt::format("{}:{}: there is no node {} in {}",
                                                shown_input(file.path), line.number, number.id,
                                                topology->name()));
      }
      number = NodeNumber{index(*node)};
    }
  }
}

OptionField place() {
  return {[](RunRequest& request, Text text) {
            request.traffic.place = parse_place(text);
            find_nodes(request.traffic.place->file, request.fabric.topology.get());
          },
          [](const RunRequest& request) {
            const auto& place = request.traffic.place;
            return place ? Json(place->in_words()) : Json();
          },
          {"identity", "gray", "snake", "groups", "random", "random:"}};
}

bool are_first(const std::optional<GroupRequest>& group) {
  return group && group->kind == GroupRequest::Kind::first;
}

void require_one_choice(bool are_chosen) {
  if (are_chosen) {
    throw std::invalid_argument(
        "--ranks N and --group or --groups exclude each other: each chooses the nodes that take part");
  }
}

// A fabric, or how many nodes take part.
OptionField ranks() {
  const auto place = at(&RunRequest::traffic, &TrafficTable::ranks);
  OptionField field = shape(place, shapes);
  field.set = [=](RunRequest& request, Text text) {
    if (text.find_first_not_of("0123456789") != Text::npos || text.empty()) {
      place(request) = parse_topology(text);
      return;
    }
    require_one_choice(request.traffic.group.has_value());
    GroupRequest first;
    first.kind = GroupRequest::Kind::first;
    first.count = static_cast<std::size_t>(parse_integer(text, {2, max_node_count}));
    first.text = std::to_string(first.count);
    request.traffic.group = std::move(first);
  };
  field.get = [get = field.get](const RunRequest& request) {
    const auto& group = request.traffic.group;
    return are_first(group) ? Json(group->count) : get(request);
  };
  return field;
}

// A group, or a partition into several.
OptionField group(bool is_partition) {
  return {[=](RunRequest& request, Text text) {
            require_one_choice(are_first(request.traffic.group));
            request.traffic.group = is_partition ? parse_groups(text)
                                                 : parse_group(text, request.fabric.topology.get());
            find_nodes(request.traffic.group->file, request.fabric.topology.get());
          },
          [=](const RunRequest& request) {
            const auto& group = request.traffic.group;
            const bool is_it = group && group->is_partition == is_partition && !are_first(group);
            return is_it ? Json(group->text) : Json();
          },
          is_partition ? Words{"dim:", "dims:", "box:"} : Words{"box:", "subcube:0b"}};
}

OptionField collective() {
  return {[](RunRequest& request, Text text) {
            request.traffic.collective = find_operation(text);
            request.traffic.names_collective = true;
          },
          [](const RunRequest& request) {
            const TrafficTable& traffic = request.traffic;
            const bool is_named =
                traffic.names_collective || traffic.collective != TrafficTable().collective;
            return is_named ? Json(to_string(traffic.collective)) : Json();
          },
          names_of<Operation>()};
}

OptionField ties() {
  return {[](RunRequest& request, Text text) {
            constexpr Text random = "random:";
            TieBreak& ties = request.traffic.ties;
            ties = {};
            if (text.substr(0, random.size()) == random) {
              ties = {TieBreak::Rule::random, parse_seed(text.substr(random.size()))};
              return;
            }
            for (const TieBreak::Rule rule :
                 {TieBreak::Rule::positive, TieBreak::Rule::negative, TieBreak::Rule::alternate}) {
              ties.rule = rule;
              if (text == ties.in_words()) return;
            }
            throw std::invalid_argument(in_quotes(text) +
                                        " must be positive, negative, alternate or random:SEED");
          },
          [](const RunRequest& request) { return Json(request.traffic.ties.in_words()); },
          {"positive", "negative", "alternate", "random:"}};
}

// The graph of a schedule with times was made of it.
OptionField tasks() {
  OptionField field = path(at(&RunRequest::traffic, &TrafficTable::tasks));
  field.get = [](const RunRequest& request) {
    const TrafficTable& traffic = request.traffic;
    if (!traffic.tasks.empty() || traffic.graph == nullptr || !traffic.schedule.empty()) {
      return text_or_null(traffic.tasks);
    }
    return Json("a graph");
  };
  return field;
}

OptionField pattern() {
  OptionField field = path(at(&RunRequest::traffic, &TrafficTable::pattern));
  field.set = [](RunRequest& request, Text text) {
    request.traffic.pattern = find_pattern(text).name;
  };
  field.words = pattern_names();
  return field;
}

// A pattern has a rate, of which 0 is one, unless it is a closed loop.
OptionField rate() {
  OptionField field = decimal(at(&RunRequest::traffic, &TrafficTable::rate), 0, 1e6);
  field.get = [](const RunRequest& request) {
    const TrafficTable& traffic = request.traffic;
    const bool has_rate = !traffic.pattern.empty() && traffic.loop.outstanding == 0;
    return traffic.rate == 0 && !has_rate ? Json() : Json(traffic.rate);
  };
  return field;
}

OptionField collective_rate() {
  const auto place = at(&RunRequest::traffic, &TrafficTable::collective_rate);
  return {
      [=](RunRequest& request, Text text) { place(request) = parse_decimal(text, 0, 1); },
      [=](const RunRequest& request) { return place(request) ? Json(*place(request)) : Json(); }};
}

OptionField destinations() {
  return {[](RunRequest& request, Text text) {
            request.traffic.destinations = parse_destinations(text, request.fabric.topology.get());
          },
          [](const RunRequest& request) {
            const DestinationChoice& choice = request.traffic.destinations;
            if (choice.random) return Json("random:" + std::to_string(*choice.random));
            return choice.is_all() ? Json("all") : json_of(choice.listed);
          },
          {"all", "random:"}};
}

OptionField block() {
  OptionField field = path(at(&RunRequest::traffic, &TrafficTable::block));
  field.get = [](const RunRequest& request) {
    const TrafficTable& traffic = request.traffic;
    return traffic.block.empty() && traffic.units != nullptr ? Json("a block")
                                                             : text_or_null(traffic.block);
  };
  return field;
}

OptionField seed() {
  OptionField field = integer(at(&RunRequest::traffic, &TrafficTable::seed), {0, 0});
  field.set = [](RunRequest& request, Text text) { request.traffic.seed = parse_seed(text); };
  field.range.reset();
  return field;
}

template <class... Members>
auto traffic(Members... members) {
  return at(&RunRequest::traffic, members...);
}

}  // namespace

Options traffic_options() {
  constexpr unsigned ranked = use::planning | use::steps;
  constexpr unsigned loaded = use::runs | use::tasks;
  constexpr unsigned chosen = use::planning | use::show;
  return {
      {"traffic", "algorithm", "NAME", "collective algorithm, see `allport list`", algorithm(),
       use::runs | use::check | use::schedule | use::show},
      {"traffic", "embed", "SHAPE",
       "plan the algorithm on this ring, torus or mesh, placed on the hypercube by Gray codes",
       shape(traffic(&TrafficTable::embed), {"ring:", "torus:", "mesh:"}), use::planning},
      {"traffic", "place", "HOW",
       "node of each rank: identity (the usual one), gray (hypercubes), snake (from neighbour to neighbour), groups (those of a graph, one after another), random[:SEED], or the nodes of rank 0, 1, ..: a list, or a file",
       place(), ranked | use::tasks},
      {"traffic", "ranks", "SHAPE|N",
       "fabric of ranks on which the algorithm is planned before it is placed; the usual one is a ring, or the shape of the nodes; or how many nodes take part, the first N",
       ranks(), ranked | use::replay},
      {"traffic", "group", "NODES",
       "nodes that take part, if not all: a list, box:4x4@0,2, subcube:0b0xx1x or a file",
       group(false), ranked | use::replay},
      {"traffic", "groups", "SET",
       "the same collective in all groups at once: dim:0, dims:0,1, box:4x4 or a file with a group in each line",
       group(true), use::simulations | use::check},
      {"traffic", "collective", "NAME",
       "collective that a schedule with blocks carries out, or whose algorithms compare tries: bcast, scatter, gather, allgather, ..",
       collective(), use::simulations | use::check, Told::as_asked, "bcast"},
      {"traffic", "steps", "RULE",
       "how steps are assigned where phases do not fix them: naive (by ports) or aware (by channels too)",
       word("step rule", traffic(&TrafficTable::step_rule)), ranked | use::show},
      {"traffic", "ties", "RULE",
       "rings and tori: which way a message goes whose two ways round a ring are equally long: positive, negative, alternate (by the sender's coordinate) or random:SEED",
       ties(), ranked | use::tasks | use::show | use::network},
      {"traffic", "schedule", "FILE",
       "a schedule of your own: JSON Lines, MSCCL XML or an MSCCL++ plan; - is stdin",
       path(traffic(&TrafficTable::schedule)), use::runs | use::check | use::show},
      {"traffic", "tasks", "FILE",
       "a program as tasks that compute, send and receive, JSON Lines; - is stdin", tasks(),
       use::runs},
      {"traffic", "pattern", "NAME",
       "synthetic traffic instead of a collective, or beside ranks, see `allport list`", pattern(),
       loaded},
      {"traffic", "flows", "FILE",
       "a table of flows instead of a pattern, CSV: source, destination, rate, flits and, if wanted, from, to, on, off; - is stdin",
       path(traffic(&TrafficTable::flows)), loaded},
      {"traffic", "rate", "RATE", "offered load of a pattern, in flits per node and cycle", rate(),
       loaded},
      {"traffic", "outstanding", "N",
       "requests that each node keeps under way by the pattern, in place of --rate: it makes the next one when it has a reply",
       unless_zero(
           integer(traffic(&TrafficTable::loop, &ClosedLoop::outstanding), limits::outstanding)),
       use::runs, Told::where_it_differs},
      {"traffic", "service", "CYCLES",
       "cycles from having a request until its reply may be prepared",
       integer(traffic(&TrafficTable::loop, &ClosedLoop::service), limits::node_cycles), use::runs,
       Told::where_it_differs},
      {"traffic", "reception_limit", "FLITS",
       "flits of the reception buffer that a node of a closed loop has for each message class at each ejection channel: a request leaves it when its reply is prepared; without it what is received is taken at once",
       unless_zero(integer(traffic(&TrafficTable::reception_limit), limits::flits)), use::runs,
       Told::where_it_differs},
      {"traffic", "collective_rate", "RATE",
       "collectives of the algorithm that each source (default: every node) starts per cycle at random, 0..1; a pattern may send messages beside them",
       collective_rate()},
      {"traffic", "cycles", "CYCLES",
       "number of cycles in which a pattern or flows start messages, and nodes start collectives; beside ranks at most (usually 1000000)",
       unless_zero(integer(traffic(&TrafficTable::cycles), {1, limits::cycles.high})),
       use::simulations | use::tasks},
      {"traffic", "warmup", "CYCLES",
       "first cycle in which a pattern, flows, or collectives that start at random, are measured",
       integer(traffic(&TrafficTable::warmup), limits::cycles), use::simulations | use::tasks},
      {"traffic", "hotspot", "NODE,..", "hotspots of the pattern hotspot",
       nodes(traffic(&TrafficTable::hotspots)), loaded},
      {"traffic", "hotspot_fraction", "F",
       "share of messages to the hotspots of the pattern hotspot, 0..1",
       decimal(traffic(&TrafficTable::hotspot_fraction), 0, 1), loaded},
      {"traffic", "source", "NODE,..",
       "node that holds the message, for a schedule its only root; several nodes (run, compare): one collective each, all from cycle 0",
       nodes(traffic(&TrafficTable::sources)), use::all & ~use::tasks & ~use::network,
       Told::as_asked, "0"},
      {"traffic", "destinations", "SET",
       "all, a list such as 1,3,5, or random:M, drawn for each trial; `sweep` takes several sets, separated by semicolons: 'random:8;random:32'",
       destinations(), chosen | use::fit},
      {"traffic", "chain", "NODE,..",
       "source and destinations in one: a cube-ordered chain, which ucube, maxport, combine or wsort splits in place of its own; `check` says whether it is one; `sweep` takes several, separated by semicolons",
       nodes(traffic(&TrafficTable::chain)), chosen},
      {"traffic", "block", "FILE",
       "the block that the algorithm block recurses: a schedule of a broadcast on torus:4x4, whose nodes stand for units; - is stdin",
       block(), chosen},
      {"traffic", "trials", "T", "runs from reset, each with its own random draws",
       integer(traffic(&TrafficTable::trials), limits::trials)},
      {"traffic", "seed", "S", "seed of all random draws", seed(), use::all},
  };
}

}  // namespace allport::option_fields
