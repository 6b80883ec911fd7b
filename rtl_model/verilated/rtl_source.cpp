// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/verilated/rtl_source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <stdexcept>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/range.h"
#include "rtl_model/verilated/pin_layout.h"
#include "rtl_model/verilated/router_straps.h"

namespace allport {

namespace {

namespace fs = std::filesystem;

// An installed program has PREFIX/share/allport beside PREFIX/bin; any other uses the sources from
// which it was built.
fs::path folder(const fs::path& installed, const fs::path& source, const fs::path& witness) {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  fs::path beside = program.parent_path().parent_path() / "share" / "allport" / installed;
  if (fs::exists(beside / witness, ignored)) return beside;
  if (fs::exists(source / witness, ignored)) return source;
  throw std::invalid_argument("the SystemVerilog of allport is neither in " +
                              shown_path(beside.string()) + " nor in " +
                              shown_path(source.string()) + ": install the program again");
}

// The paths in a file list, which are relative to it.
std::vector<fs::path> listed_files(const fs::path& list) {
  std::ifstream in(list);
  if (!in) {
    throw std::invalid_argument(shown_path(list.string()) +
                                ": cannot be read: " + std::strerror(errno));
  }
  std::vector<fs::path> files;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.rfind("//", 0) == 0) continue;
    files.push_back(list.parent_path() / line);
  }
  return files;
}

// Our own tops take each side as a parameter of its own, without the vector of all sides.
RtlSource source_with_top(const std::string& top, std::vector<RtlParameter> parameters) {
  RtlSource source;
  source.files = listed_files(rtl_folder() / "allport.f");
  source.top = top;
  source.parameters = std::move(parameters);
  const auto is_vector = [](const RtlParameter& one) { return one.first == "Sides"; };
  source.parameters.erase(
      std::remove_if(source.parameters.begin(), source.parameters.end(), is_vector),
      source.parameters.end());
  return source;
}

std::string sides_constant(const Topology& topology) {
  std::ostringstream constant;
  constant << "48'h" << std::hex;
  std::uint64_t sides = 0;
  int shift = 0;
  for (const int side : topology.sides()) {
    sides |= static_cast<std::uint64_t>(side) << shift;
    shift += 16;
  }
  constant << sides;
  return constant.str();
}

// Eight bits for each dimension, dimension 0 lowest.
std::string phits_constant(const RouterConfig& config, const Topology& topology) {
  std::string digits;
  for (std::size_t port = topology.port_count(); port-- > 0;) {
    const bool is_first = port == 0 || topology.dimension_of(port_id(port)) !=
                                           topology.dimension_of(port_id(port - 1));
    if (!is_first) continue;
    constexpr const char* hex = "0123456789abcdef";
    const int phits = config.phits(static_cast<int>(port));
    digits += {hex[phits / 16], hex[phits % 16]};
  }
  return "80'h" + digits;
}

// D of each dimension, sixteen bits each, dimension 0 lowest; the channels have retry.
std::string retry_constant(const RouterConfig& config, const Topology& topology) {
  std::ostringstream constant;
  constant << "160'h" << std::hex << std::setfill('0');
  for (std::size_t port = topology.port_count(); port-- > 0;) {
    const bool is_first = port == 0 || topology.dimension_of(port_id(port)) !=
                                           topology.dimension_of(port_id(port - 1));
    if (!is_first) continue;
    constant << std::setw(4) << config.replay_cycles_at(node_id(0), static_cast<int>(port));
  }
  return constant.str();
}

