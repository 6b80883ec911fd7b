// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/places.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/powers.h"
#include "rtl_model/base/quote.h"
#include "rtl_model/base/range.h"
#include "rtl_model/base/words.h"
#include "rtl_model/graphs/graph.h"
#include "rtl_model/topology/channel_words.h"
#include "rtl_model/topology/group_routes.h"

namespace allport {

namespace {

using GroupPtr = std::shared_ptr<const NodeGroup>;

// Largest number of groups x nodes of a run, each of which needs some 200 bytes.
constexpr std::size_t max_group_nodes = std::size_t{1} << 22;

const char* option_of(const GroupRequest& request) {
  if (request.kind == GroupRequest::Kind::first) return "--ranks";
  return request.is_partition ? "--groups" : "--group";
}

// `option` comes before the name of the file in what is thrown.
std::vector<NodeId> nodes_of(const char* option, const NodeLines& file, const NodeLines::Line& line,
                             const Topology& topology) {
  try {
    return to_nodes(line.nodes, topology, "node");
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(
        fmt::format("{}{}:{}: {}", option, shown_input(file.path), line.number, error.what()));
  }
}

// A group for each line of the file, or all of its lines as one.
std::vector<NodeGroup> groups_in(const GroupRequest& request, const Topology& topology,
                                 GroupUse use) {
  std::vector<NodeGroup> groups;
  std::vector<NodeId> all;
  for (const NodeLines::Line& line : request.file.lines) {
    std::vector<NodeId> nodes = nodes_of("", request.file, line, topology);
    if (!request.is_partition) {
      all.insert(all.end(), nodes.begin(), nodes.end());
    } else if (nodes.size() < 2) {
      throw std::invalid_argument(
          fmt::format("{}:{}: the group has one member, but a collective needs two",
                      shown_path(request.file.path), line.number));
    } else {
      groups.push_back(list_group(topology, std::move(nodes)));
    }
  }
  if (!request.is_partition) groups.push_back(list_group(topology, std::move(all), use));
  return groups;
}

NodeGroup first_nodes(std::size_t count, const Topology& topology, GroupUse use) {
  if (count > topology.node_count()) {
    const auto most = static_cast<std::int64_t>(topology.node_count());
    throw std::invalid_argument(fmt::format("{} has {}, so N must be {}", topology.name(),
                                            counted(topology.node_count(), "node"),
                                            range_in_words(2, most)));
  }
  std::vector<NodeId> nodes;
  for (std::size_t i = 0; i < count; ++i) nodes.push_back(node_id(i));
  return list_group(topology, std::move(nodes), use);
}

std::vector<NodeGroup> formed(const GroupRequest& request, const Topology& topology, GroupUse use) {
  switch (request.kind) {
    case GroupRequest::Kind::list:
      return {list_group(topology, to_nodes(request.listed, topology, "node"), use)};
    case GroupRequest::Kind::box:
      if (request.is_partition) return groups_of_boxes(topology, request.sides);
      return {box_group(
          topology, request.sides,
          request.corner.empty() ? std::vector<int>(request.sides.size()) : request.corner, use)};
    case GroupRequest::Kind::subcube:
      return {subcube_group(topology, request.pattern, use)};
    case GroupRequest::Kind::along:
      return groups_along(topology, request.dimensions);
    case GroupRequest::Kind::file:
      return groups_in(request, topology, use);
    case GroupRequest::Kind::first:
      return {first_nodes(request.count, topology, use)};
  }
  return {};
}

// The source of each group of a partition: the one that is named, or its first node.
std::vector<Party> one_in_each(const RunRequest& request, const Topology& topology,
                               const std::vector<GroupPtr>& groups) {
  std::vector<Party> parties;
  parties.reserve(groups.size());
  for (const GroupPtr& group : groups) parties.push_back({group->nodes.front(), group});
  if (request.traffic.sources.empty()) return parties;
  const std::vector<NodeId> sources = to_nodes(request.traffic.sources, topology, "source");
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto is_of_it = [&](NodeId node) { return groups[i]->has(node); };
    const auto count = std::count_if(sources.begin(), sources.end(), is_of_it);
    if (count != 1) {
      throw std::invalid_argument(fmt::format(
          "--source names {} of group {} of --groups {}, whose nodes are {}; it must name one node of each group",
          counted(static_cast<std::uint64_t>(count), "node"), i,
          shown_path(request.traffic.group->text), in_words(groups[i]->nodes, topology)));
    }
    parties[i].source = *std::find_if(sources.begin(), sources.end(), is_of_it);
  }
  if (sources.size() == groups.size()) return parties;
  throw std::invalid_argument(
      fmt::format("--source names {}, and the {} of --groups {} have {}",
                  counted(sources.size(), "node"), counted(groups.size(), "group"),
                  shown_path(request.traffic.group->text), "one each: some node is of no group"));
}

std::shared_ptr<const Topology> ring_of(std::size_t nodes) {
  return parse_topology(fmt::format("ring:{}", nodes));
}

// `nodes` is a power of two.
std::shared_ptr<const Topology> cube_of(std::size_t nodes) {
  return parse_topology(fmt::format("hypercube:{}", __builtin_ctzll(nodes)));
}

// Ranks sit by identity unless the request says otherwise, so to say so asks for nothing.
bool is_asked_for(const RunRequest& request) {
  const TrafficTable& traffic = request.traffic;
  return traffic.embed != nullptr || traffic.ranks != nullptr ||
         (traffic.place && traffic.place->kind != PlaceRequest::Kind::identity);
}

// Whether the ranks' fabric is that of the nodes, and each rank on its node: what is planned on the
// one is planned on the other.
bool is_in_place(const Placement& placement, const Topology& topology) {
  return placement.ranks->name() == topology.name() && is_identity(placement.nodes, topology);
}

// A multicast to a list of nodes needs no other fabric than the one it is on.
bool is_multicast_here(const Algorithm& algorithm, const RunRequest& request,
                       const Topology& topology, const NodeGroup* group) {
  return !is_asked_for(request) && !request.fabric.has_table() && group != nullptr &&
         group->shape == nullptr && algorithm.destinations == Destinations::any &&
         algorithm.is_for(topology);
}

PlaceRequest::Kind kind_of(const RunRequest& request) {
  if (request.traffic.embed != nullptr) return PlaceRequest::Kind::gray;
  return request.traffic.place ? request.traffic.place->kind : PlaceRequest::Kind::identity;
}

bool goes_along_a_line(const RunRequest& request) {
  const PlaceRequest::Kind kind = kind_of(request);
  return kind == PlaceRequest::Kind::gray || kind == PlaceRequest::Kind::snake;
}

// The algorithms of the same collective that the request leaves a fabric for.
std::string suitable(const Algorithm& algorithm, const RunRequest& request,
                     const std::shared_ptr<const Topology>& topology, const NodeGroup* group) {
  std::string names;
  for (const Algorithm& other : algorithms()) {
    if (other.operation != algorithm.operation || other.kind != MessageKind::unicast) continue;
    if (other.visits_lists && request.fabric.has_table()) continue;
    const auto fabric = planned_on(other, request, topology, group);
    if (fabric == nullptr || !other.is_for(*fabric)) continue;
    names += (names.empty() ? "" : ", ") + std::string(other.name);
  }
  return names.empty() ? "none" : names;
}

// It plans among the nodes as they are, whatever their shape.
bool needs_no_ranks(const Algorithm& algorithm, const RunRequest& request) {
  return (algorithm.is_synthesized || algorithm.is_in_network) && !is_asked_for(request);
}

// Whether it plans for what is left of a fabric, all of it, as it is.
bool is_for_what_is_left(const Algorithm& algorithm, const Topology& topology,
                         const NodeGroup* group) {
  return algorithm.knows_missing_nodes && group == nullptr && topology.is_graph() &&
         algorithm.is_for(topology);
}

// The fabric with all of its nodes, on which a plan is made anew around those that are gone; null:
// there is none, or ranks are asked for.
std::shared_ptr<const Topology> replanned_on(const RunRequest& request, const NodeGroup* group) {
  const FabricRequest& fabric = request.fabric;
  const bool is_whole = fabric.whole == nullptr || fabric.whole->is_graph();
  const bool has_ranks = is_asked_for(request) || group != nullptr;
  return !fabric.replan || is_whole || has_ranks ? nullptr : fabric.whole;
}

// The ranks of the whole fabric on the nodes that are left of it, in their order.
Placement around_gone(const std::shared_ptr<const Topology>& whole,
                      const std::vector<NodeId>& gone) {
  Placement placement{whole, {}};
  std::size_t next = 0;
  for (std::size_t i = 0; i < whole->node_count(); ++i) {
    const bool is_gone = std::binary_search(gone.begin(), gone.end(), node_id(i));
    placement.nodes.push_back(is_gone ? nowhere : node_id(next++));
  }
  return placement;
}

// Whether the nodes of the group are all that agree in some coordinates; under a table, all.
bool is_aligned(const Topology& topology, const NodeGroup* group, bool has_table) {
  if (group == nullptr || group->nodes.size() == topology.node_count()) return true;
  return !has_table &&
         group_size(topology, differing_dimensions(topology, group->nodes)) == group->nodes.size();
}

[[noreturn]] void refuse_ranks(const Algorithm& algorithm) {
  throw std::invalid_argument(fmt::format(
      "algorithm {} plans among the nodes as they are; --place, --ranks and --embed are for others",
      algorithm.name));
}

// Tables route unicasts, and whole trees.
[[noreturn]] void refuse_worms(const Algorithm& algorithm, const RunRequest& request,
                               const std::shared_ptr<const Topology>& topology,
                               const NodeGroup* group) {
  throw std::invalid_argument(fmt::format(
      "algorithm {} sends worms to lists of nodes, which tables do not route, so it cannot be planned around what is missing; there are: {}",
      algorithm.name, suitable(algorithm, request, topology, group)));
}

[[noreturn]] void refuse_algorithm(const Algorithm& algorithm, const RunRequest& request,
                                   const std::shared_ptr<const Topology>& topology,
                                   const NodeGroup* group) {
  const std::string where = group == nullptr          ? topology->name()
                            : group->shape == nullptr ? "a list"
                                                      : "a " + group->shape->name();
  if (goes_along_a_line(request)) {
    throw std::invalid_argument(fmt::format(
        "algorithm {} is for {}, and --place {} makes a ring of the nodes of {}; name another fabric of the ranks with --ranks, or take one of: {}",
        algorithm.name, algorithm.fabrics.words, request.traffic.place->in_words(), where,
        suitable(algorithm, request, topology, group)));
  }
  throw std::invalid_argument(fmt::format(
      "algorithm {} is for {}, and the collective is among the nodes of {}; for it there are: {}",
      algorithm.name, algorithm.fabrics.words, where,
      suitable(algorithm, request, topology, group)));
}

// The nodes of the lines of a file, which must be those of the group, each once.
std::vector<NodeId> listed_places(const NodeLines& file, const Topology& topology,
                                  const NodeGroup& group) {
  std::vector<NodeId> places;
  std::vector<std::size_t> line_of(topology.node_count());  // 0: the node is not yet named
  const auto refuse = [&](std::size_t line, const std::string& why) {
    throw std::invalid_argument(fmt::format("--place {}:{}: {}", shown_path(file.path), line, why));
  };
  for (const NodeLines::Line& line : file.lines) {
    for (const NodeId node : nodes_of("--place ", file, line, topology)) {
      std::size_t& before = line_of[index(node)];
      if (before > 0) {
        refuse(line.number, fmt::format("node {} has a rank already, in line {}",
                                        topology.node_name(node), before));
      }
      if (!group.has(node)) {
        refuse(line.number, fmt::format("node {} is not of the group, whose nodes are {}",
                                        topology.node_name(node), in_words(group.nodes, topology)));
      }
      before = line.number;
      places.push_back(node);
    }
  }
  if (places.size() == group.nodes.size()) return places;
  throw std::invalid_argument(
      fmt::format("--place {}: it names {}, but must name each of the {} nodes once",
                  shown_path(file.path), counted(places.size(), "node"), group.nodes.size()));
}

using Groups = std::vector<std::vector<NodeId>>;

// The members of each group of a graph's file, which come in the order of their first members.
Groups groups_of_file(const Topology& topology, const std::vector<NodeId>& members) {
  const auto* graph = dynamic_cast<const Graph*>(&topology);
  if (graph == nullptr) {
    throw std::invalid_argument(fmt::format(
        "--place groups: {} has no groups; the file of a graph has, as `group` of its nodes",
        topology.name()));
  }
  std::map<std::string, std::size_t> numbers;
  Groups groups;
  for (const NodeId node : members) {
    const std::string& name = graph->node_of(node).group;
    if (name.empty()) {
      throw std::invalid_argument(fmt::format("--place groups: node {} of {} is of no `group`",
                                              graph->node_name(node), graph->name()));
    }
    const auto [number, is_new] = numbers.emplace(name, groups.size());
    if (is_new) groups.emplace_back();
    groups[number->second].push_back(node);
  }
  return groups;
}

// The groups along the first dimension and the members of each along the last, in which sums go
// first and what is gathered goes last; null: the groups are not alike.
std::shared_ptr<const Topology> torus_of_groups(const Groups& groups) {
  const std::size_t size = groups.front().size();
  const bool are_alike = std::all_of(groups.begin(), groups.end(),
                                     [&](const auto& group) { return group.size() == size; });
  if (!are_alike || size < 2 || groups.size() < 2) return nullptr;
  return parse_topology(fmt::format("torus:{}x{}", groups.size(), size));
}

// On the torus of the groups each rank where its coordinates say, otherwise group after group.
std::vector<NodeId> by_groups(const Groups& groups, const Topology& ranks) {
  std::vector<NodeId> nodes;
  const auto torus = torus_of_groups(groups);
  if (torus == nullptr || torus->name() != ranks.name()) {
    for (const std::vector<NodeId>& one : groups) nodes.insert(nodes.end(), one.begin(), one.end());
    return nodes;
  }
  for (std::size_t i = 0; i < ranks.node_count(); ++i) {
    const auto group = static_cast<std::size_t>(ranks.coordinate(node_id(i), 0));
    nodes.push_back(groups[group][static_cast<std::size_t>(ranks.coordinate(node_id(i), 1))]);
  }
  return nodes;
}

// The members of `group` in the order of ranks that `kind` makes of its shape.
std::vector<NodeId> placed(const RunRequest& request, const Topology& topology,
                           const NodeGroup& group, const Topology& ranks) {
  const PlaceRequest::Kind kind = kind_of(request);
  if (goes_along_a_line(request) && group.shape == nullptr) {
    const std::string option =
        request.traffic.place ? "--place " + request.traffic.place->in_words() : "--embed";
    if (topology.is_graph()) {
      throw std::invalid_argument(
          fmt::format("{}: {} has no shape to go along; give --place identity, random or a file",
                      option, topology.name()));
    }
    throw std::invalid_argument(fmt::format(
        "{}: a list of nodes has no shape to go along; give a box or subcube, or --place identity, random or a file",
        option));
  }
  std::vector<NodeId> nodes;
  switch (kind) {
    case PlaceRequest::Kind::identity:
      return group.nodes;
    case PlaceRequest::Kind::file:
      return listed_places(request.traffic.place->file, topology, group);
    case PlaceRequest::Kind::random:
      for (const std::size_t i : random_order(
               group.nodes.size(), request.traffic.place->seed.value_or(request.traffic.seed))) {
        nodes.push_back(group.nodes[i]);
      }
      return nodes;
    case PlaceRequest::Kind::groups:
      return by_groups(groups_of_file(topology, group.nodes), ranks);
    case PlaceRequest::Kind::gray:
      nodes = gray_order(ranks, *group.shape);
      break;
    case PlaceRequest::Kind::snake:
      nodes = snake_order(ranks, *group.shape);
      break;
  }
  for (NodeId& node : nodes) node = group.nodes[index(node)];
  return nodes;
}

// Ranks that keep the shape of their nodes go along the dimensions of these.
void keep_shape(Placement& placement, const NodeGroup& members) {
  const bool is_kept = placement.nodes == members.nodes && members.shape != nullptr &&
                       members.shape->name() == placement.ranks->name();
  if (is_kept) placement.dimensions = members.dimensions;
}

}  // namespace

