// SPDX-License-Identifier: Apache-2.0
// This header has the parameters of a router, and how its inputs, outputs and virtual channels are
// numbered. One object serves all routers of a fabric; it is constant after validation. Inputs 0
// .. n-1 are the external ones, n .. n+k-1 the injection channels; outputs likewise, ending in the
// ejection channels. An external channel has `vcs` virtual channels, an internal one has one for
// each message class (docs/router.md, message classes).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rtl_model/router/combine.h"
#include "rtl_model/router/link_table.h"
#include "rtl_model/router/switching.h"
#include "rtl_model/topology/message_kind.h"
#include "rtl_model/topology/routing.h"

namespace allport {

/// Most external ports of a router.
constexpr std::size_t max_external_ports = 63;

/// What a router is asked to be and is, without anything that depends on its fabric. A parameter
/// that stands here reaches a request, a fabric and a router by itself.
struct RouterParameters {
  /// No list of numbers makes one: the fields of what derives from it are told by their names.
  RouterParameters() {}  // NOLINT(modernize-use-equals-default)

  int buffer_depth = 4;       ///< B: flits of each virtual channel's buffer, 1 .. 4096
  int link_delay = 0;         ///< d: further registers of an external channel, 0 .. 1024 cycles;
                              ///< where they differ, the most
  int replication_delay = 0;  ///< r: how long a tree flit is held before it branches, 0 .. 1024
                              ///< cycles
  int combine_delay = 0;      ///< c: how long the flits of a join are held where they meet,
                              ///< 0 .. 1024 cycles
  int route_delay = 0;     ///< a: from a head's coming to the front until it asks for VCs, 0 .. 4
                           ///< cycles
  int vc_delay = 0;        ///< v: from winning a VC until its branch takes part, 0 .. 4 cycles
  int crossbar_delay = 0;  ///< x: further cycles of a flit on its way out, 0 .. 4
  /// Cycles from a head's coming to the front until it takes part, if nothing else holds it.
  int head_delay() const { return route_delay + vc_delay; }
  /// Cycles from the decision that sends a flit until it leaves the router.
  int exit_delay() const { return crossbar_delay; }
  /// Cycles for which the pipeline of each router holds the head of a message.
  int pipeline_delay() const { return head_delay() + exit_delay(); }
  CombineOrder combine_order = CombineOrder::port;  ///< of the operands of a join; not a matter of
                                                    ///< time
  Switching switching = Switching::wormhole;
  int classes = 1;     ///< C: message classes, 1 .. 8, each with virtual channels of its own
  bool retry = false;  ///< whether external channels repeat what comes in error
};

/// What a delay of the pipeline is called.
struct PipelineDelay {
  int RouterParameters::*cycles;
  const char* name;       ///< where it is out of range: `vc delay`
  const char* words;      ///< in reports: `VC delay`
  const char* option;     ///< `--vc-delay`
  const char* parameter;  ///< of a router in RTL: `VcDelay`
};

constexpr std::array<PipelineDelay, 3> pipeline_delays{{
    {&RouterParameters::route_delay, "route delay", "route delay", "--route-delay", "RouteDelay"},
    {&RouterParameters::vc_delay, "vc delay", "VC delay", "--vc-delay", "VcDelay"},
    {&RouterParameters::crossbar_delay, "crossbar delay", "crossbar delay", "--crossbar-delay",
     "CrossbarDelay"},
}};

struct RouterConfig : RouterParameters {
  int external_ports = 0;  ///< n: from the topology
  int internal_ports = 0;  ///< k: injection and ejection channels each, 1 .. n
  int vcs = 1;             ///< V: virtual channels of an external channel, 1 .. 16
  /// T: layers into which the VCs of each message class are cut, 1 .. vcs; on a ring or torus two,
  /// h or l and p, if there are VC classes; under a table those that it names, or some more.
  int layers = 1;
  int join_vcs = 0;  ///< those of `vcs`, its last ones, that serve nothing but joins and trees
  std::array<std::uint16_t, max_external_ports> link_delays{};  ///< those of each external port
  int most_phits = 1;  ///< s: cycles for which a flit occupies an external channel, 1 .. 64; where
                       ///< they differ, the most
  std::array<std::uint8_t, max_external_ports> further_phits{};  ///< s - 1 of each external port
  /// The channels one by one, in the place of what is said of ports; null: those of a port are
  /// alike.
  std::shared_ptr<const LinkTable> links{};
  int longest_message = 0;       ///< most flits of a message that the routers take; 0: any number
  bool length_in_heads = false;  ///< whether heads carry their length in every switching mode

