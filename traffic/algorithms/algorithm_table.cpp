// SPDX-License-Identifier: Apache-2.0
// This is the table of algorithms: a new algorithm is a file with its plan, and a row here.
#include "traffic/algorithms/algorithms.h"

#include "rtl_model/base/powers.h"
#include "traffic/algorithms/binary_tree.h"
#include "traffic/algorithms/bucket.h"
#include "traffic/algorithms/dcf.h"
#include "traffic/algorithms/dimension_lines.h"
#include "traffic/algorithms/disjoint_paths.h"
#include "traffic/algorithms/edn.h"
#include "traffic/algorithms/esbt.h"
#include "traffic/algorithms/exchange.h"
#include "traffic/algorithms/far_then_near.h"
#include "traffic/algorithms/grid_lines.h"
#include "traffic/algorithms/grid_multicast.h"
#include "traffic/algorithms/hamiltonian.h"
#include "traffic/algorithms/hk.h"
#include "traffic/algorithms/hypercube_multicast.h"
#include "traffic/algorithms/joins.h"
#include "traffic/algorithms/label_paths.h"
#include "traffic/algorithms/neighbour_exchange.h"
#include "traffic/algorithms/pairwise_alltoall.h"
#include "traffic/algorithms/reduction.h"
#include "traffic/algorithms/relay.h"
#include "traffic/algorithms/replication_tree.h"
#include "traffic/algorithms/ring_broadcast.h"
#include "traffic/algorithms/ring_collectives.h"
#include "traffic/algorithms/rotated.h"
#include "traffic/algorithms/sbt.h"
#include "traffic/algorithms/separate.h"
#include "traffic/algorithms/swing.h"
#include "traffic/algorithms/synthesized.h"
#include "traffic/algorithms/torus_block.h"
#include "traffic/algorithms/torus_rounds.h"
#include "traffic/algorithms/tseng.h"
#include "traffic/algorithms/zblock.h"