std::vector<GroupPtr> node_groups(const RunRequest& request,
                                  const std::shared_ptr<const Topology>& topology, GroupUse use) {
  if (!request.traffic.group) return {};
  const GroupRequest& group = *request.traffic.group;
  std::vector<GroupPtr> groups;
  try {
    std::vector<NodeGroup> all = formed(group, *topology, use);
    require_disjoint(*topology, all);
    if (all.size() > max_group_nodes / topology->node_count()) {
      throw std::invalid_argument(
          fmt::format("{} groups on {} nodes: the limit is groups x nodes = {}", all.size(),
                      topology->node_count(), max_group_nodes));
    }
    for (NodeGroup& one : all) {
      const bool is_whole = one.nodes.size() == topology->node_count();
      groups.push_back(
          std::make_shared<NodeGroup>(is_whole ? whole_fabric(topology) : std::move(one)));
    }
  } catch (const std::invalid_argument& error) {
    const std::string what = error.what();
    const bool names_itself =
        group.kind == GroupRequest::Kind::box || group.kind == GroupRequest::Kind::subcube;
    throw std::invalid_argument(fmt::format(
        "{} {}{}", option_of(group), names_itself ? "" : shown_path(group.text) + ": ", what));
  }
  const bool has_list = !request.traffic.destinations.listed.empty();
  if (!group.is_partition || !has_list) return groups;
  throw std::invalid_argument(
      "--destinations: a list is for one group; with --groups give all or random:M");
}

