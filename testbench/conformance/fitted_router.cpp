// SPDX-License-Identifier: Apache-2.0
#include "testbench/conformance/fitted_router.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "rtl_model/verilated/pin_layout.h"

namespace allport {

RtlSource fitted(RtlSource source, const RouterDeclaration& declared, const RouterConfig& config,
                 const Routing& routing, int data_width, int max_via) {
  const std::vector<RtlParameter> own = source.parameters;
  for (const RtlParameter& parameter : router_parameters(config, routing, data_width, max_via)) {
    const bool is_given = std::any_of(own.begin(), own.end(), [&](const RtlParameter& one) {
      return one.first == parameter.first;
    });
    if (!is_given && declared.parameters.count(parameter.first) != 0) {
      source.parameters.push_back(parameter);
    }
  }
  return source;
}

NodeLibraries::Parameters parameters_by_node(const RouterDeclaration& declared,
                                             const Topology& topology,
                                             const std::vector<NodeId>& nodes) {
  NodeLibraries::Parameters by_node;
  for (const NodeId node : nodes) {
    if (!declared.is_made_for_nodes) break;
    std::vector<RtlParameter>& own = by_node[node];
    for (RtlParameter& parameter : node_parameters(topology, node)) {
      if (declared.parameters.count(parameter.first) != 0) own.push_back(std::move(parameter));
    }
  }
  return by_node;
}

namespace {

int data_width_of(const ModelLibrary& library, const std::string& top, const RouterConfig& config,
                  const Routing& routing, int payload_bits, int max_via) {
  PinLayout layout(config, routing, payload_bits, 0, max_via);
  const int others = layout.flit_width - layout.data_width;
  int data_width = layout.data_width;
  const auto flit = library.inputs().find("flit_i");
  if (flit != library.inputs().end() && flit->second % layout.ports == 0) {
    data_width = std::max(flit->second / layout.ports - others, layout.data_width);
  }
  const int flits = layout.ports * (others + data_width);
  const int vcs = layout.ports * layout.vc_width;
  std::string problems;
  const auto require = [&](const std::map<std::string, int>& pins, const char* direction,
                           const char* name, int width) {
    const auto found = pins.find(name);
    if (found != pins.end() && found->second == width) return;
    problems += problems.empty() ? "" : "; ";
    problems += std::string(direction) + " " + name;
    problems +=
        found == pins.end() ? " is missing" : " has " + std::to_string(found->second) + " bits";
    problems += ", the fabric needs " + std::to_string(width);
  };
  require(library.inputs(), "input", "clk_i", 1);
  require(library.inputs(), "input", "rst_ni", 1);
  require(library.inputs(), "input", "node_i", layout.address_width);
  require(library.inputs(), "input", "valid_i", layout.ports);
  require(library.inputs(), "input", "flit_i", flits);
  require(library.outputs(), "output", "credit_o", layout.ports);
  require(library.outputs(), "output", "credit_vc_o", vcs);
  require(library.outputs(), "output", "valid_o", layout.ports);
  require(library.outputs(), "output", "flit_o", flits);
  require(library.inputs(), "input", "credit_i", layout.ports);
  require(library.inputs(), "input", "credit_vc_i", vcs);
  if (config.switching == Switching::circuit) {
    require(library.inputs(), "input", "ack_i", layout.ports * config.vcs);
    require(library.outputs(), "output", "ack_o", layout.ports * config.vcs);
  }
  if (!problems.empty()) {
    throw RtlRefused("top " + top + " does not keep the pin contract: " + problems);
  }
  return data_width;
}

}  // namespace

int check_pins(const NodeLibraries& libraries, const std::string& top, const RouterConfig& config,
               const Routing& routing, int payload_bits, int max_via) {
  std::optional<int> width;
  for (const ModelLibrary& library : libraries.all()) {
    const int own = data_width_of(library, top, config, routing, payload_bits, max_via);
    if (width.value_or(own) != own) {
      throw RtlRefused("top " + top + " has flits of another width at another node: DataWidth " +
                       std::to_string(*width) + " and " + std::to_string(own));
    }
    width = own;
  }
  return *width;
}

}  // namespace allport
