// SPDX-License-Identifier: Apache-2.0
// Proves or refutes schedules without simulating them: does everybody receive exactly once, from
// somebody who has the message, within the ports, on valid routes, and can two of their messages
// ever want the same channel at the same time? Of the unicasts of one collective Theorem 1 of
// [Hou98] is the sound criterion for all-port nodes; Definition 4 of [Robinson93] and the stepwise
// notion are the papers' own. Worms of other kinds, and several collectives at once, are judged by
// their routes, and whether they can deadlock as well (docs/algorithms.md, section 14).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "rtl_model/base/stop_flag.h"
#include "rtl_model/topology/routing.h"
#include "traffic/schedule/collective.h"
#include "traffic/schedule/schedule.h"

namespace allport {

/// How far a check goes.
struct CheckLimits {
  /// Pairs that a finding of the contention checks counts; of more it says so.
  std::size_t max_violations = 1000;
  StopFlag stop = nullptr;  ///< the check throws Stopped once it is set
};

/// A pair of messages that share a channel without being ordered, a before b by (step, u, order);
/// those of several collectives by collective first.
struct PairViolation {
  std::size_t a = 0;  ///< index into Schedule::unicasts, of several one after another
  std::size_t b = 0;
  Channel channel{};  ///< the first one they share
};

struct Finding {
  std::size_t violations = 0;
  bool is_truncated = false;         ///< there are more, that were not counted
  std::vector<std::string> first;    ///< up to ten sentences (the first four checks)
  std::vector<PairViolation> pairs;  ///< up to ten, in order (the last three checks)
  bool ok() const { return violations == 0; }
  void add(const std::string& sentence);
  /// All that `other` found.
  void add(const Finding& other);
};

/// A message waits for a channel that the message of the next wait, in a circle, may hold.
struct WormWait {
  std::size_t message = 0;          ///< index as of PairViolation
  Channel channel{};                ///< from the number of external ports on: an ejection channel
  std::optional<VcClass> vc_class;  ///< where channels have classes, of an external one
};

/// What is judged by routes.
struct WormFindings {
  Finding contention;            ///< pairs that may meet
  std::vector<WormWait> circle;  ///< of waits that is possible; empty: there is none, no deadlock
};

struct ScheduleReport {
  Finding exactly_once;  ///< every destination receives once, nobody twice, a source never
  Finding causality;     ///< a node sends only in steps after the one in which it received
  Finding port_rule;     ///< at most one unicast per node, step and injection port
  Finding routes_valid;  ///< u != v, both in the fabric, displacement leads there and is minimal
  Finding stepwise;      ///< unicasts of the same step are channel-disjoint
  Finding definition4;   ///< [Robinson93, definition 4]
  Finding theorem1;      ///< [Hou98, theorem 1]
  Finding collective;    ///< all that must be received is, from nodes that have it: the first two
  /// Of worms of other kinds and of several collectives. stepwise, definition4 and theorem1, which
  /// are about the unicasts of one, say nothing then.
  std::optional<WormFindings> worms;
  /// A sentence where a program is in another order than its steps; what is judged is the order of
  /// the programs. Empty: all are in the same.
  std::string order_note;
  bool judges_unicasts() const { return !worms.has_value(); }
  /// Whether it is proved that no two messages ever want a channel at the same time.
  bool is_contention_free() const;
  bool ok() const;
};

/// What the schedule is checked against. Several sources all hold the message from the start. Where
/// unicasts carry blocks, exactly_once and causality are about those of `collective`, sources and
/// destinations mean nothing, and definition4 and theorem1 go by what depends on what
/// (block_contention.h).
struct CheckRequest {
  const Routing& routing;
  int internal_ports;
  std::vector<NodeId> sources;
  std::vector<NodeId> destinations;
  const Collective* collective = nullptr;  ///< none: all unicasts carry the whole message
  CheckLimits limits{};
  int vcs = 0;  ///< virtual channels of an external channel; 0: the topology's default
};

/// One of several collectives that are checked together.
struct CheckedPart {
  const Schedule& schedule;
  CheckRequest request;
  /// Collective k has 2k, the barrier of messages behind it 2k + 1; 0 for all: no barrier. Two
  /// collectives are apart where a barrier is between them; of a barrier and a collective, or of
  /// two barriers, only what does not follow next.
  int phase = 0;
};

/// Node ids may be anything: those out of range are findings of routes_valid. Throws
/// std::invalid_argument for steps below 1, and where there is too much to be checked. A 12-cube
/// broadcast takes well under two seconds whatever the algorithm.
ScheduleReport check_schedule(const Schedule& schedule, const CheckRequest& request);

/// Collectives of one fabric at once, or with barriers between them, by routes; indices of the
/// report count on from schedule to schedule.
ScheduleReport check_together(const std::vector<CheckedPart>& parts);

/// Throws std::invalid_argument, one sentence naming the unicast, unless the nodes can run
/// `schedule` (of any kinds) to its end: every route valid, and every sender has received in an
/// earlier step. The nodes on the way of a deposit worm receive, and every node of a tree worm.
void require_runnable(const Schedule& schedule, const CheckRequest& request);

}  // namespace allport
