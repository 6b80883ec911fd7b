// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/missing_links.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/words.h"
#include "rtl_model/graphs/parts.h"
#include "testbench/plan/cut_off.h"
#include "testbench/plan/place_values.h"
#include "testbench/plan/resolve.h"
#include "testbench/processes/interrupt.h"
#include "traffic/planning/placement.h"

namespace allport {

namespace {

using Channels = std::vector<Channel>;

// Largest fabric of which links are drawn; each draw looks at all nodes.
constexpr std::size_t max_drawn_nodes = 4096;

Channels channels_between(NodeId from, NodeId to, const Topology& topology) {
  Channels channels;
  for (std::size_t port = 0; port < topology.port_count(); ++port) {
    if (topology.neighbour(from, port_id(port)) == to) channels.push_back({from, port_id(port)});
  }
  return channels;
}

[[noreturn]] void refuse(const MissingLinks& links, std::size_t line, const std::string& why) {
  throw std::invalid_argument(
      line == 0 ? fmt::format("--missing-links {}: {}", shown_path(links.text), why)
                : fmt::format("--missing-links {}:{}: {}", shown_input(links.text), line, why));
}

// The nodes at both ends, and whether the channels back are there.
GraphLink ends_of(const MissingLinks& links, const MissingLinks::Link& link,
                  const Topology& topology) {
  if (topology.is_graph()) {
    if (const auto ends = link_of_graph(link.text, topology)) return *ends;
    refuse(links, link.line,
           fmt::format("{} does not name two nodes; {}", in_quotes(link.text),
                       topology.nodes_in_words()));
  }
  if (!link.from || !link.to) {
    refuse(links, link.line,
           fmt::format("{} must be two nodes, as in 0-1 or '0>1'", in_quotes(link.text)));
  }
  try {
    return {to_node(*link.from, topology, "node"), to_node(*link.to, topology, "node"),
            link.is_one_way};
  } catch (const std::invalid_argument& error) {
    refuse(links, link.line, error.what());
  }
}

Channels named(const MissingLinks& links, const Topology& topology) {
  Channels missing;
  for (const MissingLinks::Link& link : links.listed) {
    const auto [from, to, is_one_way] = ends_of(links, link, topology);
    Channels channels = channels_between(from, to, topology);
    if (channels.empty()) {
      refuse(links, link.line,
             fmt::format("nodes {} and {} of {} are not neighbours", topology.node_name(from),
                         topology.node_name(to), topology.name()));
    }
    if (!is_one_way) {
      const Channels back = channels_between(to, from, topology);
      channels.insert(channels.end(), back.begin(), back.end());
    }
    missing.insert(missing.end(), channels.begin(), channels.end());
  }
  std::sort(missing.begin(), missing.end());
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  return missing;
}

Channels drawn(const MissingLinks& links, const Topology& topology, std::uint64_t seed) {
  if (links.is_none()) return {};
  if (!links.may_cut && topology.router_count() > max_drawn_nodes) {
    refuse(links, 0,
           fmt::format("links are drawn of fabrics of at most {} nodes, and {} has {}",
                       max_drawn_nodes, topology.name(), topology.router_count()));
  }
  std::vector<std::pair<NodeId, NodeId>> pairs;
  for (const Channel channel : topology.channels()) {
    const NodeId to = *topology.neighbour(channel.node, channel.port);
    pairs.emplace_back(std::min(channel.node, to), std::max(channel.node, to));
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  Channels missing;
  std::size_t count = 0;
  for (const std::size_t i : random_order(pairs.size(), links.seed.value_or(seed))) {
    if (count == links.count) break;
    give_up_if_interrupted();
    Channels more = missing;
    for (const auto& [from, to] : {pairs[i], std::pair{pairs[i].second, pairs[i].first}}) {
      const Channels channels = channels_between(from, to, topology);
      more.insert(more.end(), channels.begin(), channels.end());
    }
    std::sort(more.begin(), more.end());
    if (!links.may_cut && !is_one_part(topology, {}, more)) continue;
    missing = std::move(more);
    ++count;
  }
  if (count == links.count) return missing;
  if (links.may_cut) {
    refuse(links, 0, fmt::format("{} has {}", topology.name(), counted(pairs.size(), "link")));
  }
  refuse(links, 0,
         fmt::format(count == 0 ? "{0} falls apart without any one of its {2}"
                                : "{0} falls apart without more than {1} of its {2} in this order",
                     topology.name(), count, counted(pairs.size(), "link")));
}

void require_one_part(const MissingLinks& links, const Topology& topology,
                      const Channels& missing) {
  const std::vector<NodeId> cut_off = cut_off_without(topology, {}, missing, {});
  if (cut_off.empty()) return;
  refuse(links, 0, fmt::format("{}; {}", cut_off_in_words(cut_off, topology), replan_helps));
}

}  // namespace

bool has_missing_links(const RunRequest& request) {
  return request.fabric.missing && !request.fabric.missing->is_none();
}

bool draws_missing_by_seed(const RunRequest& request) {
  const auto is_drawn = [](const auto& missing) {
    return missing && missing->listed.empty() && missing->count > 0 && !missing->seed;
  };
  return is_drawn(request.fabric.missing) || is_drawn(request.fabric.missing_nodes);
}

std::vector<Channel> missing_channels(const RunRequest& request, const Topology& topology) {
  if (!has_missing_links(request)) return {};
  if (request.fabric.missing_channels) return *request.fabric.missing_channels;
  const MissingLinks& links = *request.fabric.missing;
  if (!links.listed.empty()) return named(links, topology);
  std::vector<Channel> missing = drawn(links, topology, request.traffic.seed);
  if (links.may_cut && !request.fabric.replan) require_one_part(links, topology, missing);
  return missing;
}

std::vector<Channel> missing_channels(const RunRequest& request, const Routing& routing) {
  if (has_missing_links(request) && routing.is_adaptive()) {
    refuse(*request.fabric.missing, 0,
           "adaptive routes cannot be kept off missing links; choose another --routing");
  }
  return missing_channels(request, routing.topology());
}

std::string missing_link_fault(const PlannedCollective& planned, const Routing& routing,
                               const std::vector<Channel>& missing) {
  if (missing.empty() || routing.table() != nullptr) return {};  // a table goes around them
  for (const Unicast& unicast : planned.schedule.unicasts) {
    if (goes_to_all(unicast.kind) || is_join(unicast.kind)) {
      return describe(unicast, routing.topology()) +
             ": routers take it over all links of its group";
    }
    for (const Channel channel : channels(unicast, routing)) {
      if (!std::binary_search(missing.begin(), missing.end(), channel)) continue;
      return fmt::format(
          "{}: its route crosses the missing link {}>{}", describe(unicast, routing.topology()),
          routing.topology().node_name(channel.node),
          routing.topology().node_name(*routing.topology().neighbour(channel.node, channel.port)));
    }
  }
  return {};
}

bool goes_around_at_once(const RunRequest& request) {
  return may_go_around(request) && (request.traffic.has_pattern() || request.traffic.has_tasks());
}

bool may_go_around(const RunRequest& request) {
  const FabricRequest& fabric = request.fabric;
  return has_missing_links(request) && !fabric.routing && !fabric.has_table() &&
         request.custom_router == nullptr;
}

RunRequest going_around(RunRequest request) {
  request.fabric.routing = RoutingOrder::table;
  request.fabric.table = TableChoice{"updown"};
  return request;
}

void require_links(const PlannedCollective& planned, Operation operation, const Routing& routing,
                   const std::vector<Channel>& missing) {
  const std::string fault = missing_link_fault(planned, routing, missing);
  if (fault.empty()) return;
  std::string names;
  for (const Algorithm& algorithm : algorithms()) {
    if (!algorithm.is_synthesized || algorithm.operation != operation) continue;
    names += (names.empty() ? "" : ", ") + std::string(algorithm.name);
  }
  const bool are_unicasts = planned.schedule.has_unicasts_only();
  const std::string tables =
      are_unicasts ? fmt::format("{}every route by --routing {}",
                                 names.empty() ? "" : ", and so does ", tables_around_missing_links)
                   : "";
  throw MissingLinkFault(fault, fmt::format("around missing links goes {}{}", names, tables));
}

}  // namespace allport
