// SPDX-License-Identifier: Apache-2.0
// These functions fit a router in RTL of the user's own to a fabric: its parameters, those of each
// node, and its pins.
#pragma once

#include <string>
#include <vector>

#include "rtl_model/verilated/node_libraries.h"
#include "testbench/plan/router_declaration.h"

namespace allport {

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
