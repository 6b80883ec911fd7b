// SPDX-License-Identifier: Apache-2.0
// An Embedding places a plan that is made on one fabric, the ranks', on another. By the Gray codes
// of [CasanovaSlides], rings, tori and meshes whose sides are powers of two are placed on a
// hypercube so that neighbours stay neighbours. Each coordinate i becomes its binary-reflected Gray
// code i xor (i >> 1); the first coordinate has the highest bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "traffic/algorithms/algorithms.h"
#include "traffic/planning/placement.h"
#include "traffic/schedule/block_flow.h"

namespace allport {

class Embedding {
 public:
  /// By Gray codes. Throws std::invalid_argument unless `host` is a hypercube, and `guest` a ring,
  /// torus or mesh with as many nodes and sides that are powers of two.
  Embedding(const std::shared_ptr<const Topology>& guest, const Routing& host);
  /// By `placement`, which names different nodes of `host`. If ranks are gone, those that are there
  /// are on all nodes of the host in their order, and a plan is changed as replanning.h says.
  Embedding(Placement placement, const Routing& host);

  const Routing& guest() const { return guest_; }
  /// The place of a node of the guest on the host, or nowhere, and the other way round.
  NodeId on_host(NodeId guest) const { return on_host_[index(guest)]; }
  NodeId on_guest(NodeId host) const { return on_guest_[index(host)]; }

  /// Plans `goal`, a goal among the places on the host, on the guest, and places the schedule on
  /// the host. The guest has all ports if the host has all, and otherwise at most the host's
  /// internal ports. Displacements vanish, unless the placement says where they go. The steps are
  /// kept if they obey the host's port rule; otherwise each unicast gets the first step, after what
  /// it waits for, in which its injection port is free. `parts`, `seed` and `block` as in
  /// PlanRequest; the message, the vector or each block has `flits`. Throws as plan() does.
  Schedule plan(const Algorithm& algorithm, const Multicast& goal, int internal_ports,
                int parts = 0, int flits = 16, std::uint64_t seed = 1,
                std::shared_ptr<const UnitBlock> block = nullptr) const;

  /// A schedule of the ranks that no algorithm has planned, on the host, with its own steps. Blocks
  /// are those of `goal`, the ranks' goal; displacements as in plan(). Throws std::invalid_argument
  /// naming the message when the displacement of one leads elsewhere on the guest.
  Schedule placed(Schedule of_ranks, const Collective& goal) const;

  /// Which blocks the places exchange in `operation`, numbered in ascending order of the nodes;
  /// null: it is no exchange among neighbours.
  std::shared_ptr<const NeighbourBlocks> neighbours(Operation operation) const;

 private:
  // What the blocks of a schedule of the ranks are.
  struct Blocks {
    Operation operation;
    BlockId parts = 1;
    const NeighbourBlocks* neighbours = nullptr;
    bool is_vector_by_rank = false;  // of an allreduce: block i is the part of rank i
  };
  Multicast guest_goal(const Algorithm& algorithm, const Multicast& goal) const;
  std::size_t place_of(NodeId node) const;  // among the places, ascending
  // None: it belongs to a rank that is gone.
  std::optional<BlockId> block_on_host(BlockId block, const Blocks& blocks) const;
  TieMask ties_on_host(const Unicast& unicast) const;
  void place(Schedule& schedule, const Blocks& blocks) const;
  Collective goal_on_host(const Algorithm& algorithm, const Multicast& goal,
                          const Schedule& schedule, int parts,
                          std::shared_ptr<const NeighbourBlocks> neighbours) const;
  void assign_steps(Schedule& schedule, const Collective& collective, int internal_ports) const;

  Routing guest_;
  const Routing& host_;
  std::size_t gone_;  // ranks that are nowhere
  std::vector<NodeId> on_host_;
  std::vector<std::size_t> dimensions_;  // of the placement
  std::vector<NodeId> on_guest_;         // by node of the host; of those without a rank, any
  std::vector<NodeId> members_;          // the places, ascending; empty: all nodes of the host
};

}  // namespace allport
