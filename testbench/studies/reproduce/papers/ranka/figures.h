// SPDX-License-Identifier: Apache-2.0
// This header lists the figures of [Ranka88].
#pragma once

#include "testbench/studies/reproduce/figure.h"

namespace allport {

Figure ranka_4();     ///< networks mapped into a hypercube
Figure ranka_5();     ///< communication rates of an NCUBE
Figure ranka_10();    ///< run times of template matching
Figure ranka_12();    ///< the same with a replicated image
Figure ranka_13();    ///< load balancing
Figure ranka_15();    ///< replicated computation
Figure ranka_17();    ///< front waves in mazes
Figure ranka_20();    ///< the knapsack
Figure ranka_host();  ///< what the host adds

}  // namespace allport
