// SPDX-License-Identifier: Apache-2.0
// WormRoutes has the routes of messages of every kind as trees of hops: the external channels a
// message takes, in preorder from its sender, and a leaf for each copy that is ejected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "rtl_model/topology/routing.h"
#include "traffic/schedule/schedule.h"

namespace allport {

/// Largest number of hops of all routes together; a check of worms takes about twenty bytes for
/// each.
constexpr std::size_t max_worm_hops = std::size_t{1} << 25;

class WormRoutes {
 public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  /// `lane` is the number of the part of a channel that a hop takes, a class of its virtual
  /// channels.
  struct Hop {
    std::uint32_t lane = 0;
    std::uint32_t parent = none;  ///< the previous hop; none: this hop leaves the sender's router
    std::uint32_t end = 0;        ///< index after the last hop that lies behind this one
    std::uint32_t message = 0;
  };

  /// `vcs` is the number of virtual channels of an external channel.
  /// `has_tree_lane`: whether trees have one of their own.
  WormRoutes(const Routing& routing, int internal_ports, int vcs, bool has_tree_lane = false);

  /// The classes of virtual channels that the heads of one message take where they may choose
  /// (Routing::requested_class): of choice k, 0, 1, .., p if bit `bit` of k is set, otherwise h or
  /// l; the other way round if `is_inverted`.
  struct Choices {
    unsigned bit = 31;
    bool is_inverted = false;
  };

  /// Adds the route of `unicast`, which must be valid, and returns the number of choices on it.
  /// Throws std::invalid_argument when there are more than max_worm_hops hops.
  std::size_t add(const Unicast& unicast) { return add(unicast, Choices()); }
  std::size_t add(const Unicast& unicast, Choices choices);

  const Routing& routing() const { return routing_; }
  std::size_t message_count() const { return begins_.size() - 1; }
  /// The hops of `message`: begin(message) .. end(message) - 1.
  std::uint32_t begin(std::size_t message) const { return begins_[message]; }
  std::uint32_t end(std::size_t message) const { return begins_[message + 1]; }
  std::size_t hop_count() const { return hops_.size(); }
  const Hop& operator[](std::uint32_t hop) const { return hops_[hop]; }

  std::size_t lane_count() const { return lanes_ * channel_count_ + ejection_count_; }
  bool is_ejection(std::uint32_t hop) const { return hops_[hop].lane >= lanes_ * channel_count_; }
  /// The number of an external channel: by node, then port.
  std::size_t channel_number(std::uint32_t hop) const { return hops_[hop].lane / lanes_; }
  std::size_t channel_count() const { return channel_count_; }
  /// The channel of a hop; the port of an ejection is counted on from the external ports.
  Channel channel(std::uint32_t hop) const;
  /// The node to which an external hop leads, or at which a copy is ejected.
  NodeId node_behind(std::uint32_t hop) const;
  /// The buffer that a hop is taken from: a lane, or, from lane_count() on, an injection channel.
  std::uint32_t buffer_before(std::uint32_t hop) const;
  /// Whether all messages of one buffer come out of it in the order in which they went in.
  bool is_queue(std::uint32_t buffer) const { return buffer >= lane_count() || lane_vcs_ == 1; }
  /// Whether lanes are classes of virtual channels; otherwise they are whole channels.
  bool has_classes() const { return layers_ > 1; }
  /// The class of the lane of an external hop.
  VcClass class_of(std::uint32_t hop) const {
    const std::size_t lane = hops_[hop].lane % lanes_;
    return lane == layers_ ? VcClass::tree : class_of_layer(static_cast<int>(lane));
  }
  /// Whether all copies on an ejection channel come out of one queue, so that nothing waits for it.
  bool has_private_ejection() const { return is_all_port_ && vcs_ == 1; }

 private:
  std::uint32_t push(std::size_t lane, std::uint32_t parent);
  std::uint32_t push_channel(Channel channel, VcClass vc_class, std::uint32_t parent);
  void push_copy(std::uint32_t hop);
  std::size_t add_row(const Unicast& unicast, Choices choices);
  void close_row(std::size_t begin);
  void add_path(NodeId source);
  void add_branches(NodeId here, const Unicast& tree, std::uint32_t parent);

  const Routing& routing_;
  std::size_t ports_;
  std::size_t internal_ports_;
  int vcs_;
  std::size_t layers_;  // of a channel: h or l and p, those of a table, or one
  std::size_t lanes_;   // of a channel: its layers, and that of trees
  int lane_vcs_;        // virtual channels of a lane
  bool is_all_port_;
  std::size_t channel_count_;
  std::size_t ejection_count_;
  std::vector<Hop> hops_;
  std::vector<std::uint32_t> begins_{0};
  std::vector<std::uint32_t> injections_;  // of each message: node, then internal port
};

}  // namespace allport