void require_member(NodeId source, const RunRequest& request, const NodeGroup& group) {
  if (group.has(source)) return;
  const Topology& topology = *request.fabric.topology;
  throw std::invalid_argument(
      fmt::format("source {}: it is not of {} {}, whose nodes are {}", topology.node_name(source),
                  option_of(*request.traffic.group), shown_path(request.traffic.group->text),
                  in_words(group.nodes, topology)));
}

std::vector<Party> parties_of(const RunRequest& request, const Topology& topology,
                              const std::vector<GroupPtr>& groups) {
  if (request.traffic.group && request.traffic.group->is_partition) {
    return one_in_each(request, topology, groups);
  }
  std::vector<Party> parties;
  const GroupPtr group = groups.empty() ? nullptr : groups.front();
  if (group != nullptr && request.traffic.sources.empty()) return {{group->nodes.front(), group}};
  for (const NodeId source : source_nodes(request, topology)) {
    if (group != nullptr) require_member(source, request, *group);
    parties.push_back({source, group});
  }
  return parties;
}

PartyGoals::PartyGoals(const RunRequest& request, const Topology& topology,
                       const std::vector<GroupPtr>& groups)
    : parties_(parties_of(request, topology, groups)) {
  for (const Party& party : parties_) {
    destinations_.emplace_back(request, topology,
                               party.group == nullptr ? std::vector<NodeId>{} : party.group->nodes);
  }
}

