// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedule/schedule.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "rtl_model/base/in_order.h"
#include "rtl_model/base/stop_flag.h"
#include "rtl_model/base/words.h"
#include "rtl_model/topology/deposits.h"
#include "rtl_model/topology/group_routes.h"
#include "rtl_model/topology/label_order.h"

namespace allport {

namespace {

std::string in_words(const std::vector<int>& displacement) {
  std::string words = "(";
  for (const int offset : displacement) {
    if (words.size() > 1) words += ", ";
    words += (offset > 0 ? "+" : "") + std::to_string(offset);
  }
  return words + ")";
}

// The first node of `unicast` that is not one of the fabric.
std::optional<NodeId> node_outside(const Unicast& unicast, const Topology& topology) {
  const auto is_outside = [&](NodeId node) { return index(node) >= topology.node_count(); };
  if (is_outside(unicast.u)) return unicast.u;
  if (goes_to_all(unicast.kind)) return std::nullopt;
  const auto on_the_way = std::find_if(unicast.via.begin(), unicast.via.end(), is_outside);
  if (on_the_way != unicast.via.end()) return *on_the_way;
  return is_outside(unicast.v) ? std::optional<NodeId>(unicast.v) : std::nullopt;
}

// Finds a list of destinations on a kind that has none, or a node named twice.
std::string list_fault(const Unicast& unicast, const Topology& topology) {
  if (!goes_by_list(unicast.kind)) {
    if (unicast.via.empty()) return {};
    return describe(unicast, topology) +
           ": via is for the kinds multidestination and label, not for " + to_string(unicast.kind);
  }
  std::vector<NodeId> nodes = destinations(unicast);
  if (std::count(nodes.begin(), nodes.end(), unicast.u) > 0) {
    return describe(unicast, topology) + ": via names the sender u, which has the message already";
  }
  std::sort(nodes.begin(), nodes.end());
  const auto twice = std::adjacent_find(nodes.begin(), nodes.end());
  if (twice == nodes.end()) return {};
  return describe(unicast, topology) + ": destination " + topology.node_name(*twice) +
         " is named twice in via and v; every destination must be named once";
}

// The dimension of the first hop, as a header has it.
TieMask chosen_hop(const Unicast& unicast) {
  return unicast.first_dimension < 0 ? 0 : TieMask{1} << unicast.first_dimension;
}

// Finds what is wrong with the labels of its destinations, or a first hop for a kind without.
std::string order_fault(const Unicast& unicast, const Topology& topology) {
  if (unicast.kind != MessageKind::label) {
    if (unicast.first_dimension < 0) return {};
    return describe(unicast, topology) + ": first_dimension is for the kind label, not for " +
           to_string(unicast.kind);
  }
  if (topology.kind() != TopologyKind::mesh) {
    return describe(unicast, topology) + ": label worms are for meshes; " + topology.name() +
           " is not one";
  }
  const std::string fault =
      label_fault(topology, unicast.u, destinations(unicast), chosen_hop(unicast));
  return fault.empty() ? fault : describe(unicast, topology) + ": " + fault;
}

// Finds a group without a free dimension or beyond the fabric, one that the routing does not have,
// and a group for a kind that has none.
std::string group_fault(const Unicast& unicast, const Routing& routing) {
  const Topology& topology = routing.topology();
  if (!has_group(unicast.kind)) {
    if (unicast.free == 0) return {};
    return describe(unicast, topology) +
           ": free is for the kinds tree, join and join-tree, not for " + to_string(unicast.kind);
  }
  const DimensionMask all = free_dimensions(topology, 0);
  if (topology.is_graph() && unicast.free != 0) {
    return describe(unicast, topology) + ": free names dimensions, and " + topology.name() +
           " has none";
  }
  if ((unicast.free & ~all) != 0) {
    return describe(unicast, topology) + ": " + dimensions_in_words(unicast.free & ~all) +
           " of free must be " + one_of(topology.dimension_count()) + " of " + topology.name();
  }
  const std::string fault = group_fault(routing, unicast.kind, unicast.free);
  if (!fault.empty()) return describe(unicast, topology) + ": " + fault;
  if (!is_join(unicast.kind) || is_in_group(topology, unicast.u, unicast.v, unicast.free))
    return {};
  return describe(unicast, topology) + ": node " + topology.node_name(unicast.u) +
         " is not of the group of root " + topology.node_name(unicast.v) + ", whose nodes agree " +
         "with it in all but " + dimensions_in_words(free_dimensions(topology, unicast.free));
}

std::vector<Channel> path_channels(NodeId source, const Routing& routing) {
  std::vector<Channel> channels;
  NodeId here = source;
  while (const std::optional<PortId> port = routing.path_branch(here, source)) {
    channels.push_back({here, *port});
    here = *routing.topology().neighbour(here, *port);
  }
  return channels;
}

}  // namespace

void require_plan_fits(const Topology& topology, std::size_t messages, std::size_t carried) {
  if (messages <= max_planned_messages && carried <= max_carried_blocks) return;
  throw std::invalid_argument(
      topology.name() + " is too large for this collective: it sends at least " +
      std::to_string(messages) + " messages that carry " + std::to_string(carried) +
      " blocks, and the limits are " + std::to_string(max_planned_messages) + " and " +
      std::to_string(max_carried_blocks));
}

void Schedule::sort() {
  const auto is_before = [](const auto& a, const auto& b) {
    heed_stop();
    return std::tie(a.step, a.u, a.order) < std::tie(b.step, b.u, b.order);
  };
  if (std::is_sorted(unicasts.begin(), unicasts.end(), is_before)) return;
  struct Place {  // a quarter of a unicast, which goes to its own at once
    StepIndex step;
    NodeId u;
    int order;
    std::uint32_t index;
  };
  std::vector<Place> places;
  places.reserve(unicasts.size());
  for (const Unicast& one : unicasts) {
    places.push_back({one.step, one.u, one.order, static_cast<std::uint32_t>(places.size())});
  }
  put_in_order(places.begin(), places.end(), is_before);
  std::vector<Unicast> sorted;
  sorted.reserve(unicasts.size());
  for (const Place& place : places) sorted.push_back(std::move(unicasts[place.index]));
  unicasts = std::move(sorted);
}

StepIndex Schedule::steps() const {
  StepIndex largest = 0;
  for (const Unicast& unicast : unicasts) largest = std::max(largest, unicast.step);
  return largest;
}

bool Schedule::has_unicasts_only() const {
  return std::all_of(unicasts.begin(), unicasts.end(),
                     [](const Unicast& one) { return one.kind == MessageKind::unicast; });
}

void number_by_step(Schedule& schedule) {
  put_in_order(schedule.unicasts.begin(), schedule.unicasts.end(),
               [](const Unicast& a, const Unicast& b) { return a.step < b.step; });
  std::unordered_map<NodeId, int> sends;
  for (Unicast& unicast : schedule.unicasts) unicast.order = sends[unicast.u]++;
  schedule.sort();
}

void close_gaps(Schedule& schedule) {
  std::vector<Unicast*> programs;
  for (Unicast& unicast : schedule.unicasts) programs.push_back(&unicast);
  std::stable_sort(programs.begin(), programs.end(), [](const Unicast* a, const Unicast* b) {
    return std::tie(a->u, a->order) < std::tie(b->u, b->order);
  });
  const Unicast* before = nullptr;
  for (Unicast* const unicast : programs) {
    unicast->order = before != nullptr && before->u == unicast->u ? before->order + 1 : 0;
    before = unicast;
  }
}

Schedule backwards(const Schedule& schedule) {
  const StepIndex steps = schedule.steps();
  Schedule back = schedule;
  for (Unicast& unicast : back.unicasts) {
    std::swap(unicast.u, unicast.v);
    unicast.step = steps + 1 - unicast.step;
  }
  number_by_step(back);
  return back;
}

namespace {

template <class NameOf>
std::string described(const Unicast& unicast, const NameOf& name_of) {
  const std::string kind = to_string(unicast.kind);
  const bool is_worm = unicast.kind != MessageKind::unicast && !is_join(unicast.kind);
  const std::string what = is_worm ? kind + " worm" : kind;
  return what + " " + name_of(unicast.u) + " -> " +
         (goes_to_all(unicast.kind) ? "all" : name_of(unicast.v)) + " (step " +
         std::to_string(unicast.step) + ")";
}

}  // namespace

std::string describe(const Unicast& unicast, const Topology& topology) {
  return described(unicast, [&](NodeId node) {
    return index(node) < topology.router_count() ? topology.node_name(node)
                                                 : std::to_string(index(node));
  });
}

std::string describe_of_ranks(const Unicast& unicast) {
  return described(unicast, [](NodeId node) { return std::to_string(index(node)); });
}

std::string route_fault(const Unicast& unicast, const Routing& routing) {
  const Topology& topology = routing.topology();
  const bool has_destination = !goes_to_all(unicast.kind);
  if (const std::optional<NodeId> node = node_outside(unicast, topology)) {
    return describe(unicast, topology) + ": node " + std::to_string(index(*node)) +
           " is not one of 0.." + std::to_string(topology.node_count() - 1) + " of " +
           topology.name();
  }
  if (has_destination && unicast.u == unicast.v && !is_join(unicast.kind))
    return describe(unicast, topology) + ": u and v are equal";
  if (unicast.kind == MessageKind::path && !topology.is_hypercube()) {
    return describe(unicast, topology) + ": path worms are for hypercubes; " + topology.name() +
           " is not one";
  }
  if (unicast.kind == MessageKind::deposit) {
    const std::string fault = deposit_fault(topology);
    if (!fault.empty()) return describe(unicast, topology) + ": " + fault;
  }
  if (std::string fault = group_fault(unicast, routing); !fault.empty()) return fault;
  if (std::string fault = list_fault(unicast, topology); !fault.empty()) return fault;
  if (std::string fault = order_fault(unicast, topology); !fault.empty()) return fault;
  if (unicast.displacement.empty()) return {};
  const bool may_choose =
      unicast.kind == MessageKind::unicast || unicast.kind == MessageKind::deposit;
  if (!may_choose) {
    return describe(unicast, topology) +
           ": a displacement is for the kinds unicast and deposit, not for " +
           to_string(unicast.kind);
  }
  if (routing.ties_of(unicast.u, unicast.v, unicast.displacement)) return {};
  if (routing.table() != nullptr) {
    return describe(unicast, topology) + ": a displacement chooses a way, and under routing " +
           routing.name() + " the table alone does; leave it out";
  }
  return describe(unicast, topology) + ": the displacement " + in_words(unicast.displacement) +
         " is not a minimal route on " + topology.name();
}

std::vector<NodeId> destinations(const Unicast& unicast) {
  std::vector<NodeId> nodes = unicast.via;
  nodes.push_back(unicast.v);
  return nodes;
}

std::vector<NodeId> receivers(const Unicast& unicast, const Routing& routing) {
  heed_stop();
  const Topology& topology = routing.topology();
  if (unicast.kind == MessageKind::join_tree) {
    return group_nodes(topology, unicast.v, unicast.free);
  }
  std::vector<NodeId> nodes;
  if (unicast.kind == MessageKind::deposit) {
    for (const Channel channel : channels(unicast, routing)) {
      nodes.push_back(*topology.neighbour(channel.node, channel.port));
    }
    return nodes;
  }
  if (!goes_to_all(unicast.kind)) return destinations(unicast);
  nodes = group_nodes(topology, unicast.u, unicast.free);
  nodes.erase(std::find(nodes.begin(), nodes.end(), unicast.u));
  return nodes;
}

PortId first_port(const Unicast& unicast, const Routing& routing) {
  const NodeId first = unicast.via.empty() ? unicast.v : unicast.via.front();
  return routing.first_hop(unicast.kind, unicast.u, first, ties_of_valid(unicast, routing)).port;
}

std::vector<Channel> channels(const Unicast& unicast, const Routing& routing) {
  if (unicast.kind == MessageKind::path) return path_channels(unicast.u, routing);
  const TieMask ties = ties_of(unicast, routing);
  std::vector<Channel> route;
  NodeId from = unicast.u;
  for (const NodeId to : destinations(unicast)) {
    const std::vector<Channel> leg =
        routing.path(from, to, from == unicast.u ? ties : 0, unicast.kind);
    route.insert(route.end(), leg.begin(), leg.end());
    from = to;
  }
  return route;
}

TieMask ties_of(const Unicast& unicast, const Routing& routing) {
  heed_stop();
  const std::string fault = route_fault(unicast, routing);
  if (!fault.empty()) throw std::invalid_argument(fault);
  return ties_of_valid(unicast, routing);
}

TieMask ties_of_valid(const Unicast& unicast, const Routing& routing) {
  if (unicast.kind == MessageKind::label) return chosen_hop(unicast);
  if (unicast.displacement.empty()) return 0;
  return routing.ties_of(unicast.u, unicast.v, unicast.displacement).value();
}

void settle_ties(Schedule& schedule, const Routing& routing) {
  const std::size_t nodes = routing.topology().node_count();
  for (Unicast& unicast : schedule.unicasts) {
    heed_stop();
    const bool has_a_tie =
        unicast.kind == MessageKind::unicast || unicast.kind == MessageKind::deposit;
    const bool is_inside = index(unicast.u) < nodes && index(unicast.v) < nodes;
    if (!has_a_tie || !is_inside || !unicast.displacement.empty()) continue;
    const TieMask ties = routing.default_ties(unicast.u, unicast.v, unicast.order);
    if (ties != 0) set_ties(unicast, ties, routing);
  }
}

void set_ties(Unicast& unicast, TieMask ties, const Routing& routing) {
  if (routing.table() != nullptr) {
    unicast.displacement.clear();
    return;
  }
  std::vector<int> displacement = routing.displacement(unicast.u, unicast.v, ties);
  const bool is_default = displacement == routing.displacement(unicast.u, unicast.v, 0);
  unicast.displacement = is_default ? std::vector<int>{} : std::move(displacement);
}

}  // namespace allport
