// SPDX-License-Identifier: Apache-2.0
// Routing is one pure function of (here, destination, ties), shared by the router, by path()
// (static contention check) and by the channel dependency graph. It is e-cube on the hypercube, and
// minimal dimension order, dimension 0 first, elsewhere. On a ring or torus a hop also names the
// class of virtual channel: p up to and including a wraparound link still ahead in its dimension, h
// or l otherwise (docs/router.md, torus virtual channels) [Hou98, section 2]. With a table it is
// what the table says of (here, class of the virtual channel by which the head came, destination).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rtl_model/base/ids.h"
#include "rtl_model/base/name_table.h"
#include "rtl_model/topology/message_kind.h"
#include "rtl_model/topology/routing_table.h"
#include "rtl_model/topology/tie_break.h"
#include "rtl_model/topology/topology.h"

namespace allport {

enum class RoutingOrder {
  descending,         ///< e-cube, highest differing bit first (hypercube)
  ascending,          ///< e-cube, lowest differing bit first (hypercube)
  dimension_ordered,  ///< dimension 0 first (torus, mesh, ring)
  adaptive,           ///< descending, or another useful dimension while that is busy (hypercube)
  table,              ///< what a RoutingTable says
};

template <>
inline constexpr std::array<Named<RoutingOrder>, 5> name_table<RoutingOrder>{
    {{RoutingOrder::descending, "descending"},
     {RoutingOrder::ascending, "ascending"},
     {RoutingOrder::adaptive, "adaptive"},
     {RoutingOrder::dimension_ordered, "dimension-ordered"},
     {RoutingOrder::table, "table"}}};

/// The class of virtual channel that a hop requests, also `h_or_l` if there are no classes; under a
/// table the number of its layer.
enum class VcClass : std::uint8_t {
  h_or_l = 0,
  p = 1,
  join = max_table_layers,  ///< joins, if they have virtual channels of their own
  tree,                     ///< trees, likewise
  either,                   ///< a virtual channel of any class will do (balanced use only)
  first,                    ///< the first virtual channel alone: joins on a graph with switches
  injected,                 ///< of a head that came by an injection channel
};

/// The class that layer `layer` of a table is, and back.
constexpr VcClass class_of_layer(int layer) { return static_cast<VcClass>(layer); }
constexpr int layer_of(VcClass vc_class) { return static_cast<int>(vc_class); }

/// Which classes of virtual channel heads request on a ring or torus (docs/router.md, section 6).
enum class VcUse : std::uint8_t {
  strict,    ///< p as long as the wraparound link is ahead, else h or l
  balanced,  ///< either where a message never crosses it, chosen once for each dimension
};

template <>
inline constexpr std::array<Named<VcUse>, 2> name_table<VcUse>{
    {{VcUse::strict, "strict"}, {VcUse::balanced, "balanced"}}};

struct Hop {
  PortId port{};
  VcClass vc_class = VcClass::h_or_l;
};

class Routing {
 public:
  /// `tie_break`: the rule of messages whose way round a ring nobody chose. Throws
  /// std::invalid_argument when `order`, `tie_break` or `vc_use` does not fit the topology.
  Routing(std::shared_ptr<const Topology> topology, RoutingOrder order, TieBreak tie_break = {},
          VcUse vc_use = VcUse::strict);
  /// Routing by `table`, one of the nodes of `topology` that has been proved (tables/make_table.h).
  /// `tie_break`: that of which it was made.
  Routing(std::shared_ptr<const Topology> topology, std::shared_ptr<const RoutingTable> table,
          TieBreak tie_break = {});
  /// The routing of ranks that are placed on nodes of this one, on a fabric `ranks` of their own:
  /// all that this one says and that fabric can have.
  Routing of_ranks(std::shared_ptr<const Topology> ranks) const;
  /// Descending on a hypercube, dimension-ordered elsewhere.
  static RoutingOrder default_order(const Topology& topology);

  const Topology& topology() const { return *topology_; }
  const std::shared_ptr<const Topology>& shared_topology() const { return topology_; }
  RoutingOrder order() const { return order_; }
  /// The table; null: there is none.
  const RoutingTable* table() const { return table_.get(); }
  /// The virtual channels of a message class where nothing is said of them.
  int default_vcs() const;
  /// T: the layers into which the `vcs` virtual channels of a message class are cut. On a ring or
  /// torus they are two, h or l and p, if there are at least two; under a table those that it
  /// names, or the next number that divides `vcs`. 0: there are too few.
  int layers_among(int vcs) const;
  /// Its name on the command line: that of the order, or of the table, `table:updown`.
  std::string name() const;
  const TieBreak& tie_break() const { return tie_break_; }
  VcUse vc_use() const { return vc_use_; }
  bool is_adaptive() const { return order_ == RoutingOrder::adaptive; }

