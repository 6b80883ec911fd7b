// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/commands/compared_algorithms.h"
#include "testbench/plan/plan_collectives.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "testbench/plan/label_worms.h"
#include "testbench/plan/missing_links.h"
#include "testbench/plan/option_values.h"
#include "testbench/plan/requirements.h"
#include "testbench/plan/router_declaration.h"
#include "testbench/plan/run_request.h"

namespace allport {

namespace {

// Nodes times flits of a message from which the choice of the model is worms: a comparison of more
// takes routers minutes.
constexpr std::size_t most_flits_on_routers = std::size_t{1} << 18;

// Whether several nodes start collectives, which are under way at the same time.
bool has_many_at_once(const Options& options) {
  return options.run.traffic.sources.size() > 1 || options.run.traffic.collective_rate;
}

// Whether label worms of all sources at once are free of deadlock; those of one source are anyway.
bool suits_label_worms(const Options& options) {
  return !has_many_at_once(options) || has_private_ejection(plan_fabric(options.run).router);
}

// Whether the model is open, and routers would take long for what worms do at once.
bool is_left_to_worms(const Options& options, std::size_t nodes) {
  if (options.run.model != Model::automatic) return false;
  if (options.run.node.model.limits_ports()) return false;  // worms refuse such ports
  const MessageRequest& message = options.run.message;
  std::size_t bytes = message.bytes;
  for (const std::size_t size : options.of_command<CompareOptions>().sizes)
    bytes = std::max(bytes, size);
  const std::size_t flits = bytes > 0 ? bytes / static_cast<std::size_t>(message.flit_bytes)
                                      : static_cast<std::size_t>(message.flits);
  return nodes > max_router_count || nodes * flits > most_flits_on_routers;
}

// Whether worms carry what `algorithm` sends: they explain unicasts only.
bool suits_worms(const Algorithm& algorithm, const Options& options) {
  return algorithm.kind == MessageKind::unicast || !options.run.explain.is_any();
}

// Whether the model and the options support what `algorithm` sends.
bool takes_messages_of(const Algorithm& algorithm, const Options& options, const Routing& routing) {
  const TrafficTable& traffic = options.run.traffic;
  const bool has_group = traffic.group && !algorithm.is_in_network;
  const bool is_placed = traffic.place && traffic.place->kind != PlaceRequest::Kind::identity;
  const bool has_ranks = traffic.ranks != nullptr || is_placed || has_group;
  const bool must_be_worms = options.run.model == Model::worm ||
                             is_left_to_worms(options, routing.topology().node_count());
  if (must_be_worms && !suits_worms(algorithm, options)) return false;
  if (options.run.message.address_flits > 0 && !algorithm.needs_lists()) return false;
  const bool needs_unicasts = options.run.message.pieces != 1 || has_ranks;
  if (needs_unicasts && algorithm.kind != MessageKind::unicast) return false;
  const auto& own = options.run.custom_router;
  if (own && !own->has(algorithm.kind)) return false;
  if (algorithm.kind == MessageKind::label && !suits_label_worms(options)) return false;
  const bool is_other_tree =
      algorithm.kind == MessageKind::tree && (!routing.topology().is_hypercube() || traffic.group);
  if (is_other_tree && own) return false;
  return kind_fault(algorithm.kind, options.run.router.switching, routing).empty();
}

void require_each_once(const std::vector<const Algorithm*>& list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (std::count(list.begin(), list.end(), list[i]) == 1) continue;
    throw std::invalid_argument(fmt::format("--algorithms: {} is named twice", list[i]->name));
  }
}

// Throws unless the algorithms that are named carry out one collective: that which is named.
void require_collective(const Options& options) {
  if (!options.is_given("collective")) {
    const Algorithm* first = options.algorithms.front();
    for (const Algorithm* other : options.algorithms) {
      if (other->operation == first->operation) continue;
      throw std::invalid_argument(fmt::format(
          "--algorithms: {} carries out {}, and {} {}; compare sets algorithms of one collective side by side",
          first->name, to_string(first->operation), other->name, to_string(other->operation)));
    }
    return;
  }
  const Operation wanted = options.run.traffic.collective;
  for (const Algorithm* algorithm : options.algorithms) {
    if (algorithm->operation == wanted) continue;
    throw std::invalid_argument(fmt::format("--collective {}: algorithm {} carries out {}",
                                            to_string(wanted), algorithm->name,
                                            to_string(algorithm->operation)));
  }
}

// Whether `algorithm` is of the collective, the destinations and the steps that are asked for.
bool is_asked_for(const Algorithm& algorithm, const Options& options, const RunPlan& plan) {
  const TrafficTable& traffic = options.run.traffic;
  std::size_t nodes = plan.groups.empty() ? plan.routing.topology().node_count() : 0;
  for (const auto& group : plan.groups) nodes = std::max(nodes, group->nodes.size());
  const DestinationChoice& choice = traffic.destinations;
  const std::size_t chained = traffic.chain.size();
  const std::size_t size = chained > 0 ? chained - 1 : choice.random.value_or(choice.listed.size());
  const bool is_broadcast = (chained == 0 && choice.is_all()) || size + 1 == nodes;
  const bool takes_them = is_broadcast || algorithm.destinations != Destinations::all;
  const bool takes_rule = algorithm.takes_step_rule() || traffic.step_rule == StepRule::naive;
  if (algorithm.destinations == Destinations::one) {
    return false;  // it sends the message in pieces, the others do not
  }
  if (algorithm.operation != traffic.collective || !takes_them || !takes_rule) return false;
  if (chained > 0 && !algorithm.takes_chain) return false;
  return !algorithm.takes_block || traffic.units != nullptr;
}

// Whether `algorithm` is for fabrics like `topology`, but of another size: grids and rings of its
// kind, of a graph all kinds.
bool is_for_another_size(const Algorithm& algorithm, const Topology& topology) {
  const std::string name = topology.name();
  const std::string kind = name.substr(0, name.find(':') + 1);
  bool is_for_one = false;
  bool is_for_all = true;
  for (const char* const other : {"hypercube:4", "torus:4x4", "torus:16x16", "torus:4x4x4",
                                  "mesh:4x4", "mesh:4x4x4", "ring:16"}) {
    const bool is_for = algorithm.is_for(*parse_topology(other));
    is_for_all = is_for_all && is_for;
    is_for_one = is_for_one || (is_for && std::string_view(other).rfind(kind, 0) == 0);
  }
  return topology.is_graph() ? is_for_all : is_for_one;
}

// Whether every group has a fabric for `algorithm`.
bool is_for_groups(const Algorithm& algorithm, const RunPlan& plan) {
  const auto& topology = plan.routing.shared_topology();
  const auto is_for = [&](const NodeGroup* group) {
    return planned_on(algorithm, plan.request, topology, group) != nullptr;
  };
  return plan.groups.empty() ? is_for(nullptr)
                             : std::all_of(plan.groups.begin(), plan.groups.end(),
                                           [&](const auto& group) { return is_for(group.get()); });
}

// Whether `algorithm` cuts blocks into as many parts as are asked for.
bool takes_parts(const Algorithm& algorithm, const RunPlan& plan) {
  const int parts = plan.request.message.parts;
  if (parts == 0 || algorithm.operation == Operation::bcast) return true;
  if (algorithm.own_parts == nullptr) return true;
  const NodeGroup* group = plan.groups.empty() ? nullptr : plan.groups.front().get();
  const auto fabric = planned_on(algorithm, plan.request, plan.routing.shared_topology(), group);
  const PartCounts own = algorithm.own_parts(*fabric);
  return parts >= own.least && parts <= own.most;
}

// Whether no message of `algorithm` crosses a missing link.
bool keeps_off_missing_links(const Algorithm& algorithm, const RunPlan& plan) {
  if (plan.missing.empty() || algorithm.is_synthesized) return true;
  RunPlan whole = plan;
  whole.missing.clear();
  plan_algorithm(whole, algorithm);
  for (const std::vector<PlannedCollective>& trial : whole.trials()) {
    for (const PlannedCollective& one : trial) {
      if (!missing_link_fault(one, plan.routing, plan.missing).empty()) return false;
    }
  }
  return true;
}

}  // namespace