namespace allport {

namespace {

bool is_hypercube(const Topology& topology) { return topology.is_hypercube(); }
bool is_any(const Topology&) { return true; }
bool has_power_of_two_nodes(const Topology& topology) {
  return is_power_of_two(topology.node_count());
}

// Joins carry their vector whole.
PartCounts one_part(const Topology&) { return {}; }

constexpr Fabrics hypercubes{"hypercubes", is_hypercube};
constexpr Fabrics meshes{"meshes", is_mesh};
constexpr Fabrics all_fabrics{"all fabrics", is_any};
constexpr Fabrics power_of_two_tori{"2^d x 2^d tori", is_power_of_two_torus};
constexpr Fabrics flat_tori{"two-dimensional tori", is_flat_torus};
constexpr Fabrics rings{"rings", is_ring};
constexpr Fabrics tori{"rings and tori", is_torus};
constexpr Fabrics power_of_two_sides{"rings and tori whose sides are powers of two",
                                     is_swing_torus};
constexpr Fabrics of_2k_nodes{"fabrics of 2^k nodes", has_power_of_two_nodes};
constexpr Fabrics grids{"rings, tori and meshes", is_grid};

}  // namespace

const std::vector<Algorithm>& algorithms() {
  static const std::vector<Algorithm> table{
      {"ucube", "multicast by halving the ascending chain", "McKinley94", hypercubes,
       Destinations::any, Steps::by_rule, plan_ucube, Operation::bcast, MessageKind::unicast,
       Vector::whole, nullptr, false, false, false, true},
      {"maxport", "multicast that uses as many ports as it can", "Robinson93", hypercubes,
       Destinations::any, Steps::by_rule, plan_maxport, Operation::bcast, MessageKind::unicast,
       Vector::whole, nullptr, false, false, false, true},
      {"combine", "multicast that takes the farther choice of ucube and maxport", "Robinson93",
       hypercubes, Destinations::any, Steps::by_rule, plan_combine, Operation::bcast,
       MessageKind::unicast, Vector::whole, nullptr, false, false, false, true},
      {"wsort", "maxport on the chain sorted by subcube weight", "Robinson93", hypercubes,
       Destinations::any, Steps::by_rule, plan_wsort, Operation::bcast, MessageKind::unicast,
       Vector::whole, nullptr, false, false, false, true},
      {"sbt", "spanning binomial tree, pruned to the ancestors of the destinations",
       "CasanovaSlides", hypercubes, Destinations::any, Steps::by_rule, plan_sbt},
      {"relay", "multicast over neighbours, processors relay, these first (reading of the project)",
       "Robinson93", hypercubes, Destinations::any, Steps::by_rule, plan_relay},
      {"relay-routers", "the same, routers pass it on at relays with one successor", "Robinson93",
       hypercubes, Destinations::any, Steps::by_rule, plan_relay_routers},
      {"separate", "one unicast from the source to each destination", "baseline", all_fabrics,
       Destinations::any, Steps::by_rule, plan_separate},
      {"umesh", "multicast by halving the chain sorted by coordinates", "McKinley94", meshes,
       Destinations::any, Steps::by_rule, plan_umesh},
      {"utorus",
       "the same chain (this project's reading), turned so that it begins with the source",
       "RobinsonMcKinleyCheng95", tori, Destinations::any, Steps::by_rule, plan_utorus},
      {"hk", "broadcast by ascending paths, cut evenly", "HoKao95", hypercubes, Destinations::all,
       Steps::by_phases, plan_hk},
      {"binary-tree", "broadcast over the in-order embedded complete binary tree", "Ranka88",
       hypercubes, Destinations::all, Steps::by_rule, plan_binary_tree},
      {"esbt", "broadcast in pieces down n edge-disjoint spanning binomial trees", "JohnssonHo89",
       hypercubes, Destinations::all, Steps::by_phases, plan_esbt},
      {"tree", "pipelined broadcast by one worm that the routers replicate", "Jeon01", all_fabrics,
       Destinations::all, Steps::by_phases, plan_replication_tree, Operation::bcast,
       MessageKind::tree, Vector::whole, nullptr, false, true},
      {"hamiltonian", "broadcast by one worm along the Gray-code path, a copy at every node",
       "Jeon01", hypercubes, Destinations::all, Steps::by_phases, plan_hamiltonian,
       Operation::bcast, MessageKind::path},
      {"dcf", "depth contention-free broadcast in d steps", "Hou98", power_of_two_tori,
       Destinations::all, Steps::by_phases, plan_dcf},
      {"zblock", "recursive Z_block broadcast in d steps", "Hou98", power_of_two_tori,
       Destinations::all, Steps::by_phases, plan_zblock},
      {"edn", "broadcast by extended dominating nodes in d steps (this project's reconstruction)",
       "TsaiMcKinley96", power_of_two_tori, Destinations::all, Steps::by_phases, plan_edn},
      {"edn-reading", "the same by reading number --seed of what Hou98 says of it",
       "TsaiMcKinley96", power_of_two_tori, Destinations::all, Steps::by_phases, plan_edn_reading},
      {"far-then-near", "broadcast in d steps: three far sends, then three to neighbours",
       "baseline", power_of_two_tori, Destinations::all, Steps::by_phases, plan_far_then_near},
      {"block", "a block of 4 x 4 units, --block FILE, recursed as that of dcf", "Hou98",
       power_of_two_tori, Destinations::all, Steps::by_phases, plan_given_block, Operation::bcast,
       MessageKind::unicast, Vector::whole, nullptr, false, false, false, false, true},
      {"tseng", "broadcast over dilated diagonals; width other than height: this project's reading",
       "Tseng97", flat_tori, Destinations::all, Steps::by_phases, plan_tseng},
      {"dual-path", "one label worm to the larger labels of a mesh, one to the smaller ones",
       "LinMcKinleyNi94", meshes, Destinations::any, Steps::by_phases, plan_dual_path,
       Operation::bcast, MessageKind::label},
      {"multi-path", "the same, each worm cut at the source's column (this project's reading)",
       "LinMcKinleyNi94", meshes, Destinations::any, Steps::by_phases, plan_multi_path,
       Operation::bcast, MessageKind::label},
      {"ring", "broadcast around a unidirectional ring", "CasanovaSlides", rings, Destinations::all,
       Steps::by_phases, plan_ring_broadcast},
      {"disjoint-paths",
       "pieces over the node-disjoint shortest paths to one destination, by worms",
       "CasanovaSlides", hypercubes, Destinations::one, Steps::by_phases, plan_disjoint_paths,
       Operation::bcast, MessageKind::unicast, Vector::whole, nullptr, false, false, true},
      {"disjoint-relays", "the same by unicasts, forwarded where the paths turn", "CasanovaSlides",
       hypercubes, Destinations::one, Steps::by_phases, plan_disjoint_relays},
      {"ring-scatter", "each node's block around the ring, the farthest first", "CasanovaSlides",
       rings, Destinations::all, Steps::by_phases, plan_ring_scatter, Operation::scatter},
      {"ring-gather", "each node's block around the ring to the root", "baseline", rings,
       Destinations::all, Steps::by_phases, plan_ring_gather, Operation::gather},
      {"ring-allgather", "all-to-all broadcast: all blocks once around the ring", "CasanovaSlides",
       rings, Destinations::all, Steps::by_phases, plan_ring_allgather, Operation::allgather},
      {"ring-alltoall", "gossip: personalised all-to-all, distance after distance",
       "CasanovaSlides", rings, Destinations::all, Steps::by_phases, plan_ring_alltoall,
       Operation::alltoall},
      {"ring-reduce-scatter", "the sum of each block once around the ring to its node",
       "PatarasukYuan09", rings, Destinations::all, Steps::by_phases, plan_ring_reduce_scatter,
       Operation::reduce_scatter, MessageKind::unicast, Vector::whole, ring_parts},
      {"ring-allreduce", "a vector in p blocks: their sums around the ring, then all of them again",
       "PatarasukYuan09", rings, Destinations::all, Steps::by_phases, plan_ring_allreduce,
       Operation::allreduce, MessageKind::unicast, Vector::in_blocks, ring_parts},
      {"exchange-scatter", "recursive halving, highest dimension first", "baseline", hypercubes,
       Destinations::all, Steps::by_phases, plan_exchange_scatter, Operation::scatter},
      {"exchange-gather", "recursive halving reversed", "baseline", hypercubes, Destinations::all,
       Steps::by_phases, plan_exchange_gather, Operation::gather},
      {"exchange-allgather", "recursive doubling, dimension after dimension",
       "ThakurRabenseifnerGropp05", hypercubes, Destinations::all, Steps::by_phases,
       plan_exchange_allgather, Operation::allgather},
      {"exchange-alltoall", "half of all blocks cross each dimension in turn", "baseline",
       hypercubes, Destinations::all, Steps::by_phases, plan_exchange_alltoall,
       Operation::alltoall},
      {"exchange-reduce-scatter", "recursive halving of sums, highest bit first",
       "ThakurRabenseifnerGropp05", of_2k_nodes, Destinations::all, Steps::by_phases,
       plan_exchange_reduce_scatter, Operation::reduce_scatter},
      {"rabenseifner", "a vector in p blocks: recursive halving of sums, then doubling",
       "ThakurRabenseifnerGropp05", of_2k_nodes, Destinations::all, Steps::by_phases,
       plan_rabenseifner, Operation::allreduce, MessageKind::unicast, Vector::in_blocks},
      {"rabenseifner-near", "the same with the order of bits reversed, lowest first and last",
       "ThakurRabenseifnerGropp05", of_2k_nodes, Destinations::all, Steps::by_phases,
       plan_rabenseifner_near, Operation::allreduce, MessageKind::unicast, Vector::in_blocks},
      {"exchange-allreduce", "recursive doubling of sums", "ThakurRabenseifnerGropp05", hypercubes,
       Destinations::all, Steps::by_phases, plan_exchange_allreduce, Operation::allreduce},
      {"exchange-barrier", "recursive doubling of one-flit messages", "baseline", hypercubes,
       Destinations::all, Steps::by_phases, plan_exchange_allreduce, Operation::barrier},
      {"doubling-allgather", "recursive doubling over the bits of the node's number, lowest first",
       "ThakurRabenseifnerGropp05", of_2k_nodes, Destinations::all, Steps::by_phases,
       plan_exchange_allgather, Operation::allgather},
      {"doubling-allreduce", "recursive doubling of sums over these bits",
       "ThakurRabenseifnerGropp05", of_2k_nodes, Destinations::all, Steps::by_phases,
       plan_exchange_allreduce, Operation::allreduce},
      {"direct-alltoall", "in step t each node sends to the one whose number is t larger, mod p",
       "baseline", all_fabrics, Destinations::all, Steps::by_phases, plan_direct_alltoall,
       Operation::alltoall},
      {"xor-alltoall", "in step t each node sends to the one whose number differs by xor t",
       "baseline", of_2k_nodes, Destinations::all, Steps::by_phases, plan_xor_alltoall,
       Operation::alltoall},
      {"sbt-reduce", "sums up the spanning binomial tree", "baseline", hypercubes,
       Destinations::all, Steps::by_phases, plan_sbt_reduce, Operation::reduce},
      {"sbt-allreduce", "sums up the spanning binomial tree, then their broadcast", "baseline",
       hypercubes, Destinations::all, Steps::by_phases, plan_sbt_allreduce, Operation::allreduce},
      {"sbt-barrier", "one-flit messages up the spanning binomial tree and down", "baseline",
       hypercubes, Destinations::all, Steps::by_phases, plan_sbt_allreduce, Operation::barrier},
      {"wsort-reduce", "sums up the reverse of W-sort's tree", "Robinson93", hypercubes,
       Destinations::all, Steps::by_phases, plan_wsort_reduce, Operation::reduce},
      {"wsort-allreduce", "sums up the reverse of W-sort's tree, then W-sort", "Robinson93",
       hypercubes, Destinations::all, Steps::by_phases, plan_wsort_allreduce, Operation::allreduce},
      {"dims-bcast", "broadcast through the dimensions, neighbour to neighbour, both ways",
       "baseline", grids, Destinations::all, Steps::by_rule, plan_dims_bcast},
      {"dims-reduce", "sums up that tree", "baseline", grids, Destinations::all, Steps::by_phases,
       plan_dims_reduce, Operation::reduce},
      {"dims-barrier", "one-flit messages up that tree and down", "baseline", grids,
       Destinations::all, Steps::by_phases, plan_dims_barrier, Operation::barrier},
      {"dims-allgather", "all blocks both ways along the lines of each dimension in turn",
       "baseline", grids, Destinations::all, Steps::by_phases, plan_dims_allgather,
       Operation::allgather},
      {"dims-reduce-scatter", "dims-allgather backwards, adding", "baseline", grids,
       Destinations::all, Steps::by_phases, plan_dims_reduce_scatter, Operation::reduce_scatter},
      {"dims-allreduce", "a vector in p blocks: dims-reduce-scatter, then dims-allgather",
       "baseline", grids, Destinations::all, Steps::by_phases, plan_dims_allreduce,
       Operation::allreduce, MessageKind::unicast, Vector::in_blocks},
      {"dims-scatter", "blocks along the lines of each dimension in turn, the farthest first",
       "baseline", grids, Destinations::all, Steps::by_phases, plan_dims_scatter,
       Operation::scatter},
      {"dims-gather", "that scatter backwards", "baseline", grids, Destinations::all,
       Steps::by_phases, plan_dims_gather, Operation::gather},
      {"dims-alltoall", "what crosses a dimension goes along its lines, dimension after dimension",
       "baseline", grids, Destinations::all, Steps::by_phases, plan_dims_alltoall,
       Operation::alltoall},
      {"rotated-allgather",
       "recursive doubling in n parts, each in another dimension in every step", "JohnssonHo89",
       hypercubes, Destinations::all, Steps::by_phases, plan_rotated_allgather,
       Operation::allgather, MessageKind::unicast, Vector::whole, rotated_parts},
      {"rotated-reduce-scatter",
       "recursive halving of sums in n parts that rotate the dimensions (this project's reading)",
       "JohnssonHo89", hypercubes, Destinations::all, Steps::by_phases, plan_rotated_reduce_scatter,
       Operation::reduce_scatter, MessageKind::unicast, Vector::whole, rotated_parts},
      {"rotated-allreduce",
       "that, then the all-gather with the dimensions backwards (this project's reading)",
       "JohnssonHo89", hypercubes, Destinations::all, Steps::by_phases, plan_rotated_allreduce,
       Operation::allreduce, MessageKind::unicast, Vector::in_blocks, rotated_parts},
      {"rotated-alltoall",
       "exchange-alltoall in n parts that rotate the dimensions (this project's reading)",
       "JohnssonHo89", hypercubes, Destinations::all, Steps::by_phases, plan_rotated_alltoall,
       Operation::alltoall, MessageKind::unicast, Vector::whole, rotated_parts},
      {"bucket-allgather", "blocks in 2n parts around the rings of all dimensions at once",
       "SackGropp15", tori, Destinations::all, Steps::by_phases, plan_bucket_allgather,
       Operation::allgather, MessageKind::unicast, Vector::whole, bucket_parts},
      {"bucket-reduce-scatter", "bucket-allgather backwards, adding", "SackGropp15", tori,
       Destinations::all, Steps::by_phases, plan_bucket_reduce_scatter, Operation::reduce_scatter,
       MessageKind::unicast, Vector::whole, bucket_parts},
      {"bucket-allreduce", "a vector in p blocks: bucket-reduce-scatter, then bucket-allgather",
       "SackGropp15", tori, Destinations::all, Steps::by_phases, plan_bucket_allreduce,
       Operation::allreduce, MessageKind::unicast, Vector::in_blocks, bucket_parts},
      {"swing-allgather", "swing-reduce-scatter backwards, without adding", "DeSensi24",
       power_of_two_sides, Destinations::all, Steps::by_phases, plan_swing_allgather,
       Operation::allgather, MessageKind::unicast, Vector::whole, swing_parts},
      {"swing-reduce-scatter", "recursive halving of sums in 2n parts, near partners first",
       "DeSensi24", power_of_two_sides, Destinations::all, Steps::by_phases,
       plan_swing_reduce_scatter, Operation::reduce_scatter, MessageKind::unicast, Vector::whole,
       swing_parts},
      {"swing-allreduce", "a vector in p blocks: swing-reduce-scatter, then swing-allgather",
       "DeSensi24", power_of_two_sides, Destinations::all, Steps::by_phases, plan_swing_allreduce,
       Operation::allreduce, MessageKind::unicast, Vector::in_blocks, swing_parts},
      {"direct-neighbor", "each node's blocks for those to which its ports lead", "baseline",
       all_fabrics, Destinations::all, Steps::by_phases, plan_direct_neighbor, Operation::neighbor},
      {"direct-neighbor-box", "each node's blocks straight to the 3^n - 1 around it", "baseline",
       grids, Destinations::all, Steps::by_phases, plan_direct_neighbor_box,
       Operation::neighbor_box},
      {"shift-neighbor-box", "the same through the dimensions, the corners carried along",
       "baseline", grids, Destinations::all, Steps::by_phases, plan_shift_neighbor_box,
       Operation::neighbor_box},
      {"direct-neighbor-nw", "each node's blocks straight to W, N and NW, in n dimensions 2^n - 1",
       "baseline", grids, Destinations::all, Steps::by_phases, plan_direct_neighbor_nw,
       Operation::neighbor_nw},
      {"shift-neighbor-nw", "the same through the dimensions, the corners carried along",
       "baseline", grids, Destinations::all, Steps::by_phases, plan_shift_neighbor_nw,
       Operation::neighbor_nw},
      {"synthesized-bcast",
       "pieces over neighbours, found by greedy matching (reading of the project)", "Won24",
       all_fabrics, Destinations::any, Steps::by_phases, plan_synthesized_bcast, Operation::bcast,
       MessageKind::unicast, Vector::whole, synthesized_pieces, true},
      {"synthesized-scatter",
       "each block nearer to its node in each round, one hop (rule of the project)", "Won24",
       all_fabrics, Destinations::all, Steps::by_phases, plan_synthesized_scatter,
       Operation::scatter, MessageKind::unicast, Vector::whole, synthesized_parts, true},
      {"synthesized-gather", "that scatter backwards", "Won24", all_fabrics, Destinations::all,
       Steps::by_phases, plan_synthesized_gather, Operation::gather, MessageKind::unicast,
       Vector::whole, synthesized_parts, true},
      {"synthesized-allgather",
       "blocks over neighbours, found by greedy matching (reading of the project)", "Won24",
       all_fabrics, Destinations::all, Steps::by_phases, plan_synthesized_allgather,
       Operation::allgather, MessageKind::unicast, Vector::whole, synthesized_parts, true},
      {"synthesized-alltoall",
       "each block nearer to its node in each round, one hop (rule of the project)", "Won24",
       all_fabrics, Destinations::all, Steps::by_phases, plan_synthesized_alltoall,
       Operation::alltoall, MessageKind::unicast, Vector::whole, synthesized_parts, true},
      {"synthesized-reduce", "synthesized-bcast backwards, adding", "Won24", all_fabrics,
       Destinations::all, Steps::by_phases, plan_synthesized_reduce, Operation::reduce,
       MessageKind::unicast, Vector::whole, synthesized_pieces, true},
      {"synthesized-allreduce",
       "a vector in p blocks: synthesized sums, then their all-gather, or whole if short", "Won24",
       all_fabrics, Destinations::all, Steps::by_phases, plan_synthesized_allreduce,
       Operation::allreduce, MessageKind::unicast, Vector::in_blocks, synthesized_parts, true},
      {"synthesized-reduce-scatter", "synthesized-allgather backwards, adding", "Won24",
       all_fabrics, Destinations::all, Steps::by_phases, plan_synthesized_reduce_scatter,
       Operation::reduce_scatter, MessageKind::unicast, Vector::whole, synthesized_parts, true},
      {"synthesized-barrier", "one-flit messages over neighbours, up and down a tree or in pairs",
       "Won24", all_fabrics, Destinations::all, Steps::by_phases, plan_synthesized_barrier,
       Operation::barrier, MessageKind::unicast, Vector::whole, synthesized_flit, true},
      {"synthesized-neighbor", "blocks over neighbours, found by greedy matching", "Won24",
       all_fabrics, Destinations::all, Steps::by_phases, plan_synthesized_neighbor,
       Operation::neighbor, MessageKind::unicast, Vector::whole, synthesized_exchange_parts, true},
      {"synthesized-neighbor-box",
       "each block nearer to its node in each round, one hop (rule of the project)", "Won24", grids,
       Destinations::all, Steps::by_phases, plan_synthesized_neighbor_box, Operation::neighbor_box,
       MessageKind::unicast, Vector::whole, synthesized_exchange_parts, true},
      {"synthesized-neighbor-nw", "the same to W, N and NW", "Won24", grids, Destinations::all,
       Steps::by_phases, plan_synthesized_neighbor_nw, Operation::neighbor_nw, MessageKind::unicast,
       Vector::whole, synthesized_exchange_parts, true},
      {"join-reduce", "sums formed by the routers on the way to the root", "baseline", all_fabrics,
       Destinations::all, Steps::by_phases, plan_join_reduce, Operation::reduce, MessageKind::join,
       Vector::whole, one_part, false, true},
      {"join-allreduce", "the same, and the root's router sends them back as a tree worm",
       "baseline", all_fabrics, Destinations::all, Steps::by_phases, plan_join_allreduce,
       Operation::allreduce, MessageKind::join_tree, Vector::whole, one_part, false, true},
      {"join-barrier", "one flit of each node, combined and sent back by the routers", "baseline",
       all_fabrics, Destinations::all, Steps::by_phases, plan_join_barrier, Operation::barrier,
       MessageKind::join_tree, Vector::whole, one_part, false, true},
  };
  return table;
}

}  // namespace allport