std::vector<PartyGoal> PartyGoals::next_trial() {
  std::vector<PartyGoal> goals;
  for (std::size_t i = 0; i < parties_.size(); ++i) {
    destinations_[i].next_trial();
    goals.push_back({destinations_[i].goal(parties_[i].source), parties_[i].group});
  }
  return goals;
}

std::shared_ptr<const Topology> planned_on(const Algorithm& algorithm, const RunRequest& request,
                                           const std::shared_ptr<const Topology>& topology,
                                           const NodeGroup* group) {
  const auto if_it_is_for = [&](const std::shared_ptr<const Topology>& fabric) {
    return fabric != nullptr && algorithm.is_for(*fabric) ? fabric : nullptr;
  };
  if (needs_no_ranks(algorithm, request)) {
    if (!algorithm.is_in_network) return topology;
    const bool has_group = is_aligned(*topology, group, request.fabric.has_table());
    return has_group ? if_it_is_for(topology) : nullptr;
  }
  if (algorithm.is_synthesized || algorithm.is_in_network) return nullptr;
  if (is_for_what_is_left(algorithm, *topology, group)) {
    return is_asked_for(request) ? nullptr : topology;
  }
  if (const auto whole = if_it_is_for(replanned_on(request, group))) return whole;
  if (is_multicast_here(algorithm, request, *topology, group)) return topology;
  if (request.traffic.embed != nullptr) return if_it_is_for(request.traffic.embed);
  if (request.traffic.ranks != nullptr) return if_it_is_for(request.traffic.ranks);
  if (kind_of(request) == PlaceRequest::Kind::groups) {
    const NodeGroup members = group == nullptr ? whole_fabric(topology) : *group;
    const auto torus = if_it_is_for(torus_of_groups(groups_of_file(*topology, members.nodes)));
    if (torus != nullptr) return torus;
  }
  const auto& shape = group == nullptr ? topology : group->shape;
  const bool has_shape = shape != nullptr && !shape->is_graph();
  if (has_shape && !goes_along_a_line(request) && if_it_is_for(shape) != nullptr) return shape;
  const bool has_places = is_asked_for(request) || request.traffic.place;
  const std::size_t ranks = group == nullptr ? topology->node_count() : group->nodes.size();
  // Ranks on a graph, which has no shape, are a hypercube where the algorithm is for these.
  if (topology->is_graph() && is_power_of_two(ranks)) {
    const auto cube = if_it_is_for(cube_of(ranks));
    if (cube != nullptr) return cube;
  }
  if (group == nullptr && !has_places && !topology->is_graph()) return nullptr;
  return if_it_is_for(ring_of(ranks));
}