  /// The tie mask of message `number` of `from`, which goes to `to`, by the rule of the tie-break;
  /// under a table 0.
  TieMask default_ties(NodeId from, NodeId to, int number) const {
    return table_ ? 0 : tie_break_.ties(*topology_, from, to, number);
  }
  /// The next hop from `here`; none if `here` is the destination. Bit i of `ties` set: an exact
  /// half-ring offset in dimension i is taken in the - direction. Under adaptive routing, the hop
  /// preferred. `arrival` is the class of the virtual channel by which the head came, and only a
  /// table asks for it.
  std::optional<Hop> route(NodeId here, NodeId destination, TieMask ties,
                           VcClass arrival = VcClass::injected) const;
  /// The class that the head requests which goes on by `hop` from `here` and came in on `input` of
  /// the router (external ports first, then injection channels) by a virtual channel of class
  /// `arrival`: that of `hop`, unless the use of virtual channels is balanced.
  VcClass requested_class(NodeId here, const Hop& hop, std::size_t input, VcClass arrival) const {
    const bool is_free = vc_use_ == VcUse::balanced && hop.vc_class != VcClass::p;
    return is_free ? balanced_class(here, hop.port, input, arrival) : hop.vc_class;
  }
  /// The next hop of a label worm from `here`; none if `here` is the destination. At its sender the
  /// hop crosses the lowest dimension of `chosen`, if there is one (mesh only).
  std::optional<Hop> label_route(NodeId here, NodeId destination, TieMask chosen) const;
  /// The next hop from `here` of a message of `kind`, no tree and no join, which goes to
  /// `destination` next (a path worm: whose source that is), came in by a virtual channel of class
  /// `arrival` and has `ties` in its header; none where it ends.
  std::optional<Hop> next_hop(MessageKind kind, NodeId here, NodeId destination, TieMask ties,
                              VcClass arrival) const;
  /// The hop from the sender of a message of `kind`, which goes to `destination` first; `ties` are
  /// those of its header.
  Hop first_hop(MessageKind kind, NodeId sender, NodeId destination, TieMask ties) const;
  /// The whole sequence of external channels from `from` to `to`, on one leg of a message of
  /// `kind`, one that has destinations. Of a label worm, `ties` determine the first hop.
  std::vector<Channel> path(NodeId from, NodeId to, TieMask ties = 0,
                            MessageKind kind = MessageKind::unicast) const;
  /// Calls `action` with each channel of the path of a unicast, in order.
  template <typename Action>
  void walk(NodeId from, NodeId to, TieMask ties, Action action) const {
    walk_hops(from, to, ties, [&](NodeId here, const Hop& hop) {
      action(Channel{here, hop.port});
    });
  }
  /// The same with each node that the route leaves and the hop that it takes there.
  template <typename Action>
  void walk_hops(NodeId from, NodeId to, TieMask ties, Action action) const {
    NodeId here = from;
    VcClass arrival = VcClass::injected;
    while (const std::optional<Hop> hop = route(here, to, ties, arrival)) {
      action(here, *hop);
      here = *topology_->neighbour(here, hop->port);
      arrival = hop->vc_class;
    }
  }
  /// Hops from `from` to `to`.
  int distance(NodeId from, NodeId to) const;

  /// Ports of the dimensions in which `here` and `destination` differ (hypercube only).
  static PortMask useful_ports(NodeId here, NodeId destination) {
    return static_cast<PortMask>(index(here) ^ index(destination));
  }

  /// The position of `here` on the Hamiltonian path from `source` that follows the binary-reflected
  /// Gray code, 0 .. nodes - 1 (hypercube only).
  std::size_t path_position(NodeId here, NodeId source) const;
  /// The port by which a path worm of `source` leaves the router of `here`; none at the end.
  std::optional<PortId> path_branch(NodeId here, NodeId source) const;

  /// The tie mask that takes a message from `from` to `to` by the signed `displacement`; none if
  /// the displacement does not lead there or is not minimal.
  std::optional<TieMask> ties_of(NodeId from, NodeId to,
                                 const std::vector<int>& displacement) const;
  /// The signed displacement of the route from `from` to `to` under `ties`, per dimension.
  std::vector<int> displacement(NodeId from, NodeId to, TieMask ties) const;

 private:
  int signed_offset(NodeId from, NodeId to, std::size_t dimension, TieMask ties) const;
  Hop hop_of_table(NodeId here, NodeId destination, VcClass arrival) const;
  VcClass balanced_class(NodeId here, PortId port, std::size_t input, VcClass arrival) const;

  std::shared_ptr<const Topology> topology_;
  std::shared_ptr<const RoutingTable> table_;
  RoutingOrder order_;
  TieBreak tie_break_;
  VcUse vc_use_;
};

}  // namespace allport
