// SPDX-License-Identifier: Apache-2.0
// These are the routers whose units are side by side in allocators.sv.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "rtl_model/router/router_config.h"

namespace allport::test {

constexpr std::size_t shape_count = 8;
constexpr std::size_t adaptive_shape = 4;
constexpr std::size_t branch_class_shape = 2;    // each branch of a head has a class of its own
constexpr std::size_t join_shape = 5;            // likewise; it has joins, and VCs for them
constexpr std::size_t message_class_shape = 6;   // two message classes
constexpr std::size_t adaptive_class_shape = 7;  // likewise, and adaptive

inline std::array<RouterConfig, shape_count> router_shapes() {
  const auto shape = [](int external, int internal, int vcs, bool classes, int depth, int delay,
                        Switching switching = Switching::wormhole) {
    RouterConfig config;
    config.external_ports = external;
    config.internal_ports = internal;
    config.vcs = vcs;
    config.layers = classes ? 2 : 1;
    config.buffer_depth = depth;
    config.replication_delay = delay;
    config.switching = switching;
    return config;
  };
  const auto narrow = [](RouterConfig config, std::initializer_list<int> phits) {
    std::size_t port = 0;
    for (const int number : phits) {
      config.further_phits[port++] = static_cast<std::uint8_t>(number - 1);
      config.most_phits = std::max(config.most_phits, number);
    }
    return config;
  };
  RouterConfig of_joins = narrow(shape(2, 1, 4, true, 2, 0), {64, 2});
  of_joins.join_vcs = 2;
  RouterConfig of_classes = shape(2, 2, 4, true, 3, 1);
  RouterConfig adaptive = shape(2, 1, 4, false, 4, 0, Switching::cut_through);
  of_classes.classes = adaptive.classes = 2;
  std::array<RouterConfig, shape_count> shapes{
      shape(3, 3, 1, false, 1, 0),
      narrow(shape(4, 1, 2, true, 2, 1), {2, 3, 1, 2}),
      shape(2, 2, 4, true, 3, 2),
      narrow(shape(2, 1, 3, false, 5, 7, Switching::cut_through), {1, 7}),
      shape(3, 2, 2, false, 4, 3, Switching::store_and_forward),
      of_joins,
      of_classes,
      adaptive};
  constexpr std::array<int, shape_count> route_delays{0, 1, 0, 2, 1, 0, 0, 4};
  constexpr std::array<int, shape_count> vc_delays{0, 1, 0, 2, 0, 1, 3, 4};
  for (std::size_t i = 0; i < shape_count; ++i) {
    shapes[i].route_delay = route_delays[i];
    shapes[i].vc_delay = vc_delays[i];
  }
  return shapes;
}

}  // namespace allport::test