std::optional<Placement> placement_of(const Algorithm& algorithm, const RunRequest& request,
                                      const std::shared_ptr<const Topology>& topology,
                                      const NodeGroup* group) {
  const bool has_places = is_asked_for(request) || request.traffic.place;
  if (needs_no_ranks(algorithm, request)) {
    // On a graph others may be for ranks that its nodes are not like.
    if (topology->is_graph() && !algorithm.is_for(*topology)) {
      refuse_algorithm(algorithm, request, topology, group);
    }
    return std::nullopt;
  }
  const bool is_for_left = is_for_what_is_left(algorithm, *topology, group);
  if (is_for_left && !is_asked_for(request)) return std::nullopt;
  if (algorithm.is_synthesized || algorithm.is_in_network || is_for_left) refuse_ranks(algorithm);
  // What an algorithm knows of routes is not that of a table, so it plans for ranks on their nodes.
  const bool has_table = request.fabric.has_table();
  const bool has_worms = algorithm.kind != MessageKind::unicast || algorithm.visits_lists;
  if (request.fabric.replan && has_table && has_worms) {
    refuse_worms(algorithm, request, topology, group);
  }
  const bool is_as_it_is = group == nullptr && !has_places && !has_table;
  if (is_as_it_is || is_multicast_here(algorithm, request, *topology, group)) return std::nullopt;
  const auto& named =
      request.traffic.embed != nullptr ? request.traffic.embed : request.traffic.ranks;
  // plan() says what is wrong with a fabric that the user named.
  const auto ranks = named != nullptr ? named : planned_on(algorithm, request, topology, group);
  if (ranks == nullptr) refuse_algorithm(algorithm, request, topology, group);
  if (ranks == replanned_on(request, group)) return around_gone(ranks, request.fabric.gone);
  const NodeGroup members = group == nullptr ? whole_fabric(topology) : *group;
  if (ranks->node_count() != members.nodes.size() && request.traffic.embed == nullptr) {
    throw std::invalid_argument(
        fmt::format("--ranks {}: it has {} ranks, but the collective is among {} nodes",
                    ranks->name(), ranks->node_count(), members.nodes.size()));
  }
  Placement placement{ranks, placed(request, *topology, members, *ranks)};
  if (is_in_place(placement, *topology) && !has_table) return std::nullopt;
  keep_shape(placement, members);
  return placement;
}

