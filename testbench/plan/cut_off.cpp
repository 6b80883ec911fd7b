// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/cut_off.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/words.h"
#include "rtl_model/graphs/parts.h"
#include "rtl_model/graphs/remaining_graph.h"
#include "testbench/plan/missing_links.h"
#include "testbench/plan/resolve.h"

namespace allport {

namespace {

// The part with most processors, the first of these.
std::size_t largest(const std::vector<std::size_t>& parts, std::size_t processors) {
  std::map<std::size_t, std::size_t> sizes;
  for (std::size_t i = 0; i < processors; ++i) {
    if (parts[i] != no_part) ++sizes[parts[i]];
  }
  const auto most = std::max_element(
      sizes.begin(), sizes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == sizes.end() ? no_part : most->first;
}

std::size_t part_of_sources(const std::vector<std::size_t>& parts, const Topology& topology,
                            const std::vector<NodeId>& sources) {
  const std::size_t part = parts[index(sources.front())];
  for (const NodeId source : sources) {
    if (parts[index(source)] == no_part) {
      throw std::invalid_argument(fmt::format("the source, node {} of {}, is missing",
                                              topology.node_name(source), topology.name()));
    }
    if (parts[index(source)] == part) continue;
    throw std::invalid_argument(fmt::format(
        "the sources, nodes {} and {} of {}, are cut off from each other",
        topology.node_name(sources.front()), topology.node_name(source), topology.name()));
  }
  const auto processors = parts.begin() + static_cast<std::ptrdiff_t>(topology.node_count());
  if (std::count(parts.begin(), processors, part) > 1) return part;
  throw std::invalid_argument(fmt::format("the source, node {} of {}, is cut off from all others",
                                          topology.node_name(sources.front()), topology.name()));
}

// The same routers by their numbers in the other fabric; those that it does not have are left out.
std::vector<NodeId> translated(const std::vector<NodeId>& nodes, const Topology& from,
                               const Topology& to) {
  std::vector<NodeId> others;
  for (const NodeId node : nodes) {
    if (const auto found = to.find_node(from.node_name(node))) others.push_back(*found);
  }
  return others;
}

// Routers keep their ports.
std::vector<Channel> translated(const std::vector<Channel>& channels, const Topology& from,
                                const Topology& to) {
  std::vector<Channel> others;
  for (const Channel channel : channels) {
    const NodeId end = *from.neighbour(channel.node, channel.port);
    const std::vector<NodeId> ends = translated({channel.node, end}, from, to);
    if (ends.size() == 2) others.push_back({ends.front(), channel.port});
  }
  std::sort(others.begin(), others.end());
  return others;
}

std::vector<NodeId> sources_of(const RunRequest& request) {
  return to_nodes(request.traffic.sources, *request.fabric.topology, "source");
}

}  // namespace

std::vector<NodeId> cut_off_without(const Topology& topology, const std::vector<NodeId>& gone,
                                    const std::vector<Channel>& missing,
                                    const std::vector<NodeId>& sources) {
  const std::vector<std::size_t> parts = parts_of(topology, gone, missing);
  const std::size_t part = sources.empty() ? largest(parts, topology.node_count())
                                           : part_of_sources(parts, topology, sources);
  std::vector<NodeId> others;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] != part && parts[i] != no_part) others.push_back(node_id(i));
  }
  return others;
}

std::string cut_off_in_words(const std::vector<NodeId>& nodes, const Topology& topology) {
  constexpr std::size_t most = 8;
  std::string names;
  for (std::size_t i = 0; i < nodes.size() && i < most; ++i) {
    const bool is_last = i + 1 == nodes.size();
    names += (i == 0 ? "" : is_last ? " and " : ", ") + topology.node_name(nodes[i]);
  }
  if (nodes.size() > most) names += ", ..";
  return nodes.size() == 1
             ? fmt::format("node {} is cut off", names)
             : fmt::format("{}, {}, are cut off", counted(nodes.size(), "node"), names);
}

void take_out(RunRequest& request, std::vector<NodeId> gone, std::vector<NodeId> cut_off) {
  FabricRequest& fabric = request.fabric;
  const std::shared_ptr<const Topology> before = fabric.topology;
  const auto whole = fabric.whole == nullptr ? before : fabric.whole;
  const std::vector<NodeId> sources = fabric.replan ? sources_of(request) : std::vector<NodeId>{};
  const auto left = without_nodes(*whole, gone);
  if (!sources.empty()) {
    request.traffic.sources.clear();
    for (const NodeId source : translated(sources, *before, *left)) {
      request.traffic.sources.push_back({index(source)});
    }
  }
  fabric.topology = left;
  fabric.whole = whole;
  fabric.gone = std::move(gone);
  fabric.cut_off = std::move(cut_off);
}

void take_out_cut_off(RunRequest& request) {
  FabricRequest& fabric = request.fabric;
  if (!fabric.replan || fabric.topology == nullptr) return;
  const bool has_missing = has_missing_links(request);
  if (!has_missing && !fabric.topology->is_graph()) return;
  const std::shared_ptr<const Topology> before = fabric.topology;
  const std::vector<Channel> missing =
      has_missing ? missing_channels(request, *before) : std::vector<Channel>{};
  const std::vector<NodeId> others = cut_off_without(*before, {}, missing, sources_of(request));
  if (!others.empty()) {
    const Topology& whole = fabric.whole == nullptr ? *before : *fabric.whole;
    const std::vector<NodeId> more = translated(others, *before, whole);
    const auto with = [&more](std::vector<NodeId> nodes) {
      nodes.insert(nodes.end(), more.begin(), more.end());
      std::sort(nodes.begin(), nodes.end());
      return nodes;
    };
    fabric.whole_missing = translated(missing, *before, whole);
    take_out(request, with(fabric.gone), with(fabric.cut_off));
    if (has_missing) fabric.missing_channels = translated(missing, *before, *fabric.topology);
  }
  if (may_go_around(request)) request = going_around(std::move(request));
}

}  // namespace allport
