// SPDX-License-Identifier: Apache-2.0
// These functions report the routers and the links of a fabric, as they are joined.
#pragma once

#include <string>

#include "rtl_model/router/link_table.h"
#include "rtl_model/router/router_config.h"
#include "testbench/program/report/show_report.h"

namespace allport {

/// `links of 0..4 cycles of delay and 1..2 phits a flit`, without phits where each flit is one.
std::string links_in_words(const LinkTable& links, const Topology& topology);

/// `, route delay 1, VC delay 0, crossbar delay 2`; empty: the routers have no pipeline.
std::string pipeline_in_words(const RouterConfig& router);

/// Each router with its number, its name and where its ports lead; `links` has the links that are
/// not alike, null: they are.
Shown show_fabric(const Topology& topology, const LinkTable* links);

/// The same as a drawing for Graphviz: boxes are routers with a processor, points are switches;
/// nodes of a graph stand where its file puts them.
std::string fabric_drawing(const Topology& topology, const LinkTable* links);

}  // namespace allport
