// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/algorithms.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "rtl_model/base/names.h"
#include "traffic/algorithms/binary_tree.h"
#include "traffic/algorithms/dcf.h"
#include "traffic/algorithms/disjoint_paths.h"
#include "traffic/algorithms/edn.h"
#include "traffic/algorithms/exchange.h"
#include "traffic/algorithms/hamiltonian.h"
#include "traffic/algorithms/hk.h"
#include "traffic/algorithms/hypercube_multicast.h"
#include "traffic/algorithms/reduction.h"
#include "traffic/algorithms/replication_tree.h"
#include "traffic/algorithms/ring_broadcast.h"
#include "traffic/algorithms/ring_collectives.h"
#include "traffic/algorithms/sbt.h"
#include "traffic/algorithms/separate.h"
#include "traffic/algorithms/torus_rounds.h"
#include "traffic/algorithms/tseng.h"
#include "traffic/algorithms/zblock.h"
#include "traffic/schedule/step_assignment.h"

namespace allport {

namespace {

bool is_hypercube(const Topology& topology) { return topology.is_hypercube(); }
bool is_any(const Topology&) { return true; }

std::string not_for(const Algorithm& algorithm, const Topology& topology) {
  return "algorithm " + std::string(algorithm.name) + " is for " + std::string(algorithm.fabrics) +
         "; " + topology.name() + " is not one";
}

std::string has_fixed_steps(const Algorithm& algorithm) {
  std::string words = "algorithm " + std::string(algorithm.name) +
                      " has its steps fixed by phases; contention-aware steps are for";
  const char* separator = " ";
  for (const Algorithm& other : algorithms()) {
    if (!other.takes_step_rule) continue;
    words += separator + std::string(other.name);
    separator = ", ";
  }
  return words;
}

}  // namespace

const std::vector<Algorithm>& algorithms() {
  constexpr MessageKind unicast = MessageKind::unicast;
  static const std::vector<Algorithm> table{
      {"ucube", "multicast by halving the ascending chain", "McKinley94", "hypercubes", false,
       unicast, is_hypercube, plan_ucube, Operation::bcast, true},
      {"maxport", "multicast that uses as many ports as it can", "Robinson93", "hypercubes", false,
       unicast, is_hypercube, plan_maxport, Operation::bcast, true},
      {"combine", "multicast that takes the farther choice of ucube and maxport", "Robinson93",
       "hypercubes", false, unicast, is_hypercube, plan_combine, Operation::bcast, true},
      {"wsort", "maxport on the chain sorted by subcube weight", "Robinson93", "hypercubes", false,
       unicast, is_hypercube, plan_wsort, Operation::bcast, true},
      {"sbt", "spanning binomial tree, pruned to the ancestors of the destinations",
       "CasanovaSlides", "hypercubes", false, unicast, is_hypercube, plan_sbt, Operation::bcast,
       true},
      {"separate", "one unicast from the source to each destination", "baseline", "all fabrics",
       false, unicast, is_any, plan_separate, Operation::bcast, true},
      {"hk", "broadcast by ascending paths, cut evenly", "HoKao95", "hypercubes", true, unicast,
       is_hypercube, plan_hk},
      {"binary-tree", "broadcast over the in-order embedded complete binary tree", "Ranka88",
       "hypercubes", true, unicast, is_hypercube, plan_binary_tree, Operation::bcast, true},
      {"tree", "pipelined broadcast by one worm that the routers replicate", "Jeon01", "hypercubes",
       true, MessageKind::tree, is_hypercube, plan_replication_tree},
      {"hamiltonian", "broadcast by one worm along the Gray-code path, a copy at every node",
       "Jeon01", "hypercubes", true, MessageKind::path, is_hypercube, plan_hamiltonian},
      {"dcf", "depth contention-free broadcast in d steps", "Hou98", "2^d x 2^d tori", true,
       unicast, is_power_of_two_torus, plan_dcf},
      {"zblock", "recursive Z_block broadcast in d steps", "Hou98", "2^d x 2^d tori", true, unicast,
       is_power_of_two_torus, plan_zblock},
      {"edn", "broadcast by extended dominating nodes in d steps", "TsaiMcKinley96",
       "2^d x 2^d tori", true, unicast, is_power_of_two_torus, plan_edn},
      {"edn-positive",
       "edn as printed: exact ties all go in the + direction, so messages share a channel",
       "TsaiMcKinley96", "2^d x 2^d tori", true, unicast, is_power_of_two_torus, plan_edn_positive},
      {"tseng", "broadcast over dilated diagonals", "Tseng97", "two-dimensional tori", true,
       unicast, is_flat_torus, plan_tseng},
      {"ring", "broadcast around a unidirectional ring", "CasanovaSlides", "rings", true, unicast,
       is_ring, plan_ring_broadcast},
      {"disjoint-paths",
       "pieces over the node-disjoint shortest paths to one destination, by worms",
       "CasanovaSlides", "hypercubes", false, unicast, is_hypercube, plan_disjoint_paths,
       Operation::bcast, false, true},
      {"disjoint-relays", "the same by unicasts, forwarded where the paths turn", "CasanovaSlides",
       "hypercubes", false, unicast, is_hypercube, plan_disjoint_relays, Operation::bcast, false,
       true},
      {"ring-scatter", "each node's block around the ring, the farthest first", "CasanovaSlides",
       "rings", true, unicast, is_ring, plan_ring_scatter, Operation::scatter},
      {"ring-gather", "each node's block around the ring to the root", "CasanovaSlides", "rings",
       true, unicast, is_ring, plan_ring_gather, Operation::gather},
      {"ring-allgather", "all-to-all broadcast: all blocks once around the ring", "CasanovaSlides",
       "rings", true, unicast, is_ring, plan_ring_allgather, Operation::allgather},
      {"ring-alltoall", "gossip: personalised all-to-all, distance after distance",
       "CasanovaSlides", "rings", true, unicast, is_ring, plan_ring_alltoall, Operation::alltoall},
      {"exchange-scatter", "recursive halving, highest dimension first", "CasanovaSlides",
       "hypercubes", true, unicast, is_hypercube, plan_exchange_scatter, Operation::scatter},
      {"exchange-gather", "recursive halving reversed", "CasanovaSlides", "hypercubes", true,
       unicast, is_hypercube, plan_exchange_gather, Operation::gather},
      {"exchange-allgather", "recursive doubling, dimension after dimension", "CasanovaSlides",
       "hypercubes", true, unicast, is_hypercube, plan_exchange_allgather, Operation::allgather},
      {"exchange-alltoall", "half of all blocks cross each dimension in turn", "CasanovaSlides",
       "hypercubes", true, unicast, is_hypercube, plan_exchange_alltoall, Operation::alltoall},
      {"exchange-allreduce", "recursive doubling of sums", "CasanovaSlides", "hypercubes", true,
       unicast, is_hypercube, plan_exchange_allreduce, Operation::allreduce},
      {"exchange-barrier", "recursive doubling of one-flit messages", "CasanovaSlides",
       "hypercubes", true, unicast, is_hypercube, plan_exchange_allreduce, Operation::barrier},
      {"sbt-reduce", "sums up the spanning binomial tree", "CasanovaSlides", "hypercubes", true,
       unicast, is_hypercube, plan_sbt_reduce, Operation::reduce},
      {"sbt-allreduce", "sums up the spanning binomial tree, then their broadcast",
       "CasanovaSlides", "hypercubes", true, unicast, is_hypercube, plan_sbt_allreduce,
       Operation::allreduce},
      {"sbt-barrier", "one-flit messages up the spanning binomial tree and down", "CasanovaSlides",
       "hypercubes", true, unicast, is_hypercube, plan_sbt_allreduce, Operation::barrier},
      {"wsort-reduce", "sums up the reverse of W-sort's tree", "Robinson93", "hypercubes", true,
       unicast, is_hypercube, plan_wsort_reduce, Operation::reduce},
      {"wsort-allreduce", "sums up the reverse of W-sort's tree, then W-sort", "Robinson93",
       "hypercubes", true, unicast, is_hypercube, plan_wsort_allreduce, Operation::allreduce},
  };
  return table;
}

const Algorithm& find_algorithm(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.name == name) return algorithm;
    names.push_back(algorithm.name);
  }
  throw std::invalid_argument(unknown_name("algorithm", name, names));
}

