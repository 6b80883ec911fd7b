// SPDX-License-Identifier: Apache-2.0
#include "testbench/results/json.h"

namespace allport {

std::string json_text(const Json& json) { return json.dump(2) + "\n"; }

Json node_json(NodeId node, const Topology& topology) { return topology.number_of(node); }

Json nodes_json(const std::vector<NodeId>& nodes, const Topology& topology) {
  Json list = Json::array();
  for (const NodeId node : nodes) list.push_back(node_json(node, topology));
  return list;
}

Json channel_json(Channel channel, const Topology& topology) {
  return {{"node", node_json(channel.node, topology)}, {"port", index(channel.port)}};
}

}  // namespace allport
