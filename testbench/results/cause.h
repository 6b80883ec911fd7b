// SPDX-License-Identifier: Apache-2.0
// These are the causes of the cycles of a latency (docs/explain.md): every cycle of a message, from
// its creation until its receiver has it, has exactly one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace allport {

enum class Cause : std::uint8_t {
  receive,      ///< tr: the receiver takes it over
  prepare,      ///< ts: the sender prepares it
  hop,          ///< it crosses a channel
  length,       ///< the flit before it in its message goes first
  port,         ///< a message before it on its injection port is not wholly injected
  processor,    ///< its sender prepares another message, or waits for the one due before it
  jitter,       ///< the random delay at its injection port
  replication,  ///< the replication delay
  behind,       ///< another message is at the front of its buffer
  channel,      ///< its head has no virtual channel
  credit,       ///< it has no credit, because another message stands beyond
  turnaround,   ///< it has no credit, although nobody stands beyond: the way of a credit
  mode,         ///< its head has a credit, and the switching mode demands more
  crossbar,     ///< it has a channel and credits, and another flit crosses: `switch`
  ack,          ///< the acknowledgement of its circuit is under way
  branch,       ///< another branch of its worm has not taken it
  combine,      ///< the combine delay of a join
  join,         ///< another contribution to its join has not come
  width,        ///< a narrow channel carries a flit of it, phit by phit
  order,        ///< a message of its sender and tag that was sent before it has not come
};
constexpr std::size_t cause_count = 20;

/// Whether it is a wait in a queue, in which a message may blame all that are before it.
constexpr bool is_queue(Cause cause) { return cause == Cause::port || cause == Cause::processor; }

/// The name in reports: `tr`, `ts`, `hop`, ..
const char* to_string(Cause cause);
const std::array<Cause, cause_count>& causes();

/// Whether the cycles of a cause are waiting: a message that is prepared, taken over, or moves does
/// not wait.
bool is_waiting(Cause cause);

}  // namespace allport
