// SPDX-License-Identifier: Apache-2.0
// These are the passages of [Jeon01] on which its claims stand, in the order of the text.
// Formulas are spelt out in letters, with the signs that the copy at hand has lost; `[..]` stands
// for words that are left out.
#pragma once

#include "testbench/studies/reproduce/quotation.h"

namespace allport::jeon {

// Whose model of the machine the claims are judged by.
inline constexpr const char* by_plans = "the text's sets, trees and steps; not run";
inline constexpr const char* by_router =
    "the text's equations; simulated: allport's router, a cycle a flit and channel as in the text";

inline const Quotation orders_of_sbt_and_hk{
    "Jeon01, sec. 2",
    "A few known algorithms that perform broadcast in hypercubes are one-port spanning binomial-tree (SBT) algorithm [6], and Ho and Kao's all-port broadcast algorithm (abbreviated as HK-broadcast) [7]. They require O(mn) and O(m ceil(n/log(n+1))) time, "
    "respectively, to broadcast a message of size m in an n-dimensional hypercube which consists of N = 2^n nodes."};
inline const Quotation sends_along_a_path{
    "Jeon01, sec. 2 (fig. 1)",
    "In an all-port wormhole-routed hypercube in which dimension-ordered routing is performed by resolving addresses from top to bottom, one node can send a message to all nodes along such a path simultaneously (some staggering may occur due to message start-up latency)."};
inline const Quotation partition{
    "Jeon01, sec. 2 (fig. 1)",
    "The algorithm uses the concept of a dimension-simple path to recursively divide the network into subcubes of nearly equal size. [..] In this manner, an n-cube can be partitioned into n+1 subcubes such that each subcube contains one node on the dimension-simple path."};
inline const Quotation two_steps{
    "Jeon01, caption of fig. 1",
    "Ho-Kao broadcast algorithm as executed on an all-port 7-cube: (a) overall algorithm and (b) two-step broadcast in a 4-cube."};
inline const Quotation subcube{
    "Jeon01, sec. 2 (fig. 2)",
    "The reachable set of S with respect to the dimension d_i, denoted by R_i^n(S), i = {0, 1, .., n}, is the subcube (s_{n-1} s_{n-2} .. s_{i+1} not(s_i) x_{i-1} .. x_0) where x_k represents don't care. R_n^n(S) is S itself."};
inline const Quotation disjoint_sets{
    "Jeon01, sec. 2 (fig. 2)",
    "Reachable sets R_i^n(S), i in {0, 1, .., n}, for any given source S, are disjoint one another, and the union of all reachable sets is the n-cube."};
inline const Quotation leaders{
    "Jeon01, sec. 2 (fig. 2)",
    "1000, 0100, 0010, and 0001 are leader nodes of R_3^4(0000), R_2^4(0000), R_1^4(0000), and R_0^4(0000), respectively."};
inline const Quotation replication_tree{
    "Jeon01, sec. 2 (fig. 4)",
    "This process of computing nodes at deeper levels continues recursively until a complete replication tree is built (refer to Fig. 3). Fig. 4 shows a replication tree for a 4-cube with the source S = 0000."};
inline const Quotation terminal_node{
    "Jeon01, sec. 2 (fig. 4)",
    "Let's call the farthest node from the root the terminal node (For example, in Fig. 4, given S = 0000, 1111 is the terminal node.)."};
inline const Quotation pipelined_time{
    "Jeon01, sec. 2",
    "By summing them up the broadcast requires O(n+m-1) units of time. This reduces the time enormously from O(m ceil(n/log(n+1))) of HK algorithm. For a long message the required time becomes O(m), independent of the size of the hypercube, since m >> n."};
inline const Quotation hamiltonian_path{
    "Jeon01, sec. 2",
    "We may also think that a straightforward broadcasting is possible using IR by sending a message along a Hamiltonian path, from the source node to the end node of the path, in O(m) time. The delay incurred in IR is assumed zero in this case. In practice, if we consider "
    "any amount of the delay per node (ever if it is a constant time), it would be O(2^n+m-1) in an n-dimensional hypercube."};
inline const Quotation one_by_one{
    "Jeon01, sec. 2",
    "In pipelined broadcast, links occupied during one broadcast can not be used by others until it completes. To avoid a possible deadlock when several nodes attempt to broadcast at the same time, the broadcast should be performed one by one using synchronization among nodes."};
inline const Quotation synchronization{
    "Jeon01, sec. 2", "The synchronization overhead of O(log n) is negligible in most cases."};
inline const Quotation equation_1{
    "Jeon01, sec. 3, eq. (1)",
    "The total time for HK-algorithm in an n-dimensional hypercube is reported as T_HK(m, n) = alpha_n T_s + beta_n T_f + gamma_n T_c (1) where T_f = L_f/B is the cost to transmit a header flit, T_c = 1/B that for a nonheader flit, and alpha_n, beta_n, gamma_n are derived recursively as follows [10]: [..]"};
inline const Quotation equation_2{
    "Jeon01, sec. 3, eqs. (2) and (3)",
    "The execution of pipelined broadcast is estimated by reflecting the accumulated replication cost from the root to the terminal node where T_r is the cost of unit replication: T_pipe_ideal(m, n) = T_s + n T_f + m T_c + n T_r (2) For the simple comparison purpose, let's "
    "assume that L_f = 1 and T_r = T_f. Then T_c = T_r = T_f and the Equation 2 becomes [lost]"};
inline const Quotation faster{
    "Jeon01, sec. 3 (fig. 6)",
    "As shown in Fig. 6, the time by the pipelined broadcast is quite smaller even with the replication cost, and almost independent of the size of the hypercube."};
inline const Quotation other_machines{
    "Jeon01, sec. 3 (fig. 6)",
    "Other parameter values such as Intel Paragon, IBM SP2, NCUBE-2, and Intel Delta produce similar results to those of Cray T3E."};

}  // namespace allport::jeon
