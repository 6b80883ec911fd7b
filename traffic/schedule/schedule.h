// SPDX-License-Identifier: Apache-2.0
// A Schedule is the plan of a collective: which unicasts are sent, by whom, in which
// message-passing step and in which order of the sender's program. It is plain data; schedule_check
// judges it, the nodes run it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rtl_model/base/ids.h"
#include "rtl_model/base/one_or_more.h"
#include "rtl_model/base/rare_vector.h"
#include "rtl_model/router/combine.h"
#include "rtl_model/topology/message_kind.h"
#include "rtl_model/topology/routing.h"

namespace allport {

/// A block of a collective (traffic/schedule/collective.h): 0, 1, ...
using BlockId = std::uint32_t;
/// Largest number of blocks that the unicasts of a schedule carry together; each takes 4 bytes, so
/// that they leave three quarters of 16 GiB to the messages, the proof and the nodes.
constexpr std::size_t max_carried_blocks = std::size_t{1} << 30;

/// Largest number of messages that an algorithm plans; a ring all-reduce of so many is proved in
/// less than 4 GiB, with 110 bytes for each (docs/performance.md).
constexpr std::size_t max_planned_messages = std::size_t{1} << 25;

/// Throws std::invalid_argument, one sentence with both numbers, when a plan on `topology` has more
/// than max_planned_messages messages or these carry more than max_carried_blocks blocks together;
/// to be asked before anything is planned.
void require_plan_fits(const Topology& topology, std::size_t messages, std::size_t carried);

/// One planned transfer. For the kinds `tree` and `path` the worm goes from u to every node of its
/// group and v is not used. For the kinds `join` and `join-tree` it is the contribution of u to the
/// join whose root is v, u itself or another node of the group. There are millions of them, so the
/// small members stand together; it takes 64 bytes.
struct Unicast {
  NodeId u{};
  NodeId v{};
  StepIndex step = 1;  ///< 1, 2, ...
  int order = 0;       ///< position in u's own program: 0, 1, ...
  MessageKind kind = MessageKind::unicast;
  /// Signed displacement per dimension; empty: minimal, exact ties in the + direction.
  RareVector<int> displacement{};
  /// Kinds `multidestination` and `label`: the destinations before v, in the order in which they
  /// are reached.
  RareVector<NodeId> via{};
  /// Blocks that it carries, one after another; empty: the whole message.
  OneOrMore<BlockId> blocks{};
  bool adds = false;  ///< whether the receiver adds it to what it has (reductions)
  /// Kind `label`: the dimension that its first hop crosses; -1: that of the routing function.
  std::int8_t first_dimension = -1;
  JoinTag join{};  ///< kinds `join` and `join-tree`: which join of its group, and what it computes
  /// Kinds `tree`, `join` and `join-tree`: the free dimensions of its group; 0: all of them.
  DimensionMask free = 0;
};

struct Schedule {
  std::vector<Unicast> unicasts;  ///< sorted by step, u, order

  /// Restores the order by step, u, order.
  void sort();
  /// The largest step; 0 when empty.
  StepIndex steps() const;
  bool has_unicasts_only() const;
};

/// Numbers the messages of each sender anew: by step, those of one step in the order in which they
/// stand there. Sorts the schedule.
void number_by_step(Schedule& schedule);

/// Numbers the messages of each sender 0, 1, .. in the order of its program, which stays, after
/// some were left out because their blocks are empty.
void close_gaps(Schedule& schedule);

/// `schedule` backwards in time: each message from its receiver to its sender, the last step first.
/// For unicasts without displacements.
Schedule backwards(const Schedule& schedule);

/// The transfer in words: `unicast 0 -> 7 (step 1)`, `tree worm 0 -> all (step 1)`.
std::string describe(const Unicast& unicast, const Topology& topology);
/// The same of a schedule whose fabric is not known, by the numbers of its ranks.
std::string describe_of_ranks(const Unicast& unicast);

/// What is wrong with `unicast`'s route, in one sentence; empty if it is valid. A fault is a node
/// outside the fabric, u among the destinations or one of them named twice, a group with a
/// dimension that the fabric does not have or without u, a path worm on a fabric that is not a
/// hypercube, a label worm on one that is not a mesh, out of the order of labels or with a first
/// hop that does not fit, a list of destinations or a first dimension for a kind that has none, or
/// a displacement that does not lead from u to v, is not minimal or does not fit the kind.
std::string route_fault(const Unicast& unicast, const Routing& routing);

/// The ties in the header of `unicast`'s message, of a label worm the dimension of its first hop;
/// throws std::invalid_argument with its route_fault.
TieMask ties_of(const Unicast& unicast, const Routing& routing);
/// The same of a route that is known to be valid.
TieMask ties_of_valid(const Unicast& unicast, const Routing& routing);

/// The external port by which `unicast`'s route begins; it is not for worms to all nodes, and the
/// route must be valid.
PortId first_port(const Unicast& unicast, const Routing& routing);

/// The external channels of `unicast`'s route, in order: for a message with a list leg after leg,
/// for a path worm along the whole Hamiltonian path, for a contribution to a join up to its root.
/// It is not for tree worms, and the route must be valid.
std::vector<Channel> channels(const Unicast& unicast, const Routing& routing);

/// The destinations of a multidestination or label message in order: via, then v.
std::vector<NodeId> destinations(const Unicast& unicast);

/// The nodes that receive a valid `unicast`: those of the destinations, on the way of a deposit, of
/// a path or the group of a tree without the sender; of a join its root, of a join-tree the whole
/// group.
std::vector<NodeId> receivers(const Unicast& unicast, const Routing& routing);

/// Gives each unicast or deposit message without displacement that of the tie-break of `routing`;
/// messages outside the fabric are left as they are.
void settle_ties(Schedule& schedule, const Routing& routing);

/// Fills in the displacement of `unicast` from a tie mask, but only if a tie is taken in the
/// - direction.
void set_ties(Unicast& unicast, TieMask ties, const Routing& routing);

}  // namespace allport
