// SPDX-License-Identifier: Apache-2.0
// These are the passages of [Robinson93] on which its claims stand, in the order of the text.
// Formulas are spelt out in letters, with the signs that the copy at hand has lost; `[..]` stands
// for words that are left out.
#pragma once

#include "testbench/studies/reproduce/quotation.h"

namespace allport::robinson {

// Whose model of the machine the claims are judged by.
inline constexpr const char* by_plans = "the text's steps, ports, routes and definitions; not run";
inline constexpr const char* by_router =
    "allport's router; the text has an nCUBE-2 and its simulator, which are not at hand";
inline constexpr const char* by_both = "the text's definitions; simulated: allport's router";

inline const Quotation figure_3a{
    "Robinson93, sec. 2 (fig. 3)",
    "In early hypercube systems that used store-and-forward switching, the procedure shown in Figure 3(a) could be used. At step 1, the source sends the message to node 1000. At step 2, nodes 0000 and 1000 inform nodes 0100 and 1010, respectively. Continuing in this fashion, "
    "this implementation requires 4 steps to reach all destinations. In this example, five nodes (0010, 0100, 0110, 1000, and 1010) are required to relay the message, even though they are not destinations."};
inline const Quotation figure_3b{
    "Robinson93, sec. 2 (fig. 3)",
    "Using the same routing algorithm in a one-port wormhole-routed network also requires 4 steps, as shown in Figure 3(b). In this case, however, only the routers at two of the non-destination nodes (0010 and 0110) are involved in forwarding the message. [..] However, "
    "because the message must be replicated at nodes 0100, 1000, and 1010, the local processors at those nodes must still handle the message."};
inline const Quotation figure_3c{
    "Robinson93, sec. 2 (fig. 3)",
    "The only local processors required to handle the message are those at destination nodes. Furthermore, on a one-port architecture, all messages are guaranteed to be contention-free [9]. Although common channels are used between the 0111-to-1011 path and the 0111-to-1100 "
    "path, these messages are sent sequentially, so contention does not arise. [..] Although the algorithm used to construct the tree in Figure 3(c) still requires four steps, this approach is optimal for multicasting to 8 destinations on a one-port architecture."};
inline const Quotation one_port_bound{
    "Robinson93, sec. 2",
    "Specifically, ceil(log2(m+1)) is a tight lower bound on the number of steps required to reach m destinations on a one-port hypercube."};
inline const Quotation figure_3d{
    "Robinson93, sec. 2 (fig. 3)",
    "For example, if the algorithm were implemented on an all-port hypercube, it would still require four steps to complete the multicast in the above example, as illustrated in Figure 3(d), although some destinations are reached earlier than in Figure 3(c). Notice that three "
    "steps are required to reach destination node 1011, since that unicast message must traverse a channel in the path required to reach node 1100, thereby delaying its transmission."};
inline const Quotation figure_3e{
    "Robinson93, sec. 2 (fig. 3)",
    "Figure 3(e) shows a multicast tree that accounts for both wormhole routing and an all-port architecture. The algorithm requires only two steps, no local processors other than the source and destinations are involved, and contention among constituent messages is avoided. "
    "This particular tree, which is based on the methods presented in this paper, is optimal for multicast to the given set of nodes on an all-port architecture."};
inline const Quotation opposite_order{
    "Robinson93, sec. 2",
    "(In this example and all subsequent examples, we assume that the E-cube routing algorithm resolves addresses from high order bits to low order bits. In the nCUBE-2, the opposite resolution strategy is used, but this difference does not affect any of the results presented.)"};
inline const Quotation lemma_1{
    "Robinson93, lemma 1",
    "Let P(x, y) = (x; w_1; w_2; ..; w_p; y) be any E-cube path (For clarity, let w_0 = x and w_{p+1} = y), and let (w_i -> w_{i+1}) in P be any arc in P(x, y). Let d be the dimension over which (w_i -> w_{i+1}) travels, 2^d = w_i xor w_{i+1}. Then the following conditions "
    "hold: 1. for all j in {1..i}, for all k in {0..d}, w_j and 2^k = x and 2^k 2. for all j in {i+1..p}, for all k in {d+1..n-1}, w_j and 2^k = y and 2^k 3. x and 2^d != y and 2^d."};
inline const Quotation lemma_1_in_words{
    "Robinson93, sec. 3.2",
    "Lemma 1 characterizes the behavior of dimension-ordered routing in a hypercube. In particular, the lemma formalizes the notion that any unicast travels in a particular dimension at most once, and that the unicast travels in a strictly decreasing order of dimension."};
inline const Quotation lemma_2{
    "Robinson93, lemma 2",
    "For any three nodes x, y, z, and for any subcube S, if x, z in S and x <= y <= z, then y in S."};
inline const Quotation theorem_1{
    "Robinson93, theorem 1",
    "Consider any two paths P(x, y) and P(x, v) originating from a common source node. If delta(x, y) != delta(x, v), then P(x, y) and P(x, v) are arc-disjoint. (Paths leaving a common source on different channels are arc-disjoint.)"};
inline const Quotation theorem_2{
    "Robinson93, theorem 2",
    "Consider any two paths P(u, v) and P(x, y). If there exists a subcube S such that u, v in S and x, y not in S, then P(u, v) and P(x, y) are arc-disjoint. (A path with source and destination within subcube S is arc-disjoint from any path with source and destination outside S.)"};
inline const Quotation theorem_3{
    "Robinson93, theorem 3",
    "Any two unicasts (u, v, P(u, v), t) and (u, y, P(u, y), tau) with a common source node are contention-free."};
inline const Quotation figure_5{
    "Robinson93, sec. 4.1 (fig. 5)",
    "Figure 5 gives an example of this method in a one-port 4-cube. The source node 0100 is sending to a set of eight destinations {0001, 0011, 0101, 0111, 1000, 1010, 1011, 1111}. [..] The corresponding U-cube tree is shown in Figure 5. It takes 4 steps for all destination processors to receive the message."};
inline const Quotation chain_of_figure_5{
    "Robinson93, sec. 4.1 (fig. 5)",
    "Taking the exclusive-or of each destination address with 0100 and sorting the results produces the d_0-relative dimension-ordered chain Phi = {0000, 0001, 0011, 0101, 0111, 1011, 1100, 1111}."};
inline const Quotation same_multicast{
    "Robinson93, sec. 4.1 (fig. 5)",
    "(The reader will notice that this d_0-relative chain represents the same multicast operation examined in Figure 3.)"};
inline const Quotation ucube_is_free{
    "Robinson93, sec. 4.1",
    "It has been previously shown that message transmission in U-cube tree is contention-free regardless of startup latency and message length [9]."};
inline const Quotation ucube_steps{
    "Robinson93, sec. 4.1",
    "Furthermore, the U-cube algorithm achieves minimum time for a one-port architecture by requiring only p = ceil(log2(m+1)) time steps for m destinations."};
inline const Quotation figure_6{
    "Robinson93, sec. 4.1 (fig. 6)",
    "For example, if node 0000 is the source of a multicast to nodes 1001, 1010, and 1011, the resulting Maxport \"tree\" will require three steps, as shown in Figure 6(a). The U-cube solution shown in Figure 6(b) requires only two steps."};
inline const Quotation responsible_for_four{
    "Robinson93, sec. 4.1",
    "In the tree shown in Figure 3(d), for example, step 1 of the algorithm \"mistakenly\" selects node 0111 as the first destination to which the message is transmitted. This decision leaves node 0111 responsible for delivering the message to four nodes, all of which differ from 0111 in the highest dimension."};
inline const Quotation different_channels{
    "Robinson93, sec. 4.2",
    "In the Maxport algorithm, for each participating node, say x, the unicasts originating at node x are transmitted on different outgoing channels."};
inline const Quotation theorem_4{
    "Robinson93, theorem 4",
    "If D = {d_first, d_{first+1}, .., d_last} is a dimension ordered chain, then D is also a cube-ordered chain."};
inline const Quotation maxport_on_chains{
    "Robinson93, sec. 4.2",
    "As will be shown later, it is possible to input any cube-ordered chain, not just a dimension-ordered chain, to Maxport and still be able to avoid contention among messages."};
inline const Quotation figure_8a{
    "Robinson93, sec. 4.2 (fig. 8)",
    "Figure 8(a) shows the U-cube algorithm executed on an all-port architecture, which requires 4 time steps to perform the multicast. [..] Notice that node 7 cannot send to nodes 11 and 12 during the same time step, since both unicasts require the same outgoing channel."};
inline const Quotation figure_8b{
    "Robinson93, sec. 4.2 (fig. 8)",
    "Figure 8(b) shows the Maxport algorithm applied directly to address sequence D. In this example, the Maxport algorithm also requires 4 steps to reach all destination nodes. Notice that all unicasts with a common source node are transmitted on different outgoing channels, "
    "and thus can be sent during the same time step in an all-port architecture."};
inline const Quotation figure_8_sort{
    "Robinson93, sec. 4.2 (fig. 8)",
    "Applying the weighted_sort algorithm to address sequence D produces a new address sequence D = {0, 1, 3, 5, 7, 14, 15, 12, 11}."};
inline const Quotation figure_8c{
    "Robinson93, sec. 4.2 (fig. 8)",
    "Figure 8(c) shows the resulting W-sort multicast, which requires only 2 steps."};
inline const Quotation theorem_5{
    "Robinson93, theorem 5",
    "The weighted_sort algorithm applied to a cube-ordered chain D = {d_first, d_{first+1}, .., d_last} results in D' = {d'_first, d'_{first+1}, .., d'_last}, where: 1. D' is a cube-ordered chain; 2. D' is a permutation of D; and 3. d'_first = d_first (the source node remains in the first position)."};
inline const Quotation theorem_6{
    "Robinson93, theorem 6",
    "The W-sort algorithm applied to a cube-ordered chain D = {d_first, d_{first+1}, .., d_last} results in a contention-free multicast from source node d_first to destination nodes {d_{first+1}, d_{first+2}, .., d_last}."};
inline const Quotation fewer_steps{
    "Robinson93, sec. 5.1 (figs. 9 and 10)",
    "In addition to reducing the number of steps, the new algorithms \"smooth out\" the staircase behavior of the U-cube algorithm."};
inline const Quotation benefit_on_5_cube{
    "Robinson93, sec. 5.2 (figs. 11 and 12)",
    "These plots show that all the algorithms designed to take advantage of the multiport architecture offer some benefit over the U-cube algorithm. However, any advantage of among Maxport, Combine, and W-sort, is unclear."};
inline const Quotation anomaly{
    "Robinson93, sec. 5.2 (fig. 11)",
    "Interestingly, Figure 11 shows that the average delay for U-cube is actually worse for multicast than for broadcast. This anomaly occurs because the algorithm sometimes forces multiple messages out the same channel instead of taking advantage of multiple channels."};
inline const Quotation staircase{
    "Robinson93, sec. 5.2 (fig. 12)",
    "In Figure 12, we see clearly the staircase behavior of U-cube. As predicted by the stepwise comparisons, the new algorithms tend to smooth the relative delays among various sized destination sets."};
inline const Quotation benefit_on_10_cube{
    "Robinson93, sec. 5.3 (figs. 13 and 14)",
    "These plots show that all the algorithms designed to take advantage of the multiport architecture offer advantages over the U-cube algorithm. For the larger systems, the advantage of W-sort becomes more obvious in both the average and maximum cases."};

inline const Quotation new_algorithms_are_free{
    "Robinson93, sec. 6",
    "New theoretical results regarding contention among messages in wormhole-routed hypercubes have been developed and used to design new multicast routing algorithms and to prove that these algorithms are contention-free."};

}  // namespace allport::robinson
