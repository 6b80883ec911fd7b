// SPDX-License-Identifier: Apache-2.0
// These functions prove or refute schedules without simulating them: does every destination receive
// exactly once, from a node that has the message, within the ports, on valid routes, and can two
// messages ever want the same channel at the same time? For the unicasts of one collective, Theorem
// 1 of [Hou98] is the sound criterion for all-port nodes; Definition 4 of [Robinson93] and the
// stepwise notion are the papers' own. For worms of other kinds, and for several collectives at
// once, the routes decide contention and deadlock (docs/algorithms.md, section 14).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "rtl_model/base/stop_flag.h"
#include "rtl_model/topology/routing.h"
#include "traffic/proof/block_symmetry.h"
#include "traffic/proof/finding.h"
#include "traffic/proof/sound_schedule.h"
#include "traffic/schedule/collective.h"
#include "traffic/schedule/schedule.h"

namespace allport {

/// How far a check goes.
struct CheckLimits {
  /// Largest number of pairs that a finding of the contention checks counts; it says if there are
  /// more.
  std::size_t max_violations = 1000;
  StopFlag stop = nullptr;  ///< flag at which the check throws Stopped
  /// Blocks that are alike are proved by one of them where the messages carry at least so many
  /// together; fewer are proved one by one in no time.
  std::size_t least_by_symmetry = std::size_t{1} << 16;
};

/// A message waits for a channel that the message of the next wait of the circle may hold.
struct WormWait {
  std::size_t message = 0;          ///< index as in PairViolation
  Channel channel{};                ///< an ejection channel if its port is not external
  std::optional<VcClass> vc_class;  ///< class of an external channel, where channels have classes
  std::optional<int> layer;         ///< the same under a table
};

/// The findings that are derived from routes.
struct WormFindings {
  Finding contention;            ///< pairs that may meet
  std::vector<WormWait> circle;  ///< a possible circle of waits; empty: none, so no deadlock
  Finding joins;  ///< joins that lack contributions, or may wait for one another (join_order.h)
};

/// A proof of what happens to blocks that was made for some of them and holds for all, which go the
/// ways of these (block_symmetry.h).
struct SymmetryProof {
  NodeShift shift;
  std::size_t proved = 0;  ///< blocks that were carried out
  std::size_t blocks = 0;  ///< those of the collective that are not empty
};

struct ScheduleReport {
  Finding exactly_once;  ///< every destination receives once, nobody twice, a source never
  Finding causality;     ///< a node sends only in steps after the one in which it received
  Finding port_rule;     ///< at most one unicast per node, step and injection port
  Finding routes_valid;  ///< u != v, both in the fabric, displacement leads there and is minimal
  Finding stepwise;      ///< unicasts of the same step are channel-disjoint
  Finding stepwise_vc;   ///< unicasts of the same step share no class of a channel's VCs
  Finding definition4;   ///< [Robinson93, definition 4]
  Finding theorem1;      ///< [Hou98, theorem 1]
  Finding
      collective;  ///< everything that must be received is, from nodes that have it: the first two
  /// Findings on worms of other kinds and on several collectives. If they are set, stepwise,
  /// stepwise_vc, definition4 and theorem1 are empty: these judge the unicasts of one collective.
  std::optional<WormFindings> worms;
  /// If it is set, exactly_once and causality, which hold, were proved by symmetry; the others
  /// never are. What has a finding was judged as a whole.
  std::optional<SymmetryProof> symmetry;
  /// A sentence if a program is not in the order of its steps; the check follows the program.
  /// Empty: all programs are in the order of their steps.
  std::string order_note;
  bool judges_unicasts() const { return !worms.has_value(); }
  /// Whether it is proved that no two messages ever want a channel at the same time.
  bool is_contention_free() const;
  bool ok() const;
};

/// What the schedule is checked against. Several sources all hold the message from the start. If
/// unicasts carry blocks, exactly_once and causality judge the blocks of `collective`, sources and
/// destinations are ignored, and definition4 and theorem1 follow what depends on what
/// (block_contention.h).
struct CheckRequest {
  const Routing& routing;
  int internal_ports;
  std::vector<NodeId> sources;
  std::vector<NodeId> destinations;
  const Collective* collective = nullptr;  ///< none: all unicasts carry the whole message
  CheckLimits limits{};
  int vcs = 0;       ///< virtual channels of an external channel; 0: the topology's default
  int join_vcs = 0;  ///< those of them that serve joins and trees alone
  /// What was left out of the schedule already, where it was read; null: nothing.
  const LeftOut* left_out = nullptr;
};

/// One of several collectives that are checked together.
struct CheckedPart {
  const Schedule& schedule;
  CheckRequest request;
  /// Collective k has phase 2k and the barrier of messages after it 2k + 1; all have 0 if there is
  /// no barrier. Two collectives are apart if a barrier is between them; a barrier and a
  /// collective, or two barriers, are apart unless one directly follows the other.
  int phase = 0;
};

/// One of several collectives whose lines have been judged, which is what all checks but that of
/// the routes take.
struct SoundPart {
  SoundPart(const SoundSchedule& sound, const CheckRequest& request, int phase)
      : schedule(sound.schedule()), request(request), phase(phase) {}

  const Schedule& schedule;
  const CheckRequest& request;
  int phase;
};

/// Node ids may be anything: those out of range are findings of routes_valid. Throws
/// std::invalid_argument for steps below 1, and if there is too much to check. A 12-cube broadcast
/// takes well under two seconds with any algorithm.
ScheduleReport check_schedule(const Schedule& schedule, const CheckRequest& request);

/// Checks collectives of one fabric, at once or with barriers between them, by their routes; the
/// indices of the report count on from schedule to schedule.
ScheduleReport check_together(const std::vector<CheckedPart>& parts);

/// Throws std::invalid_argument, one sentence naming the unicast, unless the nodes can run
/// `schedule` (of any kinds) to its end: every route valid, and every sender has received in an
/// earlier step. The nodes on the way of a deposit worm receive, and every node of a tree worm.
void require_runnable(const Schedule& schedule, const CheckRequest& request);

}  // namespace allport
