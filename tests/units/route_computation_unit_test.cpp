// SPDX-License-Identifier: Apache-2.0
// Verilator's headers stand first: behind <systemc> they would want its global names.
#include <Vroute_computations.h>

#include "rtl_model/systemc/route_computation.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "rtl_model/systemc/reception_unit.h"
#include "tests/support/blueprint.h"
#include "tests/units/unit_bench.h"

namespace allport::test {
namespace {

// One of the units of route_computations.sv, in every node of its fabric, beside its C++ twin.
class RoutePair {
 public:
  RoutePair(std::size_t unit, const char* topology, const FabricConfig& fabric,
            std::optional<RoutingOrder> order = std::nullopt)
      : blueprint_(topology, fabric, order),
        layout_(blueprint_.config, blueprint_.routing, 8),
        u_(unit),
        reception_(sc_core::sc_gen_unique_name("reception_unit"), blueprint_.config) {
    rtl_.reset();
  }

  /// All heads there can be, in every node and on every input; each is routed in one cycle, and
  /// its route looked at once more in the next, behind another head.
  void compare_all() {
    for (std::size_t node = 0; node < nodes(); ++node) {
      RouteComputation model(sc_core::sc_gen_unique_name("route_computation"), blueprint_.config,
                             blueprint_.routing, node_id(node));
      put(rtl_.node_i[u_], 0, layout_.address_width, layout_.address(node_id(node)));
      for_each_head([&](const Flit& head) {
        SCOPED_TRACE("node " + std::to_string(node) + " address " +
                     std::to_string(index(head.address)) + " ties " + std::to_string(head.ties) +
                     " kind " + std::to_string(static_cast<int>(head.kind)));
        const std::uint64_t all = (std::uint64_t{1} << config().channel_vcs()) - 1;
        cycle(model, head, all, 0);
        if (testing::Test::HasFatalFailure()) return;
        SCOPED_TRACE("in the next cycle");
        const Flit other = mirrored(head);
        cycle(model, other, all & 0x5a5aU, all);
      });
      if (testing::Test::HasFatalFailure()) return;
    }
  }

 private:
  const RouterConfig& config() const { return blueprint_.config; }
  const Topology& topology() const { return blueprint_.routing.topology(); }
  std::size_t nodes() const { return topology().node_count(); }

  template <class Action>
  void for_each_head(Action action) const {
    const int kinds = topology().is_hypercube() ? 3 : 2;
    for (std::size_t address = 0; address < nodes(); ++address) {
      for (TieMask ties = 0; ties < 1U << layout_.tie_width; ++ties) {
        for (int kind = 0; kind < kinds; ++kind) {
          if (testing::Test::HasFatalFailure()) return;
          Flit head;
          head.head = true;
          head.address = node_id(address);
          head.ties = ties;
          head.kind = static_cast<MessageKind>(kind);
          action(head);
        }
      }
    }
  }

  /// Another head, to stand behind this one.
  Flit mirrored(const Flit& head) const {
    Flit other = head;
    other.address = node_id(nodes() - 1 - index(head.address));
    other.ties = ~head.ties & ((1U << layout_.tie_width) - 1);
    other.kind = head.kind == MessageKind::unicast ? MessageKind::deposit : MessageKind::unicast;
    return other;
  }

  std::uint64_t header(const Flit& head) const {
    std::array<std::uint32_t, 3> words{};
    layout_.pack(head, 0, words.data());
    return get_bits(words.data(), static_cast<std::size_t>(layout_.data_width), header_width());
  }
  int header_width() const { return 3 + layout_.tie_width + layout_.address_width; }

  // `head` is at the front of the buffers `heads`; the worms of `cleared` leave.
  void cycle(RouteComputation& model, const Flit& head, std::uint64_t heads,
             std::uint64_t cleared) {
    const int ivs = config().channel_vcs();
    put(rtl_.head_i[u_], 0, ivs, heads);
    put(rtl_.clear_i[u_], 0, ivs, cleared);
    for (int iv = 0; iv < ivs; ++iv) put(rtl_.header_i[u_], iv, header_width(), header(head));
    rtl_.settle();
    for (int iv = 0; iv < ivs; ++iv) {
      SCOPED_TRACE("input VC " + std::to_string(iv));
      compare(model, head, (heads >> iv & 1U) != 0, iv);
      if (testing::Test::HasFatalFailure()) return;
      if ((cleared >> iv & 1U) != 0) model.clear(iv);
    }
    rtl_.edge();
  }

  void compare(RouteComputation& model, const Flit& head, bool has_head, int iv) {
    const bool is_routing = has_head && model.of(iv).outputs == 0;
    PortMask external = 0;
    PortMask copies = 0;
    if (is_routing) {
      Route route = model.route(head);
      external = route.outputs;
      copies = reception_.copies(port_of(config(), iv), head, external);
      route.outputs |= copies;
      model.hold(iv, route);
    }
    const Route& route = model.of(iv);
    ASSERT_EQ(get(rtl_.is_routing_o[u_], iv) != 0, is_routing);
    ASSERT_EQ(get(rtl_.external_o[u_], iv, config().external_ports), external);
    ASSERT_EQ(get(rtl_.copies_o[u_], iv, config().internal_ports),
              copies >> config().external_ports);
    ASSERT_EQ(get(rtl_.outputs_o[u_], iv, config().ports()), route.outputs);
    ASSERT_EQ(get(rtl_.vc_class_o[u_], iv), static_cast<std::uint64_t>(route.vc_class));
    ASSERT_EQ(get(rtl_.is_replicated_o[u_], iv) != 0, route.is_replicated);
  }

  Blueprint blueprint_;
  PinLayout layout_;
  std::size_t u_;
  ReceptionUnit reception_;
  Clocked<Vroute_computations> rtl_;
};

TEST(RouteComputationUnit, TakesTheSameWaysOnADescendingHypercube) {
  RoutePair(0, "hypercube:4", With().ports(4).vcs(1), RoutingOrder::descending).compare_all();
}

TEST(RouteComputationUnit, TakesTheSameWaysOnAnAscendingHypercube) {
  RoutePair(1, "hypercube:4", With().ports(3).vcs(1), RoutingOrder::ascending).compare_all();
}

TEST(RouteComputationUnit, TakesTheSameWaysOnASquareTorus) {
  RoutePair(2, "torus:4x4", With().ports(1).vcs(2)).compare_all();
}

TEST(RouteComputationUnit, TakesTheSameWaysOnATorusWithAnOddSide) {
  RoutePair(3, "torus:4x3", With().ports(2).vcs(2)).compare_all();
}

TEST(RouteComputationUnit, TakesTheSameWaysOnARing) {
  RoutePair(4, "ring:5", With().ports(2).vcs(2)).compare_all();
}

TEST(RouteComputationUnit, TakesTheSameWaysOnAMesh) {
  RoutePair(5, "mesh:3x4", With().ports(3).vcs(1)).compare_all();
}

}  // namespace
}  // namespace allport::test
