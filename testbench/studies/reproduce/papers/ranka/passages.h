// SPDX-License-Identifier: Apache-2.0
// These are the passages of [Ranka88] on which its claims stand, in the order of the text.
// Formulas are spelt out in letters, with the signs that the copy at hand has lost; `[..]` stands
// for words that are left out.
#pragma once

#include "testbench/studies/reproduce/quotation.h"

namespace allport::ranka {

// Whose model of the machine the claims are judged by.
inline constexpr const char* by_text = "the text's graphs; not run";
inline constexpr const char* by_router =
    "the text's tables and formulas; simulated: allport's programs and router with the times of figure 5";

inline const Quotation mapped{
    "Ranka88, sec. 2 (fig. 4)",
    "Most other popular networks are easily mapped into a hypercube. For example a 2 x 4 mesh, 8 node ring, and a 7 node full binary tree may be mapped into an 8 node hypercube as shown in Figure 4. [..] Gray codes are often used to obtain efficient mappings of meshes and rings onto a hypercube [CHAN86]."};
inline const Quotation tree{
    "Ranka88, sec. 2 (fig. 4)",
    "A full binary tree cannot be mapped on the hypercube such that every two nodes of the tree are connected by a hypercube connection [DESH86]. In Figure 4(c) nodes 000 and node 110 have a connection via node 100. Node 100 is not used for any of the tree nodes. Thus, it only "
    "performs message passing between nodes 000 and 110."};
inline const Quotation star_graph{
    "Ranka88, sec. 2",
    "It is interesting to note that other networks such as the star graph [AKER87] do better than a hypercube in this regard. A star graph connects (d+1)! processors using d connections per processor. The inter-processor distance is at most floor(3(d-1)/2)."};
inline const Quotation message_and_arithmetic{
    "Ranka88, sec. 2 (fig. 5)",
    "From Figure 5(a), we see that an 8 byte message transfer between two directly connected processors (i.e., processors 1 hop apart) takes 42 times the time for an 8 byte real addition and 32 times that of an 8 byte real multiplication."};
inline const Quotation rates{
    "Ranka88, sec. 2 (fig. 5)",
    "Furthermore, longer messages are transferred at a higher rate (i.e., bytes per second) than shorter ones going the same distance and it takes longer to send the same message to a processor 4 hops away than to one 2 hops away (Figure 5(b))."};
inline const Quotation one_hop{
    "Ranka88, sec. 2",
    "The time for a one hop communication of a message of length N bytes is approximately 446.7 + 2.4N microseconds [DUNI86]."};
inline const Quotation two_ways{
    "Ranka88, sec. 3",
    "If we assume that the size of the image values (in bytes) is the same as that of the C2D values, then both the schemes involve the same amount of data transfer."};
inline const Quotation run_times{
    "Ranka88, sec. 3 (fig. 10)",
    "The run times of the C code of Figure 8 on an NCUBE hypercube are given in Figure 10."};
inline const Quotation no_difference{
    "Ranka88, sec. 3",
    "Since the amount of computation is much larger than the amount of communication, we did not find any significant differences between the run times of the programs of Figures 7 and 8."};
inline const Quotation replicated_image{
    "Ranka88, sec. 4.2 (figs. 11 and 12)",
    "When this image distribution is used, the node program is simpler. Furthermore, the computation time is reduced. Figure 11 gives a high level description of the new node program. Figure 12 gives the times for the two different cases."};
inline const Quotation times_of_figure_12{
    "Ranka88, sec. 4.2 (fig. 12)",
    "When this image distribution is used, the node program is simpler. Furthermore, the computation time is reduced. [..] Figure 12 gives the times for the two different cases. These times include the time needed to transmit the image and template matrices from the host to the hypercube."};
inline const Quotation with_the_host{
    "Ranka88, sec. 4.2 (fig. 12)",
    "These times include the time needed to transmit the image and template matrices from the host to the hypercube. Hence the times of the program of Figure 8 are higher in the table of Figure 12 as compared with Figure 10."};
inline const Quotation twice_as_many{
    "Ranka88, sec. 4.3 (figs. 13 and 14)",
    "However, in order to achieve this reduction in load transmission, it is necessary to first determine how much of the load is to be transmitted. This requires an initial exchange of the load size. Hence variation 2 requires twice as many message transmissions."};
inline const Quotation variations{
    "Ranka88, sec. 4.3 (figs. 13 and 14)",
    "We expect variation 1 to be faster than variation 2 when the number of bytes in MyLoad and HisLoad is relatively small and the time to set up a data transmission relatively large. Otherwise, variation 2 is expected to require less time."};
inline const Quotation recomputing{
    "Ranka88, sec. 4.4 (fig. 15)",
    "Recomputing g(x) (Figure 15(d)) will be faster than reusing g(x) (Figure 15(c)) by approximately the time needed to broadcast g(x)."};
inline const Quotation improvement_by_overlap{
    "Ranka88, sec. 4.5",
    "In Section 4, we saw an example where rearranging the computation so as to overlap computation and communication resulted in an improvement in program performance."};
inline const Quotation mazes{
    "Ranka88, sec. 4.5 (figs. 17 and 18)",
    "On the tested mazes, algorithm 2 required 25% to 30% less time than algorithm 1."};
inline const Quotation best_dimension{
    "Ranka88, sec. 4.6",
    "For any given instance of a problem, there is an optimal hypercube dimension d to use. Using a hypercube of larger or smaller size will result in an increase in the program run time."};
inline const Quotation knapsack{
    "Ranka88, sec. 4.6 (fig. 20)",
    "Figure 20 shows the total time, time required to solve the smaller instances using dynamic programming, and the combining time on a test set with m = 100 and c = 30. The combining time increases as the number of processors increases. This increase eventually overshadows the reduction in the dynamic programming time."};
inline const Quotation more_processors{
    "Ranka88, sec. 4.6",
    "While it is easy to expect an increase in run time using a smaller dimension hypercube, it is less evident why this should happen with a larger dimension hypercube. Several of the factors that contribute to this seemingly anomalous phenomena are: 1) The host to node data "
    "distribution time increases as more message transfers need to be set up. 2) Total inter processor communication time may increase."};

}  // namespace allport::ranka