// Those of allport_table_router, which knows no topology.
std::vector<RtlParameter> table_parameters(const RouterConfig& config, const Routing& routing,
                                           int data_width) {
  const Topology& topology = routing.topology();
  const std::string refused = "routing " + routing.name() + ": a router of " + topology.name();
  if (topology.port_count() > max_rtl_table_ports) {
    throw std::invalid_argument(refused + " has up to " + std::to_string(topology.port_count()) +
                                " external ports; with a table routers in SystemVerilog have 1.." +
                                std::to_string(max_rtl_table_ports));
  }
  const std::size_t addresses = table_addresses(topology);
  const std::size_t rows = static_cast<std::size_t>(config.layers + 1) * addresses;
  if (rows > max_rtl_table_rows) {
    throw std::invalid_argument(
        refused + " would have a table of " + std::to_string(rows) + " rows, for each of " +
        std::to_string(config.layers) + " layers and for injection one for each of " +
        std::to_string(addresses) + " addresses, the next power of two from its " +
        std::to_string(topology.node_count()) + " nodes on; routers in SystemVerilog have 1.." +
        std::to_string(max_rtl_table_rows));
  }
  return {{"Tables", std::to_string(config.layers)},
          {"Nodes", std::to_string(addresses)},
          {"ExternalPorts", std::to_string(config.external_ports)},
          {"InternalPorts", std::to_string(config.internal_ports)},
          {"Vcs", std::to_string(config.vcs)},
          {"Depth", std::to_string(config.buffer_depth)},
          {"DataWidth", std::to_string(data_width)},
          {"Switching", std::to_string(static_cast<int>(config.switching))},
          {"Classes", std::to_string(config.classes)}};
}

// Those of a pipeline, which are named only where there is one.
void add_delays(std::vector<RtlParameter>& parameters, const RouterConfig& config) {
  for (const PipelineDelay& delay : pipeline_delays) {
    const int cycles = config.*delay.cycles;
    if (cycles > 0) parameters.emplace_back(delay.parameter, std::to_string(cycles));
  }
}

}  // namespace

fs::path rtl_folder() { return folder("sv", ALLPORT_SOURCE_SV, "allport.f"); }
fs::path wrapper_folder() {
  return folder("verilated", ALLPORT_SOURCE_VERILATED, "model_wrapper.cpp");
}

std::vector<RtlParameter> router_parameters(const RouterConfig& config, const Routing& routing,
                                            int data_width, int max_via, PinGroups groups) {
  if (routing.table() != nullptr) {
    if (config.retry) {
      throw std::invalid_argument(
          "retry: routers in SystemVerilog have it where they follow no table");
    }
    std::vector<RtlParameter> of_table = table_parameters(config, routing, data_width);
    add_delays(of_table, config);
    return of_table;
  }
  const Topology& topology = routing.topology();
  const std::size_t dimensions = topology.dimension_count();
  const std::size_t most = topology.is_hypercube() ? 10 : 3;
  if (dimensions > most) {
    throw std::invalid_argument(
        "topology " + topology.name() +
        ": the SystemVerilog router is for hypercubes of 1..10 dimensions and for rings, tori and meshes of 1..3");
  }
  const int kind = topology.is_hypercube() ? 0 : topology.wraps() ? 1 : 2;
  std::vector<RtlParameter> parameters{{"Topology", std::to_string(kind)},
                                       {"Dimensions", std::to_string(dimensions)}};
  if (!topology.is_hypercube()) {
    parameters.emplace_back("Sides", sides_constant(topology));
    for (std::size_t i = 0; i < dimensions; ++i) {
      parameters.emplace_back("Side" + std::to_string(i), std::to_string(topology.sides()[i]));
    }
  }
  parameters.emplace_back("Ascending",
                          routing.order() == RoutingOrder::ascending ? "1'b1" : "1'b0");
  parameters.emplace_back("InternalPorts", std::to_string(config.internal_ports));
  parameters.emplace_back("Vcs", std::to_string(config.vcs));
  parameters.emplace_back("Depth", std::to_string(config.buffer_depth));
  parameters.emplace_back("ReplicationDelay", std::to_string(config.replication_delay));
  parameters.emplace_back("DataWidth", std::to_string(data_width));
  parameters.emplace_back("Switching", std::to_string(static_cast<int>(config.switching)));
  parameters.emplace_back("MaxVia", std::to_string(max_via));
  parameters.emplace_back("Adaptive", routing.is_adaptive() ? "1'b1" : "1'b0");
  if (config.classes > 1) parameters.emplace_back("Classes", std::to_string(config.classes));
  add_delays(parameters, config);
  if (routing.vc_use() == VcUse::balanced) parameters.emplace_back("Balanced", "1'b1");
  if (config.has_narrow_channels()) {
    parameters.emplace_back("Phits", phits_constant(config, topology));
  }
  if (config.retry) parameters.emplace_back("Retry", retry_constant(config, topology));
  if (groups != PinGroups::none) {
    parameters.emplace_back("Groups", std::to_string(static_cast<int>(groups)));
  }
  if (groups == PinGroups::joins) {
    const int payload = data_width - PinLayout::message_bits;
    parameters.emplace_back("CombineDelay", std::to_string(config.combine_delay));
    parameters.emplace_back("JoinVcs", std::to_string(config.join_vcs));
    parameters.emplace_back("CombineWidth", payload < 64 ? "32" : "64");
  }
  return parameters;
}

