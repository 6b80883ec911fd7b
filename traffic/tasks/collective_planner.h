// SPDX-License-Identifier: Apache-2.0
// A CollectivePlanner plans the messages by which a collective of a trace is carried out: those of
// an algorithm's schedule on the fabric of the ranks, with lengths in bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string_view>
#include <tuple>
#include <vector>

#include "traffic/algorithms/algorithms.h"
#include "traffic/tasks/collective_goal.h"
#include "traffic/tasks/task_graph.h"

namespace allport {

/// One message between two places of a collective.
struct CollectiveMessage {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint32_t number = 0;  ///< how many of the same pair come before it
  std::uint64_t bytes = 0;
  TieMask ties = default_ties;  ///< those of the plan, where the places are the nodes of the fabric
};

struct CollectiveMessages {
  std::vector<CollectiveMessage> messages;
  std::vector<std::vector<std::uint32_t>> sends;     ///< of each place, in the order of its program
  std::vector<std::vector<std::uint32_t>> receives;  ///< of each place, by step
  /// The receptions that message i waits for are waits[first_wait[i]] .. waits[first_wait[i + 1]).
  std::vector<std::uint32_t> waits;
  std::vector<std::size_t> first_wait;
  std::uint32_t most_of_a_pair = 0;  ///< messages of the pair that has the most
  std::uint64_t bytes = 0;           ///< of all messages
};

/// A collective as it is planned: who sends whom which blocks, and how long they are.
struct PlannedCall {
  CollectiveGoal goal;
  Collective collective;  ///< of nodes 0, 1, .., which are the places
  Schedule schedule;      ///< without what is empty; unicast i is message i
  CollectiveMessages messages;

  std::uint64_t bytes_of(BlockId block) const;
};

class CollectivePlanner {
 public:
  /// Where a collective of some ranks is planned: node i is place i.
  struct Fabric {
    Routing routing;
    int internal_ports;
    /// Whether it is the fabric of the nodes, and place i on node i.
    bool is_real = false;
    TimingParameters timing{};  ///< of the run, without the length of a message
    std::uint64_t seed = 1;     ///< of what is drawn
  };

  /// `fabric_of(ranks)` is asked for each number of members, `chosen` has the algorithms of some
  /// operations.
  CollectivePlanner(std::function<Fabric(std::size_t)> fabric_of,
                    std::map<Operation, const Algorithm*> chosen, int flit_bytes);

  /// The algorithm of `goal`: the chosen one, else what its calls name, else the default of the
  /// fabric.
  const Algorithm& algorithm(const CollectiveGoal& goal);
  /// Whether its algorithm is the chosen one.
  bool is_chosen(const CollectiveGoal& goal) const {
    return goal.kind == CallKind::operation && chosen_.count(goal.operation) > 0;
  }

  const Fabric& fabric(std::size_t members);

  /// Throws std::invalid_argument if the algorithm does not apply or sends worms, which tasks
  /// cannot. A prefix sum goes along the chain of its places.
  std::shared_ptr<const CollectiveMessages> messages(const CollectiveGoal& goal);

  /// The same of two members or more with what the messages carry, planned anew; not for prefix
  /// sums.
  PlannedCall plan_call(const CollectiveGoal& goal);

 private:
  using Key = std::tuple<CallKind, Operation, const Algorithm*, std::size_t, std::uint32_t,
                         std::vector<std::uint64_t>, std::uint64_t>;

  CollectiveMessages plan_messages(const CollectiveGoal& goal);

  std::function<Fabric(std::size_t)> fabric_of_;
  std::map<Operation, const Algorithm*> chosen_;
  int flit_bytes_;
  std::map<std::size_t, Fabric> fabrics_;  // by number of members
  std::map<Key, std::shared_ptr<const CollectiveMessages>> planned_;
  std::size_t kept_ = 0;  // messages of planned_
};

/// The default algorithm of `operation` on `topology`.
const Algorithm& default_algorithm(Operation operation, const Topology& topology);

/// The algorithm of this name for `operation`, if tasks can carry it out. Throws
/// std::invalid_argument, a clause, for an unknown name, an algorithm for something else and one
/// that sends worms.
const Algorithm& task_algorithm(Operation operation, std::string_view name);

}  // namespace allport
