// SPDX-License-Identifier: Apache-2.0
// This header has the bounds of the values that a user may choose, each written once, and the
// sentence that states them.
#pragma once

#include <cstdint>

namespace allport {

/// The whole numbers low .. high.
struct Range {
  std::int64_t low;
  std::int64_t high;

  constexpr bool has(std::int64_t value) const { return value >= low && value <= high; }
};

/// Throws std::invalid_argument unless `value` is in `range`: `vcs 20: must be 1..16`.
void require_range(const char* what, std::int64_t value, const Range& range);

namespace limits {

constexpr Range vcs{1, 16};                     ///< virtual channels of an external channel
constexpr Range classes{1, 8};                  ///< message classes
constexpr Range buffer_depth{1, 4096};          ///< flits of a virtual channel's buffer
constexpr Range link_delay{0, 1024};            ///< registers added to a channel, in cycles
constexpr Range combine_delay{0, 1024};         ///< delay of a combined flit, in cycles
constexpr Range join_vcs{0, 2};                 ///< virtual channels of joins and trees
constexpr Range replication_delay{0, 1024};     ///< delay of a replicated flit, in cycles
constexpr Range pipeline_delay{0, 4};           ///< of route, VC and crossbar, in cycles
constexpr Range flits{1, 1'000'000'000};        ///< flits of a message
constexpr Range router_flits{1, 1'000'000};     ///< of those of a message that routers move
constexpr Range address_flits{0, 256};          ///< flits of an address in a header's list
constexpr Range pieces{1, 1'000'000};           ///< pieces of a message, blocks of a vector
constexpr Range parts{1, 1'000'000};            ///< parts of a block
constexpr Range flit_bytes{1, 64};              ///< payload bytes of a flit
constexpr Range router_flit_bytes{1, 8};        ///< of those that a flit itself carries
constexpr Range bytes{1, 8'000'000'000};        ///< payload bytes of a message
constexpr Range node_cycles{0, 1'000'000'000};  ///< ts, tr, jitter and the cost of a barrier
constexpr int via = 15;  ///< destinations in a header in RTL, without the first
constexpr Range cycles{0, 1'000'000'000'000};  ///< points in time of a run
constexpr Range outstanding{1, 1'000'000};     ///< requests of a node that are under way
constexpr Range trials{1, 1 << 20};            ///< runs from reset
constexpr Range violations{1, 1'000'000};      ///< where the static check stops counting
constexpr Range jobs{1, 4096};                 ///< runs at the same time

}  // namespace limits

}  // namespace allport
