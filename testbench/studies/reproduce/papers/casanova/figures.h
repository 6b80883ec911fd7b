// SPDX-License-Identifier: Apache-2.0
// These functions are the figures of [CasanovaSlides]: its formulas against simulation, its traces.
#pragma once

#include "testbench/studies/reproduce/figure.h"

namespace allport {

/// The slides' time of a send, L + m b, ends with its reception. A processor here begins the next
/// send when the tail has left its own port, which is earlier by up to as many cycles as this.
constexpr int cycles_of_a_send = 2;

Figure casanova_traces();     ///< traces of collectives on a ring
Figure casanova_ring();       ///< formulas of the ring against simulation
Figure casanova_pipelined();  ///< pipelined broadcast on a ring
Figure casanova_switching();  ///< store-and-forward and cut-through over the distance
Figure casanova_sbt();        ///< broadcast over the spanning binomial tree
Figure casanova_routing();    ///< routes and node-disjoint paths in a hypercube
Figure casanova_gray();       ///< Gray codes: rings and tori in a hypercube

}  // namespace allport
