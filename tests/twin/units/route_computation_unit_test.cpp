// SPDX-License-Identifier: Apache-2.0
// Verilator's headers come first: after <systemc> they would need its global names.
#include <Vroute_computations.h>

#include "rtl_model/systemc/route_computation.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rtl_model/router/pin_kinds.h"
#include "rtl_model/systemc/reception_unit.h"
#include "rtl_model/topology/group_routes.h"
#include "rtl_model/topology/label_order.h"
#include "tests/support/blueprint.h"
#include "tests/twin/units/unit_bench.h"

namespace allport::test {
namespace {

// One of the units of route_computations.sv, in every node of its fabric, beside its C++ twin.
class RoutePair {
 public:
  RoutePair(std::size_t unit, const char* topology, const FabricConfig& fabric, int max_via = 0,
            std::optional<RoutingOrder> order = std::nullopt, VcUse vc_use = VcUse::strict,
            PinGroups groups = PinGroups::none)
      : blueprint_(topology, fabric, order, vc_use),
        layout_(blueprint_.config, blueprint_.routing, 8, 0, max_via, groups),
        groups_(groups),
        u_(unit),
        reception_(sc_core::sc_gen_unique_name("reception_unit"), blueprint_.config) {
    rtl_.reset();
  }

  /// Compares all possible heads, in every node and on every input; each is routed in one cycle,
  /// and its route is looked at once more in the next one, behind another head.
  void compare_all() {
    for (std::size_t node = 0; node < nodes(); ++node) {
      RouteComputation model("route_computation", blueprint_.config, blueprint_.routing,
                             node_id(node));
      put(rtl_.node_i[u_], 0, layout_.address_width, layout_.address(node_id(node)));
      for_each_head([&](const Flit& head) {
        if (!is_possible(head, node_id(node))) return;
        SCOPED_TRACE("node " + std::to_string(node) + " address " +
                     std::to_string(index(head.address)) + " ties " + std::to_string(head.ties) +
                     " kind " + std::to_string(static_cast<int>(head.kind)) + ", then " +
                     (head.via.empty() ? "none" : std::to_string(index(head.via.front()))));
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
    for (std::size_t address = 0; address < nodes(); ++address) {
      for (TieMask ties = 0; ties < 1U << layout_.tie_width; ++ties) {
        for (const MessageKind kind : message_kinds) {
          if (testing::Test::HasFatalFailure()) return;
          if (!pin_kind_fault(kind, Switching::wormhole, blueprint_.routing, groups_).empty()) {
            continue;
          }
          if (kind == MessageKind::label && layout_.max_via == 0) continue;
          Flit head;
          head.head = true;
          head.address = node_id(address);
          head.ties = ties;
          head.kind = kind;
          action(head);
          const bool has_list = kind == MessageKind::label || ties == 0;
          if (goes_by_list(kind) && has_list) for_each_list(head, action);
        }
      }
    }
  }

  // Whether a label worm can leave `node` by the hop that it demands, and a tree worm or a join
  // come there.
  bool is_possible(const Flit& head, NodeId node) const {
    if (is_join(head.kind)) return is_in_group(topology(), node, head.address, head.free());
    if (head.kind == MessageKind::tree) {
      const bool has_mask = groups_ != PinGroups::none;
      return has_mask ? is_in_group(topology(), node, head.address, head.free()) : head.ties == 0;
    }
    if (head.kind != MessageKind::label || head.ties == 0) return true;
    const bool is_stop = head.address == node && !head.via.empty();
    const NodeId to = is_stop ? head.via.front() : head.address;
    if (to == node) return true;
    const auto dimension = static_cast<std::size_t>(__builtin_ctz(head.ties));
    const bool is_one = (head.ties & (head.ties - 1)) == 0;
    return is_one && label_step(topology(), node, to, dimension).has_value();
  }

  // Calls `action` for every next destination after that one, as the only one and with the largest
  // number of further ones.
  template <class Action>
  void for_each_list(Flit head, Action action) const {
    for (std::size_t next = 0; next < nodes() && layout_.max_via > 0; ++next) {
      if (node_id(next) == head.address) continue;
      std::vector<NodeId> via{node_id(next)};
      head.via = ViaList(via);
      action(head);
      via.resize(static_cast<std::size_t>(layout_.max_via), node_id(nodes() - 1));
      head.via = ViaList(via);
      action(head);
    }
  }

  /// Another head, to be behind this one.
  Flit mirrored(const Flit& head) const {
    Flit other = head;
    other.address = node_id(nodes() - 1 - index(head.address));
    other.ties = ~head.ties & ((1U << layout_.tie_width) - 1);
    other.kind = head.kind == MessageKind::unicast ? MessageKind::deposit : MessageKind::unicast;
    return other;
  }

  std::uint64_t header(const Flit& head) const {
    std::array<std::uint32_t, 4> words{};
    layout_.pack(head, 0, words.data());
    return get_bits(words.data(), static_cast<std::size_t>(layout_.data_width), header_width());
  }
  int header_width() const { return layout_.header_width(); }

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
    const bool is_operand = is_join(head.kind) && config().is_external(port_of(config(), iv));
    const bool is_routing = has_head && !is_operand && model.of(iv).outputs == 0;
    PortMask external = 0;
    PortMask copies = 0;
    bool is_stripped = false;
    if (is_routing) {
      Flit arrived = head;
      arrived.vc =
          vc_id(static_cast<std::size_t>(iv - config().channel_vc(port_of(config(), iv), 0)));
      Route route = model.route(arrived, port_of(config(), iv));
      external = route.outputs & ((PortMask{1} << config().external_ports) - 1);
      is_stripped = route.is_stripped;
      copies = reception_.copies(port_of(config(), iv), head, route);
      route.outputs |= copies;
      model.hold(iv, route);
    }
    const Route& route = model.of(iv);
    ASSERT_EQ(get(rtl_.is_routing_o[u_], iv) != 0, is_routing);
    ASSERT_EQ(get(rtl_.is_stripped_o[u_], iv) != 0, is_stripped);
    ASSERT_EQ(get(rtl_.external_o[u_], iv, config().external_ports), external);
    ASSERT_EQ(get(rtl_.copies_o[u_], iv, config().internal_ports),
              copies >> config().external_ports);
    ASSERT_EQ(get(rtl_.outputs_o[u_], iv, config().ports()), route.outputs);
    const bool has_own_vcs = route.vc_class == VcClass::join || route.vc_class == VcClass::tree;
    if (!has_own_vcs) {
      ASSERT_EQ(get(rtl_.vc_class_o[u_], iv) != 0, route.vc_class == VcClass::p);
      ASSERT_EQ(get(rtl_.any_class_o[u_], iv) != 0, route.vc_class == VcClass::either);
    }
    ASSERT_EQ(get(rtl_.is_replicated_o[u_], iv) != 0, route.is_replicated);
    if (groups_ == PinGroups::none || !has_head) return;
    const bool is_tree = head.kind == MessageKind::tree || route.outputs_of_class_p != 0;
    const PortMask all = (PortMask{1} << config().external_ports) - 1;
    const PortMask of_p = route.vc_class == VcClass::p ? all : 0;
    if (is_routing) {
      if (external == 0) return;
      const bool is_own = config().join_vcs > 0;
      ASSERT_EQ(get(rtl_.is_join_o[u_], iv) != 0, is_own && route.vc_class == VcClass::join);
      ASSERT_EQ(get(rtl_.is_tree_o[u_], iv) != 0, is_own && route.vc_class == VcClass::tree);
      if (is_own && has_group(head.kind)) return;  // the class of its own decides
      ASSERT_EQ(get(rtl_.branch_class_o[u_], iv, config().external_ports),
                is_tree ? route.outputs_of_class_p : of_p);
    }
  }

  Blueprint blueprint_;
  PinLayout layout_;
  PinGroups groups_;
  std::size_t u_;
  ReceptionUnit reception_;
  Clocked<Vroute_computations> rtl_;
};

TEST(RouteComputationUnit, TakesTheSameWaysOnADescendingHypercube) {
  RoutePair(0, "hypercube:4", With().ports(4).vcs(1), 2, RoutingOrder::descending).compare_all();
}

TEST(RouteComputationUnit, TakesTheSameWaysOnAnAscendingHypercube) {
  RoutePair(1, "hypercube:4", With().ports(3).vcs(1), 0, RoutingOrder::ascending).compare_all();
}

TEST(RouteComputationUnit, TakesTheSameWaysOnASquareTorus) {
  RoutePair(2, "torus:4x4", With().ports(1).vcs(2), 1).compare_all();
}

TEST(RouteComputationUnit, TakesTheSameWaysOnATorusWithAnOddSide) {
  RoutePair(3, "torus:4x3", With().ports(2).vcs(2)).compare_all();
}

TEST(RouteComputationUnit, TakesTheSameWaysOnARing) {
  RoutePair(4, "ring:5", With().ports(2).vcs(2), 3).compare_all();
}

TEST(RouteComputationUnit, AsksForTheSameClassesOnABalancedTorus) {
  RoutePair(8, "torus:5x4", With().ports(1).vcs(2), 1, std::nullopt, VcUse::balanced).compare_all();
}

TEST(RouteComputationUnit, KnowsTheClassByWhichAWormCameWithinItsMessageClass) {
  RoutePair(17, "torus:5x4", With().ports(1).vcs(8).classes(2), 0, std::nullopt, VcUse::balanced)
      .compare_all();
}

TEST(RouteComputationUnit, TakesTheSameWaysOnAMesh) {
  RoutePair(5, "mesh:3x4", With().ports(3).vcs(1), 1).compare_all();
}

TEST(RouteComputationUnit, TakesTheSameWaysOnAMeshOfThreeDimensions) {
  RoutePair(7, "mesh:3x2x3", With().ports(2).vcs(1), 1).compare_all();
}

TEST(RouteComputationUnit, SendsTreesToTheGroupsOfADescendingHypercube) {
  RoutePair(9, "hypercube:4", With().ports(4).vcs(1), 2, RoutingOrder::descending, VcUse::strict,
            PinGroups::trees)
      .compare_all();
}

TEST(RouteComputationUnit, SendsTreesToTheGroupsOfAnAscendingHypercube) {
  RoutePair(10, "hypercube:4", With().ports(1).vcs(2), 0, RoutingOrder::ascending, VcUse::strict,
            PinGroups::trees)
      .compare_all();
}

TEST(RouteComputationUnit, SendsTreesToTheGroupsOfATorusInTheSameClasses) {
  RoutePair(11, "torus:4x3x2", With().ports(1).vcs(2), 0, std::nullopt, VcUse::strict,
            PinGroups::trees)
      .compare_all();
}

TEST(RouteComputationUnit, SendsTreesOverABalancedRingInTheSameClasses) {
  RoutePair(12, "ring:8", With().ports(2).vcs(4), 0, std::nullopt, VcUse::balanced,
            PinGroups::trees)
      .compare_all();
}

TEST(RouteComputationUnit, SendsTreesToTheGroupsOfAMesh) {
  RoutePair(13, "mesh:3x4", With().ports(3).vcs(1), 1, std::nullopt, VcUse::strict,
            PinGroups::trees)
      .compare_all();
}

TEST(RouteComputationUnit, SendsJoinsToTheirRootsOnAHypercube) {
  RoutePair(14, "hypercube:4", With().ports(2).vcs(1), 0, RoutingOrder::descending, VcUse::strict,
            PinGroups::joins)
      .compare_all();
}

TEST(RouteComputationUnit, SendsJoinsToTheirRootsOverVcsOfTheirOwn) {
  RoutePair(15, "torus:5x4", With().ports(1).vcs(2).join_vcs(2), 1, std::nullopt, VcUse::balanced,
            PinGroups::joins)
      .compare_all();
}

TEST(RouteComputationUnit, SendsJoinsToTheirRootsOnAMesh) {
  RoutePair(16, "mesh:3x3", With().ports(2).vcs(1).join_vcs(1), 1, std::nullopt, VcUse::strict,
            PinGroups::joins)
      .compare_all();
}

// Adaptive routing by the words of the contract: the port requested, and whether the escape channel
// is left out.
struct Choice {
  PortMask port = 0;
  bool is_detour = false;
};

// An adaptive router of route_computations.sv, and the input VC that it is looked at.
struct AdaptiveInput {
  std::size_t unit = 0;
  int vcs = 1;
  int classes = 1;
  int message_class = 0;

  int vcs_of_class() const { return vcs / classes; }
  int first_vc() const { return message_class * vcs_of_class(); }
  int input_vcs() const { return 3 * vcs + 2 * classes; }
  /// The free VCs of external outputs if those of its message class are `own`, by port, and those
  /// of others all or none.
  std::uint64_t free_vcs(std::uint64_t own, bool others) const {
    const std::uint64_t of_port = (std::uint64_t{1} << vcs_of_class()) - 1;
    std::uint64_t free = others ? (std::uint64_t{1} << 3 * vcs) - 1 : 0;
    for (int port = 0; port < 3; ++port) {
      const int at = port * vcs + first_vc();
      free &= ~(of_port << at);
      free |= (own >> port * vcs_of_class() & of_port) << at;
    }
    return free;
  }
};

Choice choice_of(std::size_t node, std::size_t address, std::uint64_t own, int vcs) {
  const auto has_free = [&](int port, int first_vc) {
    for (int vc = first_vc; vc < vcs; ++vc) {
      if ((own >> (port * vcs + vc) & 1U) != 0) return true;
    }
    return false;
  };
  int wanted = -1;
  for (int port = 2; port >= 0; --port) {
    if (((node ^ address) >> port & 1U) == 0) continue;
    if (wanted < 0) {
      wanted = port;
      if (has_free(port, 0)) return {PortMask{1} << port, false};
    } else if (has_free(port, 1)) {
      return {PortMask{1} << port, true};
    }
  }
  return {wanted < 0 ? 0 : PortMask{1} << wanted, false};
}

// The head is on external input 0.
void expect_choices(const AdaptiveInput& input, bool others) {
  constexpr int header_width = 3 + 1 + 3;
  const std::size_t unit = input.unit;
  const int iv = input.first_vc();
  const std::uint64_t bit = std::uint64_t{1} << iv;
  const auto rtl = std::make_unique<Clocked<Vroute_computations>>();
  for (std::size_t node = 0; node < 8; ++node) {
    rtl->reset();
    put(rtl->node_i[unit], 0, 3, node);
    put(rtl->head_i[unit], 0, input.input_vcs(), bit);
    for (std::size_t address = 0; address < 8; ++address) {
      put(rtl->header_i[unit], iv, header_width, address);
      for (std::uint64_t own = 0; own < 1U << 3 * input.vcs_of_class(); ++own) {
        SCOPED_TRACE("node " + std::to_string(node) + " address " + std::to_string(address) +
                     " free VCs " + std::to_string(own));
        const std::uint64_t free = input.free_vcs(own, others);
        put(rtl->free_i[unit], 0, input.input_vcs(), free);
        const Choice choice = choice_of(node, address, own, input.vcs_of_class());
        const PortMask outputs = node == address ? PortMask{1} << 3 : choice.port;

        put(rtl->is_owner_i[unit], 0, input.input_vcs(), 0);  // anew in each cycle
        rtl->settle();
        ASSERT_EQ(get(rtl->is_routing_o[unit], iv), 1U);
        ASSERT_EQ(get(rtl->outputs_o[unit], iv, 5), outputs);
        ASSERT_EQ(get(rtl->vc_class_o[unit], iv) != 0, choice.is_detour);
        rtl->edge();

        put(rtl->is_owner_i[unit], 0, input.input_vcs(), bit);  // held from then on
        put(rtl->free_i[unit], 0, input.input_vcs(), ~free);
        rtl->settle();
        ASSERT_EQ(get(rtl->is_routing_o[unit], iv), 0U);
        ASSERT_EQ(get(rtl->outputs_o[unit], iv, 5), outputs);
        rtl->edge();
      }
    }
  }
}

TEST(RouteComputationUnit, ChoosesAmongTheUsefulPortsOfAnAdaptiveHypercube) {
  expect_choices({6, 3, 1, 0}, false);
}

TEST(RouteComputationUnit, LooksAtTheVcsOfTheMessageClassThere) {
  for (const bool others : {false, true}) expect_choices({18, 4, 2, 1}, others);
}

}  // namespace
}  // namespace allport::test
