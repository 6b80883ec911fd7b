// SPDX-License-Identifier: Apache-2.0
// FabricChannels numbers the virtual channels of a whole fabric: external ones by sending router,
// output and VC, then those of injection channels, then those of ejection channels. The buffer of
// an input VC has the number of the virtual channel that leads to it. An internal channel has a
// virtual channel for each message class. Ports that lead nowhere have numbers, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rtl_model/router/router_config.h"
#include "rtl_model/topology/topology.h"
#include "testbench/observe/monitors/ports_there.h"

namespace allport {

class FabricChannels {
 public:
  using Number = std::uint32_t;
  /// One end of a virtual channel: `port` counts external ports first, then internal ones.
  struct End {
    NodeId node{};
    int port = 0;
    int vc = 0;
  };

  /// Throws std::invalid_argument, one sentence, for a fabric with 2^32 virtual channels or more.
  FabricChannels(const RouterConfig& config, const Topology& topology);

  std::size_t size() const { return size_; }
  std::size_t nodes() const { return nodes_; }
  const RouterConfig& config() const { return config_; }

  /// The virtual channel `vc` of `output`, external or ejection, of the router of `node`.
  Number output(NodeId node, int output, int vc) const {
    if (!config_.is_external(output)) return internal(first_ejection_, node, output, vc);
    return (static_cast<Number>(index(node)) * ports_ + static_cast<Number>(output)) * vcs_ +
           static_cast<Number>(vc);
  }
  /// Virtual channel `vc`, a message class, of the injection channel of internal port `port`,
  /// 0 .. K - 1, of `node`.
  Number injection(NodeId node, int port, int vc = 0) const {
    return internal(first_injection_, node, config_.external_ports + port, vc);
  }
  /// The first virtual channel of the channel of `channel`.
  Number first_of(Number channel) const {
    if (is_external(channel)) return channel / vcs_ * vcs_;
    return channel - (channel - first_injection_) % classes_;
  }
  /// Whether `input` of the router of `node` has a channel (`ports_there.h`).
  bool has_input(NodeId node, int input) const { return (inputs_[index(node)] >> input & 1U) != 0; }
  /// The same for an output.
  bool has_output(NodeId node, int output) const {
    return (outputs_[index(node)] >> output & 1U) != 0;
  }
  /// Whether the channel of `channel` is there, and not only its number.
  bool is_there(Number channel) const {
    const End end = sender(channel);
    return is_injection(channel) ? has_input(end.node, end.port) : has_output(end.node, end.port);
  }
  /// The channels that are there, each once for all of its VCs.
  std::size_t channel_count() const { return channel_count_; }
  /// The virtual channel that leads to VC `vc` of `input`, which has one, of the router of `node`.
  Number input(NodeId node, int input, int vc) const;

  /// The number of the processor of `node` as a place; it is no channel.
  Number processor(NodeId node) const {
    return static_cast<Number>(size_) + static_cast<Number>(index(node));
  }
  bool is_processor(Number place) const { return place >= size_; }
  bool is_external(Number channel) const { return channel < first_injection_; }
  bool is_injection(Number channel) const {
    return channel >= first_injection_ && channel < first_ejection_;
  }
  bool is_ejection(Number channel) const { return channel >= first_ejection_; }
  /// The output, or the processor's injection port, that puts flits on `channel`.
  End sender(Number channel) const;
  /// The input behind `channel`, which is external or an injection channel.
  End receiver(Number channel) const;

  /// Cycles from the decision that sends a flit until it is in the buffer beyond, or for an
  /// ejection channel on that channel.
  Cycle flight(Number channel) const {
    if (is_injection(channel)) return 0;
    if (is_ejection(channel)) return config_.ejection_flight();
    return config_.flight_at(node(channel), static_cast<int>(port(channel)));
  }
  /// D of an external channel: cycles after which a flit that its receiver has discarded comes
  /// again.
  Cycle replay(Number external) const {
    return config_.replay_cycles_at(node(external), static_cast<int>(port(external)));
  }
  /// Cycles for which a flit occupies `channel`.
  int phits(Number channel) const {
    return is_external(channel) ? config_.phits_at(node(channel), static_cast<int>(port(channel)))
                                : 1;
  }
  /// Cycles from the one in which a flit leaves the buffer beyond until its sender can use the
  /// credit; an ejected flit leaves with its decision.
  Cycle credit_flight(Number channel) const {
    if (is_external(channel)) return 1 + link_delay(channel);
    return is_ejection(channel) ? 1 + config_.ejection_flight() : 2;
  }

 private:
  static constexpr std::uint32_t no_neighbour = 0xffffffffU;

  Number port(Number external) const { return external / vcs_ % ports_; }
  NodeId node(Number external) const { return node_id(external / vcs_ / ports_); }
  Cycle link_delay(Number external) const {
    return config_.link_delay_at(node(external), static_cast<int>(port(external)));
  }
  Number internal(Number first, NodeId node, int port, int vc) const {
    const Number at = static_cast<Number>(index(node)) * internal_ +
                      static_cast<Number>(port - config_.external_ports);
    return first + at * classes_ + static_cast<Number>(vc);
  }

  const RouterConfig config_;
  const std::size_t nodes_;
  const Number ports_;  // external
  const Number internal_;
  const Number vcs_;      // of an external channel
  const Number classes_;  // those of an internal one
  Number first_injection_ = 0;
  Number first_ejection_ = 0;
  std::size_t size_ = 0;
  std::size_t channel_count_ = 0;
  std::vector<PortMask> inputs_, outputs_;  // that have a channel, by node
  struct LinkEnd {
    std::uint32_t node;  // or no_neighbour
    std::uint8_t port;
  };
  std::vector<LinkEnd> far_ends_;   // of the channel of each external output, by node, then port
  std::vector<LinkEnd> near_ends_;  // where the channel of each external input begins
};

}  // namespace allport
