// SPDX-License-Identifier: Apache-2.0
// This header has the collective algorithms: what each is called, supports and plans. Their rows
// stand in the files with their plans (rows.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "rtl_model/topology/routing.h"
#include "traffic/schedule/collective.h"
#include "traffic/schedule/schedule.h"
#include "traffic/schedule/step_assignment.h"
#include "traffic/theory/timing_model.h"

namespace allport {

struct UnitBlock;

/// What an algorithm plans for.
struct PlanRequest {
  const Routing& routing;
  int internal_ports;  ///< k: injection ports of a node, 1 .. external ports
  const Multicast& goal;
  StepRule step_rule = StepRule::naive;
  int parts = 0;  ///< parts that each block is cut into; 0: the algorithm's own number

  TimingParameters timing{0, 0, 16};  ///< of the run for which the plan shall be fast

  // Of algorithms that plan for nodes and links as they are.
  std::vector<NodeId> members{};   ///< nodes that take part, ascending; empty: all
  std::vector<Channel> missing{};  ///< channels that are not to be used, sorted
  std::uint64_t seed = 1;          ///< of what is drawn
  /// Who exchanges blocks with whom among the members; null: the neighbours of the fabric.
  std::shared_ptr<const NeighbourBlocks> neighbours{};
  PairLengths pairs{};  ///< lengths of the blocks of an alltoall; null: they have one length

  JoinTag join{};  ///< of joins: what the routers compute
  /// Whether blocks that have none of the flits of `timing` are left out of the plan afterwards, so
  /// that an algorithm need not plan them.
  bool has_blocks_left_out = false;
  /// The source, and the destinations in the order in which an algorithm shall split them; empty:
  /// the algorithm's own chain. It is cube-ordered (cube_chain.h).
  std::vector<NodeId> chain{};
  /// What an algorithm recurses that takes a block (torus_block.h); null: the block of DCF.
  std::shared_ptr<const UnitBlock> block{};
};

/// The fabrics that an algorithm supports.
struct Fabrics {
  std::string_view words;
  bool (*has)(const Topology&);
};

/// The sets of destinations that an algorithm takes: any, one node, or `all`.
enum class Destinations { any, one, all };

/// What determines the steps: a rule of step_assignment.h, either one, or the algorithm's phases.
enum class Steps { by_rule, by_phases };

/// What a reduce or allreduce sums up: the vector whole, or in one block for each node.
enum class Vector { whole, in_blocks };

/// The numbers of parts that an algorithm with a use for parts of its own may cut each block into:
/// least .. most.
struct PartCounts {
  int least = 1;
  int most = 1;
  int default_value = least;  ///< number that it takes if none is asked for
};

struct Algorithm {
  std::string_view name;
  std::string_view summary;  ///< one line for `allport list`
  std::string_view paper;    ///< key of docs/papers.md, or baseline
  Fabrics fabrics;
  Destinations destinations;
  Steps steps;
  Schedule (*plan)(const PlanRequest&);
  Operation operation = Operation::bcast;  ///< the collective that it carries out
  /// The kind of its messages: a tree or path carries it out alone, and the schedule then lists the
  /// edges of its tree. Unicast also stands for pieces of which some are multidestination worms.
  MessageKind kind = MessageKind::unicast;
  Vector vector = Vector::whole;
  /// Null: a block is one part, or any number of parts that follow each other (in_parts.h).
  PartCounts (*own_parts)(const Topology&) = nullptr;
  /// Whether it plans among any nodes of the fabric as they are, over links that are not missing;
  /// otherwise among all nodes of a fabric of ranks.
  bool is_synthesized = false;
  /// Whether the routers carry it out, among the nodes of an aligned group as they are.
  bool is_in_network = false;
  /// Whether it plans for what is left of a fabric as it is, not for ranks on its nodes.
  bool knows_missing_nodes = false;
  /// Whether some of its messages visit a list of nodes, with a copy for each.
  bool visits_lists = false;
  /// Whether it splits a chain, which may be one of the user's.
  bool takes_chain = false;
  /// Whether it recurses a block of the user's.
  bool takes_block = false;