  /// Whether heads carry the length of their message.
  bool heads_carry_length() const { return length_in_heads || buffers_messages(switching); }
  int ports() const { return external_ports + internal_ports; }
  int channel_vcs() const { return external_ports * vcs + internal_ports * classes; }
  bool is_external(int port) const { return port < external_ports; }
  /// Number of the virtual channel `vc` of input or output `port` among all those of the router; of
  /// an internal port `vc` is the message class.
  int channel_vc(int port, int vc) const {
    return is_external(port) ? port * vcs + vc
                             : external_ports * vcs + (port - external_ports) * classes + vc;
  }
  /// The virtual channels of an external channel that a message class has, those of joins and trees
  /// alone not counted.
  int vcs_of_class() const { return (vcs - join_vcs) / classes; }
  /// Those of a layer.
  int vcs_of_layer() const { return vcs_of_class() / layers; }
  /// The class of a message on virtual channel `vc` of input or output `port`.
  int message_class(int port, int vc) const {
    if (classes == 1) return 0;
    return is_external(port) ? vc / vcs_of_class() : vc;
  }
  /// Whether the channels of all dimensions have the same link delay.
  bool has_one_link_delay() const;
  /// Whether a flit occupies some external channel for more than a cycle.
  bool has_narrow_channels() const { return most_phits > 1; }
  /// Whether an output may be busy with what it took in an earlier cycle.
  bool has_busy_outputs() const { return has_narrow_channels() || retry; }
  /// Cycles for which a flit occupies the channel of `output`.
  int phits(int output) const {
    return is_external(output) ? 1 + further_phits[static_cast<std::size_t>(output)] : 1;
  }
  /// Cycles from when a flit leaves the crossbar by external port `port`, which is x after the
  /// decision that sends it, until all of it is at the far end.
  int hop_cycles(int port) const {
    return phits(port) + link_delays[static_cast<std::size_t>(port)];
  }
  // The same of the channels of a router, which may have their own:
  /// d of the channel of external output `port`.
  int link_delay_at(NodeId node, int port) const {
    const auto place = static_cast<std::size_t>(port);
    return links == nullptr ? link_delays[place] : links->delays[links->place(node, place)];
  }
  /// d of the channel that ends at external input `port`.
  int input_delay_at(NodeId node, int port) const {
    const auto place = static_cast<std::size_t>(port);
    return links == nullptr ? link_delays[place] : links->input_delays[links->place(node, place)];
  }
  int phits_at(NodeId node, int output) const {
    if (links == nullptr || !is_external(output)) return phits(output);
    return 1 + links->further_phits[links->place(node, static_cast<std::size_t>(output))];
  }
  int hop_cycles_at(NodeId node, int port) const {
    return phits_at(node, port) + link_delay_at(node, port);
  }
  /// Cycles from the decision that sends a flit until all of it is at the far end of external
  /// output `port`: x + s + d.
  int flight_at(NodeId node, int port) const { return exit_delay() + hop_cycles_at(node, port); }
  /// The same until it is on an ejection channel: x + 1.
  int ejection_flight() const { return exit_delay() + 1; }
  /// D: with retry, cycles after which a flit that was discarded at the far end of external output
  /// `port` is there again.
  int replay_cycles_at(NodeId node, int port) const {
    return flight_at(node, port) + hop_cycles_at(node, port);
  }
  /// The most of all external channels; 0: they repeat nothing.
  int longest_replay() const { return retry ? 2 * longest_hop() + exit_delay() : 0; }
  /// The most of all external channels.
  int longest_hop() const;
  /// Cycles from a flit's decision until the place that it takes beyond `port` can be used again.
  int round_trip(int port) const {
    return exit_delay() + hop_cycles(port) + 1 + link_delays[static_cast<std::size_t>(port)];
  }
  /// The most of all external channels.
  int longest_round_trip() const;
  /// Flits of a buffer with which every external channel runs at full rate if flits are held for
  /// `held` cycles.
  int full_rate_depth(int held) const;
  int vcs_of(int port) const { return is_external(port) ? vcs : classes; }
  /// The input or output to which virtual channel number `channel_vc` belongs.
  int port_of(int channel_vc) const {
    const int internal = channel_vc - external_ports * vcs;
    return internal < 0 ? channel_vc / vcs : external_ports + internal / classes;
  }
  /// The internal port that serves external port `port`.
  int internal_port(int port) const { return port % internal_ports; }
  /// Whether it matters when a flit arrived: it may be held for some cycles, or combined in turn.
  bool keeps_arrivals() const {
    return replication_delay > 0 || combine_delay > 0 || combine_order == CombineOrder::arrival;
  }
  /// The output that ejects a flit that arrived on `input`.
  int ejection_output(int input) const { return external_ports + internal_port(input); }
};

/// The parameters that a user may choose.
struct RouterChoice : RouterParameters {
  /// 1..16; 0 is the default: for each message class 2 on a ring or torus and for adaptive routing,
  /// else 1.
  int vcs = 0;
  /// 0: joins and trees use the VCs of all; 1: they share a further VC; 2: joins have one further
  /// VC and trees another.
  int join_vcs = 0;
  std::vector<int> link_delays{};  ///< by dimension; empty: link_delay everywhere
  /// The channels one by one, in the place of both and of phits; null: they follow these.
  std::shared_ptr<const LinkTable> links{};
};

/// The same for a fabric, with what depends on it.
struct FabricConfig : RouterChoice {
  int internal_ports = 0;        ///< 1 .. external ports; 0 is the default: all of these
  bool length_in_heads = false;  ///< heads carry their length in every switching mode
  /// Whether the routers of a torus follow a rule of VC classes that is not known here: no class is
  /// demanded of a VC, and freedom of deadlock is not proved.
  bool custom_vc_classes = false;
  /// Cycles for which a flit occupies an external channel, by dimension; empty: one cycle.
  std::vector<int> phits{};
  int longest_message = 0;  ///< most flits of a message that the routers take; 0: any number
};

/// Most flits of a message whose head carries its length.
constexpr int max_carried_length = 8191;

/// Most routers in a fabric whose routers are separate modules.
constexpr std::size_t max_router_count = std::size_t{1} << 18;

/// Throws std::invalid_argument unless `by_dimension` is empty or has a link delay for each
/// dimension of `topology`, all within range.
void require_link_delays(const std::vector<int>& by_dimension, const Topology& topology);

/// Throws std::invalid_argument unless `widths`, in bytes, are none, one for all or one for each
/// dimension of `topology`, all within 1 .. `flit_bytes`.
void require_link_widths(const std::vector<int>& widths, int flit_bytes, const Topology& topology);

/// The phits of a flit of `flit_bytes` bytes on the channels of each dimension, ceil(flit_bytes /
/// width); empty if no flit has more than one. `widths` are as require_link_widths() demands.
std::vector<int> phits_by_dimension(const std::vector<int>& widths, int flit_bytes,
                                    const Topology& topology);

/// Applies the defaults and checks every bound, the channel dependency graph included. Throws
/// std::invalid_argument with one sentence naming option, value and allowed range (and the cycle,
/// when the routing could deadlock).
RouterConfig router_config(const FabricConfig& config, const Routing& routing);

/// Throws std::invalid_argument, one sentence with both numbers, if the switching mode demands that
/// messages of `flits` flits fit into the buffers and they do not.
void require_room(const FabricConfig& config, int flits);

/// Why messages of `kind` cannot be combined with the switching mode or the routing, as the end of
/// a sentence whose subject is the message; empty if they can.
std::string kind_fault(MessageKind kind, Switching switching, const Routing& routing);

}  // namespace allport
