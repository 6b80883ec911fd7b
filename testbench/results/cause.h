// SPDX-License-Identifier: Apache-2.0
// These are the causes of the cycles of a latency (docs/explain.md): every cycle of a message, from
// its creation until its receiver has it, has exactly one. What is said of a cause stands in its
// row.
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
  reception,    ///< it has no credit, because a reception buffer is full of what is not taken
  pipeline,     ///< a router with several stages holds its head, or has it in its crossbar
  retry,        ///< a channel repeats it, or something else on the output that it takes
};

/// What the reports say of a cause.
struct CauseRow {
  Cause cause;
  const char* name;     ///< in texts, in JSON and on pages
  const char* meaning;  ///< of the cycles of messages, for the table of their sum
  /// Whether its cycles are waiting: a message that is prepared, taken over, or moves does not
  /// wait.
  bool is_waiting;
  bool leads_on = false;  ///< whether what such a wait blames may wait in turn
  /// Whether such a wait counts at its channel though it blames nobody.
  bool waits_unblamed = false;
};

/// All causes, in the order of their values.
inline constexpr std::array cause_rows{
    CauseRow{Cause::receive, "tr", "the receivers take them over", false},
    CauseRow{Cause::prepare, "ts", "the senders prepare them", false},
    CauseRow{Cause::hop, "hop", "they cross channels", false},
    CauseRow{Cause::length, "length", "their flits follow one another", false},
    CauseRow{Cause::port, "port", "messages before them use the injection port", true, true},
    CauseRow{Cause::processor, "processor", "their senders prepare other messages first", true},
    CauseRow{Cause::jitter, "jitter", "random delays at the injection ports", true},
    CauseRow{Cause::replication, "replication", "the replication delay", true},
    CauseRow{Cause::behind, "behind", "other messages stand before them in a buffer", true, true},
    CauseRow{Cause::channel, "channel", "their heads wait for a virtual channel", true, true},
    CauseRow{Cause::credit, "credit", "the buffer beyond is full of another message", true, true},
    CauseRow{Cause::turnaround, "turnaround", "the way of a credit: buffers are short", true, false,
             true},
    CauseRow{Cause::mode, "mode", "the switching mode demands more room", true, true, true},
    CauseRow{Cause::crossbar, "switch", "other flits cross the switch", true},
    CauseRow{Cause::ack, "ack", "acknowledgements of circuits", true},
    CauseRow{Cause::branch, "branch", "other branches of their worms", true},
    CauseRow{Cause::combine, "combine", "the combine delay", true},
    CauseRow{Cause::join, "join", "other contributions to their joins", true},
    CauseRow{Cause::width, "width", "channels are narrower than a flit", false},
    CauseRow{Cause::order, "order", "messages of their sender and tag that were sent before them",
             true},
    CauseRow{Cause::reception, "reception", "reception buffers are full of what is not taken", true,
             false, true},
    CauseRow{Cause::pipeline, "pipeline", "the stages of routers with a pipeline", false},
    CauseRow{Cause::retry, "retry", "channels repeat what came in error", true}};
constexpr std::size_t cause_count = cause_rows.size();

constexpr const CauseRow& row_of(Cause cause) {
  return cause_rows.at(static_cast<std::size_t>(cause));
}
constexpr const char* to_string(Cause cause) { return row_of(cause).name; }
constexpr bool is_waiting(Cause cause) { return row_of(cause).is_waiting; }

/// Whether it is a wait in a queue, in which a message may blame all that are before it.
constexpr bool is_queue(Cause cause) { return cause == Cause::port || cause == Cause::processor; }

inline constexpr std::array<Cause, cause_count> all_causes = [] {
  std::array<Cause, cause_count> all{};
  for (std::size_t i = 0; i < cause_count; ++i) all[i] = cause_rows[i].cause;
  return all;
}();
constexpr const std::array<Cause, cause_count>& causes() { return all_causes; }
static_assert(
    [] {
      for (std::size_t i = 0; i < cause_count; ++i) {
        if (all_causes[i] != static_cast<Cause>(i)) return false;
      }
      return true;
    }(),
    "a cause has no row, or it is not at its place");

}  // namespace allport