  bool is_for(const Topology& topology) const { return fabrics.has(topology); }
  bool takes_step_rule() const { return steps == Steps::by_rule; }
  /// Whether a receiver needs to be told which destinations it serves: others follow a rule that
  /// each node knows, or list the destinations of a worm in its header anyway.
  bool needs_lists() const {
    return operation == Operation::bcast && destinations == Destinations::any &&
           kind == MessageKind::unicast && !is_synthesized;
  }
};

/// All algorithms, in the order of the documentation.
const std::vector<Algorithm>& algorithms();

/// The algorithm called `name`; throws std::invalid_argument that offers the nearest name.
const Algorithm& find_algorithm(std::string_view name);

/// What its routers must do beside routing: `copy` (for several outputs, or for the processor on
/// the way), `label` (route by labels, and copy), `join`; empty: nothing.
std::string_view routers_needed(const Algorithm& algorithm);

/// Plans `goal`. Throws std::invalid_argument, naming the algorithm and the fabrics or destination
/// sets that it supports, when it does not apply, for the rule aware if phases fix the steps, and
/// for a chain that the algorithm does not take.
Schedule plan(const Algorithm& algorithm, const PlanRequest& request);

/// The free dimensions of the group of `request`, whose nodes are all that agree in the others; 0:
/// all. Throws std::invalid_argument, naming `algorithm`, if the group is no such one.
DimensionMask aligned_dimensions(std::string_view algorithm, const PlanRequest& request);

/// The number of parts of each block of `algorithm` on `topology` if `parts` are asked for; 0: its
/// own number. Throws std::invalid_argument that names the numbers which it takes.
int part_count(const Algorithm& algorithm, const Topology& topology, int parts);

/// The goal of `algorithm` over blocks of `parts` parts each among `members`, ascending; parts 0:
/// the algorithm's own number on `topology`; no members: all nodes. For Operation::bcast that of
/// the goal's destinations; for an exchange that of `neighbours`, null: of those on `topology`; for
/// an alltoall with blocks as long as `pairs` says.
Collective collective_of(const Algorithm& algorithm, const Topology& topology,
                         const Multicast& goal, int parts = 0,
                         const std::vector<NodeId>& members = {},
                         std::shared_ptr<const NeighbourBlocks> neighbours = nullptr,
                         const PairLengths& pairs = nullptr);

/// The blocks of the exchange `operation` among the nodes of `ranks`, whose numbers are `places`,
/// as in NeighbourBlocks; null if it is not an exchange.
std::shared_ptr<const NeighbourBlocks> neighbours_of(Operation operation, const Topology& ranks,
                                                     const std::vector<std::size_t>& places = {});

/// Who exchanges blocks with whom in `operation` among the nodes of `topology`, or in a ring of its
/// `members`, a list without a shape; null if it is not an exchange.
std::shared_ptr<const NeighbourBlocks> neighbours_among(Operation operation,
                                                        const Topology& topology,
                                                        const std::vector<NodeId>& members);

/// collective_of() where the message, the vector or each block has `flits` flits. The `schedule`,
/// planned by `algorithm` with these `parts`, then does not carry the blocks that are empty.
Collective without_empty_blocks(const Algorithm& algorithm, const Topology& topology,
                                const Multicast& goal, int flits, Schedule& schedule, int parts = 0,
                                const std::vector<NodeId>& members = {},
                                std::shared_ptr<const NeighbourBlocks> neighbours = nullptr,
                                const PairLengths& pairs = nullptr);

/// The relays: nodes that receive in `schedule` and are not destinations of `goal`, ascending.
std::vector<NodeId> relays(const Schedule& schedule, const Multicast& goal);

}  // namespace allport
