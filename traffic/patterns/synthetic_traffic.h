// SPDX-License-Identifier: Apache-2.0
// SyntheticTraffic says when each node starts a message, its destination and its length. Every node
// draws from its own SplitMix64, seeded node_seed(seed, 2^20, node): for each message the silence
// before it, then its destination and, where lengths vary, its length. A flow draws the silences,
// counted in the cycles in which it is on, from a SplitMix64 of its own, seeded with its place in
// the table (docs/guide/traffic.md).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "rtl_model/base/split_mix.h"
#include "rtl_model/topology/tie_break.h"
#include "traffic/patterns/flow.h"
#include "traffic/patterns/geometric_gap.h"
#include "traffic/patterns/pattern.h"

namespace allport {

/// The draws x with x / 2^64 < `probability`, in doubles, are those below this number, because the
/// quotient, rounded to a double, never decreases as x grows.
std::uint64_t draw_threshold(double probability);

/// A closed loop in the place of a rate: each node keeps requests under way, and makes the next one
/// in the cycle in which it has a reply.
struct ClosedLoop {
  int outstanding = 1;  ///< requests of a node that are under way, 1 .. limits::outstanding.high
  int reply_flits = 1;  ///< length of a reply in flits
  Cycle service = 0;    ///< cycles from having a request until its reply may be prepared
};

/// The traffic that the nodes offer to a fabric, and when it is measured.
struct TrafficRequest {
  /// Flows in place of pattern, rate, lengths and hotspots; null: there are none.
  std::shared_ptr<const FlowTable> flows{};
  const Pattern* pattern = &find_pattern("uniform");
  std::optional<ClosedLoop> loop{};  ///< none: nodes start messages at the rate
  double rate = 0;     ///< offered load, 0 .. mean length, in flits per node and cycle
  int flits = 16;      ///< length L of the short messages in flits
  int flits_long = 0;  ///< length of the long messages in flits, more than L; 0: there are none
  double long_fraction = 0;        ///< share of the long messages, 0 .. 1
  Cycle warmup = 0;                ///< first cycle measured, 0 .. cycles - 1
  Cycle cycles = 0;                ///< number of cycles in which messages start
  std::vector<NodeId> hotspots{};  ///< hotspots, at least one if the pattern has them
  double hotspot_fraction = 0;     ///< share of messages to the hotspots, 0 .. 1
  std::uint64_t seed = 1;
  TieBreak ties{};  ///< rule of messages half a ring away

  /// Mean length of the messages of a pattern.
  double mean_flits() const;
  int longest_flits() const;

  /// What a node starts on average: messages per cycle, and their mean length.
  struct Load {
    double messages = 0;
    double flits = 0;
  };
  /// The loads of `nodes` nodes, in the cycles in which messages start; of a pattern the one load
  /// of all nodes that send.
  std::vector<Load> loads(std::size_t nodes) const;
  /// The messages that `nodes` nodes start in all, on average.
  double messages(std::size_t nodes) const;
};

/// A message starts at its node in `cycle`.
struct Start {
  Cycle cycle = 0;
  NodeId destination{};
  int flits = 0;
  TieMask ties = 0;  ///< dimensions in which it crosses half a ring in the - direction
};

/// The rules that the draws of all nodes follow.
class SyntheticTraffic {
 public:
  /// `topology` must outlive it. Throws std::invalid_argument naming the value and its range.
  /// Once `stop` is set, no further message starts; null: there is no such flag.
  SyntheticTraffic(const TrafficRequest& request, const Topology& topology,
                   const std::atomic<bool>* stop = nullptr);

  const TrafficRequest& request() const { return request_; }
  bool is_stopped() const { return stop_ != nullptr && stop_->load(); }
  /// Whether the pattern has a destination for `node`.
  bool sends(NodeId node) const;
  /// The generator of what is at `place` of the table of flows or, of a pattern, of that node.
  SplitMix64 generator(std::size_t place) const;
  /// The silence before a message of the flow at `place` of the table, or of the pattern (place 0).
  const GeometricGap& gap(std::size_t place) const { return gaps_[place]; }
  /// The places of the flows of `node`, in the order of the table.
  const std::vector<std::uint32_t>& flows_of(NodeId node) const { return flows_of_[index(node)]; }
  NodeId draw_destination(NodeId node, SplitMix64& generator) const;
  int draw_flits(SplitMix64& generator) const;
  /// The ties of message `number` of `node`, which goes to `destination`.
  TieMask ties(NodeId node, NodeId destination, int number) const {
    return request_.ties.ties(topology_, node, destination, number);
  }

 private:
  NodeId draw_hotspot(NodeId node, SplitMix64& generator) const;

  const TrafficRequest request_;
  const Topology& topology_;
  const std::atomic<bool>* stop_;
  std::vector<GeometricGap> gaps_;  // one of the pattern, or by place in the table of flows
  std::uint64_t hotspot_threshold_;
  std::uint64_t long_threshold_;
  std::vector<bool> is_hotspot_;                      // by node; empty: the pattern has none
  std::vector<std::vector<std::uint32_t>> flows_of_;  // by node; empty: there is a pattern
};

/// The messages of one node.
class MessageSource {
 public:
  /// `traffic` must outlive it.
  MessageSource(const SyntheticTraffic& traffic, NodeId node);

  /// The node's next message; none when there are no more.
  std::optional<Start> next();

 private:
  struct Stream {
    SplitMix64 generator;
    const GeometricGap* gap = nullptr;
    Cycle cycles = 0;            // in which messages may start
    const Flow* flow = nullptr;  // whose cycles they are; null: those of the run
    Cycle passed = 0;            // of them

    /// The next of these cycles in which a message starts; none if there is no such one.
    std::optional<Cycle> next();
  };
  using Due = std::pair<Cycle, std::size_t>;  // when a stream starts a message

  void expect(std::size_t stream);
  std::optional<Start> next_of_pattern();
  std::optional<Start> next_of_flows();

  const SyntheticTraffic* traffic_;
  NodeId node_;
  std::vector<Stream> streams_;  // one of a pattern, or those of the node's flows
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;  // of flows
  int number_ = 0;                                                  // of the next message
};

}  // namespace allport