bool is_identity(const std::vector<NodeId>& nodes, const Topology& topology) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (index(nodes[i]) != i) return false;
  }
  return nodes.size() == topology.node_count();
}

std::shared_ptr<const NeighbourBlocks> neighbours_among(
    Operation operation, const std::shared_ptr<const Topology>& topology, const NodeGroup* group) {
  if (group == nullptr && topology->is_graph()) {
    return neighbours_among(operation, *topology, whole_fabric(topology).nodes);
  }
  if (group == nullptr) return neighbours_of(operation, *topology);
  if (group->shape != nullptr) return neighbours_of(operation, *group->shape);
  return neighbours_among(operation, *topology, group->nodes);
}

Placement placement_of_ranks(const RunRequest& request,
                             const std::shared_ptr<const Topology>& topology,
                             const NodeGroup* group) {
  const NodeGroup members = group == nullptr ? whole_fabric(topology) : *group;
  std::shared_ptr<const Topology> ranks = request.traffic.ranks;
  if (ranks == nullptr && !goes_along_a_line(request)) ranks = members.shape;
  if (ranks == nullptr) ranks = ring_of(members.nodes.size());
  Placement placement{ranks, nodes_of_ranks(request, topology, group)};
  keep_shape(placement, members);
  return placement;
}

std::vector<NodeId> nodes_of_ranks(const RunRequest& request,
                                   const std::shared_ptr<const Topology>& topology,
                                   const NodeGroup* group) {
  const NodeGroup members = group == nullptr ? whole_fabric(topology) : *group;
  std::shared_ptr<const Topology> ranks = request.traffic.ranks;
  if (ranks == nullptr && goes_along_a_line(request)) ranks = ring_of(members.nodes.size());
  if (ranks != nullptr && ranks->node_count() != members.nodes.size()) {
    throw std::invalid_argument(fmt::format("--ranks {}: it has {} ranks, but there are {} nodes",
                                            ranks->name(), ranks->node_count(),
                                            members.nodes.size()));
  }
  return placed(request, *topology, members, ranks != nullptr ? *ranks : *topology);
}

}  // namespace allport
