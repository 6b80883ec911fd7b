// SPDX-License-Identifier: Apache-2.0
// An RtlRequest is what a run asks of routers in SystemVerilog: which of the fabric's routers they
// are, or which files hold a router that the project did not write.
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
  NodeChoice nodes;                   ///< nodes whose routers are RTL
  std::vector<std::string> files;     ///< sources of a router of one's own, packages first
  std::string declaration;            ///< TOML file with what it declares; empty: there is none
  std::vector<std::string> lists;     ///< command files of Verilator that name more of them
  std::vector<std::string> includes;  ///< folders in which included files are looked for
  std::vector<std::string> defines;   ///< macros, NAME or NAME=VALUE
  std::string top;                    ///< name of its top module; empty: that of the last file
  std::vector<std::pair<std::string, std::string>>
      parameters;               ///< parameters in addition to those of the contract
  bool assertions = false;      ///< whether the assertions of the RTL are checked in every cycle
  bool all_topologies = false;  ///< whether it is tried on every topology that it declares
  std::chrono::seconds timeout{60};  ///< longest time that one clock edge of it may take
  bool lockstep =
      false;  ///< whether a router of more than one cycle a hop runs beside the twin too
  bool chooses_mode = false;   ///< whether the switching mode was chosen, not left to the router
  bool chooses_depth = false;  ///< likewise the buffer depth
  bool has_all_ports = false;  ///< whether all internal ports were asked for
  /// File of the waves that lead to a difference, if no waves of the whole run are requested;
  /// empty: the default for the project's twin, none for a router of one's own.
  std::string difference_wave;

  /// Whether the router is the user's own; otherwise it is the project's.
  bool is_own() const { return !files.empty() || !lists.empty(); }
  /// The name of the top module: the one given, or that of the last file without its ending.
  std::string top_name() const;
  std::string difference_file() const {
    return difference_wave.empty() && !is_own() ? "cosim-difference.fst" : difference_wave;
  }
};

}  // namespace allport
