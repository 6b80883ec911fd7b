// SPDX-License-Identifier: Apache-2.0
#include "testbench/show/picture/fabric_picture.h"

#include <utility>

#include "rtl_model/graphs/graph.h"

namespace allport {

namespace {

void add_graph(Json& json, const Graph& graph, const FoldedFabric& fabric) {
  Json names = Json::array();
  Json processors = Json::array();
  Json places = Json::array();
  Json levels = Json::array();
  for (const NodeId node : fabric.first_nodes()) {
    const GraphDescription::Node& one = graph.node_of(node);
    names.push_back(one.name);
    processors.push_back(one.has_processor);
    if (one.x && one.y) places.push_back({*one.x, *one.y});
    if (one.has_processor) {
      levels.push_back(-1);
    } else if (one.level) {
      levels.push_back(*one.level);
    }
  }
  json["names"] = std::move(names);
  json["processors"] = std::move(processors);
  if (places.size() == fabric.cells()) {
    json["places"] = std::move(places);
  } else if (levels.size() == fabric.cells() && graph.router_count() > graph.node_count()) {
    json["levels"] = std::move(levels);
  }
}

}  // namespace

Json fabric_picture(const Topology& topology, const FoldedFabric& fabric) {
  Json lines = Json::array();
  for (const FoldedFabric::Line& line : fabric.lines()) {
    lines.push_back({line.from, line.to, line.dimension, line.direction, line.channels, line.port});
  }
  Json json{{"wraps", topology.wraps()},
            {"sides", fabric.sides()},
            {"factors", fabric.factors()},
            {"nodes", nodes_json(fabric.first_nodes(), topology)},
            {"lines", std::move(lines)}};
  if (const auto* graph = dynamic_cast<const Graph*>(&topology)) {
    add_graph(json, *graph, fabric);
  } else {
    json["all_sides"] = topology.sides();
  }
  return json;
}

std::vector<double> line_uses(const std::vector<ChannelUse>& uses, int trials,
                              const FabricChannels& channels, const FoldedFabric& fabric) {
  std::vector<double> cycles(fabric.lines().size());
  for (const ChannelUse& use : uses) {
    if (use.resource.kind != Resource::Kind::channel) continue;
    const std::size_t line =
        fabric.line_of(channels.output(use.resource.node, use.resource.port, 0));
    if (line < cycles.size()) cycles[line] += static_cast<double>(use.used);
  }
  for (std::size_t i = 0; i < cycles.size(); ++i) {
    cycles[i] /= static_cast<double>(trials) * static_cast<double>(fabric.lines()[i].channels);
  }
  return cycles;
}

}  // namespace allport