std::vector<const Algorithm*> compared_algorithms(const Options& options, const RunPlan& plan) {
  const Topology& topology = plan.routing.topology();
  if (!options.algorithms.empty()) {
    require_collective(options);
    require_each_once(options.algorithms);
    return options.algorithms;
  }
  std::vector<const Algorithm*> list;
  for (const Algorithm& algorithm : algorithms()) {
    if (!is_asked_for(algorithm, options, plan)) continue;
    if (!takes_messages_of(algorithm, options, plan.routing)) continue;
    if (!is_for_groups(algorithm, plan) || !takes_parts(algorithm, plan)) continue;
    if (keeps_off_missing_links(algorithm, plan)) list.push_back(&algorithm);
  }
  if (list.empty()) {
    throw std::invalid_argument(fmt::format(
        "--collective {}: no algorithm of `allport list` carries it out on {} with these options",
        to_string(options.run.traffic.collective), topology.name()));
  }
  return list;
}

std::vector<std::string> left_out_by_size(const Options& options, const RunPlan& plan) {
  std::vector<std::string> sentences;
  if (!options.algorithms.empty() || !plan.groups.empty()) return sentences;
  std::vector<std::pair<std::string_view, std::string>> names;  // by what they are for
  for (const Algorithm& algorithm : algorithms()) {
    if (!is_asked_for(algorithm, options, plan) || is_for_groups(algorithm, plan)) continue;
    if (!is_for_another_size(algorithm, plan.routing.topology())) continue;
    const std::string_view words = algorithm.fabrics.words;
    auto found = std::find_if(names.begin(), names.end(),
                              [&](const auto& one) { return one.first == words; });
    if (found == names.end()) found = names.insert(found, {words, ""});
    found->second += (found->second.empty() ? "" : ", ") + std::string(algorithm.name);
  }
  for (const auto& [words, of] : names) {
    const bool is_one = of.find(',') == std::string::npos;
    sentences.push_back(fmt::format("{}: {} for {}, and {} is none of these", of,
                                    is_one ? "it is" : "they are", words,
                                    plan.routing.topology().name()));
  }
  return sentences;
}

