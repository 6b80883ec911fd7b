// SPDX-License-Identifier: Apache-2.0
// A Blueprint has the parameters from which every model under test is built.
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "rtl_model/router/router_config.h"

namespace allport::test {

/// A FabricConfig as a chain of calls: With().vcs(4).depth(2).
struct With : FabricConfig {
  With& ports(int number) { return set(internal_ports, number); }
  With& vcs(int number) { return set(FabricConfig::vcs, number); }
  With& classes(int number) { return set(FabricConfig::classes, number); }
  With& depth(int flits) { return set(buffer_depth, flits); }
  With& link_delay(int cycles) { return set(FabricConfig::link_delay, cycles); }
  With& link_delay(std::vector<int> by_dimension) {
    link_delays = std::move(by_dimension);
    return *this;
  }
  With& phits(std::vector<int> by_dimension) {
    FabricConfig::phits = std::move(by_dimension);
    return *this;
  }
  With& replication_delay(int cycles) { return set(FabricConfig::replication_delay, cycles); }
  With& pipeline(int route, int vc, int crossbar) {
    set(FabricConfig::route_delay, route);
    set(FabricConfig::vc_delay, vc);
    return set(FabricConfig::crossbar_delay, crossbar);
  }
  With& combine_delay(int cycles) { return set(FabricConfig::combine_delay, cycles); }
  With& join_vcs(int number) { return set(FabricConfig::join_vcs, number); }
  With& switching(Switching mode) {
    FabricConfig::switching = mode;
    return *this;
  }

 private:
  With& set(int& field, int value) {
    field = value;
    return *this;
  }
};

/// A routing and a validated configuration, which outlive what refers to them.
struct Blueprint {
  explicit Blueprint(std::string_view topology, const FabricConfig& fabric = {},
                     std::optional<RoutingOrder> order = std::nullopt, VcUse vc_use = VcUse::strict)
      : Blueprint(parse_topology(topology), fabric, order, vc_use) {}
  Blueprint(const Routing& routes, const FabricConfig& fabric)
      : routing(routes), config(router_config(fabric, routes)) {}

  const Routing routing;
  const RouterConfig config;

 private:
  Blueprint(const std::shared_ptr<const Topology>& topology, const FabricConfig& fabric,
            std::optional<RoutingOrder> order, VcUse vc_use)
      : routing(topology, order.value_or(Routing::default_order(*topology)), {}, vc_use),
        config(router_config(fabric, routing)) {}
};

}  // namespace allport::test
