// SPDX-License-Identifier: Apache-2.0
// These are the passages of [CasanovaSlides] on which its claims stand, in the order of the text.
// Formulas are spelt out in letters, with the signs that the copy at hand has lost; `[..]` stands
// for words that are left out.
#pragma once

#include "testbench/studies/reproduce/quotation.h"

namespace allport::casanova {

// Whose model of the machine the claims are judged by.
inline constexpr const char* by_text = "the slides' definitions; not run";
inline constexpr const char* by_router =
    "the slides' formulas; simulated: allport's router, a processor sends one message at a time";
inline constexpr const char* by_both = "the slides' definitions; simulated: allport's router";

inline const Quotation store_and_forward{
    "CasanovaSlides, store and forward protocol (cont)",
    "If d(i,j) is the number of links between Pi Pj, the formula for c_{i,j}(m) can be re-written as c_{i,j}(m) = d(i,j) (L + m/B) = d(i,j) L + d(i,j) m b where L is the initial latency & b is the reciprocal for the broadcast bandwidth for one link."};
inline const Quotation store_and_forward_in_pieces{
    "CasanovaSlides, store and forward protocol using pipelining",
    "The message is split into r packets of size m/r. The packets are sent one after another from Pi to [Pj]. The first packet reaches node j after c_{i,j}(m/r) time units. The remaining r-1 packets arrive in (r-1) (L + mb/r) time units. Simplifying, total communication time reduces to (d(i,j) - 1 + r) (L + mb/r)"};
inline const Quotation cut_through{
    "CasanovaSlides, two cut-through protocols",
    "Common performance model: c_{i,j}(m) = L + d(i,j) delta + m/B where L is the one-time cost of creating a message. delta is the routing management overhead [..] m/B is the time required to transmit the message through entire route"};
inline const Quotation distance_is_hidden{
    "CasanovaSlides, point-to-point communication comparisons",
    "Cut-through protocols are more efficient. Hide distance between nodes"};
inline const Quotation wormhole_preferred{
    "CasanovaSlides, point-to-point communication comparisons",
    "Wormhole generally preferred to circuit [switching]. Latency is normally much lower"};
inline const Quotation ring_broadcast{
    "CasanovaSlides, broadcast algorithm overview",
    "Note there is no parallelism in this algorithm, since the message advances around ring only one processor per round. The predecessor of Pk (i.e, Pk-1) does not send the message to Pk."};
inline const Quotation ring_broadcast_time{
    "CasanovaSlides, analysis of broadcast algorithm",
    "Since we have a sequence of p-1 communications, the time to broadcast a message of length m is (p-1)(L+mb)"};
inline const Quotation scatter_time{
    "CasanovaSlides, discussion of scatter algorithm (cont)",
    "The running time of the scatter algorithm is the same as for the broadcast, namely (p-1)(L+mb)"};
inline const Quotation scatter_order{
    "CasanovaSlides, example for scatter algorithm",
    "Example: In Figure 3.7, let p=6 and k=4. [..] Note messages are sent to processors in the order 3, 2, 1, 0, 5. That is, messages to most distant processors sent [first]."};
inline const Quotation scatter_forwards{
    "CasanovaSlides, example for scatter algorithm (cont)",
    "Example: In Figure 3.7, let p=6 and k=4. [..] PE 5 forwards values in loop from i = 1 to 4 [..] PE 0 forwards values from i = 1 to 3 [..] PE 1 forwards values from i = 1 to 2 [..] PE 2 is active in loop when i = 1 [..] PE 3 precedes PE k, so it never forwards a value"};
inline const Quotation all_to_all_time{
    "CasanovaSlides, all-to-all algorithm",
    "Using pipelining, the running time is the same as for a single broadcast, namely (p-1)(L+mb)"};
inline const Quotation gossip_steps{
    "CasanovaSlides, gossip algorithm",
    "Note it will take 1 step for each PE to send a message to its closest neighbor using all links. It will take 2 steps for each PE to send a message to its 2nd closest neighbor, using all [links]. In general, it will take 1+2+..+(p-1) = (p-1)! steps for each PE to send "
    "messages to all other nodes, using all links of the network during each [step]. Complexity is (p-1)! = (p-1)(p-2)/2 = O(p^2)."};
inline const Quotation pipelined_broadcast{
    "CasanovaSlides, pipelined broadcast (cont)",
    "There must be p-1 communication steps for first piece to reach the last processor, Pk-1. Then it takes r-1 time for the rest of the pieces to reach Pk-1. The required time is (p+r-2) (L + mb/r). The value of r that minimizes this expression can be found by setting its derivative "
    "(with respect to r) to zero and solving for r. For large m, the time required tends to mb. Does not depend on p. Compares well to broadcast time (p-1)(L+mb)"};
inline const Quotation paths{
    "CasanovaSlides, hypercube paths (cont)",
    "Independent of which bits of A and B agree, there are k choices for first bit to flip, (k-1) choices for next bit to flip, etc. This gives k! different paths from A to B."};
inline const Quotation independent_paths{
    "CasanovaSlides, hypercube paths (cont)",
    "How many independent paths exist from A to B? I.e., paths with only A and B as common vertices. Theorem: If A and B are n-cube vertices that differ in k bits, then there exist exactly k independent paths from A to B."};
inline const Quotation k_paths{
    "CasanovaSlides, hypercube pathways (cont)",
    "Suppose the following two path have a common vertex X other than A and B. P(j, j-1, j-2, .., 0, k-1, k-2, .., j+1) P(t, t-1, t-2, .., 0, k-1, k-2, .., t+1) [..] This is impossible, as the q bits are flipped along each path can not be exactly the same bits."};
inline const Quotation rightmost_first{
    "CasanovaSlides, hypercube routing",
    "To design a route from A to B in the n-cube, we will use the algorithm that will always flip the rightmost bit that disagrees with B. [..] For the 5-cube, if A is 10111 and B is 01110, then A NOR B is 11001, and the routing is as follows: A = 10111 -> 10110 -> 11110 -> 01110 = B"};
inline const Quotation nor{
    "CasanovaSlides, hypercube routing",
    "The NOR of the binary representation of A and B indicates by 1's the bits that have to be [flipped]."};
inline const Quotation link_4{
    "CasanovaSlides, hypercube routing",
    "A1 NOR B = 10110 NOR 01110 = 11000, so Node A1 routes message along link 4 to Node A2 = 10110"};
inline const Quotation busy_link{
    "CasanovaSlides, hypercube routing (cont)",
    "In our example, if link 1 in Node A is busy, then instead use link 4 to forward the message to new node 11111 that is on a new path to B."};
inline const Quotation gray_code{
    "CasanovaSlides, Gray code",
    "G2 = (00, 01, 11, 10) and had 2^2 elements. G3 = (000, 001, 011, 010, 110, 111, 101, 100) has 2^3 elements"};
inline const Quotation ring_embedding{
    "CasanovaSlides, a 2^n ring embedding onto n-cube",
    "Theorem: There is an embedding of a ring with 2^n vertices onto an n-cube that preserves locality."};
inline const Quotation torus_embedding{
    "CasanovaSlides, 2D torus embedding for n-cube",
    "We embed a 2^r x 2^s torus onto an n-cube with n = r+s by using the cartesian product G_r x G_s of two Gray codes. [..] Then for a fixed j, f(i+-1, j) are neighbors of f(i, j) since f1 is an embedding of a 2^r ring onto a r-cube. Likewise, for a fixed i, f(i, j+-1) are "
    "neighbors of f(i, j) since f2 is an embedding of a 2^s ring onto a s-cube."};
inline const Quotation sbt_receives{
    "CasanovaSlides, hypercube broadcast algorithm",
    "There are n steps, numbered from n-1 to 0. All processors will receive their msg on the link corresponding to their rightmost 1"};
inline const Quotation sbt_once{
    "CasanovaSlides, improved hypercube broadcast",
    "We seek a strategy where: Each processor receives the message only once. The number of steps is minimal."};
inline const Quotation sbt_time{
    "CasanovaSlides, broadcast algorithm",
    "Since there are n steps, the execution time with the store-and-forward model is n(L+mb)."};
inline const Quotation sbt_one_port{
    "CasanovaSlides, broadcast algorithm",
    "This algorithm is valid for the 1-port model. At each step, a processor communicates with at most one other processor."};

inline const Quotation sbt_trace{
    "CasanovaSlides, trace of hypercube broadcast for n=4",
    "Next, both processor 0000 and 1000 have their rightmost 1 in position at least three, so both send a message along link 2. Msg goes to 0100 and 1100, respectively. This process continues until the last step at which every even-numbered processor sends its msg along its link 0."};
inline const Quotation diameter{"CasanovaSlides, hypercubes (cont)",
                                "Property: The diameter and degree of an n-cube are equal to n."};
inline const Quotation stall{
    "CasanovaSlides, hypercube routing (cont)",
    "Problem: If another pair of processors have already reserved one link on the desired path, the message may stall until the end of the other [communication]."};

}  // namespace allport::casanova