std::vector<const Algorithm*> left_to_routers(const Options& options, const RunPlan& plan) {
  const std::size_t nodes = plan.routing.topology().node_count();
  const bool is_explained = options.run.model == Model::worm && options.run.explain.is_any();
  const bool is_left = is_explained || is_left_to_worms(options, nodes);
  if (!options.algorithms.empty() || !is_left || nodes > max_router_count) return {};
  Options on_routers = options;
  on_routers.run.model = Model::systemc;
  std::vector<const Algorithm*> list = compared_algorithms(on_routers, plan);
  const auto is_of_worms = [&](const Algorithm* one) { return suits_worms(*one, options); };
  list.erase(std::remove_if(list.begin(), list.end(), is_of_worms), list.end());
  return list;
}

std::vector<std::size_t> parse_sizes(std::string_view text) {
  std::vector<std::size_t> sizes;
  if (const std::size_t dots = text.find(".."); dots != std::string_view::npos) {
    const std::size_t first = parse_bytes(text.substr(0, dots), limits::bytes);
    const std::size_t last = parse_bytes(text.substr(dots + 2), limits::bytes);
    if (last < first) {
      throw std::invalid_argument(fmt::format(
          "the last length, {} bytes, must not be less than the first, {}", last, first));
    }
    for (std::size_t size = first; size <= last; size *= 2) sizes.push_back(size);
    return sizes;
  }
  for (const std::string_view item : parse_list(text)) {
    sizes.push_back(parse_bytes(item, limits::bytes));
  }
  for (std::size_t i = 1; i < sizes.size(); ++i) {
    if (sizes[i - 1] < sizes[i]) continue;
    throw std::invalid_argument(
        fmt::format("the lengths must ascend, and {} bytes follow {}", sizes[i], sizes[i - 1]));
  }
  return sizes;
}

}  // namespace allport
