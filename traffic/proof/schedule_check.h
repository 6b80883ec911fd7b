// SPDX-License-Identifier: Apache-2.0
// Proves or refutes a schedule of unicasts without simulating it: does everybody receive exactly
// once, from somebody who has the message, within the ports, on valid routes, and can two of its
// messages ever want the same channel at the same time? Theorem 1 of [Hou98] is the sound criterion
// for all-port nodes; Definition 4 of [Robinson93] and the stepwise notion are the papers' own.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rtl_model/topology/routing.h"
#include "traffic/schedule/collective.h"
#include "traffic/schedule/schedule.h"

namespace allport {

/// A pair of unicasts that share a channel without being ordered, a before b by (step, u, order).
struct PairViolation {
  std::size_t a = 0;  ///< index into Schedule::unicasts
  std::size_t b = 0;
  Channel channel{};  ///< the first one they share
};

struct Finding {
  std::size_t violations = 0;
  std::vector<std::string> first;    ///< up to ten sentences (the first four checks)
  std::vector<PairViolation> pairs;  ///< up to ten, in order (the last three checks)
  bool ok() const { return violations == 0; }
  void add(const std::string& sentence);
  /// All that `other` found.
  void add(const Finding& other);
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
  /// False where messages are multidestination worms: stepwise, definition4 and theorem1 are about
  /// unicasts and say nothing then.
  bool judges_contention = true;
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
};

/// `schedule` must hold unicasts only, or beside them, where there is a collective of blocks,
/// multidestination worms (throws std::invalid_argument otherwise). Node ids may be
/// anything: those out of range are findings of routes_valid. A 12-cube broadcast takes well under
/// two seconds whatever the algorithm.
ScheduleReport check_schedule(const Schedule& schedule, const CheckRequest& request);

/// Throws std::invalid_argument, one sentence naming the unicast, unless the nodes can run
/// `schedule` (of any kinds) to its end: every route valid, and every sender has received in an
/// earlier step. The nodes on the way of a deposit worm receive, and every node of a tree worm.
void require_runnable(const Schedule& schedule, const CheckRequest& request);

}  // namespace allport
