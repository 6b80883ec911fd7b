// SPDX-License-Identifier: Apache-2.0
// These functions find the sources of a router in RTL of the user's own and what it declares by the
// parameters of its top or in a file (docs/bring-your-own-router.md), and fit it to a fabric.
#pragma once

#include <string>
#include <vector>

#include "rtl_model/verilated/node_libraries.h"
#include "rtl_model/verilated/rtl_source.h"
#include "testbench/plan/router_declaration.h"
#include "testbench/plan/rtl_request.h"

namespace allport {

/// The sources that `request` names, with their options. Throws std::invalid_argument, one
/// sentence, for a file or folder that does not exist.
RtlSource own_source(const RtlRequest& request);

/// Reads the declaration: the parameters of the top and the TOML file `file`, unless its name is
/// empty. Throws std::invalid_argument, one sentence, for RTL that Verilator does not accept, for a
/// parameter in `source` that the top does not have, for what both declare, and for a value out of
/// range; throws Stopped once `stop` is set.
RouterDeclaration read_declaration(const RtlSource& source, const std::string& file, StopFlag stop);

/// `source` with those parameters of the contract for this fabric that its top has and that the
/// user has not set.
RtlSource fitted(RtlSource source, const RouterDeclaration& declared, const RouterConfig& config,
                 const Routing& routing, int data_width, int max_via);

/// The parameters among those that say at which node it stands that its top has, for each of
/// `nodes`; empty if it has none.
NodeLibraries::Parameters parameters_by_node(const RouterDeclaration& declared,
                                             const Topology& topology,
                                             const std::vector<NodeId>& nodes);

/// The width of its data field. Throws RtlRefused, naming every pin that is missing or does not
/// have the width that the fabric needs.
int check_pins(const NodeLibraries& libraries, const std::string& top, const RouterConfig& config,
               const Routing& routing, int payload_bits, int max_via);

}  // namespace allport
