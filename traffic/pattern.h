// SPDX-License-Identifier: Apache-2.0
// Synthetic traffic: when each node starts a message and to whom. Every node draws from its own
// SplitMix64, seeded node_seed(seed, 2^20, node): in each cycle one draw decides whether a message
// starts, and only then the next one gives its destination (docs/user-guide.md, patterns).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "rtl_model/topology/ids.h"
#include "traffic/split_mix.h"

namespace allport {

/// A message starts at its node in `cycle`.
struct Start {
  Cycle cycle = 0;
  NodeId destination{};
};

/// What the nodes of a fabric offer to it.
struct TrafficRequest {
  std::size_t node_count = 2;  ///< at least 2
  double rate = 0;             ///< flits per node and cycle, 0 .. flits
  int flits = 1;               ///< L, of every message
  Cycle cycles = 0;            ///< messages start in cycles 0 .. cycles - 1
  std::uint64_t seed = 1;
};

/// One node's messages of the pattern `uniform`: every other node is as likely.
class UniformPattern {
 public:
  /// Throws std::invalid_argument naming the value and its range.
  UniformPattern(const TrafficRequest& request, NodeId node);

  /// The node's next message; none when there are no more.
  std::optional<Start> next();

 private:
  SplitMix64 generator_;
  std::uint64_t threshold_;  // a draw below it starts a message
  std::size_t others_;       // nodes but this one
  NodeId node_;
  Cycle cycle_ = 0;  // not yet drawn for
  Cycle cycles_;
};

struct Pattern {
  std::string_view name;
  std::string_view summary;  ///< one line for `allport list`
};

/// All patterns, in the order of the documentation.
const std::vector<Pattern>& patterns();

/// The pattern called `name`; throws std::invalid_argument that offers the nearest name.
const Pattern& find_pattern(std::string_view name);

}  // namespace allport
