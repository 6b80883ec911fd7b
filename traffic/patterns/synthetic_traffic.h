// SPDX-License-Identifier: Apache-2.0
// SyntheticTraffic says when each node starts a message, its destination and its length. Every node
// draws from its own SplitMix64, seeded node_seed(seed, 2^20, node): in each cycle one draw decides
// whether a message starts, and only then come the draws of its destination and, where lengths
// vary, the one of its length (docs/guide/traffic.md).
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "rtl_model/base/split_mix.h"
#include "rtl_model/topology/tie_break.h"
#include "traffic/patterns/pattern.h"

namespace allport {

/// The draws x with x / 2^64 < `probability`, in doubles, are those below this number, because the
/// quotient, rounded to a double, never decreases as x grows.
std::uint64_t draw_threshold(double probability);

/// The traffic that the nodes offer to a fabric, and when it is measured.
struct TrafficRequest {
  const Pattern* pattern = &find_pattern("uniform");
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

  double mean_flits() const;
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
  /// A draw below it starts a message; 0: `node` sends nothing.
  std::uint64_t start_threshold(NodeId node) const;
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
  std::uint64_t start_threshold_;
  std::uint64_t hotspot_threshold_;
  std::uint64_t long_threshold_;
  std::vector<bool> is_hotspot_;  // by node; empty: the pattern has none
};

/// The messages of one node.
class MessageSource {
 public:
  /// `traffic` must outlive it.
  MessageSource(const SyntheticTraffic& traffic, NodeId node);

  /// The node's next message; none when there are no more.
  std::optional<Start> next();

 private:
  bool pass_silence(Cycle cycles);

  const SyntheticTraffic* traffic_;
  SplitMix64 generator_;
  std::uint64_t threshold_;
  NodeId node_;
  Cycle cycle_ = 0;  // the first cycle without a draw
  int number_ = 0;   // of the next message
};

}  // namespace allport
