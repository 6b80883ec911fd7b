// SPDX-License-Identifier: Apache-2.0
// What is to be Verilated: SystemVerilog files, their top and its parameters.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rtl_model/topology/router_config.h"

namespace allport {

/// The RTL itself is not what it must be; other std::invalid_arguments are about tools and folders.
class RtlRefused : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

using RtlParameter = std::pair<std::string, std::string>;  ///< name, SystemVerilog constant

struct RtlSource {
  std::vector<std::filesystem::path> files;  ///< .sv, .v, and .vlt control files, in order
  std::string top;
  std::vector<RtlParameter> parameters;
  bool is_own = false;            ///< of rtl_model/sv: nothing happens at the falling edge
  bool is_twin = false;           ///< the router of rtl_model/sv: its registers can be read
  bool has_assertions = false;    ///< checks them while running
  bool randomizes_state = false;  ///< what is not reset starts at random instead of zero
  bool optimizes = true;          ///< whether what runs in every cycle is compiled to be fast
  bool flattens = true;           ///< one scope: faster, but not for whole fabrics
};

/// The folder with the SystemVerilog of this project, beside the program or in its sources.
/// Throws std::invalid_argument when it is in neither place.
std::filesystem::path rtl_folder();
/// The folder with what a model library is compiled from besides Verilator's output.
std::filesystem::path wrapper_folder();

/// Values of the parameters of docs/bring-your-own-router.md for the routers of a fabric.
/// Throws std::invalid_argument where the SystemVerilog router does not go: hypercubes have 1..10
/// dimensions, rings, tori and meshes 1..3. `max_via`: destinations in a header behind the first.
std::vector<RtlParameter> router_parameters(const RouterConfig& config, const Routing& routing,
                                            int data_width, int max_via = 0);

/// The twin, for the routers of a fabric.
RtlSource twin_source(const RouterConfig& config, const Routing& routing, int data_width,
                      int max_via = 0);
/// The assertions of the twin, to be given behind its files.
std::vector<std::filesystem::path> assertion_files();
/// The whole fabric as one module.
RtlSource fabric_source(const RouterConfig& config, const Routing& routing, int data_width,
                        int max_via = 0);

}  // namespace allport
