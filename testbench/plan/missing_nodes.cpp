// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/missing_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/words.h"
#include "rtl_model/graphs/remaining_graph.h"
#include "testbench/plan/cut_off.h"
#include "testbench/plan/resolve.h"
#include "testbench/processes/interrupt.h"
#include "traffic/planning/placement.h"

namespace allport {

namespace {

using Nodes = std::vector<NodeId>;

Nodes named_nodes(const MissingNodes& missing, const Topology& topology) {
  Nodes nodes;
  std::vector<bool> is_named(topology.router_count());
  for (const MissingNodes::Node& one : missing.listed) {
    const std::uint64_t id = one.number.id;
    const bool is_switch = id >= topology.node_count() && id < topology.router_count();
    try {
      nodes.push_back(is_switch ? node_id(id) : to_node(one.number, topology, "node"));
      if (is_named[id]) {
        throw std::invalid_argument(
            fmt::format("node {} is named twice", topology.node_name(nodes.back())));
      }
    } catch (const std::invalid_argument& error) {
      if (one.line == 0) throw;
      throw std::invalid_argument(
          fmt::format("{}:{}: {}", shown_input(missing.path), one.line, error.what()));
    }
    is_named[id] = true;
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

Nodes drawn_nodes(const MissingNodes& missing, const Topology& topology, std::uint64_t seed) {
  constexpr std::size_t most = 4096;  // each draw looks at all routers
  if (missing.count == 0) return {};
  if (!missing.may_cut && topology.router_count() > most) {
    throw std::invalid_argument(
        fmt::format("{}: nodes are drawn of fabrics of at most {} routers, and {} has {}",
                    missing.text, most, topology.name(), topology.router_count()));
  }
  const std::vector<std::size_t> order =
      random_order(topology.node_count(), missing.seed.value_or(seed));
  Nodes nodes;
  if (missing.may_cut) {
    for (std::size_t i = 0; i < missing.count; ++i) nodes.push_back(node_id(order[i]));
    std::sort(nodes.begin(), nodes.end());
    return nodes;
  }
  const auto may_go = [&](std::size_t i) {
    const bool has_enough =
        nodes.size() == missing.count || nodes.size() + 2 == topology.node_count();
    return !has_enough && !std::binary_search(nodes.begin(), nodes.end(), node_id(i));
  };
  // A node that ways lead through may be at the end of one when others have gone.
  for (bool has_more = true; has_more;) {
    has_more = false;
    for (const std::size_t i : order) {
      if (!may_go(i)) continue;
      give_up_if_interrupted();
      Nodes more = nodes;
      more.insert(std::upper_bound(more.begin(), more.end(), node_id(i)), node_id(i));
      if (!is_connected_without(topology, more)) continue;
      nodes = std::move(more);
      has_more = true;
    }
  }
  if (nodes.size() == missing.count) return nodes;
  throw std::invalid_argument(fmt::format(
      nodes.empty()
          ? "{0}: {1} falls apart without any one of its {3}"
          : "{0}: {1} falls apart, or has fewer than 2 nodes, without more than {2} of its {3} in this order",
      missing.text, topology.name(), nodes.size(), counted(topology.node_count(), "node")));
}

}  // namespace

void take_out_nodes(RunRequest& request, const MissingNodes& missing) {
  FabricRequest& fabric = request.fabric;
  const std::shared_ptr<const Topology> whole =
      fabric.whole == nullptr ? fabric.topology : fabric.whole;
  if (whole == nullptr) throw std::invalid_argument("no fabric has been given of which they are");
  const Nodes nodes = missing.listed.empty() ? drawn_nodes(missing, *whole, request.traffic.seed)
                                             : named_nodes(missing, *whole);
  fabric.missing_nodes = missing;
  fabric.topology = whole;
  fabric.whole = nullptr;
  if (nodes.empty()) return;
  Nodes cut_off;
  if (fabric.replan || missing.may_cut) {
    const Nodes sources =
        fabric.replan ? to_nodes(request.traffic.sources, *whole, "source") : Nodes{};
    cut_off = cut_off_without(*whole, nodes, {}, sources);
  }
  if (!cut_off.empty() && !fabric.replan) {
    throw std::invalid_argument(
        fmt::format("{}: {}; {}", missing.text, cut_off_in_words(cut_off, *whole), replan_helps));
  }
  Nodes gone;
  std::merge(nodes.begin(), nodes.end(), cut_off.begin(), cut_off.end(), std::back_inserter(gone));
  take_out(request, std::move(gone), std::move(cut_off));
}

}  // namespace allport
