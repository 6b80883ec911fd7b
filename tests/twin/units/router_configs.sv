// SPDX-License-Identifier: Apache-2.0
// A router's parameters by name, for the units that stand side by side here.

package router_configs;

  function automatic allport_pkg::router_config_t router_of(
      input int unsigned topology = 0, input int unsigned dimensions = 3,
      input logic [47:0] sides = '0, input int unsigned ascending = 0,
      input int unsigned internal_ports = 1, input int unsigned vcs = 1,
      input int unsigned depth = 4, input int unsigned replication_delay = 0,
      input int unsigned data_width = 64, input int unsigned switching = 0,
      input int unsigned max_via = 0, input int unsigned adaptive = 0,
      input int unsigned balanced = 0, input int unsigned groups = 0,
      input int unsigned combine_delay = 0, input int unsigned join_vcs = 0,
      input int unsigned combine_width = 64, input int unsigned classes = 1,
      input int unsigned route_delay = 0, input int unsigned vc_delay = 0,
      input int unsigned crossbar_delay = 0);
    return allport_pkg::router_config(topology, dimensions, sides, ascending, internal_ports, vcs,
        depth, replication_delay, data_width, 1, 1, switching, max_via, adaptive, balanced, groups,
        combine_delay, join_vcs, combine_width, 1, '0, classes, route_delay, vc_delay,
        crossbar_delay);
  endfunction

endpackage