const std::vector<std::string>& node_parameter_names() {
  static const std::vector<std::string> names{"Node", "Coordinate0", "Coordinate1", "Coordinate2"};
  return names;
}

std::vector<RtlParameter> node_parameters(const Topology& topology, NodeId node) {
  const std::vector<std::string>& names = node_parameter_names();
  std::vector<RtlParameter> parameters{{names[0], std::to_string(index(node))}};
  if (topology.is_hypercube()) return parameters;
  std::size_t rest = index(node);
  for (std::size_t i = 0; i < topology.dimension_count(); ++i) {
    const auto side = static_cast<std::size_t>(topology.sides()[i]);
    parameters.emplace_back(names[1 + i], std::to_string(rest % side));
    rest /= side;
  }
  return parameters;
}

RtlSource twin_source(const RouterConfig& config, const Routing& routing, int data_width,
                      int max_via, PinGroups groups) {
  const char* const top = routing.table() != nullptr ? "allport_table_router"
                          : config.retry             ? "allport_retry_router"
                                                     : "allport_router";
  RtlSource source =
      source_with_top(top, router_parameters(config, routing, data_width, max_via, groups));
  source.files.push_back(rtl_folder() / "allport_public.vlt");
  source.is_own = true;
  source.is_twin = true;
  return source;
}

std::vector<fs::path> assertion_files() {
  return listed_files(rtl_folder() / "allport_properties.f");
}

RtlSource fabric_source(const RouterConfig& config, const Routing& routing, int data_width,
                        int max_via) {
  if (!config.has_one_link_delay()) {
    throw std::invalid_argument(
        "link delay: the channels of the fabric in SystemVerilog have one for all dimensions; routers in SystemVerilog take one for each");
  }
  if (config.has_narrow_channels()) {
    throw std::invalid_argument(
        "link width: the channels of the fabric in SystemVerilog are as wide as a flit; routers in SystemVerilog have narrower ones");
  }
  if (config.classes > 1) {
    throw std::invalid_argument(
        "classes " + std::to_string(config.classes) +
        ": the internal channels of the fabric in SystemVerilog have one message class; routers in SystemVerilog have up to " +
        std::to_string(limits::classes.high));
  }
  if (routing.table() != nullptr) {
    throw std::invalid_argument(
        "routing " + routing.name() +
        ": the fabric in SystemVerilog has no tables; routers in SystemVerilog have them");
  }
  if (config.retry) {
    throw std::invalid_argument(
        "retry: the channels of the fabric in SystemVerilog do not err; routers in SystemVerilog have retry");
  }
  RtlSource source =
      source_with_top("allport_fabric", router_parameters(config, routing, data_width, max_via));
  source.parameters.emplace_back("LinkDelay", std::to_string(config.link_delay));
  source.files.push_back(rtl_folder() / "allport_fabric.vlt");
  source.is_own = true;
  source.flattens = false;
  return source;
}

}  // namespace allport