Schedule plan(const Algorithm& algorithm, const PlanRequest& request) {
  const Topology& topology = request.routing.topology();
  if (!algorithm.is_for(topology)) throw std::invalid_argument(not_for(algorithm, topology));
  const bool is_broadcast = request.goal.destinations.size() + 1 == topology.node_count();
  if (algorithm.broadcast_only && !is_broadcast) {
    throw std::invalid_argument(
        "algorithm " + std::string(algorithm.name) +
        (algorithm.operation == Operation::bcast ? " is a broadcast" : " is for all nodes") +
        ": it takes the destinations 'all' only");
  }
  if (algorithm.one_destination && request.goal.destinations.size() != 1) {
    throw std::invalid_argument("algorithm " + std::string(algorithm.name) +
                                " takes one destination, not " +
                                std::to_string(request.goal.destinations.size()));
  }
  if (request.step_rule == StepRule::aware && !algorithm.takes_step_rule) {
    throw std::invalid_argument(has_fixed_steps(algorithm));
  }
  require_internal_ports(request.internal_ports, topology);
  return algorithm.plan(request);
}

Collective collective_of(const Algorithm& algorithm, const Topology& topology,
                         const Multicast& goal) {
  const std::size_t nodes = topology.node_count();
  if (algorithm.operation == Operation::bcast) return {nodes, goal, 1};
  return {algorithm.operation, nodes, goal.source};
}

std::vector<NodeId> relays(const Schedule& schedule, const Multicast& goal) {
  std::vector<NodeId> receivers;
  for (const Unicast& unicast : schedule.unicasts) receivers.push_back(unicast.v);
  std::sort(receivers.begin(), receivers.end());
  receivers.erase(std::unique(receivers.begin(), receivers.end()), receivers.end());
  std::vector<NodeId> others;
  std::set_difference(receivers.begin(), receivers.end(), goal.destinations.begin(),
                      goal.destinations.end(), std::back_inserter(others));
  return others;
}

}  // namespace allport
