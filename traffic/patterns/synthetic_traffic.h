// SPDX-License-Identifier: Apache-2.0
// Synthetic traffic: when each node starts a message, to whom, of which length. Every node draws
// from its own SplitMix64, seeded node_seed(seed, 2^20, node): in each cycle one draw decides
// whether a message starts, and only then come the draws of its destination and, where lengths
// vary, the one of its length (docs/user-guide.md, patterns).
#pragma once

#include <atomic>
#include <optional>
#include <vector>

#include "rtl_model/base/split_mix.h"
#include "traffic/patterns/pattern.h"

namespace allport {

/// What the nodes of a fabric offer to it, and from when on it is measured.
struct TrafficRequest {
  const Pattern* pattern = &find_pattern("uniform");
  double rate = 0;                 ///< flits per node and cycle, 0 .. mean length
  int flits = 16;                  ///< L, of the short messages
  int flits_long = 0;              ///< of the long messages, more than L; 0: there are none
  double long_fraction = 0;        ///< of messages that are long, 0 .. 1
  Cycle warmup = 0;                ///< messages are measured from this cycle on, 0 .. cycles - 1
  Cycle cycles = 0;                ///< messages start in cycles 0 .. cycles - 1
  std::vector<NodeId> hotspots{};  ///< of a pattern that has them, at least one
  double hotspot_fraction = 0;     ///< of messages that go to them, 0 .. 1
  std::uint64_t seed = 1;

  double mean_flits() const;
};

/// A message starts at its node in `cycle`.
struct Start {
  Cycle cycle = 0;
  NodeId destination{};
  int flits = 0;
};

/// The rules that the draws of all nodes follow.
class SyntheticTraffic {
 public:
  /// `topology` must outlive it. Throws std::invalid_argument naming the value and its range.
  /// Once `stop` is set no message starts any more; null: it never is.
  SyntheticTraffic(const TrafficRequest& request, const Topology& topology,
                   const std::atomic<bool>* stop = nullptr);

  const TrafficRequest& request() const { return request_; }
  bool is_stopped() const { return stop_ != nullptr && stop_->load(); }
  /// A draw below it starts a message; 0: `node` sends nothing.
  std::uint64_t start_threshold(NodeId node) const;
  NodeId draw_destination(NodeId node, SplitMix64& generator) const;
  int draw_flits(SplitMix64& generator) const;

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

/// One node's messages.
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
  Cycle cycle_ = 0;  // not yet drawn for
};

}  // namespace allport
