// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/waves/wave_names.h"

namespace allport {

namespace {

std::string port_scope(const RouterConfig& config, int port, const char* external,
                       const char* internal) {
  if (config.is_external(port)) return external + std::to_string(port);
  return internal + std::to_string(port - config.external_ports);
}

}  // namespace

std::string router_scope(NodeId node) { return "router_" + std::to_string(index(node)); }

std::string input_scope(const RouterConfig& config, int input) {
  return port_scope(config, input, "input_", "injection_");
}

std::string output_scope(const RouterConfig& config, int output) {
  return port_scope(config, output, "output_", "ejection_");
}

std::string vc_scope(int vc) { return "vc_" + std::to_string(vc); }

std::string wave_text(const MessageName& name) {
  const std::string destination = name.v ? std::to_string(index(*name.v)) : "*";
  return std::to_string(index(name.u)) + ">" + destination + " #" + std::to_string(name.order);
}

}  // namespace allport
