// SPDX-License-Identifier: Apache-2.0
// An RtlSource is SystemVerilog to be Verilated: files, their top and its parameters.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rtl_model/router/pin_kinds.h"
#include "rtl_model/router/router_config.h"

namespace allport {

/// The RTL itself is refused; any other std::invalid_argument is about tools and folders.
class RtlRefused : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

using RtlParameter = std::pair<std::string, std::string>;  ///< name, SystemVerilog constant

struct RtlSource {
  std::vector<std::filesystem::path> files;  ///< .sv, .v, and .vlt control files, in order
  std::string top;
  std::vector<RtlParameter> parameters;
  std::vector<std::filesystem::path> lists;     ///< command files of Verilator (-f) with more
  std::vector<std::filesystem::path> includes;  ///< folders for files that are included
  std::vector<std::string> defines;             ///< macros: NAME or NAME=VALUE
  bool is_own = false;   ///< whether it is from rtl_model/sv: nothing happens at the falling edge
  bool is_twin = false;  ///< whether it is the router of rtl_model/sv: its registers can be read
  bool has_assertions = false;    ///< whether it has assertions and checks them while it runs
  bool randomizes_state = false;  ///< whether state without a reset starts at random, not zero
  bool is_plain = false;          ///< whether neither Verilator nor the compiler optimizes it
  bool flattens = true;  ///< whether it becomes one scope: faster, but not for whole fabrics
};

/// The folder with the SystemVerilog of this project, beside the program or in its sources.
/// Throws std::invalid_argument when it is in neither place.
std::filesystem::path rtl_folder();
/// The folder with the sources that a model library contains besides Verilator's output.
std::filesystem::path wrapper_folder();

/// Values of the parameters of docs/bring-your-own-router.md for the routers of a fabric. Throws
/// std::invalid_argument if the SystemVerilog router cannot be built for it: without a table
/// hypercubes have 1..10 dimensions, rings, tori and meshes 1..3. `max_via`: destinations in a
/// header after the first. `groups`: what headers say of groups; the parameter is named only where
/// they do, that of message classes only where there are several, and those of a pipeline only
/// where it has a delay. With retry they are those of allport_retry_router. A routing with a table
/// gives the parameters of allport_table_router; it is refused if a router has more external ports
/// or the table more rows than that takes, or retry.
std::vector<RtlParameter> router_parameters(const RouterConfig& config, const Routing& routing,
                                            int data_width, int max_via = 0,
                                            PinGroups groups = PinGroups::none);

/// The parameters by which RTL may be told at which node it stands: Node, Coordinate0, ..
const std::vector<std::string>& node_parameter_names();
/// Their values at `node`; a hypercube has no coordinates.
std::vector<RtlParameter> node_parameters(const Topology& topology, NodeId node);

/// The twin, for the routers of a fabric.
RtlSource twin_source(const RouterConfig& config, const Routing& routing, int data_width,
                      int max_via = 0, PinGroups groups = PinGroups::none);
/// The assertions of the twin, to be listed after its files.
std::vector<std::filesystem::path> assertion_files();
/// The whole fabric as one module. Throws std::invalid_argument where its channels have not all one
/// link delay, or are narrower than a flit, or where there are several message classes, a table or
/// retry.
RtlSource fabric_source(const RouterConfig& config, const Routing& routing, int data_width,
                        int max_via = 0);

}  // namespace allport
