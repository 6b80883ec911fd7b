// SPDX-License-Identifier: Apache-2.0
// These are the passages of [Hou98] on which its claims stand, in the order of the text.
// Formulas are spelt out in letters, with the signs that the copy at hand has lost; `[..]` stands
// for words that are left out.
#pragma once

#include "testbench/studies/reproduce/quotation.h"

namespace allport::hou {

// Whose model of the machine the claims are judged by.
inline constexpr const char* by_plans =
    "the text's steps, routes, Theorem 1 and timing formulas; not run";
inline constexpr const char* by_readings = "the text's steps and routes, of all readings; not run";
inline constexpr const char* by_router =
    "allport's router, one cycle a flit and channel as in the text";
inline constexpr const char* by_both = "the text's formulas and plans; simulated: allport's router";

inline const Quotation virtual_channels{
    "Hou98, sec. 2 (fig. 2)",
    "To provide shortest routing paths, virtual channels have to be added to prevent deadlock in a torus network [5]. Fig. 2 illustrates how virtual channels can be arranged along a single dimension with even width k. The situation is similar when k is odd. There are three sets "
    "of virtual channels: p-channels, l-channels, and h-channels. The p-channels route messages that will eventually use the wraparound channel in the same dimension. The l-channels and h-channels are used after the wraparound channel has been traversed. They are also used by "
    "messages that will not use the wraparound channel in the current dimension. The l-channels are directed towards lower-address neighboring nodes, while higher-address neighbors are reached through h-channels."};
inline const Quotation figure_3a{
    "Hou98, sec. 3 (fig. 3)",
    "Obviously, this strategy is unacceptable for its poor performance. By organizing these unicasts as a broadcast tree, better performance may be obtained. Fig. 3 shows the difference of these two implementations for broadcasting on a 4 x 4 torus. In Fig. 3(a), "
    "node (0, 0) generates 15 unicasts to send the broadcast message. In Fig. 3(b), an example of a broadcast tree is illustrated."};
inline const Quotation longest_sequence{
    "Hou98, sec. 3 (fig. 3)",
    "For example, the longest sequence of unicasts in Fig. 3(b) is first from (0, 0) to (2, 0), then from (2, 0) to (2, 1), finally from (2, 1) to either (1, 1) or (2, 2). [..] In the example illustrated in Fig. 3, there are three unicast sets in the implementation."};
inline const Quotation order_of_sends{
    "Hou98, sec. 3 (fig. 3)",
    "If u_d is the last one handled by node (0, 0) in the first step, then node (2, 0) will have to wait three more sending latencies before it starts to broadcast the message. This is because node (0, 0) has to spend the time for handling the other three unicasts. Since node "
    "(2, 0) is an intermediate node in the longest sequence of unicasts, a better choice is to handle u_d first."};
inline const Quotation doubling{
    "Hou98, sec. 4",
    "In terms of the one-port model, Mckinley, Xu, Esfahanian and Ni [8] proposed a recursive doubling process for multicast communication in meshes and hypercubes. This process was also extended to tori [10], and proved to be depth contention-free."};
inline const Quotation edn_steps{
    "Hou98, sec. 4",
    "When broadcasting on a 2^d x 2^d torus, their algorithm constructs (d+1) extended dominating sets (EDSs), one for each level. [..] Their algorithm requires d steps for broadcasting and is proved to be stepwise contention-free. However, through computer "
    "simulation, it can be shown that their algorithm is not depth contention-free."};
inline const Quotation tseng_squares{
    "Hou98, sec. 4",
    "On a square n x n torus, 2 ceil(log_2 n) + 1 steps are required for Tseng's algorithm."};
inline const Quotation tseng_rectangles{
    "Hou98, sec. 4",
    "On a nonsquare n1 x n2 torus, n1 < n2, the number of steps depends on n1. If n1 is even, (ceil(log_2 n1) + ceil(log_2 n1/2) + ceil(log_2 n2/n1) + 2) steps are required; if n1 is odd, one more step is required."};
inline const Quotation tseng_depth{
    "Hou98, sec. 4",
    "Although Tseng's algorithm can handle 2D tori with arbitrary size, it can not guarantee to be depth contention-free either."};
inline const Quotation lower_bound{
    "Hou98, sec. 5",
    "Thus, there exists a theoretical lower bound, ceil(log_{2n+1}(N)), on the number of message-passing steps for broadcasting on an all-port n-dimensional torus, where N is the total number of nodes in the network."};
inline const Quotation bound_not_achievable{
    "Hou98, sec. 5",
    "However, this lower bound may not be achievable under the constrain of dimension-ordered routing. Because of the constrain of dimension-ordered routing, it is not always possible for every node to send the message to 2n new nodes in every step."};
inline const Quotation proved_stepwise{
    "Hou98, sec. 5",
    "They require d and 2 ceil(log_2 2^d) + 1 steps respectively for broadcasting on a 2^d x 2^d torus. Although they can be proved to be stepwise contention-free, channel contention may occur between two unicasts in different steps."};
inline const Quotation z_block{
    "Hou98, sec. 5.1 (fig. 5)",
    "Fig. 5 shows an example of a building block, called Z_block. There are 4 units in a Z_block. The block source node, (X, Y), of a level_1 Z_block can broadcast a message to the other three nodes, (X-1, Y+1), (X, Y+1) and (X+1, Y), in one step."};
inline const Quotation decomposition{
    "Hou98, sec. 5.1 (fig. 6)",
    "A 4 x 4 torus can be decomposed recursively into four level_1 Z_blocks, as shown in Fig. 6. [..] Note that the four dashed units in Fig. 6(c) form a level_2 Z_block. The concept of the above decomposition can be generalized so that a 2^d x 2^d torus can be viewed as a level_d Z_block."};
inline const Quotation any_source{
    "Hou98, sec. 5.1",
    "This broadcast algorithm can be applied regardless of the location of the source node since the torus is a node symmetric topology."};
inline const Quotation z_block_depth{
    "Hou98, sec. 5.2",
    "Although the Z_block can be used for broadcasting on a 2^d x 2^d torus, it is not depth contention-free."};
inline const Quotation z_block_time{
    "Hou98, sec. 5.2",
    "Moreover, in addition to the network latency, it needs 3 sending latencies and 1 receiving latency for broadcasting a message from the block source unit to the other three units in a Z_block."};
inline const Quotation theorem_2{
    "Hou98, theorem 2 and its proof",
    "The proposed algorithm delivers a message exactly once to every node in a 4^k x 4^k torus in 2k message-passing steps, for any k >= 1. [..] For k = 1, as shown in Fig. 7, every node can receive the broadcast message exactly once in 2 steps."};
inline const Quotation corollary_2{
    "Hou98, corollaries 1 and 2",
    "The proposed algorithm delivers a message exactly once to every node in a (2 x 4^k) x (2 x 4^k) torus in 2k+1 message-passing steps, for any k >= 1. [..] The proposed algorithm delivers a message exactly once to every node in a 2^d x 2^d torus in d message-passing steps."};
inline const Quotation theorem_3{
    "Hou98, theorem 3",
    "The proposed algorithm for a 4^k x 4^k torus network is stepwise contention-free."};
inline const Quotation corollary_3{
    "Hou98, corollary 3",
    "The proposed algorithm for a (2 x 4^k) x (2 x 4^k) torus is stepwise contention-free."};
inline const Quotation theorem_4{
    "Hou98, theorem 4, corollary 4",
    "The proposed algorithm for a 4^k x 4^k torus is depth contention-free. [..] The proposed algorithm for a (2 x 4^k) x (2 x 4^k) torus is depth contention-free."};
inline const Quotation one_shared_channel{
    "Hou98, proof of theorem 4",
    "For k = 1, as shown in Fig. 7, only two of the 15 unicasts may use the same channel. One is from S to (X+2, Y) in step 1, and the other one is from S to (X+1, Y) in step 2. [..] Hence, broadcasting on the level_1 DCF_block is depth contention-free."};
inline const Quotation times_of_a_block{
    "Hou98, sec. 6.1",
    "Suppose that S begins to send the message at time instant 0, then A, B, C and D receive the message at time instants (ts + 3 delta tc + L tc + tr), (2ts + 2 delta tc + L tc + tr), (3ts + delta tc + L tc + tr) and (4ts + delta tc + L tc + tr), respectively. [..] "
    "Obviously, the time for completing a phase is (5ts + 4 delta tc + 2L tc + 2tr)."};
inline const Quotation times_of_step_2{
    "Hou98, sec. 6.1",
    "Hence, the last unicasts sent out by A, B, C, D and S in the second step must be completed at time instants (5ts + 4 delta tc + 2L tc + 2tr), (5ts + 3 delta tc + 2L tc + 2tr), (5ts + 2 delta tc + 2L tc + 2tr) and (5ts + delta tc + 2L tc + 2tr), respectively."};
inline const Quotation dcf_latency{
    "Hou98, sec. 6.1",
    "Since there are k phase for broadcasting on a 4^k x 4^k torus, the broadcast latency [..] equals to (5k ts + 4(4^k - 1)/3 tc + 2kL tc + 2k tr). Similarly, the broadcast latency on a (2 x 4^k) x (2 x 4^k) torus can be derived to be [(5k+3) ts + 2(4^{k+1} - 1)/3 tc + (2k+1) L tc + (2k+1) tr]."};
inline const Quotation edn_latency{
    "Hou98, sec. 6.1",
    "Without considering the possible channel contention, the broadcast latency is (6k ts + 4(4^k - 1)/3 tc + 2kL tc + 2k tr) on a 4^k x 4^k torus, and [3(2k+1) ts + 2(4^{k+1} - 1)/3 tc + (2k+1) L tc + (2k+1) tr] on a (2 x 4^k) x (2 x 4^k) torus [12]."};
inline const Quotation k_more{
    "Hou98, sec. 6.1",
    "Compared with the proposed algorithm, the EDN algorithm spends k more sending latencies and the blocking time that may be caused by the possible channel contention."};
inline const Quotation better_in_both{
    "Hou98, sec. 6.2 (figs. 8 and 9)",
    "It can be observed that in both cases, the performance of the proposed algorithm is better than that of the EDN algorithm."};
inline const Quotation effect_of_contention{
    "Hou98, sec. 6.2 (fig. 8)",
    "In Fig. 8, the effect of channel contention can be observed. The EDN algorithm takes about one more communication latency than the proposed algorithm because of the blocking time caused by channel contention. The difference becomes more significant as the message size increases."};
inline const Quotation about_200{
    "Hou98, sec. 6.2 (fig. 9)",
    "The benefit for overlaying the messages sent out by each node in each step can be observed in Fig. 9. The broadcast latency of the proposed algorithm is about 200 cycles fewer than that of the EDN algorithm, which is rather significant for small message sizes."};
inline const Quotation close_to_analysis{
    "Hou98, sec. 6.2",
    "Compared the simulation results with the timing analysis, it can be noted that the broadcast latency of the proposed algorithm is very close to what we have analyzed because it is depth contention-free."};
inline const Quotation unpredictable{
    "Hou98, sec. 6.2",
    "However, the broadcast latency of the EDN algorithm is unpredictable due to the possible channel contention."};

}  // namespace allport::hou
