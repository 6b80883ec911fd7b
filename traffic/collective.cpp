// SPDX-License-Identifier: Apache-2.0
#include "traffic/collective.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace allport {

void require_node(const Topology& topology, NodeId node, const char* role) {
  if (index(node) < topology.node_count()) return;
  throw std::invalid_argument(std::string(role) + " " + std::to_string(index(node)) +
                              " is not a node of " + topology.name() + ", which has the nodes 0.." +
                              std::to_string(topology.node_count() - 1));
}

Multicast broadcast(const Topology& topology, NodeId source) {
  require_node(topology, source, "source");
  Multicast goal{source, {}};
  goal.destinations.reserve(topology.node_count() - 1);
  for (std::size_t i = 0; i < topology.node_count(); ++i) {
    if (node_id(i) != source) goal.destinations.push_back(node_id(i));
  }
  return goal;
}

Multicast multicast(const Topology& topology, NodeId source, std::vector<NodeId> destinations) {
  require_node(topology, source, "source");
  if (destinations.empty()) {
    throw std::invalid_argument("a multicast needs at least one destination, 1.." +
                                std::to_string(topology.node_count() - 1) + " of " +
                                topology.name());
  }
  std::sort(destinations.begin(), destinations.end());
  require_node(topology, destinations.back(), "destination");
  const auto twice = std::adjacent_find(destinations.begin(), destinations.end());
  if (twice != destinations.end()) {
    throw std::invalid_argument("destination " + std::to_string(index(*twice)) +
                                " is named twice, every destination must be named once");
  }
  if (std::binary_search(destinations.begin(), destinations.end(), source)) {
    throw std::invalid_argument("destination " + std::to_string(index(source)) +
                                " is the source, which has the message already");
  }
  return {source, std::move(destinations)};
}

}  // namespace allport
