// SPDX-License-Identifier: Apache-2.0
// What a run asks of routers in SystemVerilog: which of the fabric's routers they are, or which
// files hold a router that the project did not write.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "testbench/plan/run_request.h"

namespace allport {

/// Nodes: all, a random share of them, or a list.
struct NodeChoice {
  std::optional<double> share;     ///< part of all nodes, 0..1, drawn by the seed
  std::vector<NodeNumber> listed;  ///< nodes by number; empty: all, or a share
};

struct RtlRequest {
  NodeChoice nodes;                ///< nodes whose routers are RTL
  std::vector<std::string> files;  ///< sources of a router of one's own; empty: the project's twin
  std::string top;                 ///< name of its top module
  std::vector<std::pair<std::string, std::string>>
      parameters;               ///< parameters in addition to those of the contract
  bool assertions = false;      ///< whether the assertions of the RTL are checked in every cycle
  bool all_topologies = false;  ///< whether it is tried on every topology that it declares
  std::chrono::seconds timeout{60};  ///< longest time that one clock edge of it may take
  /// File of the waves that lead to a difference, if no waves of the whole run are requested.
  std::string difference_wave = "cosim-difference.fst";
};

}  // namespace allport
