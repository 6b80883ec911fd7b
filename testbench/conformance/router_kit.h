// SPDX-License-Identifier: Apache-2.0
// The conformance kit tests one router in RTL at its pins: resets, latency, rate, wormhole
// integrity, credits, a lost credit, switching, reception, lists, paths, replication, codes,
// progress. Everything is counted in cycles.
#pragma once

#include <cstdint>
#include <vector>

#include "testbench/conformance/fitted_router.h"
#include "testbench/conformance/sheet_rows.h"

namespace allport {

struct RouterUnderTest {
  const NodeLibraries& libraries;
  const RouterDeclaration& declared;
  const RouterConfig& config;
  const Routing& routing;
  int payload_bits;
  int data_width;
  int max_via;
  std::uint64_t seed;
};

/// The nodes at which the router is tried alone: in the middle, the last and the first, at which
/// the wraparound channels of a torus arrive.
std::vector<NodeId> tried_nodes(const Topology& topology);

/// The rows from `pins` to `progress` of docs/bring-your-own-router.md, section 7.
std::vector<SheetRow> test_router(const RouterUnderTest& router);

}  // namespace allport
